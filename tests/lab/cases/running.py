"""A world put before the real program."""

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

from .judging import Difference, Said, compare
from .transcript import claims_csv, upload
from .world import Recording, World

Program = Callable[[list[str], Path, dict[str, str], float], subprocess.CompletedProcess[str]]
SECONDS = 1500


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
    """The program, started for this alone."""
    command = [sys.executable, "-m", "verify", *arguments]
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
        arguments = _inputs(world, recording, image, Path(directory), packs or Path(directory) / "packs")
        env = _environment(Path(directory)) | dict(settings or {})
        done = program([world.id, *arguments, *world.flags, "--json"], Path(directory), env, SECONDS)
        seconds = time.monotonic() - began
        if done.returncode != 0:
            told = (done.stderr.strip().splitlines() or [f"exit code {done.returncode}"])[-1]
            return Judged(world, None, (Difference("verify", "a verdict", told),), seconds)
        said = Said.of(json.loads(done.stdout))
        kept = packs or Path(directory) / "packs"
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
    run, profile, claims = (directory / name for name in ("run_UPLOAD.json", "profile.toml", "claims.csv"))
    run.write_text(json.dumps(upload(world, recording)), encoding="utf-8")
    profile.write_text(world.profile_toml(image), encoding="utf-8")
    arguments = ["--run", str(run), "--profile", str(profile), "--out", str(packs)]
    if world.claim:
        claims.write_text(claims_csv(world), encoding="utf-8")
        arguments += ["--claims", str(claims)]
    if world.workspace is not None:
        put_workspace(world.workspace, directory / "workspace")
        arguments += ["--workspace", str(directory / "workspace")]
    return arguments


def put_workspace(files: dict[str, str], directory: Path) -> None:
    """The task's files in a directory of their own."""
    directory.mkdir()
    for name, text in files.items():
        path = directory / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def _environment(directory: Path) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("VERIFY_", "OPENAI_"))}
    home = str(directory / "home")
    browsers = kept.get("PLAYWRIGHT_BROWSERS_PATH", str(Path.home() / ".cache" / "ms-playwright"))
    roots = os.pathsep.join(filter(None, [str(Path(__file__).parents[3]), kept.get("PYTHONPATH", "")]))
    own = {"HOME": home, "XDG_CONFIG_HOME": f"{home}/config", "XDG_STATE_HOME": f"{home}/state"}
    own |= {"XDG_CACHE_HOME": str(Path(tempfile.gettempdir(), "impassable-tests"))}  # one list of contents for all
    return kept | own | {"PLAYWRIGHT_BROWSERS_PATH": browsers, "PYTHONPATH": roots, "COLUMNS": "200"}
