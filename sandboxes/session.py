"""One container and the commands run in it."""

import shlex
import time
from contextlib import nullcontext
from dataclasses import asdict, replace
from typing import Any, Protocol

from cases.sentences import Sentences
from sandboxes.capture import Capture, Executed, Limit
from sandboxes.container import Container
from sandboxes.engine import Engine
from sandboxes.errors import SandboxError, translated
from sandboxes.executing import follow
from sandboxes.journal import Did, Entry
from sandboxes.mounts import modes, tmpfs, with_mode
from sandboxes.packing import pack_file
from sandboxes.placing import Placing
from sandboxes.preparing import APT_CONF, MADE, OURS, preparation
from sandboxes.resting import Rest
from sandboxes.room import TELL, Room, Taken
from sandboxes.spec import CA_PATH, CA_VARIABLES, HELD, INDEX_VARIABLES, NOBODY_ANSWERS, Spec, host_ca, host_settings
from sandboxes.tunnel import Line
from sandboxes.watching import BusyWatch, IdleWatch, Meter, limit_of, needs_counters, tmpfs_full

say = Sentences(__name__)


class Pool(Protocol):
    """What a session wants of the pool that started it."""

    engine: Engine
    runtime: str
    whole: set[tuple[str, str, str]]
    without_bash: set[str]

    def start(self, spec: Spec) -> "Session":
        """Another container."""
        ...

    def commit(self, container: str, image: str) -> str:
        """Keep a container's file system; returns an image id that lives as long as the pool."""
        ...

    def drop(self, container: str) -> None:
        """Remove a container."""
        ...


GRACE_SECONDS = 15
"""How much longer than its own limit a command may hold its output open before it is killed from outside."""
LONGEST_ARGUMENT = 100_000
"""Bytes; the kernel takes no single argument above 128 KiB."""
OWN_QUESTION = {"LC_ALL": "C"}
"""The environment of what is asked for us: no shell warns in its answer of a language that the image lacks."""
NOT_FOUND = 127
"""The exit code for a program that is not there."""


class Session(Placing):
    """A running container; made by `ContainerPool.start`.

    Each method that asks the engine raises SandboxError where it refuses, or where the container is gone;
    EngineUnavailable, which is one, where it does not answer.
    """

    def __init__(
        self,
        containers: Pool,
        container: str,
        spec: Spec,
        env: dict[str, str],
        network: str,
        line: Line | None = None,
    ) -> None:
        """Take over a started container; `line` is its way to the package indexes."""
        self.containers = containers
        self.container = container
        self.spec = spec
        self.network = network
        """The network policy in effect, in words."""
        self.journal: list[Entry] = []
        """What was done to it since it was ready; not what only looked around."""
        self._env = env
        self._api = containers.engine.api
        self._line = line
        self._box = Container(self._api, container, modes(spec))
        self._meter = Meter(self._box)
        self._taken = Taken(spec.limits, self._written, self._room, containers.engine.glance)
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

        Raises:
            SandboxError: it cannot be made so: the engine does not do it, or the image lacks what that takes.
        """
        if self.spec.network != "none":
            bundle, route = host_ca(), self.containers.engine.index_route
            reads = route if self._line and self.spec.network != "open" else None
            if bundle:
                if files:
                    ours = reads.authority if reads else b""
                    trusted = {CA_PATH: bundle.read_bytes() + b"\n" + ours, **({OURS: ours} if reads else {})}
                    self.put_all({**trusted, "/etc/apt/apt.conf.d/90impassable": APT_CONF.encode()})
                self._env |= dict.fromkeys(CA_VARIABLES, CA_PATH)
            self._env = host_settings((*INDEX_VARIABLES, "PIP_DEFAULT_TIMEOUT")) | self._env
        else:
            self._env |= NOBODY_ANSWERS
        self._env |= {"PIP_DISABLE_PIP_VERSION_CHECK": "1", "PIP_NO_INPUT": "1", "DEBIAN_FRONTEND": "noninteractive"}
        steps = "\n".join(filter(None, (modes(self.spec), preparation(self.spec) if files else "")))
        plain = not tmpfs(self.spec) and not self.spec.sudo and self.spec.network == "none"
        whole = (self.spec.image, self.spec.user, self.spec.workdir)
        if steps and not (plain and whole in self.containers.whole):
            done = self.run(f"set -e\n{steps}", user="root", cwd="/", seconds=60)
            if done.exit_code == NOT_FOUND and self._lacks_bash():
                self.containers.without_bash.add(self.spec.image)
                done = self.run(f"set -e\n{steps}", user="root", cwd="/", seconds=60)
            if not done.ok:
                raise SandboxError(say("session.container_could_not_prepared", output=done.output.strip()[-300:]))
            if plain and MADE not in done.output:
                self.containers.whole.add(whole)
        self._taken.begin()
        self._idle = IdleWatch(self._taken.over, self._end)
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
        serves: bool = False,
        under: tuple[str, ...] = (),
    ) -> Executed:
        """Run a shell command to its end or for `seconds`; a failing command is a result, not an exception.

        What is for `bash` is given to `sh` where the image has no other. One that only `looks` around does not stand in
        the journal, and is asked in no language. One that `serves` may also come to rest, listening, and then goes on
        for the rest of its seconds.
        `under` are the words of a program that runs it.

        Raises:
            SandboxError: the container is gone or the engine does not answer.
        """
        shell = "sh" if shell == "bash" and self.spec.image in self.containers.without_bash else shell
        env = {**OWN_QUESTION, **(env or {})} if looks and not under else env
        try:
            done = self._followed(command, max(1, round(seconds)), user, cwd, env, shell, under, serves=serves)
        except SandboxError as error:
            if self._taken.crowded:
                raise SandboxError(say("session.filled_machine_disk_container")) from error
            raise
        if not looks:
            self.journal.append(Did(done, user or self.spec.user, shell))
        return done

    def _lacks_bash(self) -> bool:
        """Whether the image has no other shell than `sh`."""
        return not self._followed("command -v bash", 20, "root", "/", None, "sh", (), serves=False).ok

    def _followed(
        self,
        command: str,
        whole: int,
        user: str | None,
        cwd: str | None,
        env: dict[str, str] | None,
        shell: str,
        under: tuple[str, ...],
        *,
        serves: bool,
    ) -> Executed:
        started, capture = time.monotonic(), Capture()
        away = self._idle.away() if self._idle else nullcontext()
        with translated("run a command"), away, BusyWatch(self._taken.over, self._end) as watch:
            made = self._api.exec_create(
                self.container,
                ["timeout", "-k", "5", str(whole), *under, shell, *self._argument(command)],
                user=user or self.spec.user,
                workdir=cwd or self.spec.workdir,
                environment={**self._env, **(env or {})},
            )
            deadline, most = started + whole + GRACE_SECONDS, self.spec.limits.output_mb * 1_000_000
            who = user or self.spec.user  # what a process holds open only its own user may see
            rests = Rest(lambda script: self._box.quick(script, who)) if serves else None
            followed = follow(self._api, made["Id"], capture, deadline, most, rests)
            if followed == "not ended":
                self._box.end_all()
            state = self._api.exec_inspect(made["Id"])
        took, code = time.monotonic() - started, state.get("ExitCode")
        late = followed == "not ended" or (code in {124, 137} and took >= whole - 0.5)
        stopped = watch.exceeded or ("output" if capture.size > most else "time" if late else None)
        if stopped == "time" and followed == "ended":
            self._box.end_all()
        resting = followed == "at rest" and stopped is None
        done = self._explained(_executed(command, code, capture, took, stopped, listening=resting))
        if done.exit_code is None and not done.limit and not done.ended_container and not done.listening:
            raise SandboxError(say("session.engine_not_tell_how", command=command[:100]))
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

    def denials(self) -> tuple[str, ...]:
        """`host:port` of what the proxy refused to this container so far, where it has one."""
        return self._line.denials() if self._line else ()

    def tmpfs_as_it_is(self) -> tuple[str, ...]:
        """The specification's tmpfs, each with the mode that it has here: a fork's would have that of the directory
        which a snapshot keeps below it.
        """
        bare = [text.partition(":")[0] for text in self.spec.tmpfs if "mode=" not in text]
        ask = f"stat -c '%a %n' {shlex.join(bare)}"
        lines = self.run(ask, user="root", looks=True).output.splitlines() if bare else []
        found = {path: mode for mode, _, path in (line.partition(" ") for line in lines) if mode.isdigit()}
        return tuple(with_mode(text, found.get(text.partition(":")[0])) for text in self.spec.tmpfs)

    def snapshot(self) -> str:
        """Keep the file system as it is now; returns an image id that lives as long as the pool."""
        return self.containers.commit(self.container, self.spec.image)

    def close(self) -> None:
        """Remove the container."""
        self.containers.drop(self.container)

    def unwatch(self, *, wait: bool) -> None:
        """Look after it no more."""
        if self._idle:
            self._idle.close(wait=wait)

    def _end(self) -> None:
        """End what it runs; where it filled the machine's disk, end it, as nothing else gives the room back."""
        if self._taken.crowded:
            self.containers.drop(self.container)
        else:
            self._box.end_all()

    def _written(self) -> int | None:
        size = self._box.written()
        if size is None or "/" not in self.spec.read_only:
            return size
        told = self._box.quick(f"du -sxk {shlex.quote(self.spec.workdir)}").split()
        return size + (int(told[0]) * 1024 if told and told[0].isdigit() else 0)

    def _room(self) -> Room | None:
        return self.containers.engine.room(lambda: Room.parse(self._box.quick(TELL)))

    def profile(self) -> dict[str, Any]:
        """What this container was in effect, for the evidence; the image is told by `Engine.identity`."""
        spec = self.spec
        return {
            "runtime": self.containers.runtime or "the engine's default",
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
                "disk held to it by": "the engine" if self.containers.engine.sized else "looks at what is left",
            },
            "environment": sorted(self._env),
        }


def _executed(
    command: str, code: int | None, capture: Capture, took: float, stopped: Limit | None, *, listening: bool
) -> Executed:
    return Executed(
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
        listening=listening,
    )
