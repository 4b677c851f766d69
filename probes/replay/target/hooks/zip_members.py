"""The members of a damaged zip by their own headers: `list` prints each behind `whole` or `cut`, `all` writes them to a
new one where none is lost, `whole` those that are whole (APPNOTE.TXT, section 4.3).
"""

import struct
import sys
import zipfile
import zlib
from collections.abc import Iterator
from typing import NamedTuple

KNOWN = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
"""Methods that are undone here; what is packed by another is only there or not."""
HEADER, ENTRY, SIZES = b"PK\3\4", b"PK\1\2", b"PK\7\10"


class Member(NamedTuple):
    """One member as it stands; `end` is where the next begins."""

    name: str
    method: int
    plain: bytes
    whole: bool
    end: int


def members(data: bytes) -> Iterator[Member]:
    """In their order."""
    at = 0
    while data[at : at + 4] == HEADER and len(data) >= at + 30:
        flags, method, _, _, crc, size, _, name, extra = struct.unpack("<HHHHIIIHH", data[at + 6 : at + 30])
        begin, packed = at + 30 + name + extra, method == zipfile.ZIP_DEFLATED
        inflate = zlib.decompressobj(-15)
        body = data[begin : begin + size] if size or not packed else data[begin:]
        try:
            plain = inflate.decompress(body) if packed else body
        except zlib.error:
            plain = b""
        at = begin + (size or len(body) - len(inflate.unused_data))
        if flags & 8 and packed:
            told = data[at : at + 16]
            known = told[4:8] if told[:4] == SIZES else told[:4].ljust(4)
            (crc,) = struct.unpack("<I", known)
            at += 16 if told[:4] == SIZES else 12
        whole = begin + size <= len(data) and (not packed or inflate.eof)
        whole = whole and (method not in KNOWN or zlib.crc32(plain) == crc)
        named = data[begin - extra - name : begin - extra].decode("utf-8", "replace")
        yield Member(named, method, plain, whole, at)


def main(mode: str, path: str, to: str = "") -> int:
    """The exit code."""
    with open(path, "rb") as file:
        data = file.read()
    found = list(members(data))
    if mode == "list":
        for one in found:
            print("whole" if one.whole else "cut", one.name)
        return 0
    rest = data[found[-1].end :][:4] if found else b""
    last = bool(rest) and ENTRY.startswith(rest)
    kept = [one for one in found if one.whole]
    if not kept or any(one.method not in KNOWN for one in kept) or (mode == "all" and not (last and len(kept) == len(found))):
        return 1
    with zipfile.ZipFile(to, "w") as made:
        for one in kept:
            made.writestr(one.name, one.plain, one.method)
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
