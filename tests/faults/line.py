"""A line to a server that can be cut, or slowed, and mended."""

import contextlib
import socket
import threading
import time
from collections.abc import Callable

Connect = Callable[[], socket.socket]


def to_port(port: int) -> Connect:
    """A connection to a port of this machine."""
    return lambda: socket.create_connection(("127.0.0.1", port))


def to_socket(path: str) -> Connect:
    """A connection to a socket in the file system."""

    def connected() -> socket.socket:
        made = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        made.connect(path)
        return made

    return connected


class Line:
    """Listens on a port of its own from the beginning to `close`, whatever happens to what goes through it."""

    def __init__(self, connect: Connect) -> None:
        self._connect = connect
        self._server = socket.create_server(("127.0.0.1", 0), backlog=64)
        self._open = set[socket.socket]()
        self._lock = threading.Lock()
        self._whole = True
        self.delay = 0.0
        """Seconds that each piece of an answer comes late."""
        self.address = f"127.0.0.1:{self._server.getsockname()[1]}"
        self._thread = threading.Thread(target=self._accept, daemon=True)
        self._thread.start()

    def cut(self) -> None:
        """End every connection; whoever connects from now on is hung up on."""
        self._whole = False
        self._hang_up()

    def mend(self) -> None:
        """As in the beginning."""
        self._whole, self.delay = True, 0.0

    def close(self) -> None:
        """Listen no more."""
        self._whole = False
        with contextlib.suppress(OSError):
            self._server.shutdown(socket.SHUT_RDWR)
        self._thread.join()
        self._server.close()
        self._hang_up()

    def _hang_up(self) -> None:
        with self._lock:
            ends, self._open = self._open, set()
        for end in ends:
            with contextlib.suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)

    def _accept(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                client, _ = self._server.accept()
                threading.Thread(target=self._serve, args=(client,), daemon=True).start()

    def _serve(self, client: socket.socket) -> None:
        with client, contextlib.suppress(OSError):
            if not self._whole:
                return
            with self._connect() as server:
                with self._lock:
                    self._open |= {client, server}
                back = threading.Thread(target=self._copy, args=(server, client), daemon=True)
                back.start()
                self._copy(client, server, answers=False)
                back.join()
                with self._lock:
                    self._open -= {client, server}

    def _copy(self, source: socket.socket, target: socket.socket, *, answers: bool = True) -> None:
        with contextlib.suppress(OSError):
            while data := source.recv(65536):
                if answers and self.delay:
                    time.sleep(self.delay)
                target.sendall(data)
        with contextlib.suppress(OSError):
            target.shutdown(socket.SHUT_WR)
