"""What masks secrets, wherever it is used."""

from cases.secrets import MASK, Masker
from cases.text import visible


def test_a_value_of_the_environment_is_masked_wherever_it_stands():
    masker = Masker()
    masker.learn({"SERVICE_API_KEY": "q7fZ81mmKp0", "DB_PASSWORD": "correcthorse", "LANG": "en_US.UTF-8"})
    text = masker.known(masker.text("it printed q7fZ81mmKp0 and correcthorse under en_US.UTF-8"))
    assert text == f"it printed {MASK * 11} and {MASK * 12} under en_US.UTF-8"


def test_a_secret_that_a_pattern_shows_once_is_masked_everywhere_else():
    masker = Masker()
    first = masker.text("export SERVICE_TOKEN=b7Kq3vXz91LmPd05RtYw")
    assert "b7Kq" not in masker.known([first, {"later": "got b7Kq3vXz91LmPd05RtYw"}])[1]["later"]


def test_what_is_invisible_gets_a_sign():
    assert visible("a\u202eb\u200bc\x1b[0m") == "a⟨U+202E⟩b⟨U+200B⟩c⟨ESC⟩[0m"
