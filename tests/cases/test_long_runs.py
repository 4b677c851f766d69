"""Two hundred thousand messages are read in seconds, and twice as many calls take twice as long."""

import json
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from cases import Block, Transcript
from cases.events import events_of
from cases.library import Inputs, Library


def seconds(work: Callable[[], object]) -> float:
    """Of this process: what else the machine does is not counted."""
    begun = time.process_time()
    work()
    return time.process_time() - begun


def calls(count: int) -> Transcript:
    """A run in which every other command failed, each another one."""
    blocks = []
    for number in range(count):
        command, output = f"cat /data/{number}.csv", f"cat: /data/{number}.csv: No such file or directory"
        call = {"role": "assistant", "kind": "call", "text": f"bash({command})", "arguments": {"command": command}}
        blocks.append(Block.model_validate({"index": 2 * number, "tool": "bash", **call}))
        text = output if number % 2 else "a,b\n1,2"
        blocks.append(Block(index=2 * number + 1, role="tool", kind="result", text=text, tool="bash"))
    return Transcript(blocks=tuple(blocks))


@pytest.mark.exhaustive
def test_events_of_a_run_take_no_more_than_their_number() -> None:
    short, long = calls(3_000), calls(12_000)
    events_of(calls(10))
    assert min(seconds(lambda: events_of(long)) for _ in range(3)) < 10 * seconds(lambda: events_of(short))


@pytest.mark.exhaustive
def test_two_hundred_thousand_messages_are_read_in_seconds(tmp_path: Path) -> None:
    said = [
        {"role": ("user", "assistant")[number % 2], "content": f"message {number} of many"} for number in range(200_000)
    ]
    path = tmp_path / "run.json"
    path.write_text(json.dumps({"task_id": "many", "messages": said}), encoding="utf-8")

    def read() -> None:
        library = Library.open(Inputs(runs=(path,)))
        [run] = library.case(library.tasks()[0]).runs
        assert run.transcript
        assert len(run.transcript.blocks) == 100_000
        assert not run.transcript.complete
        assert "100,000 entries or more" in " ".join(run.transcript.notes)
        events_of(run.transcript)

    assert seconds(read) < 40
