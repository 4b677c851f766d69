"""Whether what is built offers, by its own words, to do without the header or library that is missing."""

import posixpath
import shlex
from collections.abc import Iterable

from cases import patterns as re
from cases.sentences import Sentences
from cases.shell import steps_of
from cases.task_words import texts_of
from probes.replay.resources.context import ContainerContext
from probes.replay.target.needs import gone_to

say = Sentences(__name__)

LEAVES = r"(?:no|without|disable|skip|use|with|enable|have|has)[-_]"
BUILD = (
    "setup.py",
    "Makefile",
    "makefile",
    "GNUmakefile",
    "*.mk",
    "CMakeLists.txt",
    "*.cmake",
    "meson*",
    "SCons*",
    "build.*",
)
WORDS = (*BUILD, "*.py", "*.toml", "*.cfg", "*.in", "*.ac", "configure", "README*", "INSTALL*", "*.md", "*.rst", "*.sh")
SOURCES = ("*.c", "*.h", "*.cc", "*.hh", "*.cpp", "*.hpp", "*.cxx", "*.pyx", "*.cu", "*.C", "*.H", "*.m")
SWITCHED = r"os\.environ|getenv|ENV\{|sys\.argv|argparse|\boption\(|[?]=|^\s*(ifdef|ifndef|ifeq|ifneq)\b|get_option"
PACKED = re.compile(r".+\.(?:tar(?:\.\w+)?|tgz|zip)")
DIRECTIVE = re.compile(r"\s*#\s*(?P<word>ifdef|ifndef|if|elif|else|endif|include)\b\s*(?P<rest>.*)")
GUARD = re.compile(r"ifndef \w*(?:H|HPP|HH|HXX|INCLUDED)_*$|.*\b__cplusplus\b")


def own_options(trial: ContainerContext, header: str, stems: Iterable[str]) -> str | None:
    """Which one the sources or the task's words offer, if they do; ends a sentence."""
    pattern = offering(stems)
    texts = texts_of(trial.context.case, trial.context.settings.workspace, trial.outcome.task_files or ())
    for title, text in texts:
        if match := re.search(pattern, text, re.IGNORECASE):
            return _said(title, match[0])
    command = trial.subject.attempts[0].command
    asked = [_grep(command, WORDS, pattern, "i"), _grep(command, BUILD, SWITCHED, "")]
    asked.append(_grep(command, SOURCES, rf"include.*{re.escape(header)}", "l", "xargs -r cat | head -c 400000"))
    done = trial.run("replay-own-options", *asked, seconds=60)
    if failed := next((one for one in done if not one.ok), None):
        return say("own_options.whether_sources_offer", how=failed.how)
    for one in done[:2]:
        if one.output.strip():
            where, _, words = one.output.strip().partition(":")
            return _said(where, words)
    condition = guarded(done[2].output, header)
    return _said("a source", f"#{condition}") if condition else None


def offering(stems: Iterable[str]) -> str:
    """An expression for words that speak of doing without one of these."""
    names = "|".join(re.escape(stem) for stem in stems)
    return (
        rf"{LEAVES}[a-z0-9_-]*({names})|without (a |the )?(lib)?({names})"
        rf"|optional[^.]{{0,80}}({names})|({names})[^.]{{0,80}}optional"
    )


def guarded(text: str, header: str) -> str | None:
    """The condition under which C sources ask for the header; None where they always do."""
    conditions: list[str] = []
    for line in text.splitlines():
        match = DIRECTIVE.match(line)
        if match is None:
            continue
        word, rest = match["word"], match["rest"].strip()
        if word in {"if", "ifdef", "ifndef"}:
            conditions.append(f"{word} {rest}")
        elif word == "endif":
            conditions = conditions[:-1]
        elif word in {"elif", "else"}:
            conditions[-1:] = [f"{word} {rest}".strip()]
        elif header in rest and (found := next((one for one in conditions if not GUARD.match(one)), None)):
            return found
    return None


def _said(where: str, words: str) -> str:
    said = " ".join(words.split())[:80]
    return say("own_options.speaks_without_not", where=where, said=said)


def _grep(command: str, names: Iterable[str], pattern: str, option: str, then: str = "head -1") -> str:
    """Looks through the files of the directories in which the command builds, or of the archives that it builds."""
    here = posixpath.normpath(gone_to(command) or ".")
    given = (word for step in steps_of(command) for word in step.command.words[1:])
    words = [word.text for word in given if word.literal and not word.text.startswith("-")]
    packed = [word for word in words if PACKED.fullmatch(word)]
    places = dict.fromkeys([here, *(posixpath.normpath(posixpath.join(here, word)) for word in words)])
    listed = " -o ".join(f"-name {shlex.quote(name)}" for name in names)
    unpacked = "".join(
        f"tar -xf {path} -C $kept 2>/dev/null || python3 -m zipfile -e {path} $kept 2>/dev/null; "
        for path in (shlex.quote(posixpath.join(here, one)) for one in packed)
    )
    directories = "".join(f"test -d {path} && echo {path}; " for path in map(shlex.quote, places))
    how = "-lE" if option == "l" else f"-Ho{option}E"
    return (
        f"kept=$(mktemp -d); {unpacked}({directories}echo $kept) | xargs -d '\\n' -I@ find @ -maxdepth 5 -type f "
        f"-size -600k -not -path '*/.*/*' -not -path '*/site-packages/*' \\( {listed} \\) -print0 2>/dev/null "
        f"| head -z -n 400 | xargs -0 -r grep -I {how} {shlex.quote(pattern)} 2>/dev/null | {then}; rm -rf $kept"
    )
