"""Ways that put a program's own sources right do so where they are run, and nothing else."""

import os
import shlex
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from probes import Barrier
from probes.barriers import ladder_of
from probes.replay.arms.documented.words import table

PYTHON_2 = pytest.mark.skipif(
    find_spec("lib2to3") is None, reason="this Python comes without 2to3, and so would a machine with it"
)
OLD = """import sys

def load(name):
\tpoints = []
        # a line each
\tfor line in open(name):
\t    points.append(map(int, line.split()))
\treturn points

rows = load(sys.argv[1])
for i in xrange(len(rows)):
    print "%d" % (rows[i][0] / 4),
print >>sys.stdout, {1: 2}.has_key(1), 7.0 / 2
"""
DRAWS = """import csv
import matplotlib.pyplot as plt
from mpl_toolkits.mplot3d import Axes3D

fig, (left, right) = plt.subplots(1, 2, figsize=(9, 4))
plt.rcParams.update({"font.size": 8})
total = sum(int(row[0]) for row in csv.reader(open("a.csv")))
left.plot([1, 2], "k-")
with plt.style.context("ggplot"):
    right.hist([1, 2])
plt.savefig("a.png")
print(total)
"""


def remedy(source: str) -> str:
    [found] = [one for one in table().remedy if one.source.startswith(source)]
    given = subprocess.run(["bash", "-c", found.given or "true"], check=False, capture_output=True)
    assert given.returncode == 0, given.stderr
    return found.line


def route(barrier: Barrier, name: str, **values: str) -> list[str]:
    [found] = [one for one in ladder_of(barrier).route if one.id == name]
    commands = [*found.commands]
    for known, value in values.items():
        commands = [one.replace(f"{{{known}}}", shlex.quote(value)) for one in commands]
    return commands


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "home").mkdir()
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "python3").symlink_to(sys.executable)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}:{os.environ['PATH']}")
    (task := tmp_path / "task").mkdir()
    monkeypatch.chdir(task)
    return task


def ran(*commands: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(["bash", "-c", "\n".join(commands)], capture_output=True, text=True, check=False)


@PYTHON_2
def test_code_for_python_2_reckons_in_python_3_as_it_did(here: Path) -> None:
    (here / "old.py").write_text(OLD)
    (here / "a.txt").write_text("7 1\n9 1\n")
    done = ran(remedy("2to3"), "python3 old.py a.txt")
    assert done.stdout.split() == ["1", "2", "True", "3.5"], done.stderr


@PYTHON_2
def test_what_is_no_code_for_python_2_and_how_it_is_written_stay(here: Path) -> None:
    mean, template = "def mean(of):\n    return sum(of) / len(of)\n", "{{ broken }} print 'x'\n"
    (here / "mean.py").write_text(mean)
    (here / "a_template.py").write_text(template)
    own = "from __future__ import division\nprint 7 / 2, 'a\tb'.split('\t'), '\u00e9'\n"
    (here / "own.py").write_text("# -*- coding: latin-1 -*-\n" + own, "latin-1")
    (here / "told.py").write_text('#!/usr/bin/env python3\n"""Usage."""\nprint __doc__, 7 / 2\n')
    (here / "told.py").chmod(0o755)
    done = ran(remedy("2to3"), "PYTHONIOENCODING=utf-8 python3 own.py", "./told.py")
    assert done.stdout.splitlines() == ["3.5 ['a', 'b'] \u00e9", "Usage. 3"], done.stderr
    assert ((here / "mean.py").read_text(), (here / "a_template.py").read_text()) == (mean, template)


@PYTHON_2
@pytest.mark.parametrize(
    ("old", "told"),
    [
        ("from __future__ import (absolute_import,\n                        division)\nprint 7 / 2\n", "3.5"),
        ("from mean import mean\nprint mean([1, 2, 4])\n", "2"),
        ("import numpy\nprint '', (numpy.array([7, 9]) / 2).sum()\n", "7"),
        ("class V:\n    def __div__(self, other): return 13\nprint V() / 3\n", "13"),
        ("print int(round(2.5))\n", ""),
        ("print eval('7 / 2')\n", ""),
        ("import random\nrandom.seed(1)\nprint random.randint(1, 9)\n", ""),
        ("i = 100\nsquares = [i * i for i in range(4)]\nprint i + len(squares)\n", ""),
        ("squares = [i * i for i in range(4)]\nfor i in squares:\n    pass\nprint i\n", "9"),
    ],
)
def test_what_python_2_would_reckon_comes_of_it_or_nothing(here: Path, old: str, told: str) -> None:
    (here / "mean.py").write_text("def mean(of):\n    return sum(of) / len(of)\n")
    (here / "old.py").write_text(old)
    assert ran(remedy("2to3"), "python3 old.py").stdout.strip() == told


def test_a_program_that_only_draws_with_what_is_missing_works_without(here: Path) -> None:
    (here / "draws.py").write_text(DRAWS)
    (here / "a.csv").write_text("3\n4\n")
    done = ran(remedy("Python's site"), "python3 draws.py")
    assert done.stdout == "7\n", done.stderr


@pytest.mark.parametrize(
    "tells",
    [
        "print(plt.hist([1, 2])[0])",
        "n, bins, _ = plt.hist([1, 2])",
        "print(f'{plt.gca().get_xlim()}')",
        "print(sum(plt.x))",
        "print(max([int(one) for one in plt.hist([1])[0]], default=0))",
        "print(plt.get_fignums() == [1])",
        "try:\n    n = int(plt.x)\nexcept BaseException:\n    n = -1\nprint(n)",
        "import seaborn\nprint(sorted(seaborn.load_dataset('tips').total))",
        "n = [0]\nplt.FuncAnimation(plt.figure(), lambda i: n.append(i), 9).save('a.gif')\nprint(len(n))",
        "class Sum(plt.Figure):\n    def total(self):\n        return 6\nprint('total', Sum().total() or '')",
        "@plt.rc_context({})\ndef main():\n    pass\nmain()\nprint('done')",
    ],
)
def test_what_comes_of_drawing_is_never_told(here: Path, tells: str) -> None:
    (here / "draws.py").write_text(f"import matplotlib.pyplot as plt\n{tells}\n")
    told = ran(remedy("Python's site"), "python3 draws.py")
    assert told.returncode != 0 or not told.stdout.strip()


@pytest.mark.parametrize(
    ("line", "right"),
    [
        ('matplotlib.use("TkAgg")', 'matplotlib.use("Agg")'),
        ("mpl.use('Qt5Agg', force=True)", "mpl.use('Agg', force=True)"),
        ('plt.switch_backend("WebAgg")', 'plt.switch_backend("Agg")'),
        ('tools.use("TkAgg")', 'tools.use("TkAgg")'),
        ('matplotlib.use("module://own")', 'matplotlib.use("module://own")'),
    ],
)
def test_a_backend_for_windows_is_one_for_files(here: Path, line: str, right: str) -> None:
    (here / "a.py").write_text(f"import matplotlib\n{line}\n")
    ran(*route(Barrier.COMMAND_FAILS, "without-a-display"))
    assert (here / "a.py").read_text().splitlines()[1] == right


def test_an_author_s_directory_of_which_the_task_has_nothing_stays(here: Path) -> None:
    text = 'BASE = "/home/mk/phd/two"\nnames = glob(join(BASE, "plots", "*.dat"))\n'
    (here / "data").mkdir()
    (here / "weigh.py").write_text(text)
    ran(*route(Barrier.PERMISSION, "own-folder-in-its-sources", path="/home/mk/phd/two/results"))
    assert (here / "weigh.py").read_text() == text
    done = ran(f"set -e\n{route(Barrier.PERMISSION, 'put-right-in-its-sources', path='/home/mk/phd/two/results')[0]}")
    assert done.returncode != 0
    (here / "weigh.py").write_text('OUT = "/home/mk/phd/two"\nopen(join(OUT, "total.txt"), "w")\n')
    done = ran(f"set -e\n{route(Barrier.PERMISSION, 'put-right-in-its-sources', path='/home/mk/phd/two/results')[0]}")
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(
    ("written", "right"),
    [
        ('BASE = "/home/mk/phd/two"', 'BASE = "{here}"'),
        ('IN = "/home/mk/phd/two/data/a.csv"', 'IN = "{here}/data/a.csv"'),
        ('OUT = "../data/a.csv"', 'OUT = "../data/a.csv"'),
        ('OTHER = "/home/mk/phd2/two"', 'OTHER = "/home/mk/phd2/two"'),
        ('PAGE = "https://lab.org/home/mk/phd/two"', 'PAGE = "https://lab.org/home/mk/phd/two"'),
        ('ALONE = "/home/mk/phd/a.csv"', 'ALONE = "/home/mk/phd/a.csv"'),
    ],
)
def test_an_author_s_directory_is_put_right_to_where_the_task_has_the_same(
    here: Path, written: str, right: str
) -> None:
    (here / "data").mkdir()
    (here / "data" / "a.csv").write_text("3\n")
    (here / "a.csv").write_text("another of that name\n")
    (here / "settings.py").write_text(f'NAME = "/home/mk/phd"\n{written}\nDATA = "data"\n')
    done = ran(*route(Barrier.PERMISSION, "own-folder-in-its-sources", path="/home/mk/phd/two/results"))
    assert done.returncode == 0, done.stderr
    assert (here / "settings.py").read_text().splitlines()[1] == right.format(here=here)


@pytest.mark.parametrize(
    "prompt",
    [
        "Run report.py, which leaves a boxplot of the yields in /app/out.",
        "Führe report.py aus; es erzeugt ein Balkendiagramm der Erträge.",
        "Execute report.py e gere o histograma.",
        "Produce the dendrogram with report.py.",
        "Run report.py so that everything that it writes lies in out/.",
        "Trace un nuage de points avec report.py",
    ],
)
def test_where_a_task_asks_for_a_drawing_or_for_all_of_a_directory_nothing_stands_in(prompt: str) -> None:
    [found] = [one for one in table().remedy if one.source.startswith("Python's site")]
    assert found.is_other_work(prompt), prompt
