"""A Python module that cannot be imported."""

import ast
import posixpath
import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from cases import patterns as re
from cases.sentences import Sentences
from cases.task_words import prompt_of
from cases.touches import code_in
from cases.touches.calls import at_once, nodes_of
from cases.touches.installing import bare
from probes.model import Barrier, Envelope, Targets
from probes.names import modules, ornaments
from probes.replay.handlers.base import BarrierHandler
from probes.replay.handlers.hooking import hook
from probes.replay.handlers.on_disk import lying_copy
from probes.replay.handlers.package import PackageDetails, package_values
from probes.replay.handlers.rewriting import python_alone
from probes.replay.resources.contents import Sort
from probes.replay.resources.context import ContainerContext
from probes.replay.resources.outcome import Outcome
from probes.replay.target.details import Named
from probes.replay.target.model import ReplayTarget
from probes.replay.target.needs import gone_to, scripts_of

say = Sentences(__name__)


MOST_SCRIPTS = 6
VERSION_FILES = (
    "find {root} -maxdepth 3 -type f \\( -name pyproject.toml -o -name setup.cfg -o -name setup.py \\) "
    "-exec grep -HoE -- {spelled} {{}} + 2>/dev/null | head -5; true"
)
"""Settings of builds that spell a file."""
IMPORTERS = "grep -rlE --include='*.py' '(import|from)[[:space:]]+{top}' {root} 2>/dev/null | head; true"
"""Files that may import a module."""


@dataclass(frozen=True)
class ModuleDetails(PackageDetails):
    """The same with what its own build would write."""

    anew: str | None = None
    """That what is taken of it can be written anew, if it is one that everybody knows; ends a sentence."""
    importer: str = ""
    """A program that the prompt tells to run and that imports it whatever it is asked."""
    version_file: str | None = None
    """The file that the module is, where a build of the task's is told to write the version there."""


class Module(BarrierHandler):
    """`No module named …`."""

    barriers = (Barrier.MODULE,)
    noun = "module"
    failure: ClassVar = {Barrier.MODULE: "no module"}
    valid = re.compile(r"[A-Za-z_]\w*(\.[A-Za-z_]\w*)*")
    details = ModuleDetails
    present_rests_on = ("image", "python")

    def named(self, targets: Targets) -> tuple[str, ...]:
        """Modules."""
        return targets.modules

    def least(self, about: str, envelope: Envelope) -> str:
        """Import it."""
        del envelope
        return f'python3 -c "import {about}"'

    def known(self, subject: ReplayTarget) -> ModuleDetails:
        """The package that is known to bring the module."""
        return ModuleDetails(bare(_package(subject.about)))

    def values(self, subject: ReplayTarget, command: str) -> Named:
        """The module, its top package and the requirement that brings it."""
        return {
            **package_values(subject, command),
            "module": subject.about,
            "toppath": _top(subject.about),
            "package": shlex.quote(_package(subject.about, subject.indexed)),
            "ornament": shlex.quote(hook("ornament.py")) if _top(subject.about) in ornaments() else None,
            "version_file": _quoted(subject.told(ModuleDetails).version_file),
            "apt": f"python3-{bare(_package(subject.about)).lower()}",
        }

    def held(self, subject: ReplayTarget) -> tuple[Sort, str]:
        """Its top package."""
        return "module", _top(subject.about)

    def learn(self, trial: ContainerContext) -> ModuleDetails:
        """Whether the machine has it somewhere, the script makes no use of it, or Python itself does what it is for."""
        distribution, top = trial.subject.told(PackageDetails).distribution, _top(trial.subject.about)
        anew, offline = python_alone(trial), trial.context.settings.offline
        return ModuleDetails(
            distribution,
            lying_copy(trial, distribution, top)
            or _unused(trial, top)
            or _on_a_branch(trial, top)
            or (anew if offline else None),
            anew,
            _importer(trial, top),
            _version_file(trial),
        )

    def asked_of(self, subject: ReplayTarget) -> str:
        """A program that the prompt tells to run."""
        importer = subject.told(ModuleDetails).importer
        return say("module.imported_by", script=importer, module=subject.about) if importer else ""

    def unsettled(self, subject: ReplayTarget, outcome: Outcome) -> str | None:
        """What lies on the disk is not missing for good; of what no index has nobody knows what it does."""
        told = subject.told(ModuleDetails)
        public = outcome.lifted is None or not outcome.lifted.minimal
        return told.doubt or (told.anew if public else None)


def _importer(trial: ContainerContext, top: str) -> str:
    prompt, here = prompt_of(trial.context.case), shlex.quote(trial.session.spec.workdir)
    told = (script for code in code_in(prompt) for script in scripts_of(code) if script.endswith(".py"))
    for script in list(dict.fromkeys(told))[:MOST_SCRIPTS]:
        ask = f"cd {here} && head -c 200000 {shlex.quote(script)}"
        [shown] = trial.run("replay-importer", ask, seconds=20)
        if shown.ok and any(True for node in at_once(shown.output) for _ in _bound(node, top)):
            return script
    return ""


def _version_file(trial: ContainerContext) -> str | None:
    about = trial.subject.about
    if "version" not in about.rpartition(".")[2]:
        return None
    spelled = rf"[A-Za-z0-9_./-]*{about.replace('.', '/')}[.]py"
    root = shlex.quote(trial.session.spec.workdir)
    [done] = trial.run("replay-version-file", VERSION_FILES.format(root=root, spelled=shlex.quote(spelled)), seconds=20)
    settings, _, file = done.output.partition("\n")[0].partition(":")
    return posixpath.normpath(posixpath.join(posixpath.dirname(settings), file)) if file else None


def _quoted(path: str | None) -> str | None:
    return shlex.quote(path) if path else None


def _unused(trial: ContainerContext, top: str) -> str | None:
    """That a script imports it and makes no use of it; ends a sentence."""
    line = trial.subject.attempts[0].command
    scripts = [posixpath.join(gone_to(line) or ".", path) for path in scripts_of(line) if path.endswith(".py")]
    for script in scripts:
        [shown] = trial.run("replay-imports", f"head -c 200000 {shlex.quote(script)}")
        nodes = list(nodes_of(shown.output))
        bound = {name for node in nodes for name in _bound(node, top)}
        if bound and "*" not in bound and not any(isinstance(node, ast.Name) and node.id in bound for node in nodes):
            return say("module.no_use", script=script, module=top)
    return None


def _on_a_branch(trial: ContainerContext, top: str) -> str | None:
    """That the functions which the run's own code calls import it on one of their branches alone; ends a sentence."""
    goal, subject = trial.subject.asked, trial.subject
    if subject.event is None or (goal and goal.spelled):
        return None
    code = subject.events.commands[subject.event].command
    called = {node.id for node in nodes_of(code) if isinstance(node, ast.Name)}
    ask = IMPORTERS.format(root=shlex.quote(trial.session.spec.workdir), top=re.escape(top))
    [listed] = trial.run("replay-importers", ask, seconds=20)
    for script in listed.output.splitlines()[:MOST_SCRIPTS]:
        [shown] = trial.run("replay-branches", f"head -c 200000 {shlex.quote(script)}")
        if any(True for node in at_once(shown.output) for _ in _bound(node, top)):
            return None
        functions = (node for node in nodes_of(shown.output) if isinstance(node, ast.FunctionDef))
        for function in functions:
            if function.name in called and _may_do_without(function, top):
                return say("module.on_a_branch", function=function.name, script=script, module=top)
    return None


def _may_do_without(function: ast.FunctionDef, top: str) -> bool:
    """Whether a function with a choice to make imports a module only behind a branch, or after it may have returned."""
    imports = [node for node in ast.walk(function) if any(_bound(node, top)) and isinstance(node, ast.stmt)]
    returns = [node for node in ast.walk(function) if isinstance(node, ast.Return)]
    behind = all(node not in function.body or any(one.lineno < node.lineno for one in returns) for node in imports)
    return bool(imports and function.args.args and behind)


def _bound(node: ast.AST, top: str) -> Iterator[str]:
    """The names under which a statement brings in something of the module; `*` for any."""
    if isinstance(node, ast.Import):
        names = (one for one in node.names if _top(one.name) == top)
        yield from (one.asname or top for one in names)
    elif isinstance(node, ast.ImportFrom) and _top(node.module or "") == top and not node.level:
        yield from (one.asname or one.name for one in node.names)


def _top(module: str) -> str:
    return module.partition(".")[0]


def _package(module: str, indexed: str | None = None) -> str:
    """The requirement that is known to bring a module, or the likeliest."""
    entry = modules().get(module) or modules().get(_top(module))
    return entry.package if entry else indexed or _top(module).replace("_", "-")
