"""Bringing together what several files say of one task."""

from collections import Counter
from dataclasses import dataclass, field

from cases import benchmarks
from cases.model import HAL, RULED, Block, Claim, Outcome, Run, Task, Transcript
from cases.readers import ClaimRecord, Problem, RunRecord
from cases.sentences import Sentences
from cases.tasks import TaskSource, merged
from cases.understanding import understood

say = Sentences(__name__)

MOST_CLAIMS = 2_000
"""About one task; each is asked for what it names, and masked."""
LONGEST_CLAIM, LONGEST_CLAIMS = 500_000, 2_000_000
"""Characters, of one and of all about one task."""


@dataclass(slots=True)
class RunEntry:
    """One run, with every file that may hold its transcript."""

    record: Run
    records: list[RunRecord]

    @property
    def has_transcript(self) -> bool:
        """Whether some file holds its transcript."""
        return any(record.load for record in self.records)

    def loaded(self) -> Run:
        """The run with its transcript, the longest where several files hold one.

        Raises:
            InputError: a file can no longer be read.
        """
        best: tuple[Transcript, str] | None = None
        for record in self.records:
            transcript = record.load() if record.load else None
            if transcript and (best is None or len(transcript.blocks) > len(best[0].blocks)):
                best = transcript, record.run.source
        return _loaded(self.record, *best) if best else self.record


def _loaded(run: Run, transcript: Transcript, source: str) -> Run:
    """With the error of its harness, which some formats keep apart, as what came last."""
    error = run.environment.get("error")
    if error and not any(error in block.text for block in transcript.blocks):
        last = Block(index=len(transcript.blocks), role="harness", kind="result", text=error)
        transcript = transcript.model_copy(update={"blocks": (*transcript.blocks, last)})
    return run.model_copy(update={"transcript": understood(transcript), "source": source})


@dataclass(slots=True)
class Entry:
    """One task as all files together know it."""

    benchmark: str
    task_id: str
    task: Task
    runs: list[RunEntry] = field(default_factory=list)
    claims: tuple[Claim, ...] = ()


def merged_task(
    benchmark: str, task_id: str, runs: list[RunRecord], claims: list[ClaimRecord], problems: list[Problem]
) -> Entry:
    """One entry of all records; contradictions are added to `problems`."""
    entry = Entry(benchmark, task_id, _merged_tasks([record.task for record in runs]))
    by_id: dict[str, RunEntry] = {}
    names = _Names()
    logs = Counter(record.run.run_id for record in runs if record.load)
    for record in sorted(runs, key=lambda one: not one.load):
        run = record.run
        known = by_id.get(run.run_id)
        row = not record.load and logs[run.run_id] == 1
        if known and (row or (record.own_id and all(other.own_id for other in known.records))):
            known.record = merged_runs(known.record, run, problems)
            known.records.append(record)
            continue
        if known:
            run = run.model_copy(update={"run_id": names.free(run.run_id, by_id)})
        by_id[run.run_id] = RunEntry(run, [record])
    entry.runs = list(by_id.values())
    entry.claims = _bounded(_unique_claims(claims), task_id, problems)
    return entry


def with_tasks(entries: list[Entry], source: TaskSource) -> list[Problem]:
    """Add what a data set says of the tasks; what it cannot say, and what contradicts it, is returned."""
    problems = list(source.problems)
    met = 0
    for entry in entries:
        found = source.find(entry.task_id, entry.task.prompt)
        if found is None:
            continue
        met += 1
        entry.task, more = merged(entry.task, found, entry.task_id, source.origin)
        problems += more
        for run in entry.runs:
            _settle(entry, run)
    if entries and not met:
        message = say("merging.none_tasks_among_inputs")
        remedy = say("merging.tasks_same_benchmark")
        problems.append(Problem(file=source.origin, place="", message=message, remedy=remedy))
    return problems


def _settle(entry: Entry, run: RunEntry) -> None:
    """An outcome that no file states, where the harness that ran it has a rule that makes one of answer and gold."""
    if run.record.harness != HAL:
        return
    outcome = benchmarks.outcome(entry.benchmark, run.record.answer, entry.task.gold)
    if run.record.outcome is Outcome.UNKNOWN and outcome is not Outcome.UNKNOWN:
        environment = {**run.record.environment, RULED: "by the benchmark's rule: answer == gold exactly"}
        run.record = run.record.model_copy(update={"outcome": outcome, "environment": environment})


def _merged_tasks(tasks: list[Task]) -> Task:
    if not tasks:
        return Task()
    return Task(
        prompt=next((task.prompt for task in tasks if task.prompt), None),
        gold=next((task.gold for task in tasks if task.gold), None),
        gold_urls=next((task.gold_urls for task in tasks if task.gold_urls), ()),
        created=next((task.created for task in tasks if task.created), None),
    )


def merged_runs(first: Run, second: Run, problems: list[Problem]) -> Run:
    """The first where it speaks, the second where only that one does."""
    outcomes = {first.outcome, second.outcome} - {Outcome.UNKNOWN}
    if len(outcomes) > 1:
        problems.append(
            Problem(
                file=second.source,
                place=first.run_id,
                message=say(
                    "merging.run_but_according", outcome=second.outcome, before=first.outcome, before_in=first.source
                ),
                remedy=say("merging.latter_used"),
            )
        )
    changes = {
        name: getattr(second, name)
        for name in ("agent", "model", "date", "score", "answer", "checks")
        if getattr(first, name) is None
    }
    changes["environment"] = {**second.environment, **first.environment}
    if first.outcome is Outcome.UNKNOWN:
        changes["outcome"] = second.outcome
    return first.model_copy(update=changes)


def _unique_claims(records: list[ClaimRecord]) -> tuple[Claim, ...]:
    by_id: dict[str, Claim] = {}
    names = _Names()
    for record in records:
        claim = record.claim
        if claim.claim_id in by_id:
            claim = claim.model_copy(update={"claim_id": names.free(claim.claim_id, by_id)})
        by_id[claim.claim_id] = claim
    return tuple(by_id.values())


def _bounded(claims: tuple[Claim, ...], task_id: str, problems: list[Problem]) -> tuple[Claim, ...]:
    """As many and as much of each as is read; what is not is said."""
    read, left = list[Claim](), LONGEST_CLAIMS
    for claim in claims[:MOST_CLAIMS]:
        if left <= 0:
            break
        most = min(left, LONGEST_CLAIM)
        if len(claim.text) > most:
            message = say("merging.claim_characters_first_read", number=len(claim.text), most=most)
            problems.append(Problem(file=claim.source, place=task_id, message=message, remedy=say("merging.say_fewer")))
        read.append(claim if len(claim.text) <= most else claim.model_copy(update={"text": claim.text[:most]}))
        left -= min(len(claim.text), most)
    if len(read) < len(claims):
        message = say("merging.claims_about_task_first", claims=len(claims), read=len(read))
        problems.append(
            Problem(file=claims[len(read)].source, place=task_id, message=message, remedy=say("merging.those_differ"))
        )
    return tuple(read)


class _Names:
    """Free names like `name~2`, the numbers of each name going on where they stopped."""

    def __init__(self) -> None:
        self._next: dict[str, int] = {}

    def free(self, name: str, taken: dict[str, RunEntry] | dict[str, Claim]) -> str:
        number = self._next.get(name, 2)
        while f"{name}~{number}" in taken:
            number += 1
        self._next[name] = number + 1
        return f"{name}~{number}"
