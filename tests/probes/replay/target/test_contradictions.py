"""Which cases of checks ask different things of the same call."""

from collections.abc import Iterator

import pytest

from cases import Events, FileWrite
from probes.replay.target.contradictions import contradictions, left_out
from sandboxes import ContainerPool, Engine, Session, Spec
from sandboxes.images import ensure_base
from tests.probes.replay.made import shell

pytestmark = [pytest.mark.docker, pytest.mark.network]

PLAIN = """from money import parse


def test_thousands():
    assert parse("2.750") == 2750


def test_decimals():
    assert parse("2.750") == 2.75
"""
CLASS = """import unittest
from money import parse


class Parsing(unittest.TestCase):
    def test_thousands(self):
        \"\"\"As in the ledger.\"\"\"
        self.assertEqual(
            parse("2.750"),
            2750,
        )

    def test_decimals(self):
        self.assertEqual(2.75, parse("2.750"))
"""
PATH = "/tmp/w/tests/test_money.py"


@pytest.fixture(scope="module")
def session() -> Iterator[Session]:
    engine = Engine.connect()
    spec = Spec(image=ensure_base(engine), workdir="/tmp")
    with ContainerPool(engine) as containers, containers.start(spec) as started:
        yield started
    engine.close()


def lines_of(session: Session, path: str, text: str, events: Events | None = None) -> str | None:
    session.run(f"mkdir -p $(dirname {path}) && cat > {path} <<'END_OF_IT'\n{text}END_OF_IT")
    found = contradictions(session, "true", [path], events or Events(), "/")
    return found[0].process if found else None


@pytest.mark.parametrize(
    ("path", "text", "lines"),
    [
        (PATH, PLAIN, "lines 5 to 5 and 9 to 9"),
        (PATH, CLASS, "lines 8 to 11 and 14 to 14"),
        ("/tmp/w/checks/cases.txt", "12|12\n2.750|2750\n3|3\n2.750|2.75\n", "lines 2 to 2 and 4 to 4"),
        (PATH, PLAIN.replace("== 2.75\n", "== 2750.0\n"), None),
        (PATH, PLAIN.replace('parse("2.750") == 2.75', 'parse("2.751") == 2.75'), None),
        (PATH, PLAIN.replace("def test_decimals():", "def test_decimals(point):"), None),
        (PATH, PLAIN.replace("    assert parse", "    set_locale('de')\n    assert parse", 1), None),
        (PATH, PLAIN.replace("def test_decimals", "@in_english\ndef test_decimals"), None),
        (
            PATH,
            CLASS.replace("    def test_thousands", "    def setUp(self):\n        reset()\n\n    def test_thousands"),
            None,
        ),
        (PATH, PLAIN.replace('"2.750"', "amount"), None),
        (PATH, PLAIN.replace("parse(", "parser().parse("), None),
        ("/tmp/w/data/amounts.txt", "12|12\n2.750|2750\n3|3\n2.750|2.75\n", None),
        ("/tmp/w/checks/cases.txt", "a|1\na|2\nb|1\nb|2\n", None),
        ("/tmp/w/checks/cases.txt", "12\n13\n12\n", None),
        (PATH, "def test_broken(:\n", None),
    ],
)
def test_one_pair_that_no_function_of_its_arguments_can_pass_is_found(
    session: Session, path: str, text: str, lines: str | None
) -> None:
    assert lines_of(session, path, text) == lines


WANTED = "month,total\\n2023-01,5\\n"
SCRIPT = f"""import pathlib, subprocess

wanted = "{WANTED}"
out = subprocess.run(["printf", "x\\n1\\n2\\n"], capture_output=True, text=True).stdout
rows = out.splitlines()[1:]
assert len(rows) == 2, len(rows)
assert out == wanted
"""
SUITE = f"""import subprocess


def made():
    return subprocess.run(["printf", "x\\n1\\n2\\n"], capture_output=True, text=True)


def test_whole():
    done = made()
    assert done.stdout.strip() == "{WANTED}".strip()


def test_rows():
    done = made()
    rows = done.stdout.splitlines()[1:]
    assert len(rows) == 2
"""
CHECK = "/tmp/w/tests/check.py"


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        (SCRIPT, "lines 6 to 6 and 7 to 7"),
        (SUITE, "lines 10 to 10 and 16 to 16"),
        (SCRIPT.replace("== 2,", "== 1,"), None),
        (SCRIPT.replace("rows = out.splitlines()[1:]", 'rows = open("/tmp/w/rows.txt").read().split()'), None),
        (SCRIPT.replace("rows = out", "rows = (out or str(pathlib.Path.cwd()))"), None),
        (SCRIPT.replace("rows = out.splitlines()[1:]", "rows = out.splitlines()[1:]\nrows = rows[:2]"), None),
        (SCRIPT.replace(f'wanted = "{WANTED}"', 'wanted = subprocess.run(["date"]).stdout'), None),
        (SCRIPT.replace("out == wanted", "out in (wanted, rows)"), None),
        (SCRIPT.replace("out == wanted", "out != wanted"), None),
        (
            SCRIPT.replace("import pathlib", "import pathlib, random\n\nfor n in [2]: pass\nimport os").replace(
                "== 2,", "== n,"
            ),
            None,
        ),
        (SCRIPT.replace(f'"{WANTED}"', 'open("/tmp/w/made.txt").read()'), None),
        (SCRIPT.replace(f'"{WANTED}"', 'open("/tmp/w/made").read()'), None),
        (SUITE.replace("def test_rows():", "def test_rows(tmp_path):"), None),
        (
            SUITE.replace("    done = made()\n    rows", "    done = other()\n    rows").replace(
                "def made", "other = lambda: 1\n\n\ndef made"
            ),
            None,
        ),
    ],
)
def test_what_one_statement_wants_may_be_what_another_excludes_of_the_same_thing(
    session: Session, text: str, lines: str | None
) -> None:
    assert lines_of(session, CHECK, text) == lines


def test_a_table_that_the_run_wrote_is_nothing_fixed(session: Session) -> None:
    session.run(f"printf '{WANTED}' > /tmp/w/tests/wanted.csv")
    text = SCRIPT.replace(f'"{WANTED}"', 'pathlib.Path("/tmp/w/tests/wanted.csv").read_text()')
    assert lines_of(session, CHECK, text) == "lines 6 to 6 and 7 to 7"
    wrote = Events(writes=(FileWrite(path="tests/wanted.csv", how="whole", content="", tool="w", after=0, blocks=()),))
    assert lines_of(session, CHECK, text, wrote) is None


def test_what_the_run_wrote_itself_proves_nothing(session: Session) -> None:
    edited = Events(commands=(shell("sed -i 's/2750/2.75/' tests/test_money.py"),))
    assert lines_of(session, PATH, PLAIN, edited) is None
    assert lines_of(session, PATH, PLAIN, Events(commands=(shell("sed -n 5p tests/test_money.py"),))) is not None
    wrote = Events(writes=(FileWrite(path=PATH, how="whole", content=PLAIN, tool="w", after=0, blocks=()),))
    assert lines_of(session, PATH, PLAIN, wrote) is None


@pytest.mark.parametrize(("text", "left"), [(PLAIN, "2.750"), (CLASS, "2.750")])
def test_with_one_case_left_out_the_other_still_stands_in_code_that_runs(
    session: Session, text: str, left: str
) -> None:
    for number in (0, 1):
        lines_of(session, PATH, text)
        [fact] = contradictions(session, "true", [PATH], Events(), "/")
        for command in left_out(fact)[number].commands:
            assert session.run(command).ok
        shown = session.run(f"cat {PATH} && python3 -m py_compile {PATH}")
        assert shown.ok
        assert shown.output.count(left) == 1
        assert contradictions(session, "true", [PATH], Events(), "/") == []


SHELL_CHECK = """#!/bin/sh
bad=0
cmp -s out/t.tsv check/golden.tsv || bad=1
if ! grep -qE '^a [0-9]+[.][0-9][0-9]$' out/t.tsv; then echo 'two decimals'; bad=1; fi
exit $bad
"""
MADE = "mkdir -p out check; [ -e out/t.tsv ] || printf 'a 1.250\\n' > out/t.tsv"


@pytest.mark.parametrize(
    ("golden", "check", "command", "shown"),
    [
        ("a 1.250", SHELL_CHECK, "", True),
        ("a 1.25", SHELL_CHECK, "", False),
        ("a 1.250", SHELL_CHECK.replace("|| bad=1", "|| echo differs"), "", False),
        ("a 1.250", SHELL_CHECK.replace("echo 'two decimals'; bad=1", "echo 'two decimals'"), "", False),
        ("a 1.250", SHELL_CHECK.replace("' out/t.tsv", "' out/u.tsv"), "", False),
        ("a 1.250", SHELL_CHECK.replace("out/t.tsv; then", "check/golden.tsv; then"), "", False),
        ("a 1.250", SHELL_CHECK, "printf 'a 1.25\\n' > out/t.tsv; ", False),
        ("a 1.250", SHELL_CHECK + "exit 1\n", "", True),
        ("a 1.250", SHELL_CHECK.replace("bad=0", "bad=1"), "", False),
    ],
    ids=[
        "the fixed file fails the other check",
        "it passes both",
        "a difference is only told",
        "the other only tells",
        "the other looks at another file",
        "the other looks at the fixed file itself",
        "the command makes it anew, so that nothing can be granted",
        "what stands behind the end",
        "something else fails, too",
    ],
)
def test_a_file_that_a_check_compares_with_may_be_what_another_check_refuses(
    session: Session, golden: str, check: str, command: str, shown: bool
) -> None:
    place = "/tmp/w2"
    session.run(f"rm -rf {place}; mkdir -p {place} && cd {place} && {MADE}; echo '{golden}' > check/golden.tsv")
    session.run(f"cat > {place}/check/run.sh <<'END_OF_IT'\n{check}END_OF_IT")
    script = f"{place}/check/run.sh"
    found = contradictions(session, f"{command}sh check/run.sh", [script], Events(), place)
    if not shown:
        assert found == []
        return
    assert found[0].places == ("cmp -s out/t.tsv check/golden.tsv", "grep -qE '^a [0-9]+[.][0-9][0-9]$' out/t.tsv")
    assert session.run(f"cat {script}").output.strip() == check.strip(), "the checks are as they were"
    first, second = left_out(found[0])
    run = f"cd {place} && sh check/run.sh"
    assert not session.run(f"printf 'a 1.25\\n' > {place}/out/t.tsv; {run}").ok
    session.run(*first.commands)
    assert session.run(run).ok, "two decimals do without the comparison"
    session.run(f"cat > {script} <<'END_OF_IT'\n{check}END_OF_IT")
    session.run(*second.commands)
    assert session.run(f"cp {place}/check/golden.tsv {place}/out/t.tsv; {run}").ok
