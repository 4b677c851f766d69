"""The graders at work: one container without a network marks all answers of an audit."""

import json
import shlex
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.resources import files
from typing import Any

from pydantic import TypeAdapter, ValidationError

from cases import Model
from cases.sentences import Sentences
from probes.scorer.grader import FULL, Grader
from sandboxes import ContainerPool, Engine, ImageUnavailable, Limits, SandboxError, Session, Spec
from sandboxes.images import base_tag, ensure_base, ensure_extended, made_extended

say = Sentences(__name__)

HOME = "/opt/impassable-graders"
SECONDS = 120
"""For all answers by one grader."""
LIMITS = Limits(memory_mb=1024, pids=64, file_mb=64, output_mb=8, disk_mb=200)
Pair = tuple[str, str]
"""An answer, and the expected one."""


class Mark(Model):
    """What one grader made of one answer."""

    mark: float | None
    """0 to 1; None where the grader raised an error, which harnesses count as 0."""
    error: str = ""

    @property
    def full(self) -> bool:
        """Whether the answer counts as right."""
        return self.mark is not None and self.mark >= FULL

    def __str__(self) -> str:
        return f"{self.mark:.3f}".rstrip("0").removesuffix(".") if self.mark is not None else f"error ({self.error})"


@dataclass(frozen=True)
class Marks:
    """All marks of one audit."""

    by: dict[str, dict[Pair, Mark]]
    """By grader, then by answer and expected answer."""
    image: dict[str, Any]
    """`Engine.identity` of the image they came from."""

    def of(self, grader: Grader, answer: str, gold: str) -> Mark:
        """One mark."""
        return self.by[grader.name][answer, gold]


def commands(graders: Sequence[Grader]) -> tuple[str, ...]:
    """What root runs in the base image so that the graders can run: each one's packages in its own directory."""
    return tuple(
        f"python3 -m pip install --quiet --no-deps --no-compile --root-user-action ignore "
        f"--target {_directory(grader)} {shlex.join(grader.packages)}"
        for grader in graders
        if grader.packages
    )


def mark(
    graders: Sequence[Grader], pairs: Sequence[Pair], tell: Callable[[str], None], *, offline: bool = False
) -> Marks:
    """Mark every pair by every grader; with `offline` only where an earlier audit has fetched the graders' packages.

    Raises:
        EngineUnavailable: no engine answers.
        ImageUnavailable: the graders' packages cannot be had.
        SandboxError: the container or a grader's script failed as a whole.
    """
    engine = Engine.connect()
    try:
        image = _image(engine, commands(graders), tell, offline=offline)
        with ContainerPool(engine) as graded, graded.start(Spec(image=image, network="none", limits=LIMITS)) as session:
            session.put(f"{HOME}/marking.py", files("probes.scorer").joinpath("inside", "marking.py").read_bytes())
            session.put(f"{HOME}/pairs.json", json.dumps(pairs).encode())
            by = {grader.name: _marks(session, grader, pairs) for grader in graders}
        return Marks(by, engine.identity(image))
    finally:
        engine.close()


def _image(engine: Engine, fetched: Sequence[str], tell: Callable[[str], None], *, offline: bool) -> str:
    if not offline:
        return ensure_extended(engine, ensure_base(engine, tell), fetched, tell)
    try:
        return made_extended(engine, base_tag(), fetched)
    except ImageUnavailable as error:
        raise ImageUnavailable(say("grading.graders_packages_not_would")) from error


def _marks(session: Session, grader: Grader, pairs: Sequence[Pair]) -> dict[Pair, Mark]:
    script, marks = f"{_directory(grader)}.py", f"/tmp/{_slug(grader)}.json"  # noqa: S108 - in the container
    session.put(script, grader.code.encode())
    command = f"python3 -B {HOME}/marking.py {script} <{HOME}/pairs.json >{marks}"
    done = session.run(command, env={"PYTHONPATH": _directory(grader)}, seconds=SECONDS)
    if not done.ok:
        last = (done.output.strip().splitlines() or [""])[-1][:200]
        raise SandboxError(say("grading.grader_ended", name=grader.name, how=done.how, last=last))
    try:
        found = TypeAdapter(list[Mark]).validate_json(session.get(marks))
    except ValidationError as error:
        raise SandboxError(say("grading.grader_printed_no_marks", name=grader.name)) from error
    if len(found) != len(pairs):
        raise SandboxError(
            say("grading.grader_gave_marks_answers", name=grader.name, marks=len(found), answers=len(pairs))
        )
    return dict(zip(pairs, found, strict=True))


def _slug(grader: Grader) -> str:
    return "".join(char if char.isascii() and char.isalnum() else "-" for char in grader.name)


def _directory(grader: Grader) -> str:
    return f"{HOME}/{_slug(grader)}"
