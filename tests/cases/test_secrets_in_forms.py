"""Secrets in forms that hid them: options in lists, keys in the lines of a log, passwords with signs."""

import base64
import json
import random
import string

import pytest

from cases.secrets import MASK, Masker

CHANCE = random.Random(17)
LETTERS = string.ascii_letters
MIXED = LETTERS + string.digits
LETTERED = tuple("hf_" + "".join(CHANCE.choices(LETTERS, k=34)) for _ in range(12))
PASSWORD = "LvCsQqOD8dDWR2"
PAIRED = "kT9x=vR4mQ2w"


def masked(text: str) -> str:
    masker = Masker()
    told = str(masker.known(masker.text(text)))
    assert len(told) == len(text), "citations count on it"
    return told


@pytest.mark.parametrize("form", ["{}", "login('{}')", "I logged in with {} and it said no.", "x={};"])
def test_a_token_of_a_known_form_is_masked_however_little_by_chance_it_looks(form: str):
    assert [token for token in LETTERED if token in masked(form.format(token))] == []


COMMAND = 'expect -c \'spawn ssh bob@h; expect "assword:"; send "{}\\r"; interact\''


@pytest.mark.parametrize("command", [COMMAND, COMMAND.replace("\\r", "\\n"), COMMAND.replace("send ", "send -- ")])
@pytest.mark.parametrize("value", ["kXun1LfqasyVSc6CR1", "kXunqLfqasy"])
def test_a_password_that_expect_sends_is_masked_up_to_its_escape(command: str, value: str):
    told = command.format(value)
    assert masked(told) == told.replace(value, MASK * len(value))
    assert value not in masked(json.dumps({"command": told}))


@pytest.mark.parametrize(
    "form",
    [
        "password: {}",
        '{{"password": "{}"}}',
        "DB_PASSWORD={}",
        "redis-cli -a {} ping",
        "curl -u ci:{} https://a.example/",
    ],
)
def test_a_password_that_reads_as_an_assignment_is_masked(form: str):
    assert masked(form.format(PAIRED)) == form.format(MASK * len(PAIRED))


def test_a_named_argument_is_no_password():
    text = "password: str=Field2, token: user_id=current_user, api_key: key=value1"
    assert masked(text) == text


BODY = base64.b64encode(random.Random(17).randbytes(610)).decode()
ROWS = [BODY[at : at + 64] for at in range(0, len(BODY), 64)]
BEGIN, END = "-----BEGIN RSA PRIVATE KEY-----", "-----END RSA PRIVATE KEY-----"
AROUND = {
    "comment": "# {}",
    "quote": "> {}",
    "list": "* {}",
    "compose": "app_1  | {}",
    "syslog": "Jun 30 10:00:01 host app[123]: {}",
    "pod": "[pod/web] {}",
    "time": "[10:00:00] {}",
    "grep": "id_rsa:{}",
    "grep -n": "id_rsa:3:{}",
    "box": "│ {} │",
    "blame": "3f2a91bc (Ada Long 2024-05-01 10:00:00 +0000 12) {}",
    "cat -A": "{}$",
    "strings": "  '{}',",
    "diff": "+{}",
    "plain": "{}",
}


@pytest.mark.parametrize("way", AROUND)
@pytest.mark.parametrize("cut", ["whole", "no BEGIN", "no END"])
def test_a_private_key_is_masked_whatever_stands_around_its_lines(way: str, cut: str):
    lines = [BEGIN] * (cut != "no BEGIN") + ROWS + [END] * (cut != "no END")
    text = "\n".join(["cat id_rsa", *map(AROUND[way].format, lines), "ModuleNotFoundError: no module"])
    told = masked(text)
    assert [row for row in ROWS if row in told or row[8:40] in told] == []
    assert told.startswith("cat id_rsa\n")
    assert told.endswith("\nModuleNotFoundError: no module")


def test_a_private_key_that_nobody_ends_takes_no_other_lines_along():
    text = f"{BEGIN}\n{ROWS[0]}\n{ROWS[1]}\ncat: no such file\nall the rest of it, as it was said\nmake: done"
    assert masked(text).endswith("\ncat: no such file\nall the rest of it, as it was said\nmake: done")
    code = f"if text.startswith('{BEGIN}'):\n    return load_private_key_of_somebody(text)\n"
    assert masked(code) == code


LISTS = (
    "Command '['redis-cli', '-a', '{}', 'ping']' returned non-zero exit status 1.",
    'execve("/usr/bin/mysql", ["mysql", "-p{}", "-u", "root"], 0x7ff)',
    '{{"command":["redis-cli","-a","{}"]}}',
    '"Cmd": [\n    "redis-server",\n    "--requirepass",\n    "{}"\n]',
    "args:\n  - redis-server\n  - --requirepass\n  - {}\n",
    'args:\n- "mosquitto_pub"\n- "-P"\n- "{}"\n',
)


@pytest.mark.parametrize("form", LISTS)
@pytest.mark.parametrize("value", [PASSWORD, "kTvRmQwxLz"])
def test_a_list_of_words_is_read_as_the_command_line_that_it_is(form: str, value: str):
    assert masked(form.format(value)) == form.format(MASK * len(value))
    assert value not in masked(json.dumps(form.format(value)))


def test_a_call_that_takes_a_list_of_words_is_read_as_a_command_line():
    words = ["redis-cli", "-a", PASSWORD, "ping"]
    expected = ["redis-cli", "-a", MASK * len(PASSWORD), "ping"]
    assert Masker().record({"arguments": {"command": words}}) == {"arguments": {"command": expected}}


@pytest.mark.parametrize(
    ("form", "value"),
    [
        ("pass = {}", "kT9xvR4mQ2w"),
        ("pass={}", "kT9x.vR4m"),
        ("pass={}", "kT9x/vR4m"),
        ("pass={}", "kT9x%vR4m$Q2w"),
        ("api_key={}", "kTqxvRzmQwwLpNsbTfGh"),
        ("client_secret: {}", "kTqxvRzmQwwLpNsbTfGh"),
        ("client_secret: {}", "kT9x.vR4m/Q2w%Lp0$Ns"),
        ("api_key={}", "kT9x.vR4m/Q2w%Lp0$Ns"),
        ("DB_PASSWORD={}", "kT9x(vR4mQ2w"),
        ("DB_PASSWORD={}", "kT9xvR4{{mQ2w"),
        ("password: {}", "kT9x(vR4mQ2w"),
        ("password: {}", "kT9xvR4{{mQ2w"),
        ("postgres://app:{}@db.internal:5432/shop", "kT9x@vR4mQ2w"),
        ("postgres://app:{}@db.internal/shop", "kT9x/vR4mQ2w"),
        ('Content-Disposition: form-data; name="password"\r\n\r\n{}\r\n--x--', "kT9xvR4mQ2w"),
        ("steghide extract -sf a.jpg -p {}", "kTvRmQwx"),
        ("mosquitto_sub -h h -u bob -P {} -t x", "kTvRmQwx"),
        ("rabbitmqctl add_user bob {}", "kTvRmQwx"),
        ('redis-cli -a"{}" ping', "kTvRmQwx"),
        ("influx query -t {} x", "kT9xvR4mQ2wLp"),
    ],
)
def test_a_secret_is_masked_to_its_end_in(form: str, value: str):
    value = value.replace("{{", "{")
    assert masked(form.format(value)) == form.format(MASK * len(value))


@pytest.mark.parametrize(
    "text",
    [
        "pass: 12 fail: 3\npass = True\npass = result.passed",
        "api_key=settings.api_key\napi_key: getApiKeyFromEnvironment\naccess_token = currentAccessTokenValue",
        "PASSWORD=config(x)\npassword: get_password(name)\nTOKEN=base64.b64encode(x)",
        "http://localhost:3000/@vite/client and https://registry.example:4873/@scope/pkg",
        "args:\n  - --verbose\n  - --output\n  - report.json\n",
        "subprocess.run(['python', '-m', 'pytest', '-p', 'no:cacheprovider'])",
        'Content-Disposition: form-data; name="file"\r\n\r\nkT9xvR4mQ2w\r\n',
    ],
)
def test_what_code_and_logs_say_in_such_forms_stays_readable(text: str):
    assert masked(text) == text


@pytest.mark.parametrize("program", ["svn co --password", "docker login -p"])
def test_a_password_in_a_string_of_json_ends_with_the_string(program: str):
    text = f'{{"command":"{program} {PASSWORD}","cwd":"/srv","note":"x"}}'
    assert masked(text) == text.replace(PASSWORD, MASK * len(PASSWORD))


@pytest.mark.parametrize(
    "secret",
    [
        "password: kT9xvR4mQ2w=",
        f"token {base64.b64encode(b'GITHUB_TOKEN=ghp_b7Kq3vXz91LmPd05RtYwb7Kq3vXz91LmPd').decode()}",
        "ghp_b7Kq3vXz91LmPd05RtYwb7Kq3vXz91LmPd05",
    ],
)
@pytest.mark.parametrize("after", ["ModuleNotFoundError: No module named 'x'", "cat: a: No such file"])
def test_a_secret_at_a_lines_end_leaves_what_failed_on_the_next(secret: str, after: str):
    assert masked(f"{secret}\n{after}").endswith(f"\n{after}")


GUTTERS = {"cat -n": "{:6d}\t{}", "nl": "{:>4}  {}", "bars": "{:>3} | {}", "arrows": "{:>5}→{}", "colons": "{}:{}"}


@pytest.mark.parametrize("gutter", GUTTERS)
@pytest.mark.parametrize("width", [24, 32])
def test_a_secret_that_numbered_rows_cut_is_masked(gutter: str, width: int):
    token = "ghp_" + "".join(random.Random(width).choices(MIXED, k=36))
    for word in (token, base64.b64encode(f"Authorization: Bearer {token}".encode()).decode()):
        pieces = [word[at : at + width] for at in range(0, len(word), width)]
        told = masked("\n".join(GUTTERS[gutter].format(at, piece) for at, piece in enumerate(pieces, start=7)))
        assert [piece for piece in pieces[-2:] if piece[:12] in told] == []


def test_rows_of_a_numbered_listing_stay_readable():
    text = "\n".join(f"{at:6d}\tfrom_the_package_of_numbers import value{at}" for at in range(1, 9))
    assert masked(text) == text


def test_a_dump_is_read_though_words_stand_before_its_first_row():
    rows = "00000000  70 6f 73 74 67 72 65 73  3a 2f 2f 62 6f 62 3a 68  |postgres://bob:h|\n"
    rows += "00000010  70 6c 6a 68 37 34 36 32  55 4f 44 4e 32 40 64 62  |pljh7462UODN2@db|\n00000020"
    assert "pljh7462" not in masked(f"data: {rows}")


@pytest.mark.timeout(60)
@pytest.mark.parametrize("times", [300, 4_000])
def test_a_line_that_a_terminal_wrote_thousands_of_times_is_masked_each_time_and_does_not_stall(times: int):
    shown = f"fetched with token=ghp_{'aK7xQ2mZ' * 4}wZ3p\r"
    assert "aK7xQ2mZ" not in masked(shown * times + "done")


def test_what_a_terminal_wrote_over_shows_no_beginning_of_a_secret():
    whole = "postgres://bob:sccxv6876OEGU7@db:5432/app"
    text = "connecting\r" + "\r".join(whole[:end] for end in (9, 14, 20, 25, 33)) + f"\r{whole}\nsccx"
    told = masked(text)
    assert "sccxv" not in told
    assert told.startswith("connecting\rpostgres:\rpostgres://bo")
    assert told.endswith("@db:5432/app\nsccx")
