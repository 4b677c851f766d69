"""Synthetic failed runs for the detectors, built step by step."""

from typing import Any

from cases import Block, Case, Outcome, Run, Task, Transcript
from cases.events import events_of
from probes import Exclusion
from probes.agent_errors import exclusions_of


class Told:
    """A run that grows with every call."""

    def __init__(self, prompt: str = "How many visitors came to the harbour museum?", gold: str | None = None) -> None:
        self.blocks: list[Block] = []
        self.task = Task(prompt=prompt, gold=gold)
        self._add("user", "message", prompt)

    def _add(self, role: str, kind: Any, text: str, **more: Any) -> "Told":
        self.blocks.append(Block(index=len(self.blocks), role=role, kind=kind, text=text, **more))
        return self

    def says(self, text: str) -> "Told":
        return self._add("assistant", "message", text)

    def calls(self, tool: str, result: str, exit_code: int | None = None, **arguments: Any) -> "Told":
        name = f"c{len(self.blocks)}"
        self._add("assistant", "call", f"{tool}({arguments})", tool=tool, arguments=arguments, call_id=name)
        return self._add("tool", "result", result, tool=tool, call_id=name, exit_code=exit_code)

    def shell(self, command: str, output: str, exit_code: int = 0) -> "Told":
        return self.calls("bash", output, exit_code, command=command)

    def python(self, code: str, output: str, exit_code: int | None = None) -> "Told":
        return self.calls("python", output, exit_code, code=code)

    def opens(self, url: str, text: str) -> "Told":
        return self.calls("visit_webpage", text, url=url)

    def harness(self, text: str) -> "Told":
        return self._add("harness", "result", text)

    def case(self, *, complete: bool = True, gold_urls: tuple[str, ...] = (), **run: Any) -> Case:
        transcript = Transcript(blocks=tuple(self.blocks), complete=complete)
        made = Run(run_id="r1", transcript=transcript, source="synthetic", **{"outcome": Outcome.FAILED, **run})
        task = self.task.model_copy(update={"gold_urls": gold_urls})
        return Case(benchmark="assistantbench", task_id="t", task=task, runs=(made,))


def found(case: Case) -> dict[str, Exclusion]:
    """What the detectors find, by pattern."""
    transcript = case.runs[0].transcript
    assert transcript is not None
    return {item.pattern: item for item in exclusions_of(case, {"r1": events_of(transcript)})}
