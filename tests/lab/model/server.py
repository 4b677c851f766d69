"""The server: one loopback port, chat-completions, and a script that answers every request."""

import json
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, Self

METHODS = ("json_schema", "function_calling", "json_mode")


@dataclass(frozen=True)
class Asked:
    """One request."""

    number: int
    """Counted from 1."""
    body: dict[str, Any]
    headers: dict[str, str]

    @property
    def method(self) -> str:
        """How it wants its answer structured."""
        if self.body.get("tools"):
            return "function_calling"
        kind = (self.body.get("response_format") or {}).get("type")
        return "json_schema" if kind == "json_schema" else "json_mode"

    @cached_property
    def prompt(self) -> str:
        """All its messages."""
        return "\n".join(str(message["content"]) for message in self.body["messages"])

    @property
    def wants(self) -> str:
        """The name of the schema asked for."""
        if self.method == "function_calling":
            return str(self.body["tools"][0]["function"]["name"])
        if self.method == "json_schema":
            return str(self.body["response_format"]["json_schema"]["name"])
        return self.prompt.rpartition('"title": "')[2].partition('"')[0]


@dataclass(frozen=True)
class Reply:
    """What the server sends: a completion with `text`, or an error when `status` is none of success."""

    text: str = ""
    finish: str = "stop"
    refusal: str | None = None
    status: int = 200
    raw: bytes | None = None
    """The whole body, in place of a completion."""
    usage: bool = True
    wait: threading.Event | None = None
    """Held back until this is set."""

    @classmethod
    def of(cls, value: Any) -> "Reply":
        """A completion whose text is this value as JSON."""
        return cls(json.dumps(value))


Script = Callable[[Asked], Reply]


@dataclass
class ModelServer:
    """Runs while its context is open, and keeps every request."""

    script: Script
    methods: tuple[str, ...] = METHODS
    """Requests of another method are refused, or, when `deaf`, answered as if they had not asked for a structure."""
    deaf: bool = False
    asked: list[Asked] = field(default_factory=list)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_port}/v1"

    @property
    def calls(self) -> int:
        return len(self.asked)

    def __enter__(self) -> Self:
        self._lock = threading.Lock()
        lab = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self) -> None:
                lab.answer(self)

            def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the base class says so
                del format, args

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
        self._thread.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, tb: TracebackType | None) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def answer(self, handler: BaseHTTPRequestHandler) -> None:
        body = json.loads(handler.rfile.read(int(handler.headers["Content-Length"])))
        with self._lock:
            asked = Asked(len(self.asked) + 1, body, {name.lower(): value for name, value in handler.headers.items()})
            self.asked.append(asked)
        known = asked.method in self.methods
        reply = self.script(asked) if known or self.deaf else Reply(status=400)
        if not known and self.deaf:
            reply = Reply("I would rather answer in prose: the run met a missing header.")
        if reply.wait:
            reply.wait.wait(60)
        data = reply.raw if reply.raw is not None else json.dumps(_body(reply, asked)).encode()
        try:
            handler.send_response(reply.status)
            handler.send_header("Content-Type", "application/json")
            handler.send_header("Content-Length", str(len(data)))
            handler.send_header("Retry-After-Ms", "20")
            handler.end_headers()
            handler.wfile.write(data)
        except OSError:
            handler.close_connection = True


def _body(reply: Reply, asked: Asked) -> dict[str, Any]:
    if reply.status != 200:
        told = f"'{asked.method}' is not supported here" if reply.status == 400 else "not now"
        return {"error": {"message": told, "type": "invalid_request_error", "param": None, "code": None}}
    message: dict[str, Any] = {"role": "assistant", "content": reply.text, "refusal": reply.refusal}
    if asked.method == "function_calling" and reply.text and reply.text.lstrip().startswith("{"):
        call = {"name": asked.wants, "arguments": reply.text}
        message |= {"content": None, "tool_calls": [{"id": "call_1", "type": "function", "function": call}]}
    body: dict[str, Any] = {
        "id": f"chatcmpl-{asked.number}",
        "object": "chat.completion",
        "created": 1_770_000_000,
        "model": asked.body["model"],
        "choices": [{"index": 0, "message": message, "finish_reason": reply.finish, "logprobs": None}],
    }
    if reply.usage:
        read, written = len(asked.prompt) // 4, len(reply.text) // 4
        usage = {"prompt_tokens": read, "completion_tokens": written, "total_tokens": read + written}
        body["usage"] = usage
    return body
