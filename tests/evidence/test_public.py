"""The public pack tells neither the expected answer nor whose machine it was, and decides the same."""

import getpass
from pathlib import Path

import pytest

from cases import Block, Citation, Task, Transcript
from cases.secrets import MASK
from evidence import archive_of, read_pack, write_pack
from evidence.checking import check
from evidence.public import HIDDEN, Public
from evidence.recomputing import recompute
from graph.verdict import Audit
from probes import ArtifactStore
from tests.evidence.synthetic_audits import ALL, PROMPT, case, judged, png, supported
from tests.evidence.test_secrets_out import opened_bytes, with_artifacts

GOLD = "Schloss Zitherstein"
PAGE = "https://www.castle.example/z"
COPY = f"https://web.archive.org/web/2024/{PAGE} or ?u=https%3A%2F%2Fwww.castle.example%2Fz, schloss-zitherstein"


@pytest.fixture
def alice(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A user of this machine with a home and a project in it."""
    home = tmp_path / "home" / "alice"
    (home / "project").mkdir(parents=True)
    monkeypatch.setenv("HOME", str(home))
    for name in ("LOGNAME", "USER", "LNAME", "USERNAME"):
        monkeypatch.setenv(name, "alice")
    monkeypatch.chdir(home / "project")
    assert getpass.getuser() == "alice"
    return home


def telling(store: ArtifactStore, home: Path) -> Audit:
    """An audit whose every channel tells the gold answer and the user's home."""
    audit = supported(store)
    told = f"the answer should be {GOLD}, see {home}/project/data.csv, as alice said, {COPY} and {PAGE}"
    run = audit.case.runs[0]
    assert run.transcript
    block = Block(index=len(run.transcript.blocks), role="assistant", kind="message", text=told)
    run = run.model_copy(
        update={
            "answer": GOLD.lower(),
            "source": f"{home}/runs/a.json",
            "transcript": Transcript(blocks=(*run.transcript.blocks, block)),
        }
    )
    cited = Citation(run_id=run.run_id, block=block.index, start=4, end=len(told), quote=told[4:])
    cut = Citation(run_id=run.run_id, block=block.index, start=24, end=36, quote=told[24:36])
    of = audit.case.model_copy(
        update={
            "task": Task(prompt=PROMPT, gold=GOLD, gold_urls=(PAGE,)),
            "runs": (run, *audit.case.runs[1:]),
        }
    )
    thought = audit.hypotheses[0].model_copy(update={"citations": (cited, cut, *audit.hypotheses[0].citations)})
    first = audit.findings[0].model_copy(update={"summary": f"Three replays in {home} end before {GOLD}, {COPY}."})
    claims = tuple(one.model_copy(update={"source": "/srv/lab-7/claims.csv:2"}) for one in of.claims)
    of = of.model_copy(update={"claims": claims})
    audit = judged(of, (thought,), (first, *audit.findings[1:]), audit.envelope, f"Kept in {home}.")
    return with_artifacts(audit, store.put(f"expected {GOLD}\nin {home}, {COPY}\n", f"{home.name}.log"))


def test_neither_the_answer_nor_the_user_is_anywhere_in_it_and_the_verdict_is_the_same(
    alice: Path, store: ArtifactStore, tmp_path: Path
) -> None:
    audit = telling(store, alice)
    pack = write_pack(audit, store, tmp_path / "packs", public=True).path
    held = b"\n".join(opened_bytes(archive_of(pack).read_bytes())).lower()
    assert not [
        word
        for word in (GOLD, "zitherstein", "castle.example", "alice", str(alice), "lab-7")
        if word.lower().encode() in held
    ]
    report = (pack / "report.html").read_text("utf-8")
    assert "The expected answer is masked in this public pack." in report
    assert "stands in case.json" not in report
    assert b"impassable-public: gold answers and local paths are masked" in held
    found = check(pack)
    verdict = recompute(found)
    assert (verdict.status, verdict.score) == (audit.verdict.status, audit.verdict.score)
    assert verdict.citations
    assert all(found.audit.case.cites(citation) for citation in verdict.citations)
    (cited,) = [one for one in verdict.citations if one.quote.startswith("answer should be")]
    assert cited.quote.startswith(f"answer should be {HIDDEN}, see {HIDDEN}/data.csv, as {HIDDEN} said")
    assert MASK * 9 not in cited.quote
    assert found.audit.case.task.gold == found.audit.case.runs[0].answer == HIDDEN


def test_without_the_option_the_records_keep_them(alice: Path, store: ArtifactStore, tmp_path: Path) -> None:
    back = read_pack(write_pack(telling(store, alice), store, tmp_path / "packs").path)
    assert back.case.task.gold == GOLD
    assert back.case.runs[0].source == f"{alice}/runs/a.json"


@pytest.mark.parametrize("name", ALL)
@pytest.mark.parametrize("gold", ["yes", "supported", "failed", "message", "5", "replay", "observed", None])
def test_no_answer_changes_what_the_program_itself_says(
    gold: str | None, name: str, store: ArtifactStore, tmp_path: Path
) -> None:
    audit = ALL[name](store)
    of = audit.case.model_copy(update={"task": audit.case.task.model_copy(update={"gold": gold})})
    pack = write_pack(audit.model_copy(update={"case": of}), store, tmp_path, public=True).path
    assert recompute(check(pack)).status is audit.verdict.status


def test_lists_and_records_are_masked_value_by_value_and_short_numbers_in_the_task_alone() -> None:
    of = case().model_copy(update={"task": Task(gold='{"name": "Zither Inn", "rooms": 12, "since": 1884}\nLyre Hall')})
    public = Public(of)
    assert public.text("zither  inn") == HIDDEN
    assert public.text("LYRE HALL, 12 rooms, since 1884") == f"{HIDDEN}, 12 rooms, since {HIDDEN}"
    assert public.text("Zither Inns and 18840, 1884.5, v1.1884") == "Zither Inns and 18840, 1884.5, v1.1884"


@pytest.mark.parametrize(
    "told",
    [
        "1,010,000 people",
        "1.010.000",
        "1 010 000",
        "1’010’000",
        "1010000.0",
        "1.01 million",
        "1,010 thousand",
        "1,010,000.00",
        "about 1.0100e6, or 1,010,000",
    ],
)
def test_no_form_of_a_number_tells_it(told: str) -> None:
    run = case().runs[0].model_copy(update={"answer": "about 1.0100e6, or 1,010,000"})
    of = case().model_copy(update={"task": Task(prompt="How many people?", gold="1010000"), "runs": (run,)})
    assert MASK in Public(of).text(told)
    assert not any(char.isdigit() for char in Public(of).text(told))
    for other in ("21,010,000", "1,010,0001", "1.01 miles", "101"):
        assert Public(of).text(other) == other


def test_what_is_private_stays_out_of_a_public_pack_be_it_a_log_or_a_picture(
    store: ArtifactStore, tmp_path: Path
) -> None:
    kept = [
        store.put(png(), "page-in-the-log.png", "image/png", private=True),
        store.put("the answer is written here", "solution.log", private=True),
    ]
    audit = with_artifacts(supported(store), *kept)
    own = write_pack(audit, store, tmp_path / "own").path
    shared = write_pack(audit, store, tmp_path / "shared", public=True).path
    for pack, there in ((own, True), (shared, False)):
        check(pack)
        held = [path.read_bytes() for path in (pack / "data" / "evidence").iterdir()]
        assert (png() in held) is there
        assert any(b"the answer is written here" in data for data in held) is there
        assert any(b"page-in-the-log.png is left out of this public pack." in data for data in held) is not there
