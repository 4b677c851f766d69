"""`as-the-documents-say`: what the task's documents tell to run, and the run did not, before the failing command."""

import posixpath
import shlex
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from cases import patterns as re
from cases.sentences import Sentences
from cases.shell import Command, Step, looks, parse, steps_of
from cases.touches import code_in
from cases.touches.attempts import canonical
from cases.touches.names import installs, things
from probes.barriers import RoutePlan
from probes.model import Tier
from probes.replay.arms.documented.asking import strictly
from probes.replay.arms.documented.remedies import set_ups
from probes.replay.arms.documented.survey import Survey
from probes.replay.arms.documented.way import Try, Way
from probes.replay.arms.documented.words import other_work, table
from probes.replay.target.script import takes_away

say = Sentences(__name__)

PLAN = RoutePlan(
    id="as-the-documents-say",
    tier=Tier.T1,
    needs=("shell",),
    commands=(),
    lenient=True,
    seconds=60,
    source="the task's own documents: commands that they give and that the run never carried out",
)
MOST = 12
"""Commands."""
TURNS = frozenset({"", "cd", "pushd", "export", "source", ".", "activate", "module", "ulimit", "umask"})
"""Programs that change the shell in which they are run; an assignment has none."""
SETTINGS = re.compile(r"(?i).*\.(?:env|conf|cfg|ini|toml|ya?ml|properties|jsx?|ts|mk|sh|r|py|example|sample|template)")
PLACEHOLDER = re.compile(r"<[\w .:/-]+>|\.\.\.|…|\[[\w .|-]+\]|\bpath/to/|\b(?:YOUR|MY)_|\{\{")
PLACEHOLDER_WORD = re.compile(r"[A-Z][A-Z_]{2,}")
LOG = "$HOME/.as-the-documents-say"
WAIT = """\
log=LOG left=150
step() {
    ( eval "$1" ) < /dev/null >> $log 2>&1 &
    pid=$! n=0
    while kill -0 $pid 2>/dev/null && [ $n -lt 60 ] && [ $left -gt 0 ]; do
        sleep 0.2
        n=$((n + 1)) left=$((left - 1))
    done
}
turn() { eval "$1" < /dev/null >> $log 2>&1; }""".replace("LOG", LOG)
"""What has not ended after 12 seconds is a service: it goes on while the next command is run. All wait 30 at most."""


@dataclass(frozen=True)
class Told:
    """A command of a document."""

    text: str
    folder: str
    """The document's."""

    @property
    def turns(self) -> bool:
        """Whether it does nothing but change the shell for those that follow."""
        commands = [step.command for step in steps_of(self.text)]
        return all(one.program in TURNS or one.arguments[:1] == ("activate",) for one in commands)

    @property
    def goes_on(self) -> bool:
        """Whether something of it goes on in the background."""
        return any(step.background for step in steps_of(self.text))

    @property
    def tells(self) -> bool:
        """Whether it does more than go to a folder."""
        return any(step.command.program not in {"cd", "pushd"} for step in steps_of(self.text))


def as_documented(survey: Survey) -> Way:
    """The commands in their order, then the failing one; once more with the settings that are known for them."""
    told = list(_worth(survey, list(_told(survey))))
    if not any(one.tells for one in told):
        return Way(PLAN, lacking=say("commands.documents_tell_no"))
    lines = [WAIT, *(line for one in told[:MOST] for line in walking(one))]
    set_up = [one for step in told[:MOST] for one in set_ups(survey, step.text)]
    tries = [behind(survey, told, lines)]
    if set_up:
        turns = [f"turn {shlex.quote(one)}" for one in dict.fromkeys(set_up)]
        tries.append(behind(survey, told, [lines[0], *turns, *lines[1:]], *dict.fromkeys(set_up)))
    return Way(PLAN, tuple(tries))


def walking(one: Told) -> Iterator[str]:
    """Lines of a script that run it."""
    if one.turns:
        yield f"turn {shlex.quote(one.text)}"
        return
    script = next((step.command.file.text for step in steps_of(one.text) if step.command.file), None)
    there = f"test -e {shlex.quote(script)} || cd {shlex.quote(one.folder)}; " if script and one.folder else ""
    yield f"step {shlex.quote(there + one.text)}"
    if one.goes_on:
        yield "sleep 2"


def behind(survey: Survey, told: Sequence[Told], lines: Sequence[str], *before: str) -> Try:
    """The failing command behind the lines, in one shell."""
    shell = shlex.quote(survey.trial.subject.shell)
    begin = f"cd {shlex.quote(survey.trial.session.spec.workdir)}"
    again = f"{begin} && exec {shell} -c {shlex.quote(strictly(survey.command))}"
    script = "\n".join((f"cd {shlex.quote(survey.folder)}", *lines, again))
    typed = [text for one in told[:MOST] for text in (one.text, *(["sleep 2"] if one.goes_on else []))]
    shown = (*before, *typed, survey.command)
    return Try(script, shown, in_bash=True, told=f"tail -c 20000 {LOG}")


def _told(survey: Survey) -> Iterator[Told]:
    """Every command that a document gives as code, once."""
    seen = set[str]()
    for path, text in survey.documents:
        for code in code_in(text):
            inline = "\n" not in code and f"`{code}`" in text
            for line in lines_of(code):
                if line not in seen and (not inline or " " in line or "/" in line):
                    seen.add(line)
                    yield Told(line, posixpath.dirname(path))


def lines_of(code: str) -> Iterator[str]:
    """A block's commands: lines with what they go on with, prompts left out."""
    if "<<" in code:
        yield code.strip()
        return
    joined = re.sub(r"\\\n\s*", " ", code)
    for line in joined.splitlines():
        text = re.sub(r"\s+#\s.*$", "", re.sub(r"^[$%>]\s+", "", line.strip()))
        if text and not text.startswith("#"):
            yield text


def _worth(survey: Survey, told: list[Told]) -> Iterator[Told]:
    """Those that can be run here, do no harm, are not the failing one, and were not carried out by the run."""
    offline = survey.trial.session.spec.network == "none"
    done = {canonical(step.command) for event in _succeeded(survey) for step in event if step.command.words}
    own = {canonical(step.command) for step in steps_of(survey.command) if step.command.words}
    safe = [one for one in told if may_be_tried(one.text, offline=offline)]
    names = [step.command.words[0].text for one in safe for step in steps_of(one.text) if step.command.words]
    programs = survey.programs(
        [*names, *(posixpath.join(one.folder, name) for one in safe for name in names if "/" in name)]
    )
    for one in safe:
        steps = [step.command for step in steps_of(one.text) if step.command.words]
        if one.turns:
            if all(command.program in TURNS or _can(command, one.folder, programs) for command in steps):
                yield one
            continue
        spelled = {canonical(command) for command in steps}
        can = all(_can(command, one.folder, programs) for command in steps)
        if steps and can and not spelled <= done | own and not all(looks(command) for command in steps):
            yield one


def _succeeded(survey: Survey) -> Iterator[tuple[Step, ...]]:
    for event in survey.trial.subject.events.commands:
        yield event.steps if event.failed == "no" else event.proven


def _can(command: Command, folder: str, programs: dict[str, str]) -> bool:
    name = command.words[0].text
    return name in programs or posixpath.join(folder, name) in programs


def may_be_tried(line: str, *, offline: bool) -> bool:
    """Whether an ordinary user may try it, and it says of itself that it does no less and nothing else."""
    return does_no_harm(line, offline=offline) and all(_same_work(step.command) for step in steps_of(line))


def does_no_harm(line: str, *, offline: bool) -> bool:
    """Whether an ordinary user may run it: readable as shell, nothing left to fill in, and nothing taken away."""
    body, steps = parse(line).body, steps_of(line)
    if body is None or not steps or line.endswith("\\") or PLACEHOLDER.search(line) or takes_away(line):
        return False
    return all(_harmless(step.command, offline=offline) for step in steps)


def _local(command: Command) -> bool:
    """Whether it installs nothing but what lies here, or from a cache of its own."""
    if command.program in table().caches.words:
        return True
    words = [word for word in command.arguments if not word.startswith("-")]
    places = [word for word in words if word.startswith((".", "/"))]
    return bool(places) and len(places) == len(words) - 1


def _harmless(command: Command, *, offline: bool) -> bool:
    spelled = {posixpath.basename(word.text) for word in (*command.spelled[:1], *command.words[:1])}
    if spelled & table().harmful.words or set(command.wrappers) & table().harmful.words:
        return False
    if any(PLACEHOLDER_WORD.fullmatch(word) for word in command.arguments):
        return False
    fetches = command.program in things().fetchers.programs or (installs(command) and not _local(command))
    return not (offline and fetches)


def _same_work(command: Command) -> bool:
    copied = command.program == "cp" and all(SETTINGS.fullmatch(word) for word in command.arguments)
    return copied or not other_work(*(word.text for word in command.words))
