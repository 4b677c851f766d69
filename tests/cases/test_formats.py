"""Formats that other harnesses write: nothing gets lost, commands are found, and content alone decides."""

import asyncio
import gzip
import json
import zipfile
from pathlib import Path
from time import monotonic
from typing import Any

import pytest

from cases import InputError, Outcome
from cases.errors import CredentialsError
from cases.library import Inputs, Library
from cases.readers import reader_of, readers
from cases.readers.archives import zipfile as zips
from cases.readers.inspect_ai import InspectReader, told_by_api
from cases.readers.inspect_messages import conversation
from tests.cases import samples
from tests.cases.case_files import said
from tests.cases.reading import kinds, only, opened, shell
from tests.cases.samples import HEX, SAMPLES, TALK
from tests.verify.doors import inspect_log


@pytest.mark.parametrize("kind", SAMPLES)
def test_each_format_is_known_by_one_reader_only_whatever_its_name(tmp_path: Path, kind: str) -> None:
    path = SAMPLES[kind](tmp_path)
    first = reader_of(path, readers())
    renamed = path.rename(path.with_name("nothing.bin"))
    assert reader_of(renamed, readers()) is first
    others = [reader for reader in readers() if reader is not first]
    with pytest.raises(InputError):
        reader_of(renamed, others)


def sample_in(path: Path, task: str) -> dict[str, Any]:
    """A sample of a log of Inspect's as it stands there."""
    if path.suffix == ".json":
        [found] = (one for one in json.loads(path.read_text())["samples"] if one["id"] == task)
        return dict(found)
    with zips.ZipFile(path) as archive:
        return dict(json.loads(archive.read(f"samples/{task}_epoch_1.json")))


class TestInspect:
    """Inspect AI logs."""

    @pytest.mark.parametrize("form", [samples.inspect_zip, samples.inspect_json])
    def test_messages_calls_errors_and_attachments(self, tmp_path: Path, form: Any) -> None:
        case, found = only(form(tmp_path / "log", samples.inspect_sample(limit={"type": "message", "limit": 50})))
        run = case.runs[0]
        assert (case.benchmark, case.task_id, case.task.gold) == ("synthetic_ctf", "t1", "flag{x}\nflag{y}")
        assert (run.outcome, run.score, run.answer, run.environment["limit"]) == ("failed", 0.0, "none", "message 50")
        assert kinds(case) == "mmcrm"
        assert run.transcript is not None
        assert run.transcript.blocks[1].text == "Find the flag."
        assert shell(found) == [("ls", "Command timed out", None)]

    def test_a_scorer_that_found_no_answer_tells_that_there_was_none(self, tmp_path: Path) -> None:
        scores = {"match": {"value": "I", "answer": ""}}
        case, _ = only(samples.inspect_json(tmp_path / "log", samples.inspect_sample(scores=scores)))
        assert case.runs[0].answer == ""

    def test_a_log_whose_zip_holds_zstd(self, tmp_path: Path) -> None:
        path = samples.inspect_zip(tmp_path / "log", samples.inspect_sample(), compression=zips.ZIP_ZSTANDARD)
        assert kinds(only(path)[0]) == "mmcrm"

    def test_answers_that_the_message_list_lost_come_from_the_events(self, tmp_path: Path) -> None:
        lost = said("assistant", "Lost answer.")
        events = [
            {"event": "model", "input": TALK[:1], "output": {"choices": [{"message": lost}]}},
            {"event": "model", "input": [*TALK[:1], lost, TALK[2]], "output": {"choices": [{"message": TALK[3]}]}},
        ]
        case, _ = only(samples.inspect_json(tmp_path / "l", samples.inspect_sample(messages=TALK[2:], events=events)))
        transcript = case.runs[0].transcript
        assert transcript is not None
        assert [block.text for block in transcript.blocks] == ["Do it.", "Lost answer.", "Well?", "Done."]
        assert "lacks 1 of 2 answers" in transcript.notes[0]

    @pytest.mark.parametrize("ending", ["eval", "json"])
    def test_inspect_itself_reads_the_logs_that_it_has_written_and_our_own_reader_reads_them_alike(
        self, tmp_path: Path, ending: Any
    ) -> None:
        path = inspect_log(tmp_path / f"2026-01-15_three.{ending}")
        for record in InspectReader().read(path).runs:
            asked = told_by_api(path, ending, record.task_id, 1)
            assert asked
            assert record.load
            assert record.load() == conversation(asked) == conversation(sample_in(path, record.task_id))
        assert told_by_api(path, ending, "no such sample", 1) is None

    def test_inspect_s_reading_leaves_alone_what_a_running_event_loop_is_about_to_do(self, tmp_path: Path) -> None:
        path, done = inspect_log(tmp_path / "2026-01-15_three.eval"), list[str]()

        async def reading() -> None:
            asyncio.get_running_loop().call_soon(done.append, "later")
            assert told_by_api(path, "eval", InspectReader().read(path).runs[0].task_id, 1)
            assert not done

        asyncio.run(reading())
        assert done == ["later"]

    def test_a_log_that_inspect_refuses_is_still_read(self, tmp_path: Path) -> None:
        path = samples.inspect_zip(tmp_path / "log", samples.inspect_sample(events=[{"event": "of tomorrow"}]))
        assert told_by_api(path, "eval", "t1", 1) is None
        assert kinds(only(path)[0]) == "mmcrm"

    def test_messages_that_events_share_are_found_by_their_places(self, tmp_path: Path) -> None:
        events = [
            {"event": "model", "input": [], "input_refs": refs, "output": {"choices": [{"message": answer}]}}
            for refs, answer in (([[0, 1]], TALK[1]), ([[0, 1], [1, 3], ["x"], [-5, 2]], TALK[3]))
        ]
        shared = {"messages": TALK[:3], "calls": []}
        sample = samples.inspect_sample(messages=TALK[3:], events=events, events_data=shared)
        transcript = conversation(sample)
        assert transcript
        assert [block.text for block in transcript.blocks] == [one["content"] for one in TALK]

    def test_events_that_share_messages_without_end_cost_no_more_than_their_size(self) -> None:
        shared = {"messages": [said("user", str(number)) for number in range(2_000)]}
        refs = [[0, 2_000]] * 500
        events = [{"event": "model", "input_refs": refs, "output": {"choices": []}}] * 2_000
        began = monotonic()
        assert conversation(samples.inspect_sample(messages=TALK, events=events, events_data=shared))
        assert monotonic() - began < 20

    @pytest.mark.parametrize(
        ("values", "outcome", "score"),
        [
            (["C"], "passed", 1.0),
            (["P"], "failed", 0.5),
            ([0.375], "unknown", 0.375),
            ([1], "passed", 1.0),
            ([False], "failed", 0.0),
            (["C", "I"], "unknown", 1.0),
            ([{"a": 1}], "unknown", None),
        ],
    )
    def test_grades(self, tmp_path: Path, values: list[Any], outcome: str, score: float | None) -> None:
        scores = {f"s{n}": {"value": value} for n, value in enumerate(values)}
        run = only(samples.inspect_json(tmp_path / "l", samples.inspect_sample(scores=scores)))[0].runs[0]
        assert (run.outcome, run.score) == (outcome, score)

    def test_a_sample_that_crashed_is_neither_passed_nor_failed(self, tmp_path: Path) -> None:
        sample = samples.inspect_sample(error={"message": "boom", "traceback": "…"})
        case, _ = only(samples.inspect_json(tmp_path / "l", sample))
        assert case.runs[0].outcome == "unknown"
        assert kinds(case) == "mmcrmr"


class TestHalZip:
    """Encrypted uploads."""

    def test_the_public_passphrase_opens_it_and_nothing_is_written(self, tmp_path: Path) -> None:
        path = samples.hal_zip(tmp_path / "x.zip")
        before = sorted(tmp_path.iterdir())
        assert kinds(only(path)[0]) == "mmmm"
        assert sorted(tmp_path.iterdir()) == before

    def test_another_passphrase_comes_from_the_environment(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        path = samples.hal_zip(tmp_path / "x.zip", "another")
        with pytest.raises(CredentialsError, match="set VERIFY_HAL_PASSPHRASE"):
            opened(path)
        samples.chat(tmp_path / "c.jsonl")
        assert "passphrase" in str(opened(tmp_path).problems[0])
        monkeypatch.setenv("VERIFY_HAL_PASSPHRASE", "another")
        assert kinds(only(path)[0]) == "mmmm"


def test_openhands_events(tmp_path: Path) -> None:
    case, found = only(samples.openhands(tmp_path / "o"))
    assert kinds(case) == "mmmcrcrr"
    assert shell(found) == [("make", "make: not found", 127)]
    assert [visit.url for visit in found.visits] == ["https://shop.test/"]
    assert case.runs[0].environment["error"] == "RuntimeError: limit"


def test_openhands_pairs_of_an_action_and_its_observation(tmp_path: Path) -> None:
    row = json.loads(samples.openhands(tmp_path / "o").read_text())
    events = row["history"]
    pairs = [[events[1], {}], [events[2], events[3]]]
    case, found = only(samples.openhands(tmp_path / "o", history=pairs, error=None))
    assert kinds(case) == "mmmcr"
    assert shell(found) == [("make", "make: not found", 127)]


def test_a_page_that_the_first_message_of_a_conversation_shows_is_none_of_the_task_s_text(tmp_path: Path) -> None:
    asked = "Now given a task: How much is it?  Please interact with https://shop.example/ and get the answer."
    page = "[1] RootWebArea 'Access Denied'\n[2] StaticText 'https://errors.example.net/18.7'"
    for shown in (f"{asked}\nObservation: please analyze the tree.\n{page}", f"{asked}\n{page}"):
        messages = [{"role": "user", "content": shown}, {"role": "assistant", "content": "No."}]
        path = tmp_path / "talk.jsonl"
        path.write_text(json.dumps({"task_id": "t", "messages": messages}) + "\n")
        case, _ = only(path)
        assert case.task.prompt == asked


def test_swe_agent_steps(tmp_path: Path) -> None:
    case, found = only(samples.swe_agent(tmp_path / "t"))
    assert kinds(case) == "mmmcrmcr"
    assert shell(found) == [("ls", "a.py", None)], "the harness takes what is submitted"
    assert (case.runs[0].answer, case.runs[0].environment["exit_status"]) == ("diff", "submitted")


def test_mini_swe_agent_commands_with_their_return_codes(tmp_path: Path) -> None:
    case, found = only(samples.mini_swe(tmp_path / "t"))
    assert kinds(case) == "mmmcrmm"
    assert [(run.command, run.exit_code) for run in found.commands] == [("pytest -x", 2)]
    assert case.task.prompt == "Fix it."


def test_mini_swe_agent_commands_as_tool_calls(tmp_path: Path) -> None:
    call = {"id": "k", "type": "function", "function": {"name": "bash", "arguments": '{"command": "make"}'}}
    seen = "<returncode>2</returncode>\n<output_head>a</output_head>\n<elided_chars>\n90 characters elided\n"
    messages = [
        {"role": "user", "content": "Fix it."},
        {"role": "assistant", "content": "", "tool_calls": [call], "extra": {"actions": [{"command": "make"}]}},
        {"role": "tool", "tool_call_id": "k", "content": seen, "extra": {"returncode": 2}},
        {"role": "exit", "content": "Submitted"},
    ]
    case, found = only(samples.mini_swe(tmp_path / "t", messages=messages))
    assert kinds(case) == "mcrm"
    assert shell(found) == [("make", seen, 2)]
    assert case.runs[0].transcript is not None
    assert not case.runs[0].transcript.complete


def test_a_harbor_trial_is_one_run_of_trajectory_and_result(tmp_path: Path) -> None:
    (tmp_path / "agent").mkdir()
    samples.harbor_result(tmp_path / "result.json")
    trajectory = samples.atif(tmp_path / "agent" / "trajectory.json")
    for given in (tmp_path, trajectory):
        case, found = only(given)
        run = case.runs[0]
        assert (case.benchmark, case.task_id, len(case.runs)) == ("terminal_bench", "fix-git", 1)
        assert (run.run_id, run.outcome, run.score) == ("fix-git__abc", "failed", 0.0)
        assert kinds(case) == "mmmccrmm"
        assert shell(found) == [("ls\n", "a.py", None)]


def test_browser_use_pages_actions_and_the_judges_word(tmp_path: Path) -> None:
    case, found = only(samples.browser_use(tmp_path / "b"))
    assert kinds(case) == "mmcrcrmr"
    assert ("https://shop.test/a", "net::ERR_NAME_NOT_RESOLVED") in [(v.url, v.error) for v in found.visits]
    assert (case.runs[0].outcome, case.runs[0].answer) == (Outcome.UNKNOWN, "no")
    (claim,) = case.claims
    assert (claim.kind, claim.score) == ("judge", 1.0)
    assert "reached_captcha: True" in claim.text


def test_what_stands_beside_the_ordinary_fields_is_not_lost(tmp_path: Path) -> None:
    step = {"step_id": 1, "source": "agent", "message": "", "notes": "N1", "observation": "O1", "metrics": {"x": 1}}
    more = {"step_id": 2, "source": "agent", "message": "Go.", "observation": {"results": [], "extra": {"why": "E1"}}}
    results = [{"extracted_content": None, "long_term_memory": "captcha page shown", "attachments": ["A1"]}]
    entry = {"model_output": {"action": []}, "result": results, "state": {"url": "https://a.test/"}}
    for path, words in (
        (samples.atif(tmp_path / "a.json", steps=[step, more]), ("N1", "O1", "E1")),
        (samples.whole(tmp_path / "b.json", {"history": [entry]}), ("captcha page shown", "A1")),
        (samples.mini_swe(tmp_path / "m.json", info={"traceback": "T1"}), ("T1",)),
    ):
        transcript = only(path)[0].runs[0].transcript
        assert transcript
        text = "\n".join(block.text for block in transcript.blocks)
        assert [word for word in words if word not in text] == []
        assert "metrics" not in text


def test_an_error_of_the_harness_that_stands_apart_is_what_came_last(tmp_path: Path) -> None:
    raised = {"exception_type": "EnvironmentStartTimeoutError", "exception_message": "No space left on device"}
    samples.harbor_result(tmp_path / "result.json", exception_info=raised)
    transcript = only(samples.atif(tmp_path / "trajectory.json"))[0].runs[0].transcript
    assert transcript
    last = transcript.blocks[-1]
    assert (last.role, last.kind, last.text) == (
        "harness",
        "result",
        "EnvironmentStartTimeoutError\nNo space left on device",
    )


def test_a_chat_log_is_a_run_a_line(tmp_path: Path) -> None:
    library = opened(samples.chat(tmp_path / "talks.jsonl"))
    first, second = (library.case(library.resolve(name)) for name in ("t1", "talks:2"))
    assert (kinds(first), kinds(second)) == ("mmmmcr", "mmmm")


def test_a_bare_list_of_messages_is_one_run(tmp_path: Path) -> None:
    path = samples.bare_chat(tmp_path / "talk.json")
    case, _ = only(path)
    assert (case.task_id, case.task.prompt, kinds(case)) == ("talk", "Do it.", "mmmmcr")
    path.write_text(json.dumps(json.loads(path.read_text()), indent=1))
    packed = tmp_path / "packed.json"
    packed.write_bytes(gzip.compress(path.read_bytes()))
    assert kinds(only(packed)[0]) == "mmmmcr"
    path.write_text(path.read_text()[:-30])
    with pytest.raises(InputError, match=r"talk\.json.*"):
        opened(path)


@pytest.mark.parametrize(
    "text",
    [
        '[{"role": "user"}]',
        '[{"content": "x"}]',
        '[{"name": {"role": 1, "content": 2}}]',
        '[[{"role": "user", "content": "x"}]]',
        '["role", "content"]',
        '[{"role": "user", "content": "x"',
        "[]",
    ],
)
def test_another_list_is_no_conversation(tmp_path: Path, text: str) -> None:
    path = tmp_path / "x.json"
    path.write_text(text)
    with pytest.raises(InputError, match="this looks like a JSON list"):
        reader_of(path, readers())


def test_a_broken_line_costs_only_itself(tmp_path: Path) -> None:
    path = samples.chat(tmp_path / "talks.jsonl")
    good = path.read_text().splitlines()
    path.write_text("\n".join([good[0], '{"messages": [', "[]", good[1]]))
    library = opened(path)
    assert [problem.place for problem in library.problems] == ["line 2", "line 3"]
    assert [task.task_id for task in library.tasks()] == ["t1", "talks:4"]


def test_answers_join_the_run_of_the_same_name(tmp_path: Path) -> None:
    answers = samples.lines(
        tmp_path / "synthetic_run_1_RAW_SUBMISSIONS.jsonl",
        [{"task-1": "20"}, {"task-2": {"answer": ["a", "b"], "metrics": {}}}, {"task-3": "ERROR: Traceback"}],
    )
    log = samples.hal_v2(tmp_path / "synthetic_run_1_UPLOAD.json", TALK)
    library = Library.open(Inputs(runs=(log, answers)), "synthetic_bench")
    runs = {task.task_id: library.case(task).runs for task in library.tasks()}
    assert [len(runs[f"task-{n}"]) for n in (1, 2, 3)] == [1, 1, 1]
    assert (runs["task-1"][0].answer, runs["task-1"][0].outcome) == ("20", "failed")
    assert runs["task-2"][0].answer == '["a", "b"]'
    assert (runs["task-3"][0].answer, runs["task-3"][0].environment["error"]) == (None, "ERROR: Traceback")


@pytest.mark.parametrize(
    ("text", "known"),
    [
        ('{"name": "x"}', False),
        ('{"name": "x"}\n{"name": "y"}', False),
        ('{"a": "x"}\n{"b": "y"}', True),
        (f'{{"{HEX}": "x"}}', True),
        ('{"a": {"answer": null}}', True),
        ('{"a": 1}', False),
    ],
)
def test_a_lone_key_is_an_answer_only_where_it_can_be_a_task(tmp_path: Path, text: str, known: bool) -> None:
    path = tmp_path / "x.json"
    path.write_text(text)
    if known:
        assert reader_of(path, readers()).name == "HAL RAW_SUBMISSIONS jsonl"
    else:
        with pytest.raises(InputError, match="this looks like JSON"):
            reader_of(path, readers())


def test_a_damaged_result_costs_only_the_outcome(tmp_path: Path) -> None:
    (tmp_path / "result.json").write_text('{"trial_name": "x", "task_name"')
    case, _ = only(samples.atif(tmp_path / "trajectory.json"))
    assert (case.runs[0].outcome, kinds(case)) == (Outcome.UNKNOWN, "mmmccrmm")
    assert "is used without it" in str(opened(tmp_path / "trajectory.json").problems[0])


def test_predictions_are_answers_of_assistantbench(tmp_path: Path) -> None:
    path = samples.lines(tmp_path / "p.jsonl", [{"id": HEX, "answer": "20"}, {"id": "", "answer": "x"}])
    library = opened(path)
    (task,) = library.tasks()
    assert (task.benchmark, library.case(task).runs[0].answer) == ("assistantbench", "20")
    assert "the id is missing" in str(library.problems[0])


def test_a_zip_that_unpacks_beyond_measure_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "bomb.eval"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("header.json", json.dumps({"eval": samples.INSPECT_EVAL}))
        archive.writestr("samples/1_epoch_1.json", b'{"id": "' + b" " * 80_000_000 + b'"}')
    with pytest.raises(InputError, match="unpacks to more than"):
        opened(path)
