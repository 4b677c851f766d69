"""`verify view`: serves a pack's report, or a folder of packs with their index, on loopback."""

import signal
import threading
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cases.sentences import Sentences

if TYPE_CHECKING:
    from http.server import ThreadingHTTPServer

say = Sentences(__name__)


def register(app: typer.Typer) -> None:
    """Add the command to the program."""
    app.command()(view)


def view(
    path: Annotated[Path, typer.Argument(metavar="PACK|DIR", help="A pack, its .zip, or a folder of packs.")] = Path(
        "packs"
    ),
    *,
    port: Annotated[int, typer.Option("--port", metavar="N", help="Serve on this port (default: a free one).")] = 0,
    no_open: Annotated[bool, typer.Option("--no-open", help="Only print the address.")] = False,
    write: Annotated[
        bool, typer.Option("--write", help="Write index.html, index.csv and index.json into the folder; serve nothing.")
    ] = False,
) -> None:
    """Show a pack's report, or a folder of packs with an index, until Ctrl-C.

    A report is shown only if the pack's own records give exactly that report.
    """
    from cases import InputError
    from evidence.index import listing, packs_in
    from evidence.index import write as write_index
    from verify.serving import Shelf, compared, serve

    folder = path.resolve()
    if write:
        if not path.is_dir() or not packs_in(folder):
            raise InputError(say("view.no_folder_packs_write", path=path))
        _show(str(write_index(listing(folder, compared=True), folder)), no_open=no_open)
    elif folder.is_file() or (folder / "verdict.json").is_file():
        compared(folder)
        _serve(serve(Shelf(folder.parent, folder.name), port), no_open=no_open)
    elif folder.is_dir() and packs_in(folder):
        _serve(serve(Shelf(folder), port), no_open=no_open)
    else:
        raise InputError(say("view.no_pack_no_folder", path=path))


def _show(place: str, *, no_open: bool) -> None:
    """Print a path or an address, and open it."""
    import webbrowser

    from verify.terminal import answer, clean, warn

    answer(clean(place))
    if not no_open and not webbrowser.open(place if "://" in place else Path(place).as_uri()):
        warn(say("view.no_browser_opens_open"))


def _serve(server: "ThreadingHTTPServer", *, no_open: bool) -> None:
    """Serve until Ctrl-C or a termination request, which both end it in order."""
    import sys

    signal.signal(signal.SIGTERM, signal.default_int_handler)
    serving = threading.Thread(target=server.serve_forever, daemon=True)
    serving.start()
    try:
        _show(f"http://127.0.0.1:{server.server_address[1]}/", no_open=no_open)
        sys.stderr.write("verify: serving on this machine only; Ctrl-C ends it\n")
        serving.join()
    except KeyboardInterrupt:
        pass
    finally:
        server.shutdown()
        server.server_close()
