"""One verdict as people read it: what, why, how sure, and what to run oneself."""

from pathlib import Path
from typing import TYPE_CHECKING

from probes import Question
from verify.terminal import clean, one_line

if TYPE_CHECKING:
    from rich.console import Console

    from graph.verdict import Assistance, Audit
    from verify.batch.lines import Finished

STYLES = {"supported": "bold red", "not_supported": "bold green", "inconclusive": "bold yellow"}
WORDS = {
    "supported": "SUPPORTED, the benchmark was impassable",
    "not_supported": "NOT SUPPORTED, not the benchmark's fault",
    "inconclusive": "INCONCLUSIVE",
}
_LABEL = 10


def show(console: "Console", audit: "Audit", pack: Path | None) -> None:
    """Print the verdict of one audit."""
    verdict = audit.verdict
    status = verdict.status.value
    console.print(f"{WORDS[status]} (score {verdict.score})", style=STYLES[status], end="")
    console.print(f"  {one_line(audit.case.task_id)} of {one_line(audit.case.benchmark)}")
    console.print(f"  {one_line(verdict.reason)}")
    for shown, summaries in _decisive(audit).items():
        _row(console, "shown by", shown)
        for summary in summaries:
            _row(console, "", summary)
    _controls(console, audit)
    _row(console, "barrier", f"then {_seen(verdict.barrier_then)}, now {_seen(verdict.barrier_now)}")
    if verdict.capable_agent:
        _row(console, "try it", verdict.capable_agent, lines=True)
    if verdict.open_question:
        _row(console, "question", verdict.open_question)
    _row(console, "against", verdict.against)
    records = (("record", record.told) for record in verdict.understanding)
    for name, text in (*records, *(("limits", limit) for limit in verdict.limits)):
        _row(console, name, text)
    if review := audit.basis.review:
        reason = f": {review.reason}" if review.reason else ""
        _row(console, "review", f"{review.reviewer}, {review.at.date().isoformat()}: {review.decision}{reason}")
    if verdict.assistance:
        _row(console, "model", _assistance(verdict.assistance))
    if verdict.lab:
        _row(console, "lab", "hosts were mapped or a lab authority was trusted: this speaks for the lab only")
    if pack is not None:
        _row(console, "pack", str(pack))


def brief(line: "Finished", out: Path) -> str:
    """One verdict of many, on one line."""
    said = f"{line.status.value.replace('_', ' '):<13}  {line.task_id} of {line.benchmark}: {line.reason}"
    return one_line(f"{said}  {out / line.pack}")


def _assistance(spent: "Assistance") -> str:
    """What a model was asked, in a line."""
    cost = "price unknown" if spent.cost is None else f"${spent.cost:.4f}"
    tokens = spent.tokens_read + spent.tokens_written
    return f"{spent.model}: {spent.calls} calls, {spent.cached} remembered, {tokens} tokens, {cost}; it decides nothing"


def _decisive(audit: "Audit") -> dict[str, list[str]]:
    """What each probe answered, with its summaries where they say more than the reason does."""
    told: dict[str, list[str]] = {}
    decisive = [finding for finding in audit.findings if finding.id in audit.verdict.decisive]
    asked = [question.value for question in Question]
    for finding in sorted(decisive, key=lambda one: asked.index(one.question.value)):
        tier = f", {finding.tier.value}" if finding.tier else ""
        summaries = told.setdefault(f"{finding.probe}: {finding.question.value}={finding.valid_answer.value}{tier}", [])
        if one_line(finding.summary) not in (one_line(audit.verdict.reason), *summaries):
            summaries.append(one_line(finding.summary))
    return told


def _controls(console: "Console", audit: "Audit") -> None:
    """The controls of the decisive findings, or, when nothing was decisive, those that failed."""
    decisive = set(audit.verdict.decisive)
    controls = {
        (control.name, control.expected, control.observed): control
        for finding in audit.findings
        if finding.id in decisive or not decisive
        for control in finding.controls
    }
    if not controls:
        return
    failed = [control for control in controls.values() if not control.passed]
    names = ", ".join(dict.fromkeys(control.name for control in controls.values() if control.passed))
    passed = f"{len(controls) - len(failed)} of {len(controls)} passed" + (f": {names}" if names else "")
    _row(console, "controls", passed)
    for control in failed:
        _row(console, "", f"failed: {control.name}: expected {control.expected}, observed {control.observed}")


def _row(console: "Console", label: str, text: str, *, lines: bool = False) -> None:
    rows = clean(text).strip().splitlines() if lines else [one_line(text)]
    for number, row in enumerate(rows):
        console.print(f"  {(label if number == 0 else ''):<{_LABEL}}", style="dim", end="")
        console.print(row.rstrip())


def _seen(value: bool | None) -> str:
    return {True: "seen", False: "not seen", None: "not known"}[value]
