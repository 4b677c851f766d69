"""A script that repeats what decided, with Docker or curl alone."""

from collections.abc import Iterable, Iterator
from functools import cache
from typing import NamedTuple
from urllib.parse import urlsplit

from jinja2 import Environment, PackageLoader, StrictUndefined

from cases import patterns as re
from cases.sentences import Sentences
from evidence.artifacts import EvidenceFile
from evidence.redaction import MASK
from evidence.reproduce.shell import note, quoted, words
from evidence.reproduce.stages import reaches, stages, volumes
from evidence.text import clip
from graph.verdict import Audit
from probes import Finding, Ground
from probes.replay.resources.recipe import NAME, Recipe, read_recipe

say = Sentences(__name__)

__all__ = ["recipe_of", "reproduce_script", "reproduce_steps"]
_NOT_PULLED = say("reproduce.cannot_pulled_set_image")
"""What a script says whose image no registry has."""
_HTTP = re.compile(r"(?:status (?P<status>\d{3})|[^;]{1,500}); at (?P<url>https?://\S+?)(?:; |$)")
_SILENT = "000"
"""What curl says for no answer."""
_MAPPED = re.compile(r"(?P<host>\S+): mapped \(lab\) to (?P<address>\S+)")
_MOST_VISITS = 6


def reproduce_script(audit: Audit, evidence: Iterable[EvidenceFile]) -> str:
    """`reproduce.sh` of an audit; empty where nothing but records decided.

    Args:
        audit: Already without secrets.
        evidence: The pack's artifacts.
    """
    recipe = recipe_of(audit, evidence)
    told = {
        "title": f"{audit.case.benchmark} {audit.case.task_id}",
        "verdict": f"{audit.verdict.status.value.replace('_', ' ')}: {audit.verdict.reason}",
        "claim": " ".join(audit.verdict.reason.split()),
    }
    if recipe is not None:
        return _rendered(
            "replay.sh.j2",
            recipe=recipe,
            image=recipe.digests[0] if recipe.digests else recipe.image,
            stages=tuple(stages(recipe)),
            reaches=reaches(recipe),
            volumes=volumes(recipe),
            masked=MASK in recipe.stored(),
            heading=say("script.heading", task=audit.case.task_id, benchmark=audit.case.benchmark, image=recipe.image),
            **told,
        )
    seen = _visits(audit)
    return _rendered("visit.sh.j2", visits=seen, lab=audit.verdict.lab, **told) if seen else ""


def reproduce_steps(script: str) -> tuple[str, ...]:
    """How to run it, in lines of a terminal; none where there is no script."""
    if not script:
        return ()
    unpacked, run = say("steps.unpacked"), "bash reproduce.sh"
    if _NOT_PULLED in script:
        return (unpacked, say("steps.image"), f"IMAGE='<your image>' {run}")
    return (unpacked, run)


def recipe_of(audit: Audit, evidence: Iterable[EvidenceFile]) -> Recipe | None:
    """How what decided was replayed; None where nothing was."""
    files = {file.artifact.sha256: file for file in evidence}
    for finding in _ranked(audit):
        for artifact in finding.artifacts:
            file = files.get(artifact.sha256)
            if artifact.name == NAME and file and file.text and (recipe := read_recipe(file.text)) and recipe.arms:
                return recipe
    return None


def _ranked(audit: Audit) -> list[Finding]:
    """What decided first, then what else was found of the leading hypothesis."""
    decisive, leading = audit.verdict.decisive, audit.verdict.leading
    findings = [finding for finding in audit.findings if finding.id in decisive]
    return findings + [finding for finding in audit.findings if finding.hypothesis == leading]


class _Visit(NamedTuple):
    """One page as plain HTTP saw it."""

    url: str
    status: str
    mapped: str
    """`HOST:PORT:ADDR:PORT` as `curl --connect-to` takes it; empty on the real network."""
    reading: str
    """What the browser made of it; empty where it was not told."""
    control: bool = False
    """Whether nothing follows from the others unless it answers."""


def _visits(audit: Audit) -> tuple[_Visit, ...]:
    """As curl can repeat them: of findings about the leading hypothesis, or that decided; each address once."""
    decisive, leading = audit.verdict.decisive, audit.verdict.leading
    findings = [one for one in audit.findings if one.ground is Ground.WEB]
    told = [one for one in findings if one.id in decisive or one.hypothesis == leading]
    found = {visit.url: visit for finding in told for visit in _visits_of(finding)}
    return tuple(found.values())[:_MOST_VISITS]


def _visits_of(finding: Finding) -> Iterator[_Visit]:
    mapped: dict[str, str] = {}
    readings = [one.value for one in finding.observations if one.name == "reading"]
    opened = {one.observed for one in finding.controls if one.passed}
    for seen in finding.observations:
        if seen.name == "dns" and (match := _MAPPED.match(seen.value)):
            mapped[match["host"]] = match["address"]
        if seen.name == "http" and (match := _HTTP.match(seen.value)):
            url = match["url"]
            parts = urlsplit(url)
            port = parts.port or (443 if parts.scheme == "https" else 80)
            address = mapped.get(parts.hostname or "")
            reading = next((clip(text, 300) for text in readings if text.startswith(url)), "")
            mapping = f"{parts.hostname}:{port}:{address}" if address else ""
            yield _Visit(url, match["status"] or _SILENT, mapping, reading, f"{url} opens" in opened)


def _rendered(name: str, **values: object) -> str:
    return _environment().get_template(name).render(**values)


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader("evidence.reproduce", ""),
        autoescape=False,  # noqa: S701 - a shell script, where everything printed goes through `quoted`
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        finalize=quoted,
        auto_reload=False,
        comment_start_string="<#",  # the default one stands in every count of the shell
        comment_end_string="#>",
    )
    environment.filters |= {"note": note, "words": words}
    return environment
