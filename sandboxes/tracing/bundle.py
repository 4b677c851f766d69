"""The tracer that the program brings along, and one command run under it."""

import hashlib
import io
import shlex
import signal
import tarfile
import threading
from dataclasses import dataclass, field, replace
from importlib.resources import files

from cases.sentences import Sentences
from sandboxes.capture import Executed
from sandboxes.deadlines import COPY_SECONDS, each_within
from sandboxes.engine import Engine
from sandboxes.errors import SandboxError, translated
from sandboxes.images import ensure_base, ensure_extended, made_extended
from sandboxes.images.base import Tell
from sandboxes.owner import LABEL
from sandboxes.session import Session
from sandboxes.spec import HELD
from sandboxes.tracing.fact import Fact
from sandboxes.tracing.facts import facts_of
from sandboxes.tracing.strace import PRIVILEGED, exit_code_of
from sandboxes.tracing.used import Called, beside_of, called_of, ended_in, loaded_of, opened_of, said_of

say = Sentences(__name__)

FOLDER = f"{HELD}/trace"
LOG_BYTES = 60_000_000
CALLS = (
    *("%file", "write", "writev", "pwrite64", "fallocate", "copy_file_range", "execve", "connect", "getsockopt"),
    *("sendto", "sendmmsg", "sendmsg", "clone", "clone3", "fork", "vfork", "exit_group", *PRIVILEGED),
)
HOOKS = {
    "IMPASSABLE_HOOK": f"{FOLDER}/said/hooks",
    "PYTHONPATH": f"{FOLDER}/python",
    "R_PROFILE_USER": f"{FOLDER}/profile.R",
}
UNDER = (
    *(f"{FOLDER}/loader", "--library-path", FOLDER, f"{FOLDER}/strace", "-f", "-y", "-s", "512", "-I", "2"),
    *("--quiet=attach,personality,path-resolution", "-e", f"trace={','.join(CALLS)}", "-o", f"{FOLDER}/said/log"),
)
_WATCHED = f"""\
( (
    until [ -s {FOLDER}/said/log ] || ! kill -0 $$; do sleep 1; done
    read -r first rest < {FOLDER}/said/log
    while [ -d /proc/$first ]; do sleep 1; done
    sleep 1
    kill -TERM $$
) < /dev/null > /dev/null 2>&1 & )
exec "$@"
"""
"""The tracer is ended soon after the command, by what is no child of its own; what was left running goes on without."""
_ENDED = 128 + signal.SIGTERM
FAST = "--seccomp-bpf"
"""Stops at the traced calls only; but those that a container's policy refuses then never reach the tracer."""
COLLECT = (
    "apt-get update -qq && apt-get install -y -qq --no-install-recommends strace",
    f'mkdir -p {FOLDER} && cd {FOLDER} && cp -L "$(command -v strace)" strace && '
    "ldd strace | sed -n 's/.*=> \\(\\/[^ ]*\\).*/\\1/p; s/^[[:space:]]*\\(\\/[^ ]*ld-[^ ]*\\).*/\\1/p' | "
    f"xargs -I% cp -L % . && mv ld-* loader && ./loader --library-path {FOLDER} ./strace -V | head -1",
)
"""What root does in the base image: the system's package, which apt verifies, with its libraries and their loader."""


@dataclass(frozen=True)
class Traced:
    """One command under the tracer."""

    done: Executed
    facts: tuple[Fact, ...]
    log: str
    """Failed calls only, as the tracer wrote them."""
    opened: tuple[str, ...] = ()
    """Files that it opened, the system's own left out."""
    loaded: tuple[str, ...] = ()
    """Shared libraries that it opened, without their folders."""
    said: tuple[str, ...] = ()
    """The last lines of what the processes wrote in which a failure began."""
    ended: tuple[str, ...] = ()
    """Those processes' programs."""
    beside: tuple[str, ...] = ()
    """Scripts that failed before, for no reason that was measured."""
    called: tuple[Called, ...] = ()
    """Programs that ended with a failure, the last to begin first."""


@dataclass
class Tracer:
    """A tracer with its libraries and loader, for containers of any image of its processor's kind."""

    engine: Engine
    image: str
    lock: threading.Lock = field(default_factory=threading.Lock)
    held: bytes = b""

    @property
    def archive(self) -> bytes:
        """A tar archive of `FOLDER`, about 5 MB.

        Raises:
            SandboxError: the engine does not give it.
        """
        with self.lock:
            if not self.held:
                with translated("read the tracer"):
                    made = self.engine.api.create_container(
                        self.image, command=["true"], labels={LABEL: self.engine.owner.label()}
                    )
                    try:
                        stream, _ = self.engine.api.get_archive(made["Id"], FOLDER)
                        packed = b"".join(each_within(COPY_SECONDS, stream))
                    finally:
                        self.engine.remove_container(made["Id"])
                self.held = _with_hooks(packed)
            return self.held

    @property
    def sha256(self) -> str:
        """Of the tracer's program."""
        with tarfile.open(fileobj=io.BytesIO(self.archive)) as archive:
            program = archive.extractfile("trace/strace")
            return hashlib.sha256(program.read() if program else b"").hexdigest()


def ensure_tracer(engine: Engine, tell: Tell, *, offline: bool = False) -> Tracer:
    """The tracer, made once a machine from the base image's own package index; `offline`, only what is there.

    Raises:
        ImageUnavailable: it cannot be made; says why.
        EngineUnavailable: the engine went away.
    """
    base = ensure_base(engine, tell)
    return Tracer(
        engine, made_extended(engine, base, COLLECT) if offline else ensure_extended(engine, base, COLLECT, tell)
    )


def trace(
    session: Session,
    tracer: Tracer,
    command: str,
    *,
    seconds: float,
    shell: str = "bash",
    user: str | None = None,
    env: dict[str, str] | None = None,
    within: bool = False,
    refused: bool = False,
    granted: str = "",
) -> Traced:
    """Run a command once under the tracer; it leaves nothing in the session's journal.

    `within` one that ends well, what fails all the same is told too. `refused` tells also which system calls the
    container's policy refuses, which takes many times as long; one that is `granted` is told that it succeeded, though
    nothing was done.

    Programs that take another user's rights (sudo) lose them under a tracer.

    Raises:
        SandboxError: it cannot be brought into the container, or cannot trace there; ends a sentence.
    """
    session.unpack(HELD, tracer.archive)
    session.run(f"rm -f {FOLDER}/said/*", user="root", looks=True, seconds=30)
    hooked = {**(env or {}), **HOOKS}
    under = (*UNDER, "-e", f"inject={granted}:retval=0") if granted else UNDER if refused else (*UNDER, FAST)
    under = ("sh", "-c", _WATCHED, "sh", *under)
    done = session.run(
        command, seconds=seconds, shell=shell, user=user, looks=True, serves=True, env=hooked, under=under
    )
    log = session.get(f"{FOLDER}/said/log", limit=LOG_BYTES).decode("utf-8", "replace")
    if not log.strip():
        raise SandboxError(say("tracing.bundle.tracer_wrote_nothing", output=done.output.strip()[-200:]))
    if done.exit_code == _ENDED and (code := exit_code_of(log)) is not None:
        done = replace(done, exit_code=code)
    return _traced(session, done, log, within=within)


def _traced(session: Session, done: Executed, log: str, *, within: bool) -> Traced:
    hooks = session.run(f"cat {shlex.quote(FOLDER)}/said/hooks 2>/dev/null || true", looks=True, seconds=30).output
    failed = "\n".join(line for line in log.splitlines() if " = -1 E" in line or "+++" in line)
    facts = facts_of(log, hooks, done.output, oom=done.oom, within=within)
    return Traced(
        done,
        facts,
        failed,
        opened=opened_of(log),
        loaded=loaded_of(log),
        said=said_of(log),
        ended=ended_in(log),
        beside=beside_of(log, done.output),
        called=called_of(log),
    )


def _with_hooks(packed: bytes) -> bytes:
    """The same archive with the interpreters' hooks and a folder that everybody may write to."""
    made = io.BytesIO()
    with tarfile.open(fileobj=io.BytesIO(packed)) as old, tarfile.open(fileobj=made, mode="w") as new:
        for member in old:
            new.addfile(member, old.extractfile(member) if member.isfile() else None)
        said = tarfile.TarInfo("trace/said")
        said.type, said.mode = tarfile.DIRTYPE, 0o1777
        new.addfile(said)
        for name, path in (
            ("python/sitecustomize.py", "hooks/sitecustomize.py"),
            ("profile.R", "hooks/profile.R"),
        ):
            data = files(__package__).joinpath(path).read_bytes()
            entry = tarfile.TarInfo(f"trace/{name}")
            entry.size, entry.mode = len(data), 0o644
            new.addfile(entry, io.BytesIO(data))
    return made.getvalue()
