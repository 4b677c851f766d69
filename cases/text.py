"""Text in which nothing invisible stays invisible, and where its words begin and end."""

from cases import patterns as re

INVISIBLE = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e"
    "\u2060-\u206f\u3164\ufe00-\ufe0d\ufeff\uffa0\ufff0-\ufffb\U000e0000-\U000e0fff]"
)
"""Control, bidirectional, zero-width, tag and smuggling characters; tab and line feed are none of them."""

_SCRIPTS = {
    "Thai": "\u0e00-\u0e7f",
    "Lao": "\u0e80-\u0eff",
    "Burmese": "\u1000-\u109f",
    "Khmer": "\u1780-\u17ff",
    "Hiragana": "\u3040-\u309f",
    "Katakana": "\u30a0-\u30ff\u31f0-\u31ff\uff66-\uff9f",
    "Han": "\u3005-\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003134f",
    "Korean": "\u1100-\u11ff\uac00-\ud7af",
}
"""Letters, as ranges of a pattern's class, of scripts in which a word, or in Korean a particle, follows another without
a space.
"""
UNSPACED = "".join(_SCRIPTS.values())
SPACED = rf"[^\W{UNSPACED}]"
"""A pattern for one letter, digit or underscore of any other script."""
_CLASSES = {name: re.compile(f"[{letters}]") for name, letters in _SCRIPTS.items()}


def whole(pattern: str, text: str) -> str:
    """A pattern for a text, which `pattern` matches, where no letters stand beside its own that may be of its words:
    of a script with spaces those of any such, of one without those of the same.
    """
    before = f"(?<!{_of_a_kind(text[0])})" if text[0].isalnum() else ""
    behind = f"(?!{_of_a_kind(text[-1])})" if text[-1].isalnum() else ""
    return f"{before}{pattern}{behind}"


def _of_a_kind(character: str) -> str:
    script = next((name for name, one in _CLASSES.items() if one.match(character)), "")
    return f"[{_SCRIPTS[script]}]" if script else SPACED


def is_unspaced(character: str) -> bool:
    """Whether it is a letter of a script without spaces."""
    return any(one.match(character) for one in _CLASSES.values())


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
