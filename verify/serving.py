"""Packs over HTTP on loopback, read-only: the index, and of each pack the files that it holds."""

import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import lru_cache
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from socket import SHUT_RDWR, socket
from typing import Any
from urllib.parse import quote, unquote

from cases import ImpassableError, InputError
from cases import patterns as re
from cases.sentences import Sentences
from evidence.checking import check
from evidence.index import Known, Listing, as_csv, as_html, as_json, listing, packs_in, stamp
from evidence.recomputing import recompute
from evidence.report.page import script_hash

say = Sentences(__name__)

AT_ONCE = 16
ASK_SECONDS = 5.0
"""How long a client may take to ask."""
WORK_SECONDS = 600.0
"""How long the answer itself may take: packs are compared whole, one after another."""
TAKE_SECONDS = 60.0
"""How long it may take to receive the answer."""
_ONE_AT_A_TIME = threading.Lock()
"""Held while packs are opened: one may take half a gigabyte."""

_TEXT = "text/plain; charset=utf-8"
_PICTURES = {".png": "image/png", ".jpg": "image/jpeg", ".jpeg": "image/jpeg", ".webp": "image/webp"}
_ARCHIVES = (".zip", ".gz", ".bin")
_BACK = b'<header>\n<p class="small"><a href="/">All packs</a></p>\n'
_SCRIPTS = ("report/report.js", "index/index.js")


@dataclass(frozen=True)
class Served:
    """One answer."""

    data: bytes
    kind: str
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)


NOWHERE = Served(b"There is nothing of that name in these packs.\n", _TEXT, 404)


@dataclass(frozen=True)
class Shelf:
    """What may be asked for: the packs of a folder, or one pack alone."""

    folder: Path
    alone: str = ""
    """The one pack's name; empty for all of the folder."""
    _known: Known = field(default_factory=dict, compare=False)

    def get(self, path: str) -> Served:
        """The answer to a decoded path; only files that a pack lists by that very path."""
        name, _, inside = path.removeprefix("/").partition("/")
        if not name and self.alone:
            return Served(b"", _TEXT, 302, {"Location": f"/{quote(self.alone)}/report.html"})
        try:
            if not inside and not self.alone and (page := self._index(name)):
                return page
            if name not in ([self.alone] if self.alone else [pack.name for pack in packs_in(self.folder)]):
                return NOWHERE
            return self._file(compared(self.folder / name), inside)
        except ImpassableError as error:
            return Served(f"{error}\n".encode("utf-8", "backslashreplace"), _TEXT, 409)

    def _file(self, content: Mapping[str, bytes], path: str) -> Served:
        """A file of a pack; from a report a link leads back to the index, where there is one."""
        found = _file(content, path)
        if path != "report.html" or self.alone:
            return found
        return replace(found, data=found.data.replace(b"<header>\n", _BACK, 1))

    def _index(self, name: str) -> Served | None:
        forms: dict[str, tuple[Callable[[Listing], Iterator[str]], str]] = {
            "": (lambda found: as_html(found, served=True), "text/html; charset=utf-8"),
            "index.csv": (as_csv, "text/csv; charset=utf-8"),
            "index.json": (as_json, "application/json"),
        }
        if name not in forms:
            return None
        write, kind = forms[name]
        with _ONE_AT_A_TIME:
            return Served("".join(write(listing(self.folder, known=self._known))).encode(), kind)


def compared(pack: Path) -> Mapping[str, bytes]:
    """The files of a pack that is what was written, and whose report is what this program writes of its records.

    Raises:
        InputError: there is none.
        PackError: it is another; nothing of it may be shown as a page.
    """
    with _ONE_AT_A_TIME:
        return _compared(pack, stamp(pack))


@lru_cache(maxsize=2)
def _compared(pack: Path, _: tuple[int, ...]) -> Mapping[str, bytes]:
    found = check(pack)
    recompute(found)
    return found.content


def _file(content: Mapping[str, bytes], path: str) -> Served:
    if path not in content:
        return NOWHERE
    ending = Path(path).suffix.lower()
    if path == "report.html":
        return Served(content[path], "text/html; charset=utf-8")
    if ending in _ARCHIVES:
        return Served(content[path], "application/octet-stream", headers={"Content-Disposition": "attachment"})
    return Served(content[path], _PICTURES.get(ending, _TEXT))


class Server(ThreadingHTTPServer):
    """Answers so many at once and no more, and lets nobody keep it waiting."""

    daemon_threads = True
    request_queue_size = 64

    def __init__(self, port: int, handler: type[BaseHTTPRequestHandler]) -> None:
        """Begin to listen on loopback."""
        self._free = threading.BoundedSemaphore(AT_ONCE)
        self._until: dict[socket, float] = {}
        super().__init__(("127.0.0.1", port), handler)

    def give(self, client: socket, seconds: float) -> None:
        """Let a client have so long from now, for all that it sends or takes."""
        self._until[client] = time.monotonic() + seconds

    def process_request(self, request: Any, client_address: Any) -> None:  # noqa: ANN401 - as the base class has it
        """Answer in a thread, unless too many are being answered."""
        if self._free.acquire(blocking=False):
            self.give(request, ASK_SECONDS)
            super().process_request(request, client_address)
        else:
            self.shutdown_request(request)

    def process_request_thread(self, request: Any, client_address: Any) -> None:  # noqa: ANN401
        """Answer, and make room for another."""
        try:
            super().process_request_thread(request, client_address)
        finally:
            self._until.pop(request, None)
            self._free.release()

    def service_actions(self) -> None:
        """Twice a second: let go of whoever has had their time, which ends the thread that waits for them."""
        now = time.monotonic()
        for client, until in list(self._until.items()):
            if now > until:
                with suppress(OSError):
                    client.shutdown(SHUT_RDWR)

    def handle_error(self, request: object, client_address: object) -> None:
        """Stay silent: a client that went away is nobody's business, and what it asked for is foreign text."""


def serve(shelf: Shelf, port: int) -> Server:
    """A server on loopback that has begun to listen; port 0 takes a free one.

    Raises:
        InputError: the port is taken or not allowed.
    """
    try:
        return Server(port, _handler(shelf))
    except (OSError, OverflowError) as error:
        raise InputError(say("serving.port_another_port_leave", port=port, error=error)) from None


def _headers() -> dict[str, str]:
    """Sent with every answer; a page runs no script but ours, whatever it says of itself."""
    scripts = " ".join(script_hash(script) for script in _SCRIPTS)
    policy = f"default-src 'none'; img-src data: 'self'; style-src 'unsafe-inline'; script-src {scripts}"
    return {
        "Content-Security-Policy": f"{policy}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
        "X-Content-Type-Options": "nosniff",
        "Referrer-Policy": "no-referrer",
        "Cross-Origin-Resource-Policy": "same-origin",
        "Cross-Origin-Opener-Policy": "same-origin",
        "Cache-Control": "no-store",
    }


def _handler(shelf: Shelf) -> type[BaseHTTPRequestHandler]:
    always = _headers()

    class Handler(BaseHTTPRequestHandler):
        server_version = "impassable"
        sys_version = ""
        server: Server

        def do_GET(self) -> None:
            self._send(self._answer(), body=True)

        def do_HEAD(self) -> None:
            self._send(self._answer(), body=False)

        def _answer(self) -> Served:
            own = rf"(127\.0\.0\.1|localhost):{self.server.server_port}"
            self.server.give(self.connection, WORK_SECONDS)
            if not re.fullmatch(own, self.headers.get("Host", "")):  # another site's name for this address
                return Served(b"This server answers to its own address only.\n", _TEXT, 421)
            return shelf.get(unquote(self.path.partition("?")[0], errors="replace"))

        def _send(self, answer: Served, *, body: bool) -> None:
            self.server.give(self.connection, TAKE_SECONDS)
            self.send_response(answer.status)
            told = {"Content-Type": answer.kind, "Content-Length": str(len(answer.data))}
            for name, value in (told | answer.headers | always).items():
                self.send_header(name, value)
            self.end_headers()
            if body:
                self.wfile.write(answer.data)

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the base class calls it so
            """Stay silent: paths are foreign text."""

    return Handler
