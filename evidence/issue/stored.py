"""The issue text that lies in a pack, with the pack's own digest."""

import hashlib
from pathlib import Path

from cases.sentences import Sentences
from evidence.archive import opened
from evidence.bag import TAG_MANIFEST, require_whole
from evidence.issue.markdown import code

say = Sentences(__name__)

_NAME = "issue.md"


def stored_issue(pack: Path) -> str:
    """The issue text of a pack, a folder or a zip, ready to be pasted.

    Raises:
        InputError: there is nothing of that name.
        PackError: it is no pack, or was altered.
    """
    found = opened(pack)
    require_whole(found.content)
    digest = hashlib.sha256(found.content[TAG_MANIFEST]).hexdigest()
    text = found.content[_NAME].decode("utf-8", "replace")
    told = say("issue.pack", pack=code(found.folder), manifest=TAG_MANIFEST, digest=code(digest))
    return f"{text}\n{told}\n"
