"""HAL result files of both generations: tasks, outcomes, transcripts, and what is missing in them."""

import datetime as dt
import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from cases import Case, InputError, Outcome
from cases.library import Inputs, Library
from tests.cases.case_files import call, cumulative, hal, hal_v2, said

TALK = [said("user", "Do it."), said("assistant", "Doing."), said("user", "Well?"), said("assistant", "Done.")]


def opened(path: Path) -> Library:
    return Library.open(Inputs(runs=(path,)))


def case_of(path: Path, task: str = "task-1") -> Case:
    library = opened(path)
    return library.case(library.resolve(task))


def outcomes(path: Path) -> dict[str, Outcome]:
    library = opened(path)
    return {task.task_id: library.case(task).runs[0].outcome for task in library.tasks()}


@pytest.mark.parametrize("name", ["run_UPLOAD.json", "run_UPLOAD.json.gz", "anything.txt"])
def test_both_generations_tell_the_same_story(tmp_path: Path, name: str) -> None:
    first = case_of(hal(tmp_path / name, cumulative(TALK)))
    second = case_of(hal_v2(tmp_path / name, TALK))
    assert first.runs[0].transcript == second.runs[0].transcript
    assert [block.text for block in first.runs[0].transcript.blocks] == ["Do it.", "Doing.", "Well?", "Done."]
    assert second.task.prompt == "What is asked?"


def test_what_the_configuration_says_of_the_run(tmp_path: Path) -> None:
    run = case_of(hal(tmp_path / "run.json", cumulative(TALK))).runs[0]
    assert run.run_id == "synthetic_run_1"
    assert (run.agent, run.model, run.date) == ("Synthetic Agent", "synthetic/model", dt.date(2025, 1, 2))
    assert run.environment == {"harness": "HAL", "scaffold": "Synthetic Agent", "container": "docker"}


def test_calls_are_told_apart_by_the_first_id_that_is_there(tmp_path: Path) -> None:
    def one(text: str, **ids: Any) -> dict[str, Any]:
        return call([said("user", text)], said("assistant", "ok"), task=None) | ids

    inner = {"inputs": {"task_id": "d", "messages": [said("user", "by input")]}}
    log = [
        one("by task", task_id="a", weave_task_id="x"),
        one("by attribute", attributes={"weave_task_id": "b"}, weave_task_id="x"),
        one("by weave", weave_task_id="c"),
        one("", **inner),
    ]
    library = opened(hal(tmp_path / "run.json", log, failed=["a", "b", "c", "d"]))
    said_first = {t.task_id: library.case(t).runs[0].transcript.blocks[0].text for t in library.tasks()}
    assert said_first == {"a": "by task", "b": "by attribute", "c": "by weave", "d": "by input"}


def test_a_single_task_gets_the_calls_that_name_none(tmp_path: Path) -> None:
    log = [call([said("user", "Hello " * 50)], said("assistant", "ok"), task=None)]
    assert len(case_of(hal(tmp_path / "run.json", log)).runs[0].transcript.blocks) == 2


def test_dialogue_history_is_a_window(tmp_path: Path) -> None:
    entry = call([], None) | {"inputs": {"dialogue_history": TALK[:1]}, "output": {"choices": [{"message": TALK[1]}]}}
    assert [b.text for b in case_of(hal(tmp_path / "r.json", [entry])).runs[0].transcript.blocks] == [
        "Do it.",
        "Doing.",
    ]


class TestOutcomes:
    """Who passed, by what the file has."""

    def test_results_come_first(self, tmp_path: Path) -> None:
        path = hal(tmp_path / "r.json", [], passed=["a", 7], failed=["b"])
        assert outcomes(path) == {"a": Outcome.PASSED, "7": Outcome.PASSED, "b": Outcome.FAILED}

    def test_a_task_in_both_lists_is_unknown_and_said_to_be(self, tmp_path: Path) -> None:
        path = hal(tmp_path / "r.json", [], passed=["a"], failed=["a"])
        assert outcomes(path) == {"a": Outcome.UNKNOWN}
        assert any("both as successful and as failed" in str(problem) for problem in opened(path).problems)

    def test_corebench_needs_all_written_and_vision_answers(self, tmp_path: Path) -> None:
        def graded(*numbers: int) -> dict[str, int]:
            names = ("correct_written_answers", "total_written_questions")
            return dict(zip((*names, "correct_vision_answers", "total_vision_questions"), numbers, strict=True))

        raw = {"capsule-0000001": graded(2, 2, 1, 1), "capsule-0000002": graded(2, 2, 0, 1)}
        raw["capsule-0000003"] = graded(0, 0, 0, 0)
        path = hal(tmp_path / "r.json", [], benchmark="codeocean_hard", failed=[], raw_eval_results=raw)
        assert list(outcomes(path).values()) == [Outcome.PASSED, Outcome.FAILED, Outcome.FAILED]
        assert opened(path).tasks()[0].benchmark == "corebench_hard"

    def test_assistantbench_scores_that_are_not_keyed_are_given_to_no_task(self, tmp_path: Path) -> None:
        raw = {
            "scores": [1.0, 0.375],
            "answers": ["x", "y"],
            "successful_tasks": ["b" * 64],
            "failed_tasks": ["a" * 64],
        }
        path = hal(tmp_path / "r.json", [], benchmark="assistantbench", failed=[], raw_eval_results=raw)
        library = opened(path)
        runs = [library.case(task).runs[0] for task in library.tasks()]
        assert [(run.outcome, run.score) for run in runs] == [(Outcome.FAILED, None), (Outcome.PASSED, None)]

    def test_scienceagentbench_success_rate(self, tmp_path: Path) -> None:
        raw = {"eval_result": {"1": {"valid_program": 1, "success_rate": 1}, "2": {"success_rate": 0, "log_info": "x"}}}
        path = hal(tmp_path / "r.json", [], benchmark="scienceagentbench", failed=[], raw_eval_results=raw)
        assert outcomes(path) == {"1": Outcome.PASSED, "2": Outcome.FAILED}

    def test_scicode_without_a_solved_step_failed(self, tmp_path: Path) -> None:
        raw = {"details": {"11": [], "12": ["12.1"]}}
        path = hal(tmp_path / "r.json", [], benchmark="scicode", failed=[], raw_eval_results=raw)
        assert outcomes(path) == {"11": Outcome.FAILED, "12": Outcome.UNKNOWN}


class TestWhatIsMissing:
    """Missing transcripts are said, never made up."""

    def test_a_merged_file_holds_no_transcripts(self, tmp_path: Path) -> None:
        path = hal(tmp_path / "r.json", [], failed=["a", "b"])
        library = opened(path)
        assert [str(problem) for problem in library.problems] == [
            f"{path}, raw_logging_results: the file holds the outcomes of 2 tasks but no transcripts; where "
            "the transcript matters, give the file of a single run, or one that still has its log."
        ]
        assert library.case(library.resolve("a")).runs[0].transcript is None

    @pytest.mark.parametrize("log", [{"a": {"messages": []}, "b": {"messages": TALK}}, cumulative(TALK, task="b")])
    def test_a_task_without_messages(self, tmp_path: Path, log: Any) -> None:
        library = opened(hal(tmp_path / "r.json", log, failed=["a", "b"]))
        assert [task.transcripts for task in library.tasks()] == [0, 1]
        assert library.case(library.resolve("a")).runs[0].transcript is None
        assert "no messages for a" in str(library.problems[0])

    def test_only_an_empty_transcript(self, tmp_path: Path) -> None:
        library = opened(hal_v2(tmp_path / "r.json", []))
        assert "no messages for task-1" in str(library.problems[0])

    def test_texts_cut_at_one_length_make_the_transcript_incomplete(self, tmp_path: Path) -> None:
        clipped = [said("user", "a" * 500), said("assistant", "b" * 500), said("user", "c")]
        transcript = case_of(hal_v2(tmp_path / "r.json", clipped)).runs[0].transcript
        assert not transcript.complete
        assert "exactly 500 characters" in transcript.notes[0]

    def test_one_long_text_repeated_is_no_sign_of_clipping(self, tmp_path: Path) -> None:
        repeated = [said("user", "a" * 500), said("assistant", "x"), said("user", "a" * 500)]
        assert case_of(hal_v2(tmp_path / "r.json", repeated)).runs[0].transcript.complete

    @pytest.mark.parametrize(
        "mark",
        [
            "_This content has been truncated to stay below 20000 characters_",
            "... [truncated]",
            "…(output truncated, 300 lines)",
            "<response clipped>",
            "[... 120 lines omitted ...]",
        ],
    )
    def test_a_mark_of_truncation_in_an_observation_makes_the_transcript_incomplete(
        self, tmp_path: Path, mark: str
    ) -> None:
        seen = [said("user", "Go."), said("assistant", "Reading."), said("tool", f"some text {mark} more")]
        transcript = case_of(hal_v2(tmp_path / "r.json", seen)).runs[0].transcript
        assert not transcript.complete
        assert transcript.understanding.omitted == 1

    def test_instructions_that_speak_of_a_mark_have_lost_nothing(self, tmp_path: Path) -> None:
        told = said("system", "Long output will be truncated and marked with `<response clipped>`.")
        transcript = case_of(hal_v2(tmp_path / "r.json", [told, said("user", "Go."), said("tool", "a.py")])).runs[0]
        assert transcript.transcript.complete

    @pytest.mark.parametrize("text", ["The list was truncated.", "truncate -s 0 log", "array[truncated]"])
    def test_talking_of_truncation_is_no_mark(self, tmp_path: Path, text: str) -> None:
        assert case_of(hal_v2(tmp_path / "r.json", [said("tool", text)])).runs[0].transcript.complete


class TestDamage:
    """A damaged file is refused in one sentence that says where."""

    def test_cut_off(self, tmp_path: Path) -> None:
        path = hal(tmp_path / "r.json", cumulative(TALK))
        path.write_text(path.read_text()[:-200])
        with pytest.raises(InputError, match=r"r\.json, line 1 column \d+: the JSON is cut off after \d+ bytes"):
            opened(path)

    def test_cut_off_gzip(self, tmp_path: Path) -> None:
        path = hal(tmp_path / "r.json.gz", cumulative(TALK))
        path.write_bytes(path.read_bytes()[:-20])
        with pytest.raises(InputError, match="gzip data is damaged or cut off"):
            opened(path)

    def test_endless_nesting(self, tmp_path: Path) -> None:
        deep = "[" * 100_000 + "]" * 100_000
        path = tmp_path / "r.json"
        path.write_text('{"config": {}, "results": {}, "raw_logging_results": %s}' % deep)  # noqa: UP031
        with pytest.raises(InputError, match="nested too deeply"):
            opened(path)

    @pytest.mark.parametrize("number", ["1e999", "-0", "1E-400", "1234567890" * 3, "1" + "0" * 5000])
    def test_huge_numbers(self, tmp_path: Path, number: str) -> None:
        path = tmp_path / "r.json"
        path.write_text('{"config": {}, "results": {"failed_tasks": ["a"], "x": %s}}' % number)  # noqa: UP031
        assert [task.task_id for task in opened(path).tasks()] == ["a"]

    def test_not_a_number_is_read_as_nothing(self, tmp_path: Path) -> None:
        path = hal(
            tmp_path / "r.json", cumulative(TALK), results={"failed_tasks": ["task-1"], "accuracy": float("nan")}
        )
        assert "NaN" in path.read_text()
        assert len(case_of(path).runs[0].transcript.blocks) == 4

    def test_a_byte_order_mark_and_half_a_character_do_no_harm(self, tmp_path: Path) -> None:
        path = hal_v2(tmp_path / "r.json", [said("user", "half \ud83d of a pair")])
        path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes())
        text = case_of(path).runs[0].transcript.blocks[0].text
        assert text.encode("utf-8").startswith(b"half ")

    def test_a_transcript_of_another_task_is_not_held(self, tmp_path: Path) -> None:
        """Tasks with dots in their ids are found, and only the one asked for is built."""
        log = {f"org.repo-{n}": {"messages": [said("user", f"task {n}")]} for n in range(3)}
        case = case_of(hal(tmp_path / "r.json", log, failed=list(log)), "org.repo-2")
        assert [block.text for block in case.runs[0].transcript.blocks] == ["task 2"]


def test_messages_in_no_known_shape_are_kept_as_json(tmp_path: Path) -> None:
    odd = [{"weird": 1}, 5, None, "plain", [1, 2]]
    blocks = case_of(hal_v2(tmp_path / "r.json", odd)).runs[0].transcript.blocks
    assert [block.text for block in blocks] == ['{"weird": 1}', "5", "null", "plain", "[1, 2]"]


def test_anthropic_content_lists_are_taken_apart(tmp_path: Path) -> None:
    messages = [
        said("assistant", [{"type": "text", "text": "I look."}, tool_use()]),
        said("user", [{"type": "tool_result", "tool_use_id": "t1", "content": [{"type": "text", "text": "a b"}]}]),
    ]
    blocks = case_of(hal_v2(tmp_path / "r.json", messages)).runs[0].transcript.blocks
    assert [(b.kind, b.text, b.tool) for b in blocks] == [
        ("message", "I look.", None),
        ("call", 'bash({"command": "ls"})', "bash"),
        ("result", "a b", "bash"),
    ]


def tool_use() -> dict[str, Any]:
    return {"type": "tool_use", "id": "t1", "name": "bash", "input": {"command": "ls"}}


def test_a_file_is_read_compressed_or_not_by_its_content(tmp_path: Path) -> None:
    path = hal_v2(tmp_path / "r.json", TALK)
    path.write_bytes(gzip.compress(path.read_bytes()))
    assert len(case_of(path).runs[0].transcript.blocks) == 4
    assert json.loads(gzip.decompress(path.read_bytes()))["config"]
