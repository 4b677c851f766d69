"""A conversation cut into the windows that the calls of a model were given comes back whole."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cases import Transcript
from cases.library import Inputs, Library
from tests.cases.case_files import Message, call, cumulative, hal, said

TEXTS = st.sampled_from(["", "go", "ok", "same page", "[image]", "long " * 60])
TURN = st.tuples(st.lists(TEXTS, min_size=1, max_size=3), TEXTS)
CONVERSATION = st.lists(TURN, min_size=1, max_size=12)
HEAD: list[Message] = [said("system", "You are a synthetic agent. " * 12), said("user", "The task.")]


def conversation(turns: list[tuple[list[str], str]]) -> list[Message]:
    return [
        message
        for asked, answered in turns
        for message in [*(said("user", text) for text in asked), said("assistant", answered)]
    ]


def transcript(log: Any, tmp_path: Path) -> Transcript:
    library = Library.open(Inputs(runs=(hal(tmp_path / "run.json", log),)))
    found = library.case(library.resolve("task-1")).runs[0].transcript
    assert found is not None
    return found


def spoken(found: Transcript) -> list[tuple[str, str]]:
    return [(block.role, block.text) for block in found.blocks]


def expected(messages: list[Message]) -> list[tuple[str, str]]:
    return [(message["role"], message["content"]) for message in messages]


@settings(max_examples=150, deadline=None)
@given(CONVERSATION)
def test_cumulative_windows_give_the_conversation(tmp_path_factory: pytest.TempPathFactory, turns: Any) -> None:
    talk = HEAD + conversation(turns)
    found = transcript(cumulative(talk), tmp_path_factory.mktemp("log"))
    assert spoken(found) == expected(talk)


@settings(max_examples=150, deadline=None)
@given(CONVERSATION, st.integers(4, 7), st.booleans())
def test_rolling_windows_give_the_conversation(
    tmp_path_factory: pytest.TempPathFactory, turns: Any, size: int, headed: bool
) -> None:
    """Windows of one length hold at least the previous answer and what followed it, with a fixed head or without."""
    talk = conversation(turns)
    head = HEAD if headed else []
    log = [
        call([*head, *talk[max(0, at - size) : at]], message, minute=at)
        for at, message in enumerate(talk)
        if message["role"] == "assistant"
    ]
    assert spoken(transcript(log, tmp_path_factory.mktemp("log"))) == expected([*head, *talk])


@settings(max_examples=150, deadline=None)
@given(st.lists(st.tuples(TEXTS, st.sampled_from(["click", "scroll", "type"]), TEXTS), min_size=1, max_size=10))
def test_a_browser_agent_that_drops_old_page_states_keeps_them_all(
    tmp_path_factory: pytest.TempPathFactory, steps: Any
) -> None:
    """Each window holds the head, all actions and results so far, and the latest state only."""
    log, history, everything = [], [], list(HEAD)
    for at, (page, action, result) in enumerate(steps):
        state = said("user", f"Current url: {page}")
        answer = said("assistant", action)
        log.append(call([*HEAD, *history, state], answer, minute=at))
        outcome = said("user", f"Action result {at}: {result}")
        everything += [*([said("user", f"Action result {at - 1}: {steps[at - 1][2]}")] if at else []), state, answer]
        history += [answer, outcome]
    assert spoken(transcript(log, tmp_path_factory.mktemp("log"))) == expected(everything)


@settings(max_examples=100, deadline=None)
@given(CONVERSATION, st.randoms(use_true_random=False))
def test_the_order_in_the_file_does_not_matter(
    tmp_path_factory: pytest.TempPathFactory, turns: Any, random: Any
) -> None:
    talk = HEAD + conversation(turns)
    log = cumulative(talk)
    random.shuffle(log)
    assert spoken(transcript(log, tmp_path_factory.mktemp("log"))) == expected(talk)


def test_a_page_that_is_shown_again_unchanged_is_a_second_block(tmp_path: Path) -> None:
    state = said("user", "Current url: https://shop.invalid/")
    log = [call([*HEAD, state], said("assistant", f"scroll {n}"), minute=n) for n in range(3)]
    found = spoken(transcript(log, tmp_path))
    assert found.count(("user", "Current url: https://shop.invalid/")) == 3
    assert [text for role, text in found if role == "assistant"] == ["scroll 0", "scroll 1", "scroll 2"]


def test_a_call_repeated_after_the_providers_error_is_shown_once_with_the_error(tmp_path: Path) -> None:
    log = [
        call(HEAD, None, minute=1, exception="RateLimitError: slow down"),
        call(HEAD, said("assistant", "Done."), minute=2),
    ]
    found = spoken(transcript(log, tmp_path))
    assert found == [*expected(HEAD), ("harness", "RateLimitError: slow down"), ("assistant", "Done.")]


def test_a_planning_call_in_between_does_not_repeat_the_conversation(tmp_path: Path) -> None:
    first, action, result = HEAD[0], said("assistant", "Code: look()"), said("user", "Observation: a room")
    plan, post = said("assistant", "The plan."), said("user", "Now plan.")
    log = [
        call([*HEAD], action, minute=1),
        call([said("system", "You plan."), HEAD[1], action, result, post], plan, minute=2),
        call([*HEAD, action, result, plan, said("user", "Proceed.")], said("assistant", "Code: go()"), minute=3),
    ]
    texts = [text for _, text in spoken(transcript(log, tmp_path))]
    assert sorted(texts) == sorted(
        [
            first["content"],
            "The task.",
            "Code: look()",
            "You plan.",
            "Observation: a room",
            "Now plan.",
            "The plan.",
            "Proceed.",
            "Code: go()",
        ]
    )


def test_an_answer_that_the_harness_completes_is_one_block(tmp_path: Path) -> None:
    """Scaffolds append the stop sequence and the list of tools to what the model said."""
    answer = "Thought: look.\n\nCode:\n```py\nlook()\n```"
    full = answer + "<end_code>\nCalling tools:\n[{'id': 'call_1'}]"
    log = [
        call(HEAD, said("assistant", answer), minute=1),
        call([*HEAD, said("assistant", full), said("user", "Observation: x")], said("assistant", "Bye."), minute=2),
    ]
    assert [text for _, text in spoken(transcript(log, tmp_path))][2:] == [full, "Observation: x", "Bye."]


def test_tool_calls_and_results_are_blocks_with_their_ids(tmp_path: Path) -> None:
    calls = [
        {"id": f"c{n}", "type": "function", "function": {"name": "bash", "arguments": json.dumps({"command": "ls"})}}
        for n in (1, 2)
    ]
    asked = said("assistant", None, tool_calls=calls)
    results = [{"role": "tool", "tool_call_id": f"c{n}", "content": "a b"} for n in (1, 2)]
    log = cumulative([*HEAD, asked, *results, said("assistant", "Two equal results.")])
    blocks = transcript(log, tmp_path).blocks
    assert [(b.kind, b.tool, b.call_id) for b in blocks[2:6]] == [
        ("call", "bash", "c1"),
        ("call", "bash", "c2"),
        ("result", "bash", "c1"),
        ("result", "bash", "c2"),
    ]
    assert blocks[2].arguments == {"command": "ls"}
    assert blocks[2].text == 'bash({"command": "ls"})'


def test_langchain_messages_are_read_and_match_the_plain_answer(tmp_path: Path) -> None:
    def lc(name: str, **kwargs: Any) -> dict[str, Any]:
        return {"lc": 1, "type": "constructor", "id": ["langchain", "schema", name], "kwargs": kwargs}

    answer = said("assistant", "", tool_calls=[{"id": "c1", "function": {"name": "go", "arguments": '{"to": "a"}'}}])
    again = lc("AIMessage", content="", tool_calls=[{"name": "go", "args": {"to": "a"}, "id": "c1"}])
    start = [
        lc("SystemMessage", content="You browse. " * 30),
        lc("HumanMessage", content=[{"type": "text", "text": "T"}]),
    ]
    log = [
        call(start, answer, minute=1),
        call([*start, again, lc("ToolMessage", content="there", tool_call_id="c1")], said("assistant", "ok"), minute=2),
    ]
    blocks = transcript(log, tmp_path).blocks
    assert [(b.role, b.kind) for b in blocks] == [
        ("system", "message"),
        ("user", "message"),
        ("assistant", "call"),
        ("tool", "result"),
        ("assistant", "message"),
    ]


def test_parts_that_are_not_text_stay_as_notes(tmp_path: Path) -> None:
    shot = {"type": "image_url", "image_url": {"url": "data:image/png;base64,AAAA"}}
    log = cumulative([*HEAD, said("user", [{"type": "text", "text": "Look:"}, shot]), said("assistant", "I see.")])
    assert spoken(transcript(log, tmp_path))[2] == ("user", "Look:\n[image]")


def test_two_screenshots_under_the_same_text_are_two_blocks(tmp_path: Path) -> None:
    def state(data: str) -> Message:
        return said("user", [{"type": "image_url", "image_url": {"url": data}}])

    log = [call([*HEAD, state(f"data:{n}")], said("assistant", f"step {n}"), minute=n) for n in range(2)]
    assert spoken(transcript(log, tmp_path)).count(("user", "[image]")) == 2


class TestWhatIsLeftOut:
    """Only what is no part of the conversation, and the notes say so."""

    def test_a_warm_up_call(self, tmp_path: Path) -> None:
        probe = call([said("user", "What is the capital of France?")], said("assistant", "Paris"), minute=0)
        talk = [*HEAD, said("assistant", "a"), said("user", "b"), said("assistant", "c")]
        found = transcript([probe, *cumulative(talk)], tmp_path)
        assert spoken(found) == expected(talk)
        assert any("capital of France" in note for note in found.notes)

    def test_a_call_that_names_no_task(self, tmp_path: Path) -> None:
        stray = call([said("user", "Something else entirely")], said("assistant", "Yes"), task=None, minute=30)
        talk = [*HEAD, said("assistant", "a")]
        found = transcript([*cumulative(talk), stray], tmp_path)
        assert spoken(found) == expected(talk)
        assert any("name no task" in note for note in found.notes)

    def test_operations_that_are_no_model_calls(self, tmp_path: Path) -> None:
        other = call([], None, minute=9) | {"op_name": "Agent.run", "inputs": {"self": "x"}, "output": "y"}
        found = transcript([*cumulative([*HEAD, said("assistant", "a")]), other], tmp_path)
        assert len(found.blocks) == 3
        assert any("Agent.run (1)" in note for note in found.notes)

    def test_a_call_that_a_wrapping_library_logged_as_well(self, tmp_path: Path) -> None:
        answer = said("assistant", "a")
        outer = call(HEAD, answer, minute=1, id="outer", op_name="litellm.completion")
        inner = call(HEAD, answer, minute=1, id="inner", parent_id="outer")
        found = transcript([outer, inner], tmp_path)
        assert spoken(found) == expected([*HEAD, answer])
        assert any("twice" in note for note in found.notes)

    def test_a_short_first_question_that_the_conversation_repeats_is_kept(self, tmp_path: Path) -> None:
        talk = [said("user", "Hi"), said("assistant", "Hello"), said("user", "Go on"), said("assistant", "Done")]
        assert spoken(transcript(cumulative(talk), tmp_path)) == expected(talk)
