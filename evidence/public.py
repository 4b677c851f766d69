"""The public variant of an audit: without the answers that a benchmark expects and this machine's own places."""

import json
from collections.abc import Iterable
from enum import Enum
from pathlib import Path
from typing import Any, Literal, get_args, get_origin
from urllib.parse import quote, urlsplit

from pydantic import BaseModel

from cases import Case, Citation, Run, Task
from cases import patterns as re
from cases.answers.equivalence import compare
from cases.answers.families import equivalents
from cases.answers.values import SCALES, quantity
from cases.secrets import MASK
from graph.verdict import Audit

_SHORTEST_ANSWER = 4
_SHORTEST_NUMBER = 3
_LONGEST_SHORT = 8
"""Characters of a number before `million` that somebody may write."""
HIDDEN = 8 * MASK
"""What stands in the place of everything that is masked."""
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
    """Masks gold answers in every form, gold addresses, and the user's name and the folders of this machine."""

    def __init__(self, case: Case) -> None:
        """Learn what `case` expects; an answer of under four characters is masked in the task alone."""
        self._case, self._answered = case, _given(case)
        words = [*_places(), *_folders(case), *_forms(case)]
        words += [part for text in (case.task.gold or "", *self._answered) for part in _answers(text)]
        parts = [_address(url) for url in sorted(_addresses(case), key=lambda url: (-len(url), url))]
        for word in sorted(set(words), key=lambda word: (-len(word), word)):
            parts += [*_numbers(word), _whole(word)]
        self._pattern = re.compile("|".join(parts), re.IGNORECASE) if parts else None

    def text(self, text: str) -> str:
        """A text without them; all masks are of one length, so that they do not tell that of what they hide."""
        return self._pattern.sub(HIDDEN, text) if self._pattern else text

    def audit(self, audit: Audit) -> Audit:
        """The audit without them; words that the program itself chose stay, and citations move with the masks."""
        self._case = audit.case
        return Audit.model_validate(self._record(audit))

    def _record(self, value: object, annotation: object = None) -> Any:  # noqa: ANN401 - any JSON value
        if isinstance(value, Enum) or _closed(annotation):
            return value
        if isinstance(value, str):
            return self.text(value)
        if isinstance(value, BaseModel):
            return self._fields(value)
        if isinstance(value, tuple | list):
            return [self._record(item, annotation) for item in value]
        if isinstance(value, dict):
            return {self._record(key): self._record(item) for key, item in value.items()}
        return value

    def _cited(self, citation: Citation) -> dict[str, Any]:
        told = {name: self._record(getattr(citation, name)) for name in Citation.model_fields}
        if not self._case.cites(citation):
            return told
        text = self._case.text_of(citation.run_id, citation.block) or ""
        start, end = self._moved(text, citation.start, last=False), self._moved(text, citation.end, last=True)
        return told | {"start": start, "end": end, "quote": self.text(text)[start:end]}

    def _moved(self, text: str, place: int, *, last: bool) -> int:
        """Where a place in a text is once it is masked; one inside a mask moves to that side of it."""
        moved = place
        for match in self._pattern.finditer(text) if self._pattern else ():
            if match.end() <= place:
                moved += len(HIDDEN) - len(match.group())
            elif match.start() < place:
                return moved - place + match.start() + (len(HIDDEN) if last else 0)
        return moved

    def _fields(self, value: BaseModel) -> dict[str, Any]:
        if isinstance(value, Citation):
            return self._cited(value)
        told = {
            name: getattr(value, name) if name in _OWN else self._record(getattr(value, name), field.annotation)
            for name, field in type(value).model_fields.items()
        }
        if isinstance(value, Run) and value.answer in self._answered:
            return told | {"answer": HIDDEN}
        return told | _without_gold(value) if isinstance(value, Task) else told


def _without_gold(task: Task) -> dict[str, Any]:
    return {
        "grader": None,
        "reference": None,
        "gold": None if task.gold is None else HIDDEN,
        "gold_urls": [HIDDEN for _ in task.gold_urls],
    }


def _answers(gold: str) -> Iterable[str]:
    """A gold value, its lines, and the values of those that are JSON."""
    for line in {gold, *gold.splitlines()}:
        yield from (word for word in _leaves(line) if _tells(word))


def _given(case: Case) -> frozenset[str]:
    """What runs answered, where that is or may be the expected answer."""
    gold, answers = case.task.gold or "", {run.answer for run in case.runs if run.answer and run.answer.strip()}
    alike = (answer for answer in answers if compare(answer, gold, case.task.prompt or "").likeness != "different")
    return frozenset(alike) if gold.strip() else frozenset()


def _forms(case: Case) -> Iterable[str]:
    """Other forms of the expected answer."""
    forms = equivalents(case.task.gold, case.task.prompt or "") if case.task.gold and case.task.gold.strip() else ()
    yield from (form.text.strip() for form in forms if form.equivalent and _tells(form.text.strip()))


def _addresses(case: Case) -> set[str]:
    """The gold addresses, and their hosts."""
    hosts = {urlsplit(url).hostname or "" for url in case.task.gold_urls}
    return {part for part in (*case.task.gold_urls, *(host.removeprefix("www.") for host in hosts)) if part}


def _address(url: str) -> str:
    """The address anywhere, as in that of an archive's copy, also where its signs are written as %2F."""
    signs = {char: f"(?:{re.escape(char)}|{quote(char, safe='')})" for char in url if not char.isalnum()}
    escaped = "".join(signs.get(char, char) for char in url)
    return rf"(?:(?<![\w-])|(?<=%2F)|(?<=%40)){escaped}(?![\w-])"


def _numbers(word: str) -> Iterable[str]:
    """A whole number of four digits and more with anything that separates thousands, and in thousands or millions."""
    found = quantity(word)
    if found is None or found.value != found.value.to_integral_value() or abs(found.value) < 1000:
        return
    before, after = r"(?<!\w)(?<!\d[.,])", r"(?!\w)(?![.,]\d)"
    grouped = r"[,.'’\s]?".join(f"{abs(int(found.value)):,}".split(","))
    yield rf"{before}{grouped}(?:[.,]0+)?{after}"
    for name, scale in SCALES.items():
        short = format((abs(found.value) / scale).normalize(), ",f")
        if abs(found.value) >= scale >= 1000 and len(short) <= _LONGEST_SHORT:
            yield rf"{before}{re.escape(short)}\s?{name}{after}"


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
    import getpass  # noqa: PLC0415 - few packs are for everybody

    home, here = str(Path.home()), str(Path.cwd())
    try:
        user = getpass.getuser()
    except (KeyError, OSError):
        user = home.rpartition("/")[2]
    found = [here] if here.count("/") > 1 else []
    return found if user in _NOBODY else [*found, home, user]


def _folders(case: Case) -> Iterable[str]:
    """Where on this machine the records were read from."""
    given = case.task.reference
    own = {place for place in (given.place, given.script) if place} if given else set()
    for source in {run.source for run in case.runs} | {claim.source for claim in case.claims} | own:
        folder = source if source in own else source.rpartition("/")[0]
        if source.startswith("/") and folder.count("/") > 1:
            yield folder


def _whole(word: str) -> str:
    parts = re.findall(r"\w+", word)
    loose = len(parts) > 1 and quantity(word) is None and "/" not in word
    spaced = r"\W{1,3}".join(parts) if loose else r"\s+".join(re.escape(part, any_length=True) for part in word.split())
    return rf"(?<!\w)(?<!\d\.){spaced}(?!\w)(?!\.\d)"


def _closed(annotation: object) -> bool:
    return get_origin(annotation) is Literal or any(_closed(part) for part in get_args(annotation))
