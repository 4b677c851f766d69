"""`past-its-version-check`: a file of the task's that ends itself for a version, without that comparison: one of
Python's, or one of Perl's that asks for a newer Perl.
"""

import ast
import shlex
from collections.abc import Iterator

from cases import patterns as re
from cases.sentences import Sentences
from cases.task_words import prompt_of
from probes.barriers import RoutePlan
from probes.model import Tier
from probes.replay.arms.documented.asking import strictly
from probes.replay.arms.documented.survey import Survey
from probes.replay.arms.documented.way import Try, Way

say = Sentences(__name__)

PLAN = RoutePlan(
    id="past-its-version-check",
    tier=Tier.T2,
    needs=("shell",),
    commands=(),
    source="the file's own syntax: an `if` that compares a version and only ends the program, or an `assert` of one; "
    "perlfunc, use VERSION",
)
FILES = 12
_USES = re.compile(r"\s*use\s+v?5[\d._]*\s*;")
_PERL = "perl -e 'printf qq(v%vd), $^V' | sed 's/[.][0-9]*$//'"
"""Prints the version of Perl that is there, such as `v5.36`."""
_VERSION = re.compile(r"(?<![\w.-])v?(\d+\.\d+)(?![\w-]|\.\d)")
_SPELLED = re.compile(r"(?<![\d.])v?(\d+\.\d+)(?![\d.])|\((\d+), *(\d+)\)")
_VALUES = frozenset({"__version__", "version_info", "hexversion"})
"""By which modules and Python's `sys` tell theirs."""
_CALLS = frozenset({"version", "python_version", "python_version_tuple"})
"""Functions of `importlib.metadata` and `platform`; a file's or a record's `version` is none."""
_ENDS = frozenset({"exit", "quit", "_exit"})


def past_its_version_check(survey: Survey) -> Way:
    """The failing command with every such comparison in the files that it opened taken as false."""
    edits = [edit for path in _files(survey, ".py") for edit in _edits(path, _text(survey, path))]
    edits += _newer_perl(survey)
    if not edits:
        return Way(PLAN, lacking=say("version_checks.none"))
    each, asked = " && ".join(edits), _asked_for(survey)
    still = say("version_checks.asked_for", version=asked) if asked else ""
    return Way(PLAN, (Try(f"{each} || exit\n{strictly(survey.command)}", (*edits, survey.command), open=still),))


def _asked_for(survey: Survey) -> str:
    """A version that the files spell and the task's own text as well; empty where there is none."""
    told = set(_VERSION.findall(prompt_of(survey.trial.context.case)))
    texts = (_text(survey, path) for path in _files(survey, ".py", ".pl", ".pm")) if told else ()
    spelled = (match[1] or f"{match[2]}.{match[3]}" for text in texts for match in _SPELLED.finditer(text))
    return next((one for one in spelled if one in told), "")


def _files(survey: Survey, *endings: str) -> list[str]:
    folder = survey.trial.session.spec.workdir.rstrip("/")
    own = [survey.own.step.at(survey.own.script.text, survey.folder)] if survey.own else []
    paths = dict.fromkeys((*filter(None, own), *survey.trial.outcome.opened))
    return [path for path in paths if path.startswith(f"{folder}/") and path.endswith(endings)][:FILES]


def _newer_perl(survey: Survey) -> list[str]:
    """One command a line in which a file of Perl's asks for a version of it: for the one that is there."""
    asked = [(path, line) for path in _files(survey, ".pl", ".pm") for line in _uses(_text(survey, path))]
    here = survey.ask("perl", _PERL)[:1] if asked else []
    told = [(path, f"{line}s/v*5[0-9._]*/{version}/") for version in here for path, line in asked]
    return [f"sed -i {shlex.quote(edit)} {shlex.quote(path)}" for path, edit in told]


def _uses(text: str) -> list[int]:
    return [number for number, line in enumerate(text.splitlines(), 1) if _USES.match(line)]


def _text(survey: Survey, path: str) -> str:
    return survey.trial.run("replay-version-checks", f"cat {shlex.quote(path)}", seconds=10)[0].output


def _edits(path: str, text: str) -> Iterator[str]:
    """One command a comparison that stands in one line."""
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError):
        return
    for node in ast.walk(tree):
        ends = isinstance(node, ast.If) and not node.orelse and _ends(node.body[-1])
        if (
            isinstance(node, ast.If | ast.Assert)
            and (ends or isinstance(node, ast.Assert))
            and _of_a_version(node.test)
        ):
            condition, taken = ast.get_source_segment(text, node.test), "False" if ends else "True"
            if condition and "\n" not in condition:
                literal = re.sub(r"([][\\.*^$/&])", r"\\\1", condition)
                yield f"sed -i {shlex.quote(f'{node.test.lineno}s/{literal}/{taken}/')} {shlex.quote(path)}"


def _of_a_version(test: ast.expr) -> bool:
    return any(
        _name(node) in _VALUES or (isinstance(node, ast.Call) and _name(node.func) in _CALLS) for node in ast.walk(test)
    )


def _name(node: ast.AST) -> str | None:
    return getattr(node, "attr", None) or getattr(node, "id", None)


def _ends(last: ast.stmt) -> bool:
    if isinstance(last, ast.Raise):
        return True
    return isinstance(last, ast.Expr) and isinstance(last.value, ast.Call) and _name(last.value.func) in _ENDS
