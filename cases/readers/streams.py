"""Opening files, gzipped or not, and streaming JSON from them, with every failure told in one sentence."""

import gzip
import io
import json
import math
import zlib
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any, BinaryIO, TypeVar, cast

import ijson

from cases.errors import InputError
from cases.readers.pacing import FREE, MOST_VALUES, HostileError, Paced, check_ratio
from cases.sentences import Sentences

say = Sentences(__name__)

T = TypeVar("T")
Opener = Callable[[], AbstractContextManager[BinaryIO]]

GZIP_MAGIC = b"\x1f\x8b"
BOM = b"\xef\xbb\xbf"
WHOLE_LIMIT = 256 * 1024 * 1024
"""Bytes of JSON text that may be held in memory to find out what is wrong with it."""
LONGEST_NUMBER = 400
"""Digits beyond which a number is none that a float can hold."""


@contextmanager
def opened(path: Path) -> Iterator[BinaryIO]:
    """The file's bytes, gunzipped when they are gzipped, without a byte order mark.

    Raises:
        InputError: the file is missing, unreadable or damaged, also when that shows only while it is read.
    """
    try:
        if path.exists() and not path.is_file():
            raise InputError(say("streams.not_regular_file_file", path=path))
        with path.open("rb") as raw:
            packed = raw.read(2) == GZIP_MAGIC
            raw.seek(0)
            stream = cast("BinaryIO", _Unpacking(raw) if packed else raw)
            if stream.read(3) != BOM:
                stream.seek(0)
            yield stream
    except FileNotFoundError as error:
        raise InputError(say("streams.no_file_check_path", path=path)) from error
    except HostileError as error:
        raise InputError(say("streams.file_cannot_taken_check", path=path, error=error)) from error
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise InputError(say("streams.gzip_data_damaged_cut", path=path, error=error)) from error
    except OSError as error:
        reason = error.strerror or str(error)
        raise InputError(say("streams.file_cannot_read_check", path=path, reason=reason)) from error


class _Unpacking(gzip.GzipFile):
    """A gzip stream that refuses to unpack beyond measure."""

    def __init__(self, packed: BinaryIO) -> None:
        super().__init__(fileobj=packed)
        self._packed = packed

    def read(self, size: int | None = -1) -> bytes:
        """As GzipFile; a whole file is unpacked in steps, so that a bomb shows before it is in memory."""
        if size is not None and size >= 0:
            data = super().read(size)
            check_ratio(self._packed.tell(), self.tell())
            return data
        pieces = []
        while piece := self.read(FREE // 4):
            pieces.append(piece)
        return b"".join(pieces)


def stream_json(path: Path, consume: Callable[[BinaryIO], T], opener: Opener | None = None) -> T:
    """What `consume` makes of the JSON text of the file, or of what `opener` opens in its place.

    `consume` may be called twice and must begin anew each time. The second time it gets a repaired copy: Python writes
    `NaN` and `Infinity`, which are no JSON; they become null, and whole numbers beyond 64 bits become floats.

    Raises:
        InputError: the file is damaged, nested too deeply or too large in its numbers.
    """
    try:
        with opener() if opener else opened(path) as stream:
            return consume(cast("BinaryIO", Paced(stream)))
    except (ijson.JSONError, UnicodeDecodeError):
        repaired = io.BytesIO(_repaired(path, opener))
    except (RecursionError, OverflowError, ValueError) as error:
        raise _not_taken(path, error) from error
    try:
        return consume(cast("BinaryIO", Paced(cast("BinaryIO", repaired))))
    except (ijson.JSONError, RecursionError, OverflowError, ValueError) as error:
        raise _not_taken(path, error) from error


def load_json(path: Path) -> object:
    """The file's whole JSON value, for formats whose files are small.

    Raises:
        InputError: as `stream_json`.
    """
    with opened(path) as stream:
        raw = stream.read(WHOLE_LIMIT + 1)
    return loads(path, raw)


def load_object(path: Path, noun: str) -> dict[str, Any]:
    """The file's one JSON object, which is a `noun`.

    Raises:
        InputError: as `stream_json`, or it is another JSON value.
    """
    data = load_json(path)
    if not isinstance(data, dict):
        raise InputError(say("streams.json_object_file", path=path, noun=noun))
    return data


def items(stream: BinaryIO, prefix: str) -> Iterator[Any]:
    """The values at an ijson prefix, one in memory at a time."""
    paced = _paced(stream)
    paced.hold()
    for item in ijson.items(paced, prefix, use_float=True):
        yield item
        paced.hold()


def _paced(stream: BinaryIO) -> Paced:
    return stream if isinstance(stream, Paced) else Paced(stream)


def read_text(path: Path, consume: Callable[[BinaryIO], T], opener: Opener | None = None) -> T:
    """What `consume` makes of the bytes of the file, which hold JSON, or of what `opener` opens in its place.

    Raises:
        InputError: as `stream_json`.
    """
    try:
        with opener() if opener else opened(path) as stream:
            return consume(stream)
    except (json.JSONDecodeError, UnicodeDecodeError) as error:
        _whole(path, opener)  # says what is wrong, and where
        raise _not_taken(path, error) from error
    except (RecursionError, OverflowError, ValueError) as error:
        raise _not_taken(path, error) from error


def parsed(text: str) -> Any:  # noqa: ANN401
    """A JSON value as Python writes it; what no float holds is null.

    Raises:
        JSONDecodeError: it is none.
        RecursionError: it is nested too deeply.
    """
    return DECODER.decode(text)


def _repaired(path: Path, opener: Opener | None) -> bytes:
    try:
        return json.dumps(_whole(path, opener), allow_nan=False).encode()
    except (RecursionError, ValueError) as error:
        raise _not_taken(path, error) from error


def _whole(path: Path, opener: Opener | None) -> Any:  # noqa: ANN401
    with opener() if opener else opened(path) as stream:
        raw = stream.read(WHOLE_LIMIT + 1)
    if len(raw) > WHOLE_LIMIT:
        raise InputError(say("streams.json_malformed_cut_off", path=path, st_size=path.stat().st_size))
    return loads(path, raw)


def loads(path: Path, raw: bytes, line: int | None = None, limit: int = WHOLE_LIMIT) -> Any:  # noqa: ANN401
    """The JSON value of a whole text, that of a file or of one of its lines.

    Raises:
        InputError: it is damaged, too large, or nested too deeply.
    """
    where = f"{path}, line {line}" if line else str(path)
    if len(raw) > limit or sum(raw.count(mark) for mark in (b",", b"[", b"{")) > MOST_VALUES:
        raise InputError(say("streams.json_too_large_taken", where=where))
    try:
        text = raw.decode("utf-8")
        return parsed(text)
    except UnicodeDecodeError as error:
        raise InputError(say("streams.byte_text_not_utf", where=where, start=error.start)) from error
    except json.JSONDecodeError as error:
        at = say("streams.line_column", path=path, line=line or error.lineno, colno=error.colno)
        if not text[error.pos :].strip() or error.msg.startswith("Unterminated string"):
            message = say("streams.json_cut_off_after", number=len(raw))
        else:
            message = say("streams.json_malformed_correct_fetch", msg=error.msg)
        raise InputError(f"{at}: {message}") from error
    except (RecursionError, OverflowError, ValueError) as error:
        raise _not_taken(where, error) from error


def _not_taken(where: object, error: Exception) -> InputError:
    return InputError(say("streams.json_cannot_taken_check", where=where, reason=_reason(error)))


def _finite(digits: str) -> float | None:
    return value if len(digits) <= LONGEST_NUMBER and math.isfinite(value := float(digits)) else None


def _integer(digits: str) -> int | float | None:
    return int(digits) if len(digits) < 19 else _finite(digits)


DECODER = json.JSONDecoder(parse_constant=lambda _: None, parse_float=_finite, parse_int=_integer)
"""Of JSON as Python writes it, however long its numbers are."""


def _reason(error: Exception) -> str:
    if isinstance(error, RecursionError):
        return say("streams.nested_too_deeply")
    return str(error).splitlines()[0][:160] if str(error) else type(error).__name__
