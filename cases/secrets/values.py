"""Which values count as secret, where only what stands around them says that they may be."""

import math
from collections import Counter
from functools import lru_cache
from itertools import pairwise

from cases import patterns as re
from cases.secrets.data import Judged, words

_RANDOM_BITS, _RANDOM_CHANGES = 3.2, 3
"""Entropy a character and changes between letters and digits from which on a value is nobody's word."""
_IDENTIFIER = re.compile(r"[a-z]{1,40}(?:_[a-z0-9]{1,40}){1,8}|[a-z]{1,40}\d{1,3}")
_CALLED, _LISTED = frozenset("([{"), frozenset(",)")
_SIGNS = frozenset("!#*^~$%&?+@=")
_FEWEST_SWITCHES, _RARELY = 4, 2.5
"""Changes between capitals and small letters from which on, and letters a change up to which, they name no parts."""
_PARTS, _KINDS, _FEWEST_PARTS = re.compile(r"[A-Z]?[a-z]+|[A-Z]+|\d+"), 3, 4
_ASSIGNED = re.compile(r"(?P<name>[A-Za-z_][A-Za-z0-9_]{0,40})=[^=]")
"""How a named argument begins."""
_VOWELLED, _CAPITALS = 4, 3
"""Letters a vowel, and letters a capital, beyond which no word has them."""
_CAPITAL = re.compile(r"[A-Z]")
_SHORT, _LONG = 5, 8
_DULL = 12
_PHRASE = re.compile(r"[a-z]{3,12}\d{0,4}(?:[ -][a-z]{3,12}\d{0,4}){3,23}")
_JOINING = re.compile(
    r"\b(?:the|and|are|for|your|you|must|with|not|this|that|from|was|has|have|can|cannot|use|used|enter|please|will|may"
    r"|should|which|into|does|did|when|what|where|than|then|been|its|our|all|any|see|set|get|one|two)\b"
)
_REMEMBERED = 200
"""Signs up to which is remembered what a value is: each is met in several views of a text."""
_UUID = re.compile(r"\{?[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}\}?")


def counts(value: str, after: str, judged: Judged) -> bool:
    """Whether a value is secret; `after` is the sign behind it."""
    return (_counts if len(value) <= _REMEMBERED else _counts.__wrapped__)(value, after, judged)


@lru_cache(maxsize=16_384)
def _counts(value: str, after: str, judged: Judged) -> bool:
    if placeholder(value) or words().code.search(value) or _assigns(value):
        return False
    return judged == "any" or (not is_uuid(value) and _like_a_secret(value, after, judged))


def _assigns(value: str) -> bool:
    """Whether it is a named argument: nobody mixes signs in it like that, or its name is one of a secret's itself."""
    named = _ASSIGNED.match(value)
    return named is not None and (words().names.search(named["name"]) or not _scattered(value))


def _like_a_secret(value: str, after: str, judged: Judged) -> bool:
    if judged in ("random", "mixed"):
        return random(value) if judged == "random" else _scattered(value)
    if judged == "letters":
        return _by_chance(value)
    if _called(value, after):
        return False
    if judged == "value":
        return len(value) >= _LONG or telling(value, _SHORT)
    if judged == "telling":
        return (value.isdigit() and len(value) > _SHORT) or telling(value, _SHORT + 1)
    lettered = any(sign.isalpha() for sign in value)
    return lettered and not _IDENTIFIER.fullmatch(value) and telling(value, _LONG)


def placeholder(value: str) -> bool:
    """Whether a value only stands where a secret would: such a word, or mostly one sign."""
    dull = len(value) >= _DULL and max(map(value.count, set(value[-4:]))) * 2 > len(value)
    return dull or words().placeholders.search(value)


def telling(value: str, shortest: int = _LONG) -> bool:
    """Whether a value is no ordinary word: letters beside digits or signs, or capitals as no name has them."""
    core = value.strip(".,;:!?*_`'\"")
    if len(core) < shortest or not any(sign.isalpha() for sign in core):
        return False
    return _switching(core) or any(sign.isdigit() or sign in _SIGNS for sign in core)


_LONG_WORD = 16


def alphabetic(value: str, shortest: int = _LONG_WORD) -> bool:
    """Whether a value is nothing but small letters, by default more of them than a word has."""
    return len(value) >= shortest and value.isascii() and value.isalpha() and value.islower()


def phrase(value: str) -> bool:
    """Whether a value is a phrase of chance words: small letters, no word that only joins others."""
    return _PHRASE.fullmatch(value) is not None and not _JOINING.search(value)


def is_uuid(value: str) -> bool:
    """Whether a value is a UUID, which names things unless a key is one."""
    return _UUID.fullmatch(value) is not None


@lru_cache(maxsize=4096)
def random(value: str) -> bool:
    """Whether letters and digits, or capitals and small letters, are mixed as nobody mixes them who names a thing."""
    shares = [count / len(value) for count in Counter(value).values()]
    if -sum(share * math.log2(share) for share in shares) < _RANDOM_BITS:
        return False
    pairs = pairwise(value)
    changes = sum(
        one.isdigit() != other.isdigit() for one, other in pairs if one.isalnum() and other.isalnum() and one.isascii()
    )
    return changes >= _RANDOM_CHANGES or _switching(value) or _scattered(value)


def _switching(value: str) -> bool:
    pairs = pairwise(value)
    switches = sum(one.islower() != other.islower() for one, other in pairs if one.isalpha() and other.isalpha())
    return switches >= _FEWEST_SWITCHES and len(value) / switches <= _RARELY


def _scattered(value: str) -> bool:
    """Whether it falls into more words and numbers than a name that is made of them: capitals, letters and digits."""
    parts = _PARTS.findall(value)
    kinds = {kind for kind in (str.isupper, str.islower, str.isdigit) if any(map(kind, value))}
    return len(kinds) == _KINDS and len(parts) >= _FEWEST_PARTS and len(value) / len(parts) <= _RARELY


def _by_chance(value: str) -> bool:
    """Whether letters follow one another as in no words: few vowels for their number, or long runs without one."""
    vowels = sum(sign in "aeiouyAEIOUY" for sign in value)
    cased = not (value.islower() or value.isupper())
    return vowels * _VOWELLED < len(value) or (cased and len(_CAPITAL.findall(value)) * _CAPITALS > len(value))


def _called(value: str, after: str) -> bool:
    """Whether a program calls it, or gives it by its name."""
    return after in _CALLED or (after in _LISTED and bool(_IDENTIFIER.fullmatch(value)))
