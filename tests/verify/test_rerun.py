"""`verify rerun`: the probes of a pack again, live, and a new pack that names its parent."""

import json
from pathlib import Path

import pytest

import verify.demo.scenario as demo
from tests.verify.synthetic import Verify
from verify.demo.site import CONTROL, TIDES, serve

BOT_WALL = demo.HERE / "bot_wall_UPLOAD.json"


@pytest.mark.slow
@pytest.mark.browser
def test_a_rerun_agrees_where_the_world_is_the_same_and_says_what_changed_where_it_is_not(
    verify: Verify, work: Path
) -> None:
    with serve() as address:
        lab = [
            "--resolve",
            f"{TIDES}={address}",
            "--resolve",
            f"{CONTROL}={address}",
            "--control",
            f"http://{CONTROL}/",
        ]
        first = verify("demo-bot-wall", "--run", BOT_WALL, "--json", *lab)
        assert first.returncode == 0, first.stderr
        pack = work / json.loads(first.stdout)["pack"]
        again = verify("rerun", pack, *lab, "--json")
    assert again.returncode == 0, again.stderr
    told = json.loads(again.stdout)
    rows = {row["finding"].split("/", 1)[1]: row for row in told["rerun"]["agreement"]}
    assert rows["browser/PRESENT"]["then"] == rows["browser/PRESENT"]["now"] == "no"
    assert all(row["agrees"] for row in rows.values())
    assert pack.name.endswith(told["rerun"]["parent"])
    made = work / told["pack"]
    assert made != pack
    assert json.loads((made / "basis.json").read_text())["earlier"]["pack"] == told["rerun"]["parent"]
    assert verify("check", made).returncode == 0
    assert verify("recompute", made).returncode == 0

    silent = verify(
        "rerun", pack, "--resolve", f"{TIDES}=127.0.0.1:9", "--resolve", f"{CONTROL}=127.0.0.1:9", *lab[-2:]
    )
    assert silent.returncode == 0, silent.stderr
    [row] = [line for line in silent.stdout.splitlines() if "browser/PRESENT" in line]
    assert row.endswith("NO")
    assert "unknown" in row
    assert "2 of 2" not in silent.stdout


def test_an_altered_pack_is_not_run_again(verify: Verify, work: Path, two_tasks: Path) -> None:
    first = verify("sum-of-two", "--run", two_tasks, "--json")
    pack = work / json.loads(first.stdout)["pack"]
    same = verify("rerun", pack)
    assert same.returncode == 0, same.stderr
    assert "verdict  then not_supported, now not_supported" in same.stdout
    (pack / "case.json").write_bytes((pack / "case.json").read_bytes() + b" ")
    assert verify("rerun", pack).returncode == 5
