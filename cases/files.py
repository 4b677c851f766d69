"""From what the user names (files, directories, globs) to the files to read."""

import fnmatch
import glob
import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from cases.errors import InputError
from cases.links import leads_out
from cases.readers.agentlab import is_step
from cases.sentences import Sentences

say = Sentences(__name__)

HIDDEN = frozenset({".aider.chat.history.md"})
"""Logs that their agents hide; all other hidden files are passed over."""


@dataclass(frozen=True, slots=True)
class Source:
    """A file to read, and how it was named."""

    path: Path
    named: bool
    """Named one by one, so that it must be readable; files found in a directory or by a glob may be foreign."""
    origin: Path
    """The path or glob as the user gave it."""


def sources(given: Iterable[Path], refused: dict[Path, InputError] | None = None) -> Iterator[Source]:
    """Each file once, in the order given; within a directory or glob sorted by name.

    With `refused`, what cannot be used is put there and the others go on.

    Raises:
        InputError: without `refused`, a path that is not there, a glob that matches nothing, an empty directory.
    """
    seen: set[Path] = set()
    for origin in given:
        try:
            expanded = _expanded(origin, refused)
        except InputError as error:
            if refused is None:
                raise
            refused[origin] = error
            continue
        for source in expanded:
            real = source.path.resolve()
            if real not in seen and (source.named or not is_step(source.path)):
                seen.add(real)
                yield source


def _expanded(origin: Path, refused: dict[Path, InputError] | None) -> list[Source]:
    try:
        if origin.is_dir():
            files = list(_walk(origin))
            if not files:
                raise InputError(say("files.directory_holds_no_files", origin=origin))
            return _inside(origin, origin, files, _Below(origin), refused)
        if origin.exists():
            return [Source(origin, named=True, origin=origin)]
        if not glob.has_magic(str(origin)):
            raise InputError(say("files.no_file_directory_check", origin=origin))
        return _matches(origin, refused)
    except (OSError, ValueError, RecursionError) as error:
        raise InputError(say("files.path_cannot_used_check", origin=origin, error=error)) from error


def _matches(origin: Path, refused: dict[Path, InputError] | None) -> list[Source]:
    """What a pattern matches below the folder that its first parts name; no link is followed out of that folder."""
    parts = origin.expanduser().parts
    first = next(place for place, part in enumerate(parts) if glob.has_magic(part))
    root = Path(*parts[:first])
    below = _Below(root)
    found = dict.fromkeys(below.matching(root, parts[first:]))
    files = [path for match in found for path in (_walk(match) if match.is_dir() else [match])]
    inside = _inside(origin, root, sorted(dict.fromkeys(files)), below, refused)
    if not inside:
        raise InputError(say("files.no_file_matches_pattern", origin=origin))
    return inside


def _inside(
    origin: Path, root: Path, files: Iterable[Path], below: "_Below", refused: dict[Path, InputError] | None
) -> list[Source]:
    """Files that lie below a folder; the links out of it are told."""
    inside = [path for path in files if path.is_file() and not below.leaves(path)]
    told = {path: InputError(say("files.link_leads_out_leads", path=path, root=root)) for path in below.left}
    if told and (refused is None or not inside):
        raise next(iter(told.values()))
    if refused is not None:
        refused |= told
    return [Source(path, named=False, origin=origin) for path in inside]


class _Below:
    """What lies below a folder, seen as a shell sees it: hidden names only where they are spelled."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self.left: list[Path] = []
        """Links that lead out of it, and are not followed."""

    def leaves(self, path: Path) -> bool:
        """Whether a path is a link out of the folder; then it is among those that were `left`."""
        out = path.is_symlink() and leads_out(path, self._root)
        if out and path not in self.left:
            self.left.append(path)
        return out

    def matching(self, folder: Path, parts: Sequence[str]) -> Iterator[Path]:
        """What matches the parts of a pattern."""
        part, rest = parts[0], parts[1:]
        if part == "**":
            yield from self.matching(folder, rest) if rest else [folder]
            for inner in _listed(folder):
                if inner.is_dir() and not inner.is_symlink() and not inner.name.startswith("."):
                    yield from self.matching(inner, parts)
            return
        spelled = part.startswith(".")
        for inner in _listed(folder) if glob.has_magic(part) else [folder / part]:
            hidden = inner.name.startswith(".") and not spelled
            if hidden or not fnmatch.fnmatchcase(inner.name, part) or not inner.exists() or self.leaves(inner):
                continue
            if not rest:
                yield inner
            elif inner.is_dir():
                yield from self.matching(inner, rest)


def _listed(folder: Path) -> list[Path]:
    try:
        return sorted(folder.iterdir())
    except OSError:
        return []  # a shell passes over what it may not open


def _walk(directory: Path) -> Iterator[Path]:
    def refuse(error: OSError) -> None:
        raise error

    for folder, inner, names in os.walk(directory, onerror=refuse):
        inner[:] = sorted(name for name in inner if not name.startswith("."))
        for name in sorted(names):
            path = Path(folder, name)
            if (not name.startswith(".") or name in HIDDEN) and path.is_file():
                yield path
