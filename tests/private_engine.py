"""A Docker engine of a test's own that it may stop: in its own network, mount and process namespaces.

The machine's own engine, its bridge and its firewall rules never notice. Containers of it have no network.
"""

import contextlib
import os
import shutil
import signal
import subprocess
import tempfile
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from sandboxes import ContainerPool, Engine, EngineUnavailable, Spec

START_SECONDS = 120
STOP_SECONDS = 60
SMALL = "impassable-test/small:1"
"""An image of a few megabytes: a shell and what `sandboxes` itself calls."""
NEEDED = "bash sh timeout sleep id mkdir chown chmod cat ls rm tr awk df dirname cp stat tee seq head wc true printf"
PACK = f"""
set -e
for name in {NEEDED}; do
  path=$(type -P $name) || continue
  echo "$path"; readlink -f "$path"; ldd "$path" 2>/dev/null | grep -o '/[^ ]*' || true
done | sort -u | while read -r path; do
  echo "$(readlink -f "$(dirname "$path")")/$(basename "$path")"; readlink -f "$path"
done > /tmp/list
for path in /bin /lib /lib64; do [ ! -L $path ] || echo $path; done > /tmp/links
(cat /tmp/links; sort -u /tmp/list; printf '%s\\n' /etc/passwd /etc/group /home/agent) | sed 's:^/::' > /tmp/paths
tar -C / --no-recursion -cf /tmp/small.tar -T /tmp/paths
"""


class PrivateEngine:
    """Started and stopped as often as a test wants; `close` leaves nothing."""

    def __init__(self) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="engine-"))
        self.host = f"unix://{self.folder}/s"
        """For `DOCKER_HOST`."""
        self._stopping = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start it and wait until it answers."""
        command = [
            "dockerd",
            f"--data-root={self.folder}/data",
            f"--exec-root={self.folder}/exec",
            f"--pidfile={self.folder}/pid",
            f"--host={self.host}",
            "--bridge=none",
            "--iptables=false",
            "--ip6tables=false",
        ]
        spaces = ["setpriv", "--pdeathsig", "KILL"]  # ends with this process, however that ends
        spaces += ["unshare", "--mount", "--net", "--pid", "--fork", "--mount-proc", "--kill-child"]
        for left in ("pid", "s", "exec"):
            path = self.folder / left
            shutil.rmtree(path) if path.is_dir() else path.unlink(missing_ok=True)
        with (self.folder / "log").open("ab") as log:
            self._process = subprocess.Popen([*spaces, *command], stdout=log, stderr=log, stdin=subprocess.DEVNULL)
        end = time.monotonic() + START_SECONDS
        process = self._process
        while not self._answers():
            assert process.poll() is None, f"dockerd ended: {self.log()}"
            assert time.monotonic() < end, f"dockerd does not answer: {self.log()}"
            time.sleep(0.2)

    def stop(self) -> None:
        """Stop it as a service manager does, and end whatever is left of it; any thread may."""
        with self._stopping:
            process, self._process = self._process, None
            if not process:
                return
            for child in _children(process.pid):
                with contextlib.suppress(ProcessLookupError):
                    os.kill(child, signal.SIGTERM)
            try:
                process.wait(STOP_SECONDS)
            except subprocess.TimeoutExpired:
                process.kill()  # takes its process namespace with it
                process.wait()

    def kill(self) -> None:
        """As `kill -9` ends it, with everything in its namespaces at once."""
        with self._stopping:
            process, self._process = self._process, None
            if process:
                process.kill()
                process.wait()

    def close(self) -> None:
        """Stop it and remove what it kept."""
        self.stop()
        shutil.rmtree(self.folder, ignore_errors=True)

    def load(self, image: bytes) -> None:
        """Give it the small image."""
        (self.folder / "small.tar").write_bytes(image)
        engine = self.connect()
        engine.api.import_image_from_file(str(self.folder / "small.tar"), repository=SMALL[:-2], tag="1")
        engine.close()

    def connect(self) -> Engine:
        """As the program does, without a change to this process's environment that lasts."""
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("DOCKER_HOST", self.host)
            return Engine.connect()

    def log(self) -> str:
        """The end of what it said."""
        return (self.folder / "log").read_text(errors="replace")[-600:]

    def _answers(self) -> bool:
        try:
            self.connect().close()
        except EngineUnavailable:
            return False
        return True


def _children(pid: int) -> list[int]:
    try:
        return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    except OSError:
        return []  # it ended


def small_image(engine: Engine, base: str) -> bytes:
    """A root file system for the small image, out of the base image."""
    with ContainerPool(engine) as containers, containers.start(Spec(image=base, user="root", workdir="/")) as session:
        done = session.run(PACK, seconds=120)
        assert done.ok, done.output
        return session.get("/tmp/small.tar", limit=200_000_000)


@contextlib.contextmanager
def private_engine(engine: Engine, base: str) -> Iterator[PrivateEngine]:
    """One that runs and has `SMALL`; skips where this machine cannot have one."""
    if os.geteuid() != 0 or not all(map(shutil.which, ("dockerd", "unshare", "setpriv"))):
        pytest.skip("an engine of one's own needs root, dockerd, unshare and setpriv")
    made = PrivateEngine()
    try:
        made.start()
        made.load(small_image(engine, base))
        yield made
    finally:
        made.close()
