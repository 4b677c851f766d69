"""`without-the-runner`: what a program that only runs other commands would have run, by its own configuration."""

import configparser
import json
import shlex
from collections.abc import Callable, Container, Iterable, Iterator, Sequence

from lxml import etree  # type: ignore[import-untyped]

from cases import patterns as re
from cases.sentences import Sentences
from cases.shell import Command, Step, steps_of
from cases.touches import names_program, prepares
from probes.barriers import RoutePlan
from probes.model import Tier
from probes.replay.arms.documented.asking import STRICT, strictly
from probes.replay.arms.documented.notebooks import by_interpreter
from probes.replay.arms.documented.programs import missing_programs, written_for
from probes.replay.arms.documented.remedies import set_ups
from probes.replay.arms.documented.survey import Survey
from probes.replay.arms.documented.way import Try, Way
from probes.replay.arms.documented.words import Runner, table
from sandboxes import SandboxError

say = Sentences(__name__)

PLAN = RoutePlan(
    id="without-the-runner",
    tier=Tier.T2,
    needs=("shell",),
    commands=(),
    source="documented/words.toml: programs that run what a file of the task's tells them; done by hand",
)
LONGEST = 8_000_000
"""Bytes of what tells a program what to run; notebooks hold their pictures."""
OWN_END = say("runners.could_not_tried")
_STARTS = frozenset({"run", "exec"})
"""Verbs of programs that only start what follows: poetry, pipenv, pdm, hatch, uv, bundle, carton."""
_TOX = re.compile(
    r"(?:run |r )?(?:-[vqr]+ )*(?:(?:-q?e|--env) ?(?P<names>[\w.,-]+))?"
    r"(?: ?-[vqrp]+(?: auto| all)?)*(?: ?-- (?P<words>.+))?"
)
_POSARGS = re.compile(r"\{posargs(?::([^}]*))?\}")
_UNREAD = re.compile(r"(?<!\$)\{[^}\s]*\}|^[\w,!.-]+:(?:\s|$)|^\[", re.MULTILINE)
"""What only tox itself fills in: its own values, and what holds for some environments only."""


def without_the_runner(survey: Survey) -> Way:
    """The line with what the missing program was to run in that one's place; open where that is not known, for a
    person can run it by hand.
    """
    missing = missing_programs(survey)
    steps = [step for step in steps_of(survey.command) if step.inside == "line"]
    called = [
        (step, runner)
        for step in steps
        for runner in table().runner
        if (step.command.program in missing and step.command.program in runner.programs) or _is_told(step, runner)
    ]
    if not called:
        if small := _within(survey, steps, missing):
            return small
        return _by_its_words(survey, [step for step in steps if _stands_before(step, missing)])
    line, shown = survey.command, list[str]()
    for step, runner in reversed(called):
        lines = _lines(survey, step, runner)
        if not lines or _others_missing(survey, lines):
            return _by_a_person(survey, *called[-1])
        words = step.command.words
        by_hand = shlex.quote("\n".join((STRICT, *lines)))
        line = f"{line[: words[0].start]}sh -c {by_hand}{line[words[-1].end :]}"
        shown = [*lines, *shown]
    return Way(PLAN, _tries(survey, line, "\n".join(shown), shown), own_end=OWN_END)


def _is_told(step: Step, runner: Runner) -> bool:
    """Whether an interpreter is given what only such a program reads."""
    file = step.command.file
    return bool(runner.named) and file is not None and file.text.endswith(runner.named)


def _tries(survey: Survey, line: str, script: str, shown: Sequence[str]) -> tuple[Try, ...]:
    """The line alone, and with each setting that is known for what it then runs; programs that it names and that are
    missing are written down before, where that is known.
    """
    named = {one.name for one in table().written if re.search(rf"(?<![\w./-]){one.name}(?![\w.-])", script)}
    made = written_for(survey, named - survey.programs(named).keys()) if named else ()
    set_up = (Try(strictly(line, *made, one), (*made, one, *shown)) for one in set_ups(survey, script))
    return (Try(strictly(line, *made), (*made, *shown)), *set_up)


def _stands_before(step: Step, missing: Container[str]) -> bool:
    return step.command.program in missing or any(name in missing for name in step.command.wrappers)


def _by_its_words(survey: Survey, steps: Sequence[Step]) -> Way:
    """Without a missing program that stands before another and does nothing itself: one that the shell is known to see
    through, or that is told to `run` or `exec` a program of the machine. What it was to install may be there already.
    """
    line, shown = survey.command, list[str]()
    for step in reversed(steps):
        spelled, own = step.command.spelled, step.command.words
        if prepares(step.command) and not step.command.wrappers:
            line = f"{line[: spelled[0].start]}true{line[spelled[-1].end :]}"
            continue
        if step.command.wrappers and own:
            first = own[0]
        else:
            if len(own) < 3 or own[1].text not in _STARTS or not survey.programs([own[2].text]):
                continue
            first = own[2]
        line = f"{line[: spelled[0].start]}{line[first.start :]}"
        shown = [line]
    if not shown:
        return Way(PLAN, lacking=say("runners.no_program_only"))
    return Way(PLAN, _tries(survey, line, line, shown))


def _within(survey: Survey, steps: Sequence[Step], missing: Iterable[str]) -> Way | None:
    """Open for a small program that no word of the line calls but what it runs, and that the task does not ask for."""
    spelled = {step.command.program for step in steps}
    small = {name for runner in table().runner if not runner.files and not runner.read for name in runner.programs}
    name = next((name for name in missing if name in small and name not in spelled), None)
    if name is None or names_program(survey.prompt, name):
        return None
    return Way(PLAN, open=say("runners.could_not_tried_can", told=say("runners.what_takes_few", name=name)))


def _by_a_person(survey: Survey, step: Step, runner: Runner) -> Way:
    name = step.command.program
    if names_program(survey.prompt, name):
        return Way(PLAN, lacking=say("runners.task_own_text", name=name))
    there = survey.existing(place for one in runner.files if (place := _place(survey, step, one)))
    if there or not runner.files:
        told = (
            say("runners.tells_what_runs", there=there[0], name=name)
            if there
            else say("runners.what_takes_few", name=name)
        )
        return Way(PLAN, open=say("runners.could_not_tried_can", told=told))
    return Way(PLAN, lacking=say("runners.nothing_tells_what", name=name))


def _others_missing(survey: Survey, lines: Sequence[str]) -> bool:
    """Whether the lines start a program of the same sort that is missing, too."""
    known = {name for runner in table().runner for name in runner.programs}
    needed = {step.command.program for line in lines for step in steps_of(line)} & known
    return bool(needed - survey.programs(needed).keys())


def _place(survey: Survey, step: Step, name: str) -> str | None:
    return step.at(name, survey.trial.session.spec.workdir)


def _lines(survey: Survey, step: Step, runner: Runner) -> list[str]:
    """Nothing where not all that the program was told is understood."""
    if step.inside != "line" or not all(word.literal for word in step.command.words):
        return []
    reader = _READERS.get(runner.read)
    named = [word for word in step.command.arguments if runner.named and word.endswith(runner.named)]
    if reader and not runner.named and not runner.files:
        return reader("", step.command, runner)
    for name in (*named, *runner.files) if reader else ():
        text = _text(survey, _place(survey, step, name))
        if text and reader:
            return reader(text, step.command, runner)
    return []


def _text(survey: Survey, path: str | None) -> str:
    try:
        return survey.trial.session.get(path, limit=LONGEST).decode("utf-8", "replace") if path else ""
    except SandboxError:
        return ""


def tox(text: str, command: Command, runner: Runner) -> list[str]:
    """The settings and commands of the environments that are asked for, else of those that are listed."""
    del runner
    parser = configparser.ConfigParser(interpolation=None, strict=False, delimiters=("=",))
    try:
        parser.read_string(text)
    except configparser.Error:
        return []
    match = _TOX.fullmatch(shlex.join(command.arguments))
    if match is None:
        return []
    listed = parser.get("tox", "envlist", fallback=parser.get("tox", "env_list", fallback=""))
    names = [name for name in re.split(r"[\s,]+", match["names"] or listed) if name]
    own = [name for name in names if parser.has_section(f"testenv:{name}")]
    sections = [f"testenv:{name}" for name in own] + (["testenv"] if len(own) < len(names) or not names else [])
    each = [list(_environment(parser, section, match["words"] or "")) for section in sections]
    lines = each[0] if len(each) == 1 else ["\n".join(("(", *one, ")")) for one in each if one]
    return [] if any(_UNREAD.search(line) for line in lines) else lines


def _environment(parser: configparser.ConfigParser, section: str, words: str) -> Iterator[str]:
    for folder in _option(parser, section, "changedir") + _option(parser, section, "change_dir"):
        yield f"cd {folder}"
    for line in _option(parser, section, "setenv") + _option(parser, section, "set_env"):
        variable, _, value = line.partition("=")
        yield f"export {variable.strip()}={shlex.quote(value.strip())}"
    for key in ("commands_pre", "commands", "commands_post"):
        for line in _option(parser, section, key):
            told = _POSARGS.sub(lambda found: words or found[1] or "", line)
            told = re.sub(r"\{(?:toxinidir|tox_root)\}", ".", told).replace("{envpython}", "python3").strip()
            yield f"{told.removeprefix('-').strip()} || true" if told.startswith("-") else told


def _option(parser: configparser.ConfigParser, section: str, key: str) -> list[str]:
    for one in (section, "testenv"):
        if parser.has_option(one, key):
            text = re.sub(r"\\\n\s*", " ", parser.get(one, key))
            return [line.strip() for line in text.splitlines() if line.strip()]
    return []


def npm(text: str, command: Command, runner: Runner) -> list[str]:
    """The script that is asked for, with what comes before and after it."""
    try:
        scripts = json.loads(text).get("scripts", {})
    except (ValueError, AttributeError):
        return []
    words = [word for word in command.arguments if word not in ("-s", "--silent")]
    if words[:1] and words[0] in ("run", "run-script"):
        words = words[1:]
    elif not words or words[0] not in runner.short:
        return []
    name, rest = (runner.short.get(words[0], words[0]), words[1:]) if words else ("", [])
    if rest[:1] == ["--"]:
        rest = rest[1:]
    elif command.program in ("npm", "bun") and rest:
        return []
    if not isinstance(scripts, dict):
        return []
    found = [scripts.get(one) for one in (f"pre{name}", name, f"post{name}")]
    if not isinstance(found[1], str):
        return []
    found[1] = f"{found[1]} {shlex.join(rest)}".rstrip()
    lines = [one for one in found if isinstance(one, str)]
    return [] if any("npm_" in line for line in lines) else ['export PATH="$PWD/node_modules/.bin:$PATH"', *lines]


_NAME = re.compile(r"[A-Za-z0-9_.]+(?:-[A-Za-z0-9_.]+)+")
_PHASES = frozenset({"compile", "test-compile", "process-classes", "prepare-package", "package", "verify", "install"})
_CLEANING = frozenset({"clean", "validate", "initialize"})
_BY_JAVAC = """
jars="$(find . -name '*.jar' -not -path './target/*' | paste -sd:)"
mkdir -p target/classes
find src/main/java -name '*.java' > target/sources
javac -cp "$jars" -d target/classes @target/sources
if [ -d src/main/resources ]; then cp -R src/main/resources/. target/classes; fi
"""
_JARS = """
main="$(grep -rlE 'static +void +main *\\(' src/main/java | head -1 | sed 's,^src/main/java/,,; s,\\.java$,,; y,/,.,')"
jar cf target/{name}.jar -C target/classes .
for one in $(echo "$jars" | tr : ' '); do (cd target/classes && jar xf "$OLDPWD/$one" && rm -rf META-INF); done
jar cfe target/{name}-jar-with-dependencies.jar "$main" -C target/classes .
"""


def maven(text: str, command: Command, runner: Runner) -> list[str]:
    """A project of one module by the compiler itself, with the jars that lie below it, in Maven's standard layout."""
    del runner
    phases = {word for word in command.arguments if not word.startswith("-")} - _CLEANING
    if not phases or not phases <= _PHASES:
        return []
    try:
        project = etree.fromstring(text.encode(), etree.XMLParser(resolve_entities=False, no_network=True))
    except etree.XMLSyntaxError:
        return []
    told = {name: project.findtext(f"{{*}}{name}") or "" for name in ("artifactId", "version", "packaging")}
    name = f"{told['artifactId']}-{told['version']}"
    if project.find("{*}modules") is not None or told["packaging"] not in ("", "jar") or not _NAME.fullmatch(name):
        return []
    return [*_BY_JAVAC.strip().splitlines(), *_JARS.format(name=name).strip().splitlines()]


def notebook(text: str, command: Command, runner: Runner) -> list[str]:
    """Its code by the interpreter alone."""
    del runner
    return by_interpreter(text, command)


_UNITTEST = """
places="{places}"; if [ "$places" = . ] && [ -d tests ]; then places=tests; fi
said="$(for p in $places; do
if [ -d "$p" ]; then python3 -m unittest discover -s "$p"; else python3 -m unittest "$p"; fi || exit 1
done 2>&1)" || {{
printf '%s\\n' "$said"; exit 1; }}
printf '%s\\n' "$said" | grep '^Ran [1-9]'
"""
_OF_PYTEST = re.compile(r"-(?:[qvsxl]+|-(?:tb=\w+|quiet|verbose|exitfirst|maxfail=\d+|no-header|color=\w+))")
"""Options that change nothing of what is tested."""


def pytest(text: str, command: Command, runner: Runner) -> list[str]:
    """Tests that are written for Python's own `unittest`, where at least one of them runs."""
    del text, runner
    words = [word for word in command.arguments if not _OF_PYTEST.fullmatch(word)]
    if any(word.startswith("-") or not re.fullmatch(r"[\w./-]+", word) for word in words):
        return []
    return _UNITTEST.format(places=" ".join(words) or ".").strip().splitlines()


_READERS: dict[str, Callable[[str, Command, Runner], list[str]]] = {
    "tox": tox,
    "npm": npm,
    "maven": maven,
    "notebook": notebook,
    "pytest": pytest,
}
