"""Who made a pack: an in-toto statement over every file, in a DSSE envelope signed with an ed25519 key.

A self-made key proves only that nothing changed since it signed; whose it is, the reader must know from elsewhere.
"""

import base64
import hashlib
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from securesystemslib.dsse import Envelope
from securesystemslib.exceptions import UnverifiedSignatureError, VerificationError
from securesystemslib.signer import CryptoSigner, Signature, SSlibKey  # type: ignore[attr-defined]  # not in its __all__

from cases import EnvironmentNotReady, InputError, PackError
from cases.sentences import Sentences
from evidence.bag import ATTESTATION, INFO, SCHEMA, TAG_MANIFEST, told_in
from evidence.text import dumps, loads
from graph.verdict import Audit

say = Sentences(__name__)

__all__ = [
    "ATTESTATION",
    "LIMIT",
    "CryptoSigner",
    "Key",
    "attestation_again",
    "attested",
    "key_of",
    "load_key",
    "load_signer",
    "new_key",
    "public_path",
    "signer_of",
]

LIMIT = "a self-made key proves only that nothing changed since it signed, not who holds it"
_PAYLOAD_TYPE = "application/vnd.in-toto+json"
_STATEMENT = "https://in-toto.io/Statement/v1"
_PREDICATE = "urn:impassable:verdict:1"


@dataclass(frozen=True)
class Key:
    """A public key."""

    pem: str

    @property
    def fingerprint(self) -> str:
        """`SHA256:` and the digest of the key as `ssh-keygen` and `openssl` could compute it from its DER form."""
        der = _public(self.pem.encode(), "the key").public_bytes(
            serialization.Encoding.DER, serialization.PublicFormat.SubjectPublicKeyInfo
        )
        return "SHA256:" + base64.b64encode(hashlib.sha256(der).digest()).decode().rstrip("=")


def new_key(path: Path) -> Key:
    """Make a key, keep its private part at `path` for its owner only, and its public part beside it as `.pub`.

    Raises:
        InputError: a key is there already.
        EnvironmentNotReady: the folder cannot be written.
    """
    signer = CryptoSigner.generate_ed25519()
    private = signer.private_bytes
    key = _key_of(serialization.load_pem_private_key(private, None))
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
            file.write(private)
        public_path(path).write_text(key.pem, encoding="ascii")
    except FileExistsError:
        raise InputError(say("signing.key_already_another_file", path=path)) from None
    except OSError as error:
        raise EnvironmentNotReady(
            say("signing.key_cannot_written_another", path=path, strerror=error.strerror)
        ) from None
    return key


def public_path(path: Path) -> Path:
    """Where the public part of the private key at `path` lies."""
    return path.with_name(path.name + ".pub")


def load_signer(path: Path) -> CryptoSigner:
    """The private key at `path`.

    Raises:
        InputError: there is none, or it is no ed25519 key in PEM form without a password.
    """
    try:
        private = serialization.load_pem_private_key(path.read_bytes(), None)
    except OSError as error:
        raise InputError(say("signing.key_cannot_read_verify", path=path, strerror=error.strerror)) from None
    except (ValueError, TypeError, UnsupportedAlgorithm):
        raise InputError(say("signing.not_private_key_plain", path=path)) from None
    if not isinstance(private, Ed25519PrivateKey):
        raise InputError(say("signing.not_ed_key_verify", path=path))
    return CryptoSigner(private)


def load_key(path: Path) -> Key:
    """The public key at `path`, or the public part of the private key there.

    Raises:
        InputError: there is none.
    """
    try:
        data = path.read_bytes()
    except OSError as error:
        raise InputError(say("signing.key_cannot_read_public", path=path, strerror=error.strerror)) from None
    if b"PRIVATE KEY" in data:
        return key_of(load_signer(path))
    try:
        return _key_of(_public(data, str(path)))
    except PackError as error:
        raise InputError(say("signing.public_key_pem_form", error=error)) from None


def key_of(signer: CryptoSigner) -> Key:
    """The public part of a signer."""
    return _key_of(serialization.load_pem_private_key(signer.private_bytes, None))


def attested(content: Mapping[str, bytes], audit: Audit, signer: CryptoSigner) -> dict[str, bytes]:
    """`content` with a signed statement about every file in it.

    The same content and key give the same bytes.
    """
    envelope = Envelope(_statement(content, audit, key_of(signer)), _PAYLOAD_TYPE, {})
    envelope.sign(signer)
    return {**content, ATTESTATION: dumps(envelope.to_dict()).encode()}


def _statement(content: Mapping[str, bytes], audit: Audit, key: Key) -> bytes:
    """What a key signs of a pack: every file but the signature and the tag manifest, and the verdict."""
    verdict = audit.verdict
    told = {path: data for path, data in sorted(content.items()) if path not in (ATTESTATION, TAG_MANIFEST)}
    statement = {
        "_type": _STATEMENT,
        "subject": [
            {"name": path, "digest": {"sha256": hashlib.sha256(data).hexdigest()}} for path, data in told.items()
        ],
        "predicateType": _PREDICATE,
        "predicate": {
            "schema": SCHEMA,
            "benchmark": audit.case.benchmark,
            "task_id": audit.case.task_id,
            "status": verdict.status.value,
            "score": verdict.score,
            "reason": verdict.reason,
            "public_key": key.pem,
        },
    }
    return dumps(statement).encode()


def attestation_again(content: Mapping[str, bytes], audit: Audit, key: Key) -> bytes:
    """The attestation of a pack as `attested` writes it of these files, with the signature that the pack bears.

    Args:
        content: Every file of the pack, its attestation too.
        audit: What the pack is about.
        key: Whose signature `signer_of` found.
    """
    public = _ssl(key)
    held = Envelope.from_dict(loads(content[ATTESTATION])).signatures[public.keyid]
    signature = Signature(public.keyid, held.signature)
    envelope = Envelope(_statement(content, audit, key), _PAYLOAD_TYPE, {public.keyid: signature})
    return dumps(envelope.to_dict()).encode()


def signer_of(content: Mapping[str, bytes]) -> Key | None:
    """Whose signature a pack carries; None for an unsigned one.

    Raises:
        PackError: the signature does not fit the pack, or the pack says that there was one.
    """
    raw, named = content.get(ATTESTATION), told_in(content).signer
    if raw is None:
        if named is not None:
            raise PackError(say("signing.says_signed_pack_missing", info=INFO, named=named, attestation=ATTESTATION))
        return None
    try:
        envelope = Envelope.from_dict(loads(raw))
        statement: dict[str, Any] = loads(envelope.payload)
        key = Key(statement["predicate"]["public_key"])
        signed = {one["name"]: one["digest"]["sha256"] for one in statement["subject"]}
        envelope.verify([_ssl(key)], 1)
    except (VerificationError, UnverifiedSignatureError):
        raise PackError(say("signing.not_bear_signature_key", attestation=ATTESTATION)) from None
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise PackError(say("signing.not_signed_statement_altered", attestation=ATTESTATION, error=error)) from error
    if envelope.payload_type != _PAYLOAD_TYPE or statement.get("_type") != _STATEMENT:
        raise PackError(say("signing.not_toto_statement_get", attestation=ATTESTATION))
    _require_covered(content, signed)
    if named != key.fingerprint:
        raise PackError(
            say(
                "signing.names_signer_bears_signature",
                info=INFO,
                named=named or "no key",
                attestation=ATTESTATION,
                fingerprint=key.fingerprint,
            )
        )
    return key


def _require_covered(content: Mapping[str, bytes], signed: Mapping[str, str]) -> None:
    told = {path: data for path, data in content.items() if path not in (ATTESTATION, TAG_MANIFEST)}
    for path in sorted({*signed, *told}):
        if path not in told or signed.get(path) != hashlib.sha256(told[path]).hexdigest():
            raise PackError(say("signing.not_signed_altered_after", path=path, attestation=ATTESTATION))


def _ssl(key: Key) -> SSlibKey:
    return SSlibKey.from_crypto(_public(key.pem.encode(), "its public key"))


def _key_of(key: object) -> Key:
    public = key.public_key() if isinstance(key, Ed25519PrivateKey) else key
    assert isinstance(public, Ed25519PublicKey)
    pem = public.public_bytes(serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo)
    return Key(pem.decode("ascii"))


def _public(pem: bytes, name: str) -> Ed25519PublicKey:
    try:
        key = serialization.load_pem_public_key(pem)
    except (ValueError, UnsupportedAlgorithm):
        raise PackError(say("signing.no_public_key_pem", name=name)) from None
    if not isinstance(key, Ed25519PublicKey):
        raise PackError(say("signing.no_ed_key", name=name))
    return key
