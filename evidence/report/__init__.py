"""The report: one HTML file that opens from disk, asks nothing of any network and works without its script."""

from collections.abc import Mapping

from evidence.artifacts import EvidenceFile
from evidence.report.page import page
from evidence.report.view import View
from graph.verdict import Audit

__all__ = ["render"]


def render(
    audit: Audit,
    evidence: tuple[EvidenceFile, ...],
    masked: Mapping[str, int],
    digests: Mapping[str, str],
    documents: Mapping[str, str] | None = None,
) -> str:
    """The report of an audit.

    Args:
        audit: Already without secrets; artifacts named as in the pack.
        evidence: The pack's artifacts.
        masked: How many different secrets of each kind were masked.
        digests: SHA-256 of the pack's own records by path.
        documents: Further texts of the pack that the report repeats, by path, such as `issue.md`.
    """
    view = View(audit, evidence, masked, digests, documents or {})
    return page("report/report.html.j2", ("report/report.css",), "report/report.js", view=view)
