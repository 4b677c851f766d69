"""Audits on the workers of a Dask cluster: handed out one by one, and lost with no worker and no scheduler.

A worker writes packs and a ledger of its own before it answers, so that what its answer would have told can be read.
"""

import asyncio
import atexit
import logging
import os
import signal
import socket
import threading
import time
from collections.abc import Callable, Coroutine, Iterator, Mapping, Sequence
from contextlib import AsyncExitStack, contextmanager
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from cases import EnvironmentNotReady, ImpassableError, InputError
from cases import patterns as re
from cases.sentences import Sentences
from verify.batch.ledger import Ledger, Reading
from verify.batch.lines import LINES, Finished, finished, written

if TYPE_CHECKING:
    from distributed import Client, Future, KilledWorker

    from cases import Case
    from cases.library import TaskSummary
    from evidence import Packed
    from verify.config import Configuration
    from verify.shutdown import Drain

say = Sentences(__name__)
T = TypeVar("T")
WORKERS = "ledger-worker-*.jsonl"
RESOURCES: Mapping[str, int] = {"browser": 1, "docker": 1}
"""What an audit with logs may need of a worker, where the cluster's workers say what they have."""
WAITING = 2
"""Audits for each of the cluster's threads that are handed out at a time: what is asked to end ends soon."""
ASKED_ANEW = 1.0
"""Seconds for which the number of the cluster's threads is taken as it was."""


def recovered(ledger: Ledger) -> None:
    """Take over what workers have finished and nobody heard of."""
    for path in sorted(ledger.path.parent.glob(WORKERS)):
        source = Reading(path)
        if lines := list(source.audits(set(source.done) - set(ledger.done))):
            ledger.add(*lines)


def hand_out(
    tasks: "Sequence[TaskSummary]",
    keys: "Mapping[TaskSummary, str]",
    configuration: "Configuration",
    done: "Callable[[TaskSummary, Finished], None]",
    failed: "Callable[[TaskSummary, Exception, bool], None]",
    drain: "Drain",
) -> None:
    """Have a cluster's workers audit tasks; `done` and `failed` (whether its own inputs are to blame) hear of it.

    Raises:
        InputError: there is no Dask here.
        EnvironmentNotReady: there is no scheduler, or it went away.
    """
    everywhere = _absolute(configuration)
    with _without_logs(), _client(configuration) as client, _heard(drain):
        from distributed import CancelledError, KilledWorker

        def submit(task: "TaskSummary") -> "Future":
            name, needs = (task.benchmark, task.task_id, keys[task]), _needs(client, task, configuration)
            return client.submit(audited, everywhere, *name, pure=False, resources=needs, retries=0)

        try:
            for task, answer in _ended(client, tasks, submit, drain):
                if isinstance(answer, KilledWorker):
                    failed(task, _killed(task, answer), True)
                elif isinstance(answer, BaseException):
                    raise answer
                else:
                    _take(answer, task, done, failed)
        except (CancelledError, OSError, TimeoutError) as error:
            if isinstance(error, OSError) and error.errno is not None and not isinstance(error, TimeoutError):
                raise
            raise EnvironmentNotReady(
                say("batch.distributed.dask_scheduler_went_away", scheduler=configuration.scheduler or "here")
            ) from None


def _killed(task: "TaskSummary", answer: "KilledWorker") -> EnvironmentNotReady:
    told = "batch.distributed.workers_killed_again_again"
    return EnvironmentNotReady(say(told, task_id=task.task_id, last_worker=answer.last_worker))


def _ended(
    client: "Client", tasks: "Sequence[TaskSummary]", submit: "Callable[[TaskSummary], Future]", drain: "Drain"
) -> "Iterator[tuple[TaskSummary, dict[str, Any] | BaseException]]":
    """Each task when its audit has ended, with its answer; a few more are handed out than the workers have threads.

    Raises:
        ConnectionError: nothing more will come, though some have not ended.
    """
    from distributed import as_completed

    waiting: dict[Future, TaskSummary] = {}
    left = list(reversed(tasks))
    stream = as_completed(loop=client.loop, with_results=True, raise_errors=False)
    threads = _Threads(client)
    while True:
        while left and not drain.asked and len(waiting) < WAITING * threads.now():
            task = left.pop()
            future = submit(task)
            waiting[future] = task
            stream.add(future)
        if not waiting:
            return
        try:
            future, answer = next(stream)
        except StopIteration:
            raise ConnectionError from None
        yield waiting.pop(future), answer[1] if future.status == "error" else answer


class _Threads:
    """How many audits the cluster's workers can do at once, asked anew every now and then."""

    def __init__(self, client: "Client") -> None:
        self._client = client
        self._asked, self._number = float("-inf"), 1

    def now(self) -> int:
        """At least one."""
        if time.monotonic() - self._asked > ASKED_ANEW:
            self._number = max(1, sum(self._client.nthreads().values()))
            self._asked = time.monotonic()
        return self._number


def _take(
    answer: dict[str, Any],
    task: "TaskSummary",
    done: "Callable[[TaskSummary, Finished], None]",
    failed: "Callable[[TaskSummary, Exception, bool], None]",
) -> None:
    if line := answer.get("line"):
        read = LINES.validate_json(line)
        assert isinstance(read, Finished)
        done(task, read)
        return
    error = ImpassableError(answer["message"])
    error.exit_code = answer["code"]
    failed(task, error, answer["own"])


@contextmanager
def _without_logs() -> Iterator[None]:
    """Dask logs each connection that it lost with its traceback; what matters of that is said in one sentence."""
    before = logging.root.manager.disable
    logging.disable(logging.CRITICAL)
    try:
        yield
    finally:
        logging.disable(before)


@contextmanager
def _client(configuration: "Configuration") -> "Iterator[Client]":
    """Of the scheduler that is named, or of a cluster on this machine."""
    try:
        from distributed import Client, LocalCluster
    except ImportError:
        raise InputError(say("batch.distributed.engine_dask_needs_dask")) from None
    if configuration.scheduler:
        try:
            client = Client(configuration.scheduler, timeout="20s", set_as_default=False)
        except (OSError, TimeoutError, ValueError) as error:
            told = str(error).splitlines()[0] if str(error) else say("batch.distributed.no_answer")
            raise EnvironmentNotReady(
                say("batch.distributed.scheduler_no_dask_scheduler", scheduler=configuration.scheduler, told=told)
            ) from None
        with client:
            yield client
        return
    workers, own = configuration.workers or os.cpu_count() or 1, dict(RESOURCES)
    with (
        LocalCluster(n_workers=workers, threads_per_worker=1, resources=own, dashboard_address=None) as here,
        Client(here, set_as_default=False) as client,
    ):
        yield client


def _needs(client: "Client", task: "TaskSummary", configuration: "Configuration") -> dict[str, int] | None:
    """What the worker must have: nothing where records settle it, or where no worker says what it has."""
    if not task.transcripts:
        return None
    told = [one.get("resources") or {} for one in client.scheduler_info(n_workers=-1)["workers"].values()]
    named = {name: count for name, count in RESOURCES.items() if any(name in one for one in told)}
    return {name: count for name, count in named.items() if not (name == "browser" and configuration.offline)} or None


@contextmanager
def _heard(drain: "Drain") -> Iterator[None]:
    """The first request to end is for the work to hear; the second ends it."""

    def end(*_: object) -> None:
        if drain.asked:
            raise KeyboardInterrupt
        drain()

    before = {one: signal.signal(one, end) for one in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for one, handler in before.items():
            signal.signal(one, handler)


def _absolute(configuration: "Configuration") -> "Configuration":
    """The same from any working directory; its workers find its files there."""
    changed: dict[str, Any] = {}
    for name, value in configuration:
        if isinstance(value, Path):
            changed[name] = value.absolute()
        elif isinstance(value, tuple) and value and all(isinstance(one, Path) for one in value):
            changed[name] = tuple(one.absolute() for one in value)
    for name in ("tasks", "profile"):
        value = getattr(configuration, name)
        if value and Path(value).exists():
            changed[name] = str(Path(value).absolute())
    return configuration.model_copy(update=changed)


def audited(configuration: "Configuration", benchmark: str, task_id: str, key: str) -> dict[str, Any]:
    """Runs on a worker: audit a task, and keep a line of it there before anybody hears of it."""
    from verify.failures import explained

    own = True
    try:
        desk = _desk(configuration)
        case = desk.case(benchmark, task_id)
        own = False
        return {"line": desk.audited(case, key)}
    except Exception as error:  # noqa: BLE001 - whatever it is, it is told where it was asked
        message, code = explained(error)
        return {"message": message, "code": code, "own": own}


class _Desk:
    """What a worker opens once: the inputs, an event loop, a browser, the way to the indexes, a ledger."""

    def __init__(self, configuration: "Configuration") -> None:
        from graph import open_batch
        from verify.auditor import Auditor
        from verify.inputs import given_grader, open_library

        self._configuration = configuration
        self._library = open_library(configuration)
        self._tasks = {(one.benchmark, one.task_id): one for one in self._library.tasks()}
        self._script = given_grader(configuration)
        self._auditor = Auditor(configuration, "quiet")
        name = re.sub(r"[^A-Za-z0-9-]+", "-", f"{socket.gethostname()}-{os.getpid()}")
        self._ledger = Ledger(configuration.out / WORKERS.replace("*", name))
        self._writing = threading.Lock()
        self._loop = asyncio.new_event_loop()
        threading.Thread(target=self._loop.run_forever, daemon=True, name="audits").start()
        self._stack = AsyncExitStack()
        self._batch = self._wait(self._stack.enter_async_context(open_batch()))
        atexit.register(self.close)

    def _wait(self, work: "Coroutine[Any, Any, T]") -> T:
        return asyncio.run_coroutine_threadsafe(work, self._loop).result()

    def case(self, benchmark: str, task_id: str) -> "Case":
        from verify.inputs import with_grader, with_oracle

        task = self._tasks.get((benchmark, task_id))
        if task is None:
            raise InputError(say("batch.distributed.no_input_worker_sees", task_id=task_id, benchmark=benchmark))
        return with_oracle(with_grader(self._library.case(task), self._script), self._configuration)

    def audited(self, case: "Case", key: str) -> str:
        told: list[bytes] = []

        def kept(packed: "Packed", seconds: float) -> None:
            line = finished(packed, key, seconds, offline=self._configuration.offline)
            with self._writing:
                self._ledger.add(line)
            told.append(written(line))

        self._wait(self._auditor.one(case, self._batch, kept))
        return told[0].decode()

    def close(self) -> None:
        self._wait(self._stack.aclose())


@cache
def _desk(configuration: "Configuration") -> _Desk:
    return _Desk(configuration)
