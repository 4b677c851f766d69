"""A maintainer's feedback on a pack as a labelled world, so that no later version gives the same false alarm.

`python benchmarks/disputed/feedback.py FEEDBACK PACK >benchmarks/disputed/worlds/NAME.toml`; then record it
(`verify bench --record --only NAME`). What a pack cannot tell, such as its image's build, is added by hand.
"""

import argparse
import json
import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from cases import CommandRun, InputError, PackError
from cases.events import events_of
from evidence.checking import check
from graph.verdict import Audit
from probes.envelope import profile_names
from verify.labelled.world import toml_value


def world_of(feedback: dict[str, Any], audit: Audit, digest: str) -> str:
    """The world's TOML.

    Raises:
        ValueError: the feedback is about another pack, or the pack has no run to repeat.
    """
    if feedback["digest"] != digest:
        raise ValueError(f"this feedback is about the pack {feedback['digest']}, and the pack given is {digest}")
    case, verdict = audit.case, audit.verdict
    leading = next((one for one in audit.hypotheses if one.id == verdict.leading), None)
    run = next(
        (one for one in case.runs if one.transcript and (leading is None or leading.run_id in (None, one.run_id))), None
    )
    if run is None or run.transcript is None:
        raise ValueError("the pack has no log of a run, so that there is nothing to repeat")
    commands = [one for one in events_of(run.transcript).commands if isinstance(one, CommandRun)]
    if not commands:
        raise ValueError("the run's log shows no command, so that there is nothing to repeat")
    right = feedback["says"] == "confirmed"
    status = verdict.status.value if right else _other(verdict.status.value)
    said = f"{feedback['by']} about the pack {digest}: {feedback['because']}"
    profile = audit.envelope.profile if audit.envelope.profile in profile_names() else None
    lines = [f"why = {toml_value(said)}", f"kind = {toml_value('feedback: ' + feedback['says'])}"]
    if profile:
        lines.append(f"profile = {toml_value(profile)}")
    lines += [f"envelope = {toml_value({'network': audit.envelope.network.value})}"]
    lines += [f"prompt = {toml_value(case.task.prompt or '')}"]
    lines += [f"final = {toml_value(run.transcript.blocks[-1].text)}", "", "[truth]", f"status = {toml_value(status)}"]
    if leading:
        lines.append(f"barrier = {toml_value(leading.barrier.value)}")
    if status == "supported":
        lines.append('answer = "PASSABLE=no"')
    for command in commands:
        lines += ["", "[[step]]", f"command = {toml_value(command.command)}"]
    return "\n".join(lines) + "\n"


def _other(status: str) -> str:
    """What a false alarm is in truth."""
    return "not_supported" if status == "supported" else "inconclusive"


def main() -> int:
    """Print the world."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("feedback", type=Path)
    parser.add_argument("pack", type=Path)
    given = parser.parse_args()
    try:
        found = check(given.pack)
        said = json.loads(given.feedback.read_text("utf-8"))["feedback"]
        sys.stdout.write(world_of(said, found.audit, found.digest))
    except (InputError, PackError, ValueError, KeyError, OSError) as error:
        sys.stderr.write(f"{error}\n")
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
