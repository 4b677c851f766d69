"""Synthetic runs, written for the tests, and what is seen of their machines."""

from typing import Literal

from cases import Block, Case, CommandRun, Events, Outcome, Run, Task, Transcript
from probes import Envelope
from probes.envelope import FIELDS, envelope_for, load_profile

Kind = Literal["shell", "python"]


def case_of(*commands: tuple[str, str], prompt: str = "Do it.", outcome: Outcome = Outcome.FAILED) -> Case:
    """A synthetic case with one run: a prompt, then a call and a result block for each command."""
    blocks = [Block(index=0, role="system", kind="message", text=prompt)]
    for command, output in commands:
        blocks.append(Block(index=len(blocks), role="assistant", kind="call", text=command, tool="execute_bash"))
        blocks.append(Block(index=len(blocks), role="tool", kind="result", text=f"Observation:\n{output}"))
    run = Run(run_id="r1", outcome=outcome, transcript=Transcript(blocks=tuple(blocks)), source="synthetic")
    return Case(benchmark="x", task_id="t", task=Task(), runs=(run,))


def events_of(case: Case, kind: Kind = "shell") -> dict[str, Events]:
    """The commands of `case_of`."""
    transcript = case.runs[0].transcript
    assert transcript
    calls = [block for block in transcript.blocks if block.kind == "call"]
    commands = tuple(
        CommandRun(
            kind=kind,
            command=block.text,
            tool="execute_bash",
            output=transcript.blocks[block.index + 1].text.removeprefix("Observation:\n"),
            exit_code=None,
            blocks=(block.index, block.index + 1),
        )
        for block in calls
    )
    return {"r1": Events(commands=commands)}


def observed(
    *commands: tuple[str, str], prompt: str = "Do it.", profile: str = "assumed", kind: Kind = "shell"
) -> Envelope:
    """The envelope of a run of these commands; every citation in it is verbatim."""
    case = case_of(*commands, prompt=prompt)
    envelope = envelope_for(case, events_of(case, kind), load_profile(profile, "x"))
    for name in type(envelope).model_fields:
        value = getattr(envelope, name)
        if name in FIELDS and value.origin == "observed":
            assert case.cites(value.citation), name
    return envelope
