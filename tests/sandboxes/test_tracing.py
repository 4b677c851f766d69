"""What a trace tells: the name that was missing, denied or refused, in any language and behind any pipe."""

from collections.abc import Iterator

import pytest

from sandboxes import ContainerPool, Engine, Executed, SandboxError, Session, Spec
from sandboxes.images import ensure_built
from sandboxes.tracing import Tracer, ensure_tracer, facts_of, trace
from sandboxes.tracing.minimal import minimal_lifts

SOURCES = r"""mkdir -p /tmp/w && cd /tmp/w
printf '#include <gsl/gsl_rng.h>\nint main(){return 0;}\n' >header.c
printf 'int main(){return 0;}\n' >plain.c
printf 'header: header.o\n\t$(CC) -o $@ $^\n' >Makefile
printf '#!/bin/bash\r\necho hi\r\n' >returns.sh
chmod +x returns.sh
printf 'int f(){return 1;}' >lib.c
printf 'int f();int main(){return f();}' >user.c
gcc -shared -fPIC -Wl,-soname,libquux.so.2 -o libquux.so.2 lib.c
gcc -o linked user.c libquux.so.2
rm libquux.so.2
"""
UNIX = "python3 -c 'import socket; socket.socket(socket.AF_UNIX).connect(\""
SOCKETS = r"""python3 -c 'import os, socket
for path in ("/run/roots.sock", "/tmp/w/closed/engine.sock"):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    socket.socket(socket.AF_UNIX).bind(path)
os.chmod("/run/roots.sock", 0o600)
os.chmod("/tmp/w/closed/engine.sock", 0o666)'
"""
"""Sockets at which nothing listens; one is only root's."""
CASES = {
    "make": ("file missing", "gsl/gsl_rng.h"),
    "make 2>&1 | tail -1": ("file missing", "gsl/gsl_rng.h"),
    "make >/dev/null 2>&1": ("file missing", "gsl/gsl_rng.h"),
    "absent-program --version": ("program missing", "absent-program"),
    "python3 -c \"import subprocess; subprocess.run(['ffmpeg'])\"": ("program missing", "ffmpeg"),
    "printf 'x:\\n\\tnofortran -c x\\n' > m; make -f m": ("program missing", "nofortran"),
    "./returns.sh": ("interpreter missing", "/tmp/w/returns.sh"),
    "./linked": ("library missing", "libquux.so.2"),
    "gcc plain.c -lgsl": ("library missing", "libgsl.so"),
    "python3 -c 'import humanize'": ("module missing", "humanize"),
    'python3 -c \'import os; os.path.exists("in/v-3.brood") or exit("none under v-3")\'': (
        "file missing",
        "/tmp/w/in/v-3.brood",
    ),
    "python3 -c 'open(\"/data/in.csv\")'": ("file missing", "/data/in.csv"),
    'python3 -c \'import os; os.open("in/b.csv", 0, dir_fd=os.open("/srv", 0))\'': ("file missing", "/srv/in/b.csv"),
    "ln -sf /nowhere/x link.csv; cat link.csv": ("file missing", "/tmp/w/link.csv"),
    "ln -sfn /nowhere share; cat share/x.csv": ("file missing", "/tmp/w/share/x.csv"),
    "LANGUAGE=de LANG=de_DE.UTF-8 cat nichts.txt": ("file missing", "/tmp/w/nichts.txt"),
    "touch /usr/x": ("denied", "/usr/x"),
    "curl -sS https://example.com": ("host unresolved", "example.com"),
    "python3 -c 'import os; os.kill(os.getpid(), 9)'": ("killed", "SIGKILL"),
    "curl -sS http://127.0.0.1:8086/values": ("service missing", "127.0.0.1:8086"),
    "curl -sS http://localhost:8086/values": ("service missing", "127.0.0.1:8086"),
    "(echo > /dev/tcp/127.0.0.1/8086) 2>/dev/null": ("service missing", "127.0.0.1:8086"),
    f"{UNIX}/run/engine.sock\")'": ("service missing", "/run/engine.sock"),
    f"{UNIX}/tmp/w/closed/engine.sock\")'": ("service missing", "/tmp/w/closed/engine.sock"),
    f"{UNIX}\\0engine\")'": ("service missing", "@engine"),
    f"{UNIX}/run/roots.sock\")'": ("service denied", "/run/roots.sock"),
    "sort /root/table | awk 'END { exit 4 }'": ("denied", "/root/table"),
    "command -v weasyl || { echo 'needs Weasyl (set WEASYL)' >&2; exit 1; }": ("program missing", "weasyl"),
}


@pytest.fixture(scope="module")
def tracer(engine: Engine) -> Tracer:
    return ensure_tracer(engine, lambda _: None)


@pytest.fixture(scope="module")
def session(engine: Engine, image: str) -> Iterator[Session]:
    with ContainerPool(engine) as containers, containers.start(Spec(image=image, workdir="/tmp")) as started:
        assert started.run(SOURCES).ok
        assert started.run(SOCKETS, user="root").ok
        yield started


@pytest.mark.docker
@pytest.mark.network
def test_an_image_that_has_nothing_of_ours_is_traced_without_any_network(engine: Engine, tracer: Tracer) -> None:
    foreign = ensure_built(engine, "FROM impassable/base\nRUN rm -r /opt/impassable\n")
    with ContainerPool(engine) as containers:
        for _ in range(2):
            with containers.start(Spec(image=foreign, workdir="/tmp")) as session:
                traced = trace(session, tracer, "cat /data/in.csv", seconds=60)
                assert traced.facts[0].key == ("file missing", "/data/in.csv")


@pytest.mark.docker
@pytest.mark.network
@pytest.mark.parametrize("command", CASES)
def test_the_first_fact_is_the_cause(command: str, session: Session, tracer: Tracer) -> None:
    traced = trace(session, tracer, f"cd /tmp/w; {command}", seconds=60)
    assert traced.facts
    assert traced.facts[0].key == CASES[command]


STARTS_IT = """import os, socket, time
place = "/tmp/w/own.sock"
asked = lambda: socket.socket(socket.AF_UNIX).connect(place)
try:
    asked()
except OSError:
    if os.fork() == 0:
        server = socket.socket(socket.AF_UNIX)
        server.bind(place)
        server.listen()
        server.accept()
        os._exit(0)
while not os.path.exists(place):
    time.sleep(0.05)
time.sleep(0.2)
asked()
raise SystemExit(open("/data/in.csv").read())
"""


@pytest.mark.docker
@pytest.mark.network
def test_a_service_that_the_program_starts_itself_is_not_missing(session: Session, tracer: Tracer) -> None:
    traced = trace(session, tracer, f"python3 -c '{STARTS_IT}'", seconds=60)
    assert traced.facts[0].key == ("file missing", "/data/in.csv")
    assert "service missing" not in {fact.kind for fact in traced.facts}


@pytest.mark.docker
@pytest.mark.network
def test_an_address_that_no_network_reaches_is_known_though_only_the_error_s_text_is_printed(
    engine: Engine, image: str, tracer: Tracer
) -> None:
    with ContainerPool(engine) as containers, containers.start(Spec(image=image, network="none")) as session:
        code = 'import socket; socket.create_connection(("10.44.7.19", 5120), 5)'
        facts = trace(session, tracer, f"python3 -c '{code}'", seconds=60).facts
        assert [fact.key for fact in facts if fact.named] == [("unreachable", "10.44.7.19:5120")]
        [lift] = minimal_lifts(facts[0])
        lifted = trace(session, tracer, f"python3 -c '{code}'", seconds=60, granted=lift.granted)
        assert lifted.done.ok
        assert "unreachable" not in {fact.kind for fact in lifted.facts}


@pytest.mark.docker
@pytest.mark.network
def test_a_service_that_only_a_resolver_s_order_seems_to_reach_is_missing(session: Session, tracer: Tracer) -> None:
    code = 'import urllib.request as u; u.urlopen("http://localhost:7070/")'
    facts = trace(session, tracer, f"python3 -c '{code}'", seconds=60).facts
    assert ("service missing", "127.0.0.1:7070") in {fact.key for fact in facts}


@pytest.mark.docker
@pytest.mark.network
def test_of_a_file_that_was_looked_for_in_several_places_they_are_known(session: Session, tracer: Tracer) -> None:
    code = "import os; any(map(os.path.exists, ('/srv/q/x.conf', '/opt/q/x.conf'))) or exit('no x.conf')"
    first, *_ = trace(session, tracer, f'python3 -c "{code}"', seconds=60).facts
    assert (first.subject, first.places) == ("q/x.conf", ("/srv/q/x.conf", "/opt/q/x.conf"))


@pytest.mark.docker
@pytest.mark.network
def test_a_traced_command_ends_and_speaks_as_it_does_alone(session: Session, tracer: Tracer) -> None:
    command = "exec 2>&1; cd /tmp/w; make; echo $?; ls -l header.c; python3 -c 'print(1)'; exit 7"

    def shown(done: Executed) -> tuple[int | None, str]:
        return done.exit_code, done.output

    assert shown(trace(session, tracer, command, seconds=60).done) == shown(session.run(command))


@pytest.mark.docker
@pytest.mark.network
@pytest.mark.parametrize(("ends", "code"), [("ls nothing-there", 2), ("true", 0)])
def test_what_a_command_leaves_running_is_not_waited_for(
    ends: str, code: int, session: Session, tracer: Tracer
) -> None:
    left = "setsid sleep 77 > /dev/null 2>&1 & echo begun; cat /etc/hostname > /dev/null"
    traced = trace(session, tracer, f"{left}; {ends}", seconds=60)
    assert (traced.done.exit_code, traced.done.output.splitlines()[0]) == (code, "begun")
    assert traced.done.seconds < 30
    assert [fact.subject for fact in traced.facts if fact.named] == (["/tmp/nothing-there"] if code else [])


@pytest.mark.docker
@pytest.mark.network
def test_what_works_has_no_facts_and_leaves_nothing_in_the_journal(session: Session, tracer: Tracer) -> None:
    before = list(session.journal)
    traced = trace(session, tracer, "cd /tmp/w; gcc -o plain plain.c && ./plain", seconds=60)
    assert traced.done.ok
    assert traced.facts == ()
    assert session.journal == before


@pytest.mark.docker
@pytest.mark.network
def test_want_of_memory_is_told_apart_from_other_kills(containers: ContainerPool, image: str, tracer: Tracer) -> None:
    from sandboxes import Limits

    with containers.start(Spec(image=image, limits=Limits(memory_mb=128))) as session:
        command = "python3 -c \"x = b'x' * 400_000_000\""
        assert trace(session, tracer, command, seconds=60).facts[0].kind == "out of memory"


@pytest.mark.docker
@pytest.mark.network
def test_a_file_for_which_there_was_no_more_room_is_known_by_its_path(
    containers: ContainerPool, image: str, tracer: Tracer
) -> None:
    with containers.start(Spec(image=image, tmpfs=("/small:size=64k,mode=1777",))) as session:
        for command in ("cp /dev/zero /small/a.bin", "head -c 200000 /dev/zero | tee /small/a.bin"):
            facts = trace(session, tracer, f"set -o pipefail; {command} > /dev/null", seconds=60).facts
            assert ("no space", "/small/a.bin") in {(fact.kind, fact.subject) for fact in facts}, facts


PUBLISH = r"""mkdir -p /tmp/p/tools && cd /tmp/p
printf 'import sys\nprint("INVALID")\nsys.exit(1)\n' > tools/validate.py
printf 'import sys\nprint("VALID")\n' > tools/fine.py
printf 'open("absent.csv")\n' > tools/reads.py
for name in validate fine reads; do
  printf '#!/bin/bash\npython3 tools/%s.py; rc=$?\nghost-program --send\nexit 1\n' $name > $name.sh
done
printf '#!/bin/bash\ngrep -q ghost tools/fine.py\nghost-program --send\nexit 1\n' > asks.sh
chmod +x *.sh"""


@pytest.mark.docker
@pytest.mark.network
@pytest.mark.parametrize(
    ("line", "beside"), [("validate", ("tools/validate.py",)), ("fine", ()), ("reads", ()), ("asks", ())]
)
def test_a_script_that_fails_before_whatever_is_missing_afterwards_is_known(
    session: Session, tracer: Tracer, line: str, beside: tuple[str, ...]
) -> None:
    """One that says itself what it lacked is explained by that."""
    assert session.run(PUBLISH).ok
    traced = trace(session, tracer, f"cd /tmp/p && ./{line}.sh", seconds=60)
    assert traced.beside == beside, traced.facts


@pytest.mark.docker
@pytest.mark.network
def test_a_read_only_machine_is_traced_too(containers: ContainerPool, image: str, tracer: Tracer) -> None:
    with containers.start(Spec(image=image, read_only=("/",), workdir="/work")) as session:
        assert trace(session, tracer, "touch /srv/x", seconds=60).facts[0].kind == "read-only"


@pytest.mark.docker
@pytest.mark.network
def test_a_machine_that_cannot_run_it_says_so(containers: ContainerPool, spec: Spec, tracer: Tracer) -> None:
    with containers.start(spec) as session:
        session.run("rm -rf /opt/impassable/trace", user="root")
        broken = Tracer(tracer.engine, tracer.image, held=b"")
        broken.held = tracer.archive.replace(b"\x7fELF", b"\x7fNOT")
        with pytest.raises(SandboxError):
            trace(session, broken, "true", seconds=30)


def test_a_log_of_another_form_says_nothing() -> None:
    assert facts_of("", "", "") == ()
    assert facts_of("no tracer's line\n12 half(", "{broken", "boom") == ()


@pytest.mark.docker
@pytest.mark.network
def test_what_was_wanted_of_a_file_is_measured(session: Session, tracer: Tracer) -> None:
    def wanted(command: str) -> dict[str, str | None]:
        traced = trace(session, tracer, command, seconds=60)
        return {fact.subject: fact.access for fact in traced.facts if fact.kind == "denied"}

    assert wanted("cat /etc/shadow") == {"/etc/shadow": "read"}
    assert wanted("sort /etc/shadow") == {"/etc/shadow": "read"}
    assert wanted('python3 -c \'open("/etc/passwd", "r+")\'') == {"/etc/passwd": "write"}
    assert wanted("mkdir /srv/x") == {"/srv/x": "write"}
    assert wanted("cp /etc/passwd /etc/shadow")["/etc/shadow"] == "write"
    assert wanted("/etc/passwd") == {"/etc/passwd": "execute"}


@pytest.mark.docker
@pytest.mark.network
def test_a_folder_that_is_missing_is_told_apart_from_a_file_and_the_program_that_wanted_it_is_named(
    session: Session, tracer: Tracer
) -> None:
    def wanted(command: str) -> tuple[str | None, tuple[str, ...]]:
        traced = trace(session, tracer, command, seconds=60)
        return next(fact.access for fact in traced.facts if fact.kind == "file missing"), traced.ended

    assert wanted("python3 -c 'import os; os.chdir(\"/srv/in\")' 2>&1 | tail -1") == ("enter", ("python3",))
    assert wanted("sh -c 'sort /srv/in; exit 3'") == (None, ("sort",))


@pytest.mark.docker
@pytest.mark.network
def test_a_service_counts_by_itself_only_where_its_silence_was_the_last_thing(session: Session, tracer: Tracer) -> None:
    def last(then: str) -> list[bool]:
        code = f"import socket; socket.socket().connect_ex(('127.0.0.1', 9)); {then}"
        traced = trace(session, tracer, f'python3 -c "{code}"', seconds=60)
        return [fact.last for fact in traced.facts if fact.kind == "service missing"]

    assert last("raise SystemExit(3)") == [True]
    assert last("open('/tmp/absent')") == [False]


@pytest.mark.docker
@pytest.mark.network
def test_a_program_that_failed_is_known_by_how_it_was_called_and_what_it_put_into_a_file_it_did_not_say(
    session: Session, tracer: Tracer
) -> None:
    command = "mkdir -p /tmp/w && cd /tmp/w && sh -c 'sh -c \"echo out; echo err >&2; exit 3\" > made; exit 4'"
    traced = trace(session, tracer, command, seconds=60)
    inner = ("sh", "-c", "echo out; echo err >&2; exit 3")
    assert (inner, "/tmp/w") in [(one.words, one.folder) for one in traced.called]
    assert "out" not in traced.said
    assert "err" in traced.said


@pytest.mark.docker
@pytest.mark.network
def test_what_the_failing_process_said_is_told_apart_from_what_was_said_of_it(session: Session, tracer: Tracer) -> None:
    command = "cd /tmp/w; printf 'x:\\n\\t@cat nothing.txt\\n' >/tmp/w/m; make -f m 2>&1 | tail -1"
    said = trace(session, tracer, command, seconds=60).said
    assert [line for line in said if "nothing.txt" in line]
    assert not [line for line in said if "make" in line]
