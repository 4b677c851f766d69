"""`verify rerun`: the probes of a pack again, live, and a new pack that names its parent."""

import asyncio
import hashlib
import itertools
import json
from datetime import UTC, datetime
from pathlib import Path

import pytest

import verify.demo.scenario as demo
from evidence import read_pack
from graph.rerun import Agreement
from probes import Answer
from probes.browser.recorded import from_archives
from tests.verify.synthetic import Verify
from verify.demo.site import CONTROL, TIDES, serve
from verify.rerun import table

BOT_WALL = demo.HERE / "bot_wall_UPLOAD.json"


@pytest.mark.exhaustive
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

    archived = verify("rerun", pack, "--from-har")
    assert archived.returncode == 0, archived.stderr
    assert "NOT THE SAME" not in archived.stdout, archived.stdout
    assert "so the verdict is the same: inconclusive" in archived.stdout
    assert "4 of 4" in archived.stdout or "5 of 5" in archived.stdout

    assert other_text_is_noticed(pack)

    silent = verify(
        "rerun", pack, "--resolve", f"{TIDES}=127.0.0.1:9", "--resolve", f"{CONTROL}=127.0.0.1:9", *lab[-2:]
    )
    assert silent.returncode == 0, silent.stderr
    [row] = [line for line in silent.stdout.splitlines() if "browser/PRESENT" in line]
    assert row.endswith("NO")
    assert "unknown" in row
    assert "2 of 2" not in silent.stdout


def test_the_columns_of_the_agreement_line_up_whatever_was_answered() -> None:
    at = datetime(2031, 5, 6, 7, 8, tzinfo=UTC)
    answers = (Answer.YES, Answer.NO, Answer.UNKNOWN, None)
    rows = [
        Agreement(f"header/{'x' * number}/PRESENT", then, then and at, now, now and at)
        for number, (then, now) in enumerate(itertools.product(answers, answers))
    ]
    headings, *lines = table(rows)
    columns = [headings.index(word) for word in ("finding", "then", "now", "agrees")]
    for line in lines:
        starts = [line[column:].split()[0] for column in columns]
        assert starts[1] in {"yes", "no", "unknown", "not"}
        assert starts[2] in {"yes", "no", "unknown", "not"}
        assert starts[3] in {"yes", "NO"}
        assert all(line[column - 2 : column] == "  " for column in columns[1:])
    assert lines[0].count("2031-05-06 07:08Z") == 2


def other_text_is_noticed(pack: Path) -> bool:
    """Whether an archive that shows another text than the finding says is told apart."""
    audit = read_pack(pack)
    [seen] = [finding for finding in audit.findings if finding.probe == "browser"]
    artifacts = [
        artifact.model_copy(update={"sha256": "0" * 64}) if artifact.name.endswith(".text.txt") else artifact
        for artifact in seen.artifacts
    ]
    files = {hashlib.sha256(path.read_bytes()).hexdigest(): path for path in (pack / "data").rglob("*.*")}
    other = seen.model_copy(update={"artifacts": tuple(artifacts)})
    rows = asyncio.run(from_archives((other,), audit.hypotheses, lambda digest: files[digest].read_bytes()))
    return [row.what.rpartition(": ")[2] for row in rows if not row.agrees] == ["visible text"]


def test_an_altered_pack_is_not_run_again(verify: Verify, work: Path, two_tasks: Path) -> None:
    first = verify("sum-of-two", "--run", two_tasks, "--json")
    pack = work / json.loads(first.stdout)["pack"]
    same = verify("rerun", pack)
    assert same.returncode == 0, same.stderr
    assert "verdict  then not_supported, now not_supported" in same.stdout
    (pack / "case.json").write_bytes((pack / "case.json").read_bytes() + b" ")
    assert verify("rerun", pack).returncode == 5
