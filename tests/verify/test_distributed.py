"""`--engine dask`: the same answers from a cluster, and nothing lost with a worker or with the scheduler."""

import json
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.verify.synthetic import Verify, environment, one_sentence

TASKS = 24
DASK = ("--engine", "dask")


@pytest.fixture
def given(tmp_path: Path) -> tuple[object, ...]:
    """Outcomes that settle every task."""
    who = (("ours", 0), ("theirs", 1))
    rows = [f"bench,task-{n},{name},gpt,2026-01-02,{right},{name}{n}" for n in range(TASKS) for name, right in who]
    path = tmp_path / "outcomes.csv"
    path.write_text("\n".join(["benchmark,task_id,scaffold,model,date,correct,run_id", *rows]) + "\n")
    return "audit", "--all-failed", "--outcomes", path, "--offline"


def ledger(out: Path) -> list[dict[str, object]]:
    """The audits that are finished."""
    path = out / "ledger.jsonl"
    return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []


class Cluster:
    """A scheduler and its workers, processes of their own as a batch system starts them."""

    def __init__(self, home: Path, work: Path) -> None:
        self._how = {"cwd": work, "env": environment(home), "stdout": subprocess.DEVNULL, "stderr": subprocess.PIPE}
        self._started: list[subprocess.Popen[str]] = []
        self.scheduler = self._start("dask_scheduler", "--port", "0", "--no-dashboard")
        assert self.scheduler.stderr
        said = next(line for line in self.scheduler.stderr if "Scheduler at:" in line)
        self.address = said.rpartition(" ")[2].strip()
        self.workers = [self.worker(), self.worker()]

    def worker(self) -> subprocess.Popen[str]:
        """One more."""
        made = self._start("dask_worker", self.address, "--nthreads", "1", "--no-nanny", "--no-dashboard")
        assert made.stderr
        next(line for line in made.stderr if "Registered to" in line)
        return made

    def _start(self, module: str, *arguments: str) -> subprocess.Popen[str]:
        command = [sys.executable, "-m", f"distributed.cli.{module}", *arguments]
        made: subprocess.Popen[str] = subprocess.Popen(command, text=True, **self._how)  # type: ignore[call-overload]
        self._started.append(made)
        return made

    def close(self) -> None:
        """End all of it."""
        while self._started:
            one = self._started.pop()
            one.kill()
            one.communicate()


@pytest.fixture
def cluster(tmp_path: Path, work: Path, verify: Verify) -> Iterator[Cluster]:
    """Started where `verify` works."""
    del verify
    made = Cluster(tmp_path / "home", work)
    yield made
    made.close()


@pytest.fixture
def running(work: Path, tmp_path: Path, given: tuple[object, ...]) -> Callable[..., subprocess.Popen[str]]:
    """The batch on that cluster, once some audits are finished."""

    def start(address: str) -> subprocess.Popen[str]:
        command = [sys.executable, "-m", "verify", *map(str, given), *DASK, "--scheduler", address]
        env = environment(tmp_path / "home")
        made = subprocess.Popen(
            command, cwd=work, env=env, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
        )
        while len(ledger(work / "packs")) < 2:
            assert made.poll() is None, made.stderr and made.stderr.read()
            time.sleep(0.01)
        return made

    return start


def each_once(out: Path, killed: int = 0) -> None:
    """Every audit is in the ledger and its pack is there, once; one killed between the two leaves an unlisted pack."""
    lines = ledger(out)
    assert Counter(line["task_id"] for line in lines) == Counter(f"task-{n}" for n in range(TASKS))
    assert all((out / str(line["pack"])).is_dir() for line in lines)
    unlisted = len([one for one in out.iterdir() if one.is_dir()]) - TASKS
    assert 0 <= unlisted <= killed


@pytest.mark.exhaustive
@pytest.mark.slow
def test_a_cluster_of_this_machine_says_what_one_process_says(
    verify: Verify, given: tuple[object, ...], work: Path
) -> None:
    here = verify(*given, "--out", "here")
    there = verify(*given, *DASK, "--workers", "2", "--out", "there")
    assert there.returncode == here.returncode == 0, there.stderr
    told = ("task_id", "key", "status", "reason", "settled_by")
    said = [sorted(tuple(map(str, map(line.get, told))) for line in ledger(work / one)) for one in ("here", "there")]
    assert said[0] == said[1]
    each_once(work / "there")
    again = verify(*given, *DASK, "--out", "there")
    assert again.returncode == 0
    each_once(work / "there")


@pytest.mark.exhaustive
@pytest.mark.slow
def test_a_worker_that_is_killed_takes_nothing_with_it(
    cluster: Cluster, running: Callable[..., subprocess.Popen[str]], work: Path
) -> None:
    batch = running(cluster.address)
    cluster.workers[0].send_signal(signal.SIGKILL)
    _, said = batch.communicate(timeout=120)
    assert batch.returncode == 0, said
    each_once(work / "packs", killed=1)


@pytest.mark.exhaustive
@pytest.mark.slow
def test_a_scheduler_that_vanishes_is_one_sentence_and_the_same_command_goes_on_elsewhere(
    cluster: Cluster,
    running: Callable[..., subprocess.Popen[str]],
    verify: Verify,
    given: tuple[object, ...],
    work: Path,
) -> None:
    batch = running(cluster.address)
    cluster.scheduler.send_signal(signal.SIGKILL)
    _, said = batch.communicate(timeout=120)
    assert batch.returncode == 3, said
    assert f"the Dask scheduler {cluster.address} went away" in said
    assert "Traceback" not in said
    cluster.close()
    finished = ledger(work / "packs")
    assert 0 < len(finished) < TASKS
    on = verify(*given)
    assert on.returncode == 0, on.stderr
    assert ledger(work / "packs")[: len(finished)] == finished
    each_once(work / "packs", killed=2)


@pytest.mark.exhaustive
def test_a_scheduler_that_is_not_there_is_one_sentence(verify: Verify, given: tuple[object, ...]) -> None:
    soon = {"DASK_DISTRIBUTED__COMM__TIMEOUTS__CONNECT": "2s"}
    done = verify(*given, *DASK, "--scheduler", "tcp://127.0.0.1:9", env=soon)
    assert done.returncode == 3
    assert "no Dask scheduler answers there" in one_sentence(done)
