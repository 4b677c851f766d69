"""One verdict as people read it: what, why, how sure, and what to run oneself."""

import shlex
from pathlib import Path
from typing import TYPE_CHECKING

from cases.sentences import Sentences
from verify.terminal import clean, in_lines, one_line

if TYPE_CHECKING:
    from rich.console import Console

    from evidence.proof import Proof
    from graph.verdict import Assistance, Audit

STYLES = {"supported": "bold red", "not_supported": "bold green", "inconclusive": "bold yellow"}
SIGNS = {"yes": "✓", "no": "→", "open": "?"}
_LABEL = 10
_NARROW = 60
"""Columns below which a label stands above what it names."""
say = Sentences(__name__)

_SHOWN = 4
"""Lines at either end of what can be copied."""


def show(console: "Console", audit: "Audit", pack: Path | None) -> None:
    """Print the verdict of one audit."""
    from evidence.proof import Proof, recipes_of

    verdict = audit.verdict
    status = verdict.status.value
    said, subject = say(f"status.{status}", score=verdict.score), f"{audit.case.task_id} of {audit.case.benchmark}"
    fits = not console.is_terminal or len(said) + len(subject) + 2 <= console.width
    console.print("\n".join(in_lines(console, said, 0)), style=STYLES[status], end="" if fits else "\n")
    console.print(f"  {one_line(subject)}")
    _indented(console, one_line(verdict.reason), 2)
    proof = Proof(audit, recipes_of(audit, pack) if pack else ())
    _chain(console, proof, one_line(verdict.reason))
    if proof.strength:
        _row(console, "strength", "; ".join(proof.strength))
    if proof.assumption:
        _row(console, "", proof.assumption)
    _controls(console, audit)
    _hypotheses(console, proof)
    if verdict.capable_agent:
        _row(console, "try it", verdict.capable_agent, lines=True)
    if verdict.open_question:
        _row(console, "question", verdict.open_question)
    _row(console, "against", verdict.against)
    records = (("log", record.told) for record in verdict.understanding)
    for name, text in (*records, *(("limits", limit) for limit in verdict.limits)):
        _row(console, name, text)
    if review := audit.basis.review:
        reason = f": {review.reason}" if review.reason else ""
        _row(console, "review", f"{review.reviewer}, {review.at.date().isoformat()}: {review.decision}{reason}")
    if verdict.assistance:
        _row(console, "model", _assistance(verdict.assistance))
    if verdict.lab:
        _row(console, "lab", say("lab"))
    if pack is not None:
        _pack(console, pack)


def _pack(console: "Console", pack: Path) -> None:
    script = pack / "reproduce.sh"
    if script.is_file():
        _row(console, "repeat", f"bash {shlex.quote(str(script))}")
    _row(console, "pack", str(pack))


def _chain(console: "Console", proof: "Proof", reason: str) -> None:
    """What convinces, a line each; what it rests on below, unless the reason says it already."""
    for link in proof.chain:
        _indented(console, one_line(link.text), 4, f"  {SIGNS[link.sign]} ")
        if link.detail and one_line(link.detail) not in reason:
            _indented(console, one_line(link.detail), 4, style="dim")


def _hypotheses(console: "Console", proof: "Proof") -> None:
    """What became of each, where there are several; the one that the verdict speaks about first."""
    fates = sorted(proof.fates, key=lambda one: not one.leads)
    for number, fate in enumerate(fates if len(fates) > 1 else ()):
        mark = say("hypothesis.leads") if fate.leads else ""
        _row(console, "tested" if number == 0 else "", f"{fate.title}: {fate.told}{mark}")


def _assistance(spent: "Assistance") -> str:
    """What a model was asked, in a line."""
    cost = say("model.no_price") if spent.cost is None else f"${spent.cost:.4f}"
    tokens = spent.tokens_read + spent.tokens_written
    return say("model.spent", model=spent.model, calls=spent.calls, cached=spent.cached, tokens=tokens, cost=cost)


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
    told = say("controls.passed", passed=len(controls) - len(failed), all=len(controls))
    _row(console, "controls", f"{told}: {names}" if names else told)
    for control in failed:
        _row(
            console, "", say("controls.failed", name=control.name, expected=control.expected, observed=control.observed)
        )


def _row(console: "Console", label: str, text: str, *, lines: bool = False) -> None:
    """What can be copied and run stays on its line."""
    narrow = console.is_terminal and console.width < _NARROW
    indent = 4 if narrow else 2 + _LABEL
    whole = lines or label in {"repeat", "pack"}
    rows = _folded(clean(text).strip().splitlines()) if lines else [one_line(text)]
    if narrow and label:
        console.print(f"  {label}", style="dim")
    for number, row in enumerate(rows if whole else in_lines(console, rows[0], indent)):
        begun = "" if narrow else label if number == 0 else ""
        console.print(f"  {begun:<{indent - 2}}", style="dim", end="")
        console.print(row.rstrip())


def _folded(rows: list[str]) -> list[str]:
    """The first and the last lines of many: a program written out is read in the report."""
    left = len(rows) - 2 * _SHOWN
    return rows if left <= 1 else [*rows[:_SHOWN], say("folded", number=left), *rows[-_SHOWN:]]


def _indented(console: "Console", text: str, indent: int, begun: str = "", style: str | None = None) -> None:
    for number, line in enumerate(in_lines(console, text, indent)):
        console.print(f"{begun if begun and number == 0 else ' ' * indent}{line}", style=style)
