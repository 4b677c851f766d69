"""Whether anything that a program reads has a bearing on its failure: each variable and each option of its own, with
each word that its sources and its folder know, and with others that they cannot know.

Only what changes nothing at all, neither how the command ends nor what it says, leaves nothing open: with some of these
values, what means something would have it fail otherwise.
"""

import posixpath
import shlex
from collections.abc import Sequence

from cases import patterns as re
from cases.shell import steps_of
from probes.replay.handlers.settings import AMOUNTS, QUOTED_OPTION, READ, own_settings
from probes.replay.resources.context import ContainerContext
from probes.replay.target.needs import gone_to

MOST_WORDS = 60
MOST_SECONDS = 60
LONGEST = 10
"""Seconds for one try."""
_SLOWER = 1.5
_SHELLS = frozenset({"bash", "sh"})
_IN_A_SHELL = re.compile(r"\$\{?(?P<name>[A-Z]\w+)")
_QUOTED = re.compile(r"['\"](?P<word>[\w.:/+-]{1,40})['\"]")
_COMPARED = re.compile(
    r"(?m)[=!]=?[ \t]*(?P<word>[\w.+-]{1,40})[ \t]*\]|^[ \t]*(?P<case>[\w.+-]{1,40}(?:\|[\w.+-]{1,40})*)\)"
)
"""Words in a shell's tests and cases."""
_KEYWORD = re.compile(r"(?<=[(, ])(?P<word>[a-z_]\w{1,30})=(?!=)")
"""Names of arguments, under which a program may keep its choices."""
STRANGE = ("impassable-word", "1", "0", "10000000000", "/", ".")
"""Values that mean something to whoever takes a number, a place or a word: with them it works otherwise."""
_DONE = "nothing that it reads changes its failure"


def bears_on_nothing(trial: ContainerContext, text: str, whole: str, place: int | None) -> bool:
    """Whether all that the sources in `text` read are variables and options, and the failing command fails in the same
    words with any value of any of these. `place` is where in it an option would go; no line of the `whole` sources that
    was left out reads a variable or has an option.
    """
    subject, decisive = trial.subject, trial.outcome.decisive
    command = subject.attempts[0].command
    if decisive is None or decisive.command != command or decisive.done.ok or subject.shell not in _SHELLS:
        return False
    names, flags = _variables(text), _options(text, command)
    if not _only(text, command) or _given(command).intersection((*names, *flags)) or (flags and place is None):
        return False
    if _variables(whole) != names or _options(whole, command) != flags:
        return False
    words = dict.fromkeys((*STRANGE, *_words(text, (*names, *flags)), *_beside(trial, command)))
    tries = (2 * len(names) + 4 * len(flags)) * len(words)
    if len(words) > MOST_WORDS or tries * max(0.1, decisive.done.seconds) * _SLOWER > MOST_SECONDS:
        return False
    others = "".join(f"export {name}=1; " for name in names)
    calls = [f'{before}export {name}="$1"\n{command}' for name in names for before in ("", others)]
    for flag in flags:
        calls += [f'{command[:place]} {flag} "$1" {command[place:]}', f'{command} {flag} "$1"']
        calls += [f"{command} {flag}", f"{command} --no-{flag.lstrip('-')}"]
    [done] = trial.run("replay-sweep", _script(command, calls, [*words], subject.shell), seconds=MOST_SECONDS + LONGEST)
    told = done.output.strip()
    trial.observe("variables and options tried", f"{', '.join((*names, *flags))}: {told}", done.seconds, None)
    return told == _DONE


def _beside(trial: ContainerContext, command: str) -> list[str]:
    """Names of files and folders near the program, whole and without their endings."""
    folder = shlex.quote(gone_to(command) or ".")
    find = f"find {folder} -mindepth 1 -maxdepth 2 -not -path '*/.*' -printf '%f\\n' | sort -u | head -40"
    names = trial.run("replay-sweep-names", find, seconds=20)[0].output.split()
    return [one for name in names for one in dict.fromkeys((name, posixpath.splitext(name)[0]))]


def _variables(text: str) -> list[str]:
    found = (match["name"] or match["shell"] or match["line"] for match in READ.finditer(text))
    return list(dict.fromkeys(filter(None, (*found, *(match["name"] for match in _IN_A_SHELL.finditer(text))))))


def _options(text: str, command: str) -> list[str]:
    return [one for one in own_settings(text, command) if one.startswith("-")]


def _given(command: str) -> set[str]:
    """Variables and options that the command gives itself."""
    called = [step.command for step in steps_of(command)]
    words = {word.partition("=")[0] for one in called for word in one.arguments}
    return words | {one.name for command in called for one in command.assignments}


def _only(text: str, command: str) -> bool:
    """Whether sources read nothing but variables and options."""
    rest = _IN_A_SHELL.sub("", READ.sub("", QUOTED_OPTION.sub("''", text)))
    return all(one == AMOUNTS for one in own_settings(rest, command))


def _words(text: str, but: Sequence[str]) -> list[str]:
    """Words that sources spell, each once."""
    plain = (match["word"] for pattern in (_QUOTED, _KEYWORD) for match in pattern.finditer(text))
    compared = (word for match in _COMPARED.finditer(text) for word in (match["word"] or match["case"]).split("|"))
    return [word for word in dict.fromkeys((*plain, *compared)) if word not in but]


def _script(command: str, calls: Sequence[str], words: Sequence[str], shell: str) -> str:
    """Ends with the word that changed how the command fails, or says that none did."""
    run = f"timeout {LONGEST} {shell} $HOME/.swept.sh"
    plain = f"""trap 'rm -f $HOME/.swept.*' EXIT
printf %s {shlex.quote(command)} > $HOME/.swept.sh
{run} > $HOME/.swept.was 2>&1 < /dev/null; was=$?"""
    tried = f"""case "$w" in *[!A-Za-z0-9_-]* | ? | ?? | ???) x=no-such-word;; *) x="$w";; esac
{run} "$w" > $HOME/.swept.now 2>&1 < /dev/null; r=$?
sed -i "s/$x//g" $HOME/.swept.now; sed "s/$x//g" $HOME/.swept.was | cmp -s - $HOME/.swept.now && [ $r = $was ] ||
{{ echo "otherwise with $w"; exit; }}"""
    each = (
        f"printf %s {shlex.quote(call)} > $HOME/.swept.sh\nfor w in {shlex.join(words)}; do\n{tried}\ndone"
        for call in calls
    )
    return "\n".join((plain, *each, f"echo {shlex.quote(_DONE)}"))
