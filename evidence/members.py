"""The texts inside an artifact, so that all of them can be masked: its own, or those of a zip's members."""

import io
import json
import zipfile
from collections.abc import Mapping
from typing import Any

from cases import PackError
from cases import patterns as re
from cases.secrets import MASK, shown_headers
from cases.sentences import Sentences
from evidence.archive import members
from evidence.artifacts import EvidenceFile, is_text

say = Sentences(__name__)

_ZIP = b"PK\x03\x04"
_ENCODING = ("utf-8", "surrogateescape")


def texts_of(file: EvidenceFile) -> dict[str, str]:
    """What an artifact says, by member; its own text has the name ``.

    Raises:
        PackError: a zip that is not safe to open.
    """
    if file.text is not None:
        return {"": file.text}
    return {name: data.decode(*_ENCODING) for name, data in _members(file).items() if is_text("", data)}


def with_texts(file: EvidenceFile, texts: Mapping[str, str]) -> bytes:
    """The artifact's bytes with other texts; recorded exchanges keep only the header values that may be shown.

    Raises:
        PackError: a zip that is not safe to open.
    """
    if "" in texts:
        return texts[""].encode(*_ENCODING)
    before = _members(file)
    after = before | {name: text.encode(*_ENCODING) for name, text in texts.items()}
    after |= {name: _without_values(data) for name, data in after.items() if name.endswith(".har")}
    if after == before:
        return file.data
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w") as archive:
        for name, data in sorted(after.items()):
            archive.writestr(zipfile.ZipInfo(name), data, zipfile.ZIP_DEFLATED, 9)
    return written.getvalue()


def _members(file: EvidenceFile) -> dict[str, bytes]:
    if not file.data.startswith(_ZIP):
        return {}
    try:
        return members(file.data, file.path)
    except zipfile.BadZipFile:
        return {}
    except RuntimeError as error:
        raise PackError(say("members.cannot_searched_secrets_nothing", path=file.path, error=error)) from error


def _without_values(har: bytes) -> bytes:
    """A recorded exchange without cookies, posted data and header values that nobody has allowed."""
    try:
        told = json.loads(har)
        sides = [entry[side] for entry in told["log"]["entries"] for side in ("request", "response") if side in entry]
        for side in sides:
            _hide(side)
    except (ValueError, KeyError, TypeError, AttributeError):
        return har
    return json.dumps(told, ensure_ascii=False).encode()


def _hide(side: dict[str, Any]) -> None:
    hidden = [one for one in side.get("headers", []) if one["name"].lower() not in shown_headers()]
    hidden += side.get("cookies", [])
    if "text" in side.get("postData", {}):
        hidden += [{"value": side["postData"].pop("text")}, *side["postData"].get("params", [])]
    for one in hidden:
        one["value"] = re.sub(r"\S", MASK, one.get("value", ""))
