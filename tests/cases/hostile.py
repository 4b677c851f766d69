"""Mutated inputs of every format, tried one after another in a process whose memory is bounded.

`python -m tests.cases.hostile COUNT SEED BYTES` tries COUNT mutations, and inputs of BYTES that are large in one way
each (none for 0). It prints one JSON object: how many were tried, and what went wrong. VERBOSE=1 shows each on stderr.
"""

import gzip
import json
import os
import random
import resource
import signal
import sys
import tempfile
import time
import traceback
import warnings
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from cases import InputError
from cases.errors import CredentialsError
from cases.events import events_of
from cases.explaining import explained
from cases.library import Inputs, Library
from tests.cases.giants import giants
from tests.cases.samples import SAMPLES

SECONDS = 10
"""Of processor time for one input, so that a busy machine changes nothing."""
MEMORY = 3 << 30
SLOW = frozenset({"hal_zip"})
"""Formats whose every reading costs a key derivation; they are drawn less often."""

ODD: tuple[Callable[[random.Random], Any], ...] = (
    lambda _: None,
    lambda _: True,
    lambda _: -1,
    lambda _: 10**40,
    lambda _: 1e308,
    lambda _: float("nan"),
    lambda _: "",
    lambda _: [],
    lambda _: {},
    lambda _: [[]],
    lambda _: [None, 1, "x", {}],
    lambda _: "\0",
    lambda _: "half \ud83d of a pair",
    lambda _: "../../../etc/passwd",
    lambda _: "attachment://loop",
    lambda chance: "x" * chance.choice((1, 5_000, 200_000)),
    lambda chance: _nested(chance.choice((10, 400, 900))),
    lambda chance: {"\0": "\udfff", "": chance.random()},
    lambda _: "2025-99-99",
    lambda _: "Current url: " * 50,
    lambda _: "```py\n" * 200,
    lambda _: "Calling tools:\n" + "[" * 500,
    lambda _: "Code:\n```py\nx = " + "+".join(["a"] * 3_000) + "\n```<end_code>",
)


class HungError(BaseException):
    """The time for one input is over."""


def _nested(depth: int) -> Any:
    value: Any = "deep"
    for level in range(depth):
        value = [value] if level % 2 else {"a": value}
    return value


def spoiled(raw: bytes, chance: random.Random) -> bytes:
    """The bytes, damaged at one place."""
    at = chance.randrange(len(raw) + 1)
    end = min(len(raw), at + chance.randrange(1, 40))
    odd = chance.choice((b"[", b"{", b'{"a":', b'"', b"\\", b"\xff", b",")) * 3_000
    return chance.choice(
        (
            raw[:at],
            raw[:at] + bytes([chance.randrange(256)]) + raw[at + 1 :],
            raw[:at] + b"\0" * chance.choice((1, 100)) + raw[at:],
            raw[:at] + raw[end:],
            raw[:at] + raw[at:end] * chance.choice((2, 300)) + raw[end:],
            raw[:at] + b"9" * chance.choice((30, 9_000, 200_000)) + raw[at:],
            raw[:at] + odd + raw[at:],
            raw[at:] + raw[:at],
        )
    )


def twisted(raw: bytes, chance: random.Random) -> bytes:
    """JSON, or lines of JSON, with one value replaced, left out, repeated, renamed or referring to itself.

    What is no JSON has only bytes, of which some are damaged.
    """
    several = b"}\n{" in raw or b"}\n[" in raw
    try:
        rows = [json.loads(raw)] if raw.lstrip()[:1] == b"{" and not several else _rows(raw)
    except ValueError:
        return spoiled(raw, chance)
    for _ in range(chance.choice((1, 1, 2, 5))):
        _twist(rows, chance)
    return "\n".join(json.dumps(row) for row in rows).encode()


def _rows(raw: bytes) -> list[Any]:
    return [json.loads(line) for line in raw.splitlines() if line.strip()]


def _twist(rows: list[Any], chance: random.Random) -> None:
    places = list(_places(rows))
    if not places:
        return
    holder, key = chance.choice(places)
    match chance.randrange(6):
        case 0 if isinstance(holder, dict):
            del holder[key]
        case 1 if isinstance(holder, dict):
            holder[chance.choice(("\ud800", "\0", "id", "role", "content", "../x"))] = holder.pop(key)
        case 2 if isinstance(holder, list):
            holder[:] = holder * chance.choice((2, 50)) if len(holder) < 50 else holder[:1]
        case 3:
            other, name = chance.choice(places)
            holder[key] = json.loads(json.dumps(other[name])) if _has(other, name) else None
        case 4:
            _tied(rows, chance)
        case _:
            holder[key] = chance.choice(ODD)(chance)


def _has(holder: Any, key: Any) -> bool:
    return key in holder if isinstance(holder, dict) else isinstance(key, int) and key < len(holder)


def _tied(rows: list[Any], chance: random.Random) -> None:
    """Every reference becomes the same one, so that calls, causes and parents go round in circles."""
    same = chance.choice((0, "same", None, "attachment://loop"))
    for holder, key in list(_places(rows)):
        if isinstance(key, str) and (key == "id" or key.endswith("_id") or key in ("cause", "parent")):
            holder[key] = same


def _places(value: Any, depth: int = 0) -> Iterator[tuple[Any, Any]]:
    entries = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in list(entries):
        yield value, key
        if depth < 12:
            yield from _places(inner, depth + 1)


def repacked(path: Path, chance: random.Random) -> None:
    """An archive with one member spoiled, renamed, doubled, left out, or blown up."""
    with zipfile.ZipFile(path) as archive:
        members = [(info.filename, archive.read(info)) for info in archive.infolist()]
    at = chance.randrange(len(members))
    name, raw = members[at]
    bomb = b'{"id": "' + b" " * 80_000_000 + b'"}'
    match chance.randrange(7):
        case 0:
            members[at] = chance.choice(("../../../etc/passwd", "/etc/passwd", "samples/../x.json", "\0.json", "")), raw
        case 1:
            members.append((name, raw))
        case 2:
            del members[at]
        case 3:
            members[at] = name, bomb
        case 4:
            members[at] = name, spoiled(raw, chance)
        case _:
            members[at] = name, twisted(raw, chance)
    with zipfile.ZipFile(path, "w") as archive, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for stated, content in members:
            archive.writestr(zipfile.ZipInfo(stated or "x"), content, zipfile.ZIP_DEFLATED)


def mutate(kind: str, path: Path, chance: random.Random) -> None:
    """Damage a sample in place, in a way that its format can suffer."""
    raw = path.read_bytes()
    if kind in ("inspect_zip", "hal_zip") and chance.random() < 0.6:
        repacked(path, chance)
    elif kind == "gzip" and chance.random() < 0.5:
        path.write_bytes(gzip.compress(spoiled(gzip.decompress(raw), chance), 1))
    elif kind == "agentlab" and chance.random() < 0.6:
        step = path.parent / "step_0.pkl"
        step.write_bytes(spoiled(step.read_bytes(), chance))
    elif chance.random() < 0.35:
        path.write_bytes(spoiled(raw, chance))
    else:
        path.write_bytes(twisted(raw, chance))
    if chance.random() < 0.05:
        path.write_bytes(gzip.compress(path.read_bytes(), 1))


def fault(path: Path) -> str:
    """What goes wrong with an input, empty for nothing: refused in one sentence, or read."""

    def late(*_: object) -> None:
        raise HungError

    signal.signal(signal.SIGPROF, late)
    signal.setitimer(signal.ITIMER_PROF, SECONDS)
    try:
        _read(path)
    except (InputError, CredentialsError) as error:
        return "" if "\n" not in str(error).strip() else f"not one sentence: {error!s:.200}"
    except HungError:
        return "more than ten seconds"
    except BaseException as error:  # noqa: BLE001 - this is what is looked for
        return "".join(traceback.format_exception(error))[-1500:]
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
    return ""


def _read(path: Path) -> None:
    library = Library.open(Inputs(runs=(path,), trust_pickle=True))
    for task in library.tasks()[:50]:
        for run in library.case(task).runs[:50]:
            if run.transcript:
                events_of(run.transcript)
                run.model_dump_json()
    if path.stat().st_size < 1_000_000:
        list(explained([path], trust_pickle=True))


def main(count: int, seed: int, size: int) -> dict[str, Any]:
    """Try mutations (and giants); what was tried, the longest time, and the faults with what repeats them."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    faults: list[str] = []
    tried = 0
    longest = ("", 0.0)
    with tempfile.TemporaryDirectory() as name:
        for label, path in _inputs(Path(name), count, seed, size):
            tried += 1
            began = time.process_time()
            if found := fault(path):
                faults.append(f"{label}: {found}")
            if "VERBOSE" in os.environ:
                seconds, peak = time.process_time() - began, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10
                sys.stderr.write(f"{label}: {seconds:.2f} s, at most {peak} MiB so far; {found[-200:]}\n")
            longest = max(longest, (label, time.process_time() - began), key=lambda one: one[1])
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10
    return {"tried": tried, "faults": faults, "longest": longest, "mib": peak}


def _inputs(folder: Path, count: int, seed: int, size: int) -> Iterator[tuple[str, Path]]:
    kinds = [kind for kind in SAMPLES if kind not in SLOW]
    for number in range(count):
        chance = random.Random(f"{seed}:{number}")
        kind = chance.choice(sorted(SLOW)) if chance.random() < 0.01 else chance.choice(kinds)
        with tempfile.TemporaryDirectory(dir=folder) as own:
            path = SAMPLES[kind](Path(own))
            mutate(kind, path, chance)
            yield f"{kind} {seed}:{number}", path
    for label, raw in giants(size) if size else ():
        path = folder / "giant"
        path.write_bytes(raw)
        del raw
        yield label, path


if __name__ == "__main__":
    sys.stdout.write(json.dumps(main(*map(int, sys.argv[1:4]))))
