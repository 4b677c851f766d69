"""Secrets as programs, protocols and calls are given them, in places that no name of a secret shows."""

import json
import random
import string

import pytest

from cases.secrets import MASK, Masker

CHANCE = random.Random(1817)
BASE58 = "".join(sign for sign in string.digits + string.ascii_letters if sign not in "0OIl")


def chance(signs: str, length: int) -> str:
    return "".join(CHANCE.choices(signs, k=length))


HEX = "0123456789abcdef"
MIXED = string.ascii_letters + string.digits
UUID = "-".join((chance(HEX, 8), chance(HEX, 4), f"4{chance(HEX, 3)}", f"9{chance(HEX, 3)}", chance(HEX, 12)))
WORD = "Akgvw$A5BGtp01"
"""As people make a password: a word that they bend."""


def masked(text: str) -> str:
    masker = Masker()
    told = str(masker.known(masker.text(text)))
    assert len(told) == len(text), "citations count on it"
    return told


@pytest.mark.parametrize(
    "secret",
    [
        f"EAAAl{chance(MIXED + '_-', 59)}",
        f"tskey-auth-k{chance(MIXED, 11)}CNTRL-{chance(MIXED, 32)}",
        f"AKID{chance(MIXED, 32)}",
        f"xprv9{chance(BASE58, 106)}",
    ],
)
@pytest.mark.parametrize("form", ["SQ={}", "cp /data/{}.txt /work/", "it is {}", "b'{}'"])
def test_a_token_of_a_known_form_is_masked(secret: str, form: str):
    assert masked(form.format(secret)) == form.format(MASK * len(secret))


WALLET = f"0x{chance(HEX, 64)}"


@pytest.mark.parametrize(
    ("form", "secret"),
    [
        ("cast send --rpc-url http://x --private-key {} 0xabc", WALLET),
        ("forge script D --broadcast --private-key={}", WALLET),
        ("PRIVATE_KEY={} npx hardhat run deploy.js", WALLET),
        ('accounts: ["{}"]', WALLET),
        ("bitcoin-cli importprivkey {}", f"K{chance(BASE58, 51)}"),
        ("codecov -t {}", UUID),
        ("snyk auth {}", UUID),
        ("cvs -d :pserver:bob:{}@cvs:/r login", WORD),
        ("ftp -n ftp.example.com <<EOF\nuser bob {}\nget data.csv\nEOF", WORD),
        ("USER bob\n331 Password required for bob.\nPASS {}", WORD),
        ("a1 LOGIN bob {}", WORD),
        ("AUTH LOGIN\n334 VXNlcm5hbWU6\nYm9i\n334 UGFzc3dvcmQ6\n{}", "SWx3b2gqandka1FhMjQ="),
        ('client = Client("AC1", "{}")', chance(HEX, 32)),
        ("AUTH PLAIN {}", "AGJvYgBJbHdvaCpqd2RrUWEyNA=="),
    ],
)
def test_what_a_program_or_a_server_is_given_to_be_let_in_is_masked(form: str, secret: str):
    assert masked(form.format(secret)) == form.format(MASK * len(secret))
    assert secret not in masked(json.dumps({"command": form.format(secret)}))


@pytest.mark.parametrize(
    "form",
    [
        "driver.find_element(By.NAME, 'password').send_keys('{}')",
        "await page.fill('#password', '{}');",
        "page.locator('input[name=\"password\"]').fill('{}')",
        'await page.type("#login-password", "{}", {{delay: 9}})',
        "cy.get('#password').clear().type('{}')",
        "page.get_by_label('Password').fill('{}')",
        "pymysql.connect('localhost', 'root', '{}', 'app')",
        'password: Some("{}"),',
        'Password:(*string)("{}")',
        'let password: String? = Optional("{}")',
        "I found valid credentials admin:{} for the login.",
        "Logged in with the default creds `admin:{}`.",
    ],
)
@pytest.mark.parametrize("secret", [WORD, "summer8570"])
def test_what_a_call_a_value_or_a_sentence_hands_over_is_masked(form: str, secret: str):
    assert masked(form.format(secret)) == form.format(secret).replace(secret, MASK * len(secret))


def test_a_password_of_four_groups_of_letters_is_masked_without_quotes():
    text = "Gmail app password: fqja mbbz nuib wvuj"
    assert masked(text) == f"Gmail app password: {' '.join([MASK * 4] * 4)}"


@pytest.mark.parametrize(
    "text",
    [
        f"transactionHash {WALLET} in block 12",
        f"to: 0x{chance(HEX, 40)}",
        "ansible-playbook --private-key deploy-key-2.pem site.yml",
        "page.fill('#username', 'bob-2024'); page.locator('#q').fill('numpy 1.26.4')",
        "page.get_by_label('Password').click(); expect(page.locator('#password')).to_be_visible()",
        "pymysql.connect('localhost', 'root', os.environ['DB'], 'app')",
        'password: None, token: Some(token), name: Some("linux-x86_64")',
        "PASS tests/unit/login.test.js\nPASS src/a1.test.ts",
        "user bob 1000\nuser root 0",
        "the credentials file:~/.aws/credentials2 is missing",
        "The password: they must have been wrong since then",
        f"trace id {UUID} and span {UUID}",
        "ftp -n h <<EOF\nuser bob $PASS\nEOF",
    ],
)
def test_what_hands_over_nothing_stays_readable(text: str):
    assert masked(text) == text
