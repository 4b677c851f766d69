"""The evidence pack: a folder and a zip in BagIt layout that can be checked, read and judged without this program."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from pydantic import ValidationError

from cases import Case, Outcome, PackError
from cases.machine import machine_secrets
from cases.sentences import Sentences
from cases.text import invisible
from evidence.archive import archived, opened
from evidence.artifacts import EvidenceFile, collect, laid_out
from evidence.bag import SCHEMA, Told, digest_of, moment, payload, sealed
from evidence.contents import PARTS, contents
from evidence.members import texts_of, with_texts
from evidence.placing import archive_of, place
from evidence.redaction import Redacted, redact
from evidence.scanning import leaks
from evidence.text import loads, plain, safe_name
from graph.decide import decide
from graph.verdict import Audit
from probes import ArtifactStore

if TYPE_CHECKING:
    from evidence.signing import CryptoSigner

say = Sentences(__name__)

__all__ = ["SCHEMA", "Packed", "archive_of", "audit_in", "masked", "read_pack", "write_pack"]

_ROUNDS = 3
_FREE_TEXT = frozenset(
    {
        "existence_reasoning",
        "causation_reasoning",
        "evidence",
        "reason",
        "against",
        "would_change",
        "open_question",
        "capable_agent",
        "citations",
        "limits",
    }
)
"""The verdict's words, in which a mask may stand; every other field must be what was decided live."""


class Packed(NamedTuple):
    """A pack, and what may be shown of its audit."""

    audit: Audit
    """As it is in the pack."""
    path: Path
    """The folder; its zip lies beside it."""


@dataclass(frozen=True)
class ReadyPack:
    """A pack that is not on any disk yet."""

    audit: Audit
    content: Mapping[str, bytes]
    name: str

    def placed(self, out: Path) -> Packed:
        """Write it, from whatever thread: its bytes are on the disk when this returns.

        Raises:
            EnvironmentNotReady: the disk is full or the folder cannot be written.
            PackError: a different pack of that name is there.
        """
        archive = archived(self.content, self.name, moment(self.audit))
        return Packed(self.audit, place(self.content, archive, out, self.name))


def write_pack(
    audit: Audit, store: ArtifactStore, out: Path, signer: "CryptoSigner | None" = None, *, public: bool = False
) -> Packed:
    """Write `out/<task>-<status>-<digest>/` and its zip, each at once or not at all.

    The digest is the beginning of the tag manifest's own SHA-256; the same evidence and key give the same bytes.
    The verdict is what the masked evidence gives, so that it can be computed again from the pack. With `public`, gold
    answers and this machine's own places are masked too.

    Raises:
        EnvironmentNotReady: the disk is full or the folder cannot be written.
        PackError: an artifact is missing or altered, a different pack of that name is there, the masked evidence
            gives another verdict, or a secret would be in the pack.
    """
    return ready_pack(audit, store, signer, public=public).placed(out)


def ready_pack(
    audit: Audit, store: ArtifactStore, signer: "CryptoSigner | None" = None, *, public: bool = False
) -> ReadyPack:
    """What `write_pack` writes, ready to be placed.

    Raises:
        PackError: as `write_pack` does.
    """
    shown, records, told = _without_secrets(audit, store, public=public)
    content = sealed(_signed(records, shown, told, signer))
    name = f"{safe_name(shown.case.task_id, 40, 'task')}-{shown.verdict.status.value}-{digest_of(content)}"
    return ReadyPack(shown, content, name)


def masked(audit: Audit, store: ArtifactStore, *, public: bool = False) -> Audit:
    """What may be shown of an audit for which there is no pack yet: what would be in it.

    Raises:
        PackError: no pack could be written of it.
    """
    return _without_secrets(audit, store, public=public)[0]


def read_pack(pack: Path) -> Audit:
    """The audit that a pack, a folder or a zip, holds: everything a verdict is computed from, and the verdict.

    Raises:
        InputError: there is nothing of that name.
        PackError: a file is missing or is not what a pack holds.
    """
    return audit_in(opened(pack).content, str(pack))


def audit_in(content: Mapping[str, bytes], name: str) -> Audit:
    """The audit that the files of a pack hold; `name` is what messages call the pack.

    Raises:
        PackError: a file is missing or is not what a pack holds.
    """
    record = {part: _load(content, f"{part}.json", name) for part in PARTS}
    try:
        return Audit.model_validate(record)
    except ValidationError as error:
        part, *steps = error.errors()[0]["loc"] or ("case",)
        place = ".".join(str(step) for step in steps) or "its beginning"
        raise PackError(say("pack.json_not_valid_pack", name=name, part=part, place=place)) from error


def _load(content: Mapping[str, bytes], path: str, name: str) -> object:
    if path not in content:
        raise PackError(say("pack.missing_folder_zip_complete", name=name, path=path))
    try:
        return loads(content[path])
    except ValueError as error:
        raise PackError(say("pack.not_json_pack_altered", name=name, path=path, error=error)) from error


def _without_secrets(audit: Audit, store: ArtifactStore, *, public: bool) -> tuple[Audit, dict[str, bytes], Told]:
    """The masked audit, its files and what was masked.

    What the scanner finds in them is masked in a second round, and what it finds even then together with all around it.
    """
    audit = audit.model_copy(update={"case": _needed(audit)})
    found = collect(audit, store)
    texts = {(digest, name): text for digest, file in found.items() for name, text in texts_of(file).items()}
    certain, whole = machine_secrets(), frozenset[str]()
    for number in range(_ROUNDS):
        clean = redact(audit, texts, certain, whole=whole, public=public)
        shown, evidence = relinked(clean, found)
        shown = _decided(shown)
        told = Told(clean.kinds, public=public)
        records = contents(shown, evidence, told.masked)
        left = list(leaks(payload(records, shown, told), certain))
        if not left:
            return shown, records, told
        said = {value: leak.kind for leak in left for value in (leak.value, invisible(leak.value))}
        certain = {**certain, **said}
        whole = frozenset(said) if number else whole
    where = say("pack.would_hold_secret", file=left[0].file, place=left[0].place, kind=left[0].kind)
    raise PackError(say("pack.so_no_pack_written", where=where))


def relinked(clean: Redacted, found: Mapping[str, EvidenceFile]) -> tuple[Audit, tuple[EvidenceFile, ...]]:
    """The masked audit and artifacts, with every digest naming the masked bytes.

    Raises:
        PackError: an artifact is a zip that is not safe to open.
    """
    renamed: dict[str, tuple[str, int]] = {}
    held: dict[str, bytes] = {}
    for digest, file in found.items():
        data = with_texts(file, {member: text for (one, member), text in clean.texts.items() if one == digest})
        own = hashlib.sha256(data).hexdigest()
        renamed[digest], held[own] = (own, len(data)), data
    record = plain(clean.audit)
    record["findings"] = [_renamed(finding, renamed) for finding in record["findings"]]
    audit = Audit.model_validate(record)
    return audit, laid_out(audit, held)


def _renamed(finding: dict[str, Any], renamed: Mapping[str, tuple[str, int]]) -> dict[str, Any]:
    for artifact in finding["artifacts"]:
        artifact["sha256"], artifact["size"] = renamed[artifact["sha256"]]
    for part in (*finding["observations"], *finding["routes"]):
        if part["artifact"]:
            part["artifact"] = renamed[part["artifact"]][0]
    return finding


def _signed(records: Mapping[str, bytes], audit: Audit, told: Told, signer: "CryptoSigner | None") -> dict[str, bytes]:
    """The bag of these records, with a signature where there is a key, which is named beside them too."""
    if signer is None:
        return payload(records, audit, told)
    from evidence.signing import attested, key_of  # noqa: PLC0415 - few have a key

    return attested(payload(records, audit, replace(told, signer=key_of(signer).fingerprint)), audit, signer)


def _decided(audit: Audit) -> Audit:
    """The audit with the verdict that its masked evidence gives."""
    verdict = decide(audit.case, audit.hypotheses, audit.findings, audit.basis)
    for field in type(verdict).model_fields:
        if field not in _FREE_TEXT and getattr(verdict, field) != getattr(audit.verdict, field):
            raise PackError(
                say(
                    "pack.secrets_masked_evidence_gives",
                    field=field,
                    masked=getattr(verdict, field),
                    before=getattr(audit.verdict, field),
                )
            )
    return audit.model_copy(update={"verdict": verdict})


def _needed(audit: Audit) -> Case:
    """The case without the transcripts of runs that passed and that nothing cites."""
    told = [audit.verdict.citations]
    told += [hypothesis.citations for hypothesis in audit.hypotheses]
    told += [finding.citations for finding in audit.findings]
    cited = {citation.run_id for citations in told for citation in citations}
    cited |= {hypothesis.run_id for hypothesis in audit.hypotheses if hypothesis.run_id}
    return audit.case.model_copy(
        update={
            "runs": tuple(
                run
                if run.outcome is not Outcome.PASSED or run.run_id in cited
                else run.model_copy(update={"transcript": None})
                for run in audit.case.runs
            )
        }
    )
