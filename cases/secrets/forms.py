"""A known secret as the less usual encodings write it: found by encoding the secret, not by decoding every text."""

import base64
import string
from collections.abc import Callable, Iterator

from cases.secrets.bases import BASE58, BASE62, numbered

_FEWEST = 10
"""Signs of a form from which on it is no coincidence."""
_SMALL, _LARGE = string.ascii_lowercase, string.ascii_uppercase
_STANDARD = _LARGE + _SMALL + string.digits + "+/"
_UU = str.maketrans(_STANDARD, "`" + "".join(map(chr, range(0x21, 0x60))))
_UU_BLANK = str.maketrans(_STANDARD, "".join(map(chr, range(0x20, 0x60))))
_XX = str.maketrans(_STANDARD, "+-" + string.digits + _LARGE + _SMALL)
_RFC1924 = string.digits + _LARGE + _SMALL + "!#$%&()*+-;<=>?@^_`{|}~"
_Z85 = str.maketrans(_RFC1924, string.digits + _SMALL + _LARGE + ".-:+=^!/*?&<>()[]{}@%$#")


def _bytes(secret: str) -> bytes:
    """Its bytes; a variable may hold any."""
    return secret.encode("utf-8", "surrogatepass")


def _base64(data: bytes) -> str:
    return base64.b64encode(data).decode()


def _base85(data: bytes) -> str:
    return base64.b85encode(data).decode()


_ALIGNED: tuple[tuple[int, Callable[[bytes], str]], ...] = (
    (3, _base64),
    (3, lambda data: _base64(data)[::-1]),
    (3, lambda data: _base64(data).translate(_UU)),
    (3, lambda data: _base64(data).translate(_UU_BLANK)),
    (3, lambda data: _base64(data).translate(_XX)),
    (4, lambda data: base64.a85encode(data).decode()),
    (4, _base85),
    (4, lambda data: _base85(data).translate(_Z85)),
    (5, lambda data: base64.b32hexencode(data).decode()),
)
"""Encodings that take so many bytes at once."""
_WHOLE: tuple[Callable[[str], str], ...] = (
    lambda secret: numbered(secret, BASE58),
    lambda secret: numbered(secret, BASE62),
    lambda secret: numbered(secret, string.digits),
    lambda secret: base64.a85encode(_bytes(secret)).decode(),
    lambda secret: _base85(_bytes(secret)),
    lambda secret: _base85(_bytes(secret)).translate(_Z85),
    lambda secret: _bytes(secret).decode("latin-1"),
    lambda secret: secret[::-1],
    lambda secret: _base64(_bytes(secret[::-1])).rstrip("="),
    lambda secret: _base64(_bytes(secret)).rstrip("=")[::-1],
    lambda secret: _bytes(secret).hex()[::-1],
    lambda secret: _bytes(secret)[::-1].hex(),
    lambda secret: secret.encode("cp037", "replace").hex(),
    lambda secret: secret.encode("cp037", "replace").hex().upper(),
    lambda secret: bytes(byte ^ 0x20 for byte in _bytes(secret)).hex(),
    lambda secret: "".join(chr((ord(sign) - 0x21 + 47) % 94 + 0x21) if "!" <= sign <= "~" else sign for sign in secret),
    lambda secret: secret.translate(str.maketrans(_SMALL + _LARGE, _SMALL[::-1] + _LARGE[::-1])),
    lambda secret: "".join(chr((byte + 42) % 256) for byte in _bytes(secret)),
)


def forms(secret: str) -> Iterator[str]:
    """The secret in those encodings in which `views` read nothing."""
    told = [write(secret) for write in _WHOLE]
    told += [secret.translate(_shifted(by)) for by in range(1, 26)]
    told += [write(part) for size, write in _ALIGNED for part in _parts(_bytes(secret), size)]
    yield from (form for form in told if len(form) >= _FEWEST and form != secret)


def _shifted(by: int) -> dict[int, int]:
    """Every letter moved on in the alphabet, as rot13 does by thirteen."""
    return str.maketrans(_SMALL + _LARGE, _SMALL[by:] + _SMALL[:by] + _LARGE[by:] + _LARGE[:by])


def _parts(data: bytes, size: int) -> Iterator[bytes]:
    """Its whole groups, wherever in a longer text it may begin."""
    for skipped in range(size):
        yield data[skipped : skipped + (len(data) - skipped) // size * size]


_LOOKALIKES = str.maketrans(
    "аеорсхуіјѕԁһԛԝАЕОРСХУВНКМТІЈЅΑΒΕΖΗΙΚΜΝΟΡΤΥΧοѵ", "aeopcxyijsdhqwAEOPCXYBHKMTIJSABEZHIKMNOPTYXov"
)


def skeleton(text: str) -> str:
    """Its letters and digits alone, all small and all Latin: the same however it is cut, quoted or written large."""
    return "".join(filter(str.isalnum, text.translate(_LOOKALIKES))).lower()


def bones(text: str) -> list[int]:
    """Where each sign of its skeleton stands in a text."""
    looks = text.translate(_LOOKALIKES)
    return [at for at, sign in enumerate(looks) if sign.isalnum() for _ in sign.lower()]
