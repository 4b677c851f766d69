"""Which routes are tried: those that the run's machine allows, filled in, and never one that bypasses a policy."""

from contextlib import AsyncExitStack
from dataclasses import FrozenInstanceError, replace
from pathlib import Path
from typing import Any

import pytest

from cases import Events
from probes import Barrier, Envelope, Settings
from probes.barriers import RoutePlan
from probes.model import Tier
from probes.replay.deriving import subject_of
from probes.replay.routes.ladder import Ladder, goal_of, ladder_for, lifts_for
from probes.replay.target.model import ReplayTarget
from tests.probes.replay.made import context, hypothesis, shell

COMMAND = "touch /results/x"
WRITABLE = 'test -w /results/x || { test ! -e /results/x && test -w "$(dirname /results/x)"; }'
DENIED = "touch: cannot touch '/results/x': Permission denied"


def subject(tmp_path: Path, command: str = COMMAND, profile: str = "offline") -> tuple[ReplayTarget, Envelope]:
    made = context(tmp_path, profile, Events(commands=(shell(command, DENIED, 1),)), AsyncExitStack(), Settings())
    found = subject_of(hypothesis(Barrier.PERMISSION, paths=("/results/x",)), made)
    assert isinstance(found, ReplayTarget)
    return found, made.envelope


def with_values(envelope: Envelope, **values: Any) -> Envelope:
    """What the run's machine was, in another way."""
    told = {name: getattr(envelope, name).model_copy(update={"value": value}) for name, value in values.items()}
    return envelope.model_copy(update=told)


def sorted_out(
    found: ReplayTarget, envelope: Envelope, command: str = COMMAND, *, offline: bool = False, **plan: Any
) -> Ladder:
    """What becomes of one route."""
    given = {"id": "it", "tier": "T2", "commands": ("true",), "source": "a test"} | plan
    route = RoutePlan.model_validate(given)
    return ladder_for(replace(found, suggested=(route,)), envelope, command, offline=offline)


def place(ladder: Ladder) -> str:
    """Where the one route was put."""
    names = ("ready", "stronger", "missing", "not_permitted", "meaningless")
    [name] = [name for name in names if getattr(ladder, name)]
    assert len(getattr(ladder, name)) == 1
    return name


@pytest.mark.parametrize(("tier", "where"), [("T1", "ready"), ("T2", "ready"), ("T3", "not_permitted")])
def test_what_bypasses_a_policy_is_never_run(tmp_path: Path, tier: str, where: str) -> None:
    found, envelope = subject(tmp_path)
    ladder = sorted_out(found, envelope, tier=tier)
    assert place(ladder) == where
    assert all(reason for _, reason in ladder.not_permitted)


def test_no_shipped_route_that_is_run_is_a_bypass(tmp_path: Path) -> None:
    made = context(
        tmp_path, "debian", Events(commands=(shell("pip install six", "error", 1),)), AsyncExitStack(), Settings()
    )
    found = subject_of(hypothesis(Barrier.PIP, packages=("six",)), made)
    assert isinstance(found, ReplayTarget)
    ladder = ladder_for(found, made.envelope, "pip install six", offline=False)
    assert ladder.ready
    assert Tier.T3 not in {route.plan.tier for route in ladder.ready}
    assert "break-system-packages" in {plan.id for plan, _ in ladder.not_permitted}


@pytest.mark.parametrize(
    ("needs", "machine", "where"),
    [
        (("shell",), {"shell": False}, "stronger"),
        (("shell",), {"shell": True}, "ready"),
        ((), {"shell": False}, "ready"),
        (("network",), {"network": "none"}, "not_permitted"),
        (("network",), {"network": "indexes"}, "ready"),
        (("open",), {"network": "none"}, "not_permitted"),
        (("open",), {"network": "indexes"}, "missing"),
        (("open",), {"network": "open"}, "ready"),
        ((), {"network": "none"}, "ready"),
        (("sudo",), {"sudo": False, "user": "agent"}, "not_permitted"),
        (("sudo",), {"sudo": True, "user": "agent"}, "ready"),
        (("sudo",), {"sudo": False, "user": "root"}, "ready"),
        ((), {"sudo": False, "user": "agent"}, "ready"),
    ],
)
def test_a_route_needs_what_the_run_s_machine_had(
    tmp_path: Path, needs: tuple[str, ...], machine: dict[str, Any], where: str
) -> None:
    found, envelope = subject(tmp_path)
    assert place(sorted_out(found, with_values(envelope, **machine), needs=needs)) == where


def test_each_route_is_put_in_its_place_whatever_came_before(tmp_path: Path) -> None:
    found, envelope = subject(tmp_path)
    told = {"tier": "T2", "source": "a test"}
    kinds = {
        "meaningless": {"only_if": "^mkdir "},
        "not_permitted": {"needs": ("network",)},
        "missing": {"commands": ("cp {copy} x",)},
        "ready": {},
    }
    routes = [
        RoutePlan.model_validate(told | {"id": f"{name}-{turn}", "commands": ("true",)} | more)
        for turn in (1, 2)
        for name, more in kinds.items()
    ]
    ladder = ladder_for(replace(found, suggested=tuple(routes)), envelope, COMMAND, offline=True)
    for name in kinds:
        ids = [(one.plan if name == "ready" else one[0]).id for one in getattr(ladder, name)]
        assert ids == [f"{name}-1", f"{name}-2"]


@pytest.mark.parametrize(("given", "kept"), [("test -r {path}", True), ("test -r {copy}", False)])
def test_what_a_route_starts_from_is_asked_for_though_it_could_not_be_tried_where_that_is_known(
    tmp_path: Path, given: str, kept: bool
) -> None:
    found, envelope = subject(tmp_path)
    ladder = sorted_out(found, envelope, commands=("cp {copy} x",), given=given)
    [(plan, _)] = ladder.missing
    assert (plan.given is not None and "/results" in plan.given) if kept else plan.given is None


@pytest.mark.parametrize("needs", ["network", "open"])
def test_what_needs_a_network_could_not_be_tried_offline(tmp_path: Path, needs: str) -> None:
    found, envelope = subject(tmp_path)
    networked = with_values(envelope, network="open")
    assert place(sorted_out(found, networked, needs=(needs,), offline=True)) == "missing"
    assert place(sorted_out(found, networked, needs=(needs,), offline=False)) == "ready"
    assert place(sorted_out(found, networked, needs=("shell",), offline=True)) == "ready"


@pytest.mark.parametrize("needs", [("network",), ("open",)])
def test_what_lies_on_the_machine_needs_no_network(tmp_path: Path, needs: tuple[str, ...]) -> None:
    found, envelope = subject(tmp_path)
    assert place(sorted_out(found, envelope, needs=needs, local="local")) == "ready"
    assert place(sorted_out(found, envelope, needs=needs, local="copy")) == "not_permitted", "no copy is known"
    assert place(sorted_out(found, envelope, needs=needs, local="local", offline=True)) == "ready"
    without_shell = with_values(envelope, shell=False)
    assert place(sorted_out(found, without_shell, needs=("shell", *needs), local="local")) == "stronger"


@pytest.mark.parametrize(
    ("conditions", "where"),
    [
        ({"when": ("local",)}, "ready"),
        ({"when": ("copy",)}, "meaningless"),
        ({"when": ("local", "copy")}, "meaningless"),
        ({"unless": ("local",)}, "meaningless"),
        ({"unless": ("copy",)}, "ready"),
        ({"unless": ("copy", "local")}, "meaningless"),
        ({"only_if": "^touch "}, "ready"),
        ({"only_if": "^mkdir "}, "meaningless"),
    ],
)
def test_a_route_that_means_nothing_here_is_told_apart(tmp_path: Path, conditions: dict[str, Any], where: str) -> None:
    found, envelope = subject(tmp_path)
    assert place(sorted_out(found, envelope, **conditions)) == where


@pytest.mark.parametrize(
    "texts",
    [
        {"commands": ("cp {copy} x",)},
        {"goal": ("test -r {copy}",)},
        {"env": {"FROM": "{copy}"}},
        {"retry": "cat {copy}"},
        {"given": "test -e {copy}"},
    ],
)
def test_a_route_with_a_value_that_nobody_knows_could_not_be_tried(tmp_path: Path, texts: dict[str, Any]) -> None:
    found, envelope = subject(tmp_path)
    ladder = sorted_out(found, envelope, **texts)
    assert place(ladder) == "missing"
    assert ladder.missing[0][1] == "no copy is known"


def test_a_kind_says_in_its_own_words_what_it_does_not_know(tmp_path: Path) -> None:
    found, envelope = subject(tmp_path, command="make all")
    ladder = sorted_out(found, envelope, "make all", commands=("{command_local}",))
    assert ladder.missing[0][1] == "the command does not name the path, so no other can take its place"


def test_a_ready_route_is_filled_in_as_a_person_would_type_it(tmp_path: Path) -> None:
    found, envelope = subject(tmp_path)
    texts = {
        "commands": ("sudo cp {path} {local}",),
        "goal": ("true", "sudo test -e {path}"),
        "retry": "{command_local}",
    }
    more = {"env": {"AT": "{local}"}, "given": "test -d {local}"}
    [route] = sorted_out(found, with_values(envelope, sudo=True), **texts, **more).ready
    assert route.commands == ("sudo cp /results/x ./x",)
    assert route.exports == ('export AT="./x"',)
    assert route.goal == ("sudo test -e /results/x",), "true asks nothing"
    assert (route.given, route.retry) == ("test -d ./x", "touch ./x")
    assert route.plan.given == "test -d ./x"
    assert route.shown == (*route.commands, *route.exports, *route.goal, "touch ./x")
    [bare] = sorted_out(found, envelope, goal=("test -e {local}",)).ready
    assert (bare.given, bare.retry, bare.shown) == (None, None, ("true", "test -e ./x"))


def test_root_needs_no_sudo_before_a_command(tmp_path: Path) -> None:
    found, envelope = subject(tmp_path)
    texts = {"commands": ("sudo cp {path} {local}", "ls"), "goal": ("sudo test -e {path}",)}
    [route] = sorted_out(found, with_values(envelope, user="root"), **texts).ready
    assert (route.commands, route.goal) == (("cp /results/x ./x", "ls"), ("test -e /results/x",))


def test_a_route_without_a_goal_of_its_own_has_the_ladder_s(tmp_path: Path) -> None:
    found, envelope = subject(tmp_path)
    assert sorted_out(found, envelope).ready[0].goal == (WRITABLE,)
    assert sorted_out(found, envelope, goal=()).ready[0].goal in ((), (WRITABLE,))


def test_every_route_of_a_barrier_has_its_place_in_the_order_of_its_file(tmp_path: Path) -> None:
    found, envelope = subject(tmp_path)
    ladder = ladder_for(found, envelope, COMMAND, offline=False)
    assert [route.plan.id for route in ladder.ready][:3] == ["relative-path", "relative-directory", "home"]
    assert [plan.id for plan, _ in ladder.not_permitted] == ["root"]
    assert [plan.id for plan, _ in ladder.meaningless] == [
        "own-copy-of-the-inputs",
        "copy-at-hand",
        "through-its-interpreter",
    ]
    assert ladder.missing == ()


def test_a_lift_is_for_its_kinds_of_failure_and_filled_in(tmp_path: Path) -> None:
    found, _ = subject(tmp_path)
    [(lift, commands)] = lifts_for(found)
    assert lift.id == "path-given-to-user"
    assert "readlink -f -m /results/x" in commands[0]
    other = replace(found, expected=found.expected._replace(kind="mounted noexec"))
    assert [lift.id for lift, _ in lifts_for(other)] == ["plain-mounts"]


def test_each_package_that_may_bring_it_is_a_lift_of_its_own_and_each_lift_once(tmp_path: Path) -> None:
    said = "ModuleNotFoundError: No module named 'tabulate'"
    made = context(
        tmp_path, "offline", Events(commands=(shell("python3 a.py", said, 1),)), AsyncExitStack(), Settings()
    )
    found = subject_of(hypothesis(Barrier.MODULE, modules=("tabulate",)), made)
    assert isinstance(found, ReplayTarget)
    lifts = lifts_for(replace(found, packages=("python3-tabulate", "python3-other")))
    assert [lift.id for lift, _ in lifts] == ["pip-as-root", "apt-as-root", "apt-as-root"]
    assert [commands[-1].rpartition(" ")[2] for _, commands in lifts[1:]] == ["python3-tabulate", "python3-other"]


def test_the_goal_is_the_barrier_s_own_or_the_failing_command(tmp_path: Path) -> None:
    found, _ = subject(tmp_path)
    assert goal_of(found, COMMAND) == (WRITABLE,)
    lacking = "x.c:1:10: fatal error: foo.h: No such file or directory"
    events = Events(commands=(shell("make all", lacking, 2),))
    unknown = subject_of(
        hypothesis(Barrier.HEADER, headers=("foo.h",)),
        context(tmp_path, "offline", events, AsyncExitStack(), Settings()),
    )
    assert isinstance(unknown, ReplayTarget)
    assert goal_of(unknown, "make all") == ("make all",)


def test_a_route_that_cannot_be_tried_keeps_no_other_from_it(tmp_path: Path) -> None:
    found, envelope = subject(tmp_path)
    texts = ("cp {copy} x", "true")
    routes = tuple(RoutePlan(id=text, tier=Tier.T2, commands=(text,), source="a test") for text in texts)
    ladder = ladder_for(replace(found, suggested=routes), envelope, COMMAND, offline=False)
    assert [plan.id for plan, _ in ladder.missing] == ["cp {copy} x"]
    assert [route.plan.id for route in ladder.ready] == ["true"]


def test_what_a_ladder_says_is_never_changed(tmp_path: Path) -> None:
    found, envelope = subject(tmp_path)
    ladder = sorted_out(found, envelope)
    for frozen in (ladder, ladder.ready[0]):
        with pytest.raises(FrozenInstanceError):
            frozen.ready = ()  # type: ignore[misc]


def test_a_lift_is_about_the_command_that_is_tried_first(tmp_path: Path) -> None:
    said = "cannot open display"
    made = context(tmp_path, "offline", Events(commands=(shell("./draw", said, 1),)), AsyncExitStack(), Settings())
    found = subject_of(hypothesis(Barrier.COMMAND_FAILS, commands=("./draw",)), made)
    assert isinstance(found, ReplayTarget)
    several = replace(
        found, attempts=tuple(replace(found.attempts[0], command=name) for name in ("./draw", "./b", "./c"))
    )
    retried = [lift.retry for lift, _ in lifts_for(several) if lift.retry]
    assert retried
    assert all("./draw" in text for text in retried)
