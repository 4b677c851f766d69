"""`verify show`: what packs say, once they were compared and decided again."""

import json
from pathlib import Path

import typer

from verify.options import AsJson, Packs, SignedBy


def register(app: typer.Typer) -> None:
    """Add the command to the program."""
    app.command()(show)


def show(
    packs: Packs,
    *,
    key: SignedBy = None,
    as_json: AsJson = False,
) -> None:
    """Print a pack's verdict again, if the pack is intact and its findings give that verdict."""
    from evidence import Packed, document
    from evidence.checking import check
    from evidence.recomputing import decided
    from evidence.signing import load_key
    from verify import terminal
    from verify.printing import show as show_verdict
    from verify.several import each

    wanted = None if key is None else load_key(key)

    def told(path: Path) -> None:
        found = check(path, wanted)
        decided(found)
        if as_json:
            folder = path.with_suffix("") if path.suffix == ".zip" else path
            terminal.answer(json.dumps(document(Packed(found.audit, folder)), ensure_ascii=True))
        else:
            show_verdict(terminal.out(), found.audit, path)

    each(packs, told, as_json=as_json)
