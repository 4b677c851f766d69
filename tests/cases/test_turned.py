"""Secrets of this machine, and tokens whose form is known, in encodings that say nothing of themselves."""

import base64
import binascii
import codecs
import string
from collections.abc import Callable

import pytest

from cases.masking import Mask
from cases.secrets import MASK
from tests.cases.planted import BASE58, numbered

SECRETS = ("Tq7wLz2VbN9xKd4RmY6hPs3G", "correct-Horse.battery9", "s3cr3t-p@ss/w0rd:yes")
TOKEN = "ghp_" + "9mQ2xZ7bT4vK8nR1sW6yL3cD5fG0hJaPeUiO"
SMALL, LARGE = string.ascii_lowercase, string.ascii_uppercase
FORMS: dict[str, Callable[[str], str]] = {
    "base58": lambda secret: numbered(secret, BASE58),
    "base62": lambda secret: numbered(secret, string.digits + LARGE + SMALL),
    "decimal": lambda secret: numbered(secret, string.digits),
    "ASCII85": lambda secret: base64.a85encode(secret.encode()).decode(),
    "base85": lambda secret: base64.b85encode(secret.encode()).decode(),
    "uuencode": lambda secret: binascii.b2a_uu(secret.encode()).decode().rstrip("\n"),
    "rot13": lambda secret: codecs.encode(secret, "rot13"),
    "rot3": lambda secret: secret.translate(str.maketrans(SMALL + LARGE, SMALL[3:] + "abc" + LARGE[3:] + "ABC")),
    "backwards": lambda secret: secret[::-1],
    "base64 backwards": lambda secret: base64.b64encode(secret.encode()).decode()[::-1],
    "base64 of it backwards": lambda secret: base64.b64encode(secret[::-1].encode()).decode(),
    "hex backwards": lambda secret: secret.encode()[::-1].hex(),
    "EBCDIC": lambda secret: secret.encode("cp037").hex(),
    "dashes": "-".join,
    "quotes": "''".join,
    "cut": lambda secret: "' '".join(secret[at : at + 5] for at in range(0, len(secret), 5)),
    "capitals": str.upper,
    "Cyrillic": lambda secret: secret.translate(str.maketrans("aeopcxT", "аеорсхТ")),
    "UTF-16 dumped": lambda secret: "\n".join(
        f"{at:08x}: {' '.join(f'{byte:02x}00' for byte in secret.encode()[at : at + 8])}  {secret[at : at + 8]}"
        for at in range(0, len(secret), 8)
    ),
    "ANSI that lost its escape": lambda secret: "".join(f"[3{at % 8}m{sign}[0m" for at, sign in enumerate(secret)),
}


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("secret", SECRETS)
def test_a_variable_of_this_machine_is_masked_in_a_form_that_nobody_decodes(
    secret: str, form: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SERVICE_TOKEN", secret)
    written = FORMS[form](secret)
    masked = Mask().text(f"the output was:\n{written}\nand so on")
    assert masked.startswith("the output was:\n")
    assert masked.endswith("so on")
    assert sum(sign == MASK for sign in masked) > len(written) * 0.7


@pytest.mark.parametrize("form", ["UTF-16 dumped", "base58", "ASCII85", "base85", "uuencode", "rot13", "backwards"])
def test_a_token_is_known_by_its_form_though_it_was_turned(form: str) -> None:
    written = FORMS[form](TOKEN)
    masked = Mask().text(f"$ show\n{written}\n$ next\n")
    assert masked.endswith("\n$ next\n")
    assert sum(sign == MASK for sign in masked) > len(written) * 0.8


def test_a_variable_may_hold_bytes_that_are_no_text(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SERVICE_TOKEN", SECRETS[0] + "\udcff")
    assert SECRETS[0] not in Mask().text(f"it is {SECRETS[0]}\udcff here")


def test_the_machines_secret_is_not_seen_in_other_words(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SERVICE_TOKEN", SECRETS[1])
    told = "a correct answer, a horse on its battery, and 9 of 10 tests passed; step 7 of 9 was done by pip3 install"
    assert Mask().text(told) == told
