"""An import, a module or a function that the run's own interpreter forbids."""

import ast
import builtins
import shlex
from dataclasses import dataclass
from typing import ClassVar

from cases import CommandRun
from cases import patterns as re
from cases.sentences import Sentences
from cases.shell import looks, steps_of
from cases.task_words import texts_of
from probes.model import Answer, Barrier, Envelope, Hypothesis, Targets
from probes.replay.handlers import interpreter
from probes.replay.handlers.base import BarrierHandler
from probes.replay.resources.context import ContainerContext
from probes.replay.resources.outcome import Outcome
from probes.replay.target.data import harmless, reaching
from probes.replay.target.details import Details, Named
from probes.replay.target.model import Attempt, ReplayTarget
from probes.replay.target.symptom import Symptom

say = Sentences(__name__)

OPENS = ("pandas", "numpy")
"""Libraries with an input and output of their own, where `open` is forbidden."""
RECKONS = re.compile(
    r"os\.path(?:\.(?:join|basename|dirname|splitext|split|normpath|commonprefix|isabs|sep))?|os(?:\.(?:sep|linesep|extsep))?"
    r"|pathlib(?:\.Pure\w+)?"
)
"""Of modules that reach the machine, what does not."""
PATH = re.compile(r"(?<![\w./:])/[\w.+-]+(?:/[\w.+-]+)+")
NAMED = (ast.Attribute, ast.Name)
WRITES = re.compile(
    r"(?:write|save|dump|to_|mkdir|make|remove|unlink|rename|move|copy|chmod|replace|O_W|O_RDWR|O_CREAT|exec|spawn)\w*"
)
"""Names of what changes files or starts programs, as Python and its libraries call it."""
MODE = re.compile(r"[wax][bt+]*|r[bt]*\+[bt]*")
"""With which a file is opened to be written."""
HARMLESS = frozenset({"python_interpreter", "final_answer"})


@dataclass(frozen=True)
class BanDetails(Details):
    """What the agent was told that it has."""

    promised: bool = True
    """Whether that may be what is forbidden: a tool of the run's, or named by the task."""


class ImportBan(BarrierHandler):
    """`Import of … is not allowed`, `Forbidden function evaluation`."""

    barriers = (Barrier.IMPORT_BAN,)
    noun = "module or function"
    details = BanDetails
    knows_tools = True
    present_rests_on = ("allowed_imports", "interpreter_version")
    routes_rest_on: ClassVar = ("shell", "tools", "allowed_imports", "network")

    def named(self, targets: Targets) -> tuple[str, ...]:
        """Modules; the record's functions stand among them."""
        return targets.modules

    def expected(self, barrier: Barrier, about: str) -> Symptom:
        """The interpreter's words for a function, or those for a module."""
        del barrier
        return Symptom("function not allowed" if _function(about) else "import not allowed", about)

    def attempts(
        self, hypothesis: Hypothesis, event: CommandRun | None, about: str, envelope: Envelope
    ) -> tuple[Attempt, ...]:
        """The run's own block of code, then the least that needs what is forbidden."""
        del hypothesis, envelope
        attempts = [Attempt(interpreter.interpreted(_least(about)), reconstructed=True)]
        if event and event.kind == "python" and event.command.strip():
            attempts.insert(0, Attempt(interpreter.interpreted(event.command), reconstructed=False))
        return tuple(attempts)

    def values(self, subject: ReplayTarget, command: str) -> Named:
        """The same code for an ordinary Python, and what it needs there."""
        about, module = subject.about, not _function(subject.about)
        least, top = _least(about), about.partition(".")[0]
        code = interpreter.code_of(command) or least
        brought = module and not interpreter.standard(about)
        return {
            "plain": f"python3 - <<'{interpreter.END}'\n{code}\n{interpreter.END}",
            "plain_least": f"python3 -c {shlex.quote(least)}",
            "least": interpreter.interpreted(least),
            "authorise": f"{about} {about}.* {top} {top}.*" if module else about,
            "opens": about == "open",
            "wanted": next((repr(path) for path in wanted(code)), None) if about != "open" else None,
            "other": interpreter.interpreted(_otherwise(about)) if module else None,
            "package": shlex.quote(interpreter.package_of(about)) if brought else None,
        }

    def extras(self, subject: ReplayTarget, envelope: Envelope) -> tuple[str, ...]:
        """The interpreter, with the allowed libraries that the run's code or a route uses."""
        allowed = interpreter.allowed_of(subject.output, envelope) or ()
        used = interpreter.imports(interpreter.code_of(subject.attempts[0].command) or "")
        wanted = dict.fromkeys((*used, *(OPENS if subject.about == "open" else ())))
        libraries = (name for name in wanted if interpreter.allows(allowed, name) and not interpreter.standard(name))
        return interpreter.installing(interpreter.version_of(subject.output, envelope).version, tuple(libraries))

    def furnish(self, trial: ContainerContext) -> bool:
        """The interpreter's list of imports and its call."""
        allowed = interpreter.allowed_of(trial.subject.output, trial.context.envelope)
        if allowed is None:
            trial.outcome.limits.append(say("import_ban.run_list_imports"))
        interpreter.furnish(trial, allowed or ())
        return True

    def works(self, subject: ReplayTarget, outcome: Outcome, said: str) -> tuple[Answer, str]:
        """Without the run's own list an import that is allowed says nothing."""
        if _listed(subject, outcome) is None:
            return Answer.UNKNOWN, say("import_ban.but_imports_run", said=said)
        return super().works(subject, outcome, said)

    def meaningless(self, subject: ReplayTarget, outcome: Outcome) -> str | None:
        """What the agent made up, or took for a module, is forbidden by nobody."""
        tools = _envelope(outcome, "tools") or ()
        if subject.about in tools:
            return say("import_ban.one_run_tools", about=subject.about)
        if subject.expected.kind == "function not allowed" and not _function(subject.about):
            return say("import_ban.no_function_python", about=subject.about)
        return None

    def learn(self, trial: ContainerContext) -> BanDetails:
        """Where the run's tools are known, whether it is one of them or the task names it."""
        tools, about = trial.context.envelope.tools.value, trial.subject.about
        texts = (text for _, text in texts_of(trial.context.case, None, ()))
        return BanDetails(promised=not tools or about in tools or any(about in text for text in texts))

    def consequence(self, subject: ReplayTarget) -> str | None:
        """What the agent called without having it, or being told that it has it, is its own doing."""
        promised = subject.told(BanDetails).promised
        if promised or subject.expected.kind != "function not allowed" or _function(subject.about):
            return None
        return say("import_ban.no_function_python", about=subject.about)

    def unsettled(self, subject: ReplayTarget, outcome: Outcome) -> str | None:
        """A ban stops nobody who has another tool for it, or can write by hand what the module does."""
        tools = tuple(_envelope(outcome, "tools") or ())
        others = [tool for tool in tools if tool not in HARMLESS]
        if not tools or (others and not _envelope(outcome, "shell")):
            told = (
                say("import_ban.agent_other_tools", others=", ".join(others[:4]))
                if others
                else say("import_ban.agent_tools_not")
            )
            return say("import_ban.could_not_tried", told=told)
        allowed = _listed(subject, outcome)
        if allowed is None:
            return say("import_ban.imports_run_interpreter")
        if subject.about.partition(".")[0] not in reaching():
            return say("import_ban.what_can_also", about=subject.about)
        code = interpreter.code_of(subject.attempts[0].command)
        if not _function(subject.about) and code and not reaches(code, subject.about):
            return say("import_ban.code_nothing_could", about=subject.about)
        doubtful = sorted({name for name in allowed if name.partition(".")[0] not in harmless()})
        if doubtful:
            return say("import_ban.interpreter_allows_same", doubtful=", ".join(doubtful[:4]))
        return None

    def remarks(self, subject: ReplayTarget, outcome: Outcome) -> tuple[str, ...]:
        """A library's own reading and writing is a way round only where it fits what the code wanted."""
        passed = outcome.passed
        if passed is None or "opens" not in passed.plan.when:
            return ()
        del subject
        return (say("import_ban.whether_library_own"),)


def _function(name: str) -> bool:
    return hasattr(builtins, name) and callable(getattr(builtins, name))


def _least(about: str) -> str:
    """The least code that needs it."""
    if about == "open":
        return "print(open('/etc/hostname').read())"
    return f"print(callable({about}) and {about} or {about}())" if _function(about) else f"import {about}"


def _otherwise(about: str) -> str:
    """Another spelling of the same import."""
    top, _, below = about.partition(".")
    return f"import {top}\nprint({top}.{below})" if below else f"from {about} import *"


def reaches(code: str, about: str) -> bool:
    """Whether a block of code uses what it imports of a module for more than reckoning."""
    try:
        nodes = list(ast.walk(ast.parse(code)))
    except SyntaxError:
        return True
    top = about.partition(".")[0]
    bound = {name: full for node in nodes for name, full in _bound(node) if full.partition(".")[0] == top}
    spoken = (ast.unparse(node) for node in nodes if isinstance(node, ast.Attribute | ast.Name))
    names = (text.partition(".") for text in spoken if re.fullmatch(r"[\w.]+", text))
    uses = [f"{bound[name]}{dot}{rest}" for name, dot, rest in names if name in bound]
    return "*" in bound or any(not RECKONS.fullmatch(use) for use in uses)


def wanted(code: str) -> list[str]:
    """Files and folders that a block of code gets at by their whole paths and at most reads: what it writes to, or what
    it has run by others that does more than look, leaves none.
    """
    try:
        nodes = list(ast.walk(ast.parse(code)))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return []
    words = [node.value for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str)]
    lines = [word for word in words if " " in word.strip() and PATH.search(word)]
    names = {node.attr if isinstance(node, ast.Attribute) else node.id for node in nodes if isinstance(node, NAMED)}
    writes = any(WRITES.fullmatch(name) for name in names) or any(MODE.fullmatch(word) for word in words)
    if writes or not all(looks(step.command) for line in lines for step in steps_of(line)):
        return []
    found = [match[0] for word in words for match in PATH.finditer(word.removeprefix("file://"))]
    return list(dict.fromkeys(found))


def _bound(node: ast.AST) -> list[tuple[str, str]]:
    """The names that an import gives, each with what it stands for."""
    if isinstance(node, ast.ImportFrom):
        return [(alias.asname or alias.name, f"{node.module}.{alias.name}") for alias in node.names]
    if not isinstance(node, ast.Import):
        return []
    whole = ((alias.asname, alias.name, alias.name.partition(".")[0]) for alias in node.names)
    return [(name, full) if name else (top, top) for name, full, top in whole]


def _envelope(outcome: Outcome, name: str) -> tuple[str, ...] | None:
    value: tuple[str, ...] | None = outcome.profile.get("envelope", {}).get(name, {}).get("value")
    return value


def _listed(subject: ReplayTarget, outcome: Outcome) -> tuple[str, ...] | None:
    told = interpreter.listed(subject.output)
    return _envelope(outcome, "allowed_imports") if told is None else told
