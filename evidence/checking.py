"""Whether a pack is what was written: every byte, every file, and whose signature it bears."""

import re
from dataclasses import dataclass
from pathlib import Path

from cases import PackError
from evidence.archive import REMEDY, opened, require_own_form
from evidence.bag import digest_of, moment, require_whole
from evidence.pack import audit_in
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
    _require_evidence(audit, pack.content)
    require_own_form(pack, moment(audit), str(path))
    return Checked(path, digest, audit, pack.content, signer)


def _require_evidence(audit: Audit, content: dict[str, bytes]) -> None:
    """Every digest that a finding names stands for a file of the pack."""
    held = {name.removeprefix("data/evidence/")[:12] for name in content if name.startswith("data/evidence/")}
    for finding in audit.findings:
        named = [artifact.sha256 for artifact in finding.artifacts]
        named += [entry.artifact for entry in finding.observations if entry.artifact]
        named += [route.artifact for route in finding.routes if route.artifact]
        for digest in named:
            if digest[:12] not in held:
                raise PackError(f"findings.json: {finding.id} rests on {digest[:12]}, which is not there; {REMEDY}")
