"""Opening files, gzipped or not, and streaming JSON from them, with every failure told in one sentence."""

import gzip
import io
import json
import math
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, TypeVar, cast

import ijson

from cases.errors import InputError

T = TypeVar("T")

GZIP_MAGIC = b"\x1f\x8b"
BOM = b"\xef\xbb\xbf"
WHOLE_LIMIT = 256 * 1024 * 1024
"""Bytes of JSON text that may be held in memory to find out what is wrong with it."""
BUFFER = 4_096
"""Bytes parsed at once; ijson makes the paths of a whole buffer before it yields, so endless nesting must show soon."""
DEEPEST = 20_000
"""Characters of an ijson path beyond which nesting is taken for an accident or an attack."""


@contextmanager
def opened(path: Path) -> Iterator[BinaryIO]:
    """The file's bytes, gunzipped when they are gzipped, without a byte order mark.

    Raises:
        InputError: the file is missing, unreadable or damaged, also when that shows only while it is read.
    """
    try:
        if path.exists() and not path.is_file():
            raise InputError(f"{path}: this is not a regular file; give a file, a directory or a glob.")
        with path.open("rb") as raw:
            packed = raw.read(2) == GZIP_MAGIC
            raw.seek(0)
            stream = cast("BinaryIO", gzip.GzipFile(fileobj=raw) if packed else raw)
            if stream.read(3) != BOM:
                stream.seek(0)
            yield stream
    except FileNotFoundError as error:
        raise InputError(f"{path}: there is no such file; check the path.") from error
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise InputError(
            f"{path}: the gzip data is damaged or cut off ({error}); fetch or compress the file again."
        ) from error
    except OSError as error:
        reason = error.strerror or str(error)
        raise InputError(f"{path}: the file cannot be read ({reason}); check its path and permissions.") from error


def stream_json(path: Path, consume: Callable[[BinaryIO], T]) -> T:
    """What `consume` makes of the file's JSON text; it may be called twice and must begin anew each time.

    The second time it gets a repaired copy: Python writes `NaN` and `Infinity`, which are no JSON; they become
    null, and whole numbers beyond 64 bits become floats.

    Raises:
        InputError: the file is damaged, nested too deeply or too large in its numbers.
    """
    try:
        with opened(path) as stream:
            return consume(stream)
    except (ijson.JSONError, UnicodeDecodeError):
        repaired = io.BytesIO(_repaired(path))
    except (RecursionError, OverflowError, ValueError) as error:
        raise InputError(
            f"{path}: the JSON cannot be taken in ({_reason(error)}); check how it was written."
        ) from error
    try:
        return consume(repaired)
    except (ijson.JSONError, RecursionError, OverflowError, ValueError) as error:
        raise InputError(
            f"{path}: the JSON cannot be taken in ({_reason(error)}); check how it was written."
        ) from error


def load_json(path: Path) -> object:
    """The file's whole JSON value, for formats whose files are small.

    Raises:
        InputError: as `stream_json`.
    """
    with opened(path) as stream:
        raw = stream.read()
    return _loads(path, raw)


def check_depth(path: Path, prefix: str) -> None:
    """Refuse nesting without end.

    Raises:
        InputError: `prefix`, an ijson path, is longer than any real file's.
    """
    if len(prefix) > DEEPEST:
        raise InputError(f"{path}: the JSON is nested too deeply to be a log; check how it was written.")


def _repaired(path: Path) -> bytes:
    with opened(path) as stream:
        raw = stream.read(WHOLE_LIMIT + 1)
    if len(raw) > WHOLE_LIMIT:
        raise InputError(
            f"{path}: the JSON is malformed or cut off somewhere in its {path.stat().st_size} bytes; "
            "fetch the file again or check it with a JSON tool."
        )
    try:
        return json.dumps(_loads(path, raw), allow_nan=False).encode()
    except (RecursionError, ValueError) as error:
        raise InputError(
            f"{path}: the JSON cannot be taken in ({_reason(error)}); check how it was written."
        ) from error


def _loads(path: Path, raw: bytes) -> object:
    try:
        text = raw.decode("utf-8")
        return json.loads(text, parse_constant=lambda _: None, parse_float=_finite, parse_int=_integer)
    except UnicodeDecodeError as error:
        raise InputError(f"{path}, byte {error.start}: the text is not UTF-8 there; save the file as UTF-8.") from error
    except json.JSONDecodeError as error:
        where = f"{path}, line {error.lineno} column {error.colno}"
        if not text[error.pos :].strip() or error.msg.startswith("Unterminated string"):
            message = f"the JSON is cut off after {len(raw)} bytes; the file is incomplete, fetch it again."
        else:
            message = f"the JSON is malformed ({error.msg}); correct it there or fetch the file again."
        raise InputError(f"{where}: {message}") from error
    except (RecursionError, OverflowError, ValueError) as error:
        raise InputError(
            f"{path}: the JSON cannot be taken in ({_reason(error)}); check how it was written."
        ) from error


def _finite(digits: str) -> float | None:
    return value if math.isfinite(value := float(digits)) else None


def _integer(digits: str) -> int | float | None:
    return int(digits) if len(digits) < 19 else _finite(digits)


def _reason(error: Exception) -> str:
    if isinstance(error, RecursionError):
        return "it is nested too deeply"
    return str(error).splitlines()[0][:160] if str(error) else type(error).__name__
