"""The real program, forked from a process that has imported it and written a pack: most of the work of a small audit.

`python -m tests.verify.forking` imports and then waits; each line on stdin is a job, each line on stdout an exit code.
"""

import contextlib
import gc
import json
import os
import re
import select
import signal
import subprocess
import sys
import tempfile
import time
from importlib import import_module
from pathlib import Path

ROOT = Path(__file__).parents[2]
INTERNAL = 70
"""An exit code of whose reason only a log knows, which is gone with the test."""


class Forking:
    """Runs `verify` again and again, each time in a process of its own."""

    def __init__(self) -> None:
        self._server: subprocess.Popen[str] | None = None

    def run(
        self,
        arguments: list[str],
        cwd: Path,
        env: dict[str, str],
        timeout: float,
        stdin: str = os.devnull,
        kill: tuple[Path, int, float] | None = None,
    ) -> subprocess.CompletedProcess[str]:
        """As `subprocess.run` does it; `stdin` is a file.

        `kill`, unless it ended before: so many seconds after that file has so many lines.
        """
        server = self._server = self._server or self._started()
        assert server.stdin
        assert server.stdout
        with tempfile.NamedTemporaryFile() as out, tempfile.NamedTemporaryFile() as err:
            job = {"arguments": arguments, "cwd": str(cwd), "env": env, "out": out.name, "err": err.name}
            job |= {"stdin": stdin, "kill": kill and (str(kill[0]), *kill[1:])}
            server.stdin.write(f"{json.dumps(job)}\n")
            server.stdin.flush()
            if not select.select([server.stdout], [], [], timeout)[0]:
                self.close()
                raise subprocess.TimeoutExpired(["verify", *arguments], timeout, out.read(), err.read())
            code = int(server.stdout.readline())
            said, warned = (Path(file.name).read_text("utf-8") for file in (out, err))
        if code == INTERNAL:
            logs = (Path(name) for name in re.findall(r"/\S+\.log", warned))
            sys.stderr.write("".join([warned, *(log.read_text("utf-8") for log in logs if log.exists())]))
        return subprocess.CompletedProcess(["verify", *arguments], code, said, warned)

    def close(self) -> None:
        """End it and whatever it runs."""
        server, self._server = self._server, None
        if server:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(server.pid, signal.SIGKILL)
            server.communicate()

    def _started(self) -> subprocess.Popen[str]:
        command = [sys.executable, "-m", "tests.verify.forking"]
        return subprocess.Popen(
            command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, start_new_session=True
        )


def serve() -> None:
    """Returns in each process that is to be the program; ends where there are no more jobs."""
    answers = os.fdopen(os.dup(1), "w")
    for line in sys.stdin:
        job = json.loads(line)
        child = os.fork()
        if child == 0:
            answers.close()
            return become(job)
        if job["kill"]:
            file, lines, seconds = job["kill"]
            while running(child) and (not Path(file).exists() or Path(file).read_bytes().count(b"\n") < lines):
                time.sleep(0.001)
            time.sleep(seconds)
            os.kill(child, signal.SIGKILL)  # it is not waited for yet, so nobody else has its number
        answers.write(f"{os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])}\n")
        answers.flush()
    return sys.exit()


def running(child: int) -> bool:
    """Whether it has not ended; it is still to be waited for."""
    return os.waitid(os.P_PID, child, os.WEXITED | os.WNOHANG | os.WNOWAIT) is None


def become(job: dict) -> None:
    """The program as it is when just started: its directory, environment, arguments and streams."""
    for descriptor, path, how in (
        (0, job["stdin"], os.O_RDONLY),
        (1, job["out"], os.O_RDWR),
        (2, job["err"], os.O_RDWR),
    ):
        opened = os.open(path, how)
        os.dup2(opened, descriptor)
        os.close(opened)
    os.chdir(job["cwd"])
    os.environ.clear()
    os.environ.update(job["env"])
    sys.argv = ["verify", *job["arguments"]]


if __name__ == "__main__":
    from pkgutil import walk_packages

    from evidence import write_pack
    from probes import ArtifactStore
    from sandboxes.sdk import sdk
    from tests.evidence.synthetic_audits import supported
    from verify.__main__ import main

    for room in ("cases", "sandboxes", "probes", "graph", "evidence", "verify"):  # whatever a command may need
        for module in walk_packages(import_module(room).__path__, f"{room}."):
            if ".inside" not in module.name and not module.name.endswith("__main__"):
                import_module(module.name)
    sdk()
    with tempfile.TemporaryDirectory() as folder:  # its patterns and templates are compiled by then
        store = ArtifactStore(Path(folder, "store"))
        write_pack(supported(store), store, Path(folder, "packs"))
    gc.freeze()
    serve()
    main()
