"""A failed run that a test tells step by step, and what a probe is given with it."""

from pathlib import Path

from cases import Block, Case, Citation, CommandRun, Events, FileWrite, Outcome, Run, Task, Transcript
from probes import ArtifactStore, Barrier, Envelope, Hypothesis, ProbeContext, Settings, Targets, Value
from probes.agent_errors import exclusions_of


def value(content, origin="assumed"):
    return Value(value=content, origin=origin)


ENVELOPE = Envelope(
    profile="synthetic",
    image=value("none"),
    user=value("agent"),
    sudo=value(False),
    network=value("none"),
    tools=value(("execute_bash",), "observed"),
    shell=value(True, "observed"),
    allowed_imports=value(("math",)),
    python=value("3.12"),
    workdir=value("/home/agent"),
    memory_mb=value(1024),
    seconds=value(60),
    solve_captcha=value(False),
)


class Record:
    """A synthetic failed run, built step by step."""

    def __init__(self) -> None:
        self.blocks: list[Block] = []
        self.commands: list[CommandRun] = []
        self.writes: list[FileWrite] = []

    def said(self, text: str, role: str = "assistant") -> int:
        kind = "result" if role == "tool" else "message"
        self.blocks.append(Block(index=len(self.blocks), role=role, kind=kind, text=text))
        return len(self.blocks) - 1

    def ran(self, command: str, output: str, exit_code: int | None, kind: str = "shell") -> int:
        blocks = (self.said(command), self.said(output, "tool"))
        self.commands.append(
            CommandRun(
                kind=kind, command=command, tool="execute_bash", output=output, exit_code=exit_code, blocks=blocks
            )
        )
        return len(self.commands) - 1

    def case(self, complete: bool = True, answer: str | None = None, **more) -> Case:
        run = Run(
            run_id="r1",
            outcome=Outcome.FAILED,
            answer=answer,
            transcript=Transcript(blocks=tuple(self.blocks), complete=complete),
            source="synthetic",
        )
        return Case(benchmark="b", task_id="t", task=more.pop("task", Task()), runs=(run,), **more)

    def hypothesis(self, barrier: Barrier, event: int | None = 0, quote: str | None = None, **targets) -> Hypothesis:
        citations = ()
        if event is not None:
            block = self.commands[event].blocks[1]
            text = quote or self.blocks[block].text
            citations = (Citation(run_id="r1", block=block, start=0, end=len(text), quote=text),)
        return Hypothesis(
            id="h1",
            rubric="environmental_barrier",
            category="c",
            barrier=barrier,
            statement="s",
            targets=Targets(**targets),
            citations=citations,
            proposer="rules",
            run_id="r1",
            event=event,
        )


def context_of(record: Record, case: Case, folder: Path) -> ProbeContext:
    """What a probe is given with `record`, of which `case` was made; `folder` takes its artifacts."""
    events = {"r1": Events(commands=tuple(record.commands), writes=tuple(record.writes))}
    return ProbeContext(
        case=case,
        envelope=ENVELOPE,
        store=ArtifactStore(folder),
        settings=Settings(),
        events=events,
        exclusions=exclusions_of(case, events),
    )
