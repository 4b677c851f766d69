"""`verify key`: the key that signs packs."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cases.sentences import Sentences
from verify.help import Gathered
from verify.options import AsJson

if TYPE_CHECKING:
    from evidence.signing import Key

say = Sentences(__name__)

_keys = typer.Typer(cls=Gathered, rich_markup_mode=None, help="Make or show the key that signs packs.")


def register(app: typer.Typer) -> None:
    """Add the commands to the program."""
    app.add_typer(_keys, name="key")


@_keys.command()
def new(
    out: Annotated[
        Path | None, typer.Option("--out", metavar="FILE", help="Where the private key goes (default: user settings).")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Make an ed25519 key: the private part for you alone, the public part beside it as .pub."""
    from evidence.signing import new_key

    path = out or _default()
    _tell(path, new_key(path), as_json=as_json)


@_keys.command()
def show(
    key: Annotated[
        Path | None, typer.Option("--key", metavar="FILE", help="The key (default: the configured one).")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Print the public part of a key."""
    from cases import InputError
    from evidence.signing import load_key
    from verify.config import load

    path = load({"key": key}).key or _default()
    if not path.exists():
        raise InputError(say("key.no_key_verify_key", path=path))
    _tell(path, load_key(path), as_json=as_json)


def _default() -> Path:
    import platformdirs

    return Path(platformdirs.user_config_dir("impassable", appauthor=False)) / "key.pem"


def _tell(path: Path, key: "Key", *, as_json: bool) -> None:
    from evidence.signing import LIMIT
    from verify.failures import SCHEMA
    from verify.terminal import answer, one_line, out

    if as_json:
        told = {"file": str(path), "fingerprint": key.fingerprint, "public_key": key.pem}
        answer(json.dumps({"schema": SCHEMA, "key": told}))
        return
    console = out()
    console.print(key.pem, end="")
    console.print(f"fingerprint  {key.fingerprint}")
    console.print(f"key          {one_line(str(path))}")
    console.print(say("key.sign_key_verify_key", path=one_line(str(path))))
    console.print(f"limit        {LIMIT}")
