"""What masks secrets, wherever it is used."""

import base64
import binascii
import bz2
import gzip
import lzma
import random
import re
import string
import time
import zlib
from collections.abc import Callable
from functools import reduce

import pytest

from cases.machine import machine_secrets
from cases.readers.hal_zip import PUBLIC
from cases.secrets import MASK, Masker
from cases.text import visible


def test_a_value_of_the_environment_is_masked_wherever_it_stands():
    masker = Masker()
    masker.learn({"SERVICE_API_KEY": "q7fZ81mmKp0", "DB_PASSWORD": "correcthorse", "LANG": "en_US.UTF-8"})
    text = masker.known(masker.text("it printed q7fZ81mmKp0 and correcthorse under en_US.UTF-8"))
    assert text == f"it printed {MASK * 11} and {MASK * 12} under en_US.UTF-8"


def test_of_this_programs_settings_only_those_are_secret_whose_names_say_so(monkeypatch):
    monkeypatch.setenv("VERIFY_HAL_PASSPHRASE", "halprivatepass99x")
    monkeypatch.setenv("VERIFY_MODEL_SERVER", "https://models.example/a7Kq3vXz91LmPd05RtYw")
    monkeypatch.setenv("VERIFY_STATE", "/home/b7Kq3vXz91LmPd05RtYw")
    known = machine_secrets()
    assert "halprivatepass99x" in known
    assert not any("Kq3vXz91LmPd05RtYw" in value for value in known)
    monkeypatch.setenv("VERIFY_HAL_PASSPHRASE", PUBLIC)
    assert PUBLIC not in machine_secrets()


def test_a_random_value_of_the_environment_is_masked_by_whatever_name_but_not_what_says_nothing():
    masker = Masker()
    short = "xfumz9256VKNM5"
    masker.learn({"THING": "https://x.example/b7Kq3vXz91LmPd05RtYw", "GIT_SHA": "1f3a9c" * 7, "TERM": "xterm-256color"})
    masker.learn({"OTHER_THING": short})
    assert masker.known(f"{short} and {short[::-1]}") == f"{MASK * len(short)} and {MASK * len(short)}"
    text = f"it printed b7Kq3vXz91LmPd05RtYw for {'1f3a9c' * 7} on xterm-256color at x.example"
    assert masker.known(text) == text.replace("b7Kq3vXz91LmPd05RtYw", MASK * 20)


def test_headers_cookies_and_variables_of_a_call_are_shown_by_allow_list():
    call = {
        "headers": {"Accept": "text/html", "X-Acme": "k3y-of-9acme", "X-Mode": "fast"},
        "cookies": {"lang": "en", "Accept": "k3y-of-9acme"},
        "env": {"PYTHON_VERSION": "3.12.4rc1", "ACME": "k3y-of-9acme", "DEBUG": "1", "HOME": "/home/ada1"},
    }
    masked = Masker().record({"arguments": call})["arguments"]
    assert masked == {
        "headers": call["headers"] | {"X-Acme": MASK * 12},
        "cookies": call["cookies"] | {"Accept": MASK * 12},
        "env": call["env"] | {"ACME": MASK * 12},
    }


def test_a_secret_ends_with_its_line_unless_the_next_goes_on_with_it():
    key = "ghp_b7Kq3vXz91LmPd05RtYwb7Kq3vXz91LmPd05RtYw"
    assert Masker().text(f"{key}\ndone\nnext") == f"{MASK * len(key)}\ndone\nnext"
    assert Masker().text(f"{key[:20]}\n{key[20:]} was sent") == f"{MASK * 20}\n{MASK * 24} was sent"


def test_a_secret_that_a_pattern_shows_once_is_masked_everywhere_else():
    masker = Masker()
    first = masker.text("export SERVICE_TOKEN=b7Kq3vXz91LmPd05RtYw")
    assert "b7Kq" not in masker.known([first, {"later": "got b7Kq3vXz91LmPd05RtYw"}])[1]["later"]


def test_the_key_of_an_argument_tells_what_its_value_is():
    record = {"arguments": {"db_pass": "Orange44tree", "PWD": "/home/user1", "note": "pass 1 of 2"}, "id": "r1"}
    assert Masker().record(record) == record | {"arguments": record["arguments"] | {"db_pass": MASK * 12}}


def test_what_stands_on_the_next_line_is_no_password():
    text = "Enter password:\nUbuntu-22.04 is here\nUnexpected token:\nabc12345"
    assert Masker().text(text) == text


def test_what_is_invisible_gets_a_sign():
    assert visible("a\u202eb\u200bc\x1b[0m") == "a⟨U+202E⟩b⟨U+200B⟩c⟨ESC⟩[0m"


@pytest.mark.timeout(60)
def test_hostile_text_around_names_and_options_does_not_stall():
    seeds = ("_pass: self.", "token: a_", "mysql -", "docker login -", "echo aaa| sudo -", "environ['a_", "1:Aa")
    for seed in (*seeds, "wandb login -a ", "secret a1", "pass=aaaa1("):
        Masker().text(seed * (200_000 // len(seed)))


@pytest.mark.timeout(60)
def test_hostile_text_to_be_decoded_and_laid_out_does_not_stall():
    decoded = ("%25", "\\", "Ab1", "41", "65, ", "x=\n", "&amp;", "\x1b[", "a\b", "H4sIAAAAAAAC", "MTIz\n", '"a" + ')
    lines = ("\n", "a\n", "a" * 16 + "\n", "| password |\n", "password,a,b\n", "A=1\n", "password:\n  - ", "headers={")
    for seed in (*decoded, *lines):
        Masker().text(seed * (50_000 // len(seed)))
    keys = (f"TOKEN={random.Random(at).randbytes(14).hex()}" for at in range(1_000))
    Masker().text("\n".join(keys))


NEAR = (
    "| user | password |\n+---+---+\n| bob | {} |\n+---+---+",
    "user,password\nbob,{}",
    '{{"user": "bob", "pass": "{}"}}',
    "**Password:** {}",
    "password: &db !!str {}",
    "<password><![CDATA[{}]]></password>",
    "<key>Password</key>\n<string>{}</string>",
    '<input type="password" name="x" value="{}">',
    "set -gx API_TOKEN {}",
    "The password for bob is {}.",
    "Use {} as the password.",
    "requests.get(url, auth=('bob', '{}'))",
    "INSERT INTO users (name, password) VALUES ('bob', '{}');",
    "curl -su bob:{} https://a.example/",
    "echo {} | su -c id",
    "passwd bob <<EOF\n{}\nEOF",
    "sqlplus scott/{}@orcl",
    "HOME=/root\0THING={}\0PATH=/bin\0",
    '"Env": ["HOME=/root", "THING={}", "PATH=/bin"]',
    "environ({{'HOME': '/root', 'THING': '{}', 'PATH': '/bin'}})",
    "python x.py HOME=/root THING={} PATH=/bin",
    "パスワードは {} です",
)


@pytest.mark.parametrize("form", NEAR)
def test_a_strange_value_near_what_names_it_or_listed_with_variables_is_masked(form: str):
    assert Masker().text(form.format("q7fZ81mmKp0Lw2")) == form.format(MASK * 14)


TOLD = f"GITHUB_TOKEN=ghp_{'b7Kq3vXz91LmPd05RtYw' * 2}".encode()
WRITTEN = {
    "bzip2": base64.b64encode(bz2.compress(TOLD)).decode(),
    "xz": base64.b64encode(lzma.compress(TOLD)).decode(),
    "raw deflate": base64.b64encode(zlib.compress(TOLD)[2:-4]).decode(),
    "small base32": base64.b32encode(TOLD).decode().lower(),
    "0x": ", ".join(f"0x{byte:02x}" for byte in TOLD),
    "octal": " ".join(f"{byte:03o}" for byte in TOLD),
    "od -c": "\n".join(f"{at:07o}   " + "   ".join(map(chr, TOLD[at : at + 16])) for at in range(0, len(TOLD), 16)),
    "uuencode": "\n".join(binascii.b2a_uu(TOLD[at : at + 45]).decode().strip() for at in range(0, len(TOLD), 45)),
    "spans": "".join(f"<span>{chr(byte)}</span>" for byte in TOLD),
    "deeper than is read": reduce(lambda said, _: base64.b64encode(said), range(14), TOLD).decode(),
}


@pytest.mark.parametrize("way", WRITTEN)
def test_a_token_is_masked_in_what_logs_write_bytes_in(way: str):
    told = WRITTEN[way]
    masked = Masker().text(f"Exit Code: 0\n{told}\ndone")
    assert len(masked) == len(f"Exit Code: 0\n{told}\ndone")
    assert masked.count(MASK) > len("".join(re.sub("</?span>", "", told).split())) / 2


def test_however_many_secrets_are_known_each_is_masked_wherever_it_stands():
    masker = Masker()
    masker.text("export ADMIN_PASSWORD=hunter22x9Q")
    masker.certain |= {f"decoy{at:05d}q7fZ81mmKp0Lw2Yd6Gf0": "token" for at in range(5_000)}
    assert masker.known("connected with hunter22x9Q ok") == f"connected with {MASK * 11} ok"


def test_of_keys_that_are_masked_alike_none_is_lost():
    masker = Masker()
    masker.certain |= {"hunter22x9Q": "token", "hunter33y8R": "token"}
    assert masker.known({"hunter22x9Q": 1, "hunter33y8R": 2}) == {MASK * 11: 1, f"{MASK * 11} (2)": 2}


def test_a_text_that_still_says_what_no_mask_hid_is_masked_whole():
    masker = Masker()
    masker.whole = frozenset({"left over"})
    assert masker.known({"a": "is left over", "b": "stays"}) == {"a": f"{MASK * 2} {MASK * 4} {MASK * 4}", "b": "stays"}


def test_what_is_packed_too_tightly_to_be_read_is_masked_whole():
    bomb = base64.b64encode(gzip.compress(b"password: hunter22x " * 50_000)).decode()
    masked = Masker().text("\n".join(f"log {at}: {bomb} ." for at in range(100)))
    assert masked.splitlines()[7].rstrip("=. ") == f"log 7: {MASK * len(bomb.rstrip('='))}"


def test_what_code_and_commands_say_in_place_of_a_password_still_runs_from_a_pack():
    commands = (
        "python -c 'password = getpass2()'; token = next_token_2",
        "docker run -p 8080:80 x && docker login",
        "mysql -u root -p db1 --protocol=tcp -P3306",
        "pip install passlib==1.7.4 secretstorage==3.3.3 tokenizers==0.15.2",
        "DB_PASSWORD=$DB_PASSWORD_1 make test && echo hello1 | sudo tee x",
        "pad_token: tokenizer_eos_token_id_2, token = tokenizer2",
    )
    for command in commands:
        masker = Masker()
        assert masker.known(masker.text(command)) == command


DENSE: dict[str, Callable[[Callable[[int], str]], str]] = {
    "lines": lambda drawn: f"{drawn(3).upper()}_TOKEN={drawn(24)}\n",
    "keys": lambda drawn: f"ghp_{drawn(36)}\n",
    "table": lambda drawn: f"| bob | {drawn(12)} |\n",
    "words": lambda _drawn: "token=password: key secret ",
}


@pytest.mark.parametrize(
    "way", [way if way == "table" else pytest.param(way, marks=pytest.mark.exhaustive) for way in DENSE]
)
def test_a_text_that_holds_little_but_secrets_takes_time_that_grows_with_its_length(way: str):
    chance = random.Random(17)
    letters = string.ascii_letters + string.digits
    head = "| user | password |\n|---|---|\n" if way == "table" else ""

    def took(lines: int) -> float:
        told = head + "".join(DENSE[way](lambda count: "".join(chance.choices(letters, k=count))) for _ in range(lines))
        began = time.process_time()
        masked = Masker().text(told)
        assert len(masked) == len(told)
        assert way == "words" or len(set(masked) & set(letters)) < len(letters) / 2
        return time.process_time() - began

    assert took(16_000) < 10 * took(4_000)


def test_a_long_random_word_behind_a_name_is_a_token_of_whatever_service():
    token = "acme_b7Kq3vXz91LmPd05RtYwb7Kq3vXz91LmPd05RtYw"
    assert Masker().text(f"signed {token} ok") == f"signed {MASK * len(token)} ok"


TOKEN = "ghp_A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8"


@pytest.mark.parametrize("between", ["''", '""', "'\"", "\"'"])
@pytest.mark.parametrize("width", [2, 5, 17])
def test_a_token_in_quoted_pieces_that_a_shell_makes_one_word_is_masked(between: str, width: int):
    pieces = between.join(TOKEN[at : at + width] for at in range(0, len(TOKEN), width))
    quote = between[-1], between[0]
    text = f"curl -H X:{quote[0]}{pieces}{quote[1]} https://api.test"
    assert TOKEN[10:20] not in Masker().text(text).replace(between, "")
