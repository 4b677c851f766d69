"""Text in which nothing invisible stays invisible, and where its words begin and end."""

from cases import patterns as re

INVISIBLE = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e"
    "\u2060-\u206f\u3164\ufe00-\ufe0d\ufeff\uffa0\ufff0-\ufffb\U000e0000-\U000e0fff]"
)
"""Control, bidirectional, zero-width, tag and smuggling characters; tab and line feed are none of them."""

UNSPACED = (
    "\u0e00-\u0eff\u1000-\u109f\u1100-\u11ff\u1780-\u17ff\u3005-\u3007\u3040-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff"
    "\uac00-\ud7af\uf900-\ufaff\uff66-\uff9f\U00020000-\U0003134f"
)
"""Ranges, for a class of a pattern, of letters that may follow those of another word without a space: Thai, Lao,
Burmese, Khmer, Chinese, Japanese; and Korean, where particles do.
"""
SPACED = rf"[^\W{UNSPACED}]"
"""A pattern for one letter, digit or underscore of any other script."""
_ONE_UNSPACED = re.compile(f"[{UNSPACED}]")


def is_unspaced(character: str) -> bool:
    """Whether a character is such a letter."""
    return _ONE_UNSPACED.match(character) is not None


_NAMES = {0x00: "NUL", 0x07: "BEL", 0x08: "BS", 0x0D: "CR", 0x1B: "ESC", 0x7F: "DEL"}


def visible(text: str) -> str:
    """`text` with every invisible character replaced by a sign that shows it."""
    if text.isascii() and text.isprintable():
        return text
    return INVISIBLE.sub(_sign, text.replace("\r\n", "\n"))


def invisible(text: str) -> str:
    """`text` with the characters that such signs show."""
    return _SIGN.sub(_character, text) if "⟨" in text else text


_SIGN = re.compile(r"⟨(?P<name>[A-Z]{2,3})⟩|⟨U\+(?P<code>[0-9A-F]{4,5})⟩")
_CODES = {name: chr(code) for code, name in _NAMES.items()}


def _character(match: re.Match[str]) -> str:
    return _CODES.get(match["name"], match[0]) if match["name"] else chr(int(match["code"], 16))


def _sign(match: re.Match[str]) -> str:
    code = ord(match.group())
    return f"⟨{_NAMES.get(code, f'U+{code:04X}')}⟩"
