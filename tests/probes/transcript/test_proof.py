"""What an exit code of 0 proves."""

import pytest

from cases import CommandRun
from probes.transcript.proof import code_run, parts, proven


def ran(command: str, exit_code: int = 0, kind: str = "shell") -> CommandRun:
    return CommandRun(kind=kind, command=command, tool="t", output="", exit_code=exit_code, blocks=(0, 1))


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ("pip install x", ["pip install x"]),
        ("cd a && pip install x && ls", ["cd a", "pip install x", "ls"]),
        ("pip install x; ls", ["ls"]),
        ("pip install x\nls", ["ls"]),
        ("pip install x & ls", ["ls"]),
        ("pip install x | tail -1", ["tail -1"]),
        ("pip install x 2>&1 && ls", ["pip install x 2>&1", "ls"]),
        ("pip install x # don't\nls 'a'", ["ls 'a'"]),
        ("pip install \\\n  x", ["pip install \\\n  x"]),
        ("echo 'a; b | c'", ["echo 'a; b | c'"]),
        ("pip install x || true", []),
        ("pip install x >/dev/null 2>&1; ls", []),
        ("jq --version 2>/dev/null", []),
        ("! jq .", []),
        ("if true; then pip install x; fi", ["fi"]),
        ("", []),
    ],
)
def test_only_what_cannot_have_failed_unnoticed_is_proven(command, expected):
    assert [part.text for part in proven(ran(command))] == expected


def test_a_command_that_failed_proves_nothing():
    assert proven(ran("pip install x", 1)) == ()


def test_a_here_document_is_no_command():
    one, other = parts("cat > a.py <<'E'\nimport x; y\nE\nls")
    assert (one.text, one.fed, other.text) == ("cat > a.py <<HERE0", "import x; y\n", "ls")


@pytest.mark.parametrize(
    ("command", "kind", "code"),
    [
        ("python3 - <<'E'\nimport x\nE", "shell", ("import x\n",)),
        ('python3 -c "import x; print(1)"', "shell", ("import x; print(1)",)),
        ("import x", "python", ("import x",)),
        ("cat > a.py <<'E'\nimport x\nE", "shell", ()),
        ("python3 - <<'E'\ntry:\n    import x\nexcept ImportError:\n    pass\nE", "shell", ()),
        ("try:\n    import x\nexcept ImportError:\n    pass", "python", ()),
        ("python3 a.py", "shell", ()),
        ("python3 - -c '" + "\\" * 4000, "shell", ()),
    ],
)
def test_code_ran_to_its_end_only_where_nothing_catches_its_errors(command, kind, code):
    assert code_run(ran(command, kind=kind)) == code
