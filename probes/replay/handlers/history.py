"""A repository of git's that lacks a part of its history for which the task asks: a commit, or its name."""

import posixpath
import shlex
from dataclasses import dataclass

from cases import patterns as re
from cases.shell import steps_of
from cases.task_words import prompt_of
from cases.touches import code_in
from probes.replay.resources.context import ContainerContext
from probes.replay.target.needs import gone_to

_FETCHES = frozenset({"fetch", "pull"})
_DEEPENS = re.compile(r"--(?:unshallow|deepen(?:=.*)?|depth(?:=.*)?|shallow-(?:since|exclude)(?:=.*)?)")
_NAME = re.compile(r"(?i)\b(?:hash|sha(?:-?1)?|commit id)\b")
_COMMIT = re.compile(r"(?i)\bcommits?\b")
"""By git's own glossary, in any language."""
_NAMES = re.compile(r"(?<![\w.-])(?=[0-9a-f]*[a-f])(?=[0-9a-f]*[0-9])[0-9a-f]{7,40}(?![\w-])")
"""Commits, as git abbreviates their names."""
_WANTED = frozenset(
    {"cherry-pick", "checkout", "switch", "show", "merge", "revert", "rebase", "reset", "worktree", "diff", "log"}
)
"""Commands of git's for which a commit must be there."""
_LACKS = """cd {folder} && git rev-parse --absolute-git-dir && for name in {names}; do
! git cat-file -e "$name^{{commit}}" 2>/dev/null || exit 1; done"""
_PACKS = """cd {folder}; own="$(git rev-parse --absolute-git-dir)"
find / \\( -path /proc -o -path /sys -o -path "$own" \\) -prune -o -type f \\( -name '*.pack' -o -name '*.bundle' \
-o -path '*/objects/[0-9a-f][0-9a-f]/*' -o -name '*.patch' -o -name '*.mbox' {archives} \\) -print 2>/dev/null |
head -1; true"""
"""Other objects, patches, and archives of the commit's name."""
_CUT = 'cd {folder} && test "$(git rev-parse --is-shallow-repository)" = true && git rev-parse --absolute-git-dir'
_ELSEWHERE = """cd {folder}; own="$(git rev-parse --absolute-git-dir)"; known="$(git log --all --format='%H %P')"
find / \\( -path /proc -o -path /sys -o -path "$own" \\) -prune -o -type f \\( -name '*.pack' -o -name '*.bundle' \
-o -path '*/objects/[0-9a-f][0-9a-f]/*' \\) -print 2>/dev/null | head -1
grep -rIoEh --exclude-dir=.git --exclude='*.lock' '\\b[0-9a-f]{{7,40}}\\b' . 2>/dev/null |
grep '[a-f]' | grep '[0-9]' | sort -u |
while IFS= read -r name; do printf %s "$known" | grep -q -- "$name" || echo "$name"; done | head -1; true"""
"""Other objects, or a name of the form of a commit's that is none of those that are there."""


@dataclass(frozen=True)
class CutOff:
    """The repository."""

    folder: str
    elsewhere: str = ""
    """What may bring the rest of its history, or name the commit; empty where nothing may."""
    commit: str = ""
    """The commit that the task names; empty where it asks for the name of one."""


def without_the_commit(trial: ContainerContext) -> CutOff | None:
    """The repository for which the failing command was to fetch a commit that the prompt names, with what git is to do
    with it, and that it lacks; None where there is no such.
    """
    line, prompt = trial.subject.attempts[0].command, prompt_of(trial.context.case)
    told = (step.command for code in code_in(prompt) for step in steps_of(code))
    wanted = any(one.program == "git" and _WANTED.intersection(one.arguments) for one in told)
    named = _NAMES.findall(prompt) if wanted else []
    fetches = any(
        step.command.program == "git" and _FETCHES.intersection(step.command.arguments) for step in steps_of(line)
    )
    if not fetches or not named:
        return None
    folder = posixpath.normpath(posixpath.join(trial.session.spec.workdir, gone_to(line) or "."))
    ask = _LACKS.format(folder=shlex.quote(folder), names=" ".join(dict.fromkeys(named)))
    if not trial.run("replay-history", ask, seconds=20)[0].ok:
        return None
    archives = " ".join(f"-o -name {shlex.quote(f'*{name[:7]}*')}" for name in named)
    look = _PACKS.format(folder=shlex.quote(folder), archives=archives)
    [found] = trial.run("replay-history-elsewhere", look, seconds=90)
    return CutOff(folder, found.output.strip(), commit=named[0])


def cut_off(trial: ContainerContext) -> CutOff | None:
    """What the failing command was to complete; None where it fetches nothing for a history that was cut off, the
    prompt asks for no commit's name, or the run made a commit itself.
    """
    line, prompt = trial.subject.attempts[0].command, prompt_of(trial.context.case)
    words = [step.command.arguments for step in steps_of(line) if step.command.program == "git"]
    deepens = any(_FETCHES.intersection(each) and any(map(_DEEPENS.fullmatch, each)) for each in words)
    ran = (step.command for event in trial.subject.events.commands for step in event.steps)
    commits = any(one.program == "git" and "commit" in one.arguments for one in ran)
    if not deepens or commits or not _COMMIT.search(prompt) or not _NAME.search(prompt):
        return None
    folder = posixpath.normpath(posixpath.join(trial.session.spec.workdir, gone_to(line) or "."))
    [cut] = trial.run("replay-history", _CUT.format(folder=shlex.quote(folder)), seconds=20)
    if not cut.ok:
        return None
    [found] = trial.run("replay-history-elsewhere", _ELSEWHERE.format(folder=shlex.quote(folder)), seconds=90)
    return CutOff(folder, found.output.strip().partition("\n")[0])
