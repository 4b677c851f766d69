"""A job plug-in for Harbor: `harbor run … --plugin impassable` has each failed trial audited as soon as it has ended.

It needs none of Harbor's code: what it is given and what it must have are Harbor's `JobPlugin`.
"""

import asyncio
import logging
from pathlib import Path
from typing import Any, Protocol

from impassable.calling import documents
from impassable.errors import ImpassableError
from impassable.options import Options, arguments

_LOG = logging.getLogger(__name__)


class _Event(Protocol):
    @property
    def trial_name(self) -> str: ...


class _Job(Protocol):
    @property
    def job_dir(self) -> Path: ...

    def on_trial_ended(self, callback: object) -> object: ...


class Audits:
    """Audits trials one after the other beside the job, in containers of its own; holds no trial up.

    What a job that is killed leaves unaudited, `verify harbor JOB_DIR` audits.
    """

    def __init__(self, **options: Any) -> None:  # noqa: ANN401 - Harbor hands over what --plugin-kwarg says
        """Take options of `verify harbor`: profile, network, benchmark, tasks, out, offline.

        Raises:
            TypeError: there is no such option.
        """
        self._options = list(arguments(Options(**options)))  # type: ignore[typeddict-item]
        self._job_dir = Path()
        self._one = asyncio.Lock()
        self._running: set[asyncio.Task[None]] = set()

    async def on_job_start(self, job: _Job) -> None:
        """Be told of trials that end."""
        self._job_dir = job.job_dir
        job.on_trial_ended(self._ended)

    async def on_job_end(self, _: object) -> None:
        """Wait for the audits that are left."""
        await asyncio.gather(*self._running)

    async def _ended(self, event: _Event) -> None:
        task = asyncio.create_task(self._audit(event.trial_name))
        self._running.add(task)
        task.add_done_callback(self._running.discard)

    async def _audit(self, trial: str) -> None:
        command = ["harbor", "--quiet", f"--trial={trial}", *self._options, "--", str(self._job_dir)]
        async with self._one:
            try:
                told = await asyncio.to_thread(lambda: list(documents(command)))
            except ImpassableError as error:
                _LOG.warning("%s was not audited: %s", trial, error)
                return
        for one in told:
            if "error" in one:
                _LOG.warning("%s was not audited: %s", trial, one["error"]["message"])
            elif "verdict" in one:
                _LOG.info("%s: %s, %s", trial, one["verdict"]["status"], one["pack"])
