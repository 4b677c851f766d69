"""The options of an audit in Python: those of `verify audit --help`, by the same names."""

from collections.abc import Iterable, Iterator
from os import PathLike
from typing import Literal, TypedDict

Place = str | PathLike[str]
Places = Place | Iterable[Place]


class Options(TypedDict, total=False):
    """What may be given besides a task's id; what is left out comes from `verify.toml` or `VERIFY_…`, as ever."""

    run: Places
    """Transcripts: files, folders or globs."""
    claims: Places
    """Earlier verdicts."""
    outcomes: Places
    """Who passed what."""
    tasks: Place
    """The data set, or a folder of tasks."""
    grader: Place
    oracle: Place
    workspace: Place
    """The task's own files."""
    benchmark: str
    rubric: Literal["auto", "assistantbench", "environmental_barrier"]
    profile: Place
    network: Literal["none", "indexes", "task", "open"]
    out: Place
    """Where packs go."""
    key: Place
    """Signs them."""
    public: bool
    offline: bool
    thorough: bool
    trust_pickle: bool
    model: str
    max_calls: int
    max_cost: float
    second_reader: bool
    vantage: str
    """A proxy; handed over in the environment, since it may hold a password."""
    resolve: str | Iterable[str]
    control: str | Iterable[str]
    lab_ca: Place


_SECRET = ("vantage",)


def arguments(options: Options) -> Iterator[str]:
    """The options as the command line takes them.

    Raises:
        TypeError: there is no such option, or a switch that is neither true nor false.
    """
    for name, value in options.items():
        if name not in Options.__annotations__:
            raise TypeError(f"no option {name!r}; there are {', '.join(Options.__annotations__)}")
        flag = f"--{name.replace('_', '-')}"
        if value is None or name in _SECRET:
            continue
        if isinstance(value, bool):
            yield flag if value else f"--no-{flag[2:]}"
            continue
        several = [value] if isinstance(value, str | PathLike | int | float) else list(_iterable(value))
        yield from (f"{flag}={one}" for one in several)


def variables(options: Options) -> dict[str, str]:
    """What no other user of this machine may read in a list of processes."""
    return {f"VERIFY_{name.upper()}": str(options[name]) for name in _SECRET if name in options}  # type: ignore[literal-required]


def _iterable(value: object) -> Iterable[object]:
    if not isinstance(value, Iterable):
        raise TypeError(f"{value!r} is no value of an option")
    return value
