"""One request to one server, by one of the methods that make a model answer in a structure."""

import json
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, get_args

from pydantic import SecretStr

from cases import CredentialsError, Model
from graph.model.options import ModelOptions

if TYPE_CHECKING:
    from langchain_core.messages import AIMessage
    from langchain_openai import ChatOpenAI

Method = Literal["json_schema", "function_calling", "json_mode"]
METHODS: tuple[Method, ...] = get_args(Method)
_OF_STRANGE_ANSWERS = (ValueError, AttributeError, TypeError, KeyError)
"""What the libraries raise where a server's answer is not of the protocol."""
_NOT_UNDERSTOOD = (400, 404, 415, 422, 501)


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


class MethodNotUnderstoodError(Exception):
    """The server refuses this method."""


class NotHeardError(Exception):
    """No answer came, for the reason that the message ends a sentence with."""


def key_from(environment: Mapping[str, str]) -> str:
    """The key of the model's server.

    Raises:
        CredentialsError: there is none.
    """
    key = environment.get("OPENAI_API_KEY", "").strip()
    if not key:
        raise CredentialsError(
            "a model was asked for, but OPENAI_API_KEY is not set; set it (a local server takes any word), "
            "or leave --model and VERIFY_MODEL out"
        )
    return key


class Wire:
    """The connection to a model that all audits of one process share."""

    def __init__(self, chat: "ChatOpenAI") -> None:
        """`chat` retries by itself; nothing else does."""
        self._chat = chat

    async def send(self, messages: tuple[Message, ...], schema: type[Model], method: Method) -> Raw:
        """One answer.

        Raises:
            MethodNotUnderstoodError: the server does not know the method.
            NotHeardError: no answer, after the retries.
        """
        import openai  # noqa: PLC0415 - takes most of a second
        from langchain_core.exceptions import ContextOverflowError  # noqa: PLC0415
        from langchain_core.utils.function_calling import convert_to_json_schema  # noqa: PLC0415

        shape = convert_to_json_schema(schema, strict=True)
        told = [(message.role, message.text) for message in messages]
        if method == "json_mode":
            told[0] = (
                "system",
                f"{told[0][1]}\n\nAnswer with one JSON object of this JSON schema:\n{json.dumps(shape)}",
            )
        strict = None if method == "json_mode" else True
        asking = self._chat.with_structured_output(shape, method=method, include_raw=True, strict=strict)
        try:
            answer = await asking.ainvoke(told)
        except openai.LengthFinishReasonError as error:
            usage = error.completion.usage
            counts = (usage.prompt_tokens, usage.completion_tokens) if usage else (None, None)
            return Raw("", "its answer was cut off", *counts)
        except openai.APIStatusError as error:
            overflow = isinstance(error, ContextOverflowError)
            if error.status_code in _NOT_UNDERSTOOD and not overflow:
                raise MethodNotUnderstoodError(_reason(error)) from error
            raise NotHeardError(_reason(error)) from error
        except (openai.OpenAIError, ContextOverflowError, *_OF_STRANGE_ANSWERS) as error:
            raise NotHeardError(_reason(error)) from error
        return _raw(answer["raw"])


def _raw(message: "AIMessage") -> Raw:
    usage = message.usage_metadata
    counts = (usage["input_tokens"], usage["output_tokens"]) if usage else (None, None)
    refusal = message.additional_kwargs.get("refusal")
    finish = message.response_metadata.get("finish_reason")
    text = _text(message)
    fault = None
    if refusal:
        fault = "it refused to answer"
    elif finish in ("length", "content_filter"):
        fault = "its answer was cut off" if finish == "length" else "its server filtered the answer"
    elif not text.strip():
        fault = "its answer was empty"
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
        return "it took longer than it may"
    if isinstance(error, openai.APIConnectionError):
        return "its server cannot be reached"
    if isinstance(error, openai.AuthenticationError | openai.PermissionDeniedError):
        return f"its server refused the key (HTTP {error.status_code})"
    if isinstance(error, openai.APIStatusError):
        return f"its server answered with HTTP {error.status_code}"
    return "its server's answer was no chat completion"


@asynccontextmanager
async def open_wire(options: ModelOptions, key: str) -> AsyncIterator[Wire]:
    """A connection, closed with its context."""
    import httpx  # noqa: PLC0415 - takes its time, and only models need it here
    from langchain_core.rate_limiters import InMemoryRateLimiter  # noqa: PLC0415
    from langchain_openai import ChatOpenAI  # noqa: PLC0415

    trust = httpx.create_ssl_context()
    with httpx.Client(verify=trust) as unused:
        async with httpx.AsyncClient(verify=trust, timeout=options.seconds) as http:
            yield Wire(
                ChatOpenAI(
                    model=options.name,
                    base_url=options.server,
                    api_key=SecretStr(key),
                    timeout=options.seconds,
                    max_retries=options.retries,
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
