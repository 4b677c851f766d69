"""One request to one server, by one of the methods that make a model answer in a structure."""

import json
from collections.abc import AsyncIterator, Awaitable, Mapping, Sequence
from contextlib import asynccontextmanager
from contextvars import ContextVar
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, get_args

from pydantic import SecretStr

from cases import CredentialsError, Model
from cases.sentences import Sentences
from graph.llm.options import ModelOptions

if TYPE_CHECKING:
    import httpx
    from langchain_core.messages import AIMessage
    from langchain_openai import ChatOpenAI

say = Sentences(__name__)

Method = Literal["json_schema", "function_calling", "json_mode"]
METHODS: tuple[Method, ...] = get_args(Method)
_OF_STRANGE_ANSWERS = (ValueError, AttributeError, TypeError, KeyError)
"""What the libraries raise where a server's answer is not of the protocol."""
_NOT_UNDERSTOOD = (400, 404, 415, 422, 501)


_STATUSES: ContextVar[list[int | None]] = ContextVar("_STATUSES")
"""What became of each request of one question so far; None where no answer came."""


class Lost(NamedTuple):
    """Requests that brought nothing and may be charged all the same."""

    read: int = 0
    """Those whose question the server may have read."""
    written: int = 0
    """Those of them that it may have answered when nobody waited any more."""


NOTHING = Lost()


class Message(Model):
    """One message of a prompt."""

    role: Literal["system", "user", "assistant"]
    text: str


@dataclass(frozen=True)
class Raw:
    """An answer as it came; `text` should be JSON."""

    text: str
    fault: str | None = None
    """Why it counts as none."""
    read: int | None = None
    written: int | None = None
    """Tokens as the server counted them."""
    lost: Lost = NOTHING
    """What went out before it."""


class NotHeardError(Exception):
    """No answer came, for the reason that the message ends a sentence with."""

    def __init__(self, reason: str, lost: Lost = NOTHING) -> None:
        """`lost` is what it took all the same."""
        super().__init__(reason)
        self.lost = lost


class MethodNotUnderstoodError(NotHeardError):
    """The server refuses this method."""


def key_from(environment: Mapping[str, str]) -> str:
    """The key of the model's server.

    Raises:
        CredentialsError: there is none.
    """
    key = environment.get("OPENAI_API_KEY", "").strip()
    if not key:
        raise CredentialsError(say("llm.transport.model_asked_but_openai"))
    return key


class Wire:
    """The connection to a model that all audits of one process share."""

    def __init__(self, chat: "ChatOpenAI") -> None:
        """`chat` retries by itself; nothing else does."""
        self._chat = chat

    async def send(self, messages: tuple[Message, ...], schema: type[Model], method: Method, attempts: int = 1) -> Raw:
        """One answer, for which at most `attempts` requests go out.

        Raises:
            MethodNotUnderstoodError: the server does not know the method.
            NotHeardError: no answer, after the retries.
        """
        from langchain_core.utils.function_calling import convert_to_json_schema  # noqa: PLC0415

        shape = convert_to_json_schema(schema, strict=True)
        told = [(message.role, message.text) for message in messages]
        if method == "json_mode":
            told[0] = (
                "system",
                f"{told[0][1]}\n\nAnswer with one JSON object of this JSON schema:\n{json.dumps(shape)}",
            )
        strict = None if method == "json_mode" else True
        chat = self._trying(attempts)
        asking = chat.with_structured_output(shape, method=method, include_raw=True, strict=strict)
        return await _heard(asking.ainvoke(told))

    def _trying(self, attempts: int) -> "ChatOpenAI":
        """The same connection with so many attempts, of which the library makes a setting of its client."""
        client = self._chat.root_async_client.with_options(max_retries=attempts - 1)
        return self._chat.model_copy(update={"root_async_client": client, "async_client": client.chat.completions})


async def _heard(answering: Awaitable[dict[str, Any]]) -> Raw:
    import openai  # noqa: PLC0415 - takes most of a second
    from langchain_core.exceptions import ContextOverflowError  # noqa: PLC0415

    statuses: list[int | None] = []
    before = _STATUSES.set(statuses)
    try:
        answer = await answering
    except openai.LengthFinishReasonError as error:
        usage = error.completion.usage
        read, written = (usage.prompt_tokens, usage.completion_tokens) if usage else (None, None)
        return Raw("", say("fault.cut_off"), read, written, _lost(statuses[:-1]))
    except (openai.OpenAIError, ContextOverflowError, *_OF_STRANGE_ANSWERS) as error:
        status = error.status_code if isinstance(error, openai.APIStatusError) else None
        refused = status in _NOT_UNDERSTOOD and not isinstance(error, ContextOverflowError)
        kind = MethodNotUnderstoodError if refused else NotHeardError
        raise kind(_reason(error), _lost(statuses, sent=_sent(error))) from error
    finally:
        _STATUSES.reset(before)
    return replace(_raw(answer["raw"]), lost=_lost(statuses[:-1]))


def _lost(statuses: Sequence[int | None], *, sent: bool = True) -> Lost:
    """What requests without a usable answer may have taken; what was refused was not read."""
    unanswered = statuses.count(None) if sent else 0
    read = [one for one in statuses if one and one // 100 in (2, 5) and one not in _NOT_UNDERSTOOD]
    return Lost(unanswered + len(read), unanswered)


def _sent(error: BaseException | None) -> bool:
    """Whether a server may have had the question: not where there was no connection."""
    import httpx  # noqa: PLC0415

    unconnected = (httpx.ConnectError, httpx.ConnectTimeout, httpx.PoolTimeout)
    return error is None or (not isinstance(error, unconnected) and _sent(error.__cause__))


async def _going_out(request: "httpx.Request") -> None:
    del request
    _STATUSES.get().append(None)


async def _coming_back(response: "httpx.Response") -> None:
    _STATUSES.get()[-1] = response.status_code


def _raw(message: "AIMessage") -> Raw:
    usage = message.usage_metadata
    counts = (usage["input_tokens"], usage["output_tokens"]) if usage else (None, None)
    refusal = message.additional_kwargs.get("refusal")
    finish = message.response_metadata.get("finish_reason")
    text = _text(message)
    fault = None
    if refusal:
        fault = say("fault.refused")
    elif finish in ("length", "content_filter"):
        fault = say("fault.cut_off") if finish == "length" else say("fault.filtered")
    elif not text.strip():
        fault = say("fault.empty")
    return Raw(text, fault, *counts)


def _text(message: "AIMessage") -> str:
    """The words themselves; the library's own parsing repairs what is cut off, so it is not asked."""
    if message.tool_calls:
        return json.dumps(message.tool_calls[0]["args"], ensure_ascii=False)
    if message.invalid_tool_calls:
        return message.invalid_tool_calls[0]["args"] or ""
    return message.content if isinstance(message.content, str) else ""


def _reason(error: Exception) -> str:
    """Ends a sentence; never a server's whole words, which may repeat the prompt."""
    import openai  # noqa: PLC0415

    if isinstance(error, openai.APITimeoutError):
        return say("fault.too_long")
    if isinstance(error, openai.APIConnectionError):
        return say("fault.unreachable")
    if isinstance(error, openai.AuthenticationError | openai.PermissionDeniedError):
        return say("fault.key", status=error.status_code)
    if isinstance(error, openai.APIStatusError):
        return say("fault.status", status=error.status_code)
    return say("fault.no_completion")


@asynccontextmanager
async def open_wire(options: ModelOptions, key: str) -> AsyncIterator[Wire]:
    """A connection, closed with its context."""
    import httpx  # noqa: PLC0415 - takes its time, and only models need it here
    from langchain_core.rate_limiters import InMemoryRateLimiter  # noqa: PLC0415
    from langchain_openai import ChatOpenAI  # noqa: PLC0415

    trust = httpx.create_ssl_context()
    with httpx.Client(verify=trust) as unused:
        async with httpx.AsyncClient(verify=trust, timeout=options.seconds) as http:
            http.event_hooks = {"request": [_going_out], "response": [_coming_back]}
            yield Wire(
                ChatOpenAI(
                    model=options.name,
                    base_url=options.server,
                    api_key=SecretStr(key),
                    timeout=options.seconds,
                    max_completion_tokens=options.answer,
                    rate_limiter=InMemoryRateLimiter(
                        requests_per_second=options.rate, check_every_n_seconds=0.02, max_bucket_size=2
                    ),
                    http_client=unused,
                    http_async_client=http,
                    use_responses_api=False,
                    cache=False,
                )
            )
