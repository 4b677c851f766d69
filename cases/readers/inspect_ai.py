"""Inspect AI logs, `.eval` (a zip of samples) and `.json`: one run a sample and epoch."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import Any, BinaryIO, Literal

from cases import benchmarks
from cases.model import Outcome, Run, Task, Transcript
from cases.readers import archives
from cases.readers.base import MOST_RUNS, Found, Problem, RunRecord
from cases.readers.entries import fields_of
from cases.readers.fields import date_of, listed, mapping, text_of, trimmed
from cases.readers.inspect_messages import conversation, graded
from cases.readers.pacing import HostileError
from cases.readers.sniff import Head
from cases.readers.streams import items, read_text, stream_json
from cases.sentences import Sentences

say = Sentences(__name__)

SAMPLES = "samples/"
HEADERS = ("header.json", "_journal/start.json")
SUMMARY = frozenset({"id", "epoch", "input", "target", "scores", "error", "limit", "uuid", "message_count"})
SPOKEN = frozenset({"messages", "attachments", "error", "events", "events_data"})
_LARGEST = 64 * 1024 * 1024
"""Bytes of a JSON log that the API is given: it reads all of it for each sample."""
_LEFT = {"store", "output", "timelines", "model_usage", "role_usage"}


class InspectReader:
    """Reads both forms, one sample at a time; what was said is what Inspect's own API says, where that is installed."""

    name = "Inspect AI log (.eval, .json)"
    signs = "a zip archive with header.json or _journal/start.json, or JSON with eval beside samples or plan"
    omits = "token counts, timings, and events other than the model's answers"

    def recognises(self, head: Head) -> bool:
        """A header in a zip archive, or the header's keys."""
        if head.members:
            return any(name in HEADERS for name in head.members)
        return "eval" in head.json_keys and bool({"samples", "plan", "stats"} & head.json_keys)

    def read(self, path: Path) -> Found:
        """One run a sample."""
        with path.open("rb") as stream:
            zipped = stream.read(4) == archives.ZIP_MAGIC
        header, samples = _zipped(path) if zipped else _whole(path)
        evaluation = mapping(header.get("eval"))
        found = Found()
        for number, (place, sample, spoken) in enumerate(samples, 1):
            task_id = trimmed(sample.get("id"))
            if task_id is None:
                message, remedy = say("inspect_ai.sample_no_id"), say("inspect_ai.left_out")
                found.problems.append(Problem(file=str(path), place=place, message=message, remedy=remedy))
                continue
            found.runs.append(_record(path, evaluation, sample, task_id, spoken, number))
        if not found.runs and not found.problems:
            message, remedy = say("inspect_ai.log_holds_no_samples"), say("inspect_ai.written_samples")
            found.problems.append(Problem(file=str(path), place="samples", message=message, remedy=remedy))
        return found


Sample = tuple[str, dict[str, Any], Callable[[], dict[str, Any]]]
"""Its place, its small fields, and what reads the others."""


def _zipped(path: Path) -> tuple[dict[str, Any], list[Sample]]:
    with archives.opened_zip(path) as archive:

        def part(name: str, wanted: frozenset[str]) -> dict[str, Any]:
            return read_text(path, partial(fields_of, wanted), partial(archive.member, name))

        header = next(part(name, frozenset({"eval"})) for name in HEADERS if name in archive.names)
        names = [name for name in dict.fromkeys(archive.names) if name.startswith(SAMPLES) and name.endswith(".json")]
        if len(names) > MOST_RUNS:
            raise HostileError(say("inspect_ai.holds_more_samples_than"))
        summaries = ((name, part(name, SUMMARY)) for name in names)
        return header, [
            (name, one, partial(_said, path, "eval", one, partial(_member, path, name))) for name, one in summaries
        ]


def _member(path: Path, name: str) -> dict[str, Any]:
    return read_text(path, partial(fields_of, SPOKEN), partial(archives.member, path, name))


def _whole(path: Path) -> tuple[dict[str, Any], list[Sample]]:
    header = read_text(path, partial(fields_of, frozenset({"eval"})))
    summaries = enumerate(stream_json(path, _summaries))
    return header, [
        (f"samples[{at}]", one, partial(_said, path, "json", one, partial(_nth, path, at))) for at, one in summaries
    ]


def _said(
    path: Path, form: Literal["eval", "json"], sample: dict[str, Any], own: Callable[[], dict[str, Any]]
) -> dict[str, Any]:
    """What was said in a sample: what our own reader found, which keeps to its bounds, or what the API makes of it."""
    found = own()
    return told_by_api(path, form, sample.get("id"), sample.get("epoch")) or found


def _installed() -> bool:
    """Whether Inspect is here; the extra `inspect` brings it."""
    return find_spec("inspect_ai") is not None


def told_by_api(path: Path, form: Literal["eval", "json"], sample: object, epoch: object) -> dict[str, Any] | None:
    """A sample's messages and events, whatever a later version has folded together; None where the API cannot say.

    Nothing bounds what the API takes in: our own reader must have read the sample first.
    """
    if not isinstance(sample, int | str) or not isinstance(epoch, int):
        return None
    if not _installed() or (form == "json" and path.stat().st_size > _LARGEST):
        return None
    with ThreadPoolExecutor(1) as apart:  # in a thread whose event loop runs, the API re-enters that, and breaks it
        return apart.submit(_by_api, str(path.resolve()), form, sample, epoch).result()


def _by_api(path: str, form: Literal["eval", "json"], sample: int | str, epoch: int) -> dict[str, Any] | None:
    from inspect_ai.log import read_eval_log_sample  # noqa: PLC0415 - takes seconds, and few logs are Inspect's

    try:
        read = read_eval_log_sample(
            path, sample, epoch, format=form, resolve_attachments="full", exclude_fields={*_LEFT}
        )
        told: dict[str, Any] = read.model_dump(mode="json", exclude_none=True)
    except Exception:  # noqa: BLE001 - whatever it does not understand is what our own reader says
        return None
    return told


def _summaries(stream: BinaryIO) -> list[dict[str, Any]]:
    found = []
    for item in items(stream, "samples.item"):
        found.append({key: value for key, value in mapping(item).items() if key in SUMMARY})
        if len(found) > MOST_RUNS:
            raise HostileError(say("inspect_ai.holds_more_samples_than"))
    return found


def _nth(path: Path, number: int) -> dict[str, Any]:
    def pick(stream: BinaryIO) -> dict[str, Any]:
        found = enumerate(items(stream, "samples.item"))
        return mapping(next((item for at, item in found if at == number), None))

    return stream_json(path, pick)


def _record(
    path: Path, evaluation: dict[str, Any], sample: dict[str, Any], task_id: str, spoken: Callable[[], Any], number: int
) -> RunRecord:
    name = (text_of(evaluation.get("task")) or "").rsplit("/", 1)[-1]
    benchmark = (benchmarks.of_file_name(name) or benchmarks.normalised(name)) if name else None
    own = trimmed(evaluation.get("run_id"))
    epoch = trimmed(sample.get("epoch")) or str(number)
    outcome, score, answer = graded(sample.get("scores"))
    sandbox = evaluation.get("sandbox")
    kind = text_of(mapping(sandbox).get("type")) or text_of(listed(sandbox)[0] if listed(sandbox) else None)
    limit = mapping(sample.get("limit"))
    stopped = (
        f"{text_of(limit.get('type')) or 'unknown'} {text_of(limit.get('limit')) or ''}".strip() if limit else None
    )
    environment = {"scaffold": "inspect_ai", "container": kind, "limit": stopped}
    target = sample.get("target")
    run = Run(
        run_id=f"{own or path.name}:{epoch}",
        agent="inspect_ai",
        model=text_of(evaluation.get("model")),
        date=date_of(evaluation.get("created")),
        outcome=outcome if not sample.get("error") or outcome is Outcome.PASSED else Outcome.UNKNOWN,
        score=score,
        answer=answer,
        environment={key: value for key, value in environment.items() if value},
        source=str(path),
    )
    gold = "\n".join(filter(None, map(text_of, target))) if isinstance(target, list) else text_of(target)
    task = Task(prompt=_prompt(sample.get("input")), gold=gold or None)
    return RunRecord(benchmark, task_id, run, task, partial(_transcript, spoken), own_id=own is not None)


def _prompt(given: object) -> str | None:
    """The input, which is a text or a list of messages."""
    if isinstance(given, list):
        users = [text_of(mapping(entry).get("content")) for entry in given if mapping(entry).get("role") == "user"]
        return next((text for text in users if text), None)
    return text_of(given)


def _transcript(spoken: Callable[[], Any]) -> Transcript | None:
    return conversation(spoken())
