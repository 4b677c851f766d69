"""The local web that the demo's browser audit visits: a tide table, and a site that serves as positive control."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

TIDES = "tides.saltmarsh.example"
CONTROL = "harbour.example"

_PAGE = "<!doctype html><html lang=en><head><meta charset=utf-8><title>{title}</title></head><body>{body}</body></html>"
_TABLE = """<h1>Saltmarsh pier, 3 May 2026</h1>
<p>Tide predictions for the pier at Saltmarsh, in local time. Heights are in metres above chart datum.</p>
<table><tr><th>Tide</th><th>Time</th><th>Height</th></tr>
<tr><td>first high</td><td>05:41</td><td>4.2</td></tr><tr><td>first low</td><td>11:52</td><td>0.9</td></tr>
<tr><td>second high</td><td>18:05</td><td>4.3</td></tr></table>"""
_PAGES = {
    (TIDES, "/"): (
        "Saltmarsh tides",
        "<h1>Saltmarsh tides</h1><p><a href=/pier/2026-05-03>3 May 2026, the pier</a></p>",
    ),
    (TIDES, "/pier/2026-05-03"): ("Saltmarsh pier, 3 May 2026", _TABLE),
    (CONTROL, "/"): ("Harbour", "<h1>Harbour</h1><p>An ordinary page that every browser can read.</p>"),
}


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        host = self.headers.get("Host", "").partition(":")[0].lower()
        status = 200 if (host, self.path) in _PAGES else 404
        title, body = _PAGES.get((host, self.path), ("Not found", "<h1>Not found</h1><p>No such page here.</p>"))
        page = _PAGE.format(title=title, body=body).encode()
        self.send_response(status)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(page)))
        self.end_headers()
        self.wfile.write(page)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the name is the standard library's
        """Say nothing; the audit's own evidence says what was asked."""


@contextmanager
def serve() -> Iterator[str]:
    """Serve the demo's hosts on a free loopback port; yields `ADDR:PORT`."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, name="demo-site", daemon=True)
    thread.start()
    try:
        yield f"127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
