"""What a benchmark's own data set says of its tasks: prompt, gold answer, gold addresses, date."""

import logging
import textwrap
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from cases import benchmarks, permanent
from cases import patterns as re
from cases.benchmarks import HubDataset
from cases.errors import EnvironmentNotReady, InputError
from cases.folders import read_folder, tasks_below
from cases.folders.swebench import is_row
from cases.model import Reference, Task
from cases.readers.base import Problem
from cases.readers.fields import date_of, mapping, text_of, trimmed
from cases.readers.messages import dumped
from cases.readers.records import WHOLE, Place, records
from cases.sentences import Sentences

say = Sentences(__name__)

ADDRESS = re.compile(r"https?://[^\s\"'<>\]]+")
IDS = ("id", "task_id", "instance_id")
PROMPTS = ("task", "question", "prompt", "problem_statement")
GOLDS = ("answer", "gold", "ground_truth")
ADDRESSES = ("gold_url", "gold_urls")
DATES = ("created", "date")
TERMINAL_BENCH = "terminal_bench"
HUB_SECONDS = 5.0
"""For the hub to answer at all."""
SHORTEST_ID = 32
"""Characters of a cut id that still name one task only."""


@dataclass(slots=True)
class TaskSource:
    """Tasks by id and by prompt."""

    origin: str = ""
    benchmark: str | None = None
    """Whose tasks they are, where their layout says so."""
    tasks: dict[str, Task] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)
    _by_prompt: dict[str, str | None] = field(default_factory=dict)

    def find(self, task_id: str, prompt: str | None) -> Task | None:
        """The task of this id, be it a cut one, else the only one of this prompt."""
        if task_id in self.tasks:
            return self.tasks[task_id]
        if len(task_id) >= SHORTEST_ID:
            longer = [known for known in self.tasks if known.startswith(task_id)]
            if len(longer) == 1:
                return self.tasks[longer[0]]
        same = self._by_prompt.get(_plain(prompt)) if prompt else None
        return self.tasks[same] if same else None

    def add(self, task_id: str, task: Task) -> None:
        """Add a task; two of one prompt are found by their ids only."""
        self.tasks[task_id] = task
        if task.prompt:
            key = _plain(task.prompt)
            self._by_prompt[key] = None if key in self._by_prompt else task_id


def merged(known: Task, found: Task, place: str, origin: str) -> tuple[Task, list[Problem]]:
    """The task with what the data set adds. Its gold wins over another one, which is told; the run's prompt stays."""
    problems = []
    if known.gold and found.gold and known.gold != found.gold:
        message = say("tasks.gold_answer_run_file")
        remedy = say("tasks.data_set_used")
        problems.append(Problem(file=origin, place=place, message=message, remedy=remedy))
    task = Task(
        prompt=known.prompt or found.prompt,
        gold=found.gold or known.gold,
        gold_urls=found.gold_urls or known.gold_urls,
        created=found.created or known.created,
        reference=found.reference or known.reference,
        links=found.links or known.links,
    )
    return task, problems


def load_tasks(given: str, *, offline: bool = False) -> TaskSource:
    """Tasks of a jsonl file, of a folder of tasks, or of a data set on the hub by its benchmark's name.

    Raises:
        InputError: no such file, or nothing usable in it.
        EnvironmentNotReady: the hub cannot be used and nothing is cached.
    """
    known = benchmarks.datasets()
    path = Path(given)
    if path.is_dir():
        return _of_folders(path)
    hub = known.get(benchmarks.normalised(given)) if not path.is_file() else None
    if hub:
        path = fetched(benchmarks.normalised(given), hub, offline=offline)
    elif not path.exists():
        names = ", ".join(known)
        raise InputError(say("tasks.no_file_jsonl_file", given=given, names=names))
    source = TaskSource(origin=str(path))

    def take(data: dict[str, Any], place: Place) -> None:
        task_id = next((found for name in IDS if (found := trimmed(data.get(name)))), None)
        task = _task(data)
        if is_row(data):
            task = task.model_copy(update={"reference": Reference(place=str(path.resolve()))})
        line = 0 if place.offset == WHOLE or path.suffix == ".gz" else place.line
        links = permanent.of_dataset(hub, line) if hub else permanent.of_row(path, line)
        if task.prompt is None and task.gold is None:
            message, remedy = say("tasks.line_neither_task_nor"), say("tasks.left_out")
            source.problems.append(Problem(file=str(path), place=f"line {place.line}", message=message, remedy=remedy))
        else:
            source.add(task_id or f"line {place.line}", task.model_copy(update={"links": links}))

    source.problems += records(path, take)
    if not source.tasks:
        raise InputError(say("tasks.no_task_jsonl_file", path=path))
    return source


def _of_folders(path: Path) -> TaskSource:
    """The tasks of a folder, each with its own files; one that cannot be read is told and left out."""
    source = TaskSource(origin=str(path))
    for task_id, folder in tasks_below(path).items():
        try:
            found = read_folder(folder)
        except InputError as error:
            said, _, _ = str(error).removeprefix(str(folder)).lstrip("/ :").rpartition(";")
            source.problems.append(Problem(file=str(folder), place="", message=said, remedy=say("tasks.task_left_out")))
            continue
        source.benchmark = TERMINAL_BENCH if found.layout == "Terminal-Bench" else source.benchmark
        links = permanent.of_folder(found.place, found.prompt)
        reference = Reference(place=str(found.place))
        source.add(task_id, Task(prompt=found.prompt, reference=reference, links=links))
    if not source.tasks:
        raise InputError(say("tasks.no_task_terminal_bench", path=path))
    return source


def fetched(benchmark: str, dataset: HubDataset, *, offline: bool = False) -> Path:
    """The data set's file, from the cache where it is there.

    Raises:
        EnvironmentNotReady: huggingface_hub is not installed, or the hub is out of reach and nothing is cached.
    """
    try:
        from huggingface_hub import hf_hub_download  # noqa: PLC0415 - optional
        from huggingface_hub.constants import ENDPOINT  # noqa: PLC0415
    except ImportError as error:
        raise EnvironmentNotReady(say("tasks.tasks_huggingface_hub_not", benchmark=benchmark)) from error

    import httpx  # noqa: PLC0415 - only where something is fetched

    logging.getLogger("huggingface_hub").setLevel(logging.ERROR)  # a warning a retry; the last error is told below

    def fetch(*, cached: bool) -> Path:
        name, revision = dataset.repository, dataset.revision
        found = hf_hub_download(name, dataset.file, revision=revision, repo_type="dataset", local_files_only=cached)
        return Path(found)

    try:
        return fetch(cached=True)
    except (OSError, ValueError) as error:
        if offline:
            raise _unreachable(benchmark, dataset, say("tasks.not_cached_offline_forbids")) from error
    try:
        httpx.head(
            ENDPOINT, timeout=HUB_SECONDS
        )  # the hub's own client repeats for half a minute where nothing answers
        return fetch(cached=False)
    except Exception as error:
        said = (str(error).splitlines() or [""])[0] or type(error).__name__
        raise _unreachable(benchmark, dataset, textwrap.shorten(said, 200, placeholder=" …").rstrip(".")) from error


def _unreachable(benchmark: str, dataset: HubDataset, reason: str) -> EnvironmentNotReady:
    return EnvironmentNotReady(
        say(
            "tasks.tasks_cannot_fetched_fetch",
            benchmark=benchmark,
            repository=dataset.repository,
            revision=dataset.revision[:12],
            reason=reason,
        )
    )


def _task(data: dict[str, Any]) -> Task:
    def first(names: Iterable[str]) -> Any:  # noqa: ANN401
        fields = {**mapping(data.get("metadata")), **data}
        return next((fields[name] for name in names if fields.get(name) not in (None, "", [])), None)

    gold, addresses = first(GOLDS), first(ADDRESSES)
    found = ADDRESS.findall(addresses if isinstance(addresses, str) else dumped(addresses)) if addresses else []
    return Task(
        prompt=text_of(first(PROMPTS)),
        gold=dumped(gold) if isinstance(gold, list | dict) else text_of(gold),
        gold_urls=tuple(dict.fromkeys(address.rstrip(".,;)") for address in found)),
        created=date_of(first(DATES)),
    )


def _plain(prompt: str) -> str:
    return " ".join(prompt.split()).casefold()
