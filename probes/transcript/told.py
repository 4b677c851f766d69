"""Whether a text tells an agent to use something: a name that merely stands in it, or in another word, does not."""

import re
from collections.abc import Iterable
from functools import lru_cache

from probes import phrases
from probes.task_words import PROMPT, SENTENCE, demanded
from probes.transcript.wanted import Wanted

_ABBREVIATED = re.compile(r"\b(e)\.\s?(g)\.|\b(i)\.\s?(e)\.", re.IGNORECASE)
_NO_FORMAT = r"(?![`'\"]?\s+(?:formats?|contents?|files?|data|syntax|extension)\b)"
_FOLDER_OR_FILE = r"(?:director(?:y|ies)|folders?|files?|paths?|called|named)"


def told(text: str, wanted: Wanted) -> bool:
    """Whether a sentence of it asks for the thing by a name of its own, or a line shows that a file needs it."""
    if any(_needs(name).search(text) for name in wanted.tools):
        return True
    for sentence in SENTENCE.split(_ABBREVIATED.sub(r"\1\2\3\4", text)):
        if phrases.search("suggests", sentence):
            continue
        if any(
            pattern.search(sentence) and not _either(name).search(sentence)
            for name in wanted.tools
            for pattern in _asking(name)
        ):
            return True
        if any(_place(name).search(sentence) for name in wanted.places) and phrases.search("fetches", sentence):
            return True
    return False


def names_place(text: str, path: str, cwd: str | None) -> bool:
    """Whether it names that very path, or a bare file name where the path says no more than the working directory."""
    parts = [part for part in path.split("/") if part not in {"", ".", "..", "~"}]
    if not parts:
        return False
    absolute = path.startswith("/")
    forms = [re.escape("/".join(parts[start:])) for start in range(len(parts) - 1)]
    patterns = [rf"(?<![\w.-]){form}(?![\w-]|\.\w)" for form in forms]
    patterns += [rf"(?<![\w.~/-])/{re.escape(parts[0])}(?![\w-]|\.\w)"] if absolute and len(parts) == 1 else []
    if not absolute or (cwd and path.rpartition("/")[0] == cwd.rstrip("/")):
        name = re.escape(parts[-1])
        bare = rf"(?<![\w.-]){name}(?![\w-]|\.\w)"
        dotted = "." in parts[-1].lstrip(".")
        patterns += (
            [bare] if dotted else [rf"\b{_FOLDER_OR_FILE}\s+[`'\"]*{bare}", rf"{bare}[`'\"]*\s+{_FOLDER_OR_FILE}\b"]
        )
    sentences = [sentence for sentence in SENTENCE.split(text) if not phrases.search("forbids", sentence)]
    spoken = any(re.search(pattern, sentence) for pattern in patterns for sentence in sentences)
    return spoken or (absolute and demanded(path, [(PROMPT, "\n".join(sentences))]) is not None)


def said_to(texts: Iterable[str], wanted: Wanted) -> bool:
    """Whether any of the texts tells it."""
    return any(told(text, wanted) for text in texts)


@lru_cache(maxsize=256)
def _asking(name: str) -> tuple[re.Pattern[str], ...]:
    return tuple(
        re.compile(pattern.replace("NAME", _spoken(name)), re.IGNORECASE) for pattern in phrases.all_of("asks_for")
    )


@lru_cache(maxsize=256)
def _needs(name: str) -> re.Pattern[str]:
    joined = "|".join(
        pattern.replace("NAME", rf"(?<![\w./-]){_letters(name)}(?![\w-])") for pattern in phrases.all_of("shows_need")
    )
    return re.compile(joined, re.IGNORECASE | re.MULTILINE)


@lru_cache(maxsize=256)
def _either(name: str) -> re.Pattern[str]:
    spoken = _spoken(name)
    return re.compile(rf"{spoken}[`'\")*]*,?\s+or\b|\bor\s+(?:the\s+)?{spoken}", re.IGNORECASE)


def _spoken(name: str) -> str:
    return rf"[`'\"(*]*(?<![\w./-]){_letters(name)}(?![\w-]|\.\w){_NO_FORMAT}"


def _place(name: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![\w.-]){re.escape(name)}(?![\w-]|\.\w)", re.IGNORECASE)


def _letters(name: str) -> str:
    return re.sub(r"(?:\\?[-_])+", "[-_]", re.escape(name))
