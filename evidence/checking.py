"""Whether a pack is what was written: every byte, every file, and whose signature it bears."""

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from cases import PackError
from cases import patterns as re
from cases.sentences import Sentences
from evidence.archive import opened, require_own_form
from evidence.artifacts import EVIDENCE, EvidenceFile, laid_out
from evidence.bag import README, digest_of, is_payload, moment, require_whole
from evidence.contents import KNOWN
from evidence.pack import audit_in
from evidence.signing import Key, signer_of
from graph.verdict import Audit

say = Sentences(__name__)

_NAMED = re.compile(r"-([0-9a-f]{12})$")


@dataclass(frozen=True)
class Checked:
    """A pack that is what was written."""

    path: Path
    digest: str
    audit: Audit
    content: dict[str, bytes]
    signer: Key | None
    """None for an unsigned pack."""


def check(path: Path, wanted: Key | None = None) -> Checked:
    """Compare a pack, a folder or a zip, with its manifests, its signature and its own name.

    Args:
        path: The pack.
        wanted: Whose signature it must bear; None accepts anybody's and none.

    Raises:
        InputError: there is nothing of that name.
        PackError: the first difference, with its file and the remedy.
    """
    pack = opened(path)
    require_whole(pack.content)
    digest = digest_of(pack.content)
    named = _NAMED.search(pack.folder)
    if named and named[1] != digest:
        raise PackError(say("checking.named_but_digest_tagmanifest", path=path, named=named[1], digest=digest))
    signer = signer_of(pack.content)
    if wanted is not None and signer != wanted:
        whose = (
            say("checking.bears_signature", fingerprint=signer.fingerprint) if signer else say("checking.not_signed")
        )
        raise PackError(say("checking.not_get_pack_again", path=path, whose=whose, fingerprint=wanted.fingerprint))
    audit = audit_in(pack.content, str(path))
    evidence_in(audit, pack.content)
    _require_known(pack.content)
    require_own_form(pack, moment(audit), str(path))
    return Checked(path, digest, audit, pack.content, signer)


def evidence_in(audit: Audit, content: Mapping[str, bytes]) -> tuple[EvidenceFile, ...]:
    """The artifacts of a pack, every one with the bytes and the name that its findings give it.

    Raises:
        PackError: one is missing, altered, renamed, or named by no finding.
    """
    carried = {path: data for path, data in content.items() if is_payload(path) and path not in README}
    held = {hashlib.sha256(data).hexdigest(): data for data in carried.values()}
    for finding in audit.findings:
        told = [artifact.sha256 for artifact in finding.artifacts]
        told += [entry.artifact for entry in finding.observations if entry.artifact]
        told += [route.artifact for route in finding.routes if route.artifact]
        for digest in told:
            if digest not in held:
                raise PackError(say("checking.findings_json_rests_get", id=finding.id, lost=_lost(digest, carried)))
    files = laid_out(audit, held)
    for path in sorted(carried.keys() - {file.path for file in files}):
        raise PackError(say("checking.named_no_finding_added", path=path))
    return files


def _lost(digest: str, carried: Iterable[str]) -> str:
    like = next((path for path in carried if path.startswith(f"{EVIDENCE}{digest[:12]}-")), None)
    return say("pack.altered", path=like) if like else say("pack.lost", digest=digest[:12])


def _require_known(content: Mapping[str, bytes]) -> None:
    for path in sorted(content):
        if not is_payload(path) and path not in KNOWN:
            raise PackError(say("checking.no_file_pack_added", path=path))
