"""Text in which nothing invisible stays invisible."""

from cases import patterns as re

INVISIBLE = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e"
    "\u2060-\u206f\u3164\ufe00-\ufe0d\ufeff\uffa0\ufff0-\ufffb\U000e0000-\U000e0fff]"
)
"""Control, bidirectional, zero-width, tag and smuggling characters; tab and line feed are none of them."""

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
