"""A world put before the real program."""

import csv
import io
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from cases import PackError
from evidence.checking import check
from evidence.recomputing import recompute
from verify.labelled.formats import BENCHMARK, written
from verify.labelled.judging import Difference, Said, compare
from verify.labelled.recording import put_workspace
from verify.labelled.world import Recording, World

Program = Callable[[list[str], Path, dict[str, str], float], subprocess.CompletedProcess[str]]
SECONDS = 1500
PROGRAM = Path(__file__).parents[2] / "impassable" / "__main__.py"
SHARED = Path(tempfile.gettempdir(), "impassable-worlds")
"""One list of what packages contain, for all audits of worlds."""


@dataclass(frozen=True)
class Judged:
    """What came of one world."""

    world: World
    said: Said | None
    differences: tuple[Difference, ...]
    seconds: float
    script: str = ""
    """`reproduce.sh` of its pack."""


def started(arguments: list[str], cwd: Path, env: dict[str, str], timeout: float) -> subprocess.CompletedProcess[str]:
    """The program, started for this alone with `env` and nothing else; `timeout` are seconds.

    Raises:
        subprocess.TimeoutExpired: it was not done by then, and was ended.
    """
    command = [sys.executable, "-P", str(PROGRAM), *arguments]
    return subprocess.run(command, cwd=cwd, env=env, capture_output=True, text=True, timeout=timeout, check=False)


def judge(
    world: World,
    recording: Recording,
    image: str,
    *,
    settings: Mapping[str, str] | None = None,
    packs: Path | None = None,
    program: Program = started,
) -> Judged:
    """Ask `verify`, with settings and directories of its own, and compare; `settings` are further variables."""
    began = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="world-") as directory:
        kept = packs or Path(directory) / "packs"
        arguments = _inputs(world, recording, image, Path(directory), kept)
        env = _environment(Path(directory)) | dict(settings or {})
        try:
            done = program([world.id, *arguments, *world.flags, "--json"], Path(directory), env, SECONDS)
        except subprocess.TimeoutExpired:
            gap = Difference("verify", "a verdict", f"nothing in {SECONDS} s")
            return Judged(world, None, (gap,), time.monotonic() - began)
        seconds = time.monotonic() - began
        if done.returncode != 0:
            told = (done.stderr.strip().splitlines() or [f"exit code {done.returncode}"])[-1]
            return Judged(world, None, (Difference("verify", "a verdict", told),), seconds)
        said = Said.of(json.loads(done.stdout))
        again = [_recomputed(verdict.parent) for verdict in kept.glob("*/verdict.json")]
        scripts = [path.read_text("utf-8") for path in kept.glob("*/reproduce.sh")]
    differences = compare(world.truth, said)
    if again != [said.status]:
        differences.append(Difference("recomputed", said.status, ", ".join(again)))
    return Judged(world, said, tuple(differences), seconds, "".join(scripts))


def _recomputed(pack: Path) -> str:
    """The status that its records give, or what is wrong with it."""
    try:
        return recompute(check(pack)).status.value
    except PackError as error:
        return str(error)


def _inputs(world: World, recording: Recording, image: str, directory: Path, packs: Path) -> list[str]:
    told = written(world, recording)
    run, profile = directory / told.name, directory / "profile.toml"
    run.write_text(told.text, encoding="utf-8")
    profile.write_text(world.profile_toml(image), encoding="utf-8")
    arguments = ["--run", str(run), "--profile", str(profile), "--out", str(packs)]
    for option, text in (("--outcomes", told.outcomes), ("--claims", claims_csv(world) if world.claim else "")):
        if text:
            path = directory / f"{option.strip('-')}.csv"
            path.write_text(text, encoding="utf-8")
            arguments += [option, str(path)]
    if world.workspace is not None:
        put_workspace(world.workspace, directory / "workspace")
        arguments += ["--workspace", str(directory / "workspace")]
    return arguments


def claims_csv(world: World) -> str:
    """The world's claim as a rubric CSV."""
    text = io.StringIO()
    table = csv.writer(text)
    table.writerow(["task_id", "criteria", "grade", "correct", "explanation", "model_run"])
    table.writerow([world.id, BENCHMARK, "1", "0", world.claim, f"{BENCHMARK}_{world.id}"])
    return text.getvalue()


def _environment(directory: Path) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("VERIFY_", "OPENAI_"))}
    home = str(directory / "home")
    browsers = kept.get("PLAYWRIGHT_BROWSERS_PATH", str(Path.home() / ".cache" / "ms-playwright"))
    own = {"HOME": home, "XDG_CONFIG_HOME": f"{home}/config", "XDG_STATE_HOME": f"{home}/state"}
    own |= {"XDG_CACHE_HOME": str(SHARED)}
    return kept | own | {"PLAYWRIGHT_BROWSERS_PATH": browsers, "COLUMNS": "200"}
