"""The client against a real server: what is asked, what is believed, what is remembered, what it may cost."""

import json
import re
import threading
from typing import Literal

import pytest

from cases import CredentialsError, InputError, Model
from cases.masking import Mask
from graph.llm import ModelOptions, Price
from graph.llm.cache import Memory, digest
from graph.llm.client import UnansweredError, estimate
from graph.llm.prices import check_price, cost_of, price_of
from graph.llm.transport import Message, key_from
from tests.graph.llm.conversing import KEY, case_of, client_of
from tests.lab.model import ModelServer, Reply


class Colour(Model):
    """A colour."""

    colour: Literal["red", "blue"]
    why: str


GOOD = {"colour": "red", "why": "it is"}
PROMPT = (Message(role="system", text="You answer in JSON."), Message(role="user", text="Which colour?"))
SIZE = estimate(PROMPT, Colour)
"""Tokens that a question is taken to have where nobody counts them."""


def always(reply):
    return lambda asked: reply


def in_turn(*replies):
    return lambda asked: replies[min(asked.number, len(replies)) - 1]


async def asked(server, memory=None, **settings):
    async with client_of(server, memory, **settings) as client:
        try:
            return (await client.ask("choose", PROMPT, Colour)), client.assistance
        except UnansweredError as error:
            return str(error), client.assistance


@pytest.mark.parametrize("method", ["json_schema", "function_calling", "json_mode"])
async def test_each_method_gives_the_same_reply_and_is_found_once_per_server(tmp_path, method):
    with ModelServer(always(Reply.of(GOOD)), methods=(method,)) as server:
        reply, spent = await asked(server, tmp_path)
        assert reply == Colour(**GOOD)
        assert (spent.calls, spent.failures) == (1, ())
        first = server.calls
        async with client_of(server, tmp_path) as client:
            await client.ask("choose", (*PROMPT, Message(role="user", text="Once more")), Colour)
    assert server.calls == first + 1
    assert server.asked[-1].method == method


async def test_a_server_that_ignores_a_method_is_asked_by_the_next(tmp_path):
    with ModelServer(always(Reply.of(GOOD)), methods=("json_mode",), deaf=True) as server:
        reply, spent = await asked(server, tmp_path, calls=3)
    assert reply == Colour(**GOOD)
    assert spent.calls == 3
    assert Memory(tmp_path).method(digest([server.url, "lab"])) == "json_mode"


@pytest.mark.parametrize(
    ("understood", "deaf"), [("function_calling", False), ("json_mode", False), ("json_mode", True)]
)
async def test_a_method_that_a_server_no_longer_understands_is_replaced_and_the_new_one_remembered(
    understood, deaf, tmp_path
):
    with ModelServer(always(Reply.of(GOOD)), methods=(understood,), deaf=deaf) as server:
        name = digest([server.url, "lab"])
        Memory(tmp_path).learn(name, "json_schema")
        reply, spent = await asked(server, tmp_path, calls=3)
        first = server.calls
        async with client_of(server, tmp_path) as client:
            await client.ask("choose", (*PROMPT, Message(role="user", text="Once more")), Colour)
    assert reply == Colour(**GOOD)
    assert spent.calls == (3 if deaf else 1)
    assert Memory(tmp_path).method(name) == understood
    assert server.calls == first + 1


async def test_refusals_for_now_are_retried_and_count_as_one_call():
    with ModelServer(in_turn(Reply(status=429), Reply(status=500), Reply.of(GOOD))) as server:
        reply, spent = await asked(server)
    assert reply == Colour(**GOOD)
    assert (server.calls, spent.calls) == (3, 1)
    with ModelServer(always(Reply.of(GOOD))) as server:
        _, alone = await asked(server)
    assert spent.tokens_read == alone.tokens_read + SIZE, "the 500 may have been read, the 429 was not"
    assert spent.tokens_written == alone.tokens_written


async def test_what_was_never_read_costs_nothing_and_what_may_have_been_counts_each_time():
    with ModelServer(always(Reply(status=429))) as server:
        _, spent = await asked(server, retries=2, price=Price(1, 1))
    assert (server.calls, spent.calls, spent.tokens_read, spent.cost) == (3, 1, 0, 0)
    with ModelServer(always(Reply(status=500))) as server:
        _, spent = await asked(server, retries=2, price=Price(1, 1))
    assert (server.calls, spent.calls, spent.tokens_read, spent.tokens_written) == (3, 1, 3 * SIZE, 0)
    release = threading.Event()
    with ModelServer(always(Reply("{}", wait=release))) as server:
        _, spent = await asked(server, seconds=1, retries=1, answer=100, price=Price(1, 1))
        release.set()
    assert (spent.calls, spent.tokens_read, spent.tokens_written) == (1, 2 * SIZE, 200)


@pytest.mark.parametrize(("ceiling", "sent"), [(0.5, 0), (1.5, 1), (2.5, 2), (9, 3)])
async def test_a_question_is_repeated_only_as_often_as_its_worst_case_stays_below_the_ceilings(ceiling, sent):
    worst = SIZE + 1_000
    for limits in ({"cost": ceiling * worst / 1e6, "price": Price(1, 1)}, {"tokens": int(ceiling * worst)}):
        with ModelServer(always(Reply(status=500))) as server:
            told, spent = await asked(server, answer=1_000, retries=2, **limits)
        assert (server.calls, spent.tokens_read) == (sent, sent * SIZE)
        assert ("ceiling" in told) == (sent == 0)


FAILURES = {
    "out of order": (Reply(status=503), "HTTP 503"),
    "too many": (Reply(status=429), "HTTP 429"),
    "key refused": (Reply(status=401), "refused the key"),
    "malformed": (Reply('{"colour": "red", "why": '), "not JSON"),
    "in a fence": (Reply(f"```json\n{json.dumps(GOOD)}\n```"), "not JSON"),
    "cut off": (Reply('{"colour": "red", "why": "it', finish="length"), "cut off"),
    "cut off where it is whole": (Reply(json.dumps(GOOD), finish="length"), "cut off"),
    "filtered": (Reply("", finish="content_filter"), "filtered|chat completion"),
    "refusal": (Reply("", refusal="I cannot help with that."), "refused to answer"),
    "wrong enum": (Reply.of({"colour": "green", "why": "it is"}), "not valid at colour"),
    "a field too many": (Reply.of({**GOOD, "score": 1}), "not valid at score"),
    "empty": (Reply(""), "empty"),
    "another protocol": (Reply(raw=b"[1, 2]"), "chat completion"),
    "no JSON at all": (Reply(raw=b"<html>busy</html>"), "chat completion"),
}


@pytest.mark.parametrize("method", ["json_schema", "function_calling", "json_mode"])
async def test_every_failure_is_one_sentence_and_never_an_exception_of_the_library(method):
    with ModelServer(lambda asked: FAILURES[asked.prompt.rpartition("as ")[2]][0], methods=(method,)) as server:
        async with client_of(server, retries=1, calls=100, tokens=10_000_000) as client:
            for name, (_, expected) in FAILURES.items():
                prompt = (*PROMPT, Message(role="user", text=f"as {name}"))
                with pytest.raises(UnansweredError) as failure:
                    await client.ask("choose", prompt, Colour)
                told = str(failure.value)
                assert re.search(expected, told), (name, told)
                assert client.assistance.failures[-1] == f"The model was of no help to choose: {told}."
                assert KEY not in told


async def test_a_slow_server_is_not_waited_for():
    release = threading.Event()
    with ModelServer(always(Reply("{}", wait=release))) as server:
        told, _ = await asked(server, seconds=0.3, retries=0)
        release.set()
    assert told == "it took longer than allowed"


async def test_a_server_that_is_not_there_is_a_failure_too():
    with ModelServer(always(Reply.of(GOOD))) as server:
        pass
    told, spent = await asked(server, retries=0)
    assert told == "its server cannot be reached"
    assert (spent.calls, spent.tokens_read, spent.tokens_written) == (1, 0, 0)


async def test_the_second_time_nothing_is_sent(tmp_path):
    with ModelServer(always(Reply.of(GOOD))) as server:
        first, _ = await asked(server, tmp_path)
        again, spent = await asked(server, tmp_path)
        assert (again, spent.calls, spent.cached, spent.tokens_read) == (first, 0, 1, 0)
        offline, _ = await asked(server, tmp_path, offline=True)
        assert offline == first
        await asked(server, tmp_path, name="another")
    assert server.calls == 2


async def test_a_bad_reply_is_not_remembered(tmp_path):
    with ModelServer(in_turn(Reply("no"), Reply("no"), Reply("no"), Reply.of(GOOD))) as server:
        told, _ = await asked(server, tmp_path, calls=5)
        assert told == "its answer is not JSON"
        again, _ = await asked(server, tmp_path)
    assert again == Colour(**GOOD)


async def test_offline_sends_nothing():
    with ModelServer(always(Reply.of(GOOD))) as server:
        told, spent = await asked(server, offline=True)
    assert "nothing may be sent" in told
    assert (server.calls, spent.calls) == (0, 0)


async def test_no_more_calls_than_allowed_and_remembered_ones_count(tmp_path):
    with ModelServer(always(Reply.of(GOOD))) as server:
        for _ in range(2):
            async with client_of(server, tmp_path, calls=1) as client:
                await client.ask("choose", PROMPT, Colour)
                with pytest.raises(UnansweredError, match="used up"):
                    await client.ask("choose", (*PROMPT, Message(role="user", text="Again")), Colour)
    assert server.calls == 1


@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        ({"tokens": 6_000}, "6000 tokens"),
        ({"context": 6_000}, "context"),
        ({"cost": 0.001, "price": Price(1, 10)}, "ceiling of \\$0.001"),
        ({"cost": 0.001}, "ceiling"),
    ],
)
async def test_nothing_is_sent_that_could_exceed_a_ceiling(settings, expected):
    with ModelServer(always(Reply.of(GOOD))) as server:
        told, spent = await asked(server, **settings)
    assert re.search(expected, told)
    assert (server.calls, spent.calls) == (0, 0)


async def test_tokens_and_costs_are_added_up_whether_the_server_counts_them_or_not():
    for counts in (True, False):
        with ModelServer(always(Reply(json.dumps(GOOD), usage=counts))) as server:
            _, spent = await asked(server, price=Price(2, 8))
        assert spent.tokens_read > 0
        assert spent.tokens_written > 0
        assert spent.cost == round((spent.tokens_read * 2 + spent.tokens_written * 8) / 1e6, 6)


async def test_secrets_of_environment_and_text_are_in_no_request(monkeypatch, tmp_path):
    monkeypatch.setenv("SERVICE_API_KEY", "q7fZ81mmKp0xyz")
    text = "export DEPLOY_TOKEN=b7Kq3vXz91LmPd05RtYw; echo q7fZ81mmKp0xyz and b7Kq3vXz91LmPd05RtYw"
    with ModelServer(always(Reply.of(GOOD))) as server:
        async with client_of(server, tmp_path) as client:
            await client.ask("choose", (*PROMPT, Message(role="user", text=text)), Colour)
    sent = json.dumps(server.asked[0].body) + "".join(path.read_text() for path in tmp_path.rglob("*.json"))
    assert "q7fZ81mmKp0xyz" not in sent
    assert "b7Kq3vXz91LmPd05RtYw" not in sent
    assert KEY not in sent
    assert server.asked[0].headers["authorization"] == f"Bearer {KEY}"


DETECTED = {
    "SendGrid": "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",
    "Discord": "MuxlD5RVWfpz8IDyahM9xiRa.9v8VeF.W8UTsbhZEwWVm6vyjs5FPSXYfKh",
}


async def test_what_a_pack_would_not_hold_is_in_no_request_either(monkeypatch, tmp_path):
    netrc = tmp_path / "netrc"
    netrc.write_text("machine api.example login bob password staplerednetrc")
    monkeypatch.setenv("NETRC", str(netrc))
    monkeypatch.setenv("VERIFY_HAL_PASSPHRASE", "quietfoxjumps")
    case = case_of("export DEPLOY_TOKEN=b7Kq3vXz91LmPd05RtYw", f"It is {DETECTED['Discord']}.")
    told = ("quietfoxjumps", "staplerednetrc", "b7Kq3vXz91LmPd05RtYw", *DETECTED.values())
    with ModelServer(always(Reply.of(GOOD))) as server:
        async with client_of(server, tmp_path / "memory", Mask(case)) as client:
            for text in ("\n".join(told), "; ".join(told)):
                await client.ask("choose", (*PROMPT, Message(role="user", text=f"It printed {text}.")), Colour)
    sent = json.dumps([one.body for one in server.asked])
    sent += "".join(path.read_text() for path in (tmp_path / "memory").rglob("*.json"))
    assert [one for one in told if one in sent] == []


async def test_the_journal_holds_prompt_and_reply_of_the_last_conversation(tmp_path):
    with ModelServer(always(Reply.of(GOOD))) as server:
        await asked(server, tmp_path)
        await asked(server, tmp_path)
    entries = list(Memory(tmp_path).told("conversation"))
    assert [entry["how"] for entry in entries] == ["remembered"]
    assert entries[0]["prompt"][1]["text"] == "Which colour?"
    assert json.loads(entries[0]["reply"]) == GOOD


def test_a_missing_key_is_said_before_anything_is_sent():
    with pytest.raises(CredentialsError, match="OPENAI_API_KEY is not set") as error:
        key_from({"OPENAI_API_KEY": " "})
    assert error.value.exit_code == 4


def test_a_ceiling_of_costs_needs_a_price():
    unknown = ModelOptions(name="nobody-knows-it", cost=1.0)
    with pytest.raises(InputError, match="no price is known"):
        check_price(unknown)
    check_price(unknown.model_copy(update={"price": Price(0, 0)}))
    check_price(ModelOptions(name="gpt-4o-mini-2024-07-18", cost=1.0))


def test_prices_are_dollars_for_a_million_tokens():
    options = ModelOptions(name="gpt-4o-mini")
    assert price_of(options) == Price(0.15, 0.60)
    assert cost_of(options, 1_000_000, 1_000_000) == pytest.approx(0.75)
