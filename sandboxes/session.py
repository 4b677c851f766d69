"""One container and the commands run in it."""

import io
import shlex
import tempfile
import time
from contextlib import nullcontext
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sandboxes.capture import Capture, Executed, Limit
from sandboxes.container import Container
from sandboxes.deadlines import COPY_SECONDS, each_within
from sandboxes.errors import SandboxError, translated
from sandboxes.executing import follow
from sandboxes.journal import Did, Entry, Placed
from sandboxes.meter import Meter
from sandboxes.mounts import beyond_copy, modes, tmpfs
from sandboxes.packing import Packed, TooLarge, pack_file, pack_tree, unpack_file
from sandboxes.preparing import APT_CONF, OURS, preparation
from sandboxes.room import TELL, Room, Taken
from sandboxes.spec import CA_PATH, CA_VARIABLES, HELD, INDEX_VARIABLES, NOBODY_ANSWERS, Spec, host_ca, host_settings
from sandboxes.tunnel import Line
from sandboxes.watching import DiskWatch, IdleWatch, limit_of, needs_counters, tmpfs_full

if TYPE_CHECKING:
    from sandboxes.bench import Bench

GRACE_SECONDS = 15
"""How much longer than its own limit a command may hold its output open before it is killed from outside."""
LONGEST_ARGUMENT = 100_000
"""Bytes; the kernel takes no single argument above 128 KiB."""
TREE_BYTES = 500_000_000


class Session:
    """A running container; made by `Bench.start`."""

    def __init__(
        self, bench: "Bench", container: str, spec: Spec, env: dict[str, str], network: str, line: Line | None = None
    ) -> None:
        """Take over a started container; `line` is its way to the package indexes."""
        self.bench = bench
        self.container = container
        self.spec = spec
        self.network = network
        """The network policy in effect, in words."""
        self.journal: list[Entry] = []
        """What was done to it since it was ready; not what only looked around."""
        self._env = env
        self._api = bench.engine.api
        self._line = line
        self._box = Container(self._api, container, modes(spec))
        self._meter = Meter(self._box)
        self._taken = Taken(spec.limits, self._written, self._room)
        self._idle: IdleWatch | None = None

    def __enter__(self) -> "Session":
        """Nothing to do: it runs."""
        return self

    def __exit__(self, *_: object) -> None:
        """Remove the container."""
        self.close()

    def prepare(self, *, files: bool = True) -> None:
        """Certificate authorities, working directory, and sudo where the specification has it.

        Without `files` the image has them already.
        """
        if self.spec.network != "none":
            bundle, route = host_ca(), self.bench.engine.index_route
            reads = route if self._line and self.spec.network != "open" else None
            if bundle:
                if files:
                    self.put(CA_PATH, bundle.read_bytes() + b"\n" + (reads.authority if reads else b""))
                    if reads:
                        self.put(OURS, reads.authority)
                    self.put("/etc/apt/apt.conf.d/90impassable", APT_CONF.encode())
                self._env |= dict.fromkeys(CA_VARIABLES, CA_PATH)
            self._env = host_settings((*INDEX_VARIABLES, "PIP_DEFAULT_TIMEOUT")) | self._env
        else:
            self._env |= NOBODY_ANSWERS
        self._env |= {"PIP_DISABLE_PIP_VERSION_CHECK": "1", "PIP_NO_INPUT": "1", "DEBIAN_FRONTEND": "noninteractive"}
        steps = "\n".join(filter(None, (modes(self.spec), preparation(self.spec) if files else "")))
        if steps:
            done = self.run(f"set -e\n{steps}", user="root", cwd="/", seconds=60)
            if not done.ok:
                raise SandboxError(f"the container could not be prepared: {done.output.strip()[-300:]}")
        self._taken.begin()
        self._idle = IdleWatch(self._taken.over, self._box.end_all)
        self.journal.clear()

    def run(
        self,
        command: str,
        *,
        user: str | None = None,
        cwd: str | None = None,
        env: dict[str, str] | None = None,
        seconds: float = 300,
        shell: str = "bash",
        looks: bool = False,
        under: tuple[str, ...] = (),
    ) -> Executed:
        """Run a shell command to its end or for `seconds`; a failing command is a result, not an exception.

        One that only `looks` around does not stand in the journal. `under` are the words of a program that runs it.

        Raises:
            SandboxError: the container is gone or the engine does not answer.
        """
        started = time.monotonic()
        whole = max(1, round(seconds))
        capture = Capture()
        away = self._idle.away() if self._idle else nullcontext()
        with translated("run a command"), away, DiskWatch(self._taken.over, self._box.end_all) as disk:
            made = self._api.exec_create(
                self.container,
                ["timeout", "-k", "5", str(whole), *under, shell, *self._argument(command)],
                user=user or self.spec.user,
                workdir=cwd or self.spec.workdir,
                environment={**self._env, **(env or {})},
            )
            deadline, most = started + whole + GRACE_SECONDS, self.spec.limits.output_mb * 1_000_000
            finished = follow(self._api, made["Id"], capture, deadline, most)
            if not finished:
                self._box.end_all()
            state = self._api.exec_inspect(made["Id"])
        took = time.monotonic() - started
        code = state.get("ExitCode")
        stopped: Limit | None = None
        if disk.exceeded:
            stopped = "disk"
        elif capture.size > most:
            stopped = "output"
        elif not finished or (code in {124, 137} and took >= whole - 0.5):
            stopped = "time"
        if stopped == "time" and finished:
            self._box.end_all()
        done = Executed(
            command=command,
            exit_code=code,
            output=capture.text(),
            timed_out=stopped == "time",
            oom=False,
            seconds=round(took, 3),
            truncated=capture.truncated,
            sha256=capture.sha256,
            size=capture.size,
            limit=stopped,
        )
        done = self._explained(done)
        if done.exit_code is None and not done.limit and not done.ended_container:
            raise SandboxError(f"the engine did not tell how a command ended: {command[:100]}")
        if not looks:
            self.journal.append(Did(done, user or self.spec.user, shell))
        return done

    def _explained(self, done: Executed) -> Executed:
        """The same with what else the kernel and the engine tell of its end."""
        if not done.limit and not needs_counters(done.exit_code, done.output):
            return done
        used = self._meter.look(done)
        oom = used.oom and done.exit_code != 0
        limit = limit_of(
            stopped=done.limit,
            oom=oom,
            refused=used.forks_refused,
            code=done.exit_code,
            output=done.output,
            room_kb=used.room_kb,
        )
        return replace(
            done,
            oom=oom,
            limit=limit,
            forks_refused=used.forks_refused,
            disk_full=tmpfs_full(done.output, tmpfs=bool(tmpfs(self.spec)), room_kb=used.room_kb),
            ended_container=not used.running,
        )

    def _argument(self, command: str) -> list[str]:
        data = command.encode("utf-8", "surrogateescape")
        if len(data) <= LONGEST_ARGUMENT:
            return ["-c", command]
        name = f"command-{time.monotonic_ns()}.sh"
        self._box.extract(HELD, pack_file(name, data, 0o644))
        return [f"{HELD}/{name}"]

    def put(self, path: str, data: bytes, *, mode: int = 0o644) -> None:
        """Write a file as root, with its directories.

        Raises:
            SandboxError: it lies in a read-only directory.
        """
        self.journal.append(Placed(path, data, mode))
        if not beyond_copy(self.spec, path):
            self._box.extract("/", pack_file(path.lstrip("/"), data, mode))
            return
        self._box.extract(HELD, pack_file("passed-on", data, mode))
        target = shlex.quote(path)
        self._box.must(f"mkdir -p $(dirname {target}) && cp {HELD}/passed-on {target} && chmod {mode:o} {target}", path)

    def unpack(self, where: str, archive: bytes) -> None:
        """Unpack a tar archive of ours in a directory below `HELD`, beside the journal.

        Raises:
            SandboxError: it cannot be written.
        """
        self._box.extract(where, archive)

    def put_tree(self, path: str, directory: Path, *, limit: int = TREE_BYTES) -> Packed:
        """Copy a directory of this machine to `path` as the ordinary user's; links are not followed out of it.

        Raises:
            SandboxError: it holds more than `limit` bytes, cannot be read, or `path` cannot be written.
        """
        owner = self._box.must('id -u "$0" && id -g "$0"', self.spec.user, argument=self.spec.user).split()
        beyond = beyond_copy(self.spec, path)
        with tempfile.TemporaryFile() as archive:
            try:
                prefix = "passed-on" if beyond else path
                packed = pack_tree(directory, prefix, (int(owner[0]), int(owner[1])), limit, archive)
            except (TooLarge, OSError) as error:
                raise SandboxError(f"{directory} cannot be copied into the container: {error}") from error
            archive.seek(0)
            self._box.extract(HELD if beyond else "/", archive)
        if beyond:
            moved = f'mkdir -p "$0" && cp -a {HELD}/passed-on/. "$0" && rm -rf {HELD}/passed-on'
            self._box.must(moved, path, argument=path)
        return packed

    def get(self, path: str, *, limit: int = 10_000_000) -> bytes:
        """Read a file of at most `limit` bytes.

        Raises:
            SandboxError: there is no such file, or it is larger.
        """
        if beyond_copy(self.spec, path):
            copied = f'[ "$(stat -Lc %s "$0")" -gt {limit} ] || cp "$0" {HELD}/passed-out'
            self._box.must(f'rm -f {HELD}/passed-out; test -f "$0" && {{ {copied}; }}', path, argument=path)
            source = f"{HELD}/passed-out"
        else:
            source = path
        packed = io.BytesIO()
        with translated(f"read {path}"):
            stream, _ = self._api.get_archive(self.container, source)
            for chunk in each_within(COPY_SECONDS, stream):
                packed.write(chunk)
                if packed.tell() > limit + 10_240:
                    raise SandboxError(f"{path} is larger than {limit} bytes")
        content = unpack_file(packed.getvalue())
        if content is None:
            raise SandboxError(f"{path} is not a file")
        return content

    def denials(self) -> tuple[str, ...]:
        """`host:port` of what the proxy refused to this container so far, where it has one."""
        return self._line.denials() if self._line else ()

    def snapshot(self) -> str:
        """Keep the file system as it is now; returns an image id that lives as long as the bench."""
        return self.bench.commit(self.container, self.spec.image)

    def fork(self, **changes: Any) -> "Session":  # noqa: ANN401 - the fields of Spec
        """A fresh container that begins where this one stands."""
        return self.bench.start(replace(self.spec, **{"image": self.snapshot(), **changes}))

    def close(self) -> None:
        """Remove the container."""
        if self._idle:
            self._idle.close()
        self.bench.drop(self.container)

    def _written(self) -> int | None:
        size = self._box.written()
        if size is None or "/" not in self.spec.read_only:
            return size
        told = self._box.quick(f"du -sxk {shlex.quote(self.spec.workdir)}").split()
        return size + (int(told[0]) * 1024 if told and told[0].isdigit() else 0)

    def _room(self) -> Room | None:
        return self.bench.engine.room(lambda: Room.parse(self._box.quick(TELL)))

    def profile(self) -> dict[str, Any]:
        """What this container was in effect, for the evidence; the image is told by `Engine.identity`."""
        spec = self.spec
        return {
            "user": spec.user,
            "workdir": spec.workdir,
            "sudo": spec.sudo,
            "no_new_privileges": not spec.sudo,
            "network": {"asked": spec.network, "in effect": self.network},
            "tmpfs": tmpfs(spec),
            "read_only": list(spec.read_only),
            "limits": {
                **asdict(spec.limits),
                "disk_mb": spec.limits.disk_mb or "not capped",
                "disk held to it by": "the engine" if self.bench.engine.sized else "looks at what is left",
            },
            "environment": sorted(self._env),
        }
