"""A recipe laid out as the containers of a script, one after the other."""

import shlex
from collections.abc import Iterator
from typing import NamedTuple

from cases.sentences import Sentences
from evidence.reproduce.shell import Ready, quoted
from probes.replay.resources.recipe import Arm, Box, Put, Recipe, Run

say = Sentences(__name__)

_VOLUME = '"reproduce-$$"'
"""The engine fills one that is new from the image, and one without a name cannot be read-only."""


class Stage(NamedTuple):
    """One container."""

    label: str
    title: tuple[str, ...]
    options: tuple[str, ...]
    """For `docker run`."""
    setup: tuple[str, ...]
    """Scripts of ours, as root."""
    workspace: bool
    steps: tuple[Run | Put, ...]
    keep: bool
    """Whether what it has become is what the later ones start from."""
    expected: str
    """How its last command ended in the audit; empty where that proves nothing."""
    control: bool = False
    """Whether nothing follows from the others when this one ends otherwise."""
    reaches: bool = False
    """Whether it uses a network, whose absence proves nothing."""
    must: bool = False
    """Whether nothing can be tried unless each of its commands works."""


def stages(recipe: Recipe) -> Iterator[Stage]:
    """The containers in their order: what prepares, the replay, the routes, the run without the barrier."""
    replay, *others = recipe.arms
    if recipe.added:
        steps = tuple(_by_root(text) for text in recipe.added)
        told = (say("script.added_title"),)
        yield Stage(say("script.added"), told, _reaching(), (), False, steps, True, "", reaches=True, must=True)
    if replay.box.read_only:
        yield Stage(
            say("script.machine"),
            (say("script.machine_title"),),
            ("--network", "none"),
            _setup(recipe),
            False,
            (),
            True,
            "",
        )
    if recipe.prepared or recipe.task_files:
        told = (say("script.before_title"),)
        yield Stage(
            say("script.before"),
            told,
            _options(replay.box, recipe),
            _setup(recipe, replay.box),
            recipe.task_files,
            recipe.prepared,
            True,
            "",
        )
    for arm in (replay, *others):
        label = say(f"script.{arm.kind}", name=arm.name)
        setup = _setup(recipe, arm.box)
        told = (say(f"script.{arm.kind}_title"),)
        ended, control = ending(recipe, arm), arm.kind == "lifted"
        reaching = arm.box.network != "none"
        yield Stage(label, told, _options(arm.box, recipe), setup, False, arm.steps, False, ended, control, reaching)


def ending(recipe: Recipe, arm: Arm) -> str:
    """How an arm ended, in the script's own words."""
    last = arm.last
    if last is None:
        return ""
    ended = "works" if last.exit_code == 0 else "fails"
    return f"{ended}, saying: {recipe.sign}" if arm.shows else ended


def volumes(recipe: Recipe) -> tuple[str, ...]:
    """Names of the volumes that the containers share."""
    most = max((sum(path != "/" for path in arm.box.read_only) for arm in recipe.arms), default=0)
    return tuple(Ready(f"{_VOLUME}-{number}") for number in range(most))


def reaches(recipe: Recipe) -> bool:
    """Whether any container needs a network."""
    return bool(recipe.added) or any(arm.box.network != "none" for arm in recipe.arms)


def _by_root(command: str) -> Run:
    return Run(command=command, user="root", shell="bash", exit_code=0)  # noqa: S604 - a shell's name, in a record


def _reaching() -> tuple[str, ...]:
    return (Ready('"${reach[@]}"'),)


def _options(box: Box, recipe: Recipe) -> tuple[str, ...]:
    size = box.file_mb * 1024 * 1024
    options = ["--network", "none"] if box.network == "none" else [*_reaching()]
    options += ["--memory", f"{box.memory_mb}m", "--memory-swap", f"{box.memory_mb}m"]
    options += ["--pids-limit", str(box.pids), "--ulimit", f"fsize={size}:{size}", "--ulimit", "core=0:0"]
    if not recipe.sudo:
        options += ["--security-opt", "no-new-privileges"]
    for path, how in box.tmpfs.items():
        options += ["--tmpfs", f"{path}:{how}" if how else path]
    frozen = [path for path in box.read_only if path != "/"]
    options += ["--read-only"] if "/" in box.read_only else []
    for number, path in enumerate(frozen):
        options += ["--mount", Ready(f"type=volume,src={_VOLUME}-{number},dst={quoted(path)},readonly")]
    if "/" in box.read_only and recipe.workdir not in box.tmpfs:
        options += ["--mount", f"type=volume,dst={recipe.workdir}"]
    return tuple(options)


def _setup(recipe: Recipe, box: Box | None = None) -> tuple[str, ...]:
    """What the container must have before anything is run: the user's directory, sudo, the modes of its tmpfs."""
    if box is not None:
        modes = tuple(
            f"chmod {mode} {shlex.quote(path)}" for path, how in box.tmpfs.items() if (mode := _mode(how)) is not None
        )
        return modes if box.read_only else (*_setup(recipe), *modes)
    user, workdir = shlex.quote(recipe.user), shlex.quote(recipe.workdir)
    home = recipe.workdir.startswith("/home/")
    top = shlex.quote("/".join(recipe.workdir.split("/")[:3])) if home else workdir
    made = f"id -u {user} >/dev/null && {{ [ -d {workdir} ] || {{ mkdir -p {workdir} && chown -R {user}: {top}; }}; }}"
    if not recipe.sudo:
        return (made,)
    sudo = (
        "command -v sudo >/dev/null || dpkg -i /opt/impassable/sudo_*.deb >/dev/null; "
        f"printf '%s ALL=(ALL) NOPASSWD: ALL\\n' {user} >/etc/sudoers.d/reproduce"
    )
    return (made, sudo)


def _mode(options: str) -> str | None:
    found = [part.removeprefix("mode=") for part in options.split(",") if part.startswith("mode=")]
    return found[-1] if found and found[-1].isdigit() else None
