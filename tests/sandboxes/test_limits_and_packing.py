"""Which limit stopped a command, and what of a directory may go into a container, told without a container."""

import io
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from sandboxes import Executed, Limits, Spec
from sandboxes.mounts import beyond_copy, kept_open, modes, tmpfs
from sandboxes.packing import TooLarge, pack_tree
from sandboxes.room import TELL, Room, Taken
from sandboxes.watching import Counters, limit_of, needs_counters, tmpfs_full

GIGA = 1_000_000_000
NO_SPACE = "OSError: [Errno 28] No space left on device"


@pytest.mark.parametrize(
    ("facts", "limit"),
    [
        ({"stopped": "time", "oom": True}, "time"),
        ({"stopped": "disk", "output": NO_SPACE}, "disk"),
        ({"output": NO_SPACE, "room_kb": 10}, "disk"),
        ({"output": NO_SPACE, "room_kb": 10_000_000}, None),
        ({"output": NO_SPACE}, None),
        ({"oom": True}, "memory"),
        ({"code": 153}, "file"),
        ({"output": "OSError: [Errno 27] File too large"}, "file"),
        ({"code": 0, "output": "grep: File too large"}, None),
        ({"refused": True}, "pids"),
        ({"refused": True, "code": 0}, None),
        ({}, None),
    ],
)
def test_only_what_we_set_counts_as_our_limit(facts: dict[str, object], limit: str | None) -> None:
    plain: dict[str, object] = {
        "stopped": None,
        "oom": False,
        "refused": False,
        "code": 1,
        "output": "",
        "room_kb": None,
    }
    assert limit_of(**{**plain, **facts}) == limit  # type: ignore[arg-type]


def test_a_full_tmpfs_is_the_run_s_own_and_a_full_disk_is_not() -> None:
    assert tmpfs_full(NO_SPACE, tmpfs=True, room_kb=10_000_000)
    assert not tmpfs_full(NO_SPACE, tmpfs=True, room_kb=10)
    assert not tmpfs_full(NO_SPACE, tmpfs=False, room_kb=10_000_000)
    assert not tmpfs_full("done", tmpfs=True, room_kb=10_000_000)


def test_counters_of_both_cgroup_versions_are_read_and_half_an_answer_is_none() -> None:
    first = "oom_kill_disable 0\nunder_oom 0\noom_kill 2\nrefused 3\nroom 81\ncounted\n"
    second = "low 0\nhigh 0\nmax 5\noom 1\noom_kill 2\nrefused 3\nroom 81\ncounted\n"
    assert Counters.parse(first) == Counters.parse(second) == Counters(oom_kills=2, refused_forks=3, room_kb=81)
    assert Counters.parse("oom_kill 2\n") is None
    assert Counters.parse("") is None


def test_a_quiet_success_costs_no_second_look() -> None:
    assert not needs_counters(0, "done")
    assert needs_counters(1, "done")
    assert needs_counters(0, "bash: fork: retry: Resource temporarily unavailable")
    assert needs_counters(0, NO_SPACE)


def test_a_command_that_one_of_our_limits_stopped_did_not_succeed_and_says_so() -> None:
    done = Executed("c", 0, "", False, False, 1.0, True, "", limit="output")
    assert not done.ok
    assert done.how == "exit code 0, stopped by our limit of output"


def test_paths_that_the_engine_s_copying_does_not_reach_are_known() -> None:
    spec = Spec(image="i", tmpfs=("/fast:size=8m,mode=1777",), read_only=("/opt",))
    assert beyond_copy(spec, "/fast/x")
    assert not beyond_copy(spec, "/faster/x")
    assert kept_open(spec) == ["/opt/impassable"]
    assert modes(spec) == "chmod 1777 /fast"
    whole = Spec(image="i", read_only=("/",))
    assert beyond_copy(whole, "/home/agent/x")
    assert kept_open(whole) == ["/opt/impassable", "/home/agent"]
    assert set(tmpfs(whole)) == {"/tmp", "/var/tmp", "/run"}


def test_a_directory_is_packed_the_same_twice_and_never_beyond_its_limit(tmp_path: Path) -> None:
    (tmp_path / "b").write_bytes(b"12345")
    (tmp_path / "a").mkdir()
    (tmp_path / "up").symlink_to("a/../../x")
    archives = [io.BytesIO(), io.BytesIO()]
    packed = [pack_tree(tmp_path, "srv", (1, 1), 5, archive) for archive in archives]
    assert archives[0].getvalue() == archives[1].getvalue()
    assert (packed[0].files, packed[0].size) == (2, 5)
    assert packed[0].skipped == ("up: a link that leads out of the directory",)
    with pytest.raises(TooLarge):
        pack_tree(tmp_path, "srv", (1, 1), 4, io.BytesIO())


FREE = Room(size=100 * GIGA, free=50 * GIGA, files=1_000_000, files_free=900_000)


@pytest.mark.parametrize(
    ("written", "now", "over"),
    [
        (0, FREE, None),
        (1_100_000_000, FREE, "disk"),
        (0, replace(FREE, free=40 * GIGA), "disk"),
        (0, replace(FREE, free=46 * GIGA), None),  # somebody else's image, perhaps
        (-1, replace(FREE, free=46 * GIGA), "disk"),  # a layer that cannot be measured is not believed to be empty
        (-1, replace(FREE, free=50 * GIGA - 1), None),
        (-1, None, "disk"),
        (0, replace(FREE, files_free=300_000), "disk"),
        (0, replace(FREE, free=GIGA // 2), "disk"),
        (0, replace(FREE, opened=400_000), "open"),
        (0, None, None),
        (0, replace(FREE, size=GIGA, free=0, files_free=0), None),  # another file system
    ],
)
def test_what_vanishes_from_the_disk_counts_whatever_hides_it(written, now, over):
    rooms = iter([FREE, now])
    taken = Taken(Limits(disk_mb=1000), lambda: written, lambda: next(rooms))
    taken.begin()
    assert taken.over() is over


def test_a_disk_that_was_nearly_full_before_is_not_its_doing():
    full = replace(FREE, free=GIGA // 2)
    taken = Taken(Limits(disk_mb=1000), lambda: 0, lambda: full)
    taken.begin()
    assert taken.over() is None


def test_a_glance_sees_who_fills_a_disk_at_once_and_measures_nothing():
    rooms = [FREE, replace(FREE, free=GIGA // 2)]
    taken = Taken(Limits(disk_mb=None), lambda: pytest.fail("measured"), lambda: rooms[0], lambda: rooms[1])
    taken.begin()
    assert taken.over(whole=False) == "disk"
    assert taken.crowded


def test_a_container_that_lets_nobody_look_any_more_is_taken_to_hide_something():
    rooms = iter([FREE, None, None, FREE, None, None, None])
    taken = Taken(Limits(), lambda: 0, lambda: next(rooms))
    taken.begin()
    assert [taken.over() for _ in range(6)] == [None, None, None, None, None, "disk"]


def test_a_container_and_this_machine_see_one_disk_alike(tmp_path: Path):
    told = subprocess.run(["sh", "-c", TELL.replace(" /", f" {tmp_path}")], capture_output=True, text=True, check=True)
    assert Room.below(tmp_path).same(Room.parse(told.stdout))
    assert Room.parse("sh: stat: not found") is None
