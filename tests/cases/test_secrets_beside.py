"""What is no secret stays readable on the line below one: what begins a line of its own goes on with nothing."""

import random
import string

import pytest

from cases.secrets import MASK, Masker

CHANCE = random.Random(1917)
HEX = "0123456789abcdef"
MIXED = string.ascii_letters + string.digits


def chance(signs: str, length: int) -> str:
    return "".join(CHANCE.choices(signs, k=length))


TOKEN = "ghp_" + chance(MIXED, 36)
SECRETS = (f"DB_PASSWORD=sionq{chance(string.digits, 4)}CGEQ3", f"export GITHUB_TOKEN={TOKEN}")
HARMLESS = (
    "-".join((chance(HEX, 8), chance(HEX, 4), f"4{chance(HEX, 3)}", f"9{chance(HEX, 3)}", chance(HEX, 12))),
    chance(HEX, 64),
    "3f1ba2049cde",
    f"{chance(HEX, 64)}  data.csv",
    f"{chance(HEX, 32)} *model.bin",
    f"{chance(HEX, 40)} refs/heads/main",
    "pandas-2.2.1-cp311-cp311-manylinux_2_17_x86_64.manylinux2014_x86_64.whl",
    f"/tmp/pip-build-env-{chance(string.ascii_lowercase + string.digits, 8)}/overlay/lib/python3.11",
    f"0x{chance(HEX, 40)}",
    f"i-0{chance(HEX, 16)}",
    f"sha256:{chance(HEX, 64)}",
    f"FROM ubuntu@sha256:{chance(HEX, 64)}",
    f"ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAA{chance(MIXED, 44)} me@host",
)


@pytest.mark.parametrize("secret", SECRETS)
@pytest.mark.parametrize("harmless", HARMLESS)
def test_what_names_a_thing_on_the_next_line_is_left_alone(secret: str, harmless: str):
    told = Masker().text(f"{secret}\n{harmless}\nmore")
    assert told.endswith(f"\n{harmless}\nmore")
    assert secret.rpartition("=")[2] not in told
    assert Masker().text(told) == told


@pytest.mark.parametrize("cut", [20, 24, 32])
def test_a_token_that_goes_on_there_is_masked_to_its_end(cut: int):
    keyed = f"sk-or-v1-{chance(HEX, 64)}"
    for token in (TOKEN, keyed):
        told = Masker().text(f"{token[:cut]}\n{token[cut:]} was sent")
        assert told == f"{MASK * cut}\n{MASK * (len(token) - cut)} was sent"
