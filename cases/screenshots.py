"""Screenshots that a run's own files keep of the pages that it saw; they are no text, so that no block holds them."""

import base64
import binascii
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from cases import patterns as re
from cases.errors import InputError
from cases.model import Run
from cases.readers.fields import listed, mapping, text_of
from cases.readers.streams import load_object

LARGEST = 8_000_000
"""Bytes of one picture."""
_BROWSER_USE, _BROWSERGYM = "browser-use", "browsergym"
_STEP = re.compile(r"\Ascreenshot_step_(\d{1,6})\.(?:png|jpe?g)\Z")


@dataclass(frozen=True)
class Screenshot:
    """A page as the run's browser showed it."""

    data: bytes
    """Of PNG or JPEG, as it claims."""
    block: int
    """The block of the log that tells of the same moment."""


def screenshot(run: Run, url: str) -> Screenshot | None:
    """The last one of a page at this address; None where the run's files keep none, or are not at hand."""
    if run.transcript is None or run.environment.get("scaffold") not in {_BROWSER_USE, _BROWSERGYM}:
        return None
    source = Path(run.source)
    use = run.environment["scaffold"] == _BROWSER_USE
    shown = [block for block in run.transcript.blocks if block.role == "environment"]
    try:
        kept = dict(enumerate(_in_history(source))) if use else dict(_beside(source))
        for number, block in reversed([*enumerate(shown)]):
            if block.url and number in kept and same_page(block.url, url) and (data := kept[number]()):
                return Screenshot(data, block.index)
    except (OSError, InputError):
        return None
    return None


def same_page(one: str, other: str) -> bool:
    """Whether two addresses are of one page, whatever their schemes, `www.` and last slashes."""
    first, second = (re.sub(r"^https?://(?:www\.)?|/$", "", url) for url in (one, other))
    return first == second


def _in_history(source: Path) -> Iterator[Callable[[], bytes | None]]:
    """Of browser-use: one for each entry that has a page's state, as its reader makes one block of each."""
    for entry in listed(load_object(source, "history").get("history")):
        if state := mapping(mapping(entry).get("state")):
            text = text_of(state.get("screenshot")) or ""
            yield partial(_decoded, text)


def _decoded(text: str) -> bytes | None:
    bare = text.rpartition("base64,")[2] if text.startswith("data:") else text
    try:
        return base64.b64decode(bare, validate=True) if len(bare) <= LARGEST else None
    except (binascii.Error, ValueError):
        return None


def _beside(source: Path) -> Iterator[tuple[int, Callable[[], bytes | None]]]:
    """Of BrowserGym: pictures beside the summary, by the numbers of their steps."""
    for path in sorted(source.resolve().parent.iterdir()):
        if match := _STEP.match(path.name):
            yield int(match[1]), partial(_read, path)


def _read(path: Path) -> bytes | None:
    if path.is_symlink() or not path.is_file() or path.stat().st_size > LARGEST:
        return None
    return path.read_bytes()
