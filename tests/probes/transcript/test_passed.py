"""What the record shows to have been passed, and what it merely mentions."""

import pytest

from cases import Events, PageVisit
from probes import Barrier
from probes.transcript.passed import passage
from tests.probes.conftest import hypothesis
from tests.probes.recording import Record

MISSING = "[Errno 2] No such file or directory: 'data/train.csv'"
ABSENT = "ModuleNotFoundError: No module named 'yaml'"
TRYING = "try:\n    import yaml\n    print('there')\nexcept ImportError:\n    print('absent')"
LONG = "-rw-r--r-- 1 agent agent 5200 May  7  2026 train.csv"


def passed(barrier: Barrier, failing: str, output: str, later: tuple[str, str, int], kind: str, **targets) -> bool:
    record = Record()
    record.ran(failing, output, 1)
    record.ran(*later, kind=kind)
    return passage(record.hypothesis(barrier, **targets), Events(commands=tuple(record.commands))) is not None


@pytest.mark.parametrize(
    ("command", "output", "found"),
    [
        ("cat README.md; find / -name 'train*' 2>/dev/null", "Data: data/train.csv", False),
        ("cat README.md", "data/train.csv", False),
        ("grep -r train.csv .", "./README.md:data/train.csv", False),
        ("echo data/train.csv; ls", "data/train.csv\nREADME.md", False),
        ("find / -name train.csv 2>/dev/null", "/usr/share/other/train.csv", False),
        ("ls -la lfs", LONG, False),
        ("ls -la data", LONG, True),
        ("ls data/train.csv", "data/train.csv", True),
        ("find . -name 'train*'", "./data/train.csv", True),
        ("find / -name train.csv 2>/dev/null | head", "/home/agent/data/train.csv", True),
        ("wc -l inputs/train.csv", "3 inputs/train.csv", True),
        ("wc -l inputs/train.csv || true", "wc: x", False),
        ("wc -l inputs/train.csv; date", "today", False),
        ("grep train.csv README.md", "see data/train.csv", False),
        ("cat lfs/train.csv", "version https://git-lfs.github.com/spec/v1", False),
        ("python3 -c \"print(len(open('/srv/train.csv').readlines()))\"", "3", True),
        ("python3 -c \"open('train.csv', 'w').write('x')\"", "", False),
        ("printf 'x\\n' > data/train.csv && wc -l data/train.csv", "1 data/train.csv", False),
    ],
)
def test_a_missing_file_is_found_where_it_is_listed_or_opened(command, output, found):
    failing = "python3 -c \"open('data/train.csv')\""
    targets = {"paths": ("data/train.csv",)}
    assert passed(Barrier.MISSING_DATA, failing, MISSING, (command, output, 0), "shell", **targets) == found


@pytest.mark.parametrize(
    ("command", "output", "code", "kind", "found"),
    [
        (f"python3 - <<'E'\n{TRYING}\nE", "absent", 0, "shell", False),
        (TRYING, "absent", 0, "python", False),
        ("cat > a.py <<'E'\nimport yaml\nE", "", 0, "shell", False),
        ("def load():\n    import yaml\nprint(1)", "1", 0, "python", False),
        ("print(1 / 0)\nimport yaml", "ZeroDivisionError", 1, "python", False),
        ("import yaml\nyaml.x", "AttributeError: x", 1, "python", True),
        ("import os, yaml\nprint(1)", "1", 0, "python", True),
        ("python3 - <<'E'\nimport yaml\nE", "", 0, "shell", True),
        ('python3 -c "import yaml"', "", 0, "shell", True),
        ('python3 -c "import yaml"; ls', "a", 0, "shell", False),
        ("import yaml.nodes as n\nprint(1)", "1", 0, "python", True),
        ("from yaml import load", "", 0, "python", True),
        ("from .yaml import load", "", 0, "python", False),
        ("!ls\nimport yaml", "", 0, "python", True),
        ("text = '''\nimport yaml\n'''\nprint(1)", "1", 0, "python", False),
        ("import sys; sys.exit(0); import yaml", "", 0, "python", False),
        ("python3 -c 'exit(); import yaml'", "", 0, "shell", False),
    ],
)
def test_a_module_is_imported_by_code_that_ran_to_its_end(command, output, code, kind, found):
    failing = 'python3 -c "import yaml"'
    assert passed(Barrier.MODULE, failing, ABSENT, (command, output, code), kind, modules=("yaml",)) == found


@pytest.mark.parametrize(
    ("command", "output", "found"),
    [
        ("jq --version 2>/dev/null || echo none", "none", False),
        ("jq --version; echo done", "done", False),
        ("which jq || jq .", "", False),
        ("cat d.json | jq .a", "3", True),
        ("export PATH=/opt/bin:$PATH; jq .a d.json", "3", True),
    ],
)
def test_a_program_ran_where_the_exit_code_is_its_own(command, output, found):
    failing = "jq .a d.json"
    output_then = "bash: line 1: jq: command not found"
    assert passed(Barrier.COMMAND, failing, output_then, (command, output, 0), "shell", programs=("jq",)) == found


@pytest.mark.parametrize(
    ("command", "output", "found"),
    [
        ("pip install -q tabulate >/dev/null 2>&1 || true; pip list", "Package Version\npip 23.0", False),
        ("pip install -q tabulate; pip list", "Package Version\npip 23.0", False),
        ("pip install -q tabulate | tail -1", "", False),
        ("pip install --dry-run tabulate", "", False),
        ("pip install -q tabulate && pip list", "tabulate 0.9.0", True),
        ("pip install tabulate 2>&1 | tail -1", "Successfully installed tabulate-0.9.0", True),
        ("pip install tabulate || true", "Requirement already satisfied: tabulate in /usr/lib", True),
        ("pip install x | tail -1", "Successfully installed tabulate-extra-0.9.0", False),
        ("cat README.md", "$ pip install tabulate\nSuccessfully installed tabulate-0.9.0", False),
        ("curl -s http://127.0.0.1/help", "Requirement already satisfied: tabulate in /usr/lib", False),
        ("echo pip install tabulate", "Successfully installed tabulate-0.9.0", False),
    ],
)
def test_a_package_is_installed_where_pip_says_so_or_the_exit_code_is_pips(command, output, found):
    failing = ("pip install tabulate", "ERROR: No matching distribution found for tabulate")
    assert passed(Barrier.PIP, *failing, (command, output, 0), "shell", packages=("tabulate",)) == found


@pytest.mark.parametrize(
    ("failing", "later", "found"),
    [
        ("touch /results/a.txt", "mkdir -p results && touch results/a.txt", True),
        ("touch /results/a.txt", "touch a.txt; ls", False),
        ("touch /results/a.txt", "echo a.txt > /dev/null", False),
        ("python3 -c \"print(open('/results/a.txt').read())\"", "touch ./a.txt", False),
    ],
)
def test_another_place_passes_only_a_refused_write(failing, later, found):
    denied = "Permission denied: '/results/a.txt'"
    assert passed(Barrier.PERMISSION, failing, denied, (later, "", 0), "shell", paths=("/results/a.txt",)) == found


@pytest.mark.parametrize(
    ("output", "found"),
    [("unable: HTTPSConnectionPool max retries exceeded", False), ("50.94 6.83", True)],
)
def test_a_host_that_only_an_except_answered_for_answered_nothing(output, found):
    code = "try:\n    print(get('https://geo.example/q'))\nexcept OSError as error:\n    print('unable', error)"
    failing = ("get https://geo.example/", "403")
    assert passed(Barrier.REFUSED, *failing, (code, output, 0), "python", hosts=("geo.example",)) == found


def test_another_page_of_a_host_does_not_pass_the_one_that_never_opened():
    url, page = "https://geo.example/1184", "A page of the catalogue. " * 40
    late_page = hypothesis(url, barrier="timeout", hosts=("geo.example",))
    home = PageVisit(url="https://geo.example/", title=None, error=None, text=page, blocks=(0,))
    late = PageVisit(url=url, title=None, error="Timeout 10000ms exceeded", text=None, blocks=(1,))
    opened = late.model_copy(update={"error": None, "text": page, "blocks": (2,)})
    assert passage(late_page, Events(visits=(home, late))) is None
    assert passage(late_page, Events(visits=(home, late, opened))) is not None
    assert passage(late_page, Events(visits=(home,))) is not None


@pytest.mark.parametrize("barrier", ["page_gone", "refused", "server_error", "geo_block"])
def test_what_a_page_showed_is_no_passage_of_what_comes_as_a_page_itself(barrier):
    url, page = "https://geo.example/1184", "This offer has ended. See others. " * 40
    gone = hypothesis(url, barrier=barrier, hosts=("geo.example",))
    shown = PageVisit(url=url, title=None, error=None, text=page, blocks=(0,))
    failed = PageVisit(url=url, title=None, error="410 Client Error: Gone", text=None, blocks=(1,))
    assert passage(gone, Events(visits=(failed, shown))) is None
