"""Whether anything that a program reads leads it past its failure: each variable and each option of its own with each
word that its sources know.

A value is compared with words, or is a place or a host's name. What lies at places is looked for apart, and where there
is no network no other host answers.
"""

import shlex
from collections.abc import Sequence

from cases import patterns as re
from cases.shell import steps_of
from probes.replay.handlers.settings import AMOUNTS, QUOTED_OPTION, READ, own_settings
from probes.replay.resources.context import ContainerContext

MOST_WORDS = 40
MOST_SECONDS = 45
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
SWITCHES = ("", "1", "0", "true", "yes")
_DONE = "each of them was tried"


def leads_nowhere(trial: ContainerContext, text: str, place: int | None) -> bool:
    """Whether all that the sources in `text` read are variables and options, and with none of their own words any of
    these gets the failing command past its failure. `place` is where in it an option would go.
    """
    subject, decisive = trial.subject, trial.outcome.decisive
    command = subject.attempts[0].command
    if decisive is None or decisive.command != command or (decisive.done.ok and not decisive.sign):
        return False
    if subject.shell not in _SHELLS:
        return False
    names, flags = _variables(text), _options(text, command)
    if not _only(text, command) or _given(command).intersection((*names, *flags)) or (flags and place is None):
        return False
    words = _words(text, (*names, *flags))
    tries = (len(names) + len(flags)) * (len(words) + len(SWITCHES))
    if len(words) > MOST_WORDS or tries * max(0.1, decisive.done.seconds) * _SLOWER > MOST_SECONDS:
        return False
    calls = [f'export {name}="$1"\n{command}' for name in names]
    calls += [f'{command[:place]} {flag} ${{1:+"$1"}} {command[place:]}' for flag in flags]
    script = _script(calls, (*SWITCHES, *words), decisive.sign, subject.shell)
    [done] = trial.run("replay-sweep", script, seconds=MOST_SECONDS + LONGEST)
    told = done.output.strip()
    trial.observe("variables and options tried", f"{', '.join((*names, *flags))}: {told}", done.seconds, None)
    return told == _DONE


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
    quoted = (match["word"] for match in _QUOTED.finditer(text))
    compared = (word for match in _COMPARED.finditer(text) for word in (match["word"] or match["case"]).split("|"))
    return [word for word in dict.fromkeys((*quoted, *compared)) if word not in but and word not in SWITCHES]


def _script(calls: Sequence[str], words: Sequence[str], sign: str, shell: str) -> str:
    """Ends with the word that got past, or says that each was tried."""
    shows = f"grep -qF -- {shlex.quote(sign)} $HOME/.swept.out" if sign else "false"
    tried = (
        f'timeout {LONGEST} {shell} $HOME/.swept.sh "$w" > $HOME/.swept.out 2>&1 < /dev/null; r=$?\n'
        '[ $r = 124 ] && { echo "too slow with $w"; exit; }\n'
        f'[ $r = 0 ] && ! {shows} && {{ echo "past with $w"; exit; }}'
    )
    each = (
        f"printf %s {shlex.quote(call)} > $HOME/.swept.sh\nfor w in {shlex.join(words)}; do\n{tried}\ndone"
        for call in calls
    )
    return "\n".join(("trap 'rm -f $HOME/.swept.*' EXIT", *each, f"echo {shlex.quote(_DONE)}"))
