"""Secrets that stand near what names them, whatever markup, signs or words lie between.

How much a value must look like a secret depends on what lies between: little where only signs do, much where words do.
"""

from collections.abc import Iterator
from functools import cache

from cases import patterns as re
from cases.secrets.data import TAIL, Name, names, words
from cases.secrets.layout import Place
from cases.secrets.values import alphabetic, counts, is_uuid, phrase

_REACH, _BACK = 40, 25
"""Signs that may lie between a name and a value behind it, and between a value and a name behind that."""
_WINDOW, _LONGEST, _PHRASE = 400, 100, 20
_VALUE = re.compile(r"[^\s\"'`<>()\[\]{},;&|\\“”«»„●=:\x00]+={0,2}")
_TRAILING = ".,:;!?*~_"
_ALONE = re.compile(
    r"(?:<!?[\w\[:.-]{1,24}[>\[]|[\"'`:>-]|[^\S\n]){0,8}(?P<value>[^\s\"'`<>(){}\[\],;]+)"
    r"[\"'`\],;]{0,3}(?:</?[^\n<>]{1,40}>)?[ \t]*\r?"
)
_TIGHT = re.compile(
    r"(?i)(?:\\?[\"'`*_~:=>,(\[{|&#\\#\])}\s-]|:=|<!\[CDATA\[|</?[\w:.-]{1,20}(?:\s[^<>]{0,60})?>|!{1,2}[a-z]{1,8}\s|&\w{1,20}\s"
    r"|\bis\b|\bwas\b|\b[bfru]{1,2}[\"'])*"
)
_SIGN = re.compile(r"[^\w\s]|\b(?:is|was)\b")
_ENDED = re.compile(r"(?:[:=]|\b(?i:is|was))\s{0,3}[\"'`*_]{0,3}$")
_ASSIGNED = re.compile(r"[:=]")
_QUOTED = re.compile(
    r"[\"']?\]?\)?\s{0,3}(?:=>|[:=])\s{0,3}\\?(?:\"(?P<double>[^\"\\\r\n]{4,300})\\?\"|'(?P<single>[^'\\\r\n]{4,300})\\?')"
)
_DIGEST = re.compile(r"[0-9a-f]{7,}|[0-9A-F]{7,}|[a-z_]+-[0-9a-f]{8}")
_NO_VALUE = re.compile(r"[/\\]|\w\.\w|^[-+]|\$\w|%[(\w]|^0x[0-9A-Fa-f]{0,40}$|![rsa]$")
_SHORTEST, _MASKED = 8, "●"


def told(text: str) -> Iterator[Place]:
    """What names in a text show to be secret."""
    for name, pattern in _names():
        for match in pattern.finditer(text):
            if TAIL in pattern.groupindex and match[TAIL] and words().tails.search(match[TAIL]):
                continue
            yield from _behind(name, text, match)
            if name.back:
                yield from _before(name, text, match.start())


def _behind(name: Name, text: str, match: re.Match[str]) -> Iterator[Place]:
    start = match.end()
    window = text[start : start + _WINDOW]
    end = window.find("\n")
    line = window[:end] if end >= 0 else window
    if name.phrases and len(line) > _PHRASE and (quoted := _QUOTED.match(line)):
        group = "double" if quoted["double"] else "single"
        if phrase(quoted[group]):
            yield name.id, start + quoted.start(group), start + quoted.end(group)
            return
    for word in _VALUE.finditer(line[: _REACH + _LONGEST]):
        if word.start() > _REACH:
            return
        value = word[0].rstrip(_TRAILING)
        if len(value) < name.shortest or (value[-1] == "=" and not _odd(value)):
            continue
        between = line[: word.start()]
        if _counts(name, match, between, value, line[word.start() + len(value) :]):
            yield name.id, start + word.start(), start + word.start() + len(value)
            return
    below = end >= 0 and name.below and len(line) <= _REACH and _MASKED not in line
    if below and (alone := _ALONE.match(window, end + 1)):
        value = alone["value"].rstrip(_TRAILING)
        stops = window[alone.end() : alone.end() + 1] in ("", "\n")
        if stops and _odd(value):
            yield name.id, start + alone.start("value"), start + alone.start("value") + len(value)


def _counts(name: Name, match: re.Match[str], between: str, value: str, after: str) -> bool:
    follows = after[:1]
    tight = _TIGHT.fullmatch(between) and _SIGN.search(match[0][-1:] + between)
    if tight or (name.spaced.search(match[0]) and between.isspace()):
        if name.numbers and is_uuid(value) and _ASSIGNED.search(match[0][-1:] + between):
            return True
        if name.letters and alphabetic(value) and not follows.startswith(("(", ".", "[")):
            return True
        judged = name.tight if tight else "strange"
        return counts(value, follows, judged) and not _NO_VALUE.search(value) and not after.startswith((".", "("))
    if _ENDED.search(between) and name.ended and counts(value, follows, name.ended):
        return not _NO_VALUE.search(value) and not after.startswith("(")
    return _odd(value) and not after.startswith("(")


def _odd(value: str) -> bool:
    """Whether a value is nobody's word, and no digest, place or number of a version."""
    return (
        len(value) >= _SHORTEST
        and any(sign.isdigit() for sign in value)
        and counts(value, "", "random")
        and not _DIGEST.fullmatch(value)
        and not _NO_VALUE.search(value)
    )


def _before(name: Name, text: str, start: int) -> Iterator[Place]:
    first = max(0, start - _BACK - _LONGEST)
    line = text[max(first, text.rfind("\n", first, start) + 1) : start]
    if not any(map(str.isdigit, line)):  # nothing odd stands there
        return
    for word in _VALUE.finditer(line):
        value = word[0].rstrip(_TRAILING)
        if len(line) - word.start() - len(value) <= _BACK and _odd(value):
            at = start - len(line) + word.start()
            yield name.id, at, at + len(value)


@cache
def _names() -> tuple[tuple[Name, re.Pattern[str]], ...]:
    return tuple((name, re.compile(name.pattern)) for name in names())
