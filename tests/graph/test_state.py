"""What is kept of an audit: only types that are read back as they were, and what was damaged is never gone on with."""

import enum
import os
import sqlite3
import typing
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from pydantic import BaseModel

from cases import Block, Case, Outcome, Run, Task
from graph import AuditOptions, StateDamaged, audit
from graph.review import ReviewNeeded
from graph.state import ProbeTask, State
from graph.verdict import Audit
from graph.workflow import compiled
from probes import Answer, ArtifactStore, Settings
from tests.graph.small_probes import Records, Replay
from tests.graph.synthetic import five_missing_modules


async def waiting(folder: Path) -> str:
    """An audit that stops for a review; returns what it said on its way."""
    probes = (Records("transcript", Answer.YES), Records("peers"), Replay(folder / "journal"))
    said: list[str] = []
    with pytest.raises(ReviewNeeded):
        await audit(
            five_missing_modules(1),
            AuditOptions(review=True),
            ArtifactStore(folder / "store"),
            probes=probes,
            checkpoints=folder / "checkpoints.sqlite",
            progress=lambda step: said.append(step.text),
        )
    return "\n".join(said)


def garbage(path: Path) -> None:
    path.write_bytes(b"\0 nothing that a data base begins with" * 200)


def half(path: Path) -> None:
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def foreign(path: Path) -> None:
    path.unlink()
    with sqlite3.connect(path) as other:
        other.execute("CREATE TABLE checkpoints (mine TEXT)")
    other.close()


def blobs(value: bytes) -> Callable[[Path], None]:
    def write(path: Path) -> None:
        with sqlite3.connect(path) as kept:
            kept.execute("UPDATE checkpoints SET checkpoint = ?", (value,))
            kept.execute("UPDATE writes SET value = ?", (value,))
        kept.close()

    return write


def another_type(path: Path) -> None:
    """Every finding is one of a class that nobody registered."""
    with sqlite3.connect(path) as kept:
        for row, data in kept.execute("SELECT rowid, checkpoint FROM checkpoints").fetchall():
            changed = data.replace(b"\xa7Finding", b"\xa7Fundung")
            kept.execute("UPDATE checkpoints SET checkpoint = ? WHERE rowid = ?", (changed, row))
    kept.close()


@pytest.mark.filterwarnings("ignore::ResourceWarning")
@pytest.mark.parametrize(
    "damage",
    [garbage, half, foreign, blobs(b"\xc1"), blobs(b""), blobs(b"\x93\x01\x02\x03"), another_type],
    ids=["garbage", "half", "foreign", "no msgpack", "empty", "no state", "another type"],
)
async def test_what_was_damaged_is_said_to_be_and_never_gone_on_with(
    damage: Callable[[Path], None], tmp_path: Path
) -> None:
    await waiting(tmp_path)
    assert "resuming" in await waiting(tmp_path)
    damage(tmp_path / "checkpoints.sqlite")
    with pytest.raises(StateDamaged):
        await waiting(tmp_path)


async def test_an_audit_goes_on_from_every_moment_at_which_it_may_be_killed(tmp_path: Path) -> None:
    """Also between what a step wrote and the checkpoint that takes it up, when no node is left to begin."""
    kept, store = tmp_path / "checkpoints.sqlite", ArtifactStore(tmp_path / "store")
    probes = (Records("transcript", Answer.YES), Records("peers"), Replay(tmp_path / "journal"))

    async def once() -> Audit:
        return await audit(five_missing_modules(1), AuditOptions(), store, probes=probes, checkpoints=kept)

    whole = await once()
    for lost in range(1, 100):
        with sqlite3.connect(kept) as state:
            ids = [one for (one,) in state.execute("SELECT checkpoint_id FROM checkpoints ORDER BY checkpoint_id DESC")]
            state.executemany("DELETE FROM checkpoints WHERE checkpoint_id = ?", [(one,) for one in ids[:lost]])
            state.executemany("DELETE FROM writes WHERE checkpoint_id = ?", [(one,) for one in ids[:lost]])
        state.close()
        assert (await once()).verdict == whole.verdict, lost
        if lost >= len(ids):
            break
    assert lost > 5


async def test_of_an_audit_by_records_alone_the_end_is_kept_and_gives_the_same_again(tmp_path: Path) -> None:
    kept, end = tmp_path / "checkpoints.sqlite", tmp_path / "end.json"
    case = Case(
        benchmark="synthetic",
        task_id="task",
        task=Task(prompt="Do it."),
        runs=(
            Run(run_id="one", agent="a", outcome=Outcome.FAILED, source="runs.csv"),
            Run(run_id="two", agent="b", outcome=Outcome.PASSED, source="runs.csv"),
        ),
    )

    async def once(*, thorough: bool = False) -> Audit:
        options = AuditOptions(settings=Settings(offline=True, thorough=thorough))
        return await audit(case, options, ArtifactStore(tmp_path / "store"), checkpoints=kept)

    first = await once()
    assert end.stat().st_mode & 0o777 == 0o600
    assert not kept.exists()
    told = end.read_bytes()
    assert await once() == first
    assert end.read_bytes() == told, "nobody was asked again"
    for damage in (lambda: end.write_bytes(told[:-9]), lambda: end.write_bytes(b""), lambda: os.mkfifo(end)):
        end.unlink()
        damage()
        assert (await once()).verdict == first.verdict
        assert end.is_file()
    told = end.read_bytes()
    await once(thorough=True)
    assert end.read_bytes() == told, "where more than records may be asked each step is kept"
    assert kept.exists()


def test_the_state_holds_only_registered_types() -> None:
    known = compiled()._serde_allowlist
    assert known
    held = {kind for of in (State, ProbeTask) for kind in _kinds(of, set())}
    assert len(held) > 20
    assert {(kind.__module__, kind.__name__) for kind in held} <= known


def _kinds(hint: object, seen: set[object]) -> Iterator[type]:
    """Every record and every enumeration that a type can hold, with what is made of it."""
    assert hint is not typing.Any, "what anything may stand in cannot be read back as it was"
    for part in typing.get_args(hint):
        if not isinstance(part, str):
            yield from _kinds(part, seen)
    if not isinstance(hint, type) or hint in seen:
        return
    seen.add(hint)
    if issubclass(hint, BaseModel | enum.Enum):
        yield hint
    for inner in hint.__subclasses__() if issubclass(hint, BaseModel) else ():
        yield from _kinds(inner, seen)
    for inner in typing.get_type_hints(hint).values() if issubclass(hint, BaseModel | dict) else ():
        yield from _kinds(inner, seen)


@pytest.mark.parametrize("depth", [1, 32, 33, 900, 5000])
def test_arguments_nested_without_end_are_written_and_read_back_and_nothing_of_them_is_lost(depth: int) -> None:
    nested: object = "the innermost"
    for _ in range(depth):
        nested = [nested]
    block = Block(index=0, role="assistant", kind="call", text="x", arguments={"a": nested})
    again = Block.model_validate_json(block.model_dump_json())
    assert again == block == Block.model_validate(block.model_dump())
    assert ("the innermost" in block.model_dump_json()) is (depth < 1000)
