"""Nothing that the engine sends is lost, also when it comes in one piece with the head of its answer."""

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import groupby
from operator import itemgetter

import pytest
from docker.utils.socket import frames_iter

import docker
from sandboxes.streams import close_stream, frames

HEAD = b"HTTP/1.1 101 UPGRADED\r\nConnection: Upgrade\r\nUpgrade: tcp\r\n\r\n"
FRAMES = b"\x01\0\0\0\0\0\0\x05quick\x02\0\0\0\0\0\0\x04 and\x01\0\0\0\0\0\0\x05 done"
TOLD = [(1, b"quick"), (2, b" and"), (1, b" done")]


@contextmanager
def engine(*pieces: bytes) -> Iterator[str]:
    """An engine that answers one request with these pieces and hangs up; its address."""
    with socket.create_server(("127.0.0.1", 0)) as listening:

        def answer() -> None:
            line, _ = listening.accept()
            with line:
                asked = b""
                while b"\r\n\r\n" not in asked or not asked.endswith(b"}"):
                    asked += line.recv(65536)
                for piece in pieces:
                    line.sendall(piece)

        thread = threading.Thread(target=answer)
        thread.start()
        yield f"tcp://127.0.0.1:{listening.getsockname()[1]}"
        thread.join()


def told(address: str, reading) -> list[tuple[int, bytes]]:
    api = docker.APIClient(base_url=address, version="1.41")
    connection = api.exec_start("an exec", socket=True)
    try:
        return list(reading(connection))
    finally:
        close_stream(connection)
        api.close()


@pytest.mark.parametrize("pieces", [(HEAD + FRAMES,), (HEAD, FRAMES), (HEAD + FRAMES[:3], FRAMES[3:11], FRAMES[11:])])
def test_every_frame_arrives_however_it_was_sent(pieces: tuple[bytes, ...]):
    with engine(*pieces) as address:
        pieces_told = groupby(told(address, frames), key=itemgetter(0))  # a frame may come in several
        assert [(number, b"".join(data for _, data in parts)) for number, parts in pieces_told] == TOLD


def test_the_sdks_own_reader_still_loses_what_comes_with_the_head():
    with engine(HEAD + FRAMES) as address:
        assert told(address, lambda connection: frames_iter(connection, tty=False)) == []
