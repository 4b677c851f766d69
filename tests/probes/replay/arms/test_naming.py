"""What facts say a failure is, and what the least is that takes one away."""

import subprocess
from pathlib import Path

import pytest

from probes import Barrier
from probes.barriers.measured import names, telling, unnamed
from sandboxes.tracing import Fact, FactKind
from sandboxes.tracing.minimal import MinimalLift, minimal_lifts


def _in_place(lift: MinimalLift) -> bool:
    return all(subprocess.run(["sh", "-c", one], check=False).returncode == 0 for one in lift.commands)


def fact(kind: FactKind, subject: str, *, named: bool = True, process: str = "cc1") -> Fact:
    return Fact(kind=kind, subject=subject, process=process, named=named)


@pytest.mark.parametrize(
    ("measured", "barrier", "about"),
    [
        (fact("file missing", "gsl/gsl_rng.h"), Barrier.HEADER, "gsl/gsl_rng.h"),
        (fact("file missing", "/usr/include/zlib.h"), Barrier.HEADER, "zlib.h"),
        (fact("file missing", "/w/acmart.cls", process="pdflatex"), Barrier.SUPPORT_FILE, "acmart.cls"),
        (fact("library missing", "libgsl.so", process="ld"), Barrier.HEADER, "-lgsl"),
        (fact("library missing", "libgomp.so.1", process="solve"), Barrier.SHARED_LIBRARY, "libgomp.so.1"),
        (fact("program missing", "docker", process="bash"), Barrier.COMMAND, "docker"),
        (fact("interpreter missing", "/w/run.sh", named=False), Barrier.INTERPRETER, "/w/run.sh"),
        (fact("file missing", "/data/in.csv"), Barrier.MISSING_DATA, "/data/in.csv"),
        (fact("module missing", "humanize", named=False), Barrier.MODULE, "humanize"),
        (fact("denied", "/results"), Barrier.PERMISSION, "/results"),
        (fact("read-only", "/results/x"), Barrier.READ_ONLY, "/results/x"),
        (fact("out of memory", "memory", named=False), Barrier.CRASH, "memory"),
        (fact("host unresolved", "data.example.org"), Barrier.NETWORK, "data.example.org"),
        (fact("service missing", "/run/engine.sock"), Barrier.SERVICE, "/run/engine.sock"),
    ],
)
def test_a_fact_that_somebody_printed_or_that_ended_it_names_the_barrier(
    measured: Fact, barrier: Barrier, about: str
) -> None:
    [first] = telling([fact("file missing", "/etc/some.conf", named=False), measured])
    assert names(first) == (barrier, about)


def test_what_nobody_printed_tells_nothing_by_itself_and_the_likely_of_it_is_tried() -> None:
    conf, table = (fact("file missing", path, named=False) for path in ("/etc/some.conf", "/work/table.csv"))
    closed = fact("denied", "/srv/table.csv", named=False)
    assert telling([conf, table, closed]) == []
    assert unnamed([conf, table, closed], "/work") == [table, closed]
    killed = fact("killed", "SIGSEGV")
    assert names(killed) is None
    assert telling([]) == []


def test_a_service_tells_by_itself_where_the_failing_process_ended_with_it() -> None:
    silent = fact("service missing", "127.0.0.1:8086", named=False)
    ended = silent.model_copy(update={"last": True})
    assert telling([silent]) == []
    assert telling([ended]) == [ended]
    assert names(ended) == (Barrier.SERVICE, "127.0.0.1:8086")


def test_the_least_is_an_empty_stand_in_at_the_very_place() -> None:
    header, *_ = minimal_lifts(fact("file missing", "gsl/gsl_rng.h"))
    assert "/usr/include/gsl/gsl_rng.h" in header.commands[0]
    sought = fact("file missing", "acmart.cls").model_copy(update={"places": ("/w/acmart.cls", "/tex/acmart.cls")})
    assert "for p in /w/acmart.cls;" in minimal_lifts(sought)[0].commands[0], "where it was looked for first"
    [program] = minimal_lifts(fact("program missing", "cc"))
    assert "/usr/local/bin/cc" in program.commands[0]
    placed = fact("program missing", "initdb").model_copy(update={"places": ("/usr/lib/pg/15/bin/initdb",)})
    assert "/usr/lib/pg/15/bin/initdb" in minimal_lifts(placed)[0].commands[0], "where it was called, whatever the path"
    [more] = minimal_lifts(fact("out of memory", "memory"))
    assert more.memory > 1
    assert minimal_lifts(fact("timed out", "192.0.2.1:443")) == ()
    [host] = minimal_lifts(fact("host unresolved", "example.org"))
    assert host.commands == ("echo 127.0.0.1 example.org >> /etc/hosts",)


def test_a_missing_path_is_stood_in_for_by_what_is_wanted_there(tmp_path: Path) -> None:
    path, gone = tmp_path / "input", tmp_path / "link"
    entered = fact("file missing", str(path)).model_copy(update={"access": "enter"})
    [folder] = minimal_lifts(entered)
    assert _in_place(folder)
    assert path.is_dir()
    path.rmdir()
    file, directory = minimal_lifts(fact("file missing", str(path)))
    assert _in_place(file)
    assert path.is_file()
    path.unlink()
    assert _in_place(directory)
    assert path.is_dir()
    gone.symlink_to(tmp_path / "nowhere")
    assert _in_place(minimal_lifts(fact("file missing", str(gone / "below")))[0])
    assert (gone / "below").is_file(), "a link that leads nowhere makes room"
    silent, endless = minimal_lifts(fact("file missing", "/dev/ttyUSB0"))
    assert "ln -sf /dev/null /dev/ttyUSB0" in silent.commands[0]
    assert "ln -sf /dev/zero /dev/ttyUSB0" in endless.commands[0]


def test_a_whole_series_is_stood_in_for_at_once(tmp_path: Path) -> None:
    first, *others = (str(tmp_path / f"sub-{number:02}.csv") for number in range(1, 19))
    series = fact("file missing", first).model_copy(update={"kin": tuple(others)})
    assert _in_place(minimal_lifts(series)[0])
    assert len(list(tmp_path.iterdir())) == 18
