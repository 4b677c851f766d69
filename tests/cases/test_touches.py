"""Everything a run touched: under one name each, with where that name comes from, and how it went."""

import pytest

from cases import Block, Case, Events, Outcome, Run, Task, Transcript
from cases.events import events_of
from cases.touches import (
    Touch,
    computed_without,
    found_at_first,
    freedom,
    goals_of,
    left_open,
    means_to,
    names_program,
    program_call,
    programs_missed,
    touches_of,
    troubles_of,
)
from cases.touches.likeness import alike
from cases.touches.names import Named, named_in, stands_in, things

NO_GSL = (
    "bmsim.c:3:10: fatal error: gsl/gsl_rng.h: No such file or directory\ncompilation terminated.\n"
    "make: *** [Makefile:5: bmsim.o] Error 1\n"
)
ENDS = "compilation terminated.\nmake: *** [Makefile:5: bmsim.o] Error 1\n"
NO_CC = "make: cc: No such file or directory\nmake: *** [Makefile:4: build/libk.so] Error 127\n"
NO_HOST = "<urlopen error [Errno -3] Temporary failure in name resolution>"
NO_DATA = "Traceback (most recent call last):\n  File\nFileNotFoundError: [Errno 2] No such file or directory: '{}'"
Step = tuple[str, str, int | None]


def record(prompt: str, *steps: Step, readme: str = "") -> tuple[Case, Run, Events]:
    """A run of commands in a shell tool, after it has looked at the README."""
    shown: list[Step] = [("cat README.md", readme, 0)] if readme else []
    blocks = [Block(index=0, role="user", kind="message", text=prompt)]
    for command, output, code in [*shown, *steps]:
        call = {"role": "assistant", "kind": "call", "tool": "bash", "arguments": {"command": command}, "text": command}
        blocks.append(Block.model_validate({"index": len(blocks), **call}))
        blocks.append(Block(index=len(blocks), role="tool", kind="result", text=output, exit_code=code))
    transcript = Transcript(blocks=tuple(blocks))
    run = Run(run_id="r", outcome=Outcome.FAILED, transcript=transcript, source="synthetic")
    case = Case(benchmark="b", task_id="t", task=Task(prompt=prompt), runs=(run,))
    return case, run, events_of(transcript)


def touched(prompt: str, *steps: Step, readme: str = "", **files: str) -> dict[tuple[str, str], Touch]:
    found = touches_of(*record(prompt, *steps, readme=readme), files)
    assert len({(one.kind, one.name) for one in found}) == len(found)
    return {(one.kind, one.name): one for one in found}


@pytest.mark.parametrize(
    ("code", "line"),
    [
        ("x = 1\nimport os\nprint(os.listdir('.'))", None),
        ("import json, subprocess", "import json, subprocess"),
        ("import os.path, math", None),
        ("print(open('a').read())", None),
    ],
)
def test_code_that_imports_what_starts_programs_is_as_good_as_a_shell(code: str, line: str | None) -> None:
    assert program_call(code) == line


@pytest.mark.parametrize(("prompt", "origin"), [("", "agent"), (" Use `python3 -m cells`.", "task")])
def test_a_module_that_only_a_file_of_the_task_s_names_makes_no_command_the_task_s(prompt: str, origin: str) -> None:
    read = ("cat pyproject.toml", '[build-system]\nrequires = ["cells"]\n', 0)
    ran = ("python3 -m cells --all", "No module named cells", 1)
    found = touched(f"Fix it so that python3 -m unittest passes.{prompt}", read, ran)
    assert found["command", "python3 -m cells --all"].origin == origin


@pytest.mark.parametrize("form", things().named, ids=lambda form: next(iter(form.catches))[:40])
def test_a_form_names_what_its_entry_says(form: Named) -> None:
    for line, name in form.catches.items():
        assert name in [thing.name for thing in named_in(line)]
    alone = [line for line in form.misses if form.catches.keys() & {line}]
    assert not alone
    assert all(set(form.catches.values()).isdisjoint(thing.name for thing in named_in(line)) for line in form.misses)


def test_one_command_however_it_is_spelled() -> None:
    spelled = ("make", "make 2>&1 | tail -4", "cd code && make", "sudo make", "timeout 60 make > log.txt")
    found = touched("Build it.", *((command, NO_GSL, 2) for command in spelled))
    made = found["command", "make"]
    assert (made.events, made.outcome, made.failed) == ((0, 1, 2, 3, 4), "failed", (0, 1, 2, 3, 4))
    assert found["file", "gsl/gsl_rng.h"].outcome == "failed"


def test_one_file_however_it_is_spelled() -> None:
    commands = ("wc -l data/a.csv", "cd data && wc -l a.csv", "wc -l ./data/../data/a.csv", "wc -l /w/data/a.csv")
    found = touched("Count.", *((command, "3", 0) for command in commands))
    assert found["file", "/w/data/a.csv"].events == (0, 1, 2, 3)
    assert [name for kind, name in found if kind == "file"] == ["/w/data/a.csv"]


def test_one_host_package_and_module_however_they_are_spelled() -> None:
    found = touched(
        "Get it.",
        ("curl -fsS https://www.a.invalid/x", "curl: (6) Could not resolve host: www.a.invalid", 6),
        ("curl -fsS https://A.invalid/y", "curl: (6) Could not resolve host: A.invalid", 6),
        ("pip install Foo_Bar==1.0", "ERROR: No matching distribution found for Foo_Bar==1.0", 1),
        ("pip install foo-bar", "Successfully installed foo-bar-2.0", 0),
        ("python3 -c 'import foo.bar'", "ModuleNotFoundError: No module named 'foo'", 1),
    )
    assert found["host", "a.invalid"].failed == (0, 1)
    package = found["package", "foo-bar"]
    assert (package.failed, package.outcome) == ((2,), "worked")
    assert (found["module", "foo"].outcome, found["module", "foo.bar"].outcome) == ("failed", "never")


def test_a_package_that_the_task_itself_works_on_is_not_one_that_it_asks_an_index_for() -> None:
    tried = ("pip download tz-span==0.5", "ERROR: No matching distribution found for tz-span==0.5", 1)
    own = touched("/work is the Python package tz-span. Who wrote `parse` in tz_span/parse.py?", tried)
    assert own["package", "tz-span"].origin != "task"
    assert touched("Install tz-span 0.5 and run report.py.", tried)["package", "tz-span"].origin == "task"


@pytest.mark.parametrize(
    ("prompt", "origin"),
    [
        ("disk.img is the root file system (ext4) of a server that was taken down.", "agent"),
        ("Read disk.img with the package ext4.", "task"),
        ("Needed:\n- numpy\n- ext4\n", "task"),
    ],
)
def test_a_package_is_named_where_software_is_spoken_of(prompt: str, origin: str) -> None:
    tried = ("pip install ext4 pytsk3", "ERROR: No matching distribution found for ext4", 1)
    assert touched(prompt, tried)["package", "ext4"].origin == origin


def test_what_the_prompt_only_suggests_is_not_needed_though_a_file_of_the_task_s_names_it() -> None:
    prompt = "Mend src/a.lua. `lua spec/run.lua` runs the specs; `make lint` is optional and needs luacheck."
    makefile = ("cat Makefile", "lint:\n\tluacheck src spec\n", 0)
    failing = ("make lint", "make: luacheck: No such file or directory\nmake: *** [Makefile:2: lint] Error 127", 2)
    readme = "`make test` needs Lua only. `make critic` is run by our CI if you don't have it."
    found = touched(prompt, makefile, failing, ("make critic", "", 2), readme=readme)
    assert found["command", "make critic"].origin == "agent"
    assert found["command", "make lint"].origin == "agent"
    assert found["program", "luacheck"].origin != "task"


HOST = "vault.chals.dusk.lan"
UNKNOWN = (
    f"bash: line 1: {HOST}: Temporary failure in name resolution\nbash: line 1: /dev/tcp/{HOST}/4112: Invalid argument"
)


@pytest.mark.parametrize(
    ("prompt", "command", "output", "outcome"),
    [
        (f"The service runs at {HOST}:4112.", f"bash -c 'exec 3<>/dev/tcp/{HOST}/4112'", UNKNOWN, "failed"),
        (f"The service runs at {HOST}:4112.", f"nc {HOST} 4112", "bash: line 1: nc: command not found", "never"),
        (f"The service runs at {HOST}:4112.", f"ssh {HOST} id", f"ssh: Could not resolve hostname {HOST}", "failed"),
        (f"The service runs at {HOST}:4112.", f"ssh {HOST} id", "uid=1000(agent)", "worked"),
        ("The service runs.", f"ssh {HOST} id", f"ssh: Could not resolve hostname {HOST}", "failed"),
        ("The service runs.", f"ssh {HOST} id", "ssh: no such user", None),
        ("Ask the host `warehouse`.", "psql -l", 'could not translate host name "warehouse" to address', "failed"),
    ],
)
def test_a_host_that_the_task_tells_as_one_is_touched_wherever_a_command_spells_it(
    prompt: str, command: str, output: str, outcome: str | None
) -> None:
    found = touched(prompt, (command, output, 0 if outcome == "worked" else 127 if outcome == "never" else 1))
    host = found.get(("host", HOST)) or found.get(("host", "warehouse"))
    assert (host and host.outcome) == outcome
    assert host is None or host.origin == ("task" if host.name in prompt else "agent")


def test_what_works_later_worked_and_what_nothing_shows_never_did() -> None:
    found = touched(
        "Do it.",
        ("jq . a.json", "bash: line 1: jq: command not found", 127),
        ("/opt/jq/jq . a.json", "{}", 0),
        ("make 2>&1 | tail -3", "done", 0),
        ("./no-words", "", 127),
    )
    assert (found["program", "jq"].outcome, found["program", "jq"].failed) == ("worked", (0,))
    assert found["command", "make"].outcome == "never"
    assert found["program", "no-words"].outcome == "failed"


@pytest.mark.parametrize(
    ("prompt", "readme", "steps", "thing", "origin"),
    [
        ("Run means.py.", "", [("python3 means.py", NO_DATA.format("data/x.csv"), 1)], "data/x.csv", "environment"),
        ("Use data/x.csv.", "", [("python3 means.py", NO_DATA.format("data/x.csv"), 1)], "data/x.csv", "task"),
        ("Mean.", "Data: data/x.csv", [("python3 m.py", NO_DATA.format("data/x.csv"), 1)], "data/x.csv", "task"),
        ("Mean.", "", [("cat x_final.csv", "cat: x_final.csv: No such file or directory", 1)], "x_final.csv", "agent"),
        ("Mean.", "", [("ls data", "x.csv", 0), ("cat data/x.csv", "", 1)], "data/x.csv", "environment"),
        ("Run `make`.", "", [("make", NO_CC, 2)], "cc", "environment"),
        ("Make sure of it.", "", [("make", NO_CC, 2)], "make", "agent"),
        ("Run `make`.", "", [("make", NO_CC, 2)], "make", "task"),
        (
            "Sum.",
            "",
            [("pip install tabulate", "ERROR: No matching distribution found for tabulate", 1)],
            "tabulate",
            "agent",
        ),
    ],
)
def test_a_name_is_whose_words_hold_it_first(prompt, readme, steps, thing, origin) -> None:
    found = touched(prompt, *steps, readme=readme)
    assert {one.origin for (kind, name), one in found.items() if name == thing and kind != "package"} <= {origin}
    assert any(name == thing for _, name in found)


@pytest.mark.parametrize(
    ("command", "outcome"),
    [
        ("git log --all --oneline -- data/held.csv", "failed"),
        ("git ls-files data/held.csv", "failed"),
        ("git --no-pager status data/held.csv", "failed"),
        ("git add data/held.csv", "worked"),
        ("cat data/held.csv", "worked"),
    ],
)
def test_a_path_of_which_only_the_history_is_asked_need_not_be_there(command: str, outcome: str) -> None:
    missed: Step = ("cat data/held.csv", "cat: data/held.csv: No such file or directory", 1)
    found = touched("Work on data/held.csv.", missed, (command, "", 0))
    assert next(one.outcome for (kind, name), one in found.items() if kind == "file" and "held" in name) == outcome


def test_the_tasks_files_speak_for_the_task() -> None:
    steps: list[Step] = [("make -C code", NO_GSL, 2)]
    assert touched("Build it.", *steps)["file", "gsl/gsl_rng.h"].origin == "environment"
    sources = {"code/bmsim.c": "#include <gsl/gsl_rng.h>\n", "README.md": "    make -C code\n"}
    found = touched("Build it.", *steps, **sources)
    assert found["file", "gsl/gsl_rng.h"].origin == "task"
    assert found["command", "make -C code"].origin == "task"


@pytest.mark.parametrize(
    ("prompt", "readme", "origin"),
    [
        ("Mend it.", "# Tool\n\n## Use\n\n    make all\n", "task"),
        ("Mend it.", "# Tool\n\n## Development\n\n    make all\n", "agent"),
        ("Mend it.", "# Tool\n\nContributing\n------------\n\n### Set up\n\n    make all\n", "agent"),
        ("Mend it.", "# Tool\n\n## Running the tests\n\nCall it.\n\n## Use\n\n    make all\n", "task"),
        ("Mend it.", "# Tool\n\n```\n# development\nmake all\n```\n", "task"),
        ("Run `make all`.", "# Tool\n\n## Development\n\n    make all\n", "task"),
    ],
    ids=["users", "developers", "below", "after", "no heading", "the task too"],
)
def test_what_a_readme_tells_those_who_work_on_the_project_the_task_does_not_ask(
    prompt: str, readme: str, origin: str
) -> None:
    step = ("make all", "boom", 2)
    assert touched(prompt, step, readme=readme)["command", "make all"].origin == origin
    assert touched(prompt, step, **{"README.md": readme})["command", "make all"].origin == origin


def test_what_a_program_complains_of_beside_a_document_is_no_word_of_the_document_s() -> None:
    looked = ("ls -la /w/.git 2>&1; cat NOTES", "ls: cannot access '/w/.git': No such file or directory\nUse b.csv.", 0)
    case, run, events = record("Do what NOTES says.", looked)
    origins = {touch.name: touch.origin for touch in touches_of(case, run, events) if touch.kind == "file"}
    assert origins["/w/.git"] == "agent"


def test_names_in_text_that_is_only_shown_are_touched_by_nobody() -> None:
    source = "class ReadTimeoutError(TimeoutError):\n    url = 'https://slow.invalid/a'\nimport nothing_like_it\n"
    for command in ("cat a.py", "grep -n class a.py", "sed -n 1,9p a.py", "git diff", "head a.py | nl"):
        found = touched("Fix it.", (command, source, 0))
        assert not {kind for kind, _ in found} & {"host", "page", "module", "package"}
    written = "cat > run.sh <<'E'\ncurl https://never.invalid/x | sh\npip install nothing-like-it\nE"
    assert not {kind for kind, _ in touched("Fix it.", (written, "", 0))} & {"host", "page", "module", "package"}


def test_a_tool_that_refuses_failed_and_agents_of_any_name_speak_for_themselves() -> None:
    talk = [
        Block(index=0, role="human", kind="message", text="Mean of data/a.csv."),
        Block(index=1, role="Expert", kind="call", tool="edit", text="edit(guess.py)", arguments={"path": "guess.py"}),
        Block(index=2, role="tool", kind="result", text="Error: guess.py: No such file"),
        Block(index=3, role="Expert", kind="call", tool="web_search", text="mean", arguments={"query": "mean"}),
        Block(index=4, role="tool", kind="result", text="See https://seen.invalid/only"),
    ]
    run = Run(run_id="r", transcript=Transcript(blocks=tuple(talk)), source="synthetic")
    case = Case(benchmark="b", task_id="t", task=Task(), runs=(run,))
    found = touches_of(case, run, events_of(Transcript(blocks=tuple(talk))))
    tools = {one.name: (one.outcome, one.failed) for one in found if one.kind == "tool"}
    assert tools == {"edit": ("failed", (0,)), "web_search": ("worked", ())}
    assert not [one for one in found if one.kind in ("host", "page")]


GSL: tuple[Step, ...] = (
    ("make -C code", NO_GSL, 2),
    ("gsl-config --version; pkg-config --modversion gsl", "bash: gsl-config: command not found", 1),
    ("find / -name 'gsl*' 2>/dev/null | head", "", 0),
    ("apt-get install -y libgsl-dev", "E: Unable to locate package libgsl-dev", 100),
    ("curl -sS -I https://ftp.gnu.invalid/gsl/", "curl: (6) Could not resolve host: ftp.gnu.invalid", 6),
    ("pip download pygsl 2>&1 | tail -1", "ERROR: No matching distribution found for pygsl", 0),
    ("make -C code 2>&1 | tail -2", ENDS, 0),
)


def test_failures_of_one_cause_are_one_trouble_and_what_tries_to_get_past_it_is_evidence_about_it() -> None:
    (trouble,) = troubles_of(*record("Build it with `make -C code`.", *GSL))
    assert (trouble.cause.kind, trouble.cause.name) == ("file", "gsl/gsl_rng.h")
    assert trouble.events == (0, 6)
    assert trouble.attempts == (1, 2, 3, 4, 5)
    assert "make -C code" in [one.name for one in trouble.with_it]
    assert (trouble.goal, trouble.resolved) == (True, False)


def test_what_could_not_be_made_fails_later_for_the_same_cause() -> None:
    check = "OSError: build/libk.so: cannot open shared object file: No such file or directory"
    steps: tuple[Step, ...] = (("make", NO_CC, 2), ("which gcc clang", "", 1), ("python3 tests/check.py", check, 1))
    (trouble,) = troubles_of(*record("`make` must make build/libk.so; `python3 tests/check.py` must pass.", *steps))
    assert (trouble.cause.name, trouble.events, trouble.attempts) == ("cc", (0, 2), (1,))


def test_troubles_that_stay_come_first_then_what_goals_met_then_by_whose_name_it_is() -> None:
    steps: tuple[Step, ...] = (
        ("cat guess.txt", "cat: guess.txt: No such file or directory", 1),
        ("jq . a.json", "bash: line 1: jq: command not found", 127),
        ("./jq . a.json", "{}", 0),
        ("python3 plot.py", "ModuleNotFoundError: No module named 'seaborn'", 1),
        ("python3 means.py", NO_DATA.format("data/x.csv"), 1),
    )
    found = troubles_of(*record("Run `python3 means.py`. plot.py plots.", *steps))
    assert [one.cause.name for one in found] == ["data/x.csv", "seaborn", "guess.txt", "jq"]
    assert [one.resolved for one in found] == [False, False, False, True]


def test_a_goal_is_what_the_task_told_to_run_or_what_the_agent_came_back_to() -> None:
    steps: tuple[Step, ...] = (
        ("pip install foo", "ERROR: No matching distribution found for foo", 1),
        ("pip install foo", "ERROR: No matching distribution found for foo", 1),
        ("./solver --fast", "Killed", 137),
        ("ls", "solver", 0),
        ("nice ./solver --fast", "Killed", 137),
        ("python prepare.py", "", 0),
        ("./once", "Killed", 137),
    )
    found = goals_of(*record("First run:\n\n```\npython3 prepare.py\n```\n", *steps))
    assert [one.name for one in found] == ["./solver --fast", "python prepare.py"]


def test_what_the_task_is_about_is_no_attempt_to_pass_what_an_agent_brought_up_itself() -> None:
    no_header = "glyphs/glyphs.c:2:10: fatal error: ft2build.h: No such file or directory\ncompilation terminated.\n"
    none = "ERROR: No matching distribution found for freetype-py"
    steps = (("pip download freetype-py", none, 1), ("pip install ./glyphs", no_header, 1))
    found = troubles_of(*record("Build ./glyphs and import it.", *steps))
    assert [(one.cause.name, one.events) for one in found] == [("ft2build.h", (1,)), ("freetype-py", (0,))]


NO_LIBRARY = "bin/invert: error while loading shared libraries: libpdfft.so.3: cannot open shared object file"


@pytest.mark.parametrize(
    ("made", "resolved"),
    [
        ("echo 'int f(void) { return 1; }' > stub.c && gcc -shared -o lib/libpdfft.so.3 stub.c", False),
        ("printf stub > lib/libpdfft.so.3", False),
        ("tar xf vendor.tgz lib/libpdfft.so.3", True),
    ],
)
def test_a_stand_in_that_the_run_wrote_itself_resolves_nothing(made: str, resolved: bool) -> None:
    run = "bin/invert data/scan.bin"
    (found,) = troubles_of(*record(f"Run `{run}`.", (run, NO_LIBRARY, 127), (made, "", 0), (run, "n 512", 0)))
    assert (found.cause.name.rpartition("/")[2], found.resolved) == ("libpdfft.so.3", resolved)


@pytest.mark.parametrize(
    ("prompt", "command", "origin"),
    [
        ("Run bin/solve and tell what it prints.", "./bin/solve --fast", "task"),
        ("Build and install ./glyphs.", "pip install ./glyphs", "task"),
        ("Compile z.c.", "gcc z.c -lpng -o z", "task"),
        ("Make a conda environment called analysis with six.", "conda create -y -n analysis six", "task"),
        ("How many lines has data.csv?", "python3 own.py data.csv", "agent"),
        ("Tell its size (for example with `make size`).", "make size", "agent"),
    ],
)
def test_a_command_is_the_task_s_where_it_carries_out_what_the_task_names(
    prompt: str, command: str, origin: str
) -> None:
    assert touched(prompt, (command, "", 1))["command", command].origin == origin


def test_what_fails_around_a_file_that_cannot_be_written_is_evidence_about_it() -> None:
    shut = "OSError: [Errno 30] Read-only file system: '/results/metrics.json'"
    moved = "mv: cannot move '/results' to '/results.old': Permission denied"
    steps = (("python3 run.py", shut, 1), ("mv /results /results.old", moved, 1), ("python3 run.py", shut, 1))
    (found,) = troubles_of(*record("Run `python3 run.py`; it writes /results/metrics.json.", *steps))
    assert found.events == (0, 2)


NO_CONFIG = "node:internal/loader\nError: Cannot find module '../config/local'\n  at load (loader:10)\nNode.js v24"
CUT_SHORT = "node:zlib\nError: unexpected end of file\n  at gunzip (zlib:22)\ncode: 'Z_BUF_ERROR'\nNode.js v24"


def test_a_command_that_fails_for_something_else_at_last_got_past_what_it_met_first() -> None:
    found = troubles_of(
        *record(
            "Run `node freq.js`.",
            ("node freq.js", NO_CONFIG, 1),
            ("cp config/example.js config/local.js && node freq.js", CUT_SHORT, 1),
        )
    )
    assert [(one.cause.kind, one.events, one.resolved) for one in found] == [
        ("command", (1,), False),
        ("module", (0,), True),
    ]


def test_one_that_fails_as_before_whatever_is_cut_off_got_past_nothing() -> None:
    (found,) = troubles_of(
        *record(
            "Run `node freq.js`.", ("node freq.js", NO_CONFIG, 1), ("node freq.js 2>&1 | tail -1", "Node.js v24", None)
        )
    )
    assert (found.events[0], found.resolved) == (0, False)


def test_a_wrong_call_that_was_put_right_is_no_trouble_any_more() -> None:
    steps = (("npm run report data.csv", "report: no warehouse given", 2), ("npm run report -- --w W3", "kaputt", 1))
    found = troubles_of(*record("Run `npm run report -- --w W3`.", *steps))
    assert [(one.cause.name, one.resolved) for one in found] == [
        ("npm run report -- --w W3", False),
        ("npm run report data.csv", True),
    ]


def test_another_call_of_what_the_task_spells_is_the_agents_own() -> None:
    found = touched(
        "Run `perl bin/m2.pl 2021`.",
        ("perl bin/m2.pl 2021", "m2: data/obs_2021.tsv: No such file or directory", 2),
        ("perl bin/m2.pl 2018", "m2: data/obs_2018.tsv: No such file or directory", 2),
    )
    assert found["command", "perl bin/m2.pl 2021"].origin == "task"
    assert found["command", "perl bin/m2.pl 2018"].origin == "agent"


def test_what_only_a_look_around_met_is_known_as_such() -> None:
    none = "bash: line 1: git: command not found"
    looked, alone = (
        troubles_of(*record("Mend it; git keeps the files.", (line, none, code)))[0]
        for line, code in (("git log | head; ls -la .git; cat .git/config", 0), ("git log", 127))
    )
    assert (looked.looked, alone.looked) == (True, False)


@pytest.mark.parametrize(
    ("prompt", "origin"),
    [
        ("Run the test of the image.", "environment"),
        ("Run `./test` first.", "task"),
        ("Everything is in ./test.", "task"),
        ("The folder test/ holds it.", "task"),
    ],
)
def test_a_word_that_is_also_a_files_name_names_it_only_as_a_path_or_code(prompt: str, origin: str) -> None:
    made = "make: *** [Makefile:8: test] Error 1\ncat: test: No such file or directory"
    assert touched(prompt, ("cat test", made, 1))["file", "test"].origin in (origin, "agent")


def test_a_folder_at_the_root_is_named_only_as_such() -> None:
    none = "find: ‘/data’: No such file or directory"
    assert touched("The tables are in data/.", ("find /data -name x", none, 1))["file", "/data"].origin != "task"
    assert touched("The tables are in /data.", ("find /data -name x", none, 1))["file", "/data"].origin == "task"


def test_files_that_a_run_found_at_first_are_those_before_it_did_anything() -> None:
    found = found_at_first(
        *record(
            "Build it.",
            ("ls -la . src; cat README.md src/a.c; node --version", "README.md\na.c\nv20", 0),
            ("make", "cc -c src/a.c", 0),
            ("cat build/a.o", "ELF", 0),
        )
    )
    assert set(found) >= {"README.md", "src/a.c"}
    assert "build/a.o" not in found


def test_a_failure_of_the_run_s_own_stand_in_got_past_nothing() -> None:
    none = "bin/transit: error while loading shared libraries: libephem.so.2: cannot open shared object file"
    strange = "bin/transit: symbol lookup error: undefined symbol: eph_bjd"
    made = "gcc -shared -o lib/libephem.so.2 stub.c && LD_LIBRARY_PATH=lib bin/transit data.txt"
    steps = (("echo 'int x;' > stub.c", "", 0), ("bin/transit data.txt", none, 127), (made, strange, 1))
    (found,) = troubles_of(*record("Run `bin/transit data.txt`.", *steps))
    assert (found.cause.kind, found.resolved) == ("file", False)


def test_what_a_compiler_is_to_write_is_nothing_that_it_carries_out() -> None:
    found = touched("The check wants drv.ko.", ("gcc -c own.c -o drv.ko", "own.c:1: error: expected ;", 1))
    assert found["command", "gcc -c own.c -o drv.ko"].origin == "agent"


@pytest.mark.parametrize(
    ("prompt", "command", "origin"),
    [
        ("Mend app. You may install what you need with `pip install PACKAGE`.", "pip install tabulatrix", "agent"),
        ("Mend app. Install with `pip install <package>` if something lacks.", "pip install tabulatrix", "agent"),
        ("Look around with `git clone URL`.", "git clone https://git.example/x", "agent"),
        ("Run `bin/solve -n CASE` for the case of lake.", "bin/solve -n lake", "task"),
        ("Run `bin/solve -n CASE` for every case that `ls cases` shows.", "bin/solve -n fjord", "task"),
        ("Run `bin/solve -n STEPS`.", "bin/solve -n 500", "task"),
        ("Steps:\n\n1. ./load.sh in/crm-YYYY-MM-DD.gz crm.db\n", "./load.sh in/crm-2024-06-30.gz crm.db", "task"),
        ("Steps:\n\n- `./load.sh in/run-NNN.gz`\n", "./load.sh in/run-007.gz", "task"),
    ],
)
def test_a_placeholder_is_the_task_s_own_command_where_the_agent_did_not_make_up_what_it_stands_for(
    prompt: str, command: str, origin: str
) -> None:
    found = touched(prompt, ("ls cases", "fjord\ntarn", 0), (command, "stopped", 1))
    assert found["command", command].origin == origin


@pytest.mark.parametrize(
    ("text", "program", "named"),
    [
        ("Use jq to list the names.", "jq", True),
        ("Use jqplay to list the names.", "jq", False),
        ("How much time does the tree of files in the file a.bin take?", "tree", False),
        ("Which type is the file a.bin?", "file", False),
        ("Show it with `tree -L 2`.", "tree", True),
        ("You could use jq if you like.", "jq", False),
        ("Needs MATLAB R2019b.", "matlab", True),
        ("Octave runs it.", "octave", True),
        ("The JQ of it is high.", "jq", False),
        ("Make sure that Tree is spelled right.", "tree", False),
    ],
)
def test_a_text_names_a_program_as_code_where_its_name_is_an_ordinary_word(
    text: str, program: str, *, named: bool
) -> None:
    assert names_program(text, program) == named


NO_GIT = ("git init x", "bash: line 1: git: command not found", 127)


@pytest.mark.parametrize(
    ("steps", "missed"),
    [
        ([NO_GIT], ("git",)),
        ([NO_GIT, ("git init x", "bash: ligne 1: git : commande introuvable", 127)], ("git",)),
        ([NO_GIT, ("conda install -y git", "done", 0), ("git init x", "", 0)], ()),
        ([NO_GIT, ("find / -name git -perm /111", "/opt/tools/bin/git", 0)], ()),
        ([("export PATH=/opt/x/bin", "", 0), NO_GIT], ()),
        ([("export PATH=$HOME/.local/bin:$PATH", "", 0), NO_GIT], ("git",)),
        ([("git init x", "fatal: not permitted", 128)], ()),
        ([("sh build.sh", "build.sh: 1: frobc: not found", 127)], ()),
        ([("sh build.sh", "bash: line 1: sh: command not found", 127)], ("sh",)),
    ],
    ids=[
        *(
            "missed",
            "in French",
            "brought by the run",
            "seen elsewhere",
            "a path of its own",
            "a longer path",
            "it ran",
        ),
        *("its script speaks", "its caller speaks"),
    ],
)
def test_a_machine_lacks_the_programs_that_never_started_and_that_nothing_shows(steps, missed) -> None:
    assert programs_missed(*record("Set up a repository.", *steps)) == missed


REFUSED = "{}\nURLError: <urlopen error [Errno -3] Temporary failure in name resolution>"


@pytest.mark.parametrize(
    ("code", "origin"),
    [
        ("from plates.archive import fetch_reduced\ndata = fetch_reduced(epoch=3)", "task"),
        ("import plates.archive as pa\ndata = pa.fetch_reduced('south', retries=5)", "task"),
        ("from plates.archive import fetch_reduced\ndata = fetch_reduced('somewhere else')", "agent"),
        ("from plates.archive import fetch_reduced\ndata = fetch_reduced('/tmp/south.fits')", "task"),
        ("from plates.archive import fetch_raw\ndata = fetch_raw()", "agent"),
        ("from plates.archive import fetch_reduced\nprint(fetch_reduced)\nopen('http://127.0.0.9/')", "agent"),
    ],
)
def test_code_that_fails_in_a_function_that_the_task_spells_is_the_task_s(code: str, origin: str) -> None:
    """On nothing but what the task names: the same function on something else is the agent's own idea."""
    prompt = "Take the plates of the `south` field from `plates.archive.fetch_reduced` and count the stars."
    command = f'python3 -c "{code}"'
    found = touched(prompt, (command, REFUSED.format(code.splitlines()[-1]), 1))
    assert [one.origin for (kind, _), one in found.items() if kind == "command"] == [origin]


def test_what_a_look_misses_after_failed_work_is_no_cause() -> None:
    ended = "cc: broken\nmake: *** [Makefile:2: all] Error 1\nls: cannot access 'report.pdf': No such file or directory"
    case, run, events = record("Run `make`.", ("make; ls report.pdf", ended, 2))
    assert {one.cause.name for one in troubles_of(case, run, events)}.isdisjoint({"report.pdf"})
    alone = record("Run `make`.", ("ls report.pdf", ended.splitlines()[-1], 2))
    assert [one.cause.name for one in troubles_of(*alone)] == ["report.pdf"]
    for why in ("OSError: libcuda.so.1: cannot open shared object file: No such file or directory", NO_HOST):
        said = f"{why}\nls: cannot access 'report.json': No such file or directory"
        case, run, events = record("Run `./work`.", ("./work; ls report.json", said, 2))
        assert {one.cause.name for one in troubles_of(case, run, events)}.isdisjoint({"report.json"})


def test_what_a_failure_tells_to_do_is_a_try_to_get_past_it() -> None:
    told = "To add an exception for this directory, call:\n\n\tgit config --global --add safe.directory /w"
    failed = ("cd /w && git log -S'def fold' -- fold.py", f"fatal: detected dubious ownership in '/w'\n{told}", 128)
    tried = ("git config --global --add safe.directory /w", "error: could not lock config file /root/.gitconfig", 255)
    (found,) = troubles_of(*record("Which commit of /w made `fold` in fold.py?", failed, tried))
    assert (found.events, found.attempts) == ((0,), (1,))


def test_an_interpreter_that_only_loads_modules_asks_what_there_is() -> None:
    read = "python3 -c \"import pandas as pd; print(pd.read_excel('sales.xlsx'))\""
    no_module = "ModuleNotFoundError: No module named '{}'"
    steps = ((read, no_module.format("pandas"), 1), ("python3 -c 'import xlrd'", no_module.format("xlrd"), 1))
    (found,) = troubles_of(*record("Add up sales.xlsx.", *steps, ("perl -MSpreadsheet::Read -e 1", "Can't locate", 2)))
    assert (found.cause.name, found.attempts) == ("pandas", (1, 2))


def test_code_in_a_file_of_the_run_s_own_is_the_task_s_where_it_fails_in_what_the_task_spells() -> None:
    code = "import plates\nfor one in open('list').read():\n    plates.reduce_field(one)\n"
    failed = "Traceback (most recent call last):\n  File\n    plates.reduce_field(one)\nLookupError: \n****\n  None."
    steps = (f"cat > run.py <<'E'\n{code}E", "", 0), ("python3 run.py", failed, None)
    found = touched("Reduce each field with `plates.reduce_field`.", *steps)
    assert (found["command", "python3 run.py"].origin, found["command", "python3 run.py"].outcome) == ("task", "failed")
    found = touched("Reduce each field.", *steps)
    assert found["command", "python3 run.py"].origin == "agent"


@pytest.mark.parametrize(("line", "origin"), [(2, "task"), (3, "agent"), (None, "agent")])
def test_code_counts_as_the_task_s_only_where_it_failed_in_what_the_task_spells(line: int | None, origin: str) -> None:
    """A module of the agent's own choice that fails beside it is not; nor is what no output shows to fail."""
    code = "import plates\nrows = plates.reduce_field(3)\nimport fancyplot"
    frame = f'  File "<stdin>", line {line}, in <module>\n' if line else ""
    ended = f"Traceback (most recent call last):\n{frame}ModuleNotFoundError: No module named 'fancyplot'"
    found = touched("Reduce it with `plates.reduce_field`.", (f"python3 - <<'E'\n{code}\nE", ended, 1))
    assert {one.origin for (kind, _), one in found.items() if kind == "command"} == {origin}


NO_PYTEST = "/usr/bin/python3: No module named pytest\nmake: *** [Makefile:2: test] Error 1\n"


@pytest.mark.parametrize(
    ("prompt", "origin"),
    [
        ("Resolve the issue; hidden tests will be run on your change.", "agent"),
        ("Resolve the issue, so that `make test` passes.", "task"),
        ("Resolve the issue as README.md says.", "task"),
    ],
    ids=["asked for a change", "asked for in the prompt", "asked for in a document that the prompt names"],
)
def test_tests_are_the_task_s_where_its_prompt_or_what_that_names_spells_them(prompt: str, origin: str) -> None:
    readme = "# tidespan\n\n`make test` runs the tests (pytest).\n"
    found = touched(prompt, ("make test", NO_PYTEST, 2), readme=readme)
    assert found["command", "make test"].origin == origin


def test_what_another_call_of_the_same_program_got_past_is_resolved_whatever_frame_a_harness_puts_around_it() -> None:
    frame = "Exit Code: {}\nStdout:\n{}\n\nStderr:\n"
    told = "Reassemble the catalogue with `python3 assemble.py`."
    steps = (
        ("python3 assemble.py", frame.format(1, "ModuleNotFoundError: No module named 'tqdm'"), 1),
        ("pip install tqdm", frame.format(1, "ERROR: No matching distribution found for tqdm"), 1),
        ("python3 assemble.py --no-progress", frame.format(3, "cannot assemble:\n  d2: missing"), 3),
    )
    troubles = {one.cause.name: one for one in troubles_of(*record(told, *steps))}
    assert troubles["tqdm"].resolved
    assert not troubles["python3 assemble.py --no-progress"].resolved


READER = ("python3 summarise.py sales.xlsx", "summarise: openpyxl is missing", 1)


@pytest.mark.parametrize(
    ("prompt", "data"),
    [
        ("What is the total of the region North in sales.xlsx?", "sales.xlsx"),
        ("Run summarise.py on sales.xlsx and give the total of the region North.", ""),
        ("What is the total of the region North? See README.md, it tells how to read sales.xlsx.", ""),
        ("What is the total of the region North?", ""),
        ("Convert sales.rec, and report the total.", ""),
        ("What is the total of the region North in presales.xlsx?", ""),
    ],
    ids=["data alone", "the program", "a document that names it", "neither", "a form of its own", "a longer name"],
)
def test_a_program_of_which_only_the_tasks_files_speak_is_a_means_to_open_data(prompt: str, data: str) -> None:
    readme = "Usage:\n\n    python3 summarise.py sales.xlsx\n\nprints the totals of sales.xlsx.\n"
    case, run, events = record(prompt, ("ls", "README.md\nsales.xlsx\nsummarise.py", 0), READER, readme=readme)
    goal = next(one for one in goals_of(case, run, events) if "summarise" in one.name)
    assert means_to(goal, case, run, events) == data


def test_a_look_at_data_that_the_prompt_names_makes_no_document_of_what_stands_beside_it() -> None:
    told = "node total.js data/sales.ndjson"
    looked = "ls -la . && cat README.md && head -2 data/sales.ndjson", f"# sales\n\n    {told}\n\n{{}}\n", 0
    failing = told, "Error: Cannot find module 'split2'", 1
    case, run, events = record("Sum up data/sales.ndjson. Use node.", looked, failing)
    goal = next(one for one in goals_of(case, run, events) if "total" in one.name)
    assert means_to(goal, case, run, events) == "sales.ndjson"


@pytest.mark.parametrize(
    ("prompt", "words"),
    [
        ("Report what plan.m prints; you may use any other language.", "use any other language"),
        ("Count the rows, with any tool.", "with any tool"),
        ("Count the rows. You can write it in any\nprogramming language.", "in any programming language"),
        ("Count the rows with Octave.", ""),
        ("Install any packages that are needed, and run plan.m.", ""),
        ("If any program fails, say which.", ""),
        ("Run plan.m. Do not use any other language.", ""),
        ("You may use any shell. Run plan.m without using any other programs.", ""),
        ("Do not use numpy. You may use any language.", "use any language"),
    ],
)
def test_a_prompt_that_lets_any_means_do_needs_no_software_that_lacks(prompt: str, words: str) -> None:
    case, run, events = record(prompt, ("octave plan.m", "bash: line 1: octave: command not found", 127))
    trouble = next(one for one in troubles_of(case, run, events) if one.cause.name == "octave")
    assert left_open(case, trouble.cause) == words


@pytest.mark.parametrize(
    ("text", "free"),
    [
        ("You may use it, change it or compute the numbers in any other way.", True),
        ("How you get at the data is up to you.", True),
        ("If the script cannot be run here you may compute the same values by other means.", True),
        ("You may change the build files if this machine needs it.", True),
        ("Only out/summary.json is checked.", True),
        ("You may get it in any way you like, but do not change trial.csv.", True),
        ("How you get the number does not matter to us, as long as it is right.", True),
        ("Report the slope, for example by running `Rscript fit.R`.", True),
        ("How you get the number is up to you, but do not use the internet.", True),
        ("Wie du auf die Zahl kommst, ist dir überlassen.", True),
        ("Nutze R für die Auswertung.", False),
        ("You may change the build files, but must not replace the solver by another program.", False),
        ("Figures that come from another program than the authors' script are not accepted.", False),
        ("Other ways to compute the two numbers do not count.", False),
        ("You must not change the build files, nor use any other tool.", False),
        ("A translation to another language is not a reproduction.", False),
        ("That compiler is not needed: another language is fine.", True),
        ("Run `python3 code/table3.py` and report the mean.", False),
        ("You may use the internet.", False),
    ],
)
def test_a_task_may_leave_open_how_its_work_is_done(text: str, *, free: bool) -> None:
    assert freedom(f"Report the mean of the column.\n{text}") == (text if free else "")


def test_data_that_lacks_is_needed_with_any_means() -> None:
    failing = "python3 plan.py", "FileNotFoundError: [Errno 2] No such file or directory: 'data/plan.dat'", 1
    case, run, events = record("Report the total of data/plan.dat, with any tool.", failing)
    trouble = next(one for one in troubles_of(case, run, events) if one.cause.kind == "file")
    assert not left_open(case, trouble.cause)


@pytest.mark.parametrize(
    ("own", "answer", "without"),
    [
        ("Rscript mine.R", "The mean is 454.2.", True),
        ("Rscript mine.R", "The mean is 454.3.", False),
        ("Rscript mine.R", "It could not be run.", False),
        ("Rscript of_nothing.R", "The mean is 454.2.", False),
    ],
    ids=["computed from the data", "another number", "no answer", "computed from no data"],
)
def test_software_that_the_prompt_does_not_name_may_be_needless_where_own_code_computed_the_answer_from_the_data(
    own: str, answer: str, without: bool
) -> None:
    failing = ("Rscript code/mean.R", "Error in library(dplyr) : there is no package called ‘dplyr’", 1)
    mine = ("cat > mine.R <<'E'\nmean(read.csv('data/plots.csv')$mass)\nE", "", 0)
    other = ("echo 'cat(454.1931)' > of_nothing.R", "", 0)
    look = ("head -2 data/plots.csv", "plot,mass\n1,418.7", 0)
    case, run, events = record(
        "Run `code/mean.R` and report the mean.", failing, look, mine, other, (own, "[1] 454.1931", 0)
    )
    run = run.model_copy(update={"answer": answer})
    trouble = next(one for one in troubles_of(case, run, events) if one.cause.name == "dplyr")
    assert bool(computed_without(case, run, events, trouble.cause)) is without
    named = case.model_copy(update={"task": Task(prompt="Run `code/mean.R`, which needs dplyr.")})
    assert not computed_without(named, run, events, trouble.cause)


MAPPER = ("python3 lengths.py", "ModuleNotFoundError: No module named 'geopandas'", 1)


@pytest.mark.parametrize(
    ("prompt", "data"),
    [
        ("Sum up the lengths in data/rivers.shp. `lengths.py` is how we did it.", "rivers.shp"),
        ("Sum up the lengths in data/rivers.shp with GeoPandas. `lengths.py` is how we did it.", ""),
        ("Sum up the lengths in data/rivers.shp: python3 lengths.py", ""),
        ("Run `lengths.py` and report the sum.", ""),
    ],
    ids=["only a way", "the software that is lacking", "the command", "no data"],
)
def test_a_script_that_no_text_spells_as_a_command_is_one_means_where_software_lacks_that_nobody_asks_for(
    prompt: str, data: str
) -> None:
    case, run, events = record(prompt, ("ls data", "rivers.shp", 0), ("ls -l data/rivers.shp", "rivers.shp", 0), MAPPER)
    goal = next(one for one in goals_of(case, run, events) if "lengths" in one.name)
    lacking = next(one.cause for one in troubles_of(case, run, events) if one.cause.name == "geopandas")
    assert means_to(goal, case, run, events, lacking) == data


@pytest.mark.parametrize(
    ("prompt", "data"),
    [
        ("Report the slope of data/plots.csv. `code/fit.R` is what they used.", "plots.csv"),
        ("Report the slope of data/plots.csv.\n\n- code/fit.R is what they used.", "plots.csv"),
        ("Report the slope of data/plots.csv. The script fit.R makes such a table.", "plots.csv"),
        ("Report the slope of data/plots.csv. They used `code/fit.R` for it.", ""),
        ("Report the slope of data/plots.csv:\n1. code/fit.R data/plots.csv", ""),
        ("Report the slope of data/plots.csv. Use the script fit.R.", ""),
        ("Report the slope of data/plots.csv. `code/fit.R` is slow. Run `code/fit.R` all the same.", ""),
    ],
    ids=[
        *("begins a sentence", "begins an item", "behind an article", "in a sentence", "a call", "behind a verb"),
        "in another sentence too",
    ],
)
def test_a_script_of_which_the_prompt_only_tells_is_one_means_where_the_readme_calls_it(prompt: str, data: str) -> None:
    readme = "Usage:\n\n    Rscript code/fit.R data/plots.csv\n"
    look = ("head -2 data/plots.csv", "plot,mass\n1,418.7", 0)
    failing = ("Rscript code/fit.R data/plots.csv", "bash: line 1: Rscript: command not found", 127)
    case, run, events = record(prompt, look, failing, readme=readme)
    goal = next(one for one in goals_of(case, run, events) if "fit.R" in one.name)
    assert means_to(goal, case, run, events) == data


@pytest.mark.parametrize(("code", "data"), [("import predict\npredict.main()", ""), ("import sys\nmain()", "rows.csv")])
def test_a_module_whose_file_the_prompt_speaks_of_is_the_script_itself(code: str, data: str) -> None:
    prompt = "Predict what data/rows.csv asks for with the network that predict.py applies."
    missing = "FileNotFoundError: [Errno 2] No such file or directory: 'weights.json'"
    case, run, events = record(prompt, ("head -2 data/rows.csv", "id\n1", 0), (f'python3 -c "{code}"', missing, 1))
    goal = next(one for one in touches_of(case, run, events) if one.kind == "command")
    assert means_to(goal, case, run, events) == data


@pytest.mark.parametrize(
    ("shown", "data"),
    [
        ("cat README.md code/fit.R", "plots.csv"),
        ("cat fit.notes", ""),
        ("cat README.md fit.notes", ""),
        ("cat code/fit.R", ""),
        ("cat code/fit.R; Rscript code/fit.R data/plots.csv", "plots.csv"),
        ("echo 'Rscript code/fit.R data/plots.csv' > fit.notes; cat fit.notes", "plots.csv"),
    ],
    ids=[
        "another's beside a source that it names",
        "a document that it names",
        "another's beside that",
        "a source alone",
        "a source and what running it printed",
        "a file of the run's own",
    ],
)
def test_only_what_the_prompt_names_and_the_run_did_not_write_speaks_for_the_prompt(shown: str, data: str) -> None:
    prompt = "Report the slope of data/plots.csv. `code/fit.R` is what they used, fit.notes tells more."
    look = ("head -2 data/plots.csv", "plot,mass\n1,418.7", 0)
    call = "Rscript code/fit.R data/plots.csv"
    failing = (call, "bash: line 1: Rscript: command not found", 127)
    case, run, events = record(prompt, (shown, f"    {call}\n", 0), look, failing)
    goal = next(one for one in goals_of(case, run, events) if "fit.R" in one.name)
    assert means_to(goal, case, run, events) == data


@pytest.mark.parametrize(
    ("prompt", "origin"),
    [
        ("The logs are in /var/log/gate, a file per month. How many were denied in November 2024?", "task"),
        ("The logs are in /var/log/gate. How many were denied in 2024-11?", "task"),
        ("The logs are in /var/log/gate. How many were denied in October 2024?", "environment"),
        ("The logs are in /var/log/gate. How many were denied in November and October 2024?", "environment"),
        ("How many were denied in November 2024?", "environment"),
    ],
)
def test_one_of_a_series_is_the_task_s_where_the_prompt_tells_its_date(prompt: str, origin: str) -> None:
    listing = "-rw-r--r-- 1 root adm 9 access-2024-10.log\n-rw-r----- 1 root adm 9 access-2024-11.log\n"
    denied = "grep: /var/log/gate/access-2024-11.log: Permission denied"
    failing = ("grep -c DENIED /var/log/gate/access-2024-11.log", denied, 2)
    found = touched(prompt, ("ls -l /var/log/gate", listing, 0), failing)
    assert found["file", "/var/log/gate/access-2024-11.log"].origin == origin


@pytest.mark.parametrize(
    ("prompt", "origin"),
    [
        ("Count the keys in snapshot/dump.rdb.", "environment"),
        ("Count the keys in /home/agent/snapshot/dump.rdb.", "environment"),
        ("Count the keys in dump.rdb.", "task"),
        ("Count the keys in ./dump.rdb.", "task"),
        ("Count the keys in $DATA/dump.rdb.", "task"),
        ("Count the keys of redis/dump.rdb.", "task"),
        ("Fetch https://host.example/pub/dump.rdb and count its keys.", "task"),
    ],
)
def test_a_file_of_the_same_name_in_another_folder_is_not_the_one_that_the_task_names(prompt: str, origin: str) -> None:
    failing = ("redis-server --port 7000", "Can't open the file: Permission denied: '/var/lib/redis/dump.rdb'", 1)
    assert touched(prompt, failing)["file", "/var/lib/redis/dump.rdb"].origin == origin


@pytest.mark.parametrize(
    ("looking", "origin"),
    [
        ("print(open('README.md').read())", "task"),
        ("import os\nfor r, d, f in os.walk('.'):\n    print(r, f)\nprint(open('README.md').read())", "task"),
        ("with open('README.md') as f:\n    text = f.read()\nprint(text)", "task"),
        ("open('README.md', 'w').write('weights.bin')\nprint(open('README.md').read())", "agent"),
        ("import requests\nprint(requests.get('http://a.example/README.md').text)", "environment"),
    ],
)
def test_a_file_that_python_only_shows_speaks_for_the_task(looking: str, origin: str) -> None:
    failed = "FileNotFoundError: [Errno 2] No such file or directory: 'weights.bin'"
    blocks = [Block(index=0, role="user", kind="message", text="Evaluate the model.")]
    for code, output in ((looking, "The model is in weights.bin."), ("open('weights.bin')", failed)):
        call = {"role": "assistant", "kind": "call", "tool": "python_interpreter", "arguments": {"code": code}}
        blocks.append(Block.model_validate({"index": len(blocks), "text": code, **call}))
        blocks.append(Block(index=len(blocks), role="tool", kind="result", text=output))
    transcript = Transcript(blocks=tuple(blocks))
    run = Run(run_id="r", outcome=Outcome.FAILED, transcript=transcript, source="synthetic")
    case = Case(benchmark="b", task_id="t", task=Task(prompt="Evaluate the model."), runs=(run,))
    found = {(one.kind, one.name): one for one in touches_of(case, run, events_of(transcript))}
    assert found["file", "weights.bin"].origin == origin


@pytest.mark.parametrize(
    ("shown", "called", "origin"),
    [
        ("cat README Makefile; ls -l", "make -j8", "task"),
        ("cat README", "make CFLAGS=-O0 -k", "task"),
        ("grep -r scan README", "make -j8", "agent"),
        ("cat README", "make -j8 install", "agent"),
    ],
)
def test_a_build_that_a_document_spells_is_the_task_s_with_options_of_the_run_s_own(
    shown: str, called: str, origin: str
) -> None:
    readme = "scan - checksums of images\n\n    make\n    ./scan image\n"
    failing = (called, "make: *** [Makefile:15: scan.o] Error 1", 2)
    assert (
        touched("Report the checksum that scan prints.", (shown, readme, 0), failing)["command", called].origin
        == origin
    )


def test_a_program_that_takes_what_it_does_from_a_file_carries_out_what_the_task_names() -> None:
    failing = ("cd /w && zcat d.gz | awk -F, -f sum.awk", "awk: sum.awk:1: fatal: no rows", 2)
    assert touched("Add them up with sum.awk.", failing)["command", "awk -F, -f sum.awk"].origin == "task"


def test_a_failure_that_is_said_again_is_one_though_the_line_ended_well() -> None:
    told = "The answer is accepted if `python3 check.py answer.json` exits 0."
    refused, check = "rejected: answer {} differs from the reference", "python3 check.py answer.json"
    copied = ("cp -r . /tmp/w && cd /tmp/w && sed -i /nan/d data.csv && python3 check.py answer.json", "accepted", 0)
    first, last = (check, refused.format(462.97), 1), (f"{check}; rm -rf /tmp/w", refused.format(462.97), 0)
    assert touched(told, first, copied, last)["command", check].outcome == "failed"
    assert touched(told, first, copied, (f"{check}; ls", "accepted", 0))["command", check].outcome == "worked"
    better = (f"{check}; rm -rf /tmp/w", refused.format(471.2), 0)
    assert touched(told, first, copied, better)["command", check].outcome == "worked", "it says something else"


def test_what_links_objects_is_the_agents_own_way_to_what_the_task_names() -> None:
    makefile = "CC = gcc\nOBJS = main.o load.o\ntides: $(OBJS)\n\t$(CC) -o tides $(OBJS) -lm"
    ran = ("gcc main.o -lm -o tides", "undefined reference to `height'", 1)
    told = touched("Build tides with its Makefile.", ran, ("gcc main.c -o tides", "bad", 1), readme=makefile)
    assert told["command", "gcc main.o -lm -o tides"].origin == "agent"


def test_names_in_a_listing_are_nobodys_document_whatever_stands_beside_it_in_the_line() -> None:
    found = touched(
        "Answer from /task/files/a1.xlsx.",
        ("sleep 15; ls -la /task/files", "-rwxr-xr-x 1 agent agent 124 Nov 29 01:45 b2.py\n", 0),
        ("python3 /task/files/b2.py", "268\n", 0),
    )
    assert found["command", "python3 /task/files/b2.py"].origin != "task"


@pytest.mark.parametrize(
    ("path", "beside", "double"),
    [
        ("/w/tests/stubs/pricing.py", "", True),
        ("/w/mock_ledgerd.py", "", True),
        ("/w/vendor/pricing.py", "", False),
        ("/w/contest/latest.csv", "", False),
        ("/dev/shm/x", "", False),
        ("/w/tests/data/x.csv", "/w/tests/run.py", False),
    ],
)
def test_a_name_may_say_that_something_stands_in_for_the_real_thing(path: str, beside: str, *, double: bool) -> None:
    assert stands_in(path, beside) is double


RAISED = 'Traceback (most recent call last):\n  File "report.py", line 4, in <module>\n    db = KV(host)\n{}\n'


def test_two_failures_that_end_with_other_exceptions_are_not_alike_though_they_began_alike() -> None:
    refused = RAISED.format("ConnectionRefusedError: [Errno 111] Connection refused")
    unknown = RAISED.format("socket.gaierror: [Errno -3] Temporary failure in name resolution")
    _, _, events = record(
        "Run it.", *((f"python3 report.py {n}", said, 1) for n, said in enumerate((refused, unknown, refused)))
    )
    assert alike(events.commands[0], events.commands[2])
    assert not alike(events.commands[0], events.commands[1])


NO_HOST = "wget: unable to resolve host address 'www.mpich.test'\n"
NO_MPICC = "make: mpicc: No such file or directory\nmake: *** [Makefile:14: plate] Error 127\n"


@pytest.mark.parametrize(
    ("prompt", "goal"),
    [("`make run` prints the residual.", False), ("`wget https://www.mpich.test/mpich.tgz` gets the sources.", True)],
    ids=["only stands beside", "is the download"],
)
def test_a_command_in_one_line_with_a_download_does_not_fail_for_it(prompt, goal) -> None:
    line = "wget https://www.mpich.test/mpich.tgz; make run"
    found = troubles_of(*record(prompt, (line, NO_HOST + NO_MPICC, 2)))
    [host] = [one for one in found if one.cause.kind in ("host", "page")]
    assert host.goal is goal


@pytest.mark.parametrize(("error", "blamed"), [("Permission denied", True), ("No such file or directory", False)])
def test_a_look_for_a_file_that_is_to_be_made_is_no_failure_unless_the_file_is_there(
    error: str, *, blamed: bool
) -> None:
    told = "The gateway writes to /var/log/gw/access.log. Write the number of its requests to out.txt."
    looked = ("head -5 /var/log/gw/access.log", f"head: cannot open '/var/log/gw/access.log' for reading: {error}", 1)
    assert {one.cause.name for one in troubles_of(*record(told, looked))} == (
        {"/var/log/gw/access.log"} if blamed else set()
    )


@pytest.mark.parametrize(("found", "outcome"), [(False, "never"), (True, "worked")])
def test_a_command_of_the_task_s_is_no_success_where_its_product_was_missed_behind_it(
    outcome: str, *, found: bool
) -> None:
    told = "Run `python3 pipeline.py`; it writes out/picks.csv, which is compared."
    missed = ("cat out/picks.csv", "cat: out/picks.csv: No such file or directory", 1)
    later = [("ls -l out/picks.csv", "-rw-r--r-- 1 a a 12 May 3 10:00 out/picks.csv", 0)] if found else []
    made = touched(told, ("python3 pipeline.py", "worker 0: finished", 0), missed, *later)
    assert made["command", "python3 pipeline.py"].outcome == outcome
