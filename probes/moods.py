"""Whether a sentence that names a place for what is written demands it, forbids it, or only tells of it."""

import re
from enum import Enum

MAKE = r"(?:writ|sav|stor|creat|generat|produc|output|export|dump|plot|put|nam)\w*"
_VERB = re.compile(rf"\b(?:{MAKE}|plac\w*)\b", re.IGNORECASE)
_BASE = r"write|save|store|create|generate|produce|output|export|dump|plot|put|name|place"
_DONE = r"written|saved|stored|created|generated|produced|output|exported|dumped|plotted|put|named|placed"
_MUST = r"(?:must|should|shall|needs?\s+to|ha(?:s|ve)\s+to)"
_NOUN_AFTER = re.compile(r"(?i)\b(?:the|its|their|an?|all|your|each|every|this|any|new|final|these|those|of)\s+$")
_NOUN_BEFORE = re.compile(r"(?i)\s+(?:is|are|was|were|must|should|shall|will|needs?|has|have)\b")
_FORBIDS = re.compile(
    r"(?i)(?:\b(?:can)?not|\bnever|n[’']t|\bavoid|\brefrain from|\b(?:nothing|no \w+)(?:\s\w+){0,2})"
    r"\s+(?:ever\s+|also\s+|be\s+|to\s+)?$"
)
_COMMANDS = re.compile(
    r"(?i)(?:^|[,:;()*•>#–—-]|\d[.)]|\b(?:and|then|please|finally|next|also|first|afterwards|plus))[\s\"'`*_]*$"
    rf"|\b(?:{_MUST}|(?:need|required|asked|supposed|expected|sure|remember)\s+to|(?:task|job|goal)\s+is\s+to)"
    r"\s+(?:\w+ly\s+|also\s+|then\s+)?$"
)
_MUST_BE = re.compile(rf"(?i)\b{_MUST}\s+(?:\w+\s+)?be\s+(?:\w+(?:,|\s+and|\s+or)?\s+){{0,3}}$")
_MUST_LIE = re.compile(rf"(?i)\b{_MUST}\s+(?:\w+\s+)?(?:be|go|lie|stand|end)\b")
_IS = re.compile(r"(?i)\b(?:is|are|was|were|been|being|has|have|had)\s+(?:\w+\s+)?$")
_OF_THE_OUTPUT = re.compile(
    r"(?i)\b(?:outputs?|results?|answers?|submissions?|files?|everything)\s+(?:is|are)\s+(?:\w+\s+)?$"
)
_TELLS = re.compile(rf"(?i)(?:{_BASE})s|wrote|saved|stored|created|generated|produced|exported|dumped|plotted|placed")
_ASKS = re.compile(r"(?i)\b(?:want\w*|like|need\w*|expect\w*|prefer\w*|requir\w*|please|sure|ensure)\b")
_DOUBT = re.compile(
    r"(?i)\b(?:not|never|cannot|avoid\w*|without|nothing|none|nobody|no|nor|unless|if|may|might|can|could|optional\w*"
    r"|example|instead|rather|unlike|except)\b|n[’']t\b|\be\.g\."
)
_ANOTHER_CLAUSE = re.compile(
    r"(?i)\b(?:that|which|who|where|what|is|are|was|were|been|being|has|have|had|already|earlier|previous\w*|existing)\b"
)
_READ_THERE = re.compile(r"(?i)\b(?:of|for|about|across|between|comparing)\b")
_GOES_ON = re.compile(r"[`'\")>]*\s+(?:to|into)\b")
_OTHER_TO = re.compile(
    r"(?i)\b(?:\w*link\w*|relative|similar|compar\w+|identical|equal|according|access|refer\w*|next|prior|due|point\w*"
    r"|path|correspond\w*|respect|connect\w*|belong\w*|up)\s+$"
)
_STATIC = frozenset({"in", "at", "under", "inside"})
_NAMED = re.compile(r"(?i)outputs?(?: (?:director\w+|folder|file|path|location))?\s*[:=]|output (?:d|f|p|l)\w+\s+is\b")


class Mood(Enum):
    """What a sentence makes of a place."""

    DEMANDS = "demands"
    FORBIDS = "forbids"
    TELLS = "tells"
    OPEN = "open"


def mood_of(sentence: str, match: re.Match[str]) -> Mood:
    """Of a sentence in which `match` found the place `path`, behind a preposition `prep` where one leads to it.

    Only an imperative, or what must or should be done, demands; what is in doubt is open.
    """
    mood = _made(sentence, match) if "prep" in match.re.groupindex else _named(match)
    return Mood.OPEN if mood is Mood.DEMANDS and _DOUBT.search(sentence) else mood


def _named(match: re.Match[str]) -> Mood:
    """Places that a sentence gives without a verb of making, or behind them."""
    must = re.match(rf"(?i)[`'\")>]*\s+{_MUST}\b", match.string[match.end("path") :])
    return Mood.DEMANDS if must or _NAMED.match(match[0]) else Mood.OPEN


def _made(sentence: str, match: re.Match[str]) -> Mood:
    found = [word for word in _VERB.finditer(sentence, match.start(), match.start("prep")) if not _noun(sentence, word)]
    if not found:
        return Mood.DEMANDS if _MUST_LIE.search(match[0]) else Mood.OPEN
    if any(_FORBIDS.search(sentence[: word.start()]) for word in found):
        return Mood.FORBIDS
    if any(_demands(sentence, word, match) for word in found):
        return Mood.DEMANDS
    return Mood.TELLS if _tells(sentence[: found[0].start()], found[0][0]) else Mood.OPEN


def _noun(sentence: str, word: re.Match[str]) -> bool:
    return bool(_NOUN_AFTER.search(sentence[: word.start()]) or _NOUN_BEFORE.match(sentence, word.end()))


def _demands(sentence: str, word: re.Match[str], match: re.Match[str]) -> bool:
    before, between = sentence[: word.start()], sentence[word.end() : match.start("prep")]
    imperative = re.fullmatch(_BASE, word[0], re.IGNORECASE) and _COMMANDS.search(before)
    passive = re.fullmatch(_DONE, word[0], re.IGNORECASE) and _MUST_BE.search(before)
    if not (imperative or passive) or _ANOTHER_CLAUSE.search(between):
        return False
    if match["prep"].lower() in _STATIC:
        return not (
            _READ_THERE.search(between) or _GOES_ON.match(sentence, match.end("path")) or word[0].lower() == "plot"
        )
    return not _OTHER_TO.search(sentence[: match.start("prep")])


def _tells(before: str, word: str) -> bool:
    if re.fullmatch(_DONE, word, re.IGNORECASE) and _IS.search(before):
        return not _OF_THE_OUTPUT.search(before)
    return bool(before.strip() and _TELLS.fullmatch(word) and not _ASKS.search(before))
