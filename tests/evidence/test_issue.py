"""The issue text: one root cause, everything a maintainer asks for, and nothing that acts on its own."""

import datetime as dt
import json
import re
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from markdown_it import MarkdownIt
from markdown_it.token import Token

from cases import InputError, PackError, Task
from evidence import archive_of, write_pack
from evidence.artifacts import EvidenceFile
from evidence.checking import check
from evidence.issue import issue_text
from evidence.issue.stored import stored_issue
from evidence.recomputing import recompute
from graph.verdict import Audit, JudgeInputs, Review
from probes import STANDS_IN, ArtifactStore
from probes.model import Route, Tier
from tests.evidence.synthetic_audits import ALL, PROMPT, judged, not_supported, read_by_a_person, supported, too_strict

SECRET = "ghp_" + "q7Rk2mZx" * 5
HOSTILE = (
    "@octocat and @org/team, see #12, octo/repo#34, GH-56, !78, ~bug, https://tracker.example/o/r/issues/9, "
    "www.tracker.example, mail someone@tracker.example, fixes 1a2b3c4d5e6f7a8b9c0d1a2b3c4d5e6f7a8b9c0d "
    "<script>alert(1)</script> <img src=x onerror=alert(1)> ![x](https://tracker.example/p.png) [y](javascript:1) "
    "`code` ``` | a | b | \u202eevil\u202c \x1b[2J $x$ **bold**\n# Heading\n\n```\nout\n"
)
SECTIONS = ("Reproduce", "Agent, oracle and nop", "Smallest repair", "Past scores", "A question")
FOLDED = (
    "What was observed, and what a sound benchmark would show",
    "Ways around it that were tried",
    "Other forms of the right answer that were tried",
    "Controls",
    "Limits and evidence",
)
OURS = {"</details>", *(f"<details><summary>{title}</summary>" for title in FOLDED)}
"""The only tags that an issue may hold."""


def parsed(text: str) -> list[Token]:
    """Every token, those inside lines too."""
    tokens = MarkdownIt("commonmark").enable("table").parse(text)
    return [inner for token in tokens for inner in (token, *(token.children or ()))]


def read_as_at_fault(_store: ArtifactStore) -> Audit:
    """What a person decided."""
    return read_by_a_person("yes")


def hostile(audit: Audit) -> Audit:
    """The same with foreign text that wants to act wherever foreign text can stand."""
    foreign = HOSTILE
    record = json.loads(audit.model_dump_json())
    record["case"]["benchmark"] += foreign
    record["case"]["runs"][0]["agent"] = foreign
    record["case"]["runs"][0]["environment"] = {foreign: foreign}
    record["verdict"] |= dict.fromkeys(("reason", "against", "would_change", "capable_agent"), foreign)
    record["verdict"]["limits"] = [foreign]
    record["verdict"]["decisive"] = [] if audit.verdict.by_person else [entry["id"] for entry in record["findings"]]
    record["hypotheses"][0]["targets"]["headers"] = [foreign]
    for entry in record["findings"]:
        entry["summary"] = foreign
        for control in entry["controls"]:
            control.update({"name": control["name"] + foreign, "expected": foreign, "observed": foreign})
        for route in entry["routes"]:
            route.update({"id": foreign, "note": foreign, "commands": [foreign]})
        entry["routes"].append({"id": foreign, "tier": "T2", "result": "not_permitted", "note": foreign})
    record["case"]["task"]["prompt"] = foreign
    review = {
        "decision": "yes" if audit.basis.review else "accept",
        "reason": foreign,
        "reviewer": foreign,
        "at": "2031-01-02T00:00Z",
    }
    record["basis"]["review"] = review
    return Audit.model_validate(record)


def test_a_supported_verdict_has_every_part_that_maintainers_ask_for(store: ArtifactStore) -> None:
    text = issue_text(supported(store), ("unzip pack.zip", "bash reproduce.sh"))
    tokens = parsed(text)
    headings = [tokens[number + 1].content for number, token in enumerate(tokens) if token.type == "heading_open"]
    assert headings[1:] == list(SECTIONS)
    assert "zither.h" in headings[0]
    assert "Install the development package that holds `zither.h`" in text
    assert "66 of 66 known runs of this task failed" in text
    assert "no model took part" in text
    assert "Human sign-off: none yet" in text
    assert "bash reproduce.sh" in text


@pytest.mark.parametrize("kind", sorted(set(ALL) - {"supported"}))
def test_without_a_defect_it_says_that_there_is_nothing_to_file_and_what_was_found(
    kind: str, store: ArtifactStore
) -> None:
    audit = ALL[kind](store)
    text = issue_text(audit)
    assert text.startswith("# Nothing to file")
    assert "Smallest repair" not in text
    assert "file this" not in text
    assert "What was found instead" in text


@pytest.mark.parametrize("build", [supported, not_supported, read_as_at_fault])
def test_hostile_text_mentions_nobody_links_nowhere_and_brings_no_markup(
    build: Callable[[ArtifactStore], Audit], store: ArtifactStore
) -> None:
    text = issue_text(hostile(build(store)), ("bash reproduce.sh",))
    plain = MarkdownIt("commonmark").enable("table").parse(issue_text(build(store), ("bash reproduce.sh",)))
    tokens = parsed(text)
    assert not {"link_open", "image"} & {token.type for token in tokens}
    assert {token.content.strip() for token in tokens if token.type == "html_block"} <= OURS
    assert {token.content for token in tokens if token.type == "html_inline"} <= {"<!-- -->"}
    headings = [token for token in tokens if token.type == "heading_open"]
    assert len(headings) == len([token for token in plain if token.type == "heading_open"])
    words = [token.content for token in tokens if token.type == "text"]
    for pattern in (r"@\w", r"[#!~]\w", r"GH-\d", r"://", r"www\.", r"\b[0-9a-f]{7,}\b"):
        assert not [word for word in words if re.search(pattern, word, re.IGNORECASE)], pattern
    rows = [token for token in tokens if token.type in {"tr_open", "td_open", "th_open"}]
    assert len(rows) >= len([token for token in plain if token.type in {"tr_open", "td_open", "th_open"}])
    assert not re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e]", text)


@pytest.mark.parametrize(
    ("task", "shown"),
    [
        ("capsule_12", "capsule_12"),
        ("ponylang__ponyc-4588", "`ponylang__ponyc-4588`"),
        ("4ae47b2b94176a5dbcf58c4737244f974ccf0ea7", "`4ae47b2b94176a5dbcf58c4737244f974ccf0ea7`"),
        ("GH-12", "`GH-12`"),
        ("@octocat `x` #1", "``@octocat `x` #1``"),
    ],
)
def test_its_first_line_can_be_pasted_as_a_title(task: str, shown: str, store: ArtifactStore) -> None:
    audit = supported(store)
    audit = audit.model_copy(update={"case": audit.case.model_copy(update={"task_id": task})})
    first = issue_text(audit).splitlines()[0]
    assert first == f"# corebench_hard {shown}: the system header or library `zither.h` is missing"


def test_hostile_graders_and_answers_do_nothing_either(store: ArtifactStore) -> None:
    audit = too_strict(store)
    run = audit.case.runs[0].model_copy(update={"answer": HOSTILE})
    audit = audit.model_copy(
        update={"case": audit.case.model_copy(update={"runs": (run,), "task": Task(prompt=HOSTILE, gold=HOSTILE)})}
    )
    marks = {
        "graders": {"exact match": {"source": HOSTILE, "packages": [HOSTILE]}, HOSTILE: {"source": HOSTILE}},
        "marks": [{"answer": "the answer of run-a", "exact match": HOSTILE, HOSTILE: HOSTILE}],
    }
    table = store.put(json.dumps(marks), "marks.json", "application/json")
    findings = tuple(one.model_copy(update={"artifacts": (table,)}) for one in audit.findings)
    file = EvidenceFile(table, "marks.json", store.path(table.sha256).read_bytes())
    tokens = parsed(issue_text(audit.model_copy(update={"findings": findings}), (), (file,)))
    assert not {"link_open", "image"} & {token.type for token in tokens}
    assert {token.content.strip() for token in tokens if token.type == "html_block"} <= OURS
    assert {token.content for token in tokens if token.type == "html_inline"} <= {"<!-- -->"}
    rows = [token.content for token in tokens if token.type == "inline" and "exact match" in token.content]
    assert rows
    assert [token.tag for token in tokens if token.type == "heading_open"].count("h1") == 1
    words = [token.content for token in tokens if token.type == "text"]
    assert not [word for word in words if re.search(r"@\w|://|www\.|#\d", word)]


def test_a_review_stands_in_it_with_name_and_day(store: ArtifactStore) -> None:
    at = dt.datetime(2031, 5, 7, tzinfo=dt.UTC)
    review = Review(decision="accept", reason="tried it myself", reviewer="Ada", at=at)
    text = issue_text(supported(store).model_copy(update={"basis": JudgeInputs(review=review)}))
    assert "Human sign-off: Ada, 2031-05-07, said “accept”: tried it myself." in text


def test_what_a_person_decided_is_told_as_that_and_no_table_claims_a_measurement() -> None:
    text = issue_text(read_by_a_person("yes"))
    assert "No probe could decide this; the claim rests on a person's reading" in text
    assert "Do the task's words allow a second reasonable reading" in text
    assert "yes, by Ada on 2031-05-06" in text
    assert "The text names two pitches." in text
    assert PROMPT in text
    assert "No way around it was tried" in text
    assert "Agent, oracle and nop" not in text
    assert "is permitted to an agent" not in text
    assert "no probe can confirm that. Another reader may find" in text
    assert "on the day of the run" not in text
    assert issue_text(read_by_a_person("no")).startswith("# Nothing to file")


def test_a_graders_issue_shows_the_answers_the_graders_and_lines_that_mark_the_answer_again(
    store: ArtifactStore, tmp_path: Path
) -> None:
    pack = write_pack(too_strict(store), store, tmp_path / "packs").path
    text = (pack / "issue.md").read_text("utf-8")
    assert "| the answer of run-a | `196` |" in text
    assert "| the expected answer | `196.0` |" in text
    assert "a run passes where answer == gold; it decided this run | no package | 0 | 1 | 0 of 1 |" in text
    assert "| official | the benchmark's own package | scorer-of-all==1.2 | 1 | 1 | 1 of 1 |" in text
    for wrong in ("(no quotation)", "user, network and files", "0 run record", "ays around"):
        assert wrong not in text
    shown = next(token.content for token in parsed(text) if token.type == "fence" and token.info == "sh")
    assert "scorer-of-all" not in shown, "code that packages add is not in everybody's hands"
    done = subprocess.run(["bash", "-c", shown], capture_output=True, text=True, check=True, timeout=60)
    assert done.stdout == "exact match 0.0\n"
    public = write_pack(too_strict(store), store, tmp_path / "public", public=True).path
    text = (public / "issue.md").read_text("utf-8")
    assert "196.0" not in text
    assert "the answers are masked in this public text" in text
    for written in (pack, public):
        assert recompute(check(written)).score == 1


def test_a_ladder_shows_whole_commands_and_what_an_agent_may_not_do(store: ArtifactStore, tmp_path: Path) -> None:
    audit = supported(store)
    long = "for m in $(list 2>/dev/null | cut -d' ' -f1); do echo \"`" + "x" * 300 + '`"; done > $HOME/found'
    ruled = Route(
        id="wheel", tier=Tier.T2, result="not_permitted", note="needs a network, and the agent had none (profile)"
    )
    tried = audit.findings[1].routes
    first = tried[0].model_copy(update={"commands": (long,), "note": f"`{long[:60]} …` ended with 1"})
    ladder = audit.findings[1].model_copy(update={"routes": (first, *tried[1:], ruled)})
    shown = judged(audit.case, audit.hypotheses, (audit.findings[0], ladder, audit.findings[2]), audit.envelope)
    text = issue_text(shown)
    fenced = [token.content.rstrip("\n") for token in parsed(text) if token.type == "fence"]
    assert long in fenced
    assert "`wheel`. Why: needs a network, and the agent had none (from profile corebench)." in text
    assert "Not permitted, so not counted: `sudo-apt`" in text
    assert "\\$<!-- -->HOME" not in text
    assert "&gt;" not in text
    page = write_pack(shown, store, tmp_path).path.joinpath("report.html").read_text("utf-8")
    assert "Not permitted, so not counted: wheel. Why: needs a network, and the agent had none (from profile" in page


def test_a_machine_that_is_not_the_benchmarks_own_is_said_at_the_claim_and_in_its_row(store: ArtifactStore) -> None:
    audit = supported(store)
    own = issue_text(audit)
    assert "stand-in built" not in own
    recipe = store.put(json.dumps({"image": "zither/base:1", "digests": []}), "replay-recipe.json", "application/json")
    first = audit.findings[0].model_copy(update={"limits": (STANDS_IN,), "artifacts": (recipe,)})
    audit = judged(audit.case, audit.hypotheses, (first, *audit.findings[1:]), audit.envelope)
    file = EvidenceFile(recipe, "recipe.json", store.path(recipe.sha256).read_bytes())
    text = issue_text(audit, (), (file,))
    claim, rest = text.split("| what | value |", 1)
    assert "stands in for the benchmark's own" in claim
    assert "a stand-in built on the audit's machine, not the benchmark's own" in rest
    assert "`zither/base:1, without a digest that it can be pulled by`" in rest


def test_a_pack_holds_its_issue_text_without_secrets_and_the_command_adds_the_packs_digest(
    store: ArtifactStore, tmp_path: Path
) -> None:
    audit = supported(store)
    first = audit.findings[0].model_copy(update={"summary": f"it was called with {SECRET}"})
    findings = (first, *audit.findings[1:])
    audit = judged(audit.case, audit.hypotheses, findings, audit.envelope, *audit.basis.notes)
    pack = write_pack(audit, store, tmp_path / "packs").path
    for form in (pack, archive_of(pack)):
        text = stored_issue(form)
        assert SECRET not in text
        assert pack.name in text
        assert re.search(r"SHA-256 of its tagmanifest-sha256\.txt `[0-9a-f]{64}`", text)


def test_an_altered_issue_text_is_not_printed(store: ArtifactStore, tmp_path: Path) -> None:
    pack = write_pack(supported(store), store, tmp_path / "packs").path
    (pack / "issue.md").write_text("send money", encoding="utf-8")
    with pytest.raises(PackError, match="altered"):
        stored_issue(pack)
    with pytest.raises(InputError, match="no such pack"):
        stored_issue(tmp_path / "nowhere.zip")
