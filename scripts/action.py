"""What the GitHub Action runs: audits of what changed, and of packs that issues name, as texts for comments.

It needs no secret and no permission to write; whoever posts the texts is another job. Only `verify` does the work.
"""

import argparse
import json
import re  # noqa: TID251 - it needs nothing but a Python and `verify`
import shutil
import subprocess
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

SIGNS = ("task.toml", "task.yaml")
"""Files that a task's folder has."""
PACK = re.compile(r"\b[\w.-]+-(?:supported|not_supported|inconclusive)-[0-9a-f]{12}\b")
LONGEST = 60_000
"""Characters of a comment, of which GitHub takes 65 536."""
HEADING = "The packs that this issue names, asked again:"
SAID = {True: "still reproduces", False: "no longer reproduces", None: "could not be told this time"}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one of the two jobs; returns 0 whatever was found, since it is advice."""
    parser = argparse.ArgumentParser(description=__doc__)
    jobs = parser.add_subparsers(dest="job", required=True)
    changed = jobs.add_parser("changed", help="tasks that were added or changed since a commit")
    changed.add_argument("--base", required=True, help="the commit or branch to compare with")
    again = jobs.add_parser("again", help="packs that issues name, watched")
    again.add_argument(
        "--issues", type=Path, required=True, help="JSON: a list of objects with number, body and comments"
    )
    again.add_argument("--packs", type=Path, required=True, help="the folder of the packs")
    for job in (changed, again):
        job.add_argument("--tasks", type=Path, required=True, help="the folder of the tasks")
        job.add_argument("--out", type=Path, default=Path("impassable"), help="where packs and texts go")
        job.add_argument("options", nargs="*", help="of verify, after --")
    given = parser.parse_args(arguments)
    given.out.mkdir(parents=True, exist_ok=True)
    try:
        if given.job == "changed":
            of_changed(given.tasks, given.base, given.out, given.options)
        else:
            of_issues(given.issues, given.packs, given.tasks, given.out, given.options)
    except (OSError, ValueError, subprocess.CalledProcessError) as error:
        told = getattr(error, "stderr", None) or str(error)
        sys.stderr.write(f"action: {told.strip()}\n")
        return 2
    return 0


def of_changed(tasks: Path, base: str, out: Path, options: Sequence[str]) -> None:
    """Audit the current state of each task that was added or changed: its solution, an empty run, and its sites."""
    named = changed_tasks(tasks, base)
    told = verify("audit", "--tasks", str(tasks), "--out", str(out / "packs"), *options, "--", *named) if named else []
    settled = sorted((one for one in told if "verdict" in one), key=lambda one: str(one["case"]["task_id"]))
    parts = [f"### `{plain(one['case']['task_id'])}`\n\n{reason(one['verdict'], Path(one['pack']))}" for one in settled]
    parts += [block(one["error"]["message"]) for one in told if "error" in one]
    if not named:
        parts = ["No task was added or changed."]
    write(out / "comment.md", "The current state of what this pull request changes; advice, no check:", parts)


def of_issues(issues: Path, packs: Path, tasks: Path, out: Path, options: Sequence[str]) -> None:
    """Watch the packs that issues name, and write a text for each issue that was not told so already."""
    told = json.loads(issues.read_text("utf-8"))
    named = {name for issue in told for name in PACK.findall(issue.get("body") or "") if (packs / name).is_dir()}
    watched = watch(packs, named, out / "watched", ["--oracle", str(tasks), *options]) if named else {}
    for issue in told:
        found = [name for name in dict.fromkeys(PACK.findall(issue.get("body") or "")) if name in watched]
        parts = [part for name in found for part in watched[name]]
        if parts and not said_already(parts, issue.get("comments") or ()):
            write(out / "comments" / f"{int(issue['number'])}.md", HEADING, (text for _, text in parts))


def watch(packs: Path, named: Iterable[str], place: Path, options: Sequence[str]) -> dict[str, list[tuple[str, str]]]:
    """What became of each pack: the sentence that answers it, and the whole text.

    They are copied first, since what a watch finds is written beside them.
    """
    for name in named:
        shutil.copytree(packs / name, place / name, dirs_exist_ok=True)
    lines = verify("watch", *options, "--", str(place))
    found: dict[str, list[tuple[str, str]]] = {}
    for one in (line["watch"] for line in lines if "watch" in line):
        verdict = json.loads((place / one["now"]["pack"] / "verdict.json").read_text("utf-8"))
        answer = f"`{plain(one['root'])}` **{SAID[holds(one)]}**."
        found.setdefault(one["root"], []).append((answer, f"{answer}\n\n{reason(verdict, place / one['now']['pack'])}"))
    for message in (line["error"]["message"] for line in lines if "error" in line):
        for name in (name for name in named if message.startswith(f"{name}: ")):
            answer = f"`{plain(name)}` could not be asked again."
            found.setdefault(name, []).append((answer, f"{answer}\n\n{block(message)}"))
    return found


def said_already(parts: Iterable[tuple[str, str]], comments: Iterable[dict[str, Any]]) -> bool:
    """Whether the last of our comments on an issue gives the same answers."""
    written = (one.get("body") or "" for one in comments if one.get("viewerDidAuthor"))
    ours = [text for text in written if text.startswith(HEADING)]
    return bool(ours) and all(answer in ours[-1] for answer, _ in parts)


def changed_tasks(tasks: Path, base: str) -> list[str]:
    """Names of the tasks' folders in which a file was added or changed since then; removed tasks are none."""
    command = ["git", "diff", "--name-only", "-z", "--relative", f"{base}...HEAD", "--", "."]
    listed = subprocess.run(command, cwd=tasks, capture_output=True, text=True, check=True).stdout.split("\0")
    names = dict.fromkeys(path.split("/", 1)[0] for path in listed if "/" in path)
    return [name for name in names if any((tasks / name / sign).is_file() for sign in SIGNS)]


def verify(command: str, *arguments: str) -> list[dict[str, Any]]:
    """The documents that `verify` prints.

    Raises:
        ValueError: it said nothing that can be read.
    """
    whole = ["verify", command, "--json", "--quiet", *arguments]
    done = subprocess.run(whole, capture_output=True, text=True, check=False)
    told = [json.loads(line) for line in done.stdout.splitlines()]
    if not told:
        raise ValueError(done.stderr or f"verify {command} left with {done.returncode}")
    return told


def holds(watched: dict[str, Any]) -> bool | None:
    """Whether the barrier that a pack had shown is still there and in the way; None where nobody can tell."""
    then, now = watched["then"], watched["now"]
    if not then["barrier"] or now["barrier"] is None:
        return None
    if not now["barrier"] or now["passable"] == "yes":
        return False
    return True if now["passable"] in ("no", then["passable"]) else None


def reason(verdict: dict[str, Any], pack: Path) -> str:
    """The verdict's sentence and its pack."""
    return f"{block(verdict['reason'])}\n\nstatus `{verdict['status']}`, pack `{plain(pack.name)}`"


def block(text: str) -> str:
    """Foreign text: in a block nothing of it is a link, a picture or a mention."""
    return f"```text\n{text.replace('`', chr(39)).strip()}\n```"


def plain(name: str) -> str:
    """A name without what Markdown would read."""
    return re.sub(r"[^\w./-]", "_", name)


def write(path: Path, heading: str, parts: Iterable[str]) -> None:
    """Write a comment's text."""
    path.parent.mkdir(parents=True, exist_ok=True)
    text = "\n\n".join([heading, *parts])
    whole = (
        text if len(text) <= LONGEST else text[:LONGEST].rsplit("\n\n###", 1)[0] + "\n\n… and more, in the job's packs."
    )
    path.write_text(whole + "\n", encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
