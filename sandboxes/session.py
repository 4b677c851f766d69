"""One container and the commands run in it."""

import io
import shlex
import tarfile
import time
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from sandboxes.capture import Capture, Executed
from sandboxes.errors import SandboxError, translated
from sandboxes.executing import follow
from sandboxes.sdk import sdk
from sandboxes.spec import CA_PATH, CA_VARIABLES, INDEX_VARIABLES, Spec, host_ca, host_settings

if TYPE_CHECKING:
    from sandboxes.bench import Bench

GRACE_SECONDS = 15
"""How much longer than its own limit a command may hold its output open before it is killed from outside."""
LONGEST_ARGUMENT = 100_000
"""Bytes; the kernel takes no single argument above 128 KiB."""
READ_KILLS = "cat /sys/fs/cgroup/memory.events /sys/fs/cgroup/memory/memory.oom_control 2>/dev/null"
KILL_ALL = (
    "for p in /proc/[0-9]*; do n=${p#/proc/}; "
    '[ "$n" = 1 ] || [ "$n" = $$ ] || [ "$(tr "\\0" " " <$p/cmdline 2>/dev/null)" = "sleep infinity " ] '
    '|| kill -9 "$n" 2>/dev/null; done'
)
APT_CONF = f'Acquire::https::CAInfo "{CA_PATH}";\n'


class Session:
    """A running container; made by `Bench.start`."""

    def __init__(self, bench: "Bench", container: str, spec: Spec, env: dict[str, str], network: str) -> None:
        """Take over a started container."""
        self.bench = bench
        self.container = container
        self.spec = spec
        self.network = network
        """The network policy in effect, in words."""
        self._env = env
        self._api = bench.engine.api
        self._kills = 0

    def __enter__(self) -> "Session":
        """Nothing to do: it runs."""
        return self

    def __exit__(self, *_: object) -> None:
        """Remove the container."""
        self.close()

    def prepare(self) -> None:
        """Certificate authorities, working directory, and sudo where the specification has it."""
        if self.spec.network != "none":
            bundle = host_ca()
            if bundle:
                self.put(CA_PATH, bundle.read_bytes())
                self.put("/etc/apt/apt.conf.d/90impassable", APT_CONF.encode())
                self._env |= dict.fromkeys(CA_VARIABLES, CA_PATH)
            self._env = host_settings((*INDEX_VARIABLES, "PIP_DEFAULT_TIMEOUT")) | self._env
        self._env |= {"PIP_DISABLE_PIP_VERSION_CHECK": "1", "PIP_NO_INPUT": "1", "DEBIAN_FRONTEND": "noninteractive"}
        done = self.run(_preparation(self.spec), user="root", cwd="/", seconds=60)
        if not done.ok:
            raise SandboxError(f"the container could not be prepared: {done.output.strip()[-300:]}")

    def run(
        self,
        command: str,
        *,
        user: str | None = None,
        cwd: str | None = None,
        env: dict[str, str] | None = None,
        seconds: float = 300,
        shell: str = "bash",
    ) -> Executed:
        """Run a shell command to its end or for `seconds`; a failing command is a result, not an exception.

        Raises:
            SandboxError: the container is gone or the engine does not answer.
        """
        started = time.monotonic()
        whole = max(1, round(seconds))
        with translated("run a command"):
            made = self._api.exec_create(
                self.container,
                ["timeout", "-k", "5", str(whole), shell, *self._argument(command)],
                user=user or self.spec.user,
                workdir=cwd or self.spec.workdir,
                environment={**self._env, **(env or {})},
            )
            capture = Capture()
            finished = follow(self._api, made["Id"], capture, started + whole + GRACE_SECONDS)
            if not finished:
                self._kill_all()
            state = self._api.exec_inspect(made["Id"])
        took = time.monotonic() - started
        code = state.get("ExitCode")
        timed_out = not finished or (code in {124, 137} and took >= whole - 0.5)
        if timed_out and finished:
            self._kill_all()
        return Executed(
            command=command,
            exit_code=code,
            output=capture.text(),
            timed_out=timed_out,
            oom=code != 0 and self._killed(),
            seconds=round(took, 3),
            truncated=capture.truncated,
            sha256=capture.sha256,
            size=capture.size,
        )

    def _argument(self, command: str) -> list[str]:
        if len(command.encode("utf-8", "surrogateescape")) <= LONGEST_ARGUMENT:
            return ["-c", command]
        path = f"/opt/impassable/command-{time.monotonic_ns()}.sh"
        self.put(path, command.encode("utf-8", "surrogateescape"))
        return [path]

    def put(self, path: str, data: bytes, *, mode: int = 0o644) -> None:
        """Write a file as root, with its directories."""
        packed = io.BytesIO()
        with tarfile.open(fileobj=packed, mode="w") as archive:
            entry = tarfile.TarInfo(path.lstrip("/"))
            entry.size, entry.mode, entry.mtime = len(data), mode, int(time.time())
            archive.addfile(entry, io.BytesIO(data))
        with translated(f"write {path}"):
            self._api.put_archive(self.container, "/", packed.getvalue())

    def get(self, path: str, *, limit: int = 10_000_000) -> bytes:
        """Read a file of at most `limit` bytes.

        Raises:
            SandboxError: there is no such file, or it is larger.
        """
        packed = io.BytesIO()
        with translated(f"read {path}"):
            stream, _ = self._api.get_archive(self.container, path)
            for chunk in stream:
                packed.write(chunk)
                if packed.tell() > limit + 10_240:
                    raise SandboxError(f"{path} is larger than {limit} bytes")
        packed.seek(0)
        with tarfile.open(fileobj=packed) as archive:
            entry = next((member for member in archive if member.isfile()), None)
            content = archive.extractfile(entry) if entry else None
            if content is None:
                raise SandboxError(f"{path} is not a file")
            return content.read()

    def snapshot(self) -> str:
        """Keep the file system as it is now; returns an image id that lives as long as the bench."""
        return self.bench.commit(self.container)

    def fork(self, **changes: Any) -> "Session":  # noqa: ANN401 - the fields of Spec
        """A fresh container that begins where this one stands."""
        return self.bench.start(replace(self.spec, **{"image": self.snapshot(), **changes}))

    def close(self) -> None:
        """Remove the container."""
        self.bench.drop(self.container)

    def profile(self) -> dict[str, Any]:
        """What this container was in effect, for the evidence; the image is told by `Engine.identity`."""
        spec = self.spec
        return {
            "user": spec.user,
            "workdir": spec.workdir,
            "sudo": spec.sudo,
            "no_new_privileges": not spec.sudo,
            "network": {"asked": spec.network, "in effect": self.network},
            "tmpfs": list(spec.tmpfs),
            "limits": {
                "memory_mb": spec.limits.memory_mb,
                "cpus": spec.limits.cpus,
                "pids": spec.limits.pids,
                "file_mb": spec.limits.file_mb,
                "disk": "not capped",
            },
            "environment": sorted(self._env),
        }

    def _killed(self) -> bool:
        before, self._kills = self._kills, self._count_kills()
        return self._kills > before

    def _count_kills(self) -> int:
        text = self._quick(READ_KILLS)
        counts = [line.split()[1] for line in text.splitlines() if line.startswith("oom_kill ")]
        return sum(int(count) for count in counts if count.isdigit()) if counts else self._kills

    def _kill_all(self) -> None:
        self._quick(KILL_ALL)

    def _quick(self, script: str) -> str:
        try:
            made = self._api.exec_create(
                self.container, ["timeout", "-s", "KILL", "20", "sh", "-c", script], user="root"
            )
            return str(self._api.exec_start(made["Id"]).decode("utf-8", "replace"))
        except sdk().errors.APIError:
            return ""  # the container stopped, or its process limit is used up: removing it ends everything


def _preparation(spec: Spec) -> str:
    user, workdir = shlex.quote(spec.user), shlex.quote(spec.workdir)
    parts = spec.workdir.split("/")
    top = shlex.quote("/".join(parts[:3])) if spec.workdir.startswith("/home/") else workdir
    lines = [
        "set -e",
        f"id -u {user} >/dev/null",
        f"if [ ! -d {workdir} ]; then mkdir -p {workdir}; chown -R {user}: {top}; fi",
    ]
    if spec.sudo:
        lines += [
            "command -v sudo >/dev/null || dpkg -i /opt/impassable/sudo_*.deb >/dev/null",
            f"printf '%s ALL=(ALL) NOPASSWD: ALL\\n' {user} >/etc/sudoers.d/impassable",
        ]
    return "\n".join(lines)
