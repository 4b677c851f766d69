"""The base image: pulled and extended where a registry answers, otherwise made with debootstrap."""

import fcntl
import hashlib
import io
import os
import shutil
import subprocess
import tarfile
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.resources import files
from pathlib import Path
from typing import Any

from cases import patterns as re
from cases.sentences import Sentences
from sandboxes.deadlines import LONG_SECONDS, each_within, within
from sandboxes.engine import Engine
from sandboxes.errors import ImageUnavailable, SandboxError, translated
from sandboxes.sdk import connected
from sandboxes.spec import host_ca
from sandboxes.temporary import shared

say = Sentences(__name__)

REPOSITORY = "impassable/base"
PULLED = "python:3.12-slim-bookworm"
ANSWER_SECONDS = 20
"""How long the engine may take to say whether a registry has the image."""
BUILD_SECONDS = 1200
RECIPE = ("Dockerfile", "debootstrap.sh")
HELP = (
    f"the base image can neither be pulled ({PULLED}: no registry answers) nor made here ({{why}}); "
    f"give the engine a registry, or run `python -m sandboxes.images` as root on a Debian machine "
    f"with debootstrap and a Debian mirror"
)

Tell = Callable[[str], None]


def base_tag() -> str:
    """The image's name, which changes with its recipe: `impassable/base:<digest>`."""
    digest = hashlib.sha256()
    for name in RECIPE:
        digest.update(_recipe(name))
    return f"{REPOSITORY}:{digest.hexdigest()[:12]}"


def ensure_base(engine: Engine, tell: Tell = lambda _: None) -> str:
    """Make the base image unless the engine has it; returns its name.

    Raises:
        ImageUnavailable: it can neither be pulled nor made; says what to do.
        EngineUnavailable: the engine went away.
    """
    tag = base_tag()
    if there(engine, tag):
        return tag
    with one_at_a_time(tag):
        if not there(engine, tag):
            _make(engine, tag, tell)
    return tag


def there(engine: Engine, tag: str) -> bool:
    """Whether the engine has an image of this name."""
    try:
        engine.identity(tag)
    except ImageUnavailable:
        return False
    return True


def _make(engine: Engine, tag: str, tell: Tell) -> None:
    if pulled(engine, PULLED, tell):
        base, origin = PULLED, "pulled"
    else:
        base, origin = _debootstrapped(engine, tag, tell), "debootstrap"
    tell(say("images.base.building", tag=tag, base=base))
    _build(engine, tag, base, origin, tell)


def pulled(engine: Engine, name: str, tell: Tell) -> bool:
    """Whether the image is on the engine now; a registry that does not answer soon counts as none."""
    if there(engine, name):
        return True
    tell(say("images.base.asking", name=name))
    try:
        with translated("ask a registry"):
            asking = connected(ANSWER_SECONDS)
            try:
                asking.api.inspect_distribution(name)
            finally:
                asking.close()
    except SandboxError:
        tell(say("images.base.no_registry_answers"))
        return False
    try:
        with translated(f"pull {name}"):
            within(LONG_SECONDS, lambda: engine.client.images.pull(name))
    except SandboxError as error:
        tell(str(error))
        return False
    return True


def _debootstrapped(engine: Engine, tag: str, tell: Tell) -> str:
    name = f"impassable/debootstrap:{tag.rpartition(':')[2]}"
    if there(engine, name):
        return name
    if not shutil.which("debootstrap"):
        raise ImageUnavailable(HELP.format(why=say("images.base.debootstrap_not_installed")))
    if os.geteuid() != 0:
        raise ImageUnavailable(HELP.format(why=say("images.base.debootstrap_needs_root")))
    tell(say("images.base.making_debian_root_file"))
    with tempfile.TemporaryDirectory(prefix="impassable-", dir=_roomy()) as directory:
        root, archive = Path(directory, "root"), Path(directory, "root.tar")
        script = Path(directory, "debootstrap.sh")
        script.write_bytes(_recipe("debootstrap.sh"))
        done = subprocess.run(
            ["sh", str(script), str(root), str(archive), *_mirror()],
            capture_output=True,
            text=True,
            errors="replace",
            check=False,
            timeout=1200,
        )
        if done.returncode != 0:
            last = (done.stdout + done.stderr).strip().splitlines()[-1:]
            raise ImageUnavailable(HELP.format(why=f"debootstrap failed: {' '.join(last)[:200]}"))
        repository, _, version = name.partition(":")
        with translated("import the root file system"):
            engine.api.import_image_from_file(str(archive), repository=repository, tag=version)
    return name


def _roomy() -> str | None:
    """A directory on a real disk; a root file system is too big for a small tmpfs."""
    return "/var/tmp" if os.access("/var/tmp", os.W_OK) else None  # noqa: S108 - a fresh directory is made in it


def _mirror() -> list[str]:
    """The Debian mirror that this machine's own apt uses; empty where apt does not say."""
    lists = [Path("/etc/apt/sources.list"), *sorted(Path("/etc/apt/sources.list.d").glob("*"))]
    text = "\n".join(path.read_text(encoding="utf-8", errors="replace") for path in lists if path.is_file())
    candidates = re.findall(
        r"^(?:URIs:\s*|deb\s+(?:\[[^\]]*\]\s*)?)(https?://\S+/debian)/?(?:\s|$)", text, re.MULTILINE
    )
    return candidates[:1]


def _build(engine: Engine, tag: str, base: str, origin: str, tell: Tell) -> None:
    with translated(f"build {tag}"):
        steps = engine.api.build(
            fileobj=_context(),
            custom_context=True,
            tag=tag,
            buildargs={"BASE": base},
            labels={"impassable.origin": origin},
            rm=True,
            forcerm=True,
            decode=True,
            timeout=BUILD_SECONDS,
        )
        last = ""
        for step in each_within(BUILD_SECONDS, steps):
            if "error" in step:
                raise ImageUnavailable(say("images.base.base_image_could_not", error=step["error"], last=last))
            last = _progress(step, tell) or last


def _progress(step: dict[str, Any], tell: Tell) -> str:
    text = str(step.get("stream", "")).strip()
    if text.startswith("Step "):
        tell(text.splitlines()[0][:120])
    return text


def _context() -> io.BytesIO:
    bundle = host_ca()
    content = {"Dockerfile": _recipe("Dockerfile"), "ca-certificates.crt": bundle.read_bytes() if bundle else b""}
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w") as archive:
        for name, data in content.items():
            entry = tarfile.TarInfo(name)
            entry.size, entry.mode = len(data), 0o644
            archive.addfile(entry, io.BytesIO(data))
    packed.seek(0)
    return packed


def _recipe(name: str) -> bytes:
    return files("sandboxes.images").joinpath(name).read_bytes()


@contextmanager
def one_at_a_time(tag: str) -> Iterator[None]:
    """Two sessions that start at once make the image once."""
    name = hashlib.sha256(tag.encode()).hexdigest()[:12]
    path = Path(shared(), f"impassable-{os.getuid()}-{name}.lock")
    with path.open("w", encoding="ascii") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield
