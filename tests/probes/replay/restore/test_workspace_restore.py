"""Which files a record gives back, and which a command needs."""

import pytest

from cases import FileWrite
from probes.replay.restore.printed import printed
from probes.replay.target.needs import needs
from tests.probes.replay.made import shell


def files(*commands, failing, writes=()):
    return [(file.path, file.content, file.before) for file in printed(commands, writes, failing)]


FAILED = shell("python main.py", "boom", 1)


def test_what_cat_printed_is_put_back_before_its_first_use():
    assert files(shell("python util.py"), shell("cat util.py", "x = 1"), FAILED, failing=2) == [
        ("util.py", "x = 1\n", 0)
    ]


def test_what_a_command_may_have_made_is_put_back_only_where_it_was_shown():
    assert files(shell("echo a >> f.txt"), shell("cat f.txt", "a"), FAILED, failing=2) == [("f.txt", "a\n", 1)]


def test_the_harness_s_own_words_around_the_output_are_no_content():
    output = "Stdout:\nline 1\n\nline 3\n\nStderr:\n"
    assert files(shell("cd src && cat a.py", output), FAILED, failing=1) == [("src/a.py", "line 1\n\nline 3\n", 0)]
    footer = "body\n[The command completed with exit code 0.]\n[Current working directory: /w]"
    assert files(shell("cat a.py", footer), FAILED, failing=1) == [("a.py", "body\n", 0)]


@pytest.mark.parametrize(
    "command",
    [
        shell("cat a.py", "cat: a.py: No such file", 1),
        shell("cat a.py", "start\n... [truncated 300 lines]"),
        shell("cat a.py | head -3", "x"),
        shell("cat a.py b.py", "x"),
        shell("cat a.py", ""),
        shell("head a.py", "x"),
    ],
)
def test_what_was_not_shown_whole_is_not_put_back(command):
    assert files(command, FAILED, failing=1) == []


def test_a_file_shown_after_the_failure_was_there_before_if_the_failing_command_names_it():
    assert files(FAILED, shell("cat main.py", "x"), failing=0) == [("main.py", "x\n", 0)]
    assert files(FAILED, shell("cat other.py", "x"), failing=0) == []
    assert files(FAILED, shell("sed -i s/a/b/ main.py"), shell("cat main.py", "x"), failing=0) == []
    edit = FileWrite(path="main.py", how="whole", content="y", tool="write_file", after=1, blocks=())
    assert files(FAILED, shell("cat main.py", "x"), failing=0, writes=(edit,)) == []


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ("cd repo && python main.py", ["/w/repo", "/w/repo/main.py"]),
        ("cd /data/x; ls", ["/data/x"]),
        ("python3 -u code/run.py --n 3", ["/w/code/run.py"]),
        ("bash ./run.sh", ["/w/run.sh"]),
        ("pip install -q -r env/requirements.txt", ["/w/env/requirements.txt"]),
        ("pip install -e ./pkg", ["/w/pkg"]),
        ("cd repo && make -C build", ["/w/repo", "/w/repo/build"]),
        ("mkdir out && cd out", []),
        ("git clone u/repo && cd repo && python a.py", []),
        ("cat > a.py <<'E'\nimport x\nE\npython a.py", []),
        ("cd .. && ls", []),
        ("cd $HOME && python a.py", []),
        ("pip install numpy && python -c 'import a.py'", []),
        ("python -m pytest tests", []),
    ],
)
def test_what_a_command_cannot_do_without(command, expected):
    assert list(needs(command, "/w")) == expected
