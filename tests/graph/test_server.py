"""The workflow as the LangGraph server runs it: plain JSON goes in, and a verdict comes out."""

import json
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from langchain_core.callbacks import BaseCallbackHandler
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import START, StateGraph
from langgraph.types import Command
from typing_extensions import TypedDict

from cases import InputError
from cases.library import Library
from graph import build
from graph.context import AuditOptions
from graph.server import Request, graph, requested
from graph.verdict import Status, Verdict
from tests.cases import samples
from tests.graph.small_probes import REAL

OFFLINE = {"settings": {"offline": True}}


def request_for(folder) -> Request:
    """A synthetic task that one run failed and another passed."""
    path = folder / "outcomes.csv"
    path.write_text(
        "benchmark,task_id,scaffold,model,date,correct,run_id\n"
        "corebench_hard,capsule-0000001,S,m,2026-01-01,0,r1\n"
        "corebench_hard,capsule-0000001,S,m,2026-01-02,1,r2\n"
    )
    return {"task_id": "capsule-0000001", "outcomes": [str(path)], "store": str(folder / "store")}


@contextmanager
def counted(monkeypatch) -> Iterator[list[object]]:
    opened: list[object] = []
    real = Library.open

    def count(*arguments: object) -> Library:
        opened.append(arguments)
        return real(*arguments)

    monkeypatch.setattr(Library, "open", count)
    yield opened


async def test_a_request_and_options_as_json_end_with_a_verdict_and_open_the_library_once(tmp_path, monkeypatch):
    sent = json.loads(json.dumps({"input": request_for(tmp_path), "context": OFFLINE}))
    with counted(monkeypatch) as opened:
        state = await graph.ainvoke(sent["input"], context=sent["context"])
    assert state["verdict"].status is Status.NOT_SUPPORTED
    assert {finding.probe for finding in state["findings"]} == {"peers"}
    assert len(opened) == 1


async def test_options_may_be_left_out_and_progress_is_streamed(tmp_path):
    stream = graph.astream(request_for(tmp_path), context={}, stream_mode=["custom", "values"])
    parts = [part async for part in stream]
    assert any(kind == "custom" and (told.probe, told.state) == ("peers", "finished") for kind, told in parts)
    assert parts[-1][1]["verdict"].status is Status.NOT_SUPPORTED


async def test_a_person_may_be_asked_through_the_server_too(tmp_path):
    served, config = build().compile(checkpointer=InMemorySaver()), {"configurable": {"thread_id": "1"}}
    waiting = await served.ainvoke(request_for(tmp_path), config, context={"review": True})
    assert "verdict" not in waiting
    (asked,) = waiting["__interrupt__"]
    assert asked.value["answers"] == ("accept", "reject")
    said = {"decision": "reject", "reason": "r2 had another task.", "reviewer": "Ada", "at": "2026-02-01T00:00:00Z"}
    state = await served.ainvoke(Command(resume=said), config, context={"review": True})
    assert state["verdict"].status is Status.INCONCLUSIVE
    assert "Ada said no" in state["verdict"].reason


@pytest.mark.exhaustive
async def test_what_the_server_sends_back_holds_no_secrets(tmp_path):
    told = "Exit Code: 1\nStdout:\nSERVICE_TOKEN=b7Kq3vXz91LmPd05RtYw\nStderr:\nmake: zither: No such file or directory"
    call = {"name": "execute_bash", "arguments": '{"command": "curl -u bob:q8Lr4wYa02MnQe16SuZx https://a.test; make"}'}
    messages = [
        {"role": "user", "content": "Build it."},
        {"role": "assistant", "content": "", "tool_calls": [{"id": "c", "type": "function", "function": call}]},
        {"role": "tool", "tool_call_id": "c", "content": told},
        {"role": "assistant", "content": "I was unable to with b7Kq3vXz91LmPd05RtYw."},
    ]
    (tmp_path / "run.json").write_text(json.dumps({"messages": messages, "task_id": "t1"}))
    request = {"task_id": "t1", "runs": [str(tmp_path / "run.json")], "store": str(tmp_path / "store")}
    stream = graph.astream(request, context=OFFLINE, stream_mode=["custom", "values"])
    sent = str([part async for part in stream])
    assert "zither" in sent
    assert "b7Kq3vXz91LmPd05RtYw" not in sent
    assert "q8Lr4wYa02MnQe16SuZx" not in sent


class Traced(BaseCallbackHandler):
    """What any tracer is told."""

    def __init__(self):
        self.nodes = []

    def on_chain_start(self, serialized, inputs, *, metadata=None, **_):
        self.nodes.append((metadata or {}).get("langgraph_node"))


class Report(TypedDict):
    """The state of a graph of somebody else's."""

    task_id: str
    outcomes: list[str]
    store: str
    verdict: Verdict
    advice: str


async def test_it_is_a_block_of_others_graphs_and_their_tracer_sees_every_step(tmp_path):
    def advise(state: Report):
        return {"advice": "leave the score" if state["verdict"].score == 0 else "look at the task"}

    whole = StateGraph(Report, context_schema=AuditOptions)
    whole.add_node("settle", build().compile())
    whole.add_node("advise", advise)
    whole.add_edge(START, "settle")
    whole.add_edge("settle", "advise")
    tracer = Traced()
    state = await whole.compile().ainvoke(request_for(tmp_path), {"callbacks": [tracer]}, context=OFFLINE)
    assert state["advice"] == "leave the score"
    assert {"settle", "audit", "classifier", "planner", "peers", "judge", "advise"} <= set(tracer.nodes)


def test_the_server_can_say_what_it_takes():
    asked, options = graph.get_input_jsonschema(), graph.get_context_jsonschema()
    assert asked["required"] == ["task_id"]
    assert {"runs", "tasks", "outcomes"} <= set(asked["properties"])
    assert {"profile", "review", "settings"} <= set(options["properties"])
    assert "verdict" in graph.get_output_jsonschema()["properties"]


def test_the_server_can_look_into_the_workflow():
    ((name, inside),) = graph.get_subgraphs()
    assert name == "audit"
    assert set(inside.get_graph().nodes) >= {"classifier", "planner", "judge", *REAL}


async def test_a_request_without_a_task_says_what_to_send():
    with pytest.raises(InputError, match="task_id"):
        await graph.ainvoke({"runs": []})


async def test_a_request_may_name_tasks_and_trust_pickles(tmp_path):
    summary = samples.agentlab(tmp_path / "2025_agent_on_webarena.12_3")
    tasks = samples.lines(tmp_path / "tasks.jsonl", [{"id": "webarena.12", "task": "Buy it.", "answer": "done"}])
    request = Request(
        task_id="webarena.12",
        runs=[str(summary)],
        tasks=str(tasks),
        benchmark="webarena",
        store=str(tmp_path / "store"),
    )
    for trusted, blocks in ((False, None), (True, 6)):
        async with requested({**request, "trust_pickle": trusted}, AuditOptions.model_validate(OFFLINE)) as context:
            (run,) = context.probe.case.runs
            assert (len(run.transcript.blocks) if run.transcript else None) == blocks
            assert (context.probe.case.benchmark, context.probe.case.task.gold) == ("webarena", "done")
            assert context.probe.settings.offline
