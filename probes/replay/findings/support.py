"""What stands beside every answer of a replay: its controls, its limits, and why it may prove nothing."""

from cases.failing import errors_in
from cases.sentences import Sentences
from probes.envelope import bears_on
from probes.model import LIFTED, STANDS_IN, Control, Envelope, Value
from probes.replay.resources.outcome import Outcome, Replayed
from probes.replay.target.model import ReplayTarget
from probes.replay.target.symptom import EXIT, LAST_LINE

say = Sentences(__name__)


def lifted(outcome: Outcome, *, strict: bool) -> Control:
    expected = say("support.same_command_succeeds")
    passed = outcome.passed
    if passed and not strict:
        observed = say("support.route_removes_goal", id=passed.plan.id)
        return Control(name=LIFTED, expected=expected, observed=observed, passed=True)
    lift = outcome.lifted
    if lift is None:
        return Control(name=LIFTED, expected=expected, observed=say("support.not_run"), passed=False)
    strict = strict and any(tried.past for tried in outcome.tried)
    works = lift.worked or (lift.gone and (lift.minimal or not strict))
    return Control(name=LIFTED, expected=expected, observed=lift.observed, passed=works)


def proxy(outcome: Outcome) -> list[Control]:
    observed = (
        say("support.refused", denials=", ".join(outcome.denials))
        if outcome.denials
        else say("support.refused_nothing")
    )
    return [
        Control(
            name="our own proxy",
            expected=say("support.refuses_nothing_replay"),
            observed=observed,
            passed=not outcome.denials,
        )
    ]


def known(envelope: Envelope, names: tuple[str, ...], outcome: Outcome) -> Control:
    values: dict[str, Value[object]] = {name: getattr(envelope, name) for name in names}
    assumed = [name for name, value in values.items() if value.origin == "assumed"]
    told = f"assumed: {', '.join(assumed)}" if assumed else say("support.all_seen_log", profile=envelope.profile)
    mismatch = "python" in names and bool(outcome.python) and outcome.python != envelope.python.value
    if mismatch:
        told += say("support.python_expected_container", value=envelope.python.value, python=outcome.python)
    return Control(
        name="sandbox limits known",
        expected=say("support.seen_log_set", names=", ".join(names)),
        observed=told,
        passed=not assumed and not mismatch,
    )


def limits(outcome: Outcome, envelope: Envelope) -> tuple[str, ...]:
    told = [*outcome.limits]
    image = outcome.profile.get("image", {}).get("identity", {})
    if image and image.get("pullable") != "re-pullable":
        told.append(STANDS_IN)
    if outcome.python and outcome.python != envelope.python.value:
        told.append(say("support.container_python_run", python=outcome.python, value=envelope.python.value))
    if outcome.left_out:
        told.append(say("support.no_container_here", left_out=", ".join(outcome.left_out)))
    network = outcome.profile.get("container", {}).get("network", {}).get("in effect", "")
    if "not filtered" in network:
        told.append(say("support.container_network_wider"))
    if outcome.denials:
        told.append(say("support.our_own_proxy", denials=", ".join(outcome.denials)))
    strange = [step for step in outcome.prior if not step.rebuilt and not step.matters]
    if strange:
        told.append(say("support.earlier_commands_not", strange=len(strange)))
    if outcome.unreplayed:
        told.append(say("support.steps_run_not", unreplayed=outcome.unreplayed))
    return tuple(told)


def shown(command: str) -> str:
    """A command in a sentence."""
    lines = command.strip().splitlines() or [""]
    text = lines[0][:120]
    return f"`{text}{' …' if len(lines) > 1 or len(lines[0]) > 120 else ''}`"


def doubt(subject: ReplayTarget, outcome: Outcome) -> str | None:
    """Why what the replay showed proves nothing; ends a sentence."""
    if outcome.lost:
        return say("support.came_before_bears", command=shown(outcome.lost[0].command))
    if outcome.absent:
        remedy = "" if outcome.task_files is not None else say("support.give_task_files")
        return say("support.command_needs_could", absent=", ".join(outcome.absent), remedy=remedy)
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
    return say("support.run_said_not", told=min(told), here=min(here))


def unlike(subject: ReplayTarget, outcome: Outcome, *commands: str) -> str | None:
    """Which of the run's special places, that the container has not, may decide what works in it; ends a sentence."""
    nameless = subject.expected.kind in (EXIT, LAST_LINE)
    texts, workdir = (*commands, subject.about, subject.output), subject.cwd or outcome.workdir
    place = next((one for one in outcome.left_out if nameless or bears_on(one, texts, workdir)), None)
    return say("support.read_only_specially", place=place) if place else None
