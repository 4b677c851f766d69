"""Asking a model within one audit: masked, remembered, within the budget, and checked before it is believed."""

import json
import math
from dataclasses import replace
from typing import Protocol, TypeVar

from pydantic import ValidationError

from cases import Model
from cases.masking import Mask
from cases.sentences import Sentences
from graph.llm.cache import Memory, digest
from graph.llm.options import ModelOptions
from graph.llm.prices import cost_of
from graph.llm.transport import METHODS, Lost, Message, MethodNotUnderstoodError, NotHeardError, Raw, Wire
from graph.verdict import Assistance

say = Sentences(__name__)

T = TypeVar("T", bound=Model)
_BYTES_PER_TOKEN = 3
"""Fewer than English or code has, so that what is reserved is seldom too little."""


class UnansweredError(Exception):
    """There is no usable reply; the message is one sentence that says why."""


class Opener(Protocol):
    """Gives the connection when a question really goes out."""

    async def __call__(self) -> Wire:
        """The connection that all audits share."""
        ...


class Client:
    """One audit's conversation with a model; `assistance` adds up what it took."""

    def __init__(
        self,
        options: ModelOptions,
        wire: Opener,
        mask: Mask,
        conversation: str = "",
        spent: Assistance | None = None,
    ) -> None:
        """`conversation` names the journal; `spent` is what an interrupted audit has asked already."""
        self.options = options
        self.assistance = spent or Assistance(model=options.name, cost=cost_of(options, 0, 0))
        self.masked = mask.text
        self._mask = mask
        self._wire = wire
        self._memory = Memory(options.memory)
        self._conversation = conversation
        self._first = spent is None
        self._server = digest([options.server, options.name])

    @property
    def asked(self) -> int:
        """Questions so far; remembered replies count, so that a second run asks the same ones."""
        return self.assistance.calls + self.assistance.cached

    @property
    def calls_left(self) -> int:
        """Questions that may still be asked."""
        return self.options.calls - self.asked

    @property
    def room(self) -> int:
        """Bytes that a prompt may have: what the context, without the answer, holds."""
        left = self.options.tokens - self.assistance.tokens_read - self.assistance.tokens_written
        return max(0, min(self.options.context, left) - self.options.answer) * _BYTES_PER_TOKEN

    async def ask(self, purpose: str, messages: tuple[Message, ...], schema: type[T]) -> T:
        """The reply, valid by its schema.

        Raises:
            UnansweredError: none that could be used; `failures` of the assistance say so too.
        """
        prompt = tuple(Message(role=message.role, text=self.masked(message.text)) for message in messages)
        try:
            return await self._answered(purpose, prompt, schema)
        except UnansweredError as error:
            self._note(failures=(*self.assistance.failures, say("model.no_help", purpose=purpose, why=error)))
            raise

    async def _answered(self, purpose: str, prompt: tuple[Message, ...], schema: type[T]) -> T:
        if self.calls_left <= 0:
            raise UnansweredError(say("llm.client.all_calls_audit_used", calls=self.options.calls))
        key = digest([self._server, [message.model_dump() for message in prompt], schema.model_json_schema()])
        remembered = self._memory.recall(key)
        if remembered is not None:
            raw = self._clean(Raw(str(remembered.get("text", ""))))
            self._note(cached=self.assistance.cached + 1)
            self._tell(purpose, prompt, raw, "remembered")
            return _valid(raw, schema)
        if self.options.offline:
            raise UnansweredError(say("llm.client.nothing_may_sent_no"))
        return await self._fetched(purpose, prompt, schema, key)

    async def _fetched(self, purpose: str, prompt: tuple[Message, ...], schema: type[T], key: str) -> T:
        wire, size = await self._wire(), estimate(prompt, schema)
        known = self._memory.method(self._server)
        reason = ""
        for method in sorted(METHODS, key=lambda method: method != known):
            attempts = self._afford(size)
            try:
                raw = self._clean(await wire.send(prompt, schema, method, attempts))
            except NotHeardError as error:
                understood = not isinstance(error, MethodNotUnderstoodError)
                self._count(size, None, error.lost, calls=int(understood))
                self._tell(purpose, prompt, None, f"{method}: {error}")
                if understood:
                    raise UnansweredError(str(error)) from error
                reason = reason or str(error)
                continue
            self._count(size, raw, raw.lost)
            self._tell(purpose, prompt, raw, method)
            try:
                reply = _valid(raw, schema)
            except UnansweredError as error:
                reason = str(error)
                if raw.fault or raw.text.lstrip().startswith("{"):  # it understood what was asked for
                    break
                continue
            self._memory.learn(self._server, method)
            self._memory.keep(key, {"model": self.options.name, "method": method, "text": raw.text})
            return reply
        raise UnansweredError(reason)

    def _clean(self, raw: Raw) -> Raw:
        """A reply without secrets, before anybody reads or keeps it; a mask never spans two values of its JSON."""
        try:
            return replace(raw, text=json.dumps(self._mask.value(json.loads(raw.text)), ensure_ascii=False))
        except (ValueError, RecursionError):
            return replace(raw, text=self.masked(raw.text))

    def _afford(self, size: int) -> int:
        """How often a question may go out so that the worst case stays below every ceiling: one or more times."""
        options, spent = self.options, self.assistance
        if self.calls_left <= 0:
            raise UnansweredError(say("llm.client.all_calls_audit_used", calls=options.calls))
        needed = size + options.answer
        if needed > options.context:
            raise UnansweredError(say("llm.client.question_not_fit_model"))
        attempts = (options.tokens - spent.tokens_read - spent.tokens_written) // needed
        if attempts < 1:
            raise UnansweredError(say("llm.client.could_exceed_ceiling_tokens", tokens=options.tokens))
        worst = cost_of(options, size, options.answer)
        if options.cost is not None and worst != 0.0:
            paid = math.floor((options.cost - (spent.cost or 0.0)) / worst) if worst else 0
            if paid < 1:
                raise UnansweredError(say("llm.client.could_exceed_ceiling", cost=options.cost))
            attempts = min(attempts, paid)
        return min(attempts, options.retries + 1)

    def _count(self, size: int, raw: Raw | None, lost: Lost, *, calls: int = 1) -> None:
        """What a server does not count is estimated, and what was lost is taken at its worst."""
        read, written = lost.read * size, lost.written * self.options.answer
        if raw:
            read += size if raw.read is None else raw.read
            written += len(raw.text) // _BYTES_PER_TOKEN if raw.written is None else raw.written
        spent = self.assistance
        read, written = spent.tokens_read + read, spent.tokens_written + written
        cost = cost_of(self.options, read, written)
        self._note(
            calls=spent.calls + calls,
            tokens_read=read,
            tokens_written=written,
            cost=None if cost is None else round(cost, 6),
        )

    def _note(self, **changes: object) -> None:
        self.assistance = self.assistance.model_copy(update=changes)

    def note(self, *, proposed: int, rejected: int, unread: tuple[str, ...]) -> None:
        """Keep what came of the proposals."""
        self._note(proposed=proposed, rejected=rejected, unread=unread)

    def _tell(self, purpose: str, prompt: tuple[Message, ...], raw: Raw | None, how: str) -> None:
        entry = {
            "purpose": purpose,
            "model": self.options.name,
            "how": how,
            "prompt": [message.model_dump() for message in prompt],
            "reply": None if raw is None else raw.text,
            "fault": raw.fault if raw else None,
        }
        if self._conversation:
            self._memory.tell(self._conversation, entry, first=self._first)
            self._first = False


def _valid(raw: Raw, schema: type[T]) -> T:
    if raw.fault:
        raise UnansweredError(raw.fault)
    try:
        return schema.model_validate_json(raw.text)
    except ValidationError as error:
        kind = error.errors(include_url=False, include_input=False, include_context=False)[0]
        place = ".".join(str(part) for part in kind["loc"]) or "its beginning"
        name = "model.no_json" if kind["type"] == "json_invalid" else "model.not_valid"
        raise UnansweredError(say(name, place=place)) from error


def estimate(prompt: tuple[Message, ...], schema: type[Model]) -> int:
    """Tokens of a prompt and of the schema that goes with it, rather too many."""
    size = sum(len(message.text.encode("utf-8", "replace")) for message in prompt) + size_of(schema)
    return math.ceil(size / _BYTES_PER_TOKEN) + 10 * len(prompt)


def size_of(schema: type[Model]) -> int:
    """Bytes of a schema as it goes with a prompt."""
    return len(json.dumps(schema.model_json_schema()))
