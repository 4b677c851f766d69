"""Whether an expected answer may stand in texts in a form in which nobody looked for it."""

import unicodedata
from collections import Counter
from collections.abc import Sequence

from cases import patterns as re
from cases.answers.places import content, has_numbers
from cases.answers.text_match import visible
from cases.answers.values import tokens, unaccented
from cases.model import Task

NEAR = 40
"""Characters within which the words of a name stand, in whatever order."""
AROUND, WORDS, FEW, FRAMED = 300, 2, 8, 2
"""Characters around what is found, how many of the task's own words must stand there, texts that are too few to tell
which words most of them have, and how many it takes to tell which words all of them have.
"""
WHOLE_NAME = 3
"""Words of a name beside which one of the task's, or near which a number of it, is enough."""
SHARED = 0.25
"""Of a language's short words, those that any text in it has."""
PARTS = re.compile(r"\s*[,;/]\s+|\s+[&–—|-]\s+")
"""What stands between the parts of an answer."""
_CLOCK = re.compile(r"(?i)(?:^|[^\d:])(?:[01]?\d|2[0-3]):[0-5]\d(?:$|[^\d:])|\b\d{1,2}\s*[ap]\.?m\b")
_NAME = re.compile(r"[^\W\d_]{3,}")
_SHORT = re.compile(r"\b[^\W\d_]{2,4}\b")
_FEWEST, _NAMES = 4, 5
"""Short words of a prompt that tell its language, and words of an answer that may be a name."""
YEAR = re.compile(r"\b(?:1[5-9]|20)\d\d\b")
ADDRESS = re.compile(r"(?i)\b(?:https?://|www\.)\S+")
_LONG = 400
"""Characters of texts from which a language can be told."""


def in_another_form(texts: Sequence[str], task: Task) -> bool:
    """Whether the texts may say the answer otherwise: a time of day, a name in another order or a part of it, another
    language.
    """
    gold, prompt = task.gold or "", task.prompt or ""
    if _CLOCK.search(gold):
        return True
    written = _NAME.findall(unaccented(gold))
    labels = tokens(prompt) if any(char.isdigit() for char in gold) else ()
    names = [word.casefold() for word in written if word.casefold() not in labels]
    folded = [unaccented(text).casefold() for text in texts]
    if len(names) > 1 and any(_near(text, names) for text in folded):
        return True
    parts = name_words(task)
    if parts and any(parts.intersection(_NAME.findall(text)) for text in folded):
        return True
    if parts and _script(" ".join(texts)) not in {"", _script(gold)}:
        return True
    proper = all(word[:1].isupper() for word in written)
    return not proper and not any(char.isdigit() for char in gold) and _foreign(texts, prompt)


def name_words(task: Task) -> set[str]:
    """The words of an answer that is a name of several, without those of the task, in lower case; else none."""
    gold = task.gold or ""
    written = [word for word in _NAME.findall(unaccented(gold)) if word[:1].isupper()]
    if len(written) < WORDS or len(gold.split()) > _NAMES or any(char.isdigit() for char in gold):
        return set()
    return {word.casefold() for word in written}.difference(tokens(task.prompt or ""))


def lacks_a_name(texts: Sequence[str], task: Task) -> bool:
    """Whether a part of the answer has a name of two words or more, beyond the task's own, of which none stands in the
    texts: not as initials either, and not in another language or script.
    """
    parts = PARTS.split(task.gold or "")
    whole, prompt = "\n".join(texts), task.prompt or ""
    folded = unaccented(whole).casefold()
    for part in parts:
        written = [word for word in _NAME.findall(unaccented(part)) if word[:1].isupper()]
        names = {word.casefold() for word in written}.difference(tokens(prompt))
        initials = "".join(word[0] for word in written)
        short = re.search(rf"\b{initials}\b|\b{written[-1][0]}\.", whole) if written else None
        if len(names) >= WORDS and not short and not any(name in folded for name in names):
            return _script(folded) == _script(part) and not _foreign(texts, prompt)
    return False


def _script(text: str) -> str:
    """The script that most letters of a text are of, by their names in Unicode; empty where it has none."""
    scripts = Counter(unicodedata.name(char, "").partition(" ")[0] for char in text if char.isalpha())
    return next((script for script, _ in scripts.most_common(1)), "")


def _near(text: str, names: Sequence[str]) -> bool:
    place = text.find(names[0])
    while place >= 0:
        window = text[max(0, place - NEAR) : place + len(names[0]) + NEAR]
        if all(name in window for name in names):
            return True
        place = text.find(names[0], place + 1)
    return False


def _foreign(texts: Sequence[str], prompt: str) -> bool:
    """Whether hardly any short word of the prompt stands in texts that are long enough to have them."""
    short = {word for word in _SHORT.findall(prompt) if word.islower()}
    said = " ".join(texts)
    if len(short) < _FEWEST or len(said) < _LONG:
        return False
    here = set(_SHORT.findall(said))
    return len(short & here) < SHARED * len(short)


def in_answer(value: str, text: str, task: Task, others: Sequence[str]) -> bool:
    """Whether a value stands in a text among words of the task, those left out that frame the `others`; and so does one
    of the years that the task names.
    """
    years = YEAR.findall(ADDRESS.sub(" ", task.prompt or ""))
    if not visible((value,), text, "") or (years and not any(year in text for year in years)):
        return False
    place = text.casefold().find(value.casefold())
    if place < 0:
        return True
    count = Counter(word for other in others for word in content(tokens(other)))
    framing = {
        word for word, times in count.items() if times * 2 > max(len(others), FEW) or times == len(others) >= FRAMED
    }
    asked = content(tokens(task.prompt or "")) - framing - content(tokens(value))
    whole_name = len(content(tokens(value))) >= WHOLE_NAME and not has_numbers(value)
    figures = {word for word in tokens(task.prompt or "") if word.isdecimal()} if whole_name else set[str]()
    while place >= 0:
        around = f"{text[max(0, place - AROUND) : place]} {text[place + len(value) : place + len(value) + AROUND]}"
        near = tokens(text[max(0, place - NEAR) : place + len(value) + NEAR])
        spoken = content(tokens(around)) & asked
        if len(spoken) >= min(1 if whole_name else WORDS, len(asked)) or figures.intersection(near):
            return True
        place = text.casefold().find(value.casefold(), place + 1)
    return False
