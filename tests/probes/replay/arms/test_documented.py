"""What documents, helps and sources tell of other ways, and what of it would be other work."""

import pytest

from cases import CommandRun
from cases.shell import parse
from probes.replay.arms.documented.asking import own_program, strictly
from probes.replay.arms.documented.build_options import at_work, generators, switches
from probes.replay.arms.documented.commands import may_be_tried
from probes.replay.arms.documented.options import called_with, choices, taken_by_the_run
from probes.replay.arms.documented.settings import names_read, shown_in
from probes.replay.arms.documented.words import other_means, other_work, places, same_as, table
from probes.replay.handlers.base import without_report, without_wait


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("./job a; echo $?", "./job a"),
        ("cd x && ./job a; echo rc=$?; free -m; cat /sys/fs/cgroup/memory.max 2>/dev/null", "cd x && ./job a"),
        ("./job a\necho $?", "./job a"),
        ("./job a; ls out", "./job a; ls out"),
        ("./job a; echo rc=$?; ./job b", "./job a; echo rc=$?; ./job b"),
        ("./job a; echo $? > rc", "./job a; echo $? > rc"),
        ("./job a & echo $?", "./job a & echo $?"),
        ("echo $?", "echo $?"),
        ("make 2>&1 | grep -E 'error' | head -20", "make 2>&1"),
        ("cd x && ./job a | tail -3; echo $?", "cd x && ./job a"),
        ("./job a | tee log | tail", "./job a | tee log"),
        ("python3 - <<'E' | tail -1\nimport x\nE", "python3 - <<'E' | tail -1\nimport x\nE"),
        ("cat a | grep b | head", "cat a | grep b | head"),
        ("./job a | head > out", "./job a | head > out"),
        ("./job a | tail -3; ls out", "./job a | tail -3; ls out"),
    ],
)
def test_what_only_reports_at_the_end_of_a_line_hides_nothing(line: str, found: str) -> None:
    assert without_report(line) == found
    assert strictly(line).endswith(found)
    assert parse(strictly(line)).body is not None


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("sleep 60; python3 a.py", "sleep 5; python3 a.py"),
        ("sleep 3m && curl -s http://a.invalid/", "sleep 5 && curl -s http://a.invalid/"),
        ("sleep 2; python3 a.py", "sleep 2; python3 a.py"),
        ("./serve & sleep 60; curl localhost", "./serve & sleep 60; curl localhost"),
        ("sleep 60", "sleep 60"),
        ("sleep $N; python3 a.py", "sleep $N; python3 a.py"),
    ],
)
def test_a_line_does_not_begin_with_a_long_wait(line: str, found: str) -> None:
    assert without_wait(line) == found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("  --engine=gpu|host    where it is computed", ["--engine=gpu", "--engine=host"]),
        ("[--device {cuda,cpu}]", ["--device cuda", "--device cpu"]),
        ("  --backend <NAME>  which one [possible values: cuda, cpu]", ["--backend cuda", "--backend cpu"]),
        ("  --solver NAME\n                    one of: glpk, cbc", ["--solver glpk", "--solver cbc"]),
        ("add_argument('--renderer', choices=['gl', 'software'])", ["--renderer gl", "--renderer software"]),
        ("  --mode=run|cpu", ["--mode=cpu"]),
        ("  --engine=none|test|mock", []),
        ("  --split {train,val}  --dataset=full|mini", []),
        ("  --output FILE", []),
        (
            "  --with-yaml=WHICH     system: libyaml, by pkg-config [default]\n"
            "                        lite:   the reader in contrib/yl\n",
            ["--with-yaml=system", "--with-yaml=lite"],
        ),
        ("  --with-yaml=WHICH     note: which reader\n  --quiet", []),
    ],
)
def test_listed_values_of_options_that_say_how_the_work_is_done_are_known(text: str, found: list[str]) -> None:
    assert list(dict.fromkeys("".join(one) for one in choices([text]))) == found


@pytest.mark.parametrize(
    ("line", "words", "found"),
    [
        ("cd a && python3 -u job.py in.csv", "--device cpu", "cd a && python3 -u job.py --device cpu in.csv"),
        ("./job --device gpu in.csv", "--device cpu", "./job --device cpu in.csv"),
        ("./job --device=gpu in.csv", "--device=cpu", "./job --device=cpu in.csv"),
    ],
)
def test_an_option_goes_behind_the_task_s_own_program(line: str, words: str, found: str) -> None:
    own = own_program(line)
    assert own is not None
    assert own.with_words(words) == found


@pytest.mark.parametrize("line", ["make all", "npm run x", "tar xf a.tar", "pip install a", "/usr/bin/sort a"])
def test_a_tool_of_the_system_is_none_of_the_task_s_programs(line: str) -> None:
    assert own_program(line) is None


def test_a_program_that_no_package_of_the_system_brought_is_one_of_the_task_s() -> None:
    line = "cd a && gridsum --fast in.csv | tail -1"
    own = own_program(line, {"gridsum"})
    assert own is not None
    assert own.with_words("--cpu-only") == "cd a && gridsum --cpu-only --fast in.csv | tail -1"
    text = "Run `gridsum --jobs 2 in.csv`, or `/opt/bin/gridsum --portable in.csv`, never `tailsum --x`."
    assert list(called_with([text], own)) == ["--jobs 2", "--jobs", "--portable"]
    assert own_program(line, {"other"}) is None


@pytest.mark.parametrize(
    ("option", "known"),
    [
        ("--cpu-only", True),
        ("--accept-terms", True),
        ("--accept-the-licence", True),
        ("--agree-to-terms-of-service", True),
        ("--accept-missing", False),
        ("--accept-all", False),
    ],
)
def test_options_that_name_other_means_or_agree_to_terms_are_known(option: str, known: bool) -> None:
    assert other_means(option) is known


def test_what_documents_call_the_program_with_is_known() -> None:
    own = own_program("bash job.sh in.csv")
    assert own is not None
    text = "Run `bash job.sh`, or `bash job.sh --local in.csv`, or `bash job.sh --jobs 2 -q in.csv`, never `other --x`."
    assert list(called_with([text], own)) == ["--local", "--jobs 2", "--jobs"]


def test_values_that_a_text_shows_are_taken_unless_they_do_other_work() -> None:
    text = (
        "Set CHUNK_ROWS=1000 or ENGINE=host. Try `DRY_RUN=1`, `SKIP_CHECK=yes`, `DATASET=mnist`, `DATA_DIR=data/demo`."
    )
    assert shown_in((text,), "./job") == [("CHUNK_ROWS", "1000"), ("ENGINE", "host")]
    assert shown_in((text,), "CHUNK_ROWS=5 ./job") == [("ENGINE", "host")]
    switches = "Set VIEW_GUI=off on a server; ROUND_TRIP=off is quicker, GUI_CHECK=off too."
    assert shown_in((switches,), "./job") == [("VIEW_GUI", "off")]
    assert shown_in((switches,), "./job", drawn=True) == []


def test_variables_are_known_as_sources_read_them() -> None:
    source = (
        "os.environ['A_ROOT'] os.environ.get('B_DIR') getenv(\"C_DIR\") process.env.D_DIR Sys.getenv('E_DIR')\n"
        "heap=${F_HEAP:-3g}\nG_DIR\nother = H_DIR + 1\n"
    )
    assert names_read(source) == {"A_ROOT", "B_DIR", "C_DIR", "D_DIR", "E_DIR", "F_HEAP", "G_DIR"}


def test_names_say_what_they_stand_for() -> None:
    assert places("TILE_DIR")
    assert not any(places(name) for name in ("PATH", "API_KEY_FILE", "TILE_COUNT"))
    assert other_work("--dry-run")
    assert not other_work("--device", "cpu")
    assert "g++" in same_as("clang++")
    assert "gcc" not in same_as("clang++")
    assert all(one.names[0] not in same_as(one.names[0]) for one in table().same)


def test_an_option_that_the_run_itself_took_with_success_was_no_way() -> None:
    ran = [
        CommandRun(kind="shell", command=line, tool="bash", output="", exit_code=code, blocks=())
        for line, code in (("bin/read.sh --pretended", 0), ("bin/read.sh --engine=host", 1), ("ls --all", 0))
    ]
    own = own_program("bin/read.sh in.csv")
    assert own is not None
    assert taken_by_the_run(ran, own) == {"--pretended"}


@pytest.mark.parametrize(
    ("program", "text", "found"),
    [
        ("cmake", 'option(ROUTER_SYSTEM_FMT "fmt of the system" OFF)', {"ROUTER_SYSTEM_FMT": "-DROUTER_SYSTEM_FMT=ON"}),
        ("cmake", 'OPTION( USE_BUNDLED\n  "carry our own"\n  TRUE )', {"USE_BUNDLED": "-DUSE_BUNDLED=OFF"}),
        ("cmake", 'option(BUILD_TESTING "tests" ON)\noption(DEPTH "how deep" 3)', {}),
        ("meson", "option('gpu', type : 'feature', value : 'enabled')", {"gpu": "-Dgpu=disabled"}),
        ("meson", "option('tests', type: 'boolean', value: true)", {}),
    ],
)
def test_what_a_build_declares_is_turned_the_other_way_unless_that_does_less(
    program: str, text: str, found: dict[str, str]
) -> None:
    known = next(one for one in table().generator if program in one.programs)
    assert switches(text, known) == found


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("pip install -e .", True),
        ("pip install ./tools /opt/gauge", True),
        ("npm ci", True),
        ("pip install gauge", False),
        ("pip install -r ./requirements.txt gauge", False),
        ("curl -O http://127.0.0.1/gauge.tar.gz", False),
    ],
)
def test_without_a_network_only_what_lies_here_is_installed(line: str, expected: bool) -> None:
    assert may_be_tried(line, offline=True) is expected
    assert may_be_tried(line, offline=False)


def test_a_build_is_configured_by_the_step_that_does_no_other_work_of_its_generator() -> None:
    line = "cmake -S . -B build && cmake --build build && ./build/raypath data/crust.json"
    assert [at_work(*one) for one in generators(line)] == ["", "--build"]
    assert generators("make -C build") == []
