"""The engine's multiplexed streams: what an exec or an attached container writes, frame by frame."""

import contextlib
from collections.abc import Iterator
from typing import Any

STDOUT = 1
_HEADER = 8
"""Bytes: the stream's number, three zeros, and the frame's length, big endian (Docker Engine API, "Attach")."""


def frames(connection: Any) -> Iterator[tuple[int, bytes]]:  # noqa: ANN401 - the SDK has no types
    """Stream number and data, until the engine closes the stream.

    The SDK's own `frames_iter` reads from the socket beneath the buffer that took the response's head, and so loses
    whatever came in one piece with that head: all of a quick command's output, now and then, on a busy machine.
    """
    response = getattr(connection, "_response", None)
    getattr(connection, "_sock", connection).settimeout(None)
    reader = connection.makefile("rb") if response is None else response.raw._fp.fp
    while len(header := reader.read(_HEADER)) == _HEADER:
        left = int.from_bytes(header[4:], "big")
        while left and (data := reader.read1(left)):
            left -= len(data)
            yield header[0], data


def close_stream(connection: Any) -> None:  # noqa: ANN401 - the SDK has no types
    """Close what the SDK hands over and no longer closes itself: the response, the socket, and the file around it."""
    for part in (getattr(connection, "_response", None), getattr(connection, "_sock", None), connection):
        if part is not None:
            with contextlib.suppress(OSError):
                part.close()
