"""Of a hundred planted secrets, plain and each in another encoding, none leaves a whole audit by any way out."""

import html
import json
import re
from pathlib import Path
from typing import Any

import pytest

from tests.cases.planted import ENCODINGS, carried, pieces, planted
from tests.graph.llm.conversing import KEY
from tests.lab.model import ModelServer
from tests.verify.secrets_everywhere import MISSING, bytes_in, talkative
from tests.verify.synthetic import Verify, upload

TASK = "planted-secrets"
HELPED = ("--model", "lab", "--second-reader", "--max-calls", "6")


def run_file() -> dict[str, Any]:
    """A failed run that meets each of them twice: as it is, and encoded."""
    messages: list[dict[str, Any]] = [{"role": "user", "content": "Read the notes and import zitherlib."}]
    encodings = list(ENCODINGS.values())
    for number, plant in enumerate(planted()):
        encoded, _ = carried(plant, encodings[number % len(encodings)])
        for name, told in (("note", plant.text), ("copy", encoded)):
            call = {"name": "execute_bash", "arguments": json.dumps({"command": f"cat {name}-{number}"})}
            asked = {"id": f"{name}{number}", "type": "function", "function": call}
            messages += [
                {"role": "assistant", "content": "I read on.", "tool_calls": [asked]},
                {"role": "tool", "tool_call_id": asked["id"], "content": f"Exit Code: 0\nStdout:\n{told}\n"},
            ]
    call = {"name": "execute_bash", "arguments": json.dumps({"command": "python -c 'import zitherlib'"})}
    messages += [
        {"role": "assistant", "content": "", "tool_calls": [{"id": "z", "type": "function", "function": call}]},
        {"role": "tool", "tool_call_id": "z", "content": f"Exit Code: 1\nStderr:\n{MISSING}"},
        {"role": "assistant", "content": "I was unable to import zitherlib."},
    ]
    return upload(TASK, messages, "corebench_hard")


ESCAPED = re.compile(r"\\u([0-9a-f]{4})|⟨U\+([0-9A-F]{4,6})⟩")


def readings(data: bytes) -> str:
    """What bytes say as they are, and with what JSON and HTML escape, and what we make visible, undone."""
    told = data.decode("utf-8", "replace")
    raw = ESCAPED.sub(lambda told: chr(int(told[1] or told[2], 16)), told)
    raw = raw.replace("⟨ESC⟩", "\x1b").encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    unescaped = (
        raw.replace("\\b", "\b").replace("\\n", "\n").replace("\\r", "\r").replace("\\t", "\t").replace('\\"', '"')
    )
    return "\n".join((told.replace("\\\\", "\\"), raw, html.unescape(raw), unescaped, unescaped.replace("\\\\", "\\")))


def shown(said: str) -> set[tuple[str, str]]:
    """Which of them a text shows, and in which encoding."""
    found: set[tuple[str, str]] = set()
    encodings = list(ENCODINGS.items())
    for number, plant in enumerate(planted()):
        encoding, encode = encodings[number % len(encodings)]
        cut = pieces(*carried(plant, encode))
        if plant.secret in said:
            found.add((plant.id, "plain"))
        if sum(piece in said for piece in cut) * 3 > len(cut):
            found.add((plant.id, encoding))
    return found


@pytest.mark.exhaustive
@pytest.mark.timeout(300)
def test_no_planted_secret_is_in_the_pack_on_the_terminal_in_a_prompt_or_in_what_is_kept(
    verify: Verify, work: Path, tmp_path: Path
) -> None:
    (tmp_path / "run.json").write_text(json.dumps(run_file()))
    told: dict[str, bytes] = {}
    with ModelServer(talkative) as server:
        env = {plant.variable: plant.value for plant in planted() if plant.variable}
        env |= {"OPENAI_BASE_URL": server.url, "OPENAI_API_KEY": KEY, "DOCKER_HOST": "unix:///nowhere/docker.sock"}
        for name, arguments in {
            "audit": (TASK, "--run", tmp_path / "run.json", *HELPED, "--verbose", "--json"),
            "explain": ("explain", TASK),
        }.items():
            done = verify(*arguments, env=env)
            assert done.returncode == 0, done.stderr[-2000:]
            told |= {f"{name}, stdout": done.stdout.encode(), f"{name}, stderr": done.stderr.encode()}
        told["prompts"] = "\n".join(str(one.body) for one in server.asked).encode()
    told["packs"] = b"\n".join(bytes_in(work / "packs"))
    told["state"] = b"\n".join(bytes_in(work / ".verify"))
    told["home"] = b"\n".join(bytes_in(tmp_path / "home"))
    assert b"zitherlib" in told["packs"]
    assert b"zitherlib" in told["prompts"]
    assert {way: shown(readings(data)) for way, data in told.items()} == {way: set() for way in told}


def test_each_of_them_would_be_seen_if_it_were_there() -> None:
    encodings = list(ENCODINGS)
    every = {(plant.id, encodings[number % len(encodings)]) for number, plant in enumerate(planted())}
    assert shown(readings(json.dumps(run_file()).encode())) >= every | {(plant.id, "plain") for plant in planted()}
