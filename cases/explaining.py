"""What became of a file: which reader took it, why, how much it found, and what was lost."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from cases.errors import CredentialsError, InputError
from cases.events import events_of
from cases.events.acts import Act, acts_of
from cases.files import sources
from cases.model import Model, Outcome, Transcript
from cases.readers import ForeignError, Found, reader_of, readers
from cases.sentences import Sentences
from cases.understanding import understood

say = Sentences(__name__)


class Explanation(Model):
    """One file."""

    file: str
    reader: str = ""
    """Empty when no reader takes it."""
    signs: str = ""
    """What the reader recognised it by."""
    omits: str = ""
    """What of such files never enters a case."""
    runs: int = 0
    passed: int = 0
    failed: int = 0
    transcripts: int = 0
    blocks: int = 0
    messages: int = 0
    calls: int = 0
    results: int = 0
    commands: int = 0
    visits: int = 0
    other_calls: int = 0
    errors: int = 0
    calls_present: int = 0
    """Calls of tools by their marks, whatever reads them."""
    calls_read: int = 0
    observations: int = 0
    omitted: int = 0
    """Observations with text left out."""
    claims: int = 0
    outcomes: int = 0
    """Runs of which it says only how they ended."""
    not_understood: tuple[str, ...] = ()
    """Which records were not understood, and why."""
    lost: tuple[str, ...] = ()
    """What the file should hold, or held, and what is not there; empty for nothing."""


def explained(paths: Iterable[Path], *, trust_pickle: bool = False) -> Iterator[Explanation]:
    """Each file of these files, directories and globs, and each directory that cannot be used.

    Raises:
        InputError: a path that does not exist.
    """
    among = readers(trust_pickle=trust_pickle)
    refused: dict[Path, InputError] = {}
    for source in sources(paths, refused):
        try:
            reader = reader_of(source.path, among)
            found = reader.read(source.path)
        except ForeignError as error:
            why = say("explaining.all_looks_like_no", looks_like=error.looks_like)
            yield Explanation(file=str(source.path), lost=(why,))
            continue
        except (InputError, CredentialsError) as error:
            yield Explanation(file=str(source.path), lost=(say("explaining.all", error=error),))
            continue
        said = {"reader": reader.name, "signs": reader.signs, "omits": reader.omits}
        yield Explanation.model_validate({"file": str(source.path), **said, **_counted(found)})
    for origin, fault in refused.items():
        yield Explanation(file=str(origin), lost=(say("explaining.all", error=fault),))


def _counted(found: Found) -> dict[str, object]:
    counts: Counter[str] = Counter()
    lost = [str(problem) for problem in found.problems]
    unread: list[str] = []
    transcripts = 0
    for record in found.runs:
        try:
            loaded = record.load() if record.load else None
        except (InputError, CredentialsError) as error:
            lost.append(say("explaining.transcript", task_id=record.task_id, error=error))
            continue
        if loaded is None:
            continue
        transcripts += 1
        acts = acts_of(loaded.blocks)
        transcript = understood(loaded, acts)
        _add(counts, transcript, acts)
        lost += [f"{record.task_id}: {note}" for note in transcript.notes]
        if transcript.understanding and not transcript.understanding.complete:
            unread.append(f"{record.task_id}: {transcript.understanding.told}")
    graded = [one.record for report in found.reports for one in report.graded]
    outcomes = [record.run.outcome for record in (*found.runs, *graded)]
    return {
        **counts,
        "runs": len(found.runs),
        "passed": outcomes.count(Outcome.PASSED),
        "failed": outcomes.count(Outcome.FAILED),
        "transcripts": transcripts,
        "claims": len(found.claims),
        "outcomes": len(graded),
        "lost": tuple(lost),
        "not_understood": tuple(unread),
    }


def _add(counts: Counter[str], transcript: Transcript, acts: Sequence[Act]) -> None:
    """Add the numbers of one record."""
    events = events_of(transcript, acts)
    counts["blocks"] += len(transcript.blocks)
    for block in transcript.blocks:
        counts[f"{block.kind}s"] += 1
    counts["commands"] += len(events.commands)
    counts["visits"] += len(events.visits)
    counts["other_calls"] += len(events.calls)
    counts["errors"] += len(events.errors)
    if measured := transcript.understanding:
        counts["calls_present"] += measured.calls
        counts["calls_read"] += measured.calls_read
        counts["observations"] += measured.observations
        counts["omitted"] += measured.omitted
