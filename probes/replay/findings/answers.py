"""From what the arms brought to findings: pure, equal outcomes give equal words."""

from cases.failing import errors_in
from cases.sentences import Sentences
from probes.contract import FindingMaker
from probes.envelope import bears_on
from probes.model import LIFTED, STANDS_IN, Answer, Control, Envelope, Finding, Question, Tier, Value
from probes.replay.arms.going_on import NEXT_STEPS
from probes.replay.resources.outcome import LET_THROUGH, Dependency, Outcome, Replayed, Tried
from probes.replay.routes.judging import short
from probes.replay.target.model import ReplayTarget
from probes.replay.target.symptom import EXIT, LAST_LINE

say = Sentences(__name__)

_OF_PRESENT = frozenset({"replay arm", "earlier commands", "facts", LET_THROUGH})
OF_DATA = frozenset({"data damaged", "data sealed", "part missing"})
"""Facts that are about a file's content, so that no other command makes up for it."""
NEVER_COUNTED = frozenset({"not_permitted", "not_applicable"})


def findings(subject: ReplayTarget, outcome: Outcome, envelope: Envelope, make: FindingMaker) -> list[Finding]:
    """PRESENT always; PASSABLE unless the barrier is not there or the task needs nothing of it; CAUSED where a command
    of the task's was seen to need what it keeps, or not to: what the record says of that is the transcript's to answer.
    """
    found = [_present(subject, outcome, envelope, make)]
    decisive = outcome.decisive
    if decisive and not outcome.needless and (outcome.passed or not decisive.worked):
        found.append(_passable(subject, outcome, envelope, make))
    if decisive and decisive.same and (own := outcome.shut or outcome.needless):
        told = f"{own[:1].upper()}{own[1:]}."
        found.append(make(Question.CAUSED, Answer.NO, told, controls=(*outcome.controls,), locus="agent run"))
    elif decisive and decisive.same and (follows := subject.handler.consequence(subject) or outcome.beyond):
        found.append(
            make(Question.CAUSED, Answer.NO, f"{follows[:1].upper()}{follows[1:]}.", controls=(*outcome.controls,))
        )
    elif decisive and decisive.same and outcome.dependency and not subject.rescue:
        found.append(_caused(outcome, outcome.dependency, make))
    elif decisive and decisive.same and outcome.fed and not subject.rescue:
        found.append(_read_behind(decisive.command, outcome, outcome.fed, make))
    elif decisive and decisive.same and (needed := _needed(subject, outcome)):
        told = say("answers.task_names_file", file=needed)
        controls = (*outcome.controls, _lifted(outcome, strict=False), *_proxy(outcome))
        found.append(make(Question.CAUSED, Answer.YES, told, controls=controls))
    elif decisive and decisive.same and subject.asked and subject.asked.untold and _as_silent(subject, outcome):
        found.append(_seen_to_fail(subject.asked.command, outcome, make))
    return found


def _needed(subject: ReplayTarget, outcome: Outcome) -> str | None:
    """The file that the failure was measured to be about, where the task names it and nothing in the run got at it."""
    fact = outcome.settled
    if fact is None or fact.kind not in OF_DATA:
        return None
    return next((name for name in subject.needs if f"/{fact.subject}".endswith(f"/{name.removeprefix('./')}")), None)


def _as_silent(subject: ReplayTarget, outcome: Outcome) -> bool:
    """Whether it said here what it said in the run: its last line, or nothing though it prints where it works."""
    if subject.expected.kind == LAST_LINE:
        return True
    decisive, lifted = outcome.decisive, outcome.lifted
    said = subject.output.strip() or (decisive and decisive.done.output.strip())
    return not said and lifted is not None and lifted.printed


def _seen_to_fail(command: str, outcome: Outcome, make: FindingMaker) -> Finding:
    """Of a command that the task asks for and of which the record does not tell how it ended: here it fails, and says
    what it said in the run.
    """
    controls = (*outcome.controls, _lifted(outcome, strict=False), *_proxy(outcome))
    return make(Question.CAUSED, Answer.YES, say("answers.seen_to_fail", command=shown(command)), controls=controls)


def _read_behind(failing: str, outcome: Outcome, fed: Dependency, make: FindingMaker) -> Finding:
    """Of data that nothing can stand in for: the task's own command reads what is made of it, and fails."""
    told = say("answers.reads_behind", command=shown(fed.command), failing=shown(failing))
    return _needing(make(Question.CAUSED, Answer.YES, told, controls=_in_place(outcome, fed)), fed)


def _needing(finding: Finding, dependency: Dependency) -> Finding:
    return finding.model_copy(update={"reaches": (dependency.command,)})


def _in_place(outcome: Outcome, dependency: Dependency) -> tuple[Control, ...]:
    in_place = Control(
        name="with the barrier in place",
        expected=say("answers.same_command_fails"),
        observed=say("answers.ended", ended=dependency.ended),
        passed=True,
    )
    return *outcome.controls, _lifted(outcome, strict=False), in_place, *_proxy(outcome)


def _caused(outcome: Outcome, dependency: Dependency, make: FindingMaker) -> Finding:
    told = say("answers.task_asks_failed", command=shown(dependency.command))
    found = make(
        Question.CAUSED,
        Answer.YES,
        say("answers.fails_place", told=told),
        observations=tuple(o for o in outcome.observations if o.name == NEXT_STEPS),
        controls=_in_place(outcome, dependency),
    )
    return _needing(found, dependency)


def _present(subject: ReplayTarget, outcome: Outcome, envelope: Envelope, make: FindingMaker) -> Finding:
    decisive = outcome.decisive
    answer, summary = _present_answer(subject, outcome, envelope)
    controls = [*outcome.controls]
    if answer is Answer.YES:
        if not outcome.needless:
            controls.append(_lifted(outcome, strict=False))
        if subject.handler.needs_index and outcome.network_control:
            controls.append(outcome.network_control)
        controls += _proxy(outcome)
    elif answer is Answer.NO:
        controls.append(_known(envelope, subject.handler.present_rests_on, outcome))
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


def _present_answer(subject: ReplayTarget, outcome: Outcome, envelope: Envelope) -> tuple[Answer, str]:
    decisive = outcome.decisive
    where = say("answers.container_profile", profile=envelope.profile)
    if decisive is None:
        return Answer.UNKNOWN, say("answers.nothing_could_replayed", where=where)
    command = shown(decisive.command)
    if outcome.lacking:
        return Answer.UNKNOWN, say("answers.cannot_replayed", command=command, where=where, lacking=outcome.lacking)
    doubt = _doubt(subject, outcome) or (_unlike(subject, outcome, decisive.command) if decisive.worked else None)
    if doubt and (decisive.same or decisive.worked):
        told = "answers.fails_but_doubt" if decisive.same else "answers.works_but_doubt"
        return Answer.UNKNOWN, say(told, command=command, where=where, doubt=doubt)
    if decisive.same:
        return Answer.YES, say("answers.fails_same_error_run", command=command, where=where, expected=subject.expected)
    if decisive.worked:
        return subject.handler.works(subject, outcome, say("answers.works_where", command=command, where=where))
    how = say("answers.fails_but_not", where=where, expected=subject.expected)
    if decisive.done.timed_out:
        how = say("answers.not_end_within", where=where)
    return Answer.UNKNOWN, f"{command} {how}."


def _doubt(subject: ReplayTarget, outcome: Outcome) -> str | None:
    """Why what the replay showed proves nothing; ends a sentence."""
    if outcome.lost:
        return say("answers.came_before_bears", command=shown(outcome.lost[0].command))
    if outcome.absent:
        remedy = "" if outcome.task_files is not None else say("answers.give_task_files")
        return say("answers.command_needs_could", absent=", ".join(outcome.absent), remedy=remedy)
    decisive = outcome.decisive
    if decisive is None or not decisive.same:
        return None
    return subject.handler.meaningless(subject, outcome) or _another(subject, decisive)


def _another(subject: ReplayTarget, decisive: Replayed) -> str | None:
    """Why a failure that only its exit code or its last line tells may be another one than the run's."""
    nameless = subject.expected.kind in (EXIT, LAST_LINE)
    told, here = errors_in(subject.output), errors_in(decisive.done.output)
    if not (nameless and told and here) or told & here:
        return None
    return say("answers.run_said_not", told=min(told), here=min(here))


def _unlike(subject: ReplayTarget, outcome: Outcome, *commands: str) -> str | None:
    """Which of the run's special places, that the container has not, may decide what works in it; ends a sentence."""
    nameless = subject.expected.kind in (EXIT, LAST_LINE)
    texts, workdir = (*commands, subject.about, subject.output), subject.cwd or outcome.workdir
    place = next((one for one in outcome.left_out if nameless or bears_on(one, texts, workdir)), None)
    return say("answers.read_only_specially", place=place) if place else None


def _passable(subject: ReplayTarget, outcome: Outcome, envelope: Envelope, make: FindingMaker) -> Finding:
    answer, summary = _passable_answer(subject, outcome, envelope)
    controls = [*outcome.controls]
    if answer is Answer.NO:
        controls.append(_lifted(outcome, strict=not subject.handler.gone_suffices))
        if outcome.network_control:
            controls.append(outcome.network_control)
        controls += _proxy(outcome)
        controls.append(_known(envelope, subject.handler.routes_rest_on, outcome))
    passed = outcome.passed
    later = (say("answers.once_past", later=passed.later),) if passed and passed.later else ()
    found = make(
        Question.PASSABLE,
        answer,
        summary,
        tier=passed.plan.tier if passed else None,
        observations=tuple(o for o in outcome.observations if o.name not in _OF_PRESENT),
        controls=tuple(controls),
        routes=tuple(tried.route for tried in outcome.tried),
        artifacts=tuple(outcome.artifacts),
        limits=(*_limits(outcome, envelope), *later, *subject.handler.remarks(subject, outcome)),
    )
    return found.model_copy(update={"reaches": passed.reached}) if passed else found


def _passable_answer(subject: ReplayTarget, outcome: Outcome, envelope: Envelope) -> tuple[Answer, str]:
    passed = outcome.passed
    if passed:
        commands = passed.route.commands
        typed = commands[: len(passed.plan.commands)] or commands  # what follows them only checks that they worked
        how = shown(" && ".join(map(short, typed))) if typed else passed.plan.id
        if unlike := _unlike(subject, outcome, *passed.route.commands):
            return Answer.UNKNOWN, say("answers.works_here_but", how=how, unlike=unlike)
        if passed.later and not (outcome.decisive and outcome.decisive.same):
            return Answer.UNKNOWN, say("answers.works_here_but_without", how=how)
        return Answer.YES, say("answers.works_here", how=how, outcome=_user(outcome))
    counted = [tried for tried in outcome.tried if tried.route.result not in NEVER_COUNTED]
    open_still = _open_still(subject, outcome, counted, shell=envelope.shell.value)
    if open_still:
        return Answer.UNKNOWN, say("answers.nothing_tried_worked", open_still=open_still)
    if not counted:
        reasons = "; ".join(f"{tried.plan.id}: {tried.route.note}" for tried in outcome.tried if not tried.general)
        return Answer.NO, say("answers.no_known_way", reasons=reasons, expected=subject.expected)
    names = ", ".join(tried.plan.id for tried in counted)
    ways = (
        say("answers.only_permitted_way")
        if len(counted) == 1
        else say("answers.all_permitted_ways", counted=len(counted))
    )
    return Answer.NO, say("answers.around_failed", ways=ways, names=names, expected=subject.expected)


def _open_still(subject: ReplayTarget, outcome: Outcome, counted: list[Tried], *, shell: bool) -> str | None:
    """Why it proves nothing that none of the counted routes worked, if so; ends a sentence."""
    if outcome.lacking:
        return outcome.lacking
    if outcome.decisive and not outcome.decisive.same:
        return say("answers.error_run_not")
    untried = next((tried for tried in counted if tried.route.result == "not_tried"), None)
    if untried:
        return say("answers.route_open", id=untried.plan.id, note=_plain(untried.route.note))
    past = (tried for tried in counted if tried.past and not tried.general)
    if subject.handler.shows_past and (beyond := next(past, None)):
        return say("answers.route_got_past", id=beyond.plan.id)
    ordinary = any(tried.plan.tier is not Tier.T3 and not tried.general for tried in outcome.tried)
    if not ordinary or not (counted or shell or subject.handler.knows_tools):
        return say("answers.no_known_way_around")
    forgotten = say("answers.what_earlier_steps")
    doubt = _doubt(subject, outcome) or _besides(outcome) or (forgotten if outcome.forgotten else None)
    return doubt or outcome.archived or subject.handler.unsettled(subject, outcome)


def _besides(outcome: Outcome) -> str | None:
    """What the command runs that fails whatever is missing, unless it was seen to work without it; ends a sentence."""
    if not outcome.beside or (outcome.lifted and outcome.lifted.worked):
        return None
    return say("answers.fails_besides", script=outcome.beside[0])


def _plain(note: str) -> str:
    return note if note.startswith("could not") else say("answers.could_not_tried", note=note)


def _user(outcome: Outcome) -> str:
    container = outcome.profile.get("container", {})
    return "root" if container.get("user") == "root" else say("answers.unprivileged_user")


def _lifted(outcome: Outcome, *, strict: bool) -> Control:
    expected = say("answers.same_command_succeeds")
    passed = outcome.passed
    if passed and not strict:
        observed = say("answers.route_removes_goal", id=passed.plan.id)
        return Control(name=LIFTED, expected=expected, observed=observed, passed=True)
    lifted = outcome.lifted
    if lifted is None:
        return Control(name=LIFTED, expected=expected, observed=say("answers.not_run"), passed=False)
    strict = strict and any(tried.past for tried in outcome.tried)
    works = lifted.worked or (lifted.gone and (lifted.minimal or not strict))
    return Control(name=LIFTED, expected=expected, observed=lifted.observed, passed=works)


def _proxy(outcome: Outcome) -> list[Control]:
    observed = (
        say("answers.refused", denials=", ".join(outcome.denials))
        if outcome.denials
        else say("answers.refused_nothing")
    )
    return [
        Control(
            name="our own proxy",
            expected=say("answers.refuses_nothing_replay"),
            observed=observed,
            passed=not outcome.denials,
        )
    ]


def _known(envelope: Envelope, names: tuple[str, ...], outcome: Outcome) -> Control:
    values: dict[str, Value[object]] = {name: getattr(envelope, name) for name in names}
    assumed = [name for name, value in values.items() if value.origin == "assumed"]
    told = f"assumed: {', '.join(assumed)}" if assumed else say("answers.all_seen_log", profile=envelope.profile)
    mismatch = "python" in names and bool(outcome.python) and outcome.python != envelope.python.value
    if mismatch:
        told += say("answers.python_expected_container", value=envelope.python.value, python=outcome.python)
    return Control(
        name="sandbox limits known",
        expected=say("answers.seen_log_set", names=", ".join(names)),
        observed=told,
        passed=not assumed and not mismatch,
    )


def _limits(outcome: Outcome, envelope: Envelope) -> tuple[str, ...]:
    limits = [*outcome.limits]
    image = outcome.profile.get("image", {}).get("identity", {})
    if image and image.get("pullable") != "re-pullable":
        limits.append(STANDS_IN)
    if outcome.python and outcome.python != envelope.python.value:
        limits.append(say("answers.container_python_run", python=outcome.python, value=envelope.python.value))
    if outcome.left_out:
        limits.append(say("answers.no_container_here", left_out=", ".join(outcome.left_out)))
    network = outcome.profile.get("container", {}).get("network", {}).get("in effect", "")
    if "not filtered" in network:
        limits.append(say("answers.container_network_wider"))
    if outcome.denials:
        limits.append(say("answers.our_own_proxy", denials=", ".join(outcome.denials)))
    strange = [step for step in outcome.prior if not step.rebuilt and not step.matters]
    if strange:
        limits.append(say("answers.earlier_commands_not", strange=len(strange)))
    if outcome.unreplayed:
        limits.append(say("answers.steps_run_not", unreplayed=outcome.unreplayed))
    return tuple(limits)


def _reconstruction(decisive: Replayed | None) -> tuple[str, ...]:
    if decisive is None or not decisive.reconstructed:
        return ()
    return (say("answers.replayed_command_reconstruction"),)


def shown(command: str) -> str:
    """A command in a sentence."""
    lines = command.strip().splitlines() or [""]
    text = lines[0][:120]
    return f"`{text}{' …' if len(lines) > 1 or len(lines[0]) > 120 else ''}`"
