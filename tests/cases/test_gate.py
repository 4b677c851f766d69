"""Several patterns asked about in one search, and what is remembered of many texts."""

import pytest

from cases import patterns as re
from cases.remembered import remembered

PATTERNS = (
    re.compile(r"(?i)(?P<what>\w+): (?:command not found|permission denied)"),
    re.compile(r"(?m)^[0-9a-f]{8}: (?P<what>(?:[0-9a-f]{4} ?)+)"),
    re.compile(r"(?:[0-9a-f]{2} ){5}"),
    re.compile(r"(?<!\w)(?:\w ){6}"),
    re.compile(r"(?s)a.+\Z"),
)
TEXTS = (
    "",
    "bash: line 1: helio: command not found",
    "68 65 6c 6c 6f 20 77 6f 72 6c 64",
    "deadbeefdeadbeef",
    "00000000: 6865 6c6c 6f20 776f 726c 640a            hello world.",
    "0000000   h   e   l   l   o",
    "s e c r e t - l e t t e r s",
    "StV1DL6CwTryKyVStV1DL6",
    "touch: cannot touch '/opt/a': Permission denied",
    "uid=1000(agent) gid=1000(agent)",
    "Python 3.11.7 – ünïcode",
)


@pytest.mark.parametrize("text", TEXTS)
def test_a_gate_opens_where_one_of_its_patterns_matches_and_nowhere_else(text: str) -> None:
    assert re.Gate(PATTERNS).opens(text) is any(pattern.search(text) is not None for pattern in PATTERNS)


def test_a_gate_asks_patterns_of_different_flags_and_equal_names() -> None:
    gate = re.Gate((re.compile(r"(?i)(?P<row>begin)"), re.compile(r"(?m)^(?P<row>\d+)$")))
    assert gate.opens("so it BEGINs")
    assert gate.opens("a\n12\nb")
    assert not gate.opens("a 12 b")


def test_what_was_said_of_thousands_of_texts_is_not_asked_again() -> None:
    asked = list[str]()

    @remembered(2)
    def told(text: str) -> int:
        asked.append(text)
        return len(text)

    texts = [f"command {number}" for number in range(6000)]
    for _ in range(3):
        assert [told(text) for text in texts] == [len(text) for text in texts]
    assert len(asked) == len(texts)
