"""The report: one HTML file that opens from disk, asks nothing of any network and runs no script."""

import base64
import hashlib
from collections.abc import Mapping
from importlib.resources import files

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from evidence.artifacts import EvidenceFile
from evidence.report.show import link, prose, shown
from evidence.report.view import View
from graph.verdict import Audit

__all__ = ["render"]


def render(
    audit: Audit, evidence: tuple[EvidenceFile, ...], masked: Mapping[str, int], digests: Mapping[str, str]
) -> str:
    """The report of an audit.

    Args:
        audit: Already without secrets; artifacts named as in the pack.
        evidence: The pack's artifacts.
        masked: How many different secrets of each kind were masked.
        digests: SHA-256 of the pack's own records by path.
    """
    environment = Environment(
        loader=PackageLoader("evidence.report", ""),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=shown,
    )
    environment.filters |= {"link": link, "prose": prose}
    style = files("evidence.report").joinpath("report.css").read_text("utf-8")
    return environment.get_template("report.html.j2").render(
        view=View(audit, evidence, masked, digests),
        style=Markup(style),  # noqa: S704 - our own file
        style_hash=base64.b64encode(hashlib.sha256(style.encode()).digest()).decode(),
    )
