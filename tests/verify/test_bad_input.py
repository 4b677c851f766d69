"""Bad input and a lacking machine: one sentence, the right exit code, nothing half-written."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import probes.envelope
from tests.verify.synthetic import QUIET_RUN, Verify, one_sentence, upload

pytestmark = pytest.mark.slow


def nothing_written(work: Path) -> bool:
    """Whether the directory that `verify` ran in is as empty as before."""
    return not list(work.iterdir())


def test_an_unknown_task_names_the_nearest(verify: Verify, two_tasks: Path, work: Path):
    done = verify("sum-of-twp", "--run", two_tasks)
    assert done.returncode == 2
    assert "sum-of-two" in one_sentence(done)
    assert nothing_written(work)


def test_an_ambiguous_prefix_names_the_candidates(verify: Verify, two_tasks: Path, work: Path):
    done = verify("sum-of", "--run", two_tasks)
    assert done.returncode == 2
    assert "sum-of-two" in one_sentence(done)
    assert "sum-of-ten" in one_sentence(done)
    assert nothing_written(work)


def test_bad_task_ids_and_files_are_told_and_the_others_audited(verify: Verify, two_tasks: Path, tmp_path: Path):
    cut_off = tmp_path / "truncated.json"
    cut_off.write_text(json.dumps(upload("sum", QUIET_RUN))[:-80])
    inputs = ("--run", two_tasks, "--run", cut_off)
    done = verify("sum-of", "nowhere-to-be-found", "synthetic_bench/sum-of-two", *inputs, "--json")
    assert done.returncode == 2
    *errors, document = map(json.loads, done.stdout.splitlines())
    assert document["case"]["task_id"] == "sum-of-two"
    assert ["ambiguous" in errors[0]["error"]["message"], "not found" in errors[1]["error"]["message"]] == [True, True]
    assert "truncated.json" in done.stderr


def test_without_inputs_it_says_how_to_name_them(verify: Verify):
    done = verify("some-task")
    assert done.returncode == 2
    assert "--run" in one_sentence(done)


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("truncated.json", json.dumps(upload("sum", QUIET_RUN))[:-80]),
        ("foreign.json", '{"some": "other format", "rows": [1, 2, 3]}'),
        ("foreign.csv", "colour,size\nred,3\n"),
        ("empty.json", ""),
        ("binary.json", "\x00\x01\x02\ufffd" * 50),
    ],
)
def test_a_file_that_is_no_input_is_named_with_a_remedy(
    verify: Verify, tmp_path: Path, work: Path, name: str, content: str
):
    path = tmp_path / name
    path.write_text(content, encoding="utf-8")
    done = verify("sum", "--run", path)
    assert done.returncode == 2
    assert name in one_sentence(done)
    assert nothing_written(work)


def test_a_path_that_is_not_there_is_named(verify: Verify, work: Path):
    done = verify("sum", "--run", "not-there.json")
    assert done.returncode == 2
    assert "not-there.json" in one_sentence(done)
    assert nothing_written(work)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--resolve", "www.example.com"], "HOST=ADDR:PORT"),
        (["--lab-ca", "not-there.pem"], "not-there.pem"),
        (["--control", "ftp://x.example"], "ftp://x.example"),
        (["--rubric", "mine"], "rubric"),
        (["--profile", "no-such-profile"], "no-such-profile"),
        (["--json", "--rubric-json"], "not both"),
        (["--no-such-option"], "--no-such-option"),
    ],
)
def test_an_option_that_cannot_be_used_is_named(
    verify: Verify, two_tasks: Path, work: Path, options: list[str], said: str
):
    done = verify("sum-of-two", "--run", two_tasks, *options)
    assert done.returncode == 2
    assert said in one_sentence(done)
    assert not (work / "packs").exists() or not list((work / "packs").iterdir())


def test_a_profile_with_an_unknown_key_is_named_with_the_key(verify: Verify, two_tasks: Path, tmp_path: Path):
    profile = tmp_path / "mine.toml"
    shipped = Path(probes.envelope.__file__).parent / "profiles" / "debian.toml"
    profile.write_text('colour = "red"\n' + shipped.read_text(encoding="utf-8"), encoding="utf-8")
    done = verify("sum-of-two", "--run", two_tasks, "--profile", profile)
    assert done.returncode == 2
    assert "mine.toml" in one_sentence(done)
    assert "colour" in one_sentence(done)


def test_errors_are_one_json_document_too(verify: Verify, two_tasks: Path):
    done = verify("sum-of", "--run", two_tasks, "--json")
    document = json.loads(done.stdout)
    assert document["schema"] == "impassable/1"
    assert document["error"]["exit_code"] == done.returncode == 2
    assert document["error"]["message"] in done.stderr


def test_an_empty_transcript_is_no_barrier_and_no_crash(verify: Verify, tmp_path: Path):
    path = tmp_path / "empty_UPLOAD.json"
    path.write_text(json.dumps(upload("nothing-done", [])), encoding="utf-8")
    done = verify("nothing-done", "--run", path, "--json", "--offline")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["verdict"]["score"] == 0


def test_a_bad_row_is_reported_with_its_line_and_loses_no_other(verify: Verify, tmp_path: Path):
    rows = tmp_path / "rubric.csv"
    rows.write_text(
        "task_id,criteria,grade,correct,explanation,model_run\n"
        "first,rubric,1.00,0,existence_reasoning: a | causation_reasoning: b | evidence: c,run_1\n"
        "second,rubric,surely,0,existence_reasoning: a | causation_reasoning: b | evidence: c,run_1\n"
        "third,rubric,0.00,0,existence_reasoning: a | causation_reasoning: b | evidence: c,run_1\n",
        encoding="utf-8",
    )
    done = verify("cases", "--claims", rows, "--json")
    assert done.returncode == 0, done.stderr
    assert {"first", "third"} <= {task["task_id"] for task in json.loads(done.stdout)["tasks"]}
    [warning] = [line for line in done.stderr.splitlines() if "warning" in line]
    assert "rubric.csv" in warning
    assert "3" in warning


def test_a_directory_that_cannot_be_written_is_named(verify: Verify, two_tasks: Path, tmp_path: Path):
    place = tmp_path / "a-file"
    place.write_text("", encoding="utf-8")
    done = verify("sum-of-two", "--run", two_tasks, "--out", place / "packs")
    assert done.returncode in {2, 3}
    assert "a-file" in one_sentence(done)


@pytest.mark.skipif(not shutil.which("unshare"), reason="needs unshare to mount a small disk")
@pytest.mark.parametrize("full", ["--out", pytest.param("VERIFY_STATE", marks=pytest.mark.exhaustive)])
def test_a_full_disk_leaves_no_half_pack(two_tasks: Path, tmp_path: Path, full: str):
    disk = tmp_path / "disk"
    disk.mkdir()
    packs, state = (disk, tmp_path / "state") if full == "--out" else (tmp_path / "packs", disk)
    audit = f"{sys.executable} -m verify sum-of-two --run {two_tasks} --offline --out {packs} -q"
    script = f"mount -t tmpfs -o size=16k tmpfs {disk} && {{ {audit}; echo code=$?; find {packs} -type f; }}"
    env = os.environ | {"VERIFY_STATE": str(state), "XDG_STATE_HOME": str(tmp_path / "xdg")}
    done = subprocess.run(
        ["unshare", "-rm", "sh", "-c", script], capture_output=True, text=True, cwd=tmp_path, env=env, check=False
    )
    if "code=" not in done.stdout:
        pytest.skip(f"this machine mounts no small disk: {done.stderr.strip()}")
    assert done.stdout == "code=3\n"
    assert "--out" in one_sentence(done)


def test_a_closed_pipe_is_no_internal_error(verify: Verify, two_tasks: Path, work: Path):
    command = f"{sys.executable} -m verify cases --run {two_tasks} --json | true; echo ${{PIPESTATUS[0]}}"
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, cwd=work, check=True)
    assert done.stdout.strip() in {"0", "141"}
    assert "Traceback" not in done.stderr
