"""Calls of tools that agents write in prose, and the messages that answer them, as `protocols/` describes them."""

import ast
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from cases import patterns as re
from cases.events.folding import LONGEST
from cases.events.protocol import Form, Protocol, Seen, keeping, kept, marks, protocols
from cases.events.spans import compiled, parts
from cases.model import Block

NOT_AGENTS = frozenset({"system", "developer", "user", "human", "tool", "function", "environment", "harness"})
"""Roles that chat formats give to everybody but the agent; any other speaker may act."""
USUAL = 0.6
"""Share of the agent's messages from which on a habit is one."""
MOST_TRIES = 20
"""Braces of one text at which a JSON object is looked for."""


@dataclass(frozen=True, slots=True)
class Call:
    """One call as it is written."""

    tool: str
    arguments: Mapping[str, Any]
    listed: bool = False
    """Whether it stands in a list that repeats code shown elsewhere."""
    inline: tuple[int, int] | None = None
    """Where its output stands in the same text."""


@dataclass(frozen=True, slots=True)
class Answer:
    """A message that tells what came of calls."""

    block: Block
    start: int
    """Where the output begins in the block's text."""
    seen: Seen | None
    """None where it is taken for an answer only because it follows a call."""
    tool: str | None = None
    exit_code: int | None = None
    cwd: str | None = None

    @property
    def output(self) -> str:
        """What the tool said."""
        return self.block.text[self.start :]

    @property
    def refused(self) -> bool:
        """Whether it says that the call was not run."""
        return bool(self.seen and self.seen.refuses and compiled(self.seen.refuses).search(self.block.text))

    @property
    def kept(self) -> bool:
        """Whether it counts even if its call is lost."""
        return bool(self.seen and self.seen.keeps and compiled(self.seen.keeps).search(self.block.text))


@dataclass(slots=True)
class Turn:
    """The calls of one message, with what came of them."""

    protocol: Protocol
    calls: list[Call]
    shown: list[int]
    """The blocks that show the calls."""
    answers: list[Answer] = field(default_factory=list)

    @property
    def answered(self) -> bool:
        """Whether something says what came of them."""
        return bool(self.answers) or any(call.inline for call in self.calls)


def turns(blocks: Sequence[Block]) -> tuple[list[Turn], list[tuple[Protocol, Answer]]]:
    """Every message that calls tools in prose, in order, and the answers whose calls are not shown."""
    said = [block for block in blocks if block.kind == "message" and block.role.lower() not in NOT_AGENTS]
    chosen: dict[int, Turn] = {}
    lost: dict[int, tuple[Protocol, Answer]] = {}
    told: set[int] = set()
    marked = [block for block in said if any(mark in block.text for mark in marks())]
    if not marked and not any(compiled(kept()).search(block.text) for block in blocks):
        return [], []
    for protocol in protocols() if marked else keeping():
        called = {block.index: calls for block in marked if (calls := list(calls_of(protocol, block.text)))}
        if not called and not any(protocol is one for one in keeping()):
            continue
        habit = protocol.habitual and len(called) > 2 and len(called) >= USUAL * len(said)
        found, unexplained = _paired(protocol, called, blocks, habit=habit)
        settled = habit or protocol.certain or any(turn.answered for turn in found)
        for turn in found if settled else ():
            known = chosen.get(turn.shown[0])
            if known is None or (turn.answered and not known.answered):
                chosen[turn.shown[0]] = turn
        for answer in unexplained:
            lost.setdefault(answer.block.index, (protocol, answer))
    for turn in chosen.values():
        told.update(answer.block.index for answer in turn.answers)
    ordered = [chosen[index] for index in sorted(chosen)]
    return ordered, [lost[index] for index in sorted(lost) if index not in told]


def calls_of(protocol: Protocol, text: str) -> Iterator[Call]:
    """The calls in a text: those of the first form that it holds."""
    for form in protocol.call:
        if not any(mark in text for mark in form.contains):
            continue
        if form.requires and not compiled(form.requires).search(text):
            continue
        found = [
            call
            for match, start, end in parts(form, text)
            for call in _calls(protocol, form, text, match, (start, end))
        ]
        if found:
            yield from found
            return


def _calls(protocol: Protocol, form: Form, text: str, match: re.Match[str], at: Sequence[int]) -> Iterator[Call]:
    body = text[at[0] : at[1]]
    tool = form.tool
    if "tool" in match.re.groupindex:
        tool = match["tool"] or ""
        if form.tools:
            tool = _inferred(body) if form.tools.get(tool.lower()) == "?" else form.tools.get(tool.lower(), "")
            if not tool:
                return
    inline = _inline(protocol, text, at[1])
    match form.body:
        case "parameters":
            assert form.parameter is not None
            named = {found["name"]: body[start:end] for found, start, end in parts(form.parameter, body)}
            yield Call(tool, named, form.repeats, inline)
        case "text":
            yield Call(tool, {form.argument: body.strip("\n")}, form.repeats, inline)
        case _:
            yield from _structured(form, tool, body, inline)


def _structured(form: Form, tool: str, body: str, inline: tuple[int, int] | None) -> Iterator[Call]:
    value = _json(body, form.items) if form.body == "json" else _literal(body)
    listed = value.get(form.items) if form.items and isinstance(value, dict) else value
    entries = listed if isinstance(listed, list) else [listed]
    for entry in entries:
        function = entry.get("function", entry) if isinstance(entry, dict) else None
        if not isinstance(function, dict):
            if form.body == "json" and not form.items and tool:
                yield Call(tool, {form.argument: body.strip()}, form.repeats, inline)
            continue
        name = tool or function.get("name")
        given = function if tool else function.get("arguments", function.get("parameters"))
        if isinstance(name, str) and name:
            yield Call(name, _arguments(form, given), form.repeats, inline)


def _arguments(form: Form, given: object) -> dict[str, Any]:
    if isinstance(given, str):
        inner = _json(given, "") if form.body == "json" else None
        return inner if isinstance(inner, dict) else {form.argument: given}
    return given if isinstance(given, dict) else {}


def _json(text: str, field_: str) -> Any:  # noqa: ANN401
    """The first JSON object in a text, one with such a field where one is asked for."""
    decoder = json.JSONDecoder(strict=False)
    at = text.find("{") if field_ else len(text) - len(text.lstrip())
    for _ in range(MOST_TRIES):
        if at < 0 or at >= len(text):
            return None
        try:
            value, _end = decoder.raw_decode(text, at)
        except (ValueError, RecursionError):
            value = None if field_ else _literal(text)
        if not field_ or (isinstance(value, dict) and field_ in value):
            return value
        at = text.find("{", at + 1)
    return None


def _literal(text: str) -> Any:  # noqa: ANN401
    try:
        return ast.literal_eval(text.strip()) if len(text) <= LONGEST else None
    except (ValueError, SyntaxError, RecursionError, MemoryError):
        return None


def _inferred(code: str) -> str:
    """The language of a fence that names none, as AutoGen infers it."""
    if re.match(r"\s*(?:python3? |pip3? )", code):
        return "bash"
    try:
        compile(code[:LONGEST], "fence", "exec", dont_inherit=True)
    except (SyntaxError, ValueError, RecursionError, MemoryError, OverflowError):
        return ""
    return "python" if code.strip() and len(code) <= LONGEST else ""


def _inline(protocol: Protocol, text: str, end: int) -> tuple[int, int] | None:
    """Where the output that directly follows a call in its own message stands."""
    if protocol.inline is None or not (opening := compiled(protocol.inline.opens).match(text, end)):
        return None
    closing = compiled(protocol.inline.closes).search(text, opening.end()) if protocol.inline.closes else None
    return opening.end(), closing.start() if closing else len(text)


def _paired(
    protocol: Protocol, called: Mapping[int, list[Call]], blocks: Sequence[Block], *, habit: bool
) -> tuple[list[Turn], list[Answer]]:
    """The turns with their answers: what answers comes after its call and before the next one."""
    found: list[Turn] = []
    lost: list[Answer] = []
    waiting: Turn | None = None
    confirmed = any(call.listed for calls in called.values() for call in calls)
    for block in blocks:
        if block.index in called:
            calls = called[block.index]
            if calls[0].listed and waiting and waiting.shown[-1] == block.index - 1 and not waiting.calls[0].listed:
                waiting.shown.append(block.index)
                continue
            waiting = Turn(protocol, calls, [block.index])
            found.append(waiting)
            continue
        answer = answer_of(protocol, block)
        if answer is None and habit and waiting and not waiting.answers and block.role.lower() in NOT_AGENTS:
            answer = Answer(block, 0, None)
        if answer is None:
            continue
        draft = waiting and confirmed and not waiting.calls[0].listed and len(waiting.shown) == 1
        if waiting is None or draft or waiting.calls[-1].inline:
            lost += [answer] if answer.kept else []
            continue
        waiting.answers.append(answer)
        if not _more(waiting):
            waiting = None
    return found, lost


def _more(turn: Turn) -> bool:
    """Whether further answers may come."""
    return turn.protocol.several == "each" and len(turn.answers) < len(turn.calls)


def answer_of(protocol: Protocol, block: Block) -> Answer | None:
    """The block as an answer, if it is one; what an agent says in its own voice never is."""
    if block.kind == "call" or block.call_id or block.role.lower() == "assistant":
        return None
    for seen in protocol.observation:
        match = compiled(seen.begins).match(block.text) if seen.begins else None
        match = match or (compiled(seen.shows).search(block.text) if seen.shows else None)
        if match:
            groups = match.groupdict()
            code = groups.get("exit")
            start = match.end() if seen.begins else 0
            return Answer(block, start, seen, groups.get("tool"), int(code) if code else None, groups.get("cwd"))
    return None
