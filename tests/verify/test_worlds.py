"""The labelled set: its labels and recordings are sound, and `verify bench` says what is true of a sample of it."""

import json
import os
import re
import subprocess
from pathlib import Path

import pytest

from cases import InputError
from cases.events import events_of
from cases.library import Inputs, Library
from probes import Barrier
from sandboxes import Engine
from sandboxes.spec import host_ca
from tests.lab.disputed import DISPUTED
from tests.verify.forking import Forking
from tests.verify.synthetic import Verify
from verify.labelled import Done, LabelledSet, Said, Step, World, compare
from verify.labelled.formats import ANY_TOOL, FORMATS, written
from verify.labelled.machine import image_of
from verify.labelled.policies import Policy, acted
from verify.labelled.recording import scrubbed
from verify.labelled.rewriting import REWRITINGS
from verify.labelled.running import Judged, judge
from verify.labelled.scores import Tried, kappa, scores

ROOT = Path(__file__).resolve().parents[2]
NEUTRAL_HOSTS = {
    "proxy.example",
    "pip.pypa.io",
    "www.anaconda.com",
    "packaging.python.org",
    "github.com",
    "peps.python.org",
    "index.example",
    "cran.r-project.org",
    "docs.python.org",
    "setuptools.pypa.io",
}
"""What tools name in their own advice."""
LOCAL = {"127.0.0.1", "0.0.0.0"}
REPRODUCED = {"command-python-m", "module-offline"}
"""A supported one without a network, and one that is passable."""
SAMPLE = (
    "claim-invented",
    "command-python-m",
    "example-5-output-format",
    "module-offline",
    "permission-relative-path",
)
COSTLIER = {"module-offline", "permission-relative-path"}
POLICIES = (DISPUTED.folder / "policies.toml").read_text("utf-8")
WORLDS = {world.id: world for world in DISPUTED.worlds()}
RECORDED = sorted(DISPUTED.recorded.glob("*.json"))


def made(**more: object) -> World:
    """A small world that needs no machine."""
    told = {
        "id": "made",
        "why": "made for a test, so that nothing about it is in doubt at all",
        "kind": "a kind, of a kind",
    }
    told |= {"truth": {"status": "not_supported"}, "profile": "offline", "prompt": "Do it.", "final": "I could not."}
    return World.model_validate(told | {"step": [{"command": "make"}, {"command": "make test"}]} | more)


def done(step: Step, code: int = 0, output: str = "") -> Done:
    """What came of a step."""
    return Done(command=step.command, tool=step.tool, say=step.say, keep=step.keep, output=output, exit_code=code)


def test_there_are_two_hundred_worlds_of_all_statuses_and_environmental_kinds():
    assert len(WORLDS) >= 200
    assert {world.truth.status for world in WORLDS.values()} == {"supported", "not_supported", "inconclusive"}
    told = {world.truth.barrier for world in WORLDS.values()}
    assert {Barrier.MODULE, Barrier.COMMAND, Barrier.HEADER, Barrier.PIP, Barrier.PERMISSION, None} <= told


def test_every_world_is_recorded_and_each_recording_shows_something():
    recordings = [DISPUTED.recording(world) for world in WORLDS.values()]
    assert all(recordings)
    assert all(any(step.output.strip() or step.exit_code for step in one.steps) for one in recordings if one)


def test_no_recording_is_left_without_its_world():
    assert {path.stem for path in RECORDED} == WORLDS.keys()


@pytest.mark.parametrize("path", RECORDED, ids=lambda path: path.stem)
def test_a_recording_tells_nothing_of_the_machine_that_made_it(path: Path):
    text = path.read_text("utf-8")
    world = WORLDS[path.stem].model_dump_json() + POLICIES
    hosts = set(re.findall(r"https?://([\w.-]+\.[\w-]+)", text)) - NEUTRAL_HOSTS
    assert {host for host in hosts if host not in world} == set()
    assert str(ROOT) not in text
    assert {one for one in re.findall(r"\b(?:\d{1,3}\.){3}\d{1,3}\b(?![.\d])", text) if one not in world} <= LOCAL
    assert len(text) < 60_000


def test_hosts_and_the_proxys_address_are_taken_out_of_a_recording():
    said = "Looking in indexes: https://mirror.site.test/simple\nvia 172.18.0.1:40123\r50 %\r100 %"
    assert scrubbed(said, {"mirror.site.test"}) == "Looking in indexes: https://index.example/simple\n100 %"


@pytest.mark.parametrize(
    ("files", "says"),
    [
        ({}, "set.toml"),
        ({"set.toml": 'title = "a"\n'}, "source"),
        ({"set.toml": 'title = "a"\nsource = "b"\n', "worlds/w.toml": 'kind = "k"\n'}, "why"),
        ({"set.toml": 'title = "a"\nsource = "b"\n', "worlds/w.toml": 'like = "other"\n'}, "like"),
    ],
)
def test_a_set_that_is_wrong_is_refused_with_its_file_and_place(tmp_path: Path, files: dict[str, str], says: str):
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    with pytest.raises(InputError, match=says):
        LabelledSet(tmp_path).worlds()


def test_a_format_that_is_none_is_told_with_those_that_there_are_before_anything_runs(tmp_path: Path):
    world = (ROOT / "benchmarks/disputed/worlds/arm-binary-only.toml").read_text()
    (tmp_path / "worlds").mkdir()
    (tmp_path / "worlds" / "w.toml").write_text(world.replace('format = "openhands"', 'format = "hal_smol"'))
    for name in ("set.toml", "policies.toml"):
        (tmp_path / name).write_text((ROOT / "benchmarks/disputed" / name).read_text())
    with pytest.raises(InputError, match=r"hal_smol.*openhands"):
        LabelledSet(tmp_path).worlds()


def test_a_world_like_another_has_its_machine_and_truth_and_another_agent():
    one, other = WORLDS["command-offline-by-thorough"], WORLDS["command-offline"]
    assert (one.image, one.step, one.truth, one.why) == (other.image, other.step, other.truth, other.why)
    assert (one.policy, one.format) == ("thorough", "openhands")


def test_a_policy_opens_tries_again_looks_around_and_gives_up_in_its_own_words():
    policy = Policy(
        opens=(("Look.", "ls"),), says=("Now {command}.",), retries=1, again="Again.", looks=(("Who?", "id"),),
        looks_each=1, patience=1, closes=(("Keep.", "git diff"),), last="{command}: {error}",
    )  # fmt: skip
    world = made()
    steps, last = acted(world, policy, lambda step: done(step, int(step.command == "make"), "one\nno rule\n\n"))
    assert [(one.say, one.command) for one in steps] == [
        ("Look.", "ls"), ("Now make.", "make"), ("Again.", "make"), ("Who?", "id"), ("Keep.", "git diff"),
    ]  # fmt: skip
    assert last == "make: no rule"
    alone, last = acted(world, None, done)
    assert [one.command for one in alone] == ["make", "make test"]
    assert last == world.final


@pytest.mark.parametrize("name", FORMATS)
def test_a_run_written_in_any_format_is_read_as_what_was_done(tmp_path: Path, name: str):
    world = WORLDS["tool-fortran-without-compiler"].model_copy(update={"format": name})
    recording = DISPUTED.recording(world)
    assert recording
    told = written(world, recording)
    (tmp_path / told.name).write_text(told.text)
    (tmp_path / "outcomes.csv").write_text(told.outcomes or "benchmark,task_id,scaffold,model,date,correct,run_id\n")
    library = Library.open(Inputs(runs=(tmp_path / told.name,), outcomes=(tmp_path / "outcomes.csv",)))
    [task] = library.tasks()
    assert (task.task_id, task.failed) == (world.id, 1)
    run = next(one for one in library.case(task).runs if one.transcript)
    commands = [
        one for one in events_of(run.transcript).commands if one.command in {s.command for s in recording.steps}
    ]
    assert [one.command for one in commands] == [one.command for one in recording.steps]
    failed = [str(one.failed) for one, step in zip(commands, recording.steps, strict=True) if step.exit_code in (1, 2)]
    assert set(failed) <= {"yes", "unknown"}


def test_every_rewriting_changes_the_record_and_nothing_that_is_true():
    changed = set()
    for world in WORLDS.values():
        recording = DISPUTED.recording(world)
        assert recording
        for name, rewrite in REWRITINGS.items():
            if (new := rewrite(world, recording)) is not None and new != (world, recording):
                changed.add(name)
                assert (new[0].truth, new[0].image, new[0].envelope) == (world.truth, world.image, world.envelope)
                assert sorted(one.exit_code or 0 for one in new[1].steps) == sorted(
                    one.exit_code or 0 for one in recording.steps
                )
                assert new[0].format not in set(FORMATS) - set(ANY_TOOL) or all(one.shell for one in new[1].steps)
    assert changed == REWRITINGS.keys()


def test_a_verdict_that_differs_from_the_truth_is_noticed():
    truth = WORLDS["module-offline"].truth
    right = Said("supported", "module", ("module",), (), ("PRESENT=yes", "PASSABLE=no", "CAUSED=yes"), "")
    assert compare(truth, right) == []
    wrong = Said("not_supported", "pip", ("pip",), ("pip-user",), ("PASSABLE=yes",), "")
    assert [one.what for one in compare(truth, wrong)] == ["status", "barrier", "answer"]
    any_name = WORLDS["tool-key-of-root"].truth
    assert compare(any_name, Said("supported", "permission", (), (), ("PASSABLE=no",), "")) == []


def tried(truth: str, *said: str) -> Tried:
    answer = {"answer": "PASSABLE=no"} if truth == "supported" else {}
    world = made(truth={"status": truth, "barrier": "any", **answer})
    found = [Said(status, None, (), (), ("PASSABLE=no",), f"because {status}") for status in said]
    return Tried(world, tuple(Judged(world, one, tuple(compare(world.truth, one)), 1.0) for one in found))


def test_scores_are_what_they_are_called():
    many = [
        tried("supported", "supported", "supported"),
        tried("supported", "inconclusive", "supported"),
        tried("not_supported", "not_supported", "not_supported"),
        tried("not_supported", "supported", "supported"),
    ]
    told = scores(many)
    assert (told["precision"], told["recall"], told["passable_refuted"]) == (0.5, 0.5, 0.5)
    assert (told["self_agreement"], told["inconclusive"], told["kappa"]) == (0.75, 0.25, 0.0)
    assert told["inconclusive_because"] == {"because inconclusive": 1}
    assert told["categories"] == {"a kind": {"worlds": 4, "right": 2}}
    assert (told["cost"], told["seconds"]) == (None, {"median": 1.0, "most": 1.0})
    assert scores([])["precision"] is None
    assert kappa([(True, True), (False, False), (True, False), (False, False)]) == 0.5


def test_a_step_whose_output_was_cut_says_so_as_the_harness_does():
    world = WORLDS["module-truncated"]
    recording = DISPUTED.recording(world)
    assert recording
    assert "This content has been truncated to stay below 200 characters" in written(world, recording).text


def test_bench_says_what_is_wrong_with_what_it_is_asked(verify: Verify):
    folder = DISPUTED.folder
    for arguments, says in (
        ((folder / "worlds",), "set.toml"),
        ((folder, "--only", "nothing-like-that"), "nothing-like-that"),
        ((folder, "--only", "module-offline", "--rewritten", "sideways"), "crlf"),
        ((folder, "--only", "module-offline", "--format", "papyrus"), "openhands"),
    ):
        told = verify("bench", *arguments)
        assert told.returncode == 2, told.stderr
        assert says in told.stderr


@pytest.mark.exhaustive
@pytest.mark.docker
@pytest.mark.network
@pytest.mark.slow
@pytest.mark.timeout(2000)
def test_bench_records_proves_and_scores_a_set_of_ones_own(verify: Verify, work: Path):
    """What `docs/labelled.md` promises: one file, and three commands."""
    (work / "set" / "worlds").mkdir(parents=True)
    (work / "set" / "set.toml").write_text('title = "Mine"\nsource = "a test"\n')
    (work / "set" / "policies.toml").write_text('[plain]\nopens = [["", "ls"]]\n')
    (work / "set" / "worlds" / "no-jq.toml").write_text(MINE)
    told = verify("bench", "set", "--record", timeout=800)
    assert told.returncode == 0, told.stderr
    assert told.stdout == "no-jq: 2 steps, exit codes 0 127\n"
    told = verify("bench", "set", "--ways", timeout=800)
    assert told.returncode == 0, told.stderr
    assert "proved" in told.stdout
    told = verify("bench", "set", "--json", "--repeats", "2", timeout=800)
    assert told.returncode == 0, told.stderr + told.stdout
    *audited, figures = map(json.loads, told.stdout.splitlines())
    assert [one["audited"]["world"] for one in audited] == ["no-jq"]
    figures = figures["bench"]
    assert (figures["precision"], figures["recall"], figures["self_agreement"]) == (1.0, 1.0, 1.0)

    text = MINE.replace('shut = ["jq . a.json"]', 'shut = ["cat a.json"]')
    (work / "set" / "worlds" / "no-jq.toml").write_text(text)
    told = verify("bench", "set", "--ways", timeout=800)
    assert told.returncode == 1
    assert "it is not shut: cat a.json" in told.stdout


MINE = """why = "jq is not on the machine, the task wants its very output, and nothing can be fetched."
kind = "command, truly impassable"
profile = "offline"
workspace = { "a.json" = "[1, 2]" }
prompt = "Run `jq . a.json` and report what it prints."
final = "jq is missing."
policy = "plain"
shut = ["jq . a.json"]

[truth]
status = "supported"
barrier = "command"
answer = "PASSABLE=no"

[[step]]
command = "jq . a.json"
"""


@pytest.mark.docker
@pytest.mark.network
@pytest.mark.slow
@pytest.mark.timeout(600)
@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.exhaustive) if name in COSTLIER else name for name in SAMPLE]
)
def test_verify_says_what_is_true_of_a_world(name: str, forking: Forking):
    world = WORLDS[name]
    recording = DISPUTED.recording(world)
    assert recording
    engine = Engine.connect()
    try:
        image = image_of(world, DISPUTED, engine)
    finally:
        engine.close()
    judged = judge(world, recording, image, program=forking.run)
    assert judged.differences == (), judged.said
    if name in REPRODUCED:
        done = reproduced(judged.script)
        assert done.returncode == 0, done.stdout + done.stderr
        assert "It came out as the report says" in done.stdout
        other = judged.script.replace("expect works", "expect fails")
        assert name != "command-python-m" or reproduced(other).returncode == 1
        assert reproduced(judged.script, IMAGE="impassable/nowhere:none").returncode == 2


def reproduced(script: str, **settings: str) -> subprocess.CompletedProcess[str]:
    """What the pack's script says on the bare engine."""
    bundle = host_ca()
    env = {**os.environ, **({"CA_BUNDLE": str(bundle)} if bundle else {}), **settings}
    return subprocess.run(
        ["bash", "-s"], input=script, env=env, capture_output=True, text=True, timeout=500, check=False
    )
