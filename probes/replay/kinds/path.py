"""A path that may not be written, or lies on a read-only file system."""

import re
import shlex
from typing import ClassVar

from probes.model import Answer, Barrier, Envelope
from probes.replay.kinds.base import Kind
from probes.replay.kinds.demands import only_told, said_of, with_demand
from probes.replay.kinds.using import open_still, with_use
from probes.replay.outcome import Outcome
from probes.replay.subject import Subject
from probes.replay.trial import Trial


class Path(Kind):
    """`Permission denied`, `Read-only file system`."""

    barriers = (Barrier.PERMISSION, Barrier.READ_ONLY)
    noun = "path"
    failure: ClassVar = {Barrier.PERMISSION: "permission denied", Barrier.READ_ONLY: "read-only file system"}
    names = frozenset({"path", "local", "home", "command_local", "command_home", "copy", "command_copy", "command_run"})
    unknown: ClassVar = dict.fromkeys(
        ("local", "command_local", "command_home"),
        "the command does not name the path, so that no other can be put there",
    )
    present_rests_on = ("image", "user", "workdir", "tmpfs")

    def least(self, about: str, envelope: Envelope) -> str:
        """Make a directory there."""
        del envelope
        return f"mkdir {shlex.quote(about)}"

    def parameters(self, barrier: Barrier, about: str, command: str, home: str) -> dict[str, str]:
        """Other places for the path, where the command names it as it is."""
        del barrier
        parameters = {"path": shlex.quote(about)}
        name = about.rstrip("/").rpartition("/")[2]
        spoken = re.compile(rf"(?<![\w./-]){re.escape(about)}(?![\w.-])")
        if name in {"", ".", ".."} or not spoken.search(command):
            return parameters
        places = {"local": f"./{name}", "home": f"{home}/{name}"}
        parameters |= {key: shlex.quote(place) for key, place in places.items()}
        for key, place in places.items():
            parameters[f"command_{key}"] = place.join(spoken.split(command))
        return parameters

    def works(self, subject: Subject, outcome: Outcome, said: str) -> tuple[Answer, str]:
        """Where the run's read-only paths are not known, a path that can be written says nothing."""
        read_only = outcome.profile.get("envelope", {}).get("read_only", {}).get("value", ())
        if subject.barrier is Barrier.READ_ONLY and not read_only:
            return Answer.UNKNOWN, f"{said}, but which paths were read-only in the run is not known."
        return super().works(subject, outcome, said)

    def learn(self, trial: Trial) -> Subject:
        """Whether the task demands that very place, and whether the command only reads or runs what is there."""
        subject = with_demand(trial, trial.subject.about)
        denied = subject.expected.kind == self.failure[Barrier.PERMISSION]
        return with_use(trial, subject) if denied else subject

    def unsettled(self, subject: Subject, outcome: Outcome) -> str | None:
        """A README's word for a place is not the task's; what can be read elsewhere may do."""
        del outcome
        return only_told(subject) or open_still(subject)

    def remarks(self, subject: Subject, outcome: Outcome) -> tuple[str, ...]:
        """Another place is a way round only if the task takes it."""
        if "uses" in subject.parameters:
            return ()
        return (said_of(subject),) if outcome.passed or "demanded" in subject.parameters else ()
