"""The library that a configuration's inputs make."""

from pathlib import Path
from typing import TYPE_CHECKING

from cases.sentences import Sentences
from verify.help import nearly
from verify.terminal import warn

if TYPE_CHECKING:
    from cases import Case, InputError
    from cases.library import Inputs, Library
    from cases.model import Script
    from verify.config import Configuration

say = Sentences(__name__)
_ROWS = frozenset({".json", ".jsonl"})
NAMED = 5
"""Benchmarks that a message names."""
NEAR = 75.0
"""How alike (of 100) an unknown benchmark and a suggestion must be."""
LONGEST_GRADER = 1_000_000
"""Bytes of a grader that is given."""


def open_library(configuration: "Configuration") -> "Library":
    """Read the inputs; rows that could not be used are warned about and do not stop anything.

    Without runs, claims and outcomes it holds tasks alone: those of `tasks`, or all that are known.

    Raises:
        InputError: an input cannot be used.
        EnvironmentNotReady: a data set that was asked for by name cannot be had.
    """
    from cases import InputError
    from cases.library import Inputs, Library

    inputs = Inputs(
        runs=configuration.run,
        claims=configuration.claims,
        outcomes=configuration.outcomes,
        tasks=configuration.tasks,
        offline=configuration.offline,
        trust_pickle=configuration.trust_pickle,
    )
    if inputs.runs or inputs.claims or inputs.outcomes:
        library = Library.open(inputs, configuration.benchmark)
    elif nearly and not inputs.tasks:  # nothing is fetched for a slip of the keyboard
        raise InputError(Sentences("cases.library")("library.no_task_known_files"))
    else:
        library = Library.known(inputs.tasks, configuration.benchmark, offline=configuration.offline)
    for problem in library.problems:
        warn(str(problem))
    if configuration.benchmark and not library.tasks():
        raise _none_of(configuration.benchmark, inputs)
    return library


def _none_of(benchmark: str, inputs: "Inputs") -> "InputError":
    """What is there instead of the tasks of a benchmark that nothing speaks of."""
    from rapidfuzz import process

    from cases import InputError
    from cases.benchmarks import known_tasks
    from cases.library import Library

    if inputs.runs or inputs.claims or inputs.outcomes:
        held, where = {task.benchmark for task in Library.open(inputs).tasks()}, say("inputs.inputs_hold")
    else:
        held, where = {one.name for one in known_tasks()}, say("inputs.known")
    listed = [name for name, *_ in process.extract(benchmark, sorted(held), limit=NAMED)]
    more = say("inputs.more", number=len(held) - len(listed)) if len(held) > len(listed) else ""
    remedy = f"{where} {', '.join(listed)}{more}" if listed else say("inputs.files_run_claims_outcomes")
    if near := process.extractOne(benchmark.lower(), held, score_cutoff=NEAR):
        remedy = say("inputs.you_mean", near=near[0]) + (f" ({remedy})" if len(held) > 1 else "")
    return InputError(say("inputs.benchmark_no_task", benchmark=benchmark, remedy=remedy))


def given_grader(configuration: "Configuration") -> "Script | None":
    """The grader of `--grader`.

    Raises:
        InputError: the file cannot be read, or defines no grader.
    """
    path = configuration.grader
    if path is None:
        return None
    from cases import InputError
    from cases.model import Script
    from probes.scorer import Grader

    if path.exists() and (not path.is_file() or path.stat().st_size > LONGEST_GRADER):
        raise InputError(say("inputs.grader_no_file_most", path=path, longest_grader=LONGEST_GRADER))
    try:
        code = path.read_text(encoding="utf-8")
        Grader(name=path.name, benchmarks=(), code=code, source="--grader")
    except OSError as error:
        raise InputError(say("inputs.grader_python_file", path=path, strerror=error.strerror)) from None
    except (ValueError, SyntaxError) as error:
        fault = (
            f"line {error.lineno}, {error.msg}" if isinstance(error, SyntaxError) else say("inputs.defines_no_function")
        )
        raise InputError(say("inputs.grader_python_defines_grade", path=path, fault=fault)) from None
    return Script(name=path.name, code=code)


def with_grader(case: "Case", script: "Script | None") -> "Case":
    """The case with the grader that was given."""
    return case.model_copy(update={"task": case.task.model_copy(update={"grader": script})}) if script else case


def with_oracle(case: "Case", configuration: "Configuration") -> "Case":
    """The case with the reference solution and the checks that were given, as `--oracle` or as its machine's folder.

    Raises:
        InputError: what was given is neither, or a script has no checks that could tell what it does.
    """
    from cases import InputError, permanent
    from cases.folders import is_task, read_reference, tasks_below
    from cases.model import Reference

    given, own = configuration.oracle, case.task.reference
    machine = Path(configuration.profile) if configuration.profile else None
    if own is None and machine and machine.is_dir() and is_task(machine):
        own = Reference(place=str(machine.resolve()))
    if given and given.is_dir():
        found = tasks_below(given)
        folder = given if is_task(given) else found.get(case.task_id)
        if folder is None:
            raise InputError(say("inputs.oracle_no_task_known", given=given, task_id=case.task_id))
        own = Reference(place=str(folder.resolve()))
    elif given and given.suffix in _ROWS:
        own = Reference(place=str(given.resolve()))
    elif given and own is None:
        raise InputError(say("inputs.oracle_nothing_says_how", given=given))
    elif given and own:
        own = own.model_copy(update={"script": str(given.resolve())})
    if own is None:
        return case
    task = read_reference(own, case.task_id)
    links = case.task.links or (permanent.of_folder(task.place, task.prompt) if task.place.is_dir() else ())
    update = {"reference": own, "prompt": case.task.prompt or task.prompt, "links": links}
    return case.model_copy(update={"task": case.task.model_copy(update=update)})
