"""The text of an issue about one root cause: printed, never filed."""

from collections.abc import Sequence
from functools import cache

from jinja2 import Environment, PackageLoader, StrictUndefined

from evidence.artifacts import EvidenceFile
from evidence.issue.markdown import cell, code, fence, prose, row
from evidence.issue.parts import Issue
from graph.verdict import Audit

__all__ = ["issue_text"]


def issue_text(audit: Audit, steps: Sequence[str] = (), evidence: tuple[EvidenceFile, ...] = ()) -> str:
    """What to tell the benchmark's maintainers, or that there is nothing to tell them; Markdown.

    Args:
        audit: Already without secrets.
        steps: At most five shell lines that show the decisive thing; none where only the record speaks.
        evidence: The pack's artifacts.
    """
    text = _environment().get_template("issue.md.j2").render(issue=Issue(audit, tuple(steps), evidence))
    return text.strip() + "\n"


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader("evidence.issue", ""),
        autoescape=False,  # noqa: S701 - Markdown, where everything printed goes through `prose`
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        finalize=prose,
        auto_reload=False,
    )
    environment.filters |= {"cell": cell, "code": code, "fence": fence, "row": row}
    return environment
