"""The layout of a pack: a BagIt 1.0 bag that `sha256sum -c` and any BagIt program can check."""

import datetime as dt
import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import metadata

from cases import PackError
from cases import patterns as re
from cases.sentences import Sentences
from evidence.text import visible
from graph.verdict import Audit

say = Sentences(__name__)

SCHEMA = "impassable/1"
version = cache(metadata.version)
"""The files of an installed package stay as they are while it runs."""
PAYLOAD_MANIFEST = "manifest-sha256.txt"
ATTESTATION = "attestation.dsse.json"
TAG_MANIFEST = "tagmanifest-sha256.txt"
INFO = "bag-info.txt"
_DECLARATION = {"bagit.txt": b"BagIt-Version: 1.0\nTag-File-Character-Encoding: UTF-8\n"}
BAG = frozenset({*_DECLARATION, INFO, PAYLOAD_MANIFEST, TAG_MANIFEST})
"""The bag's own files beside the payload."""
_KIND, _PUBLIC, _SIGNER = "Impassable-Masked-Kind", "Impassable-Public", "Impassable-Signed-By"
README = {
    "data/README.txt": b"""What the audit captured lies in evidence/, each file named by the beginning of its SHA-256.
Check every file of this pack, in its first folder, without any other program:

    sha256sum -c manifest-sha256.txt tagmanifest-sha256.txt

The pack's name ends in the first twelve digits of the SHA-256 of tagmanifest-sha256.txt.
"""
}


def moment(audit: Audit) -> dt.datetime | None:
    """The moment that a pack is dated: that of its last finding."""
    return max((finding.started for finding in audit.findings), default=None)


@dataclass(frozen=True)
class Told:
    """What a pack tells of its own making, which nothing else in it says."""

    masked: Mapping[str, int]
    """How many different secrets of each kind were masked."""
    public: bool = False
    """Whether gold answers and the machine's own places were masked too."""
    signer: str | None = None
    """The fingerprint of the key that signed it."""


def told_in(content: Mapping[str, bytes]) -> Told:
    """What the `bag-info.txt` of a pack tells of its making."""
    lines = [line.partition(": ") for line in content[INFO].decode("utf-8", "replace").splitlines()]
    counted = [value.partition(" ") for label, _, value in lines if label == _KIND]
    signers = [value for label, _, value in lines if label == _SIGNER]
    return Told(
        {kind: int(count) for count, _, kind in counted if re.fullmatch(r"[0-9]{1,9}", count)},
        public=any(label == _PUBLIC for label, _, _ in lines),
        signer=signers[0] if signers else None,
    )


def payload(content: Mapping[str, bytes], audit: Audit, told: Told) -> dict[str, bytes]:
    """`content` with the bag's own files but the tag manifest, which `sealed` adds last.

    Args:
        content: Every record and artifact by its path; what is below `data/` is the payload.
        audit: What the pack is about, without secrets.
        told: How it was made.
    """
    whole = {**content, **README}
    carried = {path: data for path, data in whole.items() if is_payload(path)}
    lines = [
        f"Bag-Software-Agent: impassable {version('impassable')}",
        f"External-Identifier: {_line(audit.case.benchmark)} {_line(audit.case.task_id)}",
        f"Payload-Oxum: {sum(len(data) for data in carried.values())}.{len(carried)}",
        f"Impassable-Schema: {SCHEMA}",
        f"Impassable-Secrets-Masked: {sum(told.masked.values())}",
    ]
    lines += [f"{_KIND}: {count} {kind}" for kind, count in sorted(told.masked.items())]
    if at := moment(audit):
        lines.insert(1, f"Bagging-Date: {at.date().isoformat()}")
    if told.public:
        lines.append(_PUBLIC + ": " + say("pack.public"))
    if told.signer:
        lines.append(f"{_SIGNER}: {told.signer}")
    return whole | _DECLARATION | {INFO: ("\n".join(lines) + "\n").encode(), PAYLOAD_MANIFEST: _manifest(carried)}


def sealed(content: Mapping[str, bytes]) -> dict[str, bytes]:
    """`content` with the tag manifest, whose digest is the pack's."""
    tags = {path: data for path, data in content.items() if not is_payload(path)}
    return {**content, TAG_MANIFEST: _manifest(tags)}


def digest_of(content: Mapping[str, bytes]) -> str:
    """The digest that a pack is named by: twelve digits."""
    return hashlib.sha256(content[TAG_MANIFEST]).hexdigest()[:12]


def require_whole(content: Mapping[str, bytes]) -> None:
    """Compare a bag with its manifests: every file listed, every listed file there, every byte as listed.

    Raises:
        PackError: the first difference, with its file and the remedy.
    """
    for path, expected in (*_DECLARATION.items(), *README.items()):
        if path in content and content[path] != expected:
            raise PackError(say("bag.not_program_writes_altered", path=path))
    if f"Impassable-Schema: {SCHEMA}".encode() not in content.get(INFO, b"").splitlines():
        raise PackError(say("bag.not_schema_altered_another", info=INFO, schema=SCHEMA))
    for name, carried in ((TAG_MANIFEST, False), (PAYLOAD_MANIFEST, True)):
        if name not in content:
            raise PackError(say("bag.missing_pack_not_complete", name=name))
        own = {path: data for path, data in content.items() if is_payload(path) is carried and path != TAG_MANIFEST}
        _require_listed(name, content[name], own)


def _require_listed(name: str, manifest: bytes, own: Mapping[str, bytes]) -> None:
    listed: dict[str, str] = {}
    for number, line in enumerate(manifest.decode("utf-8", "replace").splitlines(), 1):
        digest, separator, path = line.partition("  ")
        if not separator or path in listed:
            raise PackError(say("bag.no_file_own_line", name=name, number=number))
        listed[path] = digest
    for path in sorted({*listed, *own}):
        if path not in own:
            raise PackError(say("bag.listed_missing_pack_not", path=path, name=name))
        if path not in listed:
            raise PackError(say("bag.not_listed_added_later", path=path, name=name))
        if hashlib.sha256(own[path]).hexdigest() != listed[path]:
            raise PackError(say("bag.not_lists_two_altered", path=path, name=name))
    if manifest != _manifest(own):
        raise PackError(say("bag.not_written_program_writes", name=name))


def is_payload(path: str) -> bool:
    """Whether a file of a pack is what it carries, and not what tells of that."""
    return path.startswith("data/")


def _manifest(content: Mapping[str, bytes]) -> bytes:
    lines = [f"{hashlib.sha256(data).hexdigest()}  {path}\n" for path, data in sorted(content.items())]
    return "".join(lines).encode()


def _line(text: str) -> str:
    return visible(" ".join(text.split()))
