"""Secrets that are drawn anew from forms, the ways in which a record may hold them, and how one is found again."""

import base64
import gzip
import html
import json
import quopri
import random
import re
import string
import tomllib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final
from urllib.parse import quote

HERE = Path(__file__).parent
ALPHABETS = {
    "A": string.ascii_letters + string.digits,
    "H": "0123456789abcdef",
    "U": string.ascii_uppercase + string.digits,
    "L": string.ascii_lowercase + string.digits,
    "N": string.digits,
    "B": string.ascii_letters + string.digits + "+/",
    "P": string.ascii_letters + string.digits + "!#*+-.^~",
}
WORDS = (
    "lantern", "brassica", "harbour", "kestrel", "marble", "orchid", "pepper", "quarry", "saddle", "thistle",
    "velvet", "walnut",
)  # fmt: skip
FORM = re.compile(r"\{([A-Z])(\d*)\}")
SECRET = re.compile(r"«(.*?)»", re.DOTALL)


@dataclass(frozen=True)
class Plant:
    """A text with a secret in it, and the variable of the machine's environment that holds it, if one does."""

    id: str
    text: str
    secret: str
    variable: str = ""
    value: str = ""


def drawn(template: str, chance: random.Random) -> str:
    def one(form: re.Match[str]) -> str:
        kind, length = form[1], int(form[2] or 1)
        if kind == "W":
            first, second = chance.sample(WORDS, 2)
            return f"{first.title()}-{second}-{chance.randrange(100, 999)}"
        return "".join(chance.choices(ALPHABETS[kind], k=length))

    return FORM.sub(one, template)


@cache
def planted(seed: int = 17) -> tuple[Plant, ...]:
    chance = random.Random(seed)
    plants = []
    for entry in tomllib.loads((HERE / "planted.toml").read_text(encoding="utf-8"))["plant"]:
        secret = drawn(found[1], chance) if (found := SECRET.search(entry["text"])) else ""
        assert secret, entry["id"]
        text = drawn(SECRET.sub(lambda _: "\0", entry["text"]), chance).replace("\0", secret)
        value = entry.get("value", "{secret}").replace("{secret}", secret) if "variable" in entry else ""
        plants.append(Plant(entry["id"], text, secret, entry.get("variable", ""), value))
    return tuple(plants)


@cache
def harmless(seed: int = 17) -> tuple[str, ...]:
    chance = random.Random(seed)
    lines = tomllib.loads((HERE / "harmless.toml").read_text(encoding="utf-8"))["lines"]
    return tuple(drawn(line, chance) for line in lines)


def b64(text: str) -> str:
    return base64.b64encode(text.encode()).decode()


def wrapped(text: str, width: int, joint: str = "\n") -> str:
    return joint.join(text[at : at + width] for at in range(0, len(text), width))


def dumped(text: str) -> str:
    """As `xxd -p` groups it: pairs of bytes, sixteen bytes a line."""
    return wrapped(wrapped(text.encode().hex(), 4, " "), 40)


def each(form: Callable[[str], str]) -> Callable[[str], str]:
    """Every sign of a text written in one form."""
    return lambda text: "".join(map(form, text))


def rows(text: str) -> Iterator[tuple[int, bytes]]:
    """The text as programs dump it, sixteen bytes a row."""
    data = text.encode()
    yield from ((at, data[at : at + 16]) for at in range(0, len(data), 16))


def shown(row: bytes) -> str:
    """A row's bytes as far as they can be shown."""
    return "".join(chr(byte) if 0x20 <= byte < 0x7F else "." for byte in row)


def turned(row: bytes) -> str:
    """A row as numbers of two bytes, the last byte first."""
    return " ".join(row[at : at + 2].ljust(2, b"\0")[::-1].hex() for at in range(0, len(row), 2))


def bytewise(form: str) -> Callable[[str], str]:
    """Every byte of a text written in one form."""
    return lambda text: "".join(form.format(byte) for byte in text.encode())


LAST_FIRST: Final = "little"

DUMPS: dict[str, Callable[[str], str]] = {
    "xxd": lambda text: "\n".join(
        f"{at:08x}: {' '.join(row[i : i + 2].hex() for i in range(0, len(row), 2)):<40} {shown(row)}"
        for at, row in rows(text)
    ),
    "hexdump -C": lambda text: "\n".join(
        f"{at:08x}  {row[:8].hex(' '):<23}  {row[8:].hex(' '):<23}  |{shown(row)}|" for at, row in rows(text)
    ),
    "od -x": lambda text: "\n".join(f"{at:07o} {turned(row)}" for at, row in rows(text)),
    "od": lambda text: "\n".join(
        f"{at:07o} {' '.join(f'{int.from_bytes(row[i : i + 2], LAST_FIRST):06o}' for i in range(0, len(row), 2))}"
        for at, row in rows(text)
    ),
    "od -t u1": lambda text: "\n".join(f"{at:07o}{''.join(f'{byte:>4}' for byte in row)}" for at, row in rows(text)),
    "xxd -b": lambda text: "\n".join(
        f"{at + i:08x}: {' '.join(f'{byte:08b}' for byte in row[i : i + 4]):<35}  {shown(row[i : i + 4])}"
        for at, row in rows(text)
        for i in range(0, len(row), 4)
    ),
    "od -c": lambda text: "\n".join(
        f"{at:07o}{''.join(f'{chr(byte):>4}' if 0x20 <= byte < 0x7F else f' {byte:03o}' for byte in row)}"
        for at, row in rows(text)
    ),
}
"""What shows bytes in rows of their own, so that nothing else stands in them."""

BASE58 = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"


def numbered(text: str, digits: str) -> str:
    """A text's bytes as one number."""
    number, told = int.from_bytes(text.encode()), ""
    while number:
        number, digit = divmod(number, len(digits))
        told = digits[digit] + told
    return told


ENCODINGS: dict[str, Callable[[str], str]] = {
    "plain": str,
    "base64": b64,
    "base64 for addresses": lambda text: base64.urlsafe_b64encode(text.encode()).decode().rstrip("="),
    "base64 in lines": lambda text: wrapped(b64(text), 40),
    "base64 twice": lambda text: b64(b64(text)),
    "base64 of UTF-16": lambda text: base64.b64encode(text.encode("utf-16-le")).decode(),
    "base64 of gzip": lambda text: base64.b64encode(gzip.compress(text.encode(), mtime=0)).decode(),
    "base32": lambda text: base64.b32encode(text.encode()).decode(),
    "hex": lambda text: text.encode().hex(),
    "hex with x": lambda text: "".join(f"\\x{byte:02x}" for byte in text.encode()),
    "hex as a dump": dumped,
    "octal": lambda text: "".join(f"\\{byte:03o}" for byte in text.encode()),
    "percent": lambda text: "".join(f"%{byte:02X}" for byte in text.encode()),
    "percent twice": lambda text: quote(quote(text, safe=""), safe=""),
    "base64 in percent": lambda text: quote(b64(text), safe=""),
    "entities": lambda text: "".join(f"&#{ord(letter)};" for letter in text),
    "entities in hex": lambda text: "".join(f"&#x{ord(letter):x};" for letter in html.escape(text)),
    "unicode escapes": lambda text: "".join(f"\\u{ord(letter):04x}" for letter in text),
    "JSON in JSON": lambda text: json.dumps(json.dumps(text)),
    "quoted-printable": lambda text: quopri.encodestring(text.encode()).decode(),
    "ANSI": lambda text: wrapped(text, 3, "\x1b[1;31m\x1b[0m"),
    "zero-width": lambda text: wrapped(text, 2, "\u200b"),
    "soft hyphens": lambda text: wrapped(text, 4, "\u00ad"),
    "line breaks": lambda text: "\n".join(wrapped(line, 20) for line in text.split("\n")),
    "backslash at the line's end": lambda text: "\n".join(wrapped(line, 20, "\\\n") for line in text.split("\n")),
    "overstruck": lambda text: "".join(letter if letter.isspace() else f"{letter}\b{letter}" for letter in text),
    "full width": lambda text: "".join(
        chr(ord(letter) + 0xFEE0) if "!" <= letter <= "~" else letter for letter in text
    ),
    "pieces of a program": lambda text: wrapped(text, 12, '" + "'),
    "numbers of bytes": lambda text: ", ".join(str(byte) for byte in text.encode()),
    "hex with dashes": lambda text: text.encode().hex("-").upper(),
    "entities without an end": each(lambda letter: f"&#{ord(letter)}"),
    "octal with a zero": bytewise("\\0{:03o}"),
    "style sheet": bytewise("\\{:06x}"),
    "names of points": each(lambda letter: f"\\N{{U+{ord(letter):04X}}}"),
    "points": lambda text: " ".join(f"U+{byte:04X}" for byte in text.encode()),
    "old escapes of scripts": each(lambda letter: f"%u{ord(letter):04x}"),
    "rich text": bytewise("\\'{:02x}"),
    "every byte quoted": bytewise("={:02X}"),
    "ANSI as cat -v shows it": lambda text: wrapped(text, 3, "^[[1;31m^[[0m"),
    "ANSI as echo -e takes it": lambda text: wrapped(text, 3, "\\e[1;31m\\e[0m"),
    "ANSI of eight bits": lambda text: wrapped(text, 3, "\x9b1;31m\x9b0m"),
    "variation selectors": each(lambda letter: f"{letter}\U000e0100"),
    "tags": each(lambda letter: chr(0xE0000 + ord(letter)) if "!" <= letter <= "~" else letter),
    "struck through": each(lambda letter: f"{letter}\u0336"),
    "marks above": each(lambda letter: f"{letter}\u0301"),
    "elements of HTML": lambda text: wrapped(text, 5, "</b><b>"),
    "PowerShell": lambda text: "+".join(f"[char]{byte}" for byte in text.encode()),
    "backslashes before signs": each(lambda letter: f"\\{letter}" if letter in "_*.-=:#&@" else letter),
    "base58": lambda text: numbered(text, BASE58),
    "ASCII85": lambda text: base64.a85encode(text.encode()).decode(),
    "base85": lambda text: base64.b85encode(text.encode()).decode(),
    "base32 with digits first": lambda text: base64.b32hexencode(text.encode()).decode(),
    "a backslash before each": each(lambda letter: letter if letter.isspace() else f"\\{letter}"),
    "pieces on lines": lambda text: wrapped(text, 12, '"\n    "'),
}


def carried(plant: Plant, encode: Callable[[str], str], *, whole: bool = True) -> tuple[str, frozenset[int]]:
    """The text, `whole` encoded or only the secret in it, and the places of its signs that depend on the secret."""

    def told_of(secret: str) -> str:
        text = plant.text.replace(plant.secret, secret if whole else encode(secret))
        return encode(text) if whole else text

    told = told_of(plant.secret)
    places = set[int]()
    for seed in range(4):
        chance = random.Random(seed)
        otherwise = told_of("".join(chance.choice(_alike(sign)) for sign in plant.secret))
        if len(otherwise) != len(told):
            start = 0 if whole else told.index(encode(plant.secret))
            return told, frozenset(range(start, len(told) if whole else start + len(encode(plant.secret))))
        places |= {at for at, sign in enumerate(told) if otherwise[at] != sign}
    return told, frozenset(places)


ALIKE = ("abc", string.ascii_lowercase[3:], string.digits, string.ascii_uppercase)
"""Signs that are equally long in every encoding."""


def _alike(sign: str) -> str:
    return next((kind for kind in ALIKE if sign in kind), sign)


def seen(masked: str, carried: frozenset[int], mask: str) -> float:
    """What share of the characters that depend on the secret is still there."""
    return sum(masked[at] != mask and not masked[at].isspace() for at in carried) / len(carried)


def pieces(told: str, carried: frozenset[int]) -> list[str]:
    """What of an encoded text depends on the secret, cut so small that each piece is found where only some is left."""
    span = told[min(carried) : max(carried) + 1]
    cut = [piece for word in span.split() for piece in wrapped(word, PIECE, " ").split() if len(piece) == PIECE]
    return cut or [span]


PIECE = 16
