"""Where secrets stand in a text, as it is and decoded."""

import codecs
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from cases import patterns as re
from cases.remembered import remembered
from cases.secrets.blocks import blocks
from cases.secrets.data import Kind, hints, kinds
from cases.secrets.layout import laid_out
from cases.secrets.listed import command_lines
from cases.secrets.naming import told
from cases.secrets.near import Near
from cases.secrets.options import given
from cases.secrets.runs import UNREAD
from cases.secrets.values import counts, is_uuid, placeholder, random
from cases.secrets.views import View, views

_SHORT, _LONGEST = 400, 20_000
"""Signs up to which what was found in a text is remembered, for many texts and for few: packs say most things again."""
_SHORTEST = 8
"""Signs of a secret from which on the next line may go on with it."""
_LONG = 12
_BULKY, _APART = 30_000, 150
"""Signs of a text from which on, and signs a secret up to which, it holds little else and is masked from end to end."""
_NEXT = re.compile(r"\\?\r?\n[ \t]*(?P<word>[A-Za-z0-9+/_=.-]+)")
_OWN = re.compile(
    r"0x[0-9a-fA-F]{40}|[a-z]{1,8}-0?[0-9a-f]{8,17}|/[\w.-]+(?:/[\w.-]+)+"
    r"|[\w.+-]*(?:\d{1,4}\.){2}\d[\w.+-]*|[\w.+-]+\.(?:whl|deb|rpm|gz|xz|zip|jar|so|py|js|json|txt|csv|md|log)"
)
"""Addresses, ids, paths, and files and packages by their names and versions."""
_DIGEST = re.compile(r"[0-9a-f]{7,12}|(?:[0-9a-f]{32}){1,4}|[0-9a-f]{40}|[0-9a-f]{56}")
_HEXADECIMAL = re.compile(r"[0-9a-f]{8}")
"""How a secret ends that a digest may go on with."""
_LINE_END = re.compile(r"\\?\r?\n|$")


@dataclass(frozen=True)
class Found:
    """A secret, and where it stands in the text that was given."""

    kind: str
    value: str
    """As it reads decoded."""
    start: int
    end: int
    guessed: bool
    """Whether only words near it show it, so that it may be a part of what joined lines show."""
    unsure: bool
    """Whether nobody knows that these lines were one, so that only what is not masked yet counts."""


def found(text: str, *, lines: bool = True) -> tuple[Found, ...]:
    """Every secret that patterns find in a text as it stands or decoded; without `lines` its rows say nothing."""
    if len(text) < _SHORTEST and text.isalnum():
        return ()
    return _kept(text, lines) if len(text) <= _LONGEST else tuple(_found(text, lines=lines))


@remembered(256, short=_SHORT)
def _kept(text: str, lines: bool) -> tuple[Found, ...]:
    return tuple(_found(text, lines=lines))


def _found(text: str, *, lines: bool) -> Iterator[Found]:
    for view in views(text, joined=lines):
        unsure = view.joined in ("perhaps", "blindly")
        known: dict[tuple[int, int], int] = {}
        secrets = 0
        for start in (at for at, sign in enumerate(view.text) if sign == UNREAD) if UNREAD in view.text else ():
            yield Found("packed", "", *view.where(start, start + 1), guessed=False, unsure=False)
        for offset, part in view.parts:
            for kind, start, end, guessed in _shown(part, view, lines=lines):
                value = part[start:end]
                if not placeholder(value):
                    stop = _continued(view.text, offset + start, offset + end, known)
                    begins, ends = view.where(offset + start, stop)
                    ends = _without_label(text, begins, ends)
                    yield Found(kind, value, begins, ends, guessed, unsure)
                    secrets += 1
        if len(text) >= _BULKY and secrets * _APART > len(text):
            yield Found("list of secrets", "", 0, len(text), guessed=False, unsure=False)
            return
    yield from _turned(text)


def _turned(text: str) -> Iterator[Found]:
    """Tokens whose form is known, in a text that is written backwards or with its letters moved on by thirteen."""
    for turned, backwards in ((text[::-1], True), (codecs.encode(text, "rot13"), False)):
        matched = _matched(turned, Near(turned, hints()), View(turned), formats=True)
        for kind, start, end in (*blocks(turned, begins=False), *matched):
            span = (len(text) - end, len(text) - start) if backwards else (start, end)
            if not placeholder(turned[start:end]):
                yield Found(kind, turned[start:end], *span, guessed=False, unsure=True)


def _continued(text: str, start: int, end: int, known: dict[tuple[int, int], int]) -> int:
    """Where a secret ends that goes on after its line: in a random word there, and in whole lines of such.

    `known` is where others that came by the same place and width ended.
    """
    if end - start < _SHORTEST:
        return end
    width, passed = 0, list[tuple[int, int]]()
    while after := _NEXT.match(text, end):
        word = after["word"]
        if not (_goes_on(word, text, start, end) if not width else len(word) <= width):
            break
        end, width = after.end(), len(word)
        if not _LINE_END.match(text, end):
            break
        if (end, width) in known:
            end = known[end, width]
            break
        passed.append((end, width))
    known.update(dict.fromkeys(passed, end))
    return end


def _goes_on(word: str, text: str, start: int, end: int) -> bool:
    """Whether the first word below a secret may be more of it: part of a key, and nothing that stands by itself."""
    if not _key(word) or is_uuid(word) or _OWN.fullmatch(word) or ("/" in word and "-" in word):
        return False
    return not _DIGEST.fullmatch(word) or _HEXADECIMAL.fullmatch(text[max(start, end - 8) : end]) is not None


def _without_label(text: str, start: int, end: int) -> int:
    """Where a secret ends that runs on into a word before a colon on the next line, which names what follows it."""
    line = text.rfind("\n", start, end)
    word = text[line + 1 : end + 1].strip()
    if line < 0 or not word.endswith(":") or not word.rstrip(":").isalpha():
        return end
    return start + len(text[start:line].rstrip())


def _key(word: str) -> bool:
    """Whether a word looks like part of a key."""
    mixed = "." not in word and {True} == {any(map(kind, word)) for kind in (str.isupper, str.islower, str.isdigit)}
    return random(word) or (mixed and len(word) >= _LONG)


def _shown(text: str, view: View, *, lines: bool) -> Iterator[tuple[str, int, int, bool]]:
    unsure = view.joined in ("perhaps", "blindly")
    near = Near(text, hints())
    alone = view.joined == "no"
    headless = alone and (not view.fresh or "-----BEGIN" not in view.text)
    for kind, start, end in (*blocks(text, ends=alone, begins=headless), *_matched(text, near, view)):
        yield kind, start, end, False
    if view.joined == "blindly":
        return
    for kind, start, end in _listed(text, view):
        yield kind, start, end, False
    for kind, start, end in given(text, near):
        if not unsure or counts(text[start:end], "", "strange"):
            yield kind, start, end, False
    if not lines:
        return
    for kind, start, end in laid_out(text):
        yield kind, start, end, False
    if unsure:
        return
    for kind, start, end in told(text):
        yield kind, start, end, True


def _listed(text: str, view: View) -> Iterator[tuple[str, int, int]]:
    """What lists of words show, read as command lines."""
    for line in command_lines(text):
        near = Near(line.text, hints())
        for kind, start, end in (*_matched(line.text, near, view), *given(line.text, near)):
            yield kind, *line.where(start, end)


@lru_cache(maxsize=1024)
def _hinted(present: frozenset[str]) -> tuple[Kind, ...]:
    """The kinds that may be found where these words are."""
    return tuple(kind for kind in kinds() if kind.hints & present)


def _matched(text: str, near: Near, view: View, *, formats: bool = False) -> Iterator[tuple[str, int, int]]:
    sure = view.joined in ("no", "surely")
    for kind in _hinted(near.present):
        if not kind.format and (formats or view.joined == "blindly" or (not sure and kind.judged == "random")):
            continue
        judged = kind.judged if sure else "random" if kind.format else "strange"
        for match in near.matches(kind.pattern, kind.hints):
            if kind.of_something_else(match):
                continue
            shown = [match.span(group) for group in kind.groups if match[group] is not None]
            for start, end in shown or [match.span()]:
                if judged is None or counts(text[start:end], text[end : end + 1], judged):
                    yield kind.id, start, end
