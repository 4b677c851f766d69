"""The suggester: for a barrier whose replay settled nothing, what to try next; only what really works will count."""

from collections.abc import Sequence
from functools import cache
from importlib.resources import files

from cases import Model
from graph.aggregate import settle
from graph.llm.client import Client, UnansweredError
from graph.llm.prompt_guard import fenced, shown
from graph.llm.transport import Message
from graph.planner import Step
from graph.verdict import Status
from probes import Answer, Envelope, Finding, Ground, Hypothesis, Question


class SuggestedRoute(Model):
    """Commands that together may pass the barrier."""

    commands: list[str]


class Routes(Model):
    """Routes to try, the likeliest first."""

    routes: list[SuggestedRoute]


def unsettled(hypotheses: Sequence[Hypothesis], findings: Sequence[Finding]) -> Step | None:
    """The first hypothesis that a probe on a machine could neither pass nor find impassable, with that probe."""
    opened = {
        one.hypothesis: one.probe
        for one in findings
        if one.ground is Ground.MACHINE and one.question is Question.PASSABLE and one.valid_answer is Answer.UNKNOWN
    }
    still = (one for one in hypotheses if one.id in opened and settle(one, findings).status is Status.INCONCLUSIVE)
    return next((Step(one.id, opened[one.id]) for one in still), None)


async def suggest(
    hypothesis: Hypothesis, findings: Sequence[Finding], envelope: Envelope, client: Client
) -> list[list[str]]:
    """Commands by route, as the model says them; empty when it was of no help."""
    mine = [one for one in findings if one.hypothesis == hypothesis.id]
    tried = [f"- {route.id} ({route.result}) {'; '.join(route.commands)}" for one in mine for route in one.routes]
    values = ("user", "sudo", "network", "shell", "python", "image")
    machine = [f"- {name}: {getattr(envelope, name).value}" for name in values]
    told = (
        shown("barrier", "\n".join((hypothesis.statement, *hypothesis.targets.commands)), client.masked),
        shown("machine", "\n".join(machine), client.masked),
        shown("findings", "\n".join(one.summary for one in mine) or "none", client.masked),
        shown("routes so far", "\n".join(tried) or "none", client.masked),
    )
    prompt = (
        Message(role="system", text=_instructions()),
        Message(role="user", text=f"{fenced(told)}\n\nWhat could be tried next?"),
    )
    try:
        answer = await client.ask("suggest routes", prompt, Routes)
    except UnansweredError:
        return []
    return [route.commands for route in answer.routes]


@cache
def _instructions() -> str:
    return files("graph.llm").joinpath("suggester.md").read_text("utf-8")
