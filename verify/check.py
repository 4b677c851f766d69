"""`verify check`: whether packs are what was written, and whose signature they bear."""

import json
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from verify.options import AsJson, Packs, SignedBy

if TYPE_CHECKING:
    from evidence.checking import Checked


def register(app: typer.Typer) -> None:
    """Add the command to the program."""
    app.command()(check)


def check(
    packs: Packs,
    *,
    key: SignedBy = None,
    as_json: AsJson = False,
) -> None:
    """Compare packs with their manifests and signatures: every byte, no file more or less."""
    from evidence.checking import check as compare
    from evidence.signing import load_key
    from verify import terminal
    from verify.several import each

    wanted = None if key is None else load_key(key)

    def compared(path: Path) -> None:
        found = compare(path, wanted)
        if as_json:
            terminal.answer(json.dumps(_document(found)))
        else:
            _show(found, demanded=wanted is not None)

    each(packs, compared, as_json=as_json)


def _document(found: "Checked") -> dict[str, object]:
    from verify.failures import SCHEMA

    signer = found.signer and {"fingerprint": found.signer.fingerprint, "public_key": found.signer.pem}
    told = {"pack": str(found.path), "digest": found.digest, "files": len(found.content), "signer": signer}
    return {"schema": SCHEMA, "check": told}


def _show(found: "Checked", *, demanded: bool) -> None:
    from evidence.signing import LIMIT
    from verify.terminal import one_line, out

    console = out()
    console.print("ok", style="bold green", end="")
    console.print(f"  {one_line(str(found.path))}: {len(found.content)} files as written, digest {found.digest}")
    if found.signer is None:
        console.print(
            "    unsigned: nobody vouches for it; whoever wrote it could have written anything that fits together"
        )
        console.print("    (verify recompute shows whether it fits, --key FILE demands a signature)")
    elif demanded:
        console.print(f"    signed by the key you named, {found.signer.fingerprint}")
    else:
        console.print(f"    signed by {found.signer.fingerprint}; {LIMIT}: demand a key that you know with --key")
