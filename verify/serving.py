"""Packs over HTTP on loopback, read-only: the index, and of each pack the files that it holds."""

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache
from http.server import BaseHTTPRequestHandler, HTTPServer, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import quote, unquote

from cases import ImpassableError, InputError
from evidence.archive import opened
from evidence.index import as_csv, as_html, as_json, listing, packs_in
from evidence.report.page import script_hash

_TEXT = "text/plain; charset=utf-8"
_PICTURES = {".png": "image/png", ".jpg": "image/jpeg", ".jpeg": "image/jpeg", ".webp": "image/webp"}
_ARCHIVES = (".zip", ".gz", ".bin")
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

    def get(self, path: str) -> Served:
        """The answer to a decoded path; only files that a pack lists by that very path."""
        name, _, inside = path.removeprefix("/").partition("/")
        if not name and self.alone:
            return Served(b"", _TEXT, 302, {"Location": f"/{quote(self.alone)}/report.html"})
        if not inside and not self.alone and (page := self._index(name)):
            return page
        pack = self.folder / name
        if self.alone not in ("", name) or pack not in packs_in(self.folder):
            return NOWHERE
        try:
            return _file(_content(pack, _stamp(pack)), inside)
        except ImpassableError as error:
            return Served(f"{error}\n".encode("utf-8", "backslashreplace"), _TEXT, 409)

    def _index(self, name: str) -> Served | None:
        forms: dict[str, tuple[Callable[[], str], str]] = {
            "": (lambda: as_html(listing(self.folder), served=True), "text/html; charset=utf-8"),
            "index.csv": (lambda: as_csv(listing(self.folder)), "text/csv; charset=utf-8"),
            "index.json": (lambda: as_json(listing(self.folder)), "application/json"),
        }
        if name not in forms:
            return None
        write, kind = forms[name]
        return Served(write().encode(), kind)


def _file(content: dict[str, bytes], path: str) -> Served:
    if path not in content:
        return NOWHERE
    ending = Path(path).suffix.lower()
    if path == "report.html":
        return Served(content[path], "text/html; charset=utf-8")
    if ending in _ARCHIVES:
        return Served(content[path], "application/octet-stream", headers={"Content-Disposition": "attachment"})
    return Served(content[path], _PICTURES.get(ending, _TEXT))


@lru_cache(maxsize=4)
def _content(pack: Path, stamp: tuple[int, ...]) -> dict[str, bytes]:
    return opened(pack).content


def _stamp(pack: Path) -> tuple[int, ...]:
    told = pack if pack.is_file() else pack / "verdict.json"
    return (told.stat().st_mtime_ns, told.stat().st_size)


def serve(shelf: Shelf, port: int) -> ThreadingHTTPServer:
    """A server on loopback that has begun to listen; port 0 takes a free one.

    Raises:
        InputError: the port is taken or not allowed.
    """
    try:
        server = ThreadingHTTPServer(("127.0.0.1", port), _handler(shelf))
    except (OSError, OverflowError) as error:
        raise InputError(f"--port {port}: {error}; name another port, or leave it out") from None
    server.daemon_threads = True
    return server


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
        timeout = 30

        def do_GET(self) -> None:
            self._send(self._answer(), body=True)

        def do_HEAD(self) -> None:
            self._send(self._answer(), body=False)

        def _answer(self) -> Served:
            assert isinstance(self.server, HTTPServer)
            own = rf"(127\.0\.0\.1|localhost):{self.server.server_port}"
            if not re.fullmatch(own, self.headers.get("Host", "")):  # another site's name for this address
                return Served(b"This server answers to its own address only.\n", _TEXT, 421)
            return shelf.get(unquote(self.path.partition("?")[0], errors="replace"))

        def _send(self, answer: Served, *, body: bool) -> None:
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
