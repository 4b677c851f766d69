"""`equivalent-program`: another program of the machine that does the missing one's work, under its name."""

import posixpath
import shlex
from collections.abc import Collection

from cases.sentences import Sentences
from probes.barriers import RoutePlan
from probes.model import Barrier, Tier
from probes.replay.arms.documented.asking import strictly
from probes.replay.arms.documented.survey import Survey
from probes.replay.arms.documented.way import Try, Way
from probes.replay.arms.documented.words import same_as, table
from probes.replay.target.symptom import symptoms
from sandboxes.tracing import FactKind

say = Sentences(__name__)

PLAN = RoutePlan(
    id="equivalent-program",
    tier=Tier.T2,
    needs=("shell",),
    commands=(),
    source="documented/words.toml: programs that do the same from the same words, such as Debian's alternatives",
)

AWAY: frozenset[FactKind] = frozenset({"host unresolved", "unreachable", "timed out"})
"""Of a host that cannot be reached."""


def equivalent_program(survey: Survey) -> Way:
    """The failing command with each of them linked to the missing name, or with what does its work written there."""
    missing = missing_programs(survey)
    others = {name: list(same_as(name)) for name in missing}
    there = survey.programs(name for names in others.values() for name in names)
    tries = [
        _try(survey, name, there[other])
        for name, names in others.items()
        for other in names
        if other in there and posixpath.basename(there[other]) != name
    ]
    if made := written_for(survey, missing):
        tries.append(Try(strictly(survey.command, *made), (*made, survey.command)))
    if tries:
        return Way(PLAN, tuple(tries))
    if not missing:
        return Way(PLAN, lacking=say("programs.no_program_missing"))
    known = [other for names in others.values() for other in names]
    said = say("programs.there_no_here", known=" or ".join(known)) if known else say("programs.nothing_known_same")
    return Way(PLAN, lacking=say("programs.missing", missing=", ".join(missing), said=said))


def missing_programs(survey: Survey) -> dict[str, None]:
    """Names of those that were measured, or said, to be missing; the likeliest first. What never reached a host did not
    want for what was only measured.
    """
    subject, outcome = survey.trial.subject, survey.trial.outcome
    away = outcome.settled is not None and outcome.settled.kind in AWAY
    names = [fact.subject for fact in outcome.facts if fact.kind == "program missing" and not away]
    if subject.barrier is Barrier.COMMAND:
        names.insert(0, subject.about)
    elif outcome.decisive:
        names += [one.subject for one in symptoms(Barrier.COMMAND, outcome.decisive.done.output)]
    return dict.fromkeys(posixpath.basename(name) for name in names)


def written_for(survey: Survey, names: Collection[str]) -> tuple[str, ...]:
    """What writes down lines that do the work of programs, under their names, where what they need is there; all at
    once, with the other names under which the same few lines are known.
    """
    wanted = {one.text for one in table().written if one.name in names}
    known = [one for one in table().written if one.text in wanted]
    there = survey.programs(one.by for one in known) if known else {}
    places: dict[str, list[str]] = {}
    for one in known:
        if one.by in there:
            places.setdefault(one.text, []).append(f'"$HOME/.equivalent/{one.name}"')
    made = [
        f"mkdir -p \"$HOME/.equivalent\" && tee {to} > /dev/null <<'END'\n{text}END\nchmod +x {to}"
        for text, each in places.items()
        for to in (" ".join(each),)
    ]
    return (*made, 'export PATH="$HOME/.equivalent:$PATH"') if made else ()


def _try(survey: Survey, missing: str, other: str) -> Try:
    link = f'mkdir -p "$HOME/.equivalent" && ln -sfn {shlex.quote(other)} "$HOME/.equivalent/{missing}"'
    path = 'export PATH="$HOME/.equivalent:$PATH"'
    return Try(strictly(survey.command, link, path), (link, path, survey.command))
