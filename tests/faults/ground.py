"""Where a campaign takes place: an engine, a web and a small disk of its own, and what is left on them."""

import os
import subprocess
import sys
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path

from sandboxes import Engine
from sandboxes.images import base_tag
from sandboxes.owner import LABEL, Owner
from sandboxes.temporary import PREFIX, sweep
from tests.private_engine import PrivateEngine, private_engine

from .line import Line, to_port, to_socket
from .worlds import CONTAINERS, INDEXES, Batch, container_batch, sites, web_batch

ROOT = Path(__file__).resolve().parents[2]
DISK_MB = 200
GONE_SECONDS = 20
"""How long what was killed, and what ends by itself when its program does, may take to be gone."""


class Ground:
    """Made once for many trials; leaves nothing when it is closed."""

    def __init__(self, batches: tuple[str, ...]) -> None:
        """With what the named batches need."""
        with ExitStack() as stack:
            self.folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="faults-")))
            self.folder.chmod(0o711)  # Chromium has a user of its own
            self.disk = self.folder / "disk"
            self.disk.mkdir()
            _mount(self.disk)
            stack.callback(_unmount, self.disk)
            self.temporary = self.disk / "tmp"
            self.temporary.mkdir(mode=0o777)
            self.temporary.chmod(0o1777)
            self.private: PrivateEngine | None = None
            self.lines: dict[str, Line] = {}
            self.batches: dict[str, Batch] = {}
            if {"containers", "indexes"} & set(batches):
                self._with_engine(stack, batches)
            if "web" in batches:
                lab = stack.enter_context(sites())
                self.lines["web"] = Line(to_port(int(lab.address.rpartition(":")[2])))
                stack.callback(self.lines["web"].close)
                self.batches["web"] = web_batch(self.folder / "web", lab, self.lines["web"].address)
            self._stack = stack.pop_all()

    def close(self) -> None:
        """Remove it all."""
        self._stack.close()

    def _with_engine(self, stack: ExitStack, batches: tuple[str, ...]) -> None:
        shared = Engine.connect(sweep=False)
        stack.callback(shared.close)
        self.private = stack.enter_context(private_engine(shared, base_tag()))
        engine = self.private.connect()
        engine.api.load_image(b"".join(shared.api.get_image(base_tag())))
        for name, ids in (("containers", CONTAINERS), ("indexes", INDEXES)):
            if name in batches:
                self.batches[name] = container_batch(name, ids, self.folder / name, engine)
        engine.close()
        self.lines["engine"] = Line(to_socket(self.private.host.removeprefix("unix://")))
        stack.callback(self.lines["engine"].close)

    def environment(self, *, through_line: bool) -> dict[str, str]:
        """Of the program: a home, a disk and an engine that nobody else has."""
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("VERIFY_", "OPENAI_"))}
        browsers = kept.get("PLAYWRIGHT_BROWSERS_PATH", str(Path.home() / ".cache" / "ms-playwright"))
        home = self.folder / "home"
        kept |= {"HOME": str(home), "XDG_CONFIG_HOME": f"{home}/config", "XDG_STATE_HOME": f"{home}/state"}
        kept |= {"XDG_CACHE_HOME": f"{tempfile.gettempdir()}/impassable-tests", "HF_ENDPOINT": "http://127.0.0.1:9"}
        kept |= {"PLAYWRIGHT_BROWSERS_PATH": browsers, "PYTHONPATH": str(ROOT), "TMPDIR": str(self.temporary)}
        if self.private:
            address = f"tcp://{self.lines['engine'].address}" if through_line else self.private.host
            kept["DOCKER_HOST"] = address
        return kept

    def processes(self, besides: int = 0) -> dict[int, str]:
        """What runs on this ground, by its environment."""
        mark, found = f"{self.folder}/".encode(), dict[int, str]()
        for entry in Path("/proc").glob("[0-9]*"):
            try:
                told = (entry / "environ").read_bytes() + (entry / "cmdline").read_bytes()
                words = (entry / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace").strip()
            except OSError:
                continue
            if mark in told and words and int(entry.name) not in (os.getpid(), besides):
                found[int(entry.name)] = words
        return found

    def objects(self) -> list[str]:
        """What an engine keeps that says whose it is, after what every start of the program clears up."""
        if not self.private:
            return []
        engine = self.private.connect()
        try:
            wanted, api = {"filters": {"label": LABEL}}, engine.api
            found = [(f"container {one['Id'][:12]}, {one['State']}", one) for one in api.containers(all=True, **wanted)]
            found += [(f"image {one['Id'][:19]}", one) for one in api.images(**wanted)]
            found += [(f"volume {one['Name']}", one) for one in api.volumes(**wanted)["Volumes"] or []]
            found += [(f"network {one['Id'][:12]}", one) for one in api.networks(**wanted)]
            owned = ((told, Owner.parse(one["Labels"][LABEL])) for told, one in found)
            return [told for told, owner in owned if owner and owner.pid != os.getpid()]  # ours, and what is to be kept
        finally:
            engine.close()

    def left(self) -> list[str]:
        """What is there though no program runs: processes, things of the engine, and temporary directories."""
        end = time.monotonic() + GONE_SECONDS
        while True:
            processes = [f"process {pid}: {words[:120]}" for pid, words in self.processes().items()]
            found = [*processes, *self.objects()]
            if not found or time.monotonic() > end:
                break
            time.sleep(0.2)
        sweep(self.temporary, f"{PREFIX}*")  # as every start of the program does
        return [*found, *(f"directory {path.relative_to(self.disk)}" for path in self._directories())]

    def _directories(self) -> list[Path]:
        temporary = [path for path in self.temporary.iterdir() if path.is_dir()]
        return [*temporary, *self.disk.glob("packs-*/.*.partial"), *self.disk.glob("state-*/*.finished")]

    def cleared(self) -> None:
        """Whatever is left is removed by us, so that it is counted once."""
        for pid in self.processes():
            try:
                os.kill(pid, 9)
            except ProcessLookupError:
                continue
        for path in self._directories():
            subprocess.run(["rm", "-rf", str(path)], check=True)


def _mount(folder: Path) -> None:
    command = ["mount", "-t", "tmpfs", "-o", f"size={DISK_MB}m,mode=0711", "impassable-faults", str(folder)]
    subprocess.run(command, check=True)


def _unmount(folder: Path) -> None:
    done = subprocess.run(["umount", str(folder)], check=False, capture_output=True)
    if done.returncode:
        subprocess.run(["umount", "--lazy", str(folder)], check=True, stdout=sys.stderr)
