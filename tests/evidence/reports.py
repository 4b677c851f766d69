"""A report as it is read."""

import html
import re
from pathlib import Path

from evidence import write_pack
from evidence.artifacts import collect
from evidence.pack import relinked
from evidence.redaction import redact
from evidence.report import render
from graph.verdict import Audit
from probes import ArtifactStore


def report_of(audit: Audit, store: ArtifactStore, out: Path) -> str:
    return (write_pack(audit, store, out).path / "report.html").read_text("utf-8")


def drawn(audit: Audit, store: ArtifactStore) -> str:
    """The report of an audit whose verdict need not follow from its findings."""
    found = collect(audit, store)
    shown, evidence = relinked(redact(audit, {}), found)
    return render(shown, evidence, {}, {})


def words_of(report: str) -> str:
    """The report's text, tags and line breaks gone."""
    body = re.sub(r"</?code>", "", report.split("<body", 1)[1])
    return re.sub(r"\s+", " ", html.unescape(re.sub(r"<[^>]+>", " ", body)))
