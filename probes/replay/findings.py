"""From what the arms brought to findings: pure, equal outcomes give equal words."""

from cases.failing import errors_in
from probes.contract import FindingMaker
from probes.envelope import bears_on
from probes.model import STANDS_IN, Answer, Control, Envelope, Finding, Question, Tier, Value
from probes.replay.going_on import NEXT_STEPS
from probes.replay.judging import short
from probes.replay.outcome import LET_THROUGH, Dependency, Outcome, Replayed, Tried
from probes.replay.signature import EXIT, LAST_LINE
from probes.replay.subject import Subject

_OF_PRESENT = frozenset({"replay arm", "earlier commands", "facts", LET_THROUGH})
NEVER_COUNTED = frozenset({"not_permitted", "not_applicable"})


def findings(subject: Subject, outcome: Outcome, envelope: Envelope, make: FindingMaker) -> list[Finding]:
    """PRESENT always; PASSABLE unless the barrier is not there; CAUSED where a command of the task's was seen to need
    what it keeps: what the record says of that is the transcript's to answer.
    """
    found = [_present(subject, outcome, envelope, make)]
    decisive = outcome.decisive
    if decisive and (outcome.passed or not decisive.worked):
        found.append(_passable(subject, outcome, envelope, make))
    if decisive and decisive.same and outcome.shut:
        told = f"{outcome.shut[:1].upper()}{outcome.shut[1:]}."
        found.append(make(Question.CAUSED, Answer.NO, told, controls=(*outcome.controls,), locus="agent run"))
    elif decisive and decisive.same and (follows := subject.kind.consequence(subject) or outcome.beyond):
        found.append(
            make(Question.CAUSED, Answer.NO, f"{follows[:1].upper()}{follows[1:]}.", controls=(*outcome.controls,))
        )
    elif decisive and decisive.same and outcome.dependency:
        found.append(_caused(outcome, outcome.dependency, make))
    return found


def _caused(outcome: Outcome, dependency: Dependency, make: FindingMaker) -> Finding:
    command = shown(dependency.command)
    in_place = Control(
        name="with the barrier in place",
        expected="the same command fails",
        observed=f"it ended with {dependency.ended}",
        passed=True,
    )
    told = f"{command}, which the task asks for and which failed in the run, works here once the barrier is removed"
    return make(
        Question.CAUSED,
        Answer.YES,
        f"{told}, and fails with it in place.",
        observations=tuple(o for o in outcome.observations if o.name == NEXT_STEPS),
        controls=(*outcome.controls, _lifted(outcome, strict=False), in_place, *_proxy(outcome)),
    )


def _present(subject: Subject, outcome: Outcome, envelope: Envelope, make: FindingMaker) -> Finding:
    decisive = outcome.decisive
    answer, summary = _present_answer(subject, outcome, envelope)
    controls = [*outcome.controls]
    if answer is Answer.YES:
        controls.append(_lifted(outcome, strict=False))
        if subject.kind.needs_index and outcome.network_control:
            controls.append(outcome.network_control)
        controls += _proxy(outcome)
    elif answer is Answer.NO:
        controls.append(_known(envelope, subject.kind.present_rests_on, outcome))
    return make(
        Question.PRESENT,
        answer,
        summary,
        observations=tuple(o for o in outcome.observations if o.name in _OF_PRESENT),
        controls=tuple(controls),
        artifacts=tuple(a for a in outcome.artifacts if "route" not in a.name),
        limits=(*_limits(outcome, envelope), *_reconstruction(decisive)),
        measured=(subject.barrier, subject.about) if answer is Answer.YES and outcome.facts else None,
    )


def _present_answer(subject: Subject, outcome: Outcome, envelope: Envelope) -> tuple[Answer, str]:
    decisive = outcome.decisive
    where = f"in a container of profile {envelope.profile}"
    if decisive is None:
        return Answer.UNKNOWN, f"Nothing could be replayed {where}."
    command = shown(decisive.command)
    if outcome.lacking:
        return Answer.UNKNOWN, f"{command} cannot be replayed {where}: {outcome.lacking}."
    doubt = _doubt(subject, outcome) or (_unlike(subject, outcome, decisive.command) if decisive.worked else None)
    if doubt and (decisive.same or decisive.worked):
        does = "fails with the run's own error" if decisive.same else "works"
        return Answer.UNKNOWN, f"{command} {does} {where}, but {doubt}."
    if decisive.same:
        return Answer.YES, f"{command} fails {where} with the run's own error ({subject.expected})."
    if decisive.worked:
        return subject.kind.works(subject, outcome, f"{command} works {where}")
    how = f"fails {where}, but not with the run's own error ({subject.expected})"
    if decisive.done.timed_out:
        how = f"did not end within our time limit {where}"
    return Answer.UNKNOWN, f"{command} {how}."


def _doubt(subject: Subject, outcome: Outcome) -> str | None:
    """Why what the replay showed proves nothing; ends a sentence."""
    if outcome.lost:
        return f"{shown(outcome.lost[0].command)}, which came before it and bears on it, did not go as in the run"
    if outcome.absent:
        remedy = "" if outcome.task_files is not None else "; give the task's files with --workspace"
        return f"{', '.join(outcome.absent)}, which the command needs, could not be rebuilt{remedy}"
    decisive = outcome.decisive
    if decisive is None or not decisive.same:
        return None
    return subject.kind.meaningless(subject, outcome) or _another(subject, decisive)


def _another(subject: Subject, decisive: Replayed) -> str | None:
    """Why a failure that only its exit code or its last line tells may be another one than the run's."""
    nameless = subject.expected.kind in (EXIT, LAST_LINE)
    told, here = errors_in(subject.output), errors_in(decisive.done.output)
    if not (nameless and told and here) or told & here:
        return None
    return f"the run said “{min(told)}” and not “{min(here)}”, so that its failure may have been another one"


def _unlike(subject: Subject, outcome: Outcome, *commands: str) -> str | None:
    """Which of the run's special places, that the container has not, may decide what works in it; ends a sentence."""
    nameless = subject.expected.kind in (EXIT, LAST_LINE)
    texts, workdir = (*commands, subject.about, subject.output), subject.cwd or outcome.workdir
    place = next((one for one in outcome.left_out if nameless or bears_on(one, texts, workdir)), None)
    return f"{place} was read-only or specially mounted in the run, as no container here can have it" if place else None


def _passable(subject: Subject, outcome: Outcome, envelope: Envelope, make: FindingMaker) -> Finding:
    answer, summary = _passable_answer(subject, outcome, envelope)
    controls = [*outcome.controls]
    if answer is Answer.NO:
        controls.append(_lifted(outcome, strict=not subject.kind.gone_suffices))
        if outcome.network_control:
            controls.append(outcome.network_control)
        controls += _proxy(outcome)
        controls.append(_known(envelope, subject.kind.routes_rest_on, outcome))
    passed = outcome.passed
    later = (f"Once past it, {passed.later}.",) if passed and passed.later else ()
    found = make(
        Question.PASSABLE,
        answer,
        summary,
        tier=passed.plan.tier if passed else None,
        observations=tuple(o for o in outcome.observations if o.name not in _OF_PRESENT),
        controls=tuple(controls),
        routes=tuple(tried.route for tried in outcome.tried),
        artifacts=tuple(outcome.artifacts),
        limits=(*_limits(outcome, envelope), *later, *subject.kind.remarks(subject, outcome)),
    )
    return found.model_copy(update={"reaches": passed.reached}) if passed else found


def _passable_answer(subject: Subject, outcome: Outcome, envelope: Envelope) -> tuple[Answer, str]:
    passed = outcome.passed
    if passed:
        commands = passed.route.commands
        how = shown(" && ".join(map(short, commands))) if commands else passed.plan.id
        if unlike := _unlike(subject, outcome, *passed.route.commands):
            return Answer.UNKNOWN, f"Route {passed.plan.id} passes it here, but {unlike}."
        return Answer.YES, f"Route {passed.plan.id} ({passed.plan.tier.value}) passes it as {_user(outcome)}: {how}."
    counted = [tried for tried in outcome.tried if tried.route.result not in NEVER_COUNTED]
    open_still = _open_still(subject, outcome, counted, shell=envelope.shell.value)
    if open_still:
        return Answer.UNKNOWN, f"No route worked, but {open_still}."
    if not counted:
        reasons = "; ".join(f"{tried.plan.id}: {tried.route.note}" for tried in outcome.tried if not tried.general)
        return Answer.NO, f"No route of the ladder applies to this machine ({reasons}): {subject.expected}."
    names = ", ".join(tried.plan.id for tried in counted)
    return Answer.NO, f"Every route that the envelope allows was tried and failed ({names}): {subject.expected}."


def _open_still(subject: Subject, outcome: Outcome, counted: list[Tried], *, shell: bool) -> str | None:
    """Why it proves nothing that none of the counted routes worked, if so; ends a sentence."""
    if outcome.lacking:
        return outcome.lacking
    if outcome.decisive and not outcome.decisive.same:
        return "the run's own error was not reproduced, so that this proves nothing"
    untried = next((tried for tried in counted if tried.route.result == "not_tried"), None)
    if untried:
        return f"route {untried.plan.id} {_plain(untried.route.note)}"
    ordinary = any(tried.plan.tier is not Tier.T3 and not tried.general for tried in outcome.tried)
    if not ordinary or not (counted or shell or subject.kind.knows_tools):
        return "no route of the ladder applies in this envelope"
    forgotten = "what earlier steps left on a file system in memory was not there for the routes"
    doubt = _doubt(subject, outcome) or (forgotten if outcome.forgotten else None)
    return doubt or subject.kind.unsettled(subject, outcome)


def _plain(note: str) -> str:
    return note if note.startswith("could not") else f"could not be tried: {note}"


def _user(outcome: Outcome) -> str:
    container = outcome.profile.get("container", {})
    return "root" if container.get("user") == "root" else "an ordinary user"


def _lifted(outcome: Outcome, *, strict: bool) -> Control:
    expected = "with the barrier removed the same command succeeds"
    passed = outcome.passed
    if passed and not strict:
        observed = f"route {passed.plan.id} removes it and its goal check succeeds"
        return Control(name="lifted arm", expected=expected, observed=observed, passed=True)
    lifted = outcome.lifted
    if lifted is None:
        return Control(name="lifted arm", expected=expected, observed="not run", passed=False)
    works = lifted.worked or (lifted.gone and (lifted.minimal or not strict))
    return Control(name="lifted arm", expected=expected, observed=lifted.observed, passed=works)


def _proxy(outcome: Outcome) -> list[Control]:
    observed = f"refused {', '.join(outcome.denials)}" if outcome.denials else "nothing was refused"
    return [
        Control(
            name="our own proxy",
            expected="refuses nothing that the replay asks for",
            observed=observed,
            passed=not outcome.denials,
        )
    ]


def _known(envelope: Envelope, names: tuple[str, ...], outcome: Outcome) -> Control:
    values: dict[str, Value[object]] = {name: getattr(envelope, name) for name in names}
    assumed = [name for name, value in values.items() if value.origin == "assumed"]
    told = f"assumed: {', '.join(assumed)}" if assumed else f"all observed or from profile {envelope.profile}"
    mismatch = "python" in names and bool(outcome.python) and outcome.python != envelope.python.value
    if mismatch:
        told += f"; Python {envelope.python.value} is expected and the container has {outcome.python}"
    return Control(
        name="envelope known",
        expected=f"{', '.join(names)} observed or from the profile",
        observed=told,
        passed=not assumed and not mismatch,
    )


def _limits(outcome: Outcome, envelope: Envelope) -> tuple[str, ...]:
    limits = [*outcome.limits]
    image = outcome.profile.get("image", {}).get("identity", {})
    if image and image.get("pullable") != "re-pullable":
        limits.append(STANDS_IN)
    if outcome.python and outcome.python != envelope.python.value:
        limits.append(f"The container has Python {outcome.python}; the run's was {envelope.python.value}.")
    if outcome.left_out:
        limits.append(f"No container here can have {', '.join(outcome.left_out)} as the run's machine had it.")
    network = outcome.profile.get("container", {}).get("network", {}).get("in effect", "")
    if "not filtered" in network:
        limits.append("The container's network was not filtered down to the package indexes.")
    if outcome.denials:
        limits.append(f"Our own proxy refused {', '.join(outcome.denials)}; --network says what it lets through.")
    strange = [step for step in outcome.prior if not step.rebuilt and not step.matters]
    if strange:
        limits.append(f"Earlier commands that do not bear on it, {len(strange)} of them, did not go as in the run.")
    if outcome.unreplayed:
        limits.append(f"Earlier steps of the run that were not replayed: {outcome.unreplayed}.")
    return tuple(limits)


def _reconstruction(decisive: Replayed | None) -> tuple[str, ...]:
    if decisive is None or not decisive.reconstructed:
        return ()
    return ("The replayed command is reconstructed: the least that must fail the same way, not the run's own words.",)


def shown(command: str) -> str:
    """A command in a sentence."""
    lines = command.strip().splitlines() or [""]
    text = lines[0][:120]
    return f"`{text}{' …' if len(lines) > 1 or len(lines[0]) > 120 else ''}`"
