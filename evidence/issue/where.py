"""Where an issue lies: benchmark, item, versions, and the machine that it was measured on."""

import json
from collections.abc import Iterator, Sequence
from typing import Any

from cases import Run
from cases import patterns as re
from cases.sentences import Sentences
from evidence.artifacts import EvidenceFile
from evidence.issue.markdown import Ready, link, prose
from graph.verdict import Audit
from probes import STANDS_IN, Finding, Ground

say = Sentences(__name__)

_COPY = re.compile(r"https?://web\.archive\.org/web/\d{14}[^\s;]*")
_ROWS = 12
"""Values of the run's own environment that are told."""
_RAN = frozenset({Ground.MACHINE, Ground.REFERENCE})
_RECIPE, _PROFILE = "replay-recipe.json", "replay-profile.json"


def where(
    audit: Audit, decisive: Sequence[Finding], run: Run | None, evidence: tuple[EvidenceFile, ...]
) -> Iterator[tuple[str, str]]:
    """Names and values; `decisive` are the findings that settle it."""
    yield from ((say("where.benchmark"), audit.case.benchmark), (say("where.task"), audit.case.task_id))
    yield from _files(audit)
    yield say("where.mechanism"), audit.verdict.deficiency_type
    if audit.verdict.locus:
        yield say("where.locus"), audit.verdict.locus.value
    yield from _run(run) if run else ()
    yield from _pages(audit)
    if any(finding.ground in _RAN for finding in decisive):
        yield from _machine(audit, decisive, evidence)
    measured = max((finding.started for finding in audit.findings), default=None)
    if measured:
        yield say("where.measured"), measured.date().isoformat()


def caveat(audit: Audit, decisive: Sequence[Finding]) -> str:
    """What a reader of the claim must know of the machine; empty where it is the benchmark's own."""
    told = []
    if any(STANDS_IN in finding.limits for finding in decisive):
        told.append(say("caveat.image"))
    if audit.envelope.chosen and any(finding.ground in _RAN for finding in decisive):
        told.append(say("caveat.profile", profile=audit.envelope.profile, chosen=audit.envelope.chosen))
    return say("caveat.told", how=say("caveat.and").join(told)) if told else ""


def _files(audit: Audit) -> Iterator[tuple[str, str]]:
    """The lines of the task's own files, at the commit that was audited."""
    links = audit.case.task.links
    for one in links:
        yield say("issue.permanent"), link(say("issue.permanent_at", path=one.path, commit=one.commit[:12]), one.url)
    if not links:
        yield say("issue.permanent"), Ready(prose(say("issue.no_permanent")))


def _run(run: Run) -> Iterator[tuple[str, str]]:
    named = {"run": run.run_id, "agent": run.agent, "model": run.model, "date": run.date and run.date.isoformat()}
    yield from ((say(f"where.{name}"), value) for name, value in named.items() if value)
    yield from ((say("where.of_run", name=name), value) for name, value in list(run.environment.items())[:_ROWS])


def _pages(audit: Audit) -> Iterator[tuple[str, str]]:
    """The page that it is about, and its archived copy, one beside the other."""
    leading = next((one for one in audit.hypotheses if one.id == audit.verdict.leading), None)
    if leading is None or not leading.targets.urls:
        return
    yield say("where.live"), leading.targets.urls[0]
    found = [one for one in audit.findings if one.hypothesis == leading.id]
    told = [entry.value for one in found for entry in one.observations]
    told += [text for one in found for route in one.routes for text in (route.id, *route.commands)]
    copy = next((match[0] for text in told if (match := _COPY.search(text))), "")
    if copy:
        yield say("where.archived"), copy


def _machine(
    audit: Audit, decisive: Sequence[Finding], evidence: tuple[EvidenceFile, ...]
) -> Iterator[tuple[str, str]]:
    envelope = audit.envelope
    yield say("where.profile"), envelope.profile_told
    yield say("where.profile_image"), envelope.dockerfile.value or envelope.image.value
    ran, digests = _ran(decisive, evidence)
    if ran:
        yield say("where.image"), f"{ran}, {', '.join(digests) or say('where.no_digest')}"
    yield from _engine(decisive, evidence)
    if any(STANDS_IN in finding.limits for finding in decisive):
        yield say("where.whose_image"), say("where.stand_in")
    name = "where.with_sudo" if envelope.sudo.value else "where.without_sudo"
    yield say("where.user"), say(name, user=envelope.user.value)
    yield from ((say("where.network"), envelope.network.value), (say("where.python"), envelope.python.value))


def _engine(decisive: Sequence[Finding], evidence: tuple[EvidenceFile, ...]) -> Iterator[tuple[str, str]]:
    """Architecture and provider of the machine, as the replay's own record says them."""
    record = _record(_PROFILE, decisive, evidence)
    image, engine = record.get("image"), record.get("engine")
    identity = image.get("identity") if isinstance(image, dict) else None
    if isinstance(identity, dict) and identity.get("architecture"):
        yield say("where.architecture"), str(identity["architecture"])
    if isinstance(engine, dict) and engine.get("ServerVersion"):
        kernel = engine.get("KernelVersion")
        told = say("where.engine", version=engine["ServerVersion"])
        yield say("where.provider"), say("where.kernel", engine=told, kernel=kernel) if kernel else told


def _ran(decisive: Sequence[Finding], evidence: tuple[EvidenceFile, ...]) -> tuple[str, list[str]]:
    """Name and digests of the image that the replay's own record says."""
    record = _record(_RECIPE, decisive, evidence)
    digests = record.get("digests")
    return str(record.get("image", "")), [str(one) for one in digests] if isinstance(digests, list) else []


def _record(name: str, decisive: Sequence[Finding], evidence: tuple[EvidenceFile, ...]) -> dict[str, Any]:
    """A record of the replay's; empty where there is none, or something else bears its name."""
    wanted = {artifact.sha256 for finding in decisive for artifact in finding.artifacts}
    for file in evidence:
        if file.artifact.name == name and file.artifact.sha256 in wanted:
            try:
                record = json.loads(file.text or "")
            except ValueError:
                continue
            if isinstance(record, dict):
                return record
    return {}
