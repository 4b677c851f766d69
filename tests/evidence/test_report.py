"""The report says what the audit found: in words, with its quotations marked and its doubts shown."""

import re
import time
from pathlib import Path

import pytest

from cases import Case, Transcript
from graph.decide import decide
from graph.verdict import Audit
from probes import (
    Answer,
    ArtifactStore,
    Barrier,
    FindingMaker,
    Mount,
    Question,
    Value,
)
from probes.specification import SpecificationProbe
from tests.evidence.reports import drawn, report_of, words_of
from tests.evidence.synthetic_audits import (
    ALL,
    FAILURE,
    bare,
    cite,
    inconclusive,
    not_supported,
    png,
    read_by_a_person,
    supported,
)


def edited(audit: Audit, index: int, text: str) -> Case:
    """The audit's case with another text in one block of its first run."""
    run = audit.case.runs[0]
    assert run.transcript
    blocks = list(run.transcript.blocks)
    blocks[index] = blocks[index].model_copy(update={"text": text})
    run = run.model_copy(update={"transcript": Transcript(blocks=tuple(blocks))})
    return audit.case.model_copy(update={"runs": (run, *audit.case.runs[1:])})


@pytest.mark.parametrize(
    ("name", "title", "score"),
    [("supported", "Impassable", 1), ("not_supported", "Not impassable", 0), ("inconclusive", "Inconclusive", 0)],
)
def test_the_verdict_stands_on_top_in_words_with_its_reason(
    name: str, title: str, score: int, store: ArtifactStore, tmp_path: Path
) -> None:
    audit = ALL[name](store)
    report = report_of(audit, store, tmp_path)
    assert re.search(rf'<h1 id="verdict">{title}</h1>', report)
    words = words_of(report)
    assert f"score {score} " in words
    assert words.index(title) < words.index(audit.verdict.reason.replace("`", "")) < words.rindex("Then and now")
    assert words.index(audit.verdict.would_change) < words.rindex("Then and now")
    assert words.index(audit.verdict.against) < words.rindex("Then and now")


def test_the_fault_lies_somewhere_only_where_one_is_shown(store: ArtifactStore, tmp_path: Path) -> None:
    told = {name: words_of(report_of(ALL[name](store), store, tmp_path)) for name in ALL}
    assert "Where the fault lies image build" in told["supported"]
    assert "Where the fault would lie external site" in told["inconclusive"]
    assert "Where the fault" not in told["not_supported"]


def test_what_only_a_person_can_settle_is_asked_on_top(store: ArtifactStore, tmp_path: Path) -> None:
    audit = inconclusive(store)
    assert "What a human reader could settle" not in report_of(audit, store, tmp_path)
    asked = audit.hypotheses[0].model_copy(update={"barrier": Barrier.AMBIGUOUS})
    read = FindingMaker(SpecificationProbe(), asked)(Question.PRESENT, Answer.UNKNOWN, "It says “near”.")
    verdict = decide(audit.case, [asked], [read], audit.basis)
    waiting = audit.model_copy(update={"hypotheses": (asked,), "findings": (read,), "verdict": verdict})
    words = words_of(report_of(waiting, store, tmp_path))
    asked = words.index(verdict.open_question)
    assert words.index("What a human reader could settle") < asked < words.rindex("Then and now")
    assert "It says “near”." in verdict.open_question


@pytest.mark.parametrize(("decision", "says"), [("yes", "at fault"), ("no", "is sound"), ("reject", "rejected")])
def test_a_verdict_of_a_person_is_no_verdict_of_probes(
    decision: str, says: str, store: ArtifactStore, tmp_path: Path
) -> None:
    page = report_of(read_by_a_person(decision), store, tmp_path)
    meaning = re.findall(r'<p class="meaning">(.*?)</p>', page)
    assert says in meaning[0]
    assert "A person " in meaning[0]
    assert "no permitted action gets past it" not in page


def test_a_quotation_is_marked_inside_its_own_block(store: ArtifactStore, tmp_path: Path) -> None:
    report = report_of(supported(store), store, tmp_path)
    assert f"started\n<mark>{FAILURE}</mark>\n    4 | #include &lt;zither.h&gt;" in report
    assert "run run-a, block 3, result of execute_bash" in report


def test_neighbouring_quotations_share_an_excerpt_and_distant_ones_do_not(store: ArtifactStore) -> None:
    audit = supported(store)
    far = audit.case.runs[0].transcript.blocks[3].text + "x" * 5_000 + " the end"
    case = edited(audit, 3, far)
    quoted = ("whoami", FAILURE, "error: zither.h", "compilation", "the end")
    citations = tuple(cite(case, "run-a", 3, quote) for quote in quoted)
    audit = audit.model_copy(
        update={"case": case, "verdict": audit.verdict.model_copy(update={"citations": citations})}
    )
    records = drawn(audit, store).split('id="run"')[1].split("How it went")[0]
    assert records.count("<figure") == 2
    assert re.findall(r"<mark>(.*?)</mark>", records) == ["whoami", FAILURE, "compilation", "the end"]


def test_a_quotation_that_does_not_stand_there_is_shown_as_such(store: ArtifactStore) -> None:
    audit = supported(store)
    false = audit.verdict.citations[0].model_copy(update={"quote": "apt is forbidden"})
    audit = audit.model_copy(update={"verdict": audit.verdict.model_copy(update={"citations": (false,)})})
    words = words_of(drawn(audit, store))
    assert "this quotation is not where it is said to be apt is forbidden" in words


def test_every_part_of_the_audit_is_there(store: ArtifactStore, tmp_path: Path) -> None:
    audit = not_supported(store)
    words = words_of(report_of(audit, store, tmp_path))
    assert all(" ".join(str(value).split()) in words for value in audit.verdict.rubric_fields().values() if value)
    for number, finding in enumerate(audit.findings, 1):
        assert finding.summary in words
        for control in finding.controls:
            assert (
                f"{control.name} {number} {finding.probe} {finding.question} {control.expected} {control.observed}"
                in words
            )
        for route in finding.routes:
            assert f"{route.id} {route.tier}" in words
            assert " ".join(route.commands) in words
        assert all(artifact.sha256 in words for artifact in finding.artifacts)
        assert all(limit in words for limit in finding.limits)
    assert all(run.run_id in words for run in audit.case.runs)
    assert all(claim.text in words for claim in audit.case.claims)
    assert "66 runs: 0 passed, 66 failed, 0 unknown." in words
    assert "sha256sum -c manifest-sha256.txt" in words
    assert 'CFLAGS="-I$HOME/.local/include" pip install zither' in words


def test_each_value_of_the_envelope_says_where_it_comes_from(store: ArtifactStore, tmp_path: Path) -> None:
    words = words_of(report_of(supported(store), store, tmp_path))
    assert "User agent observed in the run’s log" in words
    assert "Memory 4096 MiB profile of this benchmark" in words
    assert "Network indexes assumed as the log does not say" in words


def test_every_value_of_the_envelope_has_its_line(store: ArtifactStore, tmp_path: Path) -> None:
    audit = supported(store)
    mounts = Value[tuple[Mount, ...]](value=(Mount(path="/tmp", flags=("tmpfs", "noexec")),), origin="profile")
    audit = audit.model_copy(update={"envelope": audit.envelope.model_copy(update={"mounts": mounts})})
    words = words_of(report_of(audit, store, tmp_path))
    assert "Mounts /tmp (tmpfs, noexec) profile of this benchmark" in words
    assert "Free disk space not known assumed" in words
    assert "Restricted interpreter none assumed" in words


def test_an_answer_whose_control_failed_is_shown_as_unknown(store: ArtifactStore, tmp_path: Path) -> None:
    words = words_of(report_of(inconclusive(store), store, tmp_path))
    assert "browser PRESENT unknown measured “yes”, but a control failed" in words
    assert "✗ failed" in words


@pytest.mark.parametrize(("name", "lab"), [("supported", False), ("inconclusive", True)])
def test_laboratory_evidence_is_announced(name: str, lab: bool, store: ArtifactStore, tmp_path: Path) -> None:
    assert ("Laboratory evidence." in words_of(report_of(ALL[name](store), store, tmp_path))) is lab


def test_the_expected_answer_is_not_shown(store: ArtifactStore, tmp_path: Path) -> None:
    audit = supported(store)
    assert audit.case.task.gold
    assert audit.case.task.gold not in words_of(report_of(audit, store, tmp_path))


def test_small_pictures_are_inlined_and_large_ones_linked(store: ArtifactStore, tmp_path: Path) -> None:
    audit = supported(store)
    large = store.put(png() + b"\0" * 300 * 1024, "large.png", "image/png")
    fake = store.put("<svg/>", "fake.png", "image/png")
    first = audit.findings[0].model_copy(update={"artifacts": (*audit.findings[0].artifacts, large, fake)})
    report = report_of(audit.model_copy(update={"findings": (first, *audit.findings[1:])}), store, tmp_path)
    assert report.count("<img ") == 1
    assert 'src="data:image/png;base64,' in report
    assert f'href="data/evidence/{large.sha256[:12]}-large.png"' in report


def test_a_long_log_keeps_its_beginning_and_its_end(store: ArtifactStore, tmp_path: Path) -> None:
    audit = supported(store)
    log = store.put("first line\n" + "x" * 1_000_000 + "\nlast line", "long.log")
    first = audit.findings[0].model_copy(update={"artifacts": (log,), "observations": ()})
    report = report_of(audit.model_copy(update={"findings": (first, *audit.findings[1:])}), store, tmp_path)
    assert "first line" in report
    assert "last line" in report
    assert "characters left out" in report
    assert len(report) < 200_000


def test_a_report_of_many_runs_takes_no_more_than_their_number(store: ArtifactStore) -> None:
    audit = supported(store)
    [first, *_] = audit.case.runs

    def seconds(number: int) -> float:
        runs = tuple(first.model_copy(update={"run_id": f"run-{one}", "transcript": None}) for one in range(number))
        many = audit.model_copy(update={"case": audit.case.model_copy(update={"runs": (*audit.case.runs, *runs)})})
        begun = time.process_time()
        drawn(many, store)
        return time.process_time() - begun

    seconds(10)
    short, long = seconds(2_000), seconds(8_000)
    assert long < 10 * short


def test_the_emptiest_audit_says_what_is_missing(store: ArtifactStore, tmp_path: Path) -> None:
    words = words_of(report_of(bare(store), store, tmp_path))
    for sentence in (
        "We found no barrier to put to the test.",
        "No probe that needs controls gave an answer.",
        "No way around a barrier was tried.",
        "We were not given the task’s text.",
        "No earlier verdict was given.",
        "No file was captured.",
    ):
        assert sentence in words


def test_our_own_code_words_are_set_as_code(store: ArtifactStore, tmp_path: Path) -> None:
    assert "<code>pip install zither</code> needs the header" in report_of(supported(store), store, tmp_path)
