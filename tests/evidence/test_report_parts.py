"""Parts of the report: then beside now, framed screenshots, graders, runs, logs, and who had a say."""

import json

from cases import Outcome
from evidence.report import render
from evidence.report.comparison import difference
from evidence.report.logs import numbered
from graph.verdict import Assistance, Audit, Review
from probes import ArtifactStore, Ground, Observation
from tests.evidence.reports import drawn, words_of
from tests.evidence.synthetic_audits import AT, inconclusive, png, supported


def replaced(audit: Audit, index: int, **changes: object) -> Audit:
    """The audit with one finding changed."""
    findings = list(audit.findings)
    findings[index] = findings[index].model_copy(update=changes)
    return audit.model_copy(update={"findings": tuple(findings)})


def test_the_runs_output_and_the_replays_are_compared_line_by_line(store: ArtifactStore) -> None:
    report = drawn(supported(store), store)
    shown = report.split('class="pre diff')[1].split("</p>")[0]
    assert "<del>- whoami: agent</del>" in shown
    assert "<ins>+ $ pip install zither</ins>" in shown
    assert "run run-a, block 3" in report.split("The text then and now")[1].split("</p>")[0]


def test_an_archived_copy_is_compared_with_the_page_of_today(store: ArtifactStore) -> None:
    audit = inconclusive(store)
    url, copy = (
        "https://shop.example/zithers",
        "https://web.archive.org/web/20300101000000id_/https://shop.example/zithers",
    )
    then = store.put("Zithers\nConcert zither 900\nStrings 12\n", "archive-1.main.txt")
    now = store.put("Zithers\nConcert zither 950\nStrings 12\n", "shop-1.main.txt")
    seen = [
        Observation(name=name, value=value, artifact=file and file.sha256)
        for name, value, file in (
            ("browser", f"status 200; at {url}; title 'Zithers'", None),
            ("main text", "30 characters", now),
            ("browser", f"status 200; at {copy}; title 'Zithers'", None),
            ("main text", "30 characters", then),
        )
    ]
    audit = replaced(audit, 0, observations=tuple(seen), artifacts=(then, now))
    report = drawn(audit, store)
    assert "<del>- Concert zither 900</del>" in report
    assert "<ins>+ Concert zither 950</ins>" in report
    assert f"archived copy {copy}" in words_of(report)


def test_equal_lines_far_from_a_difference_are_counted_and_a_flood_ends() -> None:
    same = [f"line {number}" for number in range(50)]
    lines = difference("\n".join(["old", *same]), "\n".join(["new", *(f"  {line} " for line in same)]))
    assert lines[:2] == (("then", "old"), ("now", "new"))
    assert [text for mark, text in lines if mark == "gap"] == ["48 equal lines"]
    assert len(difference("\n" * 9_000, "x\n" * 9_000)) < 300


def test_the_deciding_element_is_framed_on_the_first_screenshot(store: ArtifactStore) -> None:
    shot = store.put(b"\xff\xd8\xff\xe0 a picture", "shop-1.jpg", "image/jpeg")
    exact = store.put(png(), "shop-1.png", "image/png")
    box = Observation(name="box", value="10,20,300,40 of 1280x900: #cf-wrapper <b>", artifact=shot.sha256)
    outside = box.model_copy(update={"value": "1270,20,300,40 of 1280x900: x"})
    audit = supported(store)
    for boxes, framed in (((box,), 1), ((outside,), 0), ((), 0)):
        changed = replaced(audit, 0, observations=boxes, artifacts=(shot, exact))
        report = drawn(changed, store)
        assert report.count('<rect x="10" y="20" width="300" height="40"/>') == framed
        assert ("Framed: #cf-wrapper <b>" in words_of(report)) is bool(framed)
        assert report.count("<img ") == 1
        assert f'href="data/evidence/{exact.sha256[:12]}-shop-1.png">The same without loss' in report


def test_an_archived_copy_is_seen_beside_the_page_of_today_and_nothing_empty_is_shown(store: ArtifactStore) -> None:
    url = "https://shop.example/zithers"
    copy = f"https://web.archive.org/web/20300101000000id_/{url}"
    then = store.put(b"\xff\xd8\xff\xe0 then", "archive-1.jpg", "image/jpeg")
    now = store.put(b"\xff\xd8\xff\xe0 now", "shop-1.jpg", "image/jpeg")
    seen = (
        Observation(name="browser", value=f"status 200; at {url}", artifact=now.sha256),
        Observation(name="content", value="1280x420 of 1280x900", artifact=now.sha256),
        Observation(name="browser", value=f"status 200; at {copy}", artifact=then.sha256),
        Observation(name="content", value="1280x0 of 1280x900", artifact=then.sha256),
    )
    report = drawn(replaced(inconclusive(store), 0, observations=seen, artifacts=(then, now)), store)
    pair = report.split('class="pair pictured"')[1].split("</section>")[0]
    assert pair.index("archive-1.jpg") < pair.index("shop-1.jpg")
    assert 'viewBox="0 0 1280 420"' in pair
    assert pair.count("<img ") == 1
    assert f'href="{copy}"' in pair


def test_graders_stand_side_by_side(store: ArtifactStore) -> None:
    marks = {
        "graders": {"official": {}, "harness <1>": {}},
        "marks": [{"answer": "the answer of run-a", "official": "0", "harness <1>": "1"}],
    }
    table = store.put(json.dumps(marks), "marks.json", "application/json")
    broken = store.put("[1, 2]", "marks.json", "application/json")
    audit = replaced(supported(store), 2, probe="scorer", ground=Ground.GRADER, artifacts=(table, broken))
    report = drawn(audit, store)
    assert "Answer official harness <1> the answer of run-a 0 1" in words_of(report)
    assert report.count("Graders side by side") == 1
    assert "Graders side by side" not in drawn(supported(store), store)


def test_the_issue_text_is_repeated_where_the_pack_holds_one(store: ArtifactStore) -> None:
    text = "# zither.h is missing\n<script>pwned=1</script>"
    report = render(supported(store), (), {}, {}, {"issue.md": text})
    assert "&lt;script&gt;pwned=1&lt;/script&gt;" in report
    assert 'href="#issue"' in report
    assert 'href="#issue"' not in render(supported(store), (), {}, {})


def test_the_run_in_question_and_those_that_passed_stand_first(store: ArtifactStore) -> None:
    audit = supported(store)
    winner = audit.case.runs[40].model_copy(
        update={"outcome": Outcome.PASSED, "environment": {"scaffold": "other scaffold"}}
    )
    runs = (*audit.case.runs[1:40], winner, *audit.case.runs[41:], audit.case.runs[0])
    words = words_of(
        render(audit.model_copy(update={"case": audit.case.model_copy(update={"runs": runs})}), (), {}, {})
    )
    table = words.split("Every run of the task")[1]
    assert table.index("run-a (the run in question)") < table.index(winner.run_id) < table.index("peer-00")
    assert "scaffold other scaffold" in table


def test_lines_of_a_log_keep_their_numbers_where_the_middle_is_left_out() -> None:
    lines = numbered("\n".join(f"line {number}" for number in range(1, 2_001)))
    assert all(text == f"line {number}" for number, text in lines if number)
    assert [text for number, text in lines if not number] == ["… 1,601 lines left out …"]
    assert lines[-1] == (2_000, "line 2000")
    assert numbered("one\ntwo\n") == [(1, "one"), (2, "two")]


def test_it_says_which_person_and_which_model_had_a_say(store: ArtifactStore) -> None:
    audit = supported(store)
    words = words_of(drawn(audit, store))
    assert "No person has reviewed this verdict. No language model was asked." in words
    review = Review(decision="reject", reason="The header was there <b>all along</b>", reviewer="A. Person", at=AT)
    helped = Assistance(model="model-x", calls=3, tokens_read=1200, proposed=1, unread=("block 7",))
    basis = audit.basis.model_copy(update={"review": review, "assistance": helped})
    words = words_of(drawn(audit.model_copy(update={"basis": basis}), store))
    assert "A. Person looked at it before it became final, 2031-05-06 07:08 UTC, and said reject" in words
    assert "The header was there <b>all along</b>" in words
    assert "The model model-x was asked 3 times" in words
    assert "Not shown to it: block 7" in words
