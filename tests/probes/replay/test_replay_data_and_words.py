"""The parts of the replay probe that need no container: symptoms, the script, names, ladders."""

import re
from contextlib import AsyncExitStack
from dataclasses import replace
from pathlib import Path

import pytest

from cases import CommandRun, Events
from cases.task_words import PROMPT
from cases.touches.installing import requirements
from probes import Barrier, Settings
from probes.barriers import ladder_of
from probes.names import headers, modules, programs
from probes.replay.deriving import subject_of
from probes.replay.handlers import handler_of
from probes.replay.handlers.demands import Demand
from probes.replay.handlers.package import PackageDetails
from probes.replay.handlers.path import PathDetails
from probes.replay.resources.outcome import Outcome
from probes.replay.routes.ladder import ladder_for
from probes.replay.target.details import PARAMETER, RouteValues
from probes.replay.target.model import Attempt, ReplayTarget
from probes.replay.target.script import script, takes_away
from probes.replay.target.symptom import Symptom, last_line, normalised, shows, symptoms, trouble_in
from sandboxes.tracing import Fact
from tests.probes.replay.made import context, hypothesis, python, shell


def subject(tmp_path: Path, barrier: Barrier, *commands: CommandRun, event: int | None = 0, **targets: tuple[str, ...]):
    made = context(tmp_path, "debian", Events(commands=commands), AsyncExitStack(), Settings())
    return subject_of(hypothesis(barrier, event=event, **targets), made), made


@pytest.mark.parametrize(
    ("barrier", "said", "spelt"),
    [
        (Barrier.PIP, "A_b[c]==1", "a-b"),
        (Barrier.MISSING_DATA, "./x/../y.csv", "y.csv"),
        (Barrier.CRASH, "Killed", "memory"),
    ],
)
def test_one_thing_has_one_spelling(barrier: Barrier, said: str, spelt: str) -> None:
    assert normalised(barrier, said) == spelt


def test_offline_and_incompatible_are_not_the_same_failure() -> None:
    offline = "satisfies the requirement x==9 (from versions: none)\nNo matching distribution found for x==9"
    old = "satisfies the requirement x==9 (from versions: 1.0)\nNo matching distribution found for x==9"
    assert not shows(Barrier.PIP, symptoms(Barrier.PIP, offline)[0], old)


def test_without_a_signature_the_last_line_speaks_less_what_changes() -> None:
    first, second = "a\nfailed at 0x7f12 in /tmp/a1/b.py line 12\n", "failed at 0x9999 in /tmp/zz/b.py line 9"
    assert last_line(first) == last_line(second)
    assert last_line("failed otherwise") != last_line(first)


TRACEBACK = 'Traceback (most recent call last):\n  File "/w/a.py", line {}, in <module>\n{}    z = load(path)\n'


def test_a_failure_is_the_same_wherever_another_stream_is_mixed_with_it() -> None:
    told = "ValueError: cannot load fold0.npz\n"
    mixed = (
        f"folds: 5\n{TRACEBACK.format(4, '')}{told}",
        TRACEBACK.format(4, "folds: 5\n") + told,
        f"{TRACEBACK.format(4, '')}{told}epochs: 600\nfolds: 5\n",
    )
    assert len({last_line(text) for text in mixed}) == 1
    assert last_line(f"{TRACEBACK.format(9, '')}KeyError: 'w'\nfolds: 5\n") != last_line(mixed[0])


def test_trouble_with_an_index_counts_only_where_one_was_allowed() -> None:
    text = "NewConnectionError: Temporary failure in name resolution"
    assert trouble_in(text, network=True) == "the index could not be reached"
    assert trouble_in(text, network=False) is None
    assert trouble_in("write error: No space left on device", network=False) == "the disk is full"


@pytest.mark.parametrize(
    "command",
    [
        "rm x",
        "cd a && rm -rf x",
        "sudo rm x",
        "for f in *.py; do rm $f; done",
        "if [ -e x ]; then rm x; fi",
        "/bin/rm x",
        "/usr/bin/mv x y",
        "{ rm x; }",
        "env rm x",
        "find . -name '*.py' -exec rm {} +",
        "git clean -fdxq",
        "git -C repo checkout HEAD~1",
        "make clean && ls",
        ": > x",
        "python3 -c \"from pathlib import Path; Path('x').unlink()\"",
        "python3 -c \"import shutil; shutil.move('x', 'y')\"",
        "gzip data.csv",
        "ls | xargs rm -f x",
        "bash -c 'rm -rf x'",
        "python3 -m pip uninstall -y x",
        "pip config set global.index-url x",
        "echo 'ssl_verify: false' > ~/.condarc",
    ],
)
def test_commands_that_take_something_away_are_known(command: str) -> None:
    assert takes_away(command)


@pytest.mark.parametrize(
    "command",
    [
        "python3 rm.py x",
        "ls rm",
        "git clone x",
        "make all",
        "echo done > x",
        "form --move x",
        "make",
        "grep -rn '; rm x' .",
    ],
)
def test_commands_whose_words_only_resemble_these_are_not(command: str) -> None:
    assert not takes_away(command)


def test_the_script_keeps_the_order_and_the_end_of_a_long_history(tmp_path: Path) -> None:
    steps = [shell(f"touch f{number}") for number in range(60)]
    found, _ = subject(tmp_path, Barrier.MODULE, *steps, shell("x", "No module named 'm'"), event=60, modules=("m",))
    assert isinstance(found, ReplayTarget)
    kept, dropped = script(found)
    assert dropped == 20
    assert [step.command for step in kept] == [f"touch f{number}" for number in range(20, 60)]


def test_an_output_without_its_command_is_reconstructed_not_replayed_as_nothing(tmp_path: Path) -> None:
    found, _ = subject(
        tmp_path, Barrier.COMMAND, shell("", "/bin/sh: 1: jupyter: not found", 127), programs=("jupyter",)
    )
    assert isinstance(found, ReplayTarget)
    assert [(attempt.command, attempt.reconstructed) for attempt in found.attempts] == [("jupyter --version", True)]


def test_python_of_a_terminal_agent_is_replayed_by_the_import_itself(tmp_path: Path) -> None:
    failed = python("import cv2\ncv2.x()", "ModuleNotFoundError: No module named 'cv2'")
    found, _ = subject(tmp_path, Barrier.MODULE, failed, modules=("cv2",))
    assert isinstance(found, ReplayTarget)
    assert [attempt.command for attempt in found.attempts] == ['python3 -c "import cv2"']
    assert found.values(found.attempts[0].command).fill("{package}") == "opencv-python-headless"


def test_the_run_s_own_command_comes_before_its_reconstruction(tmp_path: Path) -> None:
    failed = shell("python3 train.py", "ModuleNotFoundError: No module named 'torch'", 1)
    found, _ = subject(tmp_path, Barrier.MODULE, failed, modules=("torch",))
    assert isinstance(found, ReplayTarget)
    assert [attempt.reconstructed for attempt in found.attempts] == [False, True]


@pytest.mark.parametrize("name", ["x; rm -rf /", "$(id)", "a b", "-r", "../x"])
def test_a_target_that_is_no_name_never_reaches_a_shell(tmp_path: Path, name: str) -> None:
    for barrier, kind in ((Barrier.MODULE, "modules"), (Barrier.COMMAND, "programs"), (Barrier.PIP, "packages")):
        found, _ = subject(tmp_path, barrier, event=None, **{kind: (name,)})
        assert isinstance(found, str), found


def test_what_pip_was_asked_for() -> None:
    assert requirements("cd x && pip install -q 'numpy==1.19.5' scipy[test] -r r.txt ./local && ls") == [
        "numpy==1.19.5",
        "scipy[test]",
    ]
    assert requirements("python3 -m pip install --target d six") == ["six"]
    assert requirements("pip list") == []


def test_a_pin_in_the_command_is_kept(tmp_path: Path) -> None:
    failed = shell("pip install numpy==1.19.5", "ERROR: No matching distribution found for numpy==1.19.5", 1)
    found, _ = subject(tmp_path, Barrier.PIP, failed, packages=("numpy",))
    assert isinstance(found, ReplayTarget)
    assert (found.about, found.told(PackageDetails).distribution) == ("numpy==1.19.5", "numpy")


def test_a_route_that_cannot_be_filled_in_is_said_to_be_untried(tmp_path: Path) -> None:
    failed = shell("make", "x.c:1: fatal error: unheard/of.h: No such file or directory", 2)
    found, made = subject(tmp_path, Barrier.HEADER, failed, headers=("unheard/of.h",))
    assert isinstance(found, ReplayTarget)
    ladder = ladder_for(found, made.envelope, "make", offline=False)
    assert {plan.id for plan, _ in ladder.missing} == {"debs-unpacked", "conda-forge-library"}
    assert "wheel" in {plan.id for plan, _ in ladder.meaningless}
    assert "apt-root" in {plan.id for plan, _ in ladder.not_permitted}


def test_root_needs_no_sudo(tmp_path: Path) -> None:
    failed = shell("xz --version", "/bin/sh: 1: xz: not found", 127)
    found, made = subject(tmp_path, Barrier.COMMAND, failed, programs=("xz",))
    assert isinstance(found, ReplayTarget)
    root = made.envelope.model_copy(update={"user": made.envelope.user.model_copy(update={"value": "root"})})
    ladder = ladder_for(found, root, "xz --version", offline=False)
    apt = next(ready for ready in ladder.ready if ready.plan.id == "apt-root")
    assert apt.commands == ("apt-get update -qq", "apt-get install -y --no-install-recommends xz")


def test_another_place_is_put_into_the_command_only_where_it_is_named(tmp_path: Path) -> None:
    failed = shell("ls ../results2", "‘../results’: Permission denied", 1)
    found, _ = subject(tmp_path, Barrier.PERMISSION, failed, paths=("../results",))
    assert isinstance(found, ReplayTarget)
    assert not found.values(failed.command).has("command_local")
    failed = shell("mkdir ../results && cd ../results", "‘../results’: Permission denied", 1)
    found, _ = subject(tmp_path, Barrier.PERMISSION, failed, paths=("../results",))
    assert isinstance(found, ReplayTarget)
    assert found.values(failed.command).fill("{command_local}") == "mkdir ./results && cd ./results"


def test_another_place_is_no_way_past_where_the_task_demands_that_one(tmp_path: Path) -> None:
    failed = shell("mkdir /results", "‘/results’: Permission denied", 1)
    found, made = subject(tmp_path, Barrier.PERMISSION, failed, paths=("/results",))
    routes = [
        {ready.plan.id for ready in ladder_for(asked, made.envelope, failed.command, offline=False).ready}
        for asked in (found, replace(found, details=PathDetails(Demand(PROMPT, "/results"))))
    ]
    elsewhere = {
        *("relative-path", "relative-directory", "home", "put-right-in-its-sources", "own-folder-in-its-sources"),
        "own-copy",
    }
    assert routes[0] - routes[1] == elsewhere
    assert "chmod" in routes[1]
    for title, sure in ((PROMPT, True), (PROMPT, False), ("README.md", False)):
        asked = replace(found, details=PathDetails(Demand(title, "/results", sure)))
        assert (asked.handler.unsettled(asked, Outcome()) is None) is sure
        told = "requires /results" if sure else "may require /results"
        assert told in asked.handler.remarks(asked, Outcome())[0]


def test_all_names_load() -> None:
    assert modules()
    assert programs()
    assert headers()


@pytest.mark.parametrize("barrier", [barrier for barrier in Barrier if handler_of(barrier)])
def test_every_name_in_a_route_is_one_of_its_kind_s_own(barrier: Barrier) -> None:
    kind, ladder = handler_of(barrier), ladder_of(barrier)
    assert kind is not None
    attempts, details = (Attempt("x", reconstructed=True),), kind.details()
    named = ReplayTarget(kind, barrier, attempts, Symptom("x", "x"), "x", details=details).values("x").named
    texts = [*ladder.goal, *(command for way in ladder.lift for command in way.commands)]
    for route in ladder.route:
        texts += [*route.commands, *(route.goal or ()), *route.env.values(), route.retry or ""]
    assert all(isinstance(named[name], str | None) for text in texts for name in PARAMETER.findall(text))
    asked = {name for route in ladder.route for name in (*route.when, *route.unless, route.local) if name}
    assert asked <= named.keys()
    assert len({route.id for route in ladder.route}) == len(ladder.route)


def test_a_text_is_filled_with_what_is_known_and_other_braces_stay() -> None:
    values = RouteValues({"header": "png.h", "apt": None, "library": "", "index": True, "demanded": False})
    assert values.fill("awk '{print}' {header}{library}") == "awk '{print}' png.h"
    assert [values.lacking(text) for text in ("{header}", "{library}{print}", "{header} {apt}")] == [None, None, "apt"]
    assert [name for name in values.named if values.has(name)] == ["header", "library", "index"]
    with pytest.raises(ValueError, match="apt is not known"):
        values.fill("{apt}")


def test_details_of_another_kind_are_no_answer(tmp_path: Path) -> None:
    failed = shell("mkdir /results", "‘/results’: Permission denied", 1)
    found, _ = subject(tmp_path, Barrier.PERMISSION, failed, paths=("/results",))
    assert isinstance(found, ReplayTarget)
    assert found.told(PathDetails) == PathDetails()
    with pytest.raises(TypeError, match="PathDetails"):
        found.told(PackageDetails)


def test_no_index_host_is_named_in_the_data() -> None:
    folder = Path(__file__).parents[3]
    files = [
        path for room in ("probes/replay", "probes/envelope", "sandboxes") for path in (folder / room).rglob("*.*")
    ]
    text = "\n".join(path.read_text(encoding="utf-8") for path in files if path.suffix in {".py", ".toml", ".sh"})
    assert not re.search(r"\b(?:py(?:pi|thon)\w*|debian|npmjs)\.(?:org|com)\b", text)


def test_a_word_that_is_no_path_gives_way_to_the_path_that_was_measured(tmp_path: Path) -> None:
    said = "Abbruch: /srv/export/mittel.csv lässt sich nicht anlegen. Ursache: Read-only file system"
    found, _ = subject(tmp_path, Barrier.READ_ONLY, shell("python3 bericht.py", said, 3), paths=("Ursache",))
    assert isinstance(found, ReplayTarget)
    refused = Fact(kind="read-only", subject="/srv/export/mittel.csv", process="python3", named=True)
    assert found.handler.measured(found, (refused,)) == "/srv/export/mittel.csv"
    assert found.handler.measured(found, ()) == "Ursache"
    told = replace(found, about="mittel.csv")
    assert told.handler.measured(told, (refused,)) == "mittel.csv"
