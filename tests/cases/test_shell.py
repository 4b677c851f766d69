"""A line of shell is read as a person reads it."""

import time

import pytest

from cases.shell import Command, Group, Node, parse, steps_of


def spelled(text: str) -> list[list[str]]:
    """The words of every simple command, seen through what only runs it."""
    return [[word.text for word in command.words] for command in parse(text).commands]


def only(text: str) -> Command:
    [command] = parse(text).commands
    return command


def form(node: Node | None) -> str:
    """How commands hang together, as one line."""
    if isinstance(node, Group):
        joints = [f" {joint} " for joint in node.joints[: len(node.parts) - 1]] or [", "] * (len(node.parts) - 1)
        inner = "".join(f"{form(part)}{joint}" for part, joint in zip(node.parts, [*joints, ""], strict=False))
        return f"{node.kind}({inner})" if node.kind != "list" or len(node.parts) > 1 else inner
    return node.program if node else ""


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a; b & c", "list(a ; b & c)"),
        ("a\nb", "list(a ; b)"),
        ("a && b || c && d", "chain(a && b || c && d)"),
        ("a && b | c > f 2>&1 && d", "chain(a && pipeline(b | c) && d)"),
        ("a && b > f | c", "chain(a && pipeline(b | c))"),
        ("a |& b", "pipeline(a |& b)"),
        ("! a | b && c", "chain(not(pipeline(a | b)) && c)"),
        ("! a && b > f", "chain(not(a) && b)"),
        ("(a; b) | { c; }", "pipeline(subshell(list(a ; b)) | braces(c))"),
        ("if a; then b; c; elif d; then e; else f; fi", "if(a, list(b ; c), d, e, f)"),
        ("while a; do b; done < f", "loop(a, b)"),
        ("until a; do b; done", "loop(a, b)"),
        ("for x in 1 2; do a; b; done", "loop(list(a ; b))"),
        ("for ((i=0; i<3; i++)); do a; done", "loop(a)"),
        ("case $x in a|b) c; d;; *) e;; esac", "case(list(c ; d), e)"),
        ("f() { a; }", "function(braces(a))"),
        ("time (a; b)", "subshell(list(a ; b))"),
        ("a &&\n\n b # and so on", "chain(a && b)"),
    ],
)
def test_commands_hang_together_as_bash_joins_them(text: str, expected: str) -> None:
    assert form(parse(text).body) == expected


@pytest.mark.parametrize(
    ("text", "words", "literal"),
    [
        ("""a 'b c' "d e" f\\ g""", ["a", "b c", "d e", "f g"], True),
        ("""echo 'a'"b"c""", ["echo", "abc"], True),
        (r"echo $'a\tb\x41'", ["echo", "a\tbA"], True),
        (r'grep -rn "foo\|bar" .', ["grep", "-rn", r"foo\|bar", "."], True),
        (r'echo "a \" \$b \n"', ["echo", r'a " $b \n'], True),
        ("find . -exec rm {} \\;", ["find", ".", "-exec", "rm", "{}", ";"], True),
        ("a \\\n  b", ["a", "b"], True),
        ("echo a#b # c", ["echo", "a#b"], True),
        ("ls 'naïve café'", ["ls", "naïve café"], True),
        ("ls '*.py' \\*", ["ls", "*.py", "*"], True),
        ("ls *.py", ["ls", "*.py"], False),
        ('ls "$HOME/x y"', ["ls", "$HOME/x y"], False),
        ("ls ~/x", ["ls", "~/x"], False),
        ("ls a{b,c}", ["ls", "a{b,c}"], False),
        ("ls ${x:-y} $(pwd) `pwd`", ["ls", "${x:-y}", "$(pwd)", "`pwd`"], False),
        ('[ -f "x" ]', ["[", "-f", "x", "]"], True),
        ("[[ a == b && -f c ]]", ["[[", "a", "==", "b", "&&", "-f", "c", "]]"], True),
        ("export A='b c' D", ["export", "A=b c", "D"], True),
    ],
)
def test_words_are_what_the_program_is_given(text: str, words: list[str], literal: bool) -> None:
    command = parse(text).commands[0]
    assert [word.text for word in command.words] == words
    assert all(word.literal for word in command.words[1:]) is literal


def test_every_word_and_command_has_its_place_in_the_text() -> None:
    text = "cd é && FOO=1 ls 'a b' > out; x"
    found = [text[command.start : command.end] for command in parse(text).commands]
    assert found == [command.text for command in parse(text).commands] == ["cd é", "FOO=1 ls 'a b' > out", "x"]
    word = parse(text).commands[1].words[1]
    assert (text[word.start : word.end], word.text) == ("'a b'", "a b")


def test_assignments_stand_in_front() -> None:
    command = only("A=1 B='x y' C= make -j2")
    assert [(one.name, one.value.text) for one in command.assignments] == [("A", "1"), ("B", "x y"), ("C", "")]
    assert command.program == "make"


@pytest.mark.parametrize(
    ("text", "expected", "writes"),
    [
        ("a > f", [(">", None, "f")], [True]),
        ("a 2>&1 >> f", [(">&", 2, "1"), (">>", None, "f")], [False, True]),
        ("a &> f", [("&>", None, "f")], [True]),
        ("a >| f 2>/dev/null", [(">|", None, "f"), (">", 2, "/dev/null")], [True, False]),
        ("a < f 2>&-", [("<", None, "f"), (">&-", 2, None)], [False, False]),
        ("a <<< 'x y'", [("<<<", None, "x y")], [False]),
        ("echo > f hello", [(">", None, "f")], [True]),
    ],
)
def test_redirections(text: str, expected: list[tuple[str, int | None, str | None]], writes: list[bool]) -> None:
    redirects = only(text).redirects
    assert [(one.operator, one.fd, one.target and one.target.text) for one in redirects] == expected
    assert [one.writes for one in redirects] == writes


def test_a_word_behind_a_redirection_is_an_argument() -> None:
    assert spelled("echo > f hello") == [["echo", "hello"]]


@pytest.mark.parametrize(
    ("text", "body", "quoted"),
    [
        ("cat <<'E'\na `b` $c\nE\nls", "a `b` $c\n", True),
        ('cat << "E" | wc\na "b\nE', 'a "b\n', True),
        ("cat <<\\E\nx\nE", "x\n", True),
        ("cat <<E && ls\nit's $x\nE\n", "it's $x\n", False),
        ("cat <<-E\n\t\tx\n\tE\n", "x\n", False),
        ("cat <<E > f; ls\n<<F\nE\n", "<<F\n", False),
        ("cat <<E\nnever closed", "never closed", False),
        ('git commit -m "$(cat <<\'E\'\nfix "a`b`"\nE\n)"', None, None),
    ],
)
def test_here_documents_are_no_shell(text: str, body: str | None, quoted: bool | None) -> None:
    first = parse(text).commands[0]
    if body is None:
        [script] = first.words[-1].scripts
        first, body, quoted = script.commands[0], 'fix "a`b`"\n', True
    [document] = [one.heredoc for one in first.redirects if one.heredoc]
    assert (document.text, document.quoted) == (body, quoted)


def test_what_follows_a_here_document_on_its_line_goes_on() -> None:
    text = "cd a && cat <<'E' > f | tee g && ls; pwd\n$(rm x)\nE\nid"
    assert form(parse(text).body) == "list(chain(cd && pipeline(cat | tee) && ls) ; pwd ; id)"


def test_what_only_looks_like_a_here_document_is_none() -> None:
    assert spelled('python3 -c "x = 1 <<y\ny\n" && ls') == [["python3", "-c", "x = 1 <<y\ny\n"], ["ls"]]
    assert spelled("echo $((1<<3)); ls\n3") == [["echo", "$((1<<3))"], ["ls"], ["3"]]


def test_an_unquoted_here_document_runs_what_it_substitutes() -> None:
    [command] = parse('cat > README <<E\nthe `index` and $(date +"%Y") and \\$(x), it\'s\nE').commands
    assert [script.text for script in command.scripts] == ["index", 'date +"%Y"']


def test_substitutions_are_scripts_of_their_own() -> None:
    [command] = parse('echo "a $(b | c) `d`" <(e; f) ${g:-$(h)} $((1 + $(i)))').commands
    assert [form(script.body) for script in command.scripts] == ["pipeline(b | c)", "d", "list(e ; f)", "h", "i"]


@pytest.mark.parametrize(
    ("text", "words", "wrappers"),
    [
        ("sudo -u me apt-get install x", ["apt-get", "install", "x"], ["sudo"]),
        ("env -u B A=1 timeout -s KILL 5 python x.py", ["python", "x.py"], ["env", "timeout"]),
        (
            "time nice -n 5 nohup stdbuf -oL /usr/bin/make -j2",
            ["/usr/bin/make", "-j2"],
            ["time", "nice", "nohup", "stdbuf"],
        ),
        ("exec command ls", ["ls"], ["exec", "command"]),
        ("find . | xargs -0 -n 1 grep -l x", ["grep", "-l", "x"], ["xargs"]),
        ("conda run -n env python x.py", ["python", "x.py"], ["conda"]),
        ("command -v python", ["command", "-v", "python"], []),
        ("sudo -l", ["sudo", "-l"], []),
        ("env", ["env"], []),
        ("conda install x", ["conda", "install", "x"], []),
    ],
)
def test_programs_that_only_run_another_are_seen_through(text: str, words: list[str], wrappers: list[str]) -> None:
    command = parse(text).commands[-1]
    assert [word.text for word in command.words] == words
    assert list(command.wrappers) == wrappers


def test_env_gives_assignments() -> None:
    assert [(one.name, one.value.text) for one in only("env A=b c").assignments] == [("A", "b")]


@pytest.mark.parametrize(
    ("text", "inner"),
    [
        ("bash -lc 'cd a && make'", "chain(cd && make)"),
        ('sudo sh -c "a; b"', "list(a ; b)"),
        ("bash <<'E'\na\nb\nE", "list(a ; b)"),
        ("eval 'a | b'", "pipeline(a | b)"),
        ("find . -name x -exec grep -l y {} +", "grep"),
        ("find . -execdir sudo rm {} \\; -print", "rm"),
    ],
)
def test_what_a_command_has_others_run_is_read_too(text: str, inner: str) -> None:
    [script] = only(text).inner
    assert form(script.body) == inner


@pytest.mark.parametrize(
    ("text", "language", "code", "literal"),
    [
        ("python3 -u -c 'import x; print(1)'", "python", "import x; print(1)", True),
        ("python - a b <<'E'\nimport x\nE", "python", "import x\n", True),
        ("timeout 5 python3 <<E\nimport $x\nE", "python", "import $x\n", False),
        ("python3 <<< 'print(1)'", "python", "print(1)", True),
        ('Rscript -e "library(x)"', "R", "library(x)", True),
        ('perl -pe "s/a/$b/" f', "perl", "s/a/$b/", False),
    ],
)
def test_code_that_stands_in_the_line_is_at_hand(text: str, language: str, code: str, literal: bool) -> None:
    found = only(text).code
    assert found is not None
    assert (found.language, found.text, found.literal) == (language, code, literal)


@pytest.mark.parametrize(
    "text", ["python3 a.py", "python3 a.py <<'E'\nx\nE", "python3 -m pip <<E\nx\nE", "bash run.sh", "ls -c x"]
)
def test_code_that_lies_in_a_file_is_not(text: str) -> None:
    assert only(text).code is None


@pytest.mark.parametrize(
    "text",
    ["echo 'a", 'echo "a', "if a; then b", "a && ", "(a", "a\x00b", "a b)", "x" * 500_000, "$(" * 2_000, "{ " * 2_000],
)
def test_what_is_no_shell_is_flagged_and_not_guessed(text: str) -> None:
    script = parse(text)
    assert script.broken
    assert script.body is None
    assert script.commands == ()


HOSTILE = (
    """( | ) | $( | "$( | a; | if a; then | a) | < | a=( | a | x=1 | ((a | sudo | find . -exec | bash -c 'a'; | eval"""
)


@pytest.mark.parametrize("length", [6_000, pytest.param(100_000, marks=pytest.mark.exhaustive)])
def test_no_text_takes_long(length: int) -> None:
    for unit in [*(f"{one} " for one in HOSTILE.split(" | ")), ")", "<", "a=(", "a|", "<<E\n", "<<'E'\na\nE\n"]:
        text = (unit * (length // len(unit) + 1))[:length]
        started = time.process_time()
        steps_of(text)
        assert time.process_time() - started < 3, unit
