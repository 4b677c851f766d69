"""What masks secrets, wherever it is used."""

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
