"""HTTP archives as evidence: bounded, and without what would let anybody in."""

import io
import json
import zipfile
from pathlib import Path
from typing import Any

LIMIT = 6_000_000
"""Bytes of bodies that are kept with an archive; beyond it the exchange stays and the bodies go."""
_SECRET = frozenset({"cookie", "set-cookie", "authorization", "proxy-authorization", "x-api-key", "x-csrf-token"})
REMOVED = "[removed]"


def without_secrets(archive: Path) -> bytes:
    """The zipped archive with cookies and credentials struck out; empty when it cannot be read."""
    try:
        with zipfile.ZipFile(archive) as source:
            members = {item.filename: item.file_size for item in source.infolist()}
            names = [name for name in members if name.endswith(".har")]
            bodies = [name for name in members if name not in names]
            kept = bodies if sum(members[name] for name in bodies) <= LIMIT else []
            told = {name: _clean(source.read(name)) for name in names}
            told |= {name: source.read(name) for name in kept}
    except (zipfile.BadZipFile, OSError, ValueError):
        return b""
    return _zipped(told)


def _zipped(members: dict[str, bytes]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as target:
        for name in sorted(members):
            target.writestr(zipfile.ZipInfo(name), members[name], zipfile.ZIP_DEFLATED, compresslevel=1)
    return out.getvalue()


def _clean(raw: bytes) -> bytes:
    told = json.loads(raw)
    for entry in told.get("log", {}).get("entries", []):
        for side in ("request", "response"):
            _strike(entry.get(side, {}))
    return json.dumps(told, ensure_ascii=True).encode()


def _strike(side: dict[str, Any]) -> None:
    for header in side.get("headers", []):
        if str(header.get("name", "")).lower() in _SECRET:
            header["value"] = REMOVED
    for cookie in side.get("cookies", []):
        cookie["value"] = REMOVED
    side.pop("postData", None)
