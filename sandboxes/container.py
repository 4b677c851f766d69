"""One container as the engine knows it: scripts of ours in it, its state, the end of everything in it."""

import time
from typing import Any, BinaryIO

from cases.sentences import Sentences
from sandboxes.capture import Capture
from sandboxes.errors import SandboxError, translated
from sandboxes.executing import follow
from sandboxes.sdk import sdk

say = Sentences(__name__)

MUST_SECONDS = 150
QUICK_SECONDS = 30.0
"""How long a script of ours may hold its output open: one that cannot fork may hang before it begins."""
END_SECONDS = 5.0
"""How long the engine may take to notice that a container ended."""
GONE_SECONDS = 2.0
"""How long a process that was killed may still be seen."""
ENDED = "every process was ended"
END_ALL = (
    "since=; for p in /proc/[0-9]*; do read -r told 2>/dev/null <$p/stat || continue; set -- ${told##*) }; "
    '[ "$2" = 1 ] && { [ -z "$since" ] || [ "${20}" -lt "$since" ]; } && since=${20} eldest=${p#/proc/}; done; '
    'kept=" 1 $eldest $$ $PPID "; left=yes; while [ $left ]; do left=; kill -STOP -1; for p in /proc/[0-9]*; do '
    'n=${p#/proc/}; case $kept in *" $n "*) continue;; esac; left=yes; kill -9 "$n" 2>/dev/null; done; done; '
    f"kill -CONT -1; echo {ENDED}"
)
"""Until none is left: a fork under way gives one more after all were stopped, and one that was killed still counts
until it is reaped. What keeps the container is known by its place: the eldest child of process 1, begun before any
command was (field 22 of `stat`, the 20th behind the name); whatever else takes its name ends."""
OURS = 2
"""Process 1 and what keeps the container."""


class Container:
    """Thread-safe as the SDK's client is."""

    def __init__(self, api: Any, name: str, after_restart: str = "") -> None:  # noqa: ANN401 - the SDK has no types
        """Take a container's id, and a script for when it was started anew."""
        self._after_restart = after_restart
        self._api = api
        self._name = name
        self.restarts = 0
        """How often everything in it could be ended only by starting it anew."""

    def extract(self, where: str, packed: bytes | BinaryIO) -> None:
        """Unpack a tar archive in a directory."""
        with translated(f"write into {where}"):
            self._api.put_archive(self._name, where, packed)

    def must(self, script: str, what: str, *, argument: str = "sh") -> str:
        """What a script of ours says as root; `argument` is its `$0`.

        Raises:
            SandboxError: it failed, in reaching `what`.
        """
        with translated(f"reach {what}"):
            made = self._api.exec_create(
                self._name, ["timeout", "-s", "KILL", "120", "sh", "-c", script, argument], user="root"
            )
            said = Capture()
            follow(self._api, made["Id"], said, time.monotonic() + MUST_SECONDS, most=1_000_000)
            output = said.text()
            code = self._api.exec_inspect(made["Id"])["ExitCode"]
        if code != 0:
            raise SandboxError(say("container.container_not_let_us", what=what, output=output.strip()[-200:]))
        return output

    def quick(self, script: str, user: str = "root") -> str:
        """What a script of ours says; empty when it cannot be run any more."""
        said, command = Capture(), ["timeout", "-s", "KILL", "20", "sh", "-c", script]
        with translated("ask a container"):
            try:
                made = self._api.exec_create(self._name, command, user=user)
                follow(self._api, made["Id"], said, time.monotonic() + QUICK_SECONDS, most=1_000_000)
            except sdk().errors.APIError:
                return ""  # the container stopped, or its process limit is used up
        return said.text()

    def state(self) -> dict[str, Any]:
        """The engine's `State` of it."""
        with translated("tell the state of a container"):
            return dict(self._api.inspect_container(self._name)["State"])

    def ended_state(self) -> dict[str, Any]:
        """The same of one in which nothing can be run: the engine may notice its end a little later."""
        end = time.monotonic() + END_SECONDS
        state = self.state()
        while state["Running"] and time.monotonic() < end:
            time.sleep(0.1)
            state = self.state()
        return state

    def end_all(self) -> None:
        """End every process of the commands; where some are left, or no script of ours runs, by starting anew.

        What a script says from inside is not believed, since root there may have put another shell in its place: the
        engine counts who is left.
        """
        if not (ENDED in self.quick(END_ALL) and self._emptied()) and self.state()["Running"]:
            self.restarts += 1
            with translated("restart a container"):
                self._api.restart(self._name, timeout=0)
            if self._after_restart:
                self.quick(self._after_restart)

    def _emptied(self) -> bool:
        """Whether the engine sees nothing but what is ours; a script that just ended may still be seen for a moment."""
        end = time.monotonic() + GONE_SECONDS
        while (seen := self._seen()) > OURS and time.monotonic() < end:
            time.sleep(0.1)
        return seen == OURS

    def _seen(self) -> int:
        """How many processes the engine sees in it; 0 where it cannot tell."""
        with translated("list the processes of a container"):
            try:
                return len(self._api.top(self._name)["Processes"] or ())
            except sdk().errors.APIError:
                return 0  # it stopped, or the engine's machine has no `ps`

    def written(self) -> int | None:
        """Bytes in its own layer; None when the engine does not say."""
        with translated("measure what a container wrote"):
            found = self._api.containers(all=True, size=True, filters={"id": self._name})
        return int(found[0].get("SizeRw") or 0) if found else None
