"""`verify check`: whether packs are what was written, and whose signature they bear."""

import json
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from cases.sentences import Sentences
from verify.options import AsJson, Packs, SignedBy

if TYPE_CHECKING:
    from evidence.checking import Checked

say = Sentences(__name__)


def register(app: typer.Typer) -> None:
    """Add the command to the program."""
    app.command()(check)


def check(
    packs: Packs,
    *,
    key: SignedBy = None,
    as_json: AsJson = False,
) -> None:
    """Check packs against their manifests and signatures, byte for byte."""
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
    console.print(
        say(
            "check.files_written_digest",
            path=one_line(str(found.path)),
            files=len(found.content),
            digest=found.digest,
        )
    )
    if found.signer is None:
        console.print(say("check.unsigned_nobody_vouches_whoever"))
        console.print(say("check.verify_recompute_shows_whether"))
    elif demanded:
        console.print(say("check.signed_key_you_named", fingerprint=found.signer.fingerprint))
    else:
        console.print(say("check.signed_demand_key_you", fingerprint=found.signer.fingerprint, limit=LIMIT))
