"""Whether the barrier is there."""

from cases.sentences import Sentences
from probes.contract import FindingMaker
from probes.model import Answer, Envelope, Finding, Question
from probes.replay.findings.support import doubt, known, lifted, limits, proxy, shown, unlike
from probes.replay.handlers.file_details import FileDetails
from probes.replay.resources.outcome import LET_THROUGH, Outcome, Replayed
from probes.replay.target.model import ReplayTarget

say = Sentences(__name__)

OF_PRESENT = frozenset({"replay arm", "earlier commands", "facts", LET_THROUGH})
"""Names of observations."""


def present(subject: ReplayTarget, outcome: Outcome, envelope: Envelope, make: FindingMaker) -> Finding:
    decisive = outcome.decisive
    answer, summary = _present_answer(subject, outcome, envelope)
    controls = [*outcome.controls]
    if answer is Answer.YES:
        if not outcome.needless:
            controls.append(lifted(outcome, strict=False))
        if subject.handler.needs_index and outcome.network_control:
            controls.append(outcome.network_control)
        controls += proxy(outcome)
    elif answer is Answer.NO:
        controls.append(known(envelope, subject.handler.present_rests_on, outcome))
    details = subject.details
    known_by = outcome.facts or (isinstance(details, FileDetails) and details.pointer)
    return make(
        Question.PRESENT,
        answer,
        summary,
        observations=tuple(o for o in outcome.observations if o.name in OF_PRESENT),
        controls=tuple(controls),
        artifacts=tuple(a for a in outcome.artifacts if "route" not in a.name),
        limits=(*limits(outcome, envelope), *_reconstruction(decisive)),
        measured=(subject.barrier, subject.about) if answer is Answer.YES and known_by else None,
    )


def _present_answer(subject: ReplayTarget, outcome: Outcome, envelope: Envelope) -> tuple[Answer, str]:
    decisive = outcome.decisive
    where = say("present.container_profile", profile=envelope.profile)
    if decisive is None:
        return Answer.UNKNOWN, say("present.nothing_could_replayed", where=where)
    command = shown(decisive.command)
    if outcome.lacking:
        return Answer.UNKNOWN, say("present.cannot_replayed", command=command, where=where, lacking=outcome.lacking)
    why = doubt(subject, outcome) or (unlike(subject, outcome, decisive.command) if decisive.worked else None)
    if why and (decisive.same or decisive.worked):
        told = "present.fails_but_doubt" if decisive.same else "present.works_but_doubt"
        return Answer.UNKNOWN, say(told, command=command, where=where, doubt=why)
    if decisive.same:
        return Answer.YES, _there(subject, outcome, command, where)
    if decisive.worked:
        return subject.handler.works(subject, outcome, say("present.works_where", command=command, where=where))
    how = say("present.fails_but_not", where=where, expected=subject.expected)
    if decisive.done.timed_out:
        how = say("present.not_end_within", where=where)
    return Answer.UNKNOWN, f"{command} {how}."


def _reconstruction(decisive: Replayed | None) -> tuple[str, ...]:
    if decisive is None or not decisive.reconstructed:
        return ()
    return (say("present.replayed_command_reconstruction"),)


def _there(subject: ReplayTarget, outcome: Outcome, command: str, where: str) -> str:
    if wanted := outcome.credentials:
        first, names = shown(wanted.command), ", ".join(wanted.names)
        return say("present.fails_behind", command=first, where=where, names=names, expected=subject.expected)
    return say("present.fails_same_error_run", command=command, where=where, expected=subject.expected)
