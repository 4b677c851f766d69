"""One Docker session keeps its promises: exit codes, limits, output, files, snapshots, nothing left behind."""

import hashlib
import os
import threading
import time
from dataclasses import replace
from pathlib import Path

import pytest

from sandboxes import ContainerPool, Engine, Limits, SandboxError, Session, Spec, container, room
from sandboxes.owner import LABEL

pytestmark = pytest.mark.docker


def test_a_command_tells_its_output_and_exit_code(containers: ContainerPool, spec: Spec) -> None:
    with containers.start(spec) as session:
        good = session.run("echo out; echo err >&2")
        bad = session.run("exit 7")
    assert (good.exit_code, good.ok, sorted(good.output.split())) == (0, True, ["err", "out"])
    assert (bad.exit_code, bad.ok, bad.oom, bad.timed_out) == (7, False, False, False)


def test_the_ordinary_user_is_ordinary(containers: ContainerPool, spec: Spec) -> None:
    with containers.start(spec) as session:
        assert session.run("id -un; pwd").output.split() == ["agent", "/home/agent"]
        assert "not found" in session.run("sudo id").output
        assert session.run("mkdir ../results").exit_code == 1
        assert session.run("grep NoNewPrivs /proc/self/status").output.split()[-1] == "1"


def test_sudo_works_where_the_specification_has_it(containers: ContainerPool, spec: Spec) -> None:
    with containers.start(replace(spec, sudo=True)) as session:
        assert session.run("sudo -n id -u 2>/dev/null").output == "0\n"


def test_a_missing_working_directory_is_made_and_belongs_to_the_user(containers: ContainerPool, spec: Spec) -> None:
    with containers.start(replace(spec, workdir="/home/Assist/groupchat")) as session:
        done = session.run("pwd; touch a ../b")
        assert (done.exit_code, done.output.strip()) == (0, "/home/Assist/groupchat")
        assert session.run("touch ../../c").exit_code == 1


def test_sleep_past_the_timeout_is_killed_with_its_children(containers: ContainerPool, spec: Spec) -> None:
    with containers.start(spec) as session:
        started = time.monotonic()
        done = session.run("sleep 1000 & sleep 1000", seconds=2)
        assert (done.timed_out, done.ok) == (True, False)
        assert time.monotonic() - started < 15
        assert session.run("pgrep -x sleep -a | grep 1000").output == ""


POSING = "echo 'import time; time.sleep(600)' >infinity; (setsid bash -c 'exec -a sleep python3 infinity' &); sleep 100"
"""A process that calls itself what the one that keeps the container is called."""
BRIBED = "mv /bin/sh /bin/sh.true; printf '#!/bin/bash\\necho every process was ended\\n' >/bin/sh; chmod +x /bin/sh"
"""A shell that only says what the script that ends everything says in the end."""


@pytest.mark.parametrize(
    ("user", "command"),
    [("agent", POSING), pytest.param("root", f"{BRIBED}; {POSING}", marks=pytest.mark.exhaustive)],
    ids=["another's name", "another shell"],
)
def test_what_outlives_its_time_ends_whatever_it_is_called_and_whatever_shell_is_there(
    containers: ContainerPool, spec: Spec, user: str, command: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(container, "END_SECONDS", 0.5)
    with containers.start(spec) as session:
        assert session.run(command, seconds=2, user=user).timed_out
        left = containers.engine.api.top(session.container)["Processes"]
        assert len(left) == 2, left
        assert session.run("echo alive").output == "alive\n"


def test_a_process_left_behind_does_not_hold_the_command(containers: ContainerPool, spec: Spec) -> None:
    with containers.start(spec) as session:
        started = time.monotonic()
        done = session.run("sleep 60 & echo started", seconds=50)
        assert (done.exit_code, done.output.strip(), done.timed_out) == (0, "started", False)
        assert time.monotonic() - started < 20


def test_a_command_that_ends_with_124_by_itself_was_not_timed_out(containers: ContainerPool, spec: Spec) -> None:
    with containers.start(spec) as session:
        done = session.run("exit 124")
    assert (done.exit_code, done.timed_out) == (124, False)


def test_much_output_is_capped_and_hashed_whole(containers: ContainerPool, spec: Spec) -> None:
    size = 50_000_000
    with containers.start(spec) as session:
        done = session.run(f"echo first; head -c {size} /dev/zero | tr '\\0' x; echo; echo last")
    whole = hashlib.sha256(b"first\n" + b"x" * size + b"\nlast\n").hexdigest()
    assert done.sha256 == whole
    assert done.truncated
    assert len(done.output) < 400_000
    assert done.output.startswith("first\n")
    assert done.output.endswith("last\n")


def test_out_of_memory_is_told_from_a_plain_kill(containers: ContainerPool, spec: Spec) -> None:
    with containers.start(replace(spec, limits=Limits(memory_mb=64))) as session:
        hog = session.run('python3 -c "x = bytearray(300_000_000); print(len(x))"')
        killed = session.run("bash -c 'kill -9 $$'")
    assert (hog.exit_code, hog.oom) == (137, True)
    assert (killed.exit_code, killed.oom) == (137, False)


def test_files_go_in_and_out(containers: ContainerPool, spec: Spec) -> None:
    with containers.start(spec) as session:
        session.put("/srv/deep/file.bin", b"\0\1\2")
        assert session.get("/srv/deep/file.bin") == b"\0\1\2"
        with pytest.raises(SandboxError):
            session.get("/srv/absent")
        session.run("head -c 200000 /dev/zero > big")
        with pytest.raises(SandboxError, match="larger"):
            session.get("/home/agent/big", limit=1000)


def test_a_command_longer_than_an_argument_may_be_still_runs(containers: ContainerPool, spec: Spec) -> None:
    text = "y" * 300_000
    with containers.start(spec) as session:
        assert session.run(f"cat <<'E' | wc -c\n{text}\nE").output.strip() == "300001"


def test_containers_begin_at_a_snapshot_and_do_not_see_each_other(containers: ContainerPool, spec: Spec) -> None:
    with containers.start(spec) as session:
        session.run("echo before > state")
        begun = replace(spec, image=session.snapshot())
        first, second = containers.start(begun), containers.start(begun)
        first.run("echo changed > state")
        assert second.run("cat state").output.strip() == "before"


def test_no_network_means_no_network(containers: ContainerPool, spec: Spec) -> None:
    with containers.start(spec) as session:
        names = session.run("ls /sys/class/net").output.split()
    assert names == ["lo"]


def test_an_image_without_bash_has_its_commands_run_by_sh(containers: ContainerPool, spec: Spec) -> None:
    with containers.start(spec) as session:
        session.run("rm -f /bin/bash /usr/bin/bash", user="root")
        plain = replace(spec, image=session.snapshot())
    with containers.start(plain) as session:
        assert session.run("echo $0 && echo kept > state").output.strip() == "sh"
        assert [entry.shell for entry in session.journal] == ["sh"]
        later = replace(plain, image=session.snapshot())
    with containers.start(later) as session:
        assert session.run("cat state; echo $0").output.split() == ["kept", "sh"]


def test_a_tmpfs_has_the_same_mode_in_a_fork(containers: ContainerPool, spec: Spec) -> None:
    with containers.start(replace(spec, tmpfs=("/fast:size=8m",))) as session:
        mode = session.run("stat -c %a /fast").output
        forked = replace(spec, image=session.snapshot(), tmpfs=session.tmpfs_as_it_is())
    with containers.start(forked) as session:
        assert session.run("stat -c %a /fast").output == mode == "1777\n"


def test_a_tmpfs_is_noexec_as_docker_mounts_it(containers: ContainerPool, spec: Spec) -> None:
    with containers.start(replace(spec, tmpfs=("/tmp:size=64m,mode=1777",))) as session:
        done = session.run("printf '#!/bin/sh\\necho ran\\n' > /tmp/x; chmod +x /tmp/x; /tmp/x")
    assert done.exit_code == 126
    assert "Permission denied" in done.output


def test_a_read_only_directory_shows_what_the_image_has_also_after_a_snapshot(
    containers: ContainerPool, spec: Spec
) -> None:
    closed = replace(spec, read_only=("/usr/lib/gcc", "/home/agent/data"), tmpfs=("/fast:size=8m,mode=1777",))
    with containers.start(closed) as session:
        for each in (session, containers.start(replace(closed, image=session.snapshot()))):
            done = each.run("ls /usr/lib/gcc; touch here /fast/here; touch data/x; touch /usr/lib/gcc/x")
            assert done.output.count("Read-only file system") == 2
            assert "linux-gnu" in done.output
            assert each.run("ls here /fast/here").ok
        session.put("/fast/put", b"in")
        assert session.run("cat /fast/put").output == "in"
        assert session.get("/fast/put") == b"in"
        with pytest.raises(SandboxError):
            session.get("/fast/absent")
        with pytest.raises(SandboxError):
            session.put("/usr/lib/gcc/x", b"")
        assert session.profile()["read_only"] == ["/usr/lib/gcc", "/home/agent/data"]
    assert closed.forgetful
    assert not spec.forgetful


@pytest.mark.exhaustive
def test_a_read_only_root_leaves_the_working_directory_and_scratch_open(containers: ContainerPool, spec: Spec) -> None:
    with containers.start(replace(spec, read_only=("/",), sudo=True, limits=Limits(disk_mb=100))) as session:
        assert "Read-only file system" in session.run("sudo -n touch /etc/x").output
        assert session.run("printf '#!/bin/sh\\necho ran\\n' | tee x /tmp/x; chmod +x x /tmp/x; ./x; /tmp/x").ok
        session.put("/home/agent/deep/y", b"y")
        assert session.get("/home/agent/deep/y") == b"y"
        assert session.run("true " + "y" * 300_000).ok
        filler = session.run("for i in 1 2 3 4 5 6 7 8 9; do head -c 50000000 /dev/zero > f$i; sleep 1; done")
        assert (filler.limit, filler.ok) == ("disk", False)


def test_a_directory_goes_in_as_the_user_s_and_is_not_followed_out_of(
    containers: ContainerPool, spec: Spec, tmp_path: Path
) -> None:
    (tmp_path / "code").mkdir()
    (tmp_path / "code" / "run.sh").write_text("echo ran\n")
    (tmp_path / "code" / "run.sh").chmod(0o755)
    (tmp_path / "inside").symlink_to("code/run.sh")
    (tmp_path / "outside").symlink_to("/etc/passwd")
    (tmp_path / "above").symlink_to("../elsewhere")
    os.mkfifo(tmp_path / "pipe")
    with containers.start(replace(spec, tmpfs=("/fast:exec,mode=1777",))) as session:
        for target in ("/home/agent/work/space here", "/fast/work"):
            packed = session.put_tree(target, tmp_path)
            assert (packed.files, packed.size, len(packed.skipped)) == (3, 9, 3)
            assert session.run("./inside; stat -c %U . code; touch new; find | wc -l", cwd=target).output.split() == [
                "ran",
                "agent",
                "agent",
                "5",
            ]
        with pytest.raises(SandboxError, match="more than may be copied"):
            session.put_tree("/home/agent/small", tmp_path, limit=8)
        with pytest.raises(SandboxError, match="cannot be copied"):
            session.put_tree("/home/agent/absent", tmp_path / "absent")


def test_nothing_is_left_when_the_bench_closes(engine: Engine, spec: Spec) -> None:
    with ContainerPool(engine) as containers:
        session = containers.start(spec)
        snapshot = session.snapshot()
        ids = [session.container, containers.start(replace(spec, image=snapshot)).container]
        assert snapshot in {image["Id"] for image in engine.api.images(filters={"label": LABEL})}
    assert not {container["Id"] for container in engine.api.containers(all=True)} & set(ids)
    assert snapshot not in {image["Id"] for image in engine.api.images(filters={"label": LABEL})}


def test_who_fills_the_machine_s_own_disk_goes_with_all_that_it_wrote(
    containers: ContainerPool, spec: Spec, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = containers.start(spec)
    left = containers.engine.glance()
    assert left
    monkeypatch.setattr(room, "LEAST_MB", left.free // 1_000_000 - 500)
    with pytest.raises(SandboxError, match="filled this machine's disk"):
        session.run("fallocate -l 2G x; sleep 30", seconds=20)
    assert session.container not in {one["Id"] for one in containers.engine.api.containers(all=True)}


def test_a_closed_bench_leaves_nobody_who_still_asks_the_engine(spec: Spec) -> None:
    before = set(threading.enumerate())
    engine = Engine.connect(sweep=False)
    with ContainerPool(engine) as containers:
        assert containers.start(spec).run("sleep 60 & echo on").output == "on\n"
    engine.close()
    end = time.monotonic() + 2
    while (left := set(threading.enumerate()) - before) and time.monotonic() < end:
        time.sleep(0.05)
    assert not left


def _run_both(session: Session) -> None:
    session.run("sleep 100")
    session.run("true")


def test_closing_from_elsewhere_ends_running_work(engine: Engine, spec: Spec) -> None:
    containers = ContainerPool(engine)
    session = containers.start(spec)
    threading.Timer(1.5, containers.close).start()
    started = time.monotonic()
    with pytest.raises(SandboxError):
        _run_both(session)
    assert time.monotonic() - started < 30
    with pytest.raises(SandboxError, match="cancelled"):
        containers.start(spec)


def test_the_profile_says_what_was_in_effect(containers: ContainerPool, spec: Spec) -> None:
    with containers.start(spec) as session:
        profile = session.profile()
    assert profile["network"] == {"asked": "none", "in effect": "none"}
    assert profile["no_new_privileges"] is True
    assert profile["limits"]["memory_mb"] == 4096
