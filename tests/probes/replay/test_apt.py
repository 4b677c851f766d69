"""A package that apt cannot find."""

from contextlib import AsyncExitStack
from pathlib import Path

from cases import Events
from graph.signature import causes
from probes import Barrier, Settings
from probes.replay.deriving import subject_of
from probes.replay.resources.outcome import Outcome
from probes.replay.routes.ladder import ladder_for
from probes.replay.target.model import ReplayTarget
from tests.probes.replay.made import context, hypothesis, shell

MISSING = "Reading package lists...\nE: Unable to locate package cmake"


def made(tmp_path: Path, profile: str, package: str = "cmake") -> tuple[ReplayTarget, set[str]]:
    failed = shell(f"apt-get install -y {package}", MISSING.replace("cmake", package), 100)
    given = context(tmp_path, profile, Events(commands=(failed,)), AsyncExitStack(), Settings())
    subject = subject_of(hypothesis(Barrier.APT, packages=(package,)), given)
    assert isinstance(subject, ReplayTarget)
    ladder = ladder_for(subject, given.envelope, failed.command, offline=False)
    return subject, {ready.plan.id for ready in ladder.ready}


def test_where_the_indexes_could_not_be_fetched_the_network_is_the_cause() -> None:
    text = f"W: Failed to fetch x  Temporary failure resolving 'mirror.example'\n{MISSING}"
    assert {match.barrier for match in causes(text, "output")} == {Barrier.NETWORK}


def test_the_ladder_follows_what_the_run_s_machine_had(tmp_path: Path) -> None:
    profile = tmp_path / "root.toml"
    profile.write_text('name = "root"\nextends = "debian"\n[envelope]\nuser = "root"\n')
    assert made(tmp_path, str(profile))[1] == {"indexes-fetched", "there-already", "pip-instead"}
    assert made(tmp_path, str(profile), "libgtest-dev")[1] == {"indexes-fetched", "there-already"}
    assert made(tmp_path, "offline")[1] == {"there-already"}


def test_a_package_that_cannot_be_had_is_never_impassable_by_itself(tmp_path: Path) -> None:
    subject, _ = made(tmp_path, "offline")
    assert subject.handler.unsettled(subject, Outcome())
