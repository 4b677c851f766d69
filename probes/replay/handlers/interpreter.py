"""The restricted interpreter of the run's harness in the container: its version, its imports, how it is called."""

import ast
import shlex
import sys
from importlib.resources import files

from cases import patterns as re
from cases.sentences import Sentences
from probes.model import Envelope
from probes.names import modules
from probes.replay.resources.context import ContainerContext
from probes.replay.target.data import Interpreter, interpreters

say = Sentences(__name__)

NAME = "smolagents-python"
HOME = "/opt/impassable/interpreter"
SCRIPT = "/opt/impassable/interpret.py"
ALLOWED = "/opt/impassable/allowed-imports"
END = "IMPASSABLE_END"
_LIST = re.compile(r"Authorized imports are: (\[[^\]]*\])")


def version_of(text: str, envelope: Envelope) -> Interpreter:
    """The run's version as its machine is known, or the one whose words these are, or the likeliest."""
    known = envelope.interpreter_version.value
    if known:
        return Interpreter(version=known, source="the envelope")
    told = (entry for entry in interpreters() if entry.pattern and re.search(entry.pattern, text))
    return next(told, interpreters()[-1])


def allowed_of(text: str, envelope: Envelope) -> tuple[str, ...] | None:
    """The imports that the failure itself lists, or those of the envelope; None when neither tells."""
    told = _LIST.search(text)
    if told:
        try:
            return tuple(name for name in ast.literal_eval(told[1]) if isinstance(name, str))
        except (ValueError, SyntaxError):
            pass
    return envelope.allowed_imports.value


def listed(text: str) -> tuple[str, ...] | None:
    """The imports that the failure itself lists; None where it lists none, or not all of them."""
    told = _LIST.search(text)
    try:
        names = ast.literal_eval(told[1]) if told else None
    except (ValueError, SyntaxError):
        return None
    return tuple(names) if names is not None and all(isinstance(name, str) for name in names) else None


def allows(allowed: tuple[str, ...], module: str) -> bool:
    """Whether a list of imports has this module, be it with everything below it."""
    return bool({"*", module, f"{module}.*"} & set(allowed))


def interpreted(code: str) -> str:
    """The command that runs a block of code as the run's interpreter did."""
    return f"{NAME} <<'{END}'\n{code.strip()}\n{END}"


def parsed(text: str, tags: tuple[str, str] | None) -> str:
    """The command that looks for code in a model's words as the run's harness did."""
    options = f" --tags {shlex.quote(tags[0])} {shlex.quote(tags[1])}" if tags else ""
    return f"{NAME} --parse{options} <<'{END}'\n{text}\n{END}"


def code_of(command: str) -> str | None:
    """The block of code in such a command."""
    match = re.fullmatch(rf"{NAME} <<'{END}'\n(.*)\n{END}", command, re.DOTALL)
    return match[1] if match else None


def imports(code: str) -> tuple[str, ...]:
    """Modules that a block of code imports."""
    try:
        nodes = list(ast.walk(ast.parse(code)))
    except SyntaxError:
        return ()
    plain = [alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names]
    taken = [node.module for node in nodes if isinstance(node, ast.ImportFrom) and node.module]
    return tuple(dict.fromkeys(name.partition(".")[0] for name in (*plain, *taken)))


def installing(version: str, libraries: tuple[str, ...] = ()) -> tuple[str, ...]:
    """Commands that bring the interpreter, in an environment of its own, and libraries as far as there are any."""
    pip = f"{HOME}/bin/pip install --quiet"
    more = tuple(f"{pip} {package_of(name)} || true" for name in libraries)
    return (f"python3 -m venv {HOME}", f"{pip} smolagents=={version}", *more)


def adding(code: str) -> tuple[str, ...]:
    """Commands that bring the libraries which a block of code imports, beside the system's own Python."""
    wanted = [package_of(name) for name in imports(code) if not standard(name)]
    made = f"python3 -m venv --system-site-packages {HOME}"
    return (made, *(f"{HOME}/bin/pip install --quiet {name} || true" for name in wanted)) if wanted else ()


def with_libraries(command: str) -> str:
    """A call of the system's Python as one of that which has them."""
    return command.replace("python3 ", f"{HOME}/bin/python ", 1) if command.startswith("python3 ") else command


def package_of(module: str) -> str:
    """The package that brings a module."""
    top = module.partition(".")[0]
    return modules()[top].package if top in modules() else top.replace("_", "-")


def standard(module: str) -> bool:
    """Whether it comes with Python."""
    return module.partition(".")[0] in sys.stdlib_module_names


def furnish(trial: ContainerContext, allowed: tuple[str, ...]) -> None:
    """Put the interpreter's list of imports and its call into the container; a limit says so where it is not there."""
    script = files("probes.replay").joinpath("inside").joinpath("interpret.py").read_bytes()
    trial.session.put(SCRIPT, script)
    trial.session.put(ALLOWED, "".join(f"{name}\n" for name in allowed).encode())
    call = f'#!/bin/sh\nexec {HOME}/bin/python {SCRIPT} "$@"\n'
    trial.session.put(f"/usr/local/bin/{NAME}", call.encode(), mode=0o755)
    there = trial.run("replay-interpreter", f"{NAME} --version")[0]
    if there.ok:
        trial.observe("interpreter", there.output.strip()[-100:], None, None)
    else:
        trial.outcome.limits.append(say("interpreter.run_interpreter_could"))
