"""Whether a pack is what was written: every byte, every file, and whose signature it bears."""

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from cases import PackError
from cases import patterns as re
from evidence.archive import REMEDY, opened, require_own_form
from evidence.artifacts import EVIDENCE, EvidenceFile, laid_out
from evidence.bag import README, digest_of, is_payload, moment, require_whole
from evidence.contents import KNOWN
from evidence.pack import audit_in
from evidence.said import say
from evidence.signing import Key, signer_of
from graph.verdict import Audit

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
        raise PackError(
            f"{path} is named {named[1]}, but the digest of its tagmanifest-sha256.txt is {digest}: "
            f"the manifest was written anew, or the pack renamed; {REMEDY}"
        )
    signer = signer_of(pack.content)
    if wanted is not None and signer != wanted:
        whose = f"bears the signature of {signer.fingerprint}" if signer else "is not signed"
        raise PackError(f"{path} {whose}, not that of {wanted.fingerprint}; {REMEDY}")
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
                raise PackError(f"findings.json: {finding.id} rests on {_lost(digest, carried)}; {REMEDY}")
    files = laid_out(audit, held)
    for path in sorted(carried.keys() - {file.path for file in files}):
        raise PackError(f"{path} is named by no finding: it was added or renamed; {REMEDY}")
    return files


def _lost(digest: str, carried: Iterable[str]) -> str:
    like = next((path for path in carried if path.startswith(f"{EVIDENCE}{digest[:12]}-")), None)
    return say("pack.altered", path=like) if like else say("pack.lost", digest=digest[:12])


def _require_known(content: Mapping[str, bytes]) -> None:
    for path in sorted(content):
        if not is_payload(path) and path not in KNOWN:
            raise PackError(f"{path} is no file of a pack: it was added later; remove it, or {REMEDY}")
