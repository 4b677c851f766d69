"""The harness's own failure: its parser of code can be tried again, a token or a provider's filter cannot."""

from textwrap import dedent
from typing import ClassVar

from cases import CommandRun
from cases import patterns as re
from cases.sentences import Sentences
from probes.model import Answer, Barrier, Envelope, Hypothesis, Targets
from probes.replay.handlers import interpreter
from probes.replay.handlers.base import BarrierHandler
from probes.replay.resources.context import ContainerContext
from probes.replay.resources.outcome import Outcome
from probes.replay.target.details import Named
from probes.replay.target.model import Attempt, ReplayTarget
from probes.replay.target.symptom import symptoms

say = Sentences(__name__)

PARSER = "no code found"
WANTED = re.compile(r"regex pattern (?P<open>.+?)\(\.\*\?\)(?P<close>.+?) was not found")
WORDS = re.compile(
    r"Here is your code snippet:\n\s*(?P<text>.*?)\n\s*"
    r"(?:Make sure to include code|It seems like you're trying)(?P<rest>.*?)(?=\nYour code snippet is invalid|\Z)",
    re.DOTALL,
)
EXAMPLE = re.compile(
    r"(?:for instance|as follows):\n(?P<example>.*?(?:```(?:<end_code>)?|</code>)[ \t]*)(?=\n|\Z)", re.DOTALL
)
FENCED = "Thought: I print a word.\nCode:\n```py\nprint('works')\n```<end_code>"


class Harness(BarrierHandler):
    """`Your code snippet is invalid, because the regex pattern …`, a refused tool, a provider's filter."""

    barriers = (Barrier.HARNESS,)
    noun = "part of the harness"
    present_rests_on: ClassVar = ("interpreter_version",)
    routes_rest_on: ClassVar = ("interpreter_version",)

    def named(self, targets: Targets) -> tuple[str, ...]:
        """The harness has one name, whatever of it failed."""
        del targets
        return ("the harness",)

    def same(self, subject: str, about: str) -> bool:
        """One failure at a time."""
        del subject, about
        return True

    def event_of(self, text: str) -> CommandRun | None:
        """A parser's refusal belongs to no command: none was run."""
        if not symptoms(Barrier.HARNESS, text):
            return None
        return CommandRun(kind="python", command="", tool=None, output=text, exit_code=None, blocks=())

    def refuses(self, about: str, command: str, output: str, *, told: bool) -> str | None:
        """Only a parser can be tried again, and only on words that the record holds."""
        del about, command, told
        found = symptoms(Barrier.HARNESS, output)
        if not found:
            return say("harness.record_shows_no")
        other = next((signature for signature in found if signature.kind != PARSER), None)
        if other:
            return say(f"harness_why.{other.kind.replace(' ', '_')}", subject=other.subject)
        if not WORDS.search(output):
            return say("harness.harness_parser_found")
        return None

    def attempts(
        self, hypothesis: Hypothesis, event: CommandRun | None, about: str, envelope: Envelope
    ) -> tuple[Attempt, ...]:
        """The run's own words through the parser of the run's own version."""
        del hypothesis, about, envelope
        output = (event.output or "") if event else ""
        words = WORDS.search(output)
        return (Attempt(interpreter.parsed(words["text"], _tags(output)), reconstructed=False),) if words else ()

    def values(self, subject: ReplayTarget, command: str) -> Named:
        """The form of an answer that the refusal itself shows."""
        del command
        return {"well_formed": well_formed(subject.output)}

    def extras(self, subject: ReplayTarget, envelope: Envelope) -> tuple[str, ...]:
        """The parser."""
        return interpreter.installing(interpreter.version_of(subject.output, envelope).version)

    def furnish(self, trial: ContainerContext) -> bool:
        """Its call."""
        interpreter.furnish(trial, ())
        return True

    def works(self, subject: ReplayTarget, outcome: Outcome, said: str) -> tuple[Answer, str]:
        """Another version of the parser may be kinder."""
        del subject, outcome
        return (
            Answer.UNKNOWN,
            say("harness.here_parser_finds", said=said),
        )


def well_formed(output: str) -> str:
    """The command that hands the parser the harness's own example of an answer, or one with the tags that it wants."""
    tags = _tags(output)
    words = WORDS.search(output)
    shown = EXAMPLE.search(words["rest"]) if words else None
    if shown:
        return interpreter.parsed(dedent(shown["example"]).strip(), tags)
    return interpreter.parsed(f"{tags[0]}\nprint('works')\n{tags[1]}" if tags else FENCED, tags)


def _tags(output: str) -> tuple[str, str] | None:
    """The tags that the harness wants around code; None for a version whose fence is fixed."""
    wanted = WANTED.search(output)
    if wanted is None or wanted["open"].startswith("```(?:py|python)?"):
        return None
    return wanted["open"], wanted["close"]
