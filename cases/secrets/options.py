"""Secrets in command lines, by the options of `options.toml`."""

from collections.abc import Iterator
from functools import cache, lru_cache

from cases import patterns as re
from cases.secrets.data import Option, options
from cases.secrets.layout import Place
from cases.secrets.near import Near
from cases.secrets.values import counts

_ARGUMENTS = r"""\s(?:\\?"[^"\r\n]*"|'[^'\r\n]*'|[^\r\n|;&"']|["'])*"""
_PLAIN = r"""[^\s"'|;&<>\\-][^\s"'|;&<>\\]*"""
_WORD = (
    rf"""(?P<word>(?:\\?"[^"\\\r\n]*\\?"|'[^'\r\n]*'|{_PLAIN})"""
    rf"""(?:\\?"[^"\\\s,:}}\]][^"\\\r\n]*\\?"|'[^'\s,:}}\]][^'\r\n]*'|{_PLAIN})*)"""
)
"""A word, of which later pieces may be quoted too, but not by the quote that ends a string around all of it."""
_BUNDLE = "-[A-Za-z#]{0,8}"
_SHORTEST = 3
_QUOTES = "\"'\\"


def given(text: str, near: Near) -> Iterator[Place]:
    """What programs are given as a password or key in the command lines of a text."""
    for option, called, told in _hinted(near.present):
        for line in near.matches(called, option.hints):
            for match in told.finditer(text, line.start("rest"), line.end("rest")):
                yield from _secret(option, match)


def _secret(option: Option, match: re.Match[str]) -> Iterator[Place]:
    value, start = match["word"].lstrip(_QUOTES), match.end("word") - len(match["word"].lstrip(_QUOTES))
    if option.after:
        before, sign, behind = value.partition(option.after)
        if not sign and option.after == "pass:":
            return
        value = behind.lstrip(_QUOTES)
        start += len(before) + len(sign) + len(behind) - len(value)
        if not value.rstrip(_QUOTES) and counts(before, "", "strange"):
            value, start = before, start - len(before) - len(sign)
    value = value.rstrip(_QUOTES)
    if len(value) >= _SHORTEST and counts(value, "", option.judged):
        yield f"password given to {option.programs[0]}", start, start + len(value)


@lru_cache(maxsize=1024)
def _hinted(present: frozenset[str]) -> tuple[tuple[Option, re.Pattern[str], re.Pattern[str]], ...]:
    """The options that may be given where these words are."""
    return tuple(one for one in _compiled() if one[0].hints & present)


@cache
def _compiled() -> tuple[tuple[Option, re.Pattern[str], re.Pattern[str]], ...]:
    return tuple((option, _called(option), _told(option)) for option in options())


def _called(option: Option) -> re.Pattern[str]:
    names = "|".join(r"\s+".join(map(re.escape, name.split())) for name in option.programs)
    return re.compile(rf"(?:^|[^\w.-])(?:{names})(?:\.exe)?(?P<rest>{_ARGUMENTS})", re.MULTILINE)


def _told(option: Option) -> re.Pattern[str]:
    ordered = sorted(option.options, key=len, reverse=True)
    names = "|".join(
        _BUNDLE + name[1:] if option.bundled and len(name) == len("-x") else re.escape(name) for name in ordered
    )
    between = {"no": r"(?:=|\s{1,3})", "also": r"(?:=|\s{0,3})", "only": ""}[option.glued]
    return re.compile(rf"\s(?:{names}){between}{_WORD}")
