"""Which graders there are: those of `graders.toml`, and those that installed packages add."""

from functools import cache
from importlib.metadata import entry_points
from importlib.resources import files
from typing import Annotated, Self

from pydantic import StringConstraints, model_validator

from cases import Case, Model, Run, benchmarks
from cases import patterns as re
from cases.loading import load
from cases.sentences import Sentences

say = Sentences(__name__)

GROUP = "impassable.graders"
FULL = 1.0 - 1e-9
"""The mark from which on an answer counts as right."""
Pinned = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]*==[A-Za-z0-9][A-Za-z0-9.+!]*$")]


class Deciding(Model):
    """The runs whose outcome a grader decided."""

    harness: str | None = None
    """`Run.harness`: the harness whose files the run stands in."""
    scaffold: str | None = None
    """`Run.environment["scaffold"]`, where no harness is known."""


class Grader(Model):
    """One grader of one or more benchmarks; marks go from 0 to 1, and only 1 is right."""

    name: str
    benchmarks: tuple[str, ...]
    """Their normalised names."""
    official: bool = False
    harness_of: Deciding = Deciding()
    packages: tuple[Pinned, ...] = ()
    """Exact versions, installed without their dependencies."""
    asks: str = ""
    """What the benchmark's published instructions ask of an answer's form."""
    code: str
    """Python that defines `grade(answer: str, gold: str) -> float`; it runs in a container without a network."""
    source: str

    @model_validator(mode="after")
    def _defines_grade(self) -> Self:
        compile(self.code, self.name, "exec")
        if not re.search(r"^(?:def grade\(|grade\s*=|from .+ import .*\bgrade\b)", self.code, re.MULTILINE):
            raise ValueError(say("grader.code_grader_not_define", name=self.name))
        return self


class _Shipped(Model):
    name: str
    benchmarks: tuple[str, ...]
    official: bool = False
    harness_of: Deciding = Deciding()
    packages: tuple[Pinned, ...] = ()
    asks: str = ""
    script: str
    source: str

    def grader(self) -> Grader:
        code = files("probes.scorer").joinpath("inside", self.script).read_text("utf-8")
        return Grader(code=code, **self.model_dump(exclude={"script"}))


@cache
def shipped() -> tuple[Grader, ...]:
    """The graders of `graders.toml`."""
    return tuple(one.grader() for one in load(tuple[_Shipped, ...], __package__, "graders.toml", "grader"))


@cache
def added() -> tuple[tuple[Grader, ...], tuple[str, ...]]:
    """Graders that entry points add, each a `Grader`, and one sentence for each that cannot be used."""
    graders: list[Grader] = []
    problems: list[str] = []
    for point in entry_points(group=GROUP):
        try:
            loaded = point.load()
            fault = "" if isinstance(loaded, Grader) else say("grader.no_probes_scorer")
        except Exception as error:  # noqa: BLE001 - foreign code may raise anything
            fault = f"{type(error).__name__}: {error}".splitlines()[0]
        if fault:
            problems.append(say("grader.added_grader_cannot", name=point.name, value=point.value, fault=fault))
        else:
            graders.append(loaded)
    return tuple(graders), tuple(problems)


def given(case: Case) -> Grader | None:
    """The grader that was given with the task."""
    script = case.task.grader
    if script is None:
        return None
    asks = next((one.asks for one in graders_of(case.benchmark) if one.asks), "")
    return Grader(
        name=script.name,
        benchmarks=(case.benchmark,),
        official=True,
        asks=asks,
        code=script.code,
        source="given with --grader",
    )


def graders_for(case: Case) -> tuple[Grader, ...]:
    """The one that was given with the task, and all known ones of its benchmark."""
    own = given(case)
    return (own, *graders_of(case.benchmark)) if own else graders_of(case.benchmark)


def graders_of(benchmark: str) -> tuple[Grader, ...]:
    """All graders of a benchmark; of two with one name the added one."""
    found = {grader.name: grader for grader in (*shipped(), *added()[0]) if benchmark in grader.benchmarks}
    return tuple(found.values())


def deciding_in(case: Case, run: Run) -> Grader | None:
    """The grader that was given with the task, or else the one that the run's files name."""
    return given(case) or deciding(case.benchmark, run)


def deciding(benchmark: str, run: Run) -> Grader | None:
    """The grader that decided a run, so far as its files say: its harness's, or else its scaffold's.

    Where nobody is known to have a rule of his own for the benchmark, it is the official one.
    """
    graders = graders_of(benchmark)
    scaffold = run.environment.get("scaffold")
    if run.harness:
        found = [grader for grader in graders if grader.harness_of.harness == run.harness]
    else:
        found = [grader for grader in graders if scaffold and grader.harness_of.scaffold == scaffold]
    official = [grader for grader in graders if grader.official and benchmarks.success(benchmark) is None]
    return next(iter((*found, *official)), None)
