"""`verify profiles` lists and explains profiles, and shows what a run's own records say of its machine."""

import json
from pathlib import Path

from probes.envelope import FIELDS, profile_names
from tests.verify.synthetic import Verify, one_sentence, upload

COMMAND = {"name": "bash", "arguments": '{"command": "sudo apt-get install x"}'}
SEEN = [
    {"role": "user", "content": "Install it."},
    {
        "role": "assistant",
        "content": None,
        "tool_calls": [
            {"id": "c1", "function": {"name": "bash", "arguments": '{"command": "sudo apt-get install x"}'}}
        ],
    },
    {"role": "tool", "tool_call_id": "c1", "content": "/bin/sh: 1: sudo: not found"},
]


def test_every_shipped_profile_is_listed_with_its_benchmarks(verify: Verify):
    done = verify("profiles")
    assert done.returncode == 0
    assert [name for name in profile_names() if f"\n{name} " not in f"\n{done.stdout}"] == []
    assert "for corebench_*, corebench" in done.stdout
    [line] = verify("profiles", "--json").stdout.splitlines()
    listed = {one["name"]: one for one in json.loads(line)["profiles"]}
    assert sorted(listed) == list(profile_names())
    assert listed["hal-user"]["extends"] == "hal"
    assert all(one["title"] and one["source"] for one in listed.values())


def test_each_value_is_explained_with_who_says_it(verify: Verify, tmp_path: Path):
    file = tmp_path / "mine.toml"
    file.write_text('title = "Mine"\nsource = "I know"\nextends = "hal"\n[envelope]\nmemory_mb = 512\n', "utf-8")
    rows = {row.split()[0]: row for row in verify("profiles", file).stdout.splitlines() if row.startswith("  ")}
    assert {*FIELDS} <= {*rows}
    assert "512 MiB" in rows["memory_mb"]
    assert rows["memory_mb"].endswith("stated here")
    assert rows["workdir"].endswith("stated by hal")
    assert rows["seconds"].endswith("assumed")
    assert "I know" in rows["mine's"]
    values = json.loads(verify("profiles", "hal-tmpfs", "--json").stdout)["profile"]["values"]
    assert values["mounts"] == {
        "value": [{"path": "/tmp", "flags": ["tmpfs", "noexec", "nosuid", "nodev"]}],
        "origin": "profile",
        "by": "hal-tmpfs",
    }


def test_what_a_run_shows_of_its_machine_is_quoted(verify: Verify, tmp_path: Path):
    file = tmp_path / "seen_UPLOAD.json"
    file.write_text(json.dumps(upload("seen", SEEN)), encoding="utf-8")
    done = verify("profiles", "hal-user", "--task", "seen", "--run", file)
    assert done.returncode == 0, done.stderr
    rows = done.stdout.splitlines()
    [number] = [number for number, row in enumerate(rows) if row.split()[0] == "sudo"]
    assert rows[number].split()[1:] == ["no", "observed"]
    assert "“sudo: not found”" in rows[number + 1]
    assert any(row.split()[0] == "user" and row.endswith("profile hal-user") for row in rows)


def test_unknown_names_and_misplaced_options_are_one_sentence(verify: Verify):
    for arguments, said in (
        (["nope"], "choose one of assumed, debian, hal, hal-image, hal-tmpfs, hal-user, offline, swe-bench"),
        (["--run", "x"], "--task TASK_ID"),
        (["--task", "x"], "--run"),
    ):
        done = verify("profiles", *arguments)
        assert done.returncode == 2
        assert said in one_sentence(done)
