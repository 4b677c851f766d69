"""What a record answers by itself."""

import pytest

from cases import Citation, Claim, Task
from probes import (
    Answer,
    Barrier,
    Question,
)
from probes.transcript import TranscriptProbe
from tests.probes.recording import Record, context_of


async def ask(hypothesis, case, record, tmp_path):
    found = await TranscriptProbe()(hypothesis, context_of(record, case, tmp_path))
    return {finding.question: finding for finding in found}


@pytest.mark.parametrize(("place", "answer"), [("../results", Answer.YES), ("/results/a.txt", None)])
async def test_writing_elsewhere_passes_nothing_where_the_task_demands_the_place(tmp_path, place, answer):
    record = Record()
    record.said(f"Save the number to {place}.", "user")
    record.ran("mkdir /results", "mkdir: cannot create directory ‘/results’: Permission denied", 1)
    record.ran("mkdir ./results && touch ./results/a.txt", "", 0)
    found = await ask(record.hypothesis(Barrier.PERMISSION, paths=("/results",)), record.case(), record, tmp_path)
    passable = found.get(Question.PASSABLE)
    assert (passable.answer if passable else None) is answer


@pytest.mark.parametrize(
    ("barrier", "targets", "failing", "passing"),
    [
        (
            Barrier.MODULE,
            {"modules": ("maps",)},
            ("import maps", "No module named 'maps'", 1),
            ("pip install maps", "Successfully installed maps", 0),
        ),
        (
            Barrier.MODULE,
            {"modules": ("maps",)},
            ("import maps", "No module named 'maps'", 1),
            ("import maps\nmaps.go()", "ValueError: key", 1),
        ),
        (
            Barrier.COMMAND,
            {"programs": ("jupyter",)},
            ("jupyter x", "sh: 1: jupyter: not found", 127),
            ("jupyter --version", "5.0", 0),
        ),
        (
            Barrier.PERMISSION,
            {"paths": ("../results",)},
            ("mkdir ../results", "Permission denied", 1),
            ("mkdir results", "", 0),
        ),
        (
            Barrier.PERMISSION,
            {"paths": ("/results",)},
            ("mkdir /results", "Permission denied", 1),
            ("mkdir ./results && ls results | wc -l", "0", 0),
        ),
        (
            Barrier.HEADER,
            {"headers": ("x.h",), "commands": ("make",)},
            ("make", "x.h: No such file", 2),
            ("make", "done", 0),
        ),
        (
            Barrier.PIP,
            {"packages": ("numpy==1.19.5",)},
            ("pip install numpy==1.19.5", "No matching distribution", 1),
            ("pip install numpy", "Successfully installed", 0),
        ),
        (
            Barrier.REFUSED,
            {"hosts": ("geo.example",)},
            ("get https://geo.example/", "403", 1),
            ("get https://geo.example/q", "50.94 6.83", 0),
        ),
        (Barrier.HARNESS, {}, ("x", "regex pattern", None), ("ls", "a.txt", 0)),
    ],
)
async def test_a_barrier_passed_later_in_the_run_is_passable(barrier, targets, failing, passing, tmp_path):
    record = Record()
    record.ran(*failing, kind="python" if failing[0].startswith("import") else "shell")
    record.ran(*passing, kind="python" if passing[0].startswith("import") else "shell")
    findings = await ask(record.hypothesis(barrier, **targets), record.case(), record, tmp_path)
    assert findings[Question.PASSABLE].valid_answer is Answer.YES
    assert findings[Question.PASSABLE].citations
    assert findings[Question.PASSABLE].routes[0].note


@pytest.mark.parametrize(
    ("barrier", "targets", "failing", "other"),
    [
        (
            Barrier.MODULE,
            {"modules": ("maps",)},
            ("import maps", "No module named 'maps'", 1),
            ("pip install maps", "ERROR: No matching distribution found for maps", 1),
        ),
        (
            Barrier.MODULE,
            {"modules": ("maps",)},
            ("import maps", "No module named 'maps'", 1),
            ("pip install mapserver", "Successfully installed", 0),
        ),
        (
            Barrier.COMMAND,
            {"programs": ("jupyter",)},
            ("jupyter x", "sh: 1: jupyter: not found", 127),
            ("echo jupyter", "jupyter", 0),
        ),
        (
            Barrier.PERMISSION,
            {"paths": ("../results",)},
            ("mkdir ../results", "Permission denied", 1),
            ("ls results", "", 0),
        ),
        (
            Barrier.PERMISSION,
            {"paths": ("/results",)},
            ("mkdir /results", "Permission denied", 1),
            ("mkdir -p /results", "", 0),
        ),
        (
            Barrier.REFUSED,
            {"hosts": ("geo.example",)},
            ("get https://geo.example/", "403", 1),
            ("get https://geo.example/q", "None", 0),
        ),
        (
            Barrier.REFUSED,
            {"hosts": ("geo.example",)},
            ("get https://geo.example/", "403", 1),
            ("get https://other.example/", "50.94", 0),
        ),
    ],
)
async def test_what_only_looks_like_a_passage_is_none(barrier, targets, failing, other, tmp_path):
    record = Record()
    record.ran(*failing, kind="python" if failing[0].startswith("import") else "shell")
    record.ran(*other)
    findings = await ask(record.hypothesis(barrier, **targets), record.case(), record, tmp_path)
    assert Question.PASSABLE not in findings


async def test_an_import_ban_is_passed_by_the_shell_tool_of_the_same_run(tmp_path):
    record = Record()
    record.ran("import pandas", "Import of pandas is not allowed.", None, kind="python")
    record.ran("ls", "a.csv", 0)
    findings = await ask(record.hypothesis(Barrier.IMPORT_BAN, modules=("pandas",)), record.case(), record, tmp_path)
    assert findings[Question.PASSABLE].answer is Answer.YES
    assert findings[Question.PASSABLE].tier == "T1"


async def test_a_placeholder_is_the_agents_own_doing(tmp_path):
    record = Record()
    record.ran("client(key='YOUR_API_KEY')", "Invalid API key provided", 1, kind="python")
    findings = await ask(record.hypothesis(Barrier.LOGIN), record.case(), record, tmp_path)
    assert findings[Question.CAUSED].answer is Answer.NO
    assert findings[Question.CAUSED].citations[0].quote == "YOUR_API_KEY"


async def test_gold_in_a_tools_output_means_that_nothing_was_hidden(tmp_path):
    record = Record()
    record.ran("make", "fatal error: x.h: No such file", 2)
    record.ran("cat notes", "the winner is Adrenalinpark Köln", 0)
    case = record.case(task=Task(prompt="Which?", gold="Adrenalinpark Köln"))
    findings = await ask(record.hypothesis(Barrier.HEADER, headers=("x.h",)), case, record, tmp_path)
    assert findings[Question.CAUSED].answer is Answer.NO


@pytest.mark.parametrize(
    ("barrier", "expected"),
    [(Barrier.HEADER, Answer.NO), (Barrier.BOT_WALL, Answer.NO), (Barrier.WRONG_GOLD, None), (Barrier.AMBIGUOUS, None)],
)
async def test_a_run_that_gave_the_expected_answer_was_not_stopped_on_the_way_to_it(barrier, expected, tmp_path):
    record = Record()
    record.ran("make", "fatal error: x.h: No such file", 2)
    for gold, answer in (("48213", "48,213"), ("Adrenalinpark Köln", "adrenalinpark köln")):
        case = record.case(task=Task(prompt="Which?", gold=gold), answer=answer)
        caused = (await ask(record.hypothesis(barrier, headers=("x.h",)), case, record, tmp_path))[Question.CAUSED]
        assert (caused.answer is Answer.NO) == (expected is Answer.NO)


async def test_what_the_agent_did_itself_stands_beside_the_answer_without_changing_it(tmp_path):
    record = Record()
    record.ran("make", "fatal error: x.h: No such file", 2)
    record.said("I was unable to build it.")
    case = record.case(task=Task(prompt="Run `make`."))
    findings = await ask(record.hypothesis(Barrier.HEADER, headers=("x.h",)), case, record, tmp_path)
    caused = findings[Question.CAUSED]
    assert caused.valid_answer is Answer.YES
    assert [observation.name for observation in caused.observations] == ["agent error: gave_up"]


async def test_a_short_gold_or_one_from_the_prompt_proves_nothing(tmp_path):
    record = Record()
    record.ran("make", "fatal error: x.h: No such file", 2)
    record.ran("ls", "20 Köln", 0)
    for gold, prompt in (("20", "How many?"), ("Köln", "What is in Köln?")):
        case = record.case(task=Task(prompt=prompt, gold=gold))
        findings = await ask(record.hypothesis(Barrier.HEADER, headers=("x.h",)), case, record, tmp_path)
        assert findings[Question.CAUSED].answer is not Answer.NO


@pytest.mark.parametrize("last", ["I cannot build it without the header.", "Die Antwort ist 42.", ""])
async def test_what_the_task_asks_for_and_never_worked_stopped_it_whatever_the_run_said(last, tmp_path):
    record = Record()
    record.ran("make", "fatal error: x.h: No such file", 2)
    record.ran("sudo apt-get install -y libx-dev", "sudo: not found", 127)
    record.ran("pip install x", "Temporary failure in name resolution", 1)
    record.ran("python3 guess.py", "42", 0)
    record.said(last)
    hypothesis = record.hypothesis(Barrier.HEADER, headers=("x.h",))
    asked = Task(prompt="Run `make` and tell what it prints.")
    findings = await ask(hypothesis, record.case(task=asked, answer="42"), record, tmp_path)
    assert findings[Question.CAUSED].valid_answer is Answer.YES
    unasked = await ask(hypothesis, record.case(task=Task(prompt="Count the lines.")), record, tmp_path)
    assert unasked[Question.CAUSED].answer is Answer.UNKNOWN


@pytest.mark.parametrize(
    ("prompt", "answer"),
    [
        ("parse() is wrong for days. Edit the source so that this is resolved.", "unknown"),
        ("parse() is wrong for days. Mend it and hand in what `cargo build` makes.", "yes"),
        ("parse() is wrong for days. Mend it, with Cargo.", "yes"),
    ],
)
async def test_a_program_that_only_the_tasks_files_name_may_not_be_needed(tmp_path, prompt, answer):
    record = Record()
    record.ran("cat README.md", "# durparse\n\nRun the tests with `cargo`:\n\n    cargo test\n", 0)
    record.ran("cargo build", "bash: line 1: cargo: command not found", 127)
    record.said("There is no Rust here.")
    hypothesis = record.hypothesis(Barrier.COMMAND, event=1, programs=("cargo",))
    findings = await ask(hypothesis, record.case(task=Task(prompt=prompt)), record, tmp_path)
    assert findings[Question.CAUSED].answer == answer, findings[Question.CAUSED].summary


async def test_what_worked_later_need_not_have_stopped_it(tmp_path):
    record = Record()
    record.ran("make", "fatal error: x.h: No such file", 2)
    record.ran("make", "built", 0)
    record.said("I cannot do it.")
    asked = record.case(task=Task(prompt="Run `make`."))
    findings = await ask(record.hypothesis(Barrier.HEADER, headers=("x.h",)), asked, record, tmp_path)
    assert findings[Question.CAUSED].answer is Answer.UNKNOWN


@pytest.mark.parametrize(
    ("command", "output", "code", "prompt", "answer"),
    [
        ("./configure", "t.c:1: fatal error: x.h: No such file or directory\nwithout x\nfeatures 3", 0, "", "unknown"),
        ("jq .a d.json", "bash: line 1: jq: command not found", 127, "How long is .a in d.json?", "unknown"),
        ("jq .a d.json", "bash: line 1: jq: command not found", 127, "Ask jq how long .a is.", "yes"),
        ("jq .a d.json", "bash: line 1: jq: command not found", 127, "Tell .a (for example with jq).", "unknown"),
        ("jq .a d.json", "bash: line 1: jq: command not found", 127, "Tell .a. Do not use jq.", "unknown"),
        ("./run.sh", "./run.sh: line 2: jq: command not found", 127, "Run run.sh.", "yes"),
        (
            "echo jq > own.sh && sh own.sh",
            "own.sh: 1: jq: not found",
            127,
            "Tell the length. I trust own.sh.",
            "unknown",
        ),
        ("python3 -c 'import yaml'", "ModuleNotFoundError: No module named 'yaml'", 1, "Read it with PyYAML.", "yes"),
        ("gcc z.c -lx -o z && ./z", "z.c:1:1: fatal error: x.h: No such file or directory", 1, "Compile z.c.", "yes"),
    ],
)
async def test_what_went_on_without_or_was_the_agents_own_choice_need_not_have_stopped_it(
    command, output, code, prompt, answer, tmp_path
):
    record = Record()
    record.ran(command, output, code)
    record.said("I was unable to tell.")
    kind, targets = (
        (Barrier.COMMAND, {"programs": ("jq",)}) if "jq" in output else (Barrier.HEADER, {"headers": ("x.h",)})
    )
    case = record.case(task=Task(prompt=prompt))
    findings = await ask(record.hypothesis(kind, **targets), case, record, tmp_path)
    assert findings[Question.CAUSED].answer.value == answer, findings[Question.CAUSED]


async def test_a_claim_whose_quotations_a_complete_record_lacks_is_refuted(tmp_path):
    record = Record()
    record.ran("ls", "a.txt", 0)
    claim = Claim(
        claim_id="claim:c:1",
        source="c.csv:1",
        kind="rubric",
        score=1,
        text='evidence: "CondaToSNonInteractiveError: Terms of Service"',
    )
    citation = Citation(run_id="claim:c:1", block=0, start=0, end=8, quote="evidence")
    hypothesis = record.hypothesis(Barrier.CONDA_TOS, event=None).model_copy(
        update={"citations": (citation,), "proposer": "claim", "run_id": None}
    )
    case = record.case(claims=(claim,))
    findings = await ask(hypothesis, case, record, tmp_path)
    assert findings[Question.CAUSED].answer is Answer.NO
    kept = await ask(hypothesis, record.case(claims=(claim,), complete=False), record, tmp_path)
    assert kept[Question.CAUSED].answer is not Answer.NO


async def test_a_quotation_that_does_not_hold_makes_every_answer_unknown(tmp_path):
    record = Record()
    record.ran("make", "fatal error: x.h: No such file", 2)
    record.ran("make", "done", 0)
    hypothesis = record.hypothesis(Barrier.HEADER, quote="invented", headers=("x.h",), commands=("make",))
    findings = await ask(hypothesis, record.case(), record, tmp_path)
    assert all(finding.valid_answer is Answer.UNKNOWN for finding in findings.values())
