"""A task's own words: its text, the READMEs among its files, and the places that they spell for what is written."""

import os
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from cases import Case
from cases import patterns as re
from cases.links import leads_out

SENTENCE = re.compile(r"(?<=[.!?;])\s+|\n+")
README = re.compile(r"(?i)(?:^|/)(?:readme[^/]*|[^/]+\.md)$")
PROMPT = "the task's text"
LONGEST = 200_000
"""Characters of one text."""
MOST_FILES = 5_000
ORDINARY = frozenset(["/", "/home", "/tmp", "/var/tmp", "/root", "/mnt", "/opt", "/srv", "/media"])  # noqa: S108
"""Directories that say nothing of a task."""
_SPELT = r"(?P<path>/\w[\w./-]*\w)"
_PATH = rf"{_SPELT}(?![\w*{{$])"
_PLACE = re.compile(rf"(?<![\w./~$-]){_PATH}")
_BIDS = r"(?:^|[,:;()•>#–—]|(?:^|\s)-|\d[.)]|\b(?:and|then|please|must|should|(?:need|have|task is) to))[\s\"'`*_]*"
"""What stands before a verb that tells to do something."""
_TOLD = re.compile(
    rf"(?i)(?:{_BIDS}"
    r"\b(?:write|save|store|create|generate|produce|export|dump|output|put|place)"
    r"|\b(?:must|should|ha(?:s|ve) to) be (?:written|saved|stored|created|generated|produced|placed))\b"
    r"(?P<what>(?:\s+[^\s/:;()]+){0,8}?)\s+(?:to|into|in|at|as|under|inside|called|named):?\s+(?:\w+\s+){0,3}?"
    rf"[`'\"(<*]*{_PATH}"
)
"""Told to write there."""
_NAMED = (
    re.compile(
        rf"(?i){_BIDS}\b(?:create|write|add)\s+(?:\w+\s+){{0,2}}(?:file|folder|directory|script)\s+[`'\"(<*]*{_PATH}"
    ),
    re.compile(rf"(?i)\boutput (?:file|folder|directory|path)(?:\s+is\s|\s*[:=])\s*[`'\"(<*]*{_PATH}"),
    re.compile(rf"(?i)(?<![\w./~$-]){_SPELT}(?:[`'\")>][`'\")>*]*)?\s+(?:must|should)\s+(?:contain|hold|exist)\b"),
)
_ASIDE = re.compile(r"(?i)\b(?:\w*link\w*|relative|that|which|is|are|was|were|from|of|in|for|by|path|data)\b")
"""What may lie between, so that the place belongs to something else."""
_DOUBT = re.compile(
    r"(?i)\b(?:not|never|cannot|avoid\w*|without|nothing|none|nobody|no|nor|unless|if|may|might|can|could|optional\w*"
    r"|example|instead\s+of|rather|unlike|except)\b|n[’']t\b|\be\.g\."
)
_CHANGES = re.compile(
    r"(?i)\b(?:chang|edit|fix|modif|implement|resolv|patch|updat|correct|repair|refactor|rewrit|add)\w*"
)
_FORBIDS = re.compile(r"(?i)(?:\bnot|\bnever|n[’']t|\bavoid)\s+(?:ever\s+)?(?:writ|sav|stor|creat|put|plac|us)\w*")


def texts_of(case: Case, workspace: Path | None, files: Iterable[str]) -> Iterator[tuple[str, str]]:
    """What the task says, each as where it stands (`PROMPT`, or a file's name) and its text.

    The prompt is the case's or else the agent's first message; of files only READMEs are read.

    Raises:
        InputError: a README cannot be read.
    """
    if case.task.prompt:
        yield PROMPT, case.task.prompt
    for run in case.runs:
        blocks = run.transcript.blocks if run.transcript else ()
        first = next((block.text for block in blocks if block.role in {"user", "human"}), None)
        if first:
            yield PROMPT, first
    for name in files if workspace else ():
        if README.search(name) and name.count("/") < 4:
            yield name, text_in(workspace, name)


def prompt_of(case: Case) -> str:
    """The prompt, as `texts_of` has it; empty where none is known."""
    return "\n".join(text for title, text in texts_of(case, None, ()) if title == PROMPT)


def spelled_outside(prompt: str, workdir: str = "") -> list[str]:
    """Absolute places that a text spells and that lie outside the working directory, where one is given."""
    named = dict.fromkeys(match["path"].rstrip("/.") for match in _PLACE.finditer(prompt))
    return [one for one in named if not workdir or not f"{one}/".startswith(f"{workdir.rstrip('/')}/")]


def spelled_around(prompt: str, path: str, workdir: str) -> list[str]:
    """Those of them with which an absolute path begins."""
    return [one for one in spelled_outside(prompt, workdir) if path.startswith(one)]


def in_full(text: str, path: str, workdir: str) -> str:
    """The text with an absolute path, and each folder around it below the working directory, spelled in full where it
    spells them from there: `out/field.bin`, `out/`.
    """
    base = workdir.rstrip("/")
    if not base or not path.startswith(f"{base}/"):
        return text
    parts = path.removeprefix(f"{base}/").split("/")
    folders = [f"{'/'.join(parts[:end])}/" for end in range(1, len(parts))]
    spelled = "|".join(re.escape(one) for one in (*(["/".join(parts)] if len(parts) > 1 else []), *folders[::-1]))
    return re.sub(rf"(?<![\w./~$-])(?:\./)?(?={spelled})", f"{base}/", text) if spelled else text


def text_in(workspace: Path | None, name: str) -> str:
    """A file's text, or as much of it as is read; empty when it cannot be, or is a link out of the workspace."""
    if workspace and leads_out(workspace / name, workspace):
        return ""
    try:
        with (workspace or Path()).joinpath(name).open(encoding="utf-8", errors="replace") as text:
            return text.read(LONGEST)
    except OSError:
        return ""


def files_of(workspace: Path) -> tuple[str, ...]:
    """Relative paths, sorted."""
    found = []
    for folder, _, names in os.walk(workspace):
        found += [Path(folder, name).relative_to(workspace).as_posix() for name in names]
    return tuple(sorted(found))


def given(workspace: Path | None) -> dict[str, str]:
    """The task's files by name, each with its text where that is a README; of others only the name says anything."""
    names = files_of(workspace)[:MOST_FILES] if workspace else ()
    return {name: text for name in names for text in (text_in(workspace, name) if README.search(name) else "",)}


class Demand(NamedTuple):
    """A text that speaks of a place for what is written."""

    title: str
    sure: bool
    """Whether it is the task's text, and demands it in so many words."""


def demanded(
    path: str,
    texts: Iterable[tuple[str, str]],
    given: Callable[[str], bool] = lambda _: False,
    *,
    written: bool = False,
    changed: bool = False,
) -> Demand | None:
    """Which text demands, or may demand, that very place, or one in it or around it; `path` is absolute.

    A text that spells the very path, and not in doubt, demands it where it is `written` by the run's own words: the run
    had it from there, whatever else the sentence says. So does one that tells to change what lies in a place around it
    where what lies at the path was to be `changed` by the run. Where that very path is spelled, it may demand it, also
    where something is given there.

    Whatever else a text says of a place that it spells, it may demand it, unless something is `given` there, as far as
    that is known. The task's text goes before any README.
    """
    found: dict[str, set[bool | None]] = {}
    for title, text in texts:
        sentences = SENTENCE.split(text[:LONGEST])
        said = (
            _said_in(sentence, path, given, written=written, changed=changed)
            for sentence in sentences
            if "/" in sentence
        )
        found[title] = found.get(title, set()).union(*said)
    speaking = [title for title, said in found.items() if said & {True, False}]
    if not speaking:
        return None
    title = PROMPT if PROMPT in speaking else min(speaking)
    return Demand(title, title == PROMPT and True in found[title] and None not in found[title])


def _said_in(
    sentence: str, path: str, given: Callable[[str], bool], *, written: bool, changed: bool
) -> set[bool | None]:
    """Of each place in a sentence that concerns a path whether it is plainly demanded; None where it is ruled out."""
    places = {match["path"].rstrip("/") for match in _PLACE.finditer(sentence)}
    concerned = {place for place in places if _concerns(place, path)}
    if concerned and _FORBIDS.search(sentence):
        return {None}
    told = [match for match in _TOLD.finditer(sentence) if not _ASIDE.search(match["what"])]
    told += [match for named in _NAMED for match in named.finditer(sentence)]
    sure = {match["path"].rstrip("/") for match in told} | ({path} if written else set())
    sure |= concerned if changed and _CHANGES.search(sentence) else set()
    sure = set() if _DOUBT.search(sentence) else sure & concerned
    wanted = {path} if changed else set()
    return {place in sure for place in concerned if place in sure or place in wanted or not given(place)}


def _concerns(place: str, path: str) -> bool:
    if place == path:
        return True
    if path in ORDINARY or place in ORDINARY:
        return False
    home = re.fullmatch(r"/home/[^/]+", place) is not None
    return place.startswith(f"{path}/") or (path.startswith(f"{place}/") and not home)
