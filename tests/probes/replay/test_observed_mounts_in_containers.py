"""What a run's records show of its machine never costs the run its replay."""

import re
from contextlib import AsyncExitStack
from dataclasses import replace
from pathlib import Path

import pytest

from cases import Events, Task
from probes import Answer, Barrier, Finding, Hypothesis, Question, Settings
from probes.envelope import envelope_for, load_profile
from probes.replay import ReplayProbe
from sandboxes import ContainerPool, Engine, Spec
from sandboxes.images import ensure_base
from tests.probes.envelope.made import case_of, events_of
from tests.probes.replay.made import context, hypothesis

pytestmark = [pytest.mark.docker, pytest.mark.slow, pytest.mark.timeout(600)]

PRESENT = Question.PRESENT
TASK = "Write probe.c, which includes ft2build.h, and compile it with gcc."
WRITTEN = ("printf '#include <ft2build.h>\\nint main(void) { return 0; }\\n' > probe.c", "")
COMPILED = (
    "gcc probe.c -o probe",
    "probe.c:1:10: fatal error: ft2build.h: No such file or directory\ncompilation terminated.",
)
FILE = ("mount", "/dev/sda1 on /etc/debian_version type ext4 (ro,relatime)\n")
APPENDED = ("echo 13 >> /etc/debian_version", "bash: line 1: /etc/debian_version: Read-only file system")


async def asked(
    store: Path, what: Hypothesis, *commands: tuple[str, str], profile: str = "offline"
) -> dict[Question, Finding]:
    """The replay's answers for a run whose own records show its machine."""
    case = case_of(*commands).model_copy(update={"task": Task(prompt=TASK)})
    events = events_of(case)
    events["r1"] = replace_codes(events["r1"])
    async with AsyncExitStack() as stack:
        made = context(store, profile, events["r1"], stack, Settings())
        envelope = envelope_for(case, events, load_profile(profile, "synthetic"))
        made = replace(made, case=case, envelope=envelope)
        return {finding.question: finding for finding in await ReplayProbe()(what, made)}


def replace_codes(events: Events) -> Events:
    """The last command failed and what came before it did not."""
    *before, last = events.commands
    ended = (*(one.model_copy(update={"exit_code": 0}) for one in before), last.model_copy(update={"exit_code": 1}))
    return events.model_copy(update={"commands": ended})


@pytest.mark.exhaustive
async def test_a_run_that_listed_the_mounts_of_a_container_with_an_init_of_the_engine_s_is_replayed(
    tmp_path: Path,
) -> None:
    engine = Engine.connect(sweep=False)
    with ContainerPool(engine) as containers, containers.start(Spec(image=ensure_base(engine))) as session:
        listing = session.run("mount").output
    engine.close()
    assert re.search(r"/docker-init type \w+ \(ro", listing)
    missing = hypothesis(Barrier.HEADER, event=2, headers=("ft2build.h",))
    found = await asked(tmp_path, missing, ("mount", listing), WRITTEN, COMPILED)
    assert found[PRESENT].valid_answer is Answer.YES, found[PRESENT].summary
    assert not any("No container here can have" in limit for limit in found[PRESENT].limits)


@pytest.mark.exhaustive
async def test_a_place_that_no_container_can_have_is_left_out_and_what_has_nothing_to_do_with_it_is_answered(
    tmp_path: Path,
) -> None:
    missing = hypothesis(Barrier.HEADER, event=2, headers=("ft2build.h",))
    found = await asked(tmp_path, missing, FILE, WRITTEN, COMPILED)
    assert found[PRESENT].valid_answer is Answer.YES, found[PRESENT].summary
    assert any("/etc/debian_version the way the run's machine had it" in limit for limit in found[PRESENT].limits)


@pytest.mark.exhaustive
async def test_what_works_only_because_the_place_was_left_out_is_unknown(tmp_path: Path) -> None:
    fixed = hypothesis(Barrier.READ_ONLY, event=1, paths=("/etc/debian_version",))
    found = await asked(tmp_path, fixed, FILE, APPENDED, profile="hal")
    assert found[PRESENT].valid_answer is Answer.UNKNOWN
    assert "/etc/debian_version was read-only or specially mounted" in found[PRESENT].summary
