"""The public variant of an audit: without the answers that a benchmark expects and this machine's own places."""

import getpass
import json
import re
from collections.abc import Iterable
from enum import Enum
from pathlib import Path
from typing import Any, Literal, get_args, get_origin

from pydantic import BaseModel

from cases import Case, Task
from cases.secrets import MASK
from graph.verdict import Audit

_SHORTEST_ANSWER = 4
_SHORTEST_NUMBER = 3
_OWN = frozenset(
    {
        "artifact",
        "category",
        "decisive",
        "deficiency_type",
        "hypothesis",
        "id",
        "leading",
        "locus",
        "media_type",
        "probe",
        "rubric",
        "sha256",
    }
)
"""Fields in which the program names things; no answer hides there, and the verdict rests on them."""
_NOBODY = frozenset({"root", "user", "ubuntu", "runner", "admin", "nobody", "agent"})
"""User names that tell nobody's, and stand in everybody's containers."""


class Public:
    """Masks gold answers wherever they stand, and the user's name and the folders of this machine."""

    def __init__(self, case: Case) -> None:
        """Learn what `case` expects; an answer of under four characters is masked in the task alone."""
        words = [*_answers(case.task.gold or ""), *_places(), *_folders(case)]
        parts = [_whole(word) for word in sorted(set(words), key=lambda word: (-len(word), word))]
        self._pattern = re.compile("|".join(parts), re.IGNORECASE) if parts else None

    def text(self, text: str) -> str:
        """A text without them; each mask is as long as what it hides."""
        return self._pattern.sub(lambda match: _masked(match.group()), text) if self._pattern else text

    def audit(self, audit: Audit) -> Audit:
        """The audit without them; words that the program itself chose stay."""
        return Audit.model_validate(self._record(audit))

    def _record(self, value: Any, annotation: Any = None) -> Any:  # noqa: ANN401 - any JSON value
        if isinstance(value, Enum) or _closed(annotation):
            return value
        if isinstance(value, str):
            return self.text(value)
        if isinstance(value, BaseModel):
            fields = type(value).model_fields
            told = {
                name: getattr(value, name) if name in _OWN else self._record(getattr(value, name), field.annotation)
                for name, field in fields.items()
            }
            return told | _without_gold(value) if isinstance(value, Task) else told
        if isinstance(value, tuple | list):
            return [self._record(item, annotation) for item in value]
        if isinstance(value, dict):
            return {self._record(key): self._record(item) for key, item in value.items()}
        return value


def _without_gold(task: Task) -> dict[str, Any]:
    gold = task.gold if task.gold is None else _masked(task.gold)
    return {"gold": gold, "gold_urls": [_masked(url) for url in task.gold_urls]}


def _answers(gold: str) -> Iterable[str]:
    """A gold value, its lines, and the values of those that are JSON."""
    for line in {gold, *gold.splitlines()}:
        yield from (word for word in _leaves(line) if _tells(word))


def _leaves(text: str) -> list[str]:
    try:
        value = json.loads(text)
    except ValueError:
        return [text.strip()]
    found, left = [text.strip()], [value]
    while left:
        one = left.pop()
        if isinstance(one, dict | list):
            left += one.values() if isinstance(one, dict) else one
        elif one is not None and not isinstance(one, bool):
            found.append(str(one).strip())
    return found


def _tells(word: str) -> bool:
    return len(word) >= _SHORTEST_ANSWER or (word.isdigit() and len(word) >= _SHORTEST_NUMBER)


def _places() -> list[str]:
    home, here = str(Path.home()), str(Path.cwd())
    try:
        user = getpass.getuser()
    except (KeyError, OSError):
        user = home.rpartition("/")[2]
    found = [here] if here.count("/") > 1 else []
    return found if user in _NOBODY else [*found, home, user]


def _folders(case: Case) -> Iterable[str]:
    """Where on this machine the records were read from."""
    for source in {run.source for run in case.runs} | {claim.source for claim in case.claims}:
        folder = source.rpartition("/")[0]
        if source.startswith("/") and folder.count("/") > 1:
            yield folder


def _whole(word: str) -> str:
    spaced = r"\s+".join(re.escape(part) for part in word.split())
    return rf"(?<!\w)(?<!\d\.){spaced}(?!\w)(?!\.\d)"


def _closed(annotation: Any) -> bool:  # noqa: ANN401 - any annotation
    return get_origin(annotation) is Literal or any(_closed(part) for part in get_args(annotation))


def _masked(text: str) -> str:
    return re.sub(r"\S", MASK, text)
