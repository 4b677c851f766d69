"""HAL's encrypted uploads `*_UPLOAD.zip`; the plain text stays in memory.

The harness encrypts so that answers are not crawled, not so that they are secret: its passphrase is public.
"""

import base64
import io
import os
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache, partial
from pathlib import Path
from typing import BinaryIO

from cases.errors import CredentialsError, InputError
from cases.readers import archives
from cases.readers.base import Found
from cases.readers.fields import mapping
from cases.readers.hal import HalReader, read_hal
from cases.readers.sniff import Head
from cases.readers.streams import loads, opened
from cases.sentences import Sentences

say = Sentences(__name__)

VARIABLE = "VERIFY_HAL_PASSPHRASE"
PUBLIC = "hal1234"
ROUNDS = 480_000
LARGEST = 1 << 30
"""Bytes of an encrypted member, which cannot be decrypted in parts."""
KEYS = frozenset({"encrypted_data", "salt"})


class HalZipReader:
    """Reads encrypted results, zipped or not."""

    name = "HAL encrypted upload (*_UPLOAD.zip)"
    signs = "encrypted_data beside salt, in a zip archive's member or in plain JSON"
    omits = HalReader.omits

    def recognises(self, head: Head) -> bool:
        """The keys of the encryption, in the first member of an archive."""
        if not head.members:
            return head.json_keys >= KEYS
        try:
            with archives.member(head.path, head.members[0]) as stream:
                return b'"encrypted_data"' in stream.read(64)
        except InputError:
            return False

    def read(self, path: Path) -> Found:
        """The runs of every member."""
        found = Found()
        for name in _members(path):
            inner = read_hal(path, partial(_decrypted, path, name))
            found.runs += inner.runs
            found.problems += inner.problems
        return found


def _members(path: Path) -> tuple[str | None, ...]:
    """Names of an archive's members; None for a file that is no archive."""
    with opened(path) as stream:
        if stream.read(4) != archives.ZIP_MAGIC:
            return (None,)
    with archives.opened_zip(path) as archive:
        return tuple(name for name in archive.names if not name.endswith("/"))


@contextmanager
def _decrypted(path: Path, name: str | None) -> Iterator[BinaryIO]:
    yield io.BytesIO(_plain(path, name, path.stat().st_mtime_ns, os.environ.get(VARIABLE) or PUBLIC))


@lru_cache(maxsize=1)
def _plain(path: Path, name: str | None, _changed: int, passphrase: str) -> bytes:
    """The plain text; one is kept, since every task's transcript is read from it.

    Raises:
        InputError: the member holds nothing encrypted, or is damaged.
        CredentialsError: the passphrase is another.
    """
    from cryptography.fernet import Fernet, InvalidToken  # noqa: PLC0415 - only such files need it
    from cryptography.hazmat.primitives import hashes  # noqa: PLC0415
    from cryptography.hazmat.primitives.kdf.pbkdf2 import PBKDF2HMAC  # noqa: PLC0415

    with archives.member(path, name) if name is not None else opened(path) as stream:
        raw = stream.read(LARGEST + 1)
    if len(raw) > LARGEST:
        raise InputError(say("hal_zip.encrypted_member_too_large", path=path))
    data = mapping(loads(path, raw, limit=LARGEST))
    try:
        token = base64.b64decode(data["encrypted_data"].encode("ascii"), validate=True)
        salt = base64.b64decode(data["salt"].encode("ascii"), validate=True)
    except (KeyError, AttributeError, ValueError) as error:
        raise InputError(say("hal_zip.encrypted_data_salt_not", path=path, name=name or "top level")) from error
    key = PBKDF2HMAC(algorithm=hashes.SHA256(), length=32, salt=salt, iterations=ROUNDS).derive(passphrase.encode())
    try:
        return Fernet(base64.urlsafe_b64encode(key)).decrypt(token)
    except InvalidToken as error:
        raise CredentialsError(say("hal_zip.passphrase_not_open_file", path=path, variable=VARIABLE)) from error
