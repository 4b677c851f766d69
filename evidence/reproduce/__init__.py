"""A script that repeats what decided, with Docker or curl alone."""

from collections.abc import Iterable
from functools import cache

from jinja2 import Environment, PackageLoader, StrictUndefined

from cases.sentences import Sentences
from evidence.artifacts import EvidenceFile
from evidence.redaction import MASK
from evidence.reproduce.shell import note, quoted, words
from evidence.reproduce.stages import reaches, stages, volumes
from evidence.reproduce.visit import visits
from graph.verdict import Audit
from probes import Finding
from probes.replay.resources.recipe import NAME, Recipe, read_recipe

say = Sentences(__name__)

__all__ = ["recipe_of", "reproduce_script", "reproduce_steps"]
_NOT_PULLED = say("reproduce.cannot_pulled_set_image")
"""What a script says whose image no registry has."""


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
    seen = visits(audit)
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
