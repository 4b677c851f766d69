"""People's labels of who erred and when (Who&When, AgentRx) beside what the program says of the same failed runs.

`python benchmarks/people.py FOLDER [--sample N] [--at-once 2] [--table FILE]` from the repository's root; FOLDER holds
the data set's files as it publishes them, which are nobody's to commit here. Audits send nothing over any network
(`--offline`): pages are left unvisited, commands are tried in containers. Where people blame an agent and no wall
stands, nothing may be supported.
`--passed` audits runs that passed instead: none may be supported, and the verdict has to say that the run passed.
Leaves with 1 when a bar is missed.
"""

import argparse
import csv
import json
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks.figures import ROOT, say

TAU, MAGENTIC = Path("data/tau_retail/tau_dataset_failed.json"), Path("data/magentic_dataset")
AGENTRX_TRUTHS = (
    Path("data/ground_truth/magentic_one_ground_truth.json"),
    Path("data/ground_truth/tau_ground_truth.json"),
)
SUPPORTED_BAR = 0
SECONDS = 6 * 3600
COLUMNS = (
    "file",
    "task",
    "status",
    "barrier",
    "our step",
    "their step",
    "their agent",
    "their reason",
    "our reason",
    "pack",
)


def agentrx(folder: Path, place: Path) -> dict[str, tuple[Path, dict[str, Any]]]:
    """AgentRx's labels, each run in a file of its own at `place`; what is blamed is what it calls the root cause."""
    found: dict[str, tuple[Path, dict[str, Any]]] = {}
    runs = {str(run["task_id"]): run for run in json.loads((folder / TAU).read_text("utf-8"))}
    for truth in AGENTRX_TRUTHS:
        for label in json.loads((folder / truth).read_text("utf-8")):
            name, root = str(label["trajectory_id"]), label["root_cause"]
            blamed: dict[str, Any] = next(
                (one for one in label["failures"] if one["failure_id"] == root["failure_id"]), {}
            )
            told: dict[str, Any] = {
                "mistake_step": blamed.get("step_number"),
                "mistake_agent": blamed.get("failed_agent"),
            }
            told["mistake_reason"] = root["reason_for_root_cause"]
            if name in runs:
                path, told["history"] = place / f"retail-{name}.json", runs[name]["traj"]
                path.write_text(json.dumps([runs[name]]), "utf-8")
            else:
                path, history = (
                    place / f"{name}.json",
                    json.loads((folder / MAGENTIC / f"{name}.json").read_text("utf-8")),
                )
                told |= {"history": history, "question_ID": name, "question": history[0]["content"]}
                path.write_text(json.dumps(told), "utf-8")
            found[path.stem] = path, told
    return found


def labels(folder: Path, place: Path) -> dict[str, tuple[Path, dict[str, Any]]]:
    """Every labelled conversation by its task's id; of a task that several have, the first file."""
    if (folder / TAU).is_file():
        return agentrx(folder, place)
    found: dict[str, tuple[Path, dict[str, Any]]] = {}
    for path in sorted(folder.rglob("*.json")):
        data = json.loads(path.read_text("utf-8"))
        if isinstance(data, dict) and {"question_ID", "mistake_step"} <= data.keys():
            found.setdefault(str(data["question_ID"]).strip(), (path, data))
    return found


def audited(runs: list[Path], ids: list[str], at_once: int, packs: Path) -> Iterator[dict[str, Any]]:
    """What `verify --json` says of each task."""
    given = [part for path in runs for part in ("--run", str(path))]
    options = ["--offline", "--json", "--quiet", "--at-once", str(at_once), "--out", str(packs)]
    command = [sys.executable, str(ROOT / "impassable" / "__main__.py"), "audit", *ids, *given, *options]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, timeout=SECONDS, check=False)
    yield from (one for line in done.stdout.splitlines() if "verdict" in (one := json.loads(line)))


def step_of(document: dict[str, Any], history: list[dict[str, Any]]) -> int | None:
    """The message that the leading hypothesis quotes."""
    verdict = document["verdict"]
    leading = next((one for one in document["hypotheses"] if one["id"] == verdict["leading"]), None)
    for citation in leading["citations"] if leading else ():
        for number, message in enumerate(history):
            if citation["quote"] in str(message.get("content")):
                return number
    return None


def row(document: dict[str, Any], path: Path, data: dict[str, Any]) -> tuple[str, ...]:
    """One conversation in the table."""
    verdict = document["verdict"]
    barriers = {one["id"]: one["barrier"] for one in document["hypotheses"]}
    ours = step_of(document, data.get("history") or [])
    told = (path.parent.name + "/" + path.name, document["case"]["task_id"], verdict["status"])
    named = (barriers.get(verdict["leading"]) or "", "" if ours is None else str(ours), str(data["mistake_step"]))
    words = (
        str(data.get("mistake_agent")),
        str(data.get("mistake_reason")),
        verdict["reason"],
        str(document.get("pack")),
    )
    return (*told, *named, *words)


def compared(given: argparse.Namespace, packs: Path) -> bool:
    """People's labels beside ours; whether the bar is met."""
    (place := packs / "labelled").mkdir()
    known = labels(given.folder, place)
    chosen = dict(list(known.items())[:: max(1, len(known) // given.sample)][: given.sample]) if given.sample else known
    documents = audited([path for path, _ in chosen.values()], list(chosen), given.at_once, packs)
    rows = [row(one, *chosen[one["case"]["task_id"]]) for one in documents]
    if given.table:
        with given.table.open("w", newline="", encoding="utf-8") as file:
            csv.writer(file).writerows([COLUMNS, *rows])
    said, near = Counter(one[2] for one in rows), Counter[str]()
    for one in rows:
        if one[4]:
            near["same" if one[4] == one[5] else "later" if int(one[4]) > int(one[5] or 0) else "earlier"] += 1
    supported = [f"{one[0]} ({one[3]})" for one in rows if one[2] == "supported"]
    statuses = ", ".join(f"{count} {status}" for status, count in said.most_common())
    steps = ", ".join(f"{count} {which}" for which, count in near.most_common())
    told = f": {', '.join(supported)}" if supported else ""
    text = f"{len(rows)} of {len(known)} conversations in which people blame an agent: {statuses}"
    text += f"; we quote a message in {sum(near.values())} ({steps} than theirs); supported in {len(supported)}{told}"
    return say(text, len(supported), SUPPORTED_BAR) and bool(rows)


def passed(given: argparse.Namespace, packs: Path) -> bool:
    """Runs that passed; whether none is supported and every verdict says so."""
    command = [sys.executable, str(ROOT / "impassable" / "__main__.py"), "cases", "--run", str(given.folder), "--json"]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, timeout=SECONDS, check=True)
    found = [task for line in done.stdout.splitlines() for task in json.loads(line).get("tasks", [])]
    ids = [f"{one['benchmark']}/{one['task_id']}" for one in found if one["passed"] and not one["failed"]]
    ids = ids[: given.sample] if given.sample else ids
    documents = list(audited([given.folder], ids, given.at_once, packs))
    supported = [one["case"]["task_id"] for one in documents if one["verdict"]["status"] == "supported"]
    silent = [one["case"]["task_id"] for one in documents if "pass" not in one["verdict"]["reason"]]
    text = f"{len(documents)} of {len(ids)} runs that passed: supported in {len(supported)}, not told to have passed"
    return say(f"{text} in {len(silent)}", len(supported) + len(silent), SUPPORTED_BAR) and bool(documents)


def main() -> int:
    """0 when the bar is met."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--passed", action="store_true")
    parser.add_argument("--sample", type=int, default=0, metavar="N")
    parser.add_argument("--at-once", type=int, default=2, metavar="N")
    parser.add_argument("--table", type=Path, metavar="FILE")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="people-") as directory:
        return 0 if (passed if given.passed else compared)(given, Path(directory)) else 1


if __name__ == "__main__":
    sys.exit(main())
