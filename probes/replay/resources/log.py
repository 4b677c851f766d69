"""What happened in one container, as a terminal would show it."""

import shlex
from dataclasses import dataclass, field

from cases.sentences import Sentences
from probes.artifacts import ArtifactStore
from probes.model import Artifact
from sandboxes import Executed, Session

say = Sentences(__name__)


@dataclass
class Log:
    """The commands of one arm and their output."""

    name: str
    """A readable file name without its ending."""
    lines: list[str] = field(default_factory=list)

    def note(self, text: str) -> None:
        """A line of ours."""
        self.lines.append(f"# {text}")

    def add(self, done: Executed, user: str, cwd: str) -> None:
        """One command."""
        self.lines.append(f"[{user} {shlex.quote(cwd)}]$ {done.command}")
        self.lines.append(done.output.rstrip("\n"))
        whole = say("resources.log.bytes_sha_all", size=done.size, sha256=done.sha256) if done.truncated else ""
        self.lines.append(f"[{done.how}{whole}]\n")

    def store(self, store: ArtifactStore) -> Artifact:
        """Put it into the store."""
        return store.put("\n".join(self.lines) + "\n", f"{self.name}.log")


def run(
    session: Session,
    log: Log,
    command: str,
    seconds: float,
    *,
    user: str | None = None,
    shell: str = "bash",
    looks: bool = False,
    env: dict[str, str] | None = None,
) -> Executed:
    """Run a command in the session's working directory and log it; `looks` when it changes nothing.

    One that comes to rest, listening, has done what it is for, and goes on meanwhile.
    """
    done = session.run(command, user=user, seconds=seconds, shell=shell, looks=looks, serves=not looks, env=env)
    log.add(done, user or session.spec.user, session.spec.workdir)
    return done
