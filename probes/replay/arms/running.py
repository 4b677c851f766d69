"""The arms: replay, escape and lifted, each in fresh containers; synchronous, in a thread of its own."""

import json
import time
from dataclasses import replace

from cases.sentences import Sentences
from probes.contract import ProbeContext
from probes.replay.arms.ablation import leave_out, shut_by_itself, start_over, try_another_alone
from probes.replay.arms.any_answer import ask_anybody
from probes.replay.arms.archived import look_into_archives
from probes.replay.arms.asked_for import (
    build_all_but_what_fails,
    build_only_what_is_asked,
    build_with_nothing_in_its_place,
)
from probes.replay.arms.controls import base_controls, network_control
from probes.replay.arms.credentials import past_credentials
from probes.replay.arms.difference import makes_what_is_named, manage_without
from probes.replay.arms.documented import other_ways
from probes.replay.arms.going_on import pass_as_in_run
from probes.replay.arms.left_as_it_was import left_as_it_was
from probes.replay.arms.left_over import end_left_over
from probes.replay.arms.links import put_folder_for_link
from probes.replay.arms.longer_waits import wait_longer
from probes.replay.arms.machine import machine
from probes.replay.arms.made_up import made_of_nothing
from probes.replay.arms.measuring import measure
from probes.replay.arms.naming import rename
from probes.replay.arms.own_calls import as_asked, skip_preparing, without_own_option
from probes.replay.arms.positive_control import lift
from probes.replay.arms.time_limits import left_running, without_own_limit
from probes.replay.arms.unread import look_for_unread
from probes.replay.arms.workarounds import escape
from probes.replay.resources.outcome import LET_THROUGH, Outcome, Replayed
from probes.replay.resources.recipe import MEDIA_TYPE, NAME, Recipe, steps_of
from probes.replay.resources.run import ReplayRun
from probes.replay.resources.shared import ReplayResources
from probes.replay.restore.repeating import repeat, repeat_prior, unkept
from probes.replay.restore.workspace_restore import Furnishing
from probes.replay.target.model import ReplayTarget
from sandboxes import ContainerPool, Session, Spec

say = Sentences(__name__)

_OURS = frozenset({"disk", "file", "open", "output", "time"})
"""Limits that a container of plain Docker does not have, or has otherwise."""
_MOST = 3
"""Packages that are tried one after another."""


def run_arms(
    context: ProbeContext, shop: ReplayResources, containers: ContainerPool, subject: ReplayTarget, seconds: float
) -> tuple[Outcome, ReplayTarget]:
    """Everything, in order, within `seconds`; the subject comes back with what the container told of it.

    Raises:
        SandboxError: the engine failed in the middle; what was learnt is then worth nothing.
    """
    work = ReplayRun(context, shop, containers, subject, time.monotonic() + seconds)
    image = machine(work)
    found = work.spec
    with containers.start(work.spec) as stage:
        _facts(work, image, stage)
        work.outcome.controls += base_controls(stage, work.keep)
        _prepare(work, stage)
        work.outcome.lacking = subject.handler.lacking(work.trial(stage))
        work.subject = replace(subject, details=subject.handler.learn(work.trial(stage)))
        repeat(work, stage)
        work.outcome.controls += subject.handler.controls(work.trial(stage))
        end_left_over(work, stage)
    decisive = work.outcome.decisive
    if decisive and decisive.same:
        measure(work, decisive.command)
        decisive = past_credentials(work, decisive)
        rename(work, decisive)
        work.subject = _provided(work, image)
    if decisive and decisive.worked:
        left_running(work)
    elif decisive:
        if work.spec.network != "none":
            work.outcome.network_control = network_control(containers, replace(work.spec, image=image), work.keep)
        _ways_and_lift(work, decisive, found)
    _recipe(work, image)
    _tell_admissions(work)
    return work.outcome, work.subject


def _provided(work: ReplayRun, image: str) -> ReplayTarget:
    """The subject with the packages that hold it, the likeliest first; as it is where nothing can be looked up.

    The release's own lists of contents tell them, and the shipped tables where these do not.
    """
    subject = work.subject
    held = subject.handler.held(subject)
    if held is None or subject.suggested:
        return subject
    offline = work.context.settings.offline
    contents = work.shop.contents(image, work.containers, work.context.say, offline=offline)
    if contents is None:
        why = say("running.offline_asked") if offline else say("running.cannot")
        lists = say("running.package_index_own", why=why)
        work.outcome.limits.append(say("running.shipped_tables_say", lists=lists))
        return subject
    tabled = subject.values(subject.attempts[0].command).named.get("apt")
    known = [tabled] if isinstance(tabled, str) else []
    found = contents.packages(*held)
    others = () if found else contents.elsewhere(*held)  # what only bundles a copy is no way where its own package is
    packages = tuple(dict.fromkeys((*found, *known, *others)))[:_MOST]
    by_index = contents.distribution(found[0]) if found and held[0] == "module" else None
    work.observe("packages that hold it", ", ".join(packages) or "none", None, None)
    return replace(subject, packages=packages, indexed=by_index)


def _prepare(work: ReplayRun, stage: Session) -> None:
    """Bring the machine to what the run's was before the command; every later container begins there."""
    furnishing, lying = Furnishing(work, stage), unkept(work, stage)
    furnishing.begin()
    repeat_prior(work, stage, furnishing)
    changed = furnishing.end()
    changed = work.subject.handler.furnish(work.trial(stage)) or changed
    work.outcome.forgotten = unkept(work, stage) != lying
    work.outcome.prepared = steps_of(stage.journal)
    if changed or work.outcome.prior:
        work.spec = replace(work.spec, image=stage.snapshot(), tmpfs=stage.tmpfs_as_it_is())


def _ways_and_lift(work: ReplayRun, decisive: Replayed, found: Spec) -> None:
    """What got past the failure, cheapest and likeliest first; where nothing did, the command with it removed."""
    command, outcome = decisive.command, work.outcome
    if decisive.same:
        manage_without(work)
        if outcome.needless:
            return
        without_own_limit(work, command)
        wait_longer(work, command)
        as_asked(work, command)
        skip_preparing(work, command)
        build_only_what_is_asked(work, command)
        build_with_nothing_in_its_place(work, command)
        build_all_but_what_fails(work, command)
        leave_out(work, command, found)
        shut_by_itself(work, found)
        pass_as_in_run(work, command)
    escape(work, command)
    if decisive.same and not work.subject.suggested:
        other_ways(work, command)
    if decisive.same and outcome.passed is None and outcome.lacking is None:
        start_over(work, command, found)
        put_folder_for_link(work, command)
        try_another_alone(work, command, found)
        without_own_option(work, command)
    _count_denials(work)
    if outcome.passed is None and outcome.lacking is None and not work.subject.suggested:
        look_into_archives(work)
        look_for_unread(work)
        makes_what_is_named(work, command)
        ask_anybody(work, command)
    if outcome.passed is None and outcome.lacking is None and not work.subject.suggested:
        lift(work, command)
        left_as_it_was(work)
        made_of_nothing(work, command)


def _count_denials(work: ReplayRun) -> None:
    """What our own proxy has refused so far: what it refuses a lift says nothing of the run's machine."""
    engine = work.containers.engine
    refused = work.containers.denials() or (("a request, as a terminal shows",) if work.refused else ())
    if engine.shut and work.spec.network != "none":
        refused = (f"everything ({engine.index_note})",)
    work.outcome.denials = refused


def _tell_admissions(work: ReplayRun) -> None:
    work.outcome.admissions = tuple(sorted(work.containers.admissions()))
    if work.outcome.admissions:
        work.observe(LET_THROUGH, ", ".join(work.outcome.admissions), None, None)


def _recipe(work: ReplayRun, image: str) -> None:
    outcome, spec = work.outcome, work.spec
    if outcome.decisive is None:
        return
    arms = [outcome.decisive.arm, *(tried.arm for tried in outcome.tried), outcome.lifted and outcome.lifted.arm]
    stopped, identity = outcome.decisive.done.limit, work.shop.facts_of(image, work.containers)["identity"]
    recipe = Recipe(
        image=image,
        digests=tuple(identity["digests"]),
        made=identity["made"],
        added=outcome.changes,
        user=spec.user,
        workdir=spec.workdir,
        sudo=spec.sudo,
        task_files=outcome.task_files is not None,
        sign=work.sign,
        prepared=outcome.prepared,
        arms=tuple(arm for arm in arms if arm),
        unlike=say("running.audit_own_limit", stopped=stopped) if stopped in _OURS else "",
    )
    outcome.artifacts.append(work.context.store.put(recipe.stored(), NAME, MEDIA_TYPE))


def _facts(work: ReplayRun, image: str, stage: Session) -> None:
    facts, outcome = work.shop.facts_of(image, work.containers), work.outcome
    outcome.python = ".".join(str(facts["python"]).removeprefix("Python ").split(".")[:2])
    outcome.profile = {
        "profile": work.context.envelope.profile,
        "envelope": work.context.envelope.model_dump(mode="json"),
        "container": stage.profile(),
        "image": facts,
        "engine": work.shop.engine.versions(),
    }
    text = json.dumps(outcome.profile, indent=2, ensure_ascii=False)
    outcome.artifacts.append(work.context.store.put(text, "replay-profile.json", "application/json"))
