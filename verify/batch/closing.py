"""What stands at the end of a batch: the results' files, the index of its packs, and the table."""

import shlex
import sys
from itertools import islice
from pathlib import Path

from cases.sentences import Sentences
from verify.batch.agreement import pairs, summaries
from verify.batch.ledger import Reading
from verify.batch.results import claims_of, write_results
from verify.batch.table import Tally, agreement_lines, next_command
from verify.terminal import clean

say = Sentences(__name__)

MOST = 2
"""Commands that are told."""
LONGEST = 300
"""Characters of a command that is told to be given again."""


def close(
    ledger: Reading, out: Path, keys: set[str] | None = None, *, share: bool = False, errors: int = 0, left: int = 0
) -> list[str]:
    """Write results and index of a folder, but of a `share` alone; returns the table of these audits, or of all.

    Raises:
        EnvironmentNotReady: the folder cannot be written.
    """
    from evidence.index import listing, write

    tally = Tally()
    for line in ledger.audits(keys):
        tally.add(line)
    claims = list(claims_of(ledger))
    paired = pairs(claims)
    index = None if share else write(listing(out), out).name  # first: what it takes is free again for the results
    written = [*write_results(ledger, out, claims, paired), index] if index else []
    lines = ["", *tally.lines(), *agreement_lines(summaries(claims, paired))]
    if errors:
        lines.append(say("batch.closing.failed_could_not_audited", errors=errors, path=ledger.path))
    if left:
        lines.append(say("batch.closing.left_not_begun", left=left))
    cost = f", a model ${tally.cost:.4f}" if tally.cost else ""
    lines.append(say("batch.closing.took_audits", seconds=tally.seconds, cost=cost))
    lines.append(
        say("batch.closing.results", written=", ".join(written), out=out)
        if written
        else say("batch.closing.results_verify_merge", out=out)
    )
    commands = islice(next_command(tally, given(), str(out), errors=errors, left=left), MOST)
    return [*lines, *(f"{'' if number else 'next':<12}{command}" for number, command in enumerate(commands))]


def given() -> str:
    """The command that was given, as it may be given again."""
    command = clean(f"verify {shlex.join(sys.argv[1:])}")
    return command if len(command) <= LONGEST else say("batch.closing.verify_same_command")
