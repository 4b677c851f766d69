"""Networks that are not there: what a container without one, or with the package indexes alone, can tell."""

import functools
import threading
from contextlib import AsyncExitStack
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from cases import CommandRun, Events
from probes import Answer, Barrier, Finding, Question, Settings, WebSettings
from probes.replay.deriving import subject_of
from probes.replay.handlers.clones import clones, name_at
from probes.replay.resources.outcome import Outcome
from probes.replay.routes.ladder import ladder_for
from probes.replay.target.model import ReplayTarget
from tests.probes.replay.made import Replay, context, hypothesis, shell

PRESENT, PASSABLE = Question.PRESENT, Question.PASSABLE
IN_CONTAINERS = [pytest.mark.docker, pytest.mark.network, pytest.mark.slow, pytest.mark.timeout(900)]
NO_NAME = (
    "NewConnectionError('…: Failed to establish a new connection: [Errno -3] Temporary failure in name resolution')"
)
PIP = shell(
    "pip install iniconfig",
    f"WARNING: Retrying after connection broken by '{NO_NAME}': /simple/iniconfig/\n"
    "ERROR: No matching distribution found for iniconfig",
    1,
)


def derived(tmp_path: Path, failed: CommandRun | None, *hosts: str, profile: str = "debian"):
    made = context(tmp_path, profile, Events(commands=(failed,) if failed else ()), AsyncExitStack(), Settings())
    asked = hypothesis(Barrier.NETWORK, event=0 if failed else None, hosts=hosts)
    return subject_of(asked, made), made.envelope


@pytest.mark.parametrize("host", ["<URL>", "{host}", "your-server.org", "www.example.com", "data.invalid", "$HOST"])
def test_a_host_that_cannot_exist_is_the_agent_s_doing(tmp_path: Path, host: str) -> None:
    failed = shell(f"curl -O {host}", f"curl: (6) Could not resolve host: {host}", 6)
    found, _ = derived(tmp_path, failed, host)
    assert isinstance(found, str)
    assert "placeholder that the agent typed" in found


@pytest.mark.parametrize("host", ["zenodo.org", "db", "10.0.0.7", "mysite.org", "examples.org", "https://x.org/src"])
def test_a_host_that_may_exist_is_no_placeholder(tmp_path: Path, host: str) -> None:
    found, _ = derived(tmp_path, shell("x", "Network is unreachable", 1), host)
    assert isinstance(found, ReplayTarget), found


def test_a_claim_s_host_is_asked_for_by_the_programs_whose_words_are_known(tmp_path: Path) -> None:
    found, _ = derived(tmp_path, None, "zenodo.org")
    assert isinstance(found, ReplayTarget)
    assert found.attempts[0].reconstructed
    assert found.attempts[0].command.startswith("curl -sS -m 20 -o /dev/null https://zenodo.org/; python3 -c ")


@pytest.mark.parametrize(
    ("command", "name", "value"),
    [
        ("wget https://zenodo.org/record/1/files/table.csv?download=1", "file", "table.csv"),
        ("pip install 'six==1.16'", "distribution", "six"),
    ],
)
def test_what_was_to_be_fetched_is_looked_for_on_disk(tmp_path: Path, command: str, name: str, value: str) -> None:
    found, envelope = derived(tmp_path, shell(command, "Network is unreachable", 1), profile="offline")
    assert isinstance(found, ReplayTarget)
    assert found.values(command).fill(f"{{{name}}}") == value
    ladder = ladder_for(found, envelope, command, offline=False)
    assert {"copy-on-disk", "wheel-on-disk"} & {ready.plan.id for ready in ladder.ready}
    assert {"another-mirror"} <= {plan.id for plan, _ in ladder.not_permitted}


@pytest.mark.parametrize("path", ["/someone/model.git", "/someone/model.git@main", "/someone/model/"])
def test_a_repository_has_the_name_of_its_folder(path: str) -> None:
    assert name_at(path) == "model"


@pytest.mark.parametrize(
    ("command", "yes"),
    [
        ("timeout 60 git -C /tmp clone https://github.com/someone/model.git", True),
        ("pip install 'model @ git+https://github.com/someone/model.git@main'", True),
        ("wget https://github.com/someone/model.git", False),
        ("echo git clone https://github.com/someone/model.git", False),
    ],
)
def test_a_line_clones_what_git_or_an_installer_is_given(command: str, *, yes: bool) -> None:
    assert clones(command) is yes


def test_where_only_indexes_are_let_through_a_mirror_elsewhere_is_untried_never_failed(tmp_path: Path) -> None:
    command = "wget https://zenodo.org/record/1/files/table.csv"
    found, envelope = derived(tmp_path, shell(command, "Network is unreachable", 1))
    assert isinstance(found, ReplayTarget)
    ladder = ladder_for(found, envelope, command, offline=False)
    assert [plan.id for plan, _ in ladder.missing] == ["another-mirror"]


@pytest.mark.parametrize(
    ("asked", "own", "expected"),
    [("indexes", "open", "only package indexes"), ("none", "indexes", "offline"), ("none", "none", None)],
)
def test_a_network_narrower_than_the_run_s_proves_nothing(
    tmp_path: Path, asked: str, own: str, expected: str | None
) -> None:
    found, _ = derived(tmp_path, PIP)
    assert isinstance(found, ReplayTarget)
    profile = {"container": {"network": {"asked": asked}}, "envelope": {"network": {"value": own}}}
    doubt = found.handler.meaningless(found, Outcome(profile=profile))
    assert (doubt is None) if expected is None else expected in (doubt or "")


@pytest.mark.parametrize(("retries", "settled"), [(1, False), (3, True)])
def test_a_network_s_lack_that_only_failures_tell_of_must_have_failed_often(
    tmp_path: Path, retries: int, settled: bool
) -> None:
    failed = shell("pip install iniconfig", f"WARNING: Retrying after connection broken by '{NO_NAME}'\n" * retries, 1)
    found, _ = derived(tmp_path, failed)
    assert isinstance(found, ReplayTarget)
    observed = Outcome(profile={"envelope": {"network": {"value": "none", "origin": "observed"}}})
    assert (found.handler.unsettled(found, observed) is None) is settled
    known = Outcome(profile={"envelope": {"network": {"value": "none", "origin": "profile"}}})
    assert found.handler.unsettled(found, known) is None


async def report_of(replay: Replay, folder: Path) -> dict[Question, Finding]:
    """What is found of `python3 report.py` in a folder, which failed for a name that nobody resolves."""
    said = "urllib.error.URLError: <urlopen error [Errno -3] Temporary failure in name resolution>"
    asked = hypothesis(Barrier.COMMAND_FAILS, event=0, commands=("python3 report.py",))
    failed, settings = shell("python3 report.py", said, 1), Settings(workspace=folder)
    return await replay(asked, failed, profile="offline", settings=settings, prompt="Run `python3 report.py`.")


class TestInContainers:
    pytestmark = IN_CONTAINERS

    @pytest.mark.exhaustive
    async def test_without_any_network_an_index_is_impassable_and_with_it_the_command_works(
        self, replay: Replay
    ) -> None:
        found = await replay(hypothesis(Barrier.NETWORK), PIP, profile="offline")
        assert found[PRESENT].valid_answer is Answer.YES, found[PRESENT]
        assert any(control.name == "other tools on the same network" for control in found[PRESENT].controls)
        assert found[PASSABLE].valid_answer is Answer.NO, found[PASSABLE]
        routes = (route for route in found[PASSABLE].routes if route.result != "not_applicable")
        results = {route.id: route.result for route in routes}
        assert results == {
            "installed-already": "failed",
            "wheel-on-disk": "failed",
            "wheelhouse": "failed",
            "wheels-in-an-archive": "failed",
            "as-is-without-isolation": "failed",
            "from-the-index": "not_permitted",
            "another-mirror": "not_permitted",
        }

    @pytest.mark.exhaustive
    async def test_a_copy_on_disk_stands_in_for_a_download(self, replay: Replay) -> None:
        before = shell("mkdir -p data && echo a,b > data/table.csv")
        failed = shell(
            "curl -fsSO https://zenodo.org/record/1/table.csv", "curl: (6) Could not resolve host: zenodo.org", 6
        )
        found = await replay(
            hypothesis(Barrier.NETWORK, event=1, hosts=("zenodo.org",)), before, failed, profile="offline"
        )
        assert found[PRESENT].valid_answer is Answer.YES
        assert found[PASSABLE].valid_answer is Answer.YES
        assert next(route.id for route in found[PASSABLE].routes if route.result == "passed") == "copy-on-disk"

    @pytest.mark.parametrize(
        "made", ["results/model/figures", pytest.param("/tmp/work/model", marks=pytest.mark.exhaustive)]
    )
    @pytest.mark.exhaustive
    async def test_sources_that_came_with_the_task_stand_in_for_a_clone_whatever_directories_the_run_made(
        self, replay: Replay, tmp_path: Path, made: str
    ) -> None:
        sources = tmp_path / "task" / "vendor" / "model"
        sources.mkdir(parents=True)
        (sources / "model.py").write_text("print(3)\n")
        (sources / "README.md").write_text("Issues: https://github.com/someone/model/issues\n")
        clone = "git clone https://github.com/someone/model.git"
        refused = shell(clone, "fatal: unable to access: Could not resolve host: github.com", 128)
        claim = hypothesis(Barrier.NETWORK, event=3, hosts=("github.com",), commands=(clone,))
        settings = Settings(workspace=tmp_path / "task")
        steps = [shell(f"mkdir -p {made}"), refused, refused, refused]
        found = await replay(claim, *steps, profile="offline", settings=settings)
        assert [one.id for one in found[PASSABLE].routes if one.result == "passed"] == ["repository-on-disk"]
        (sources / "README.md").unlink()
        found = await replay(claim, *steps, profile="offline", settings=settings)
        assert found[PASSABLE].valid_answer is Answer.UNKNOWN, "nothing tells whose sources these are"
        (sources / "model.py").unlink()
        found = await replay(claim, *steps, profile="offline", settings=settings)
        assert not [one for one in found[PASSABLE].routes if one.result == "passed"]

    @pytest.mark.exhaustive
    @pytest.mark.parametrize(
        ("prompt", "answer"),
        [("Write the median to median.txt.", Answer.UNKNOWN), ("Fetch what is missing.", Answer.NO)],
    )
    async def test_a_file_that_the_prompt_names_and_that_is_made_before_the_call_leaves_it_open(
        self, replay: Replay, prompt: str, answer: Answer
    ) -> None:
        line = "echo 3 > median.txt; curl -fsS https://stats.openhydro.org/done"
        failed = shell(line, "curl: (6) Could not resolve host: stats.openhydro.org", 6)
        claim = hypothesis(Barrier.NETWORK, event=0, hosts=("stats.openhydro.org",), commands=(line,))
        found = await replay(claim, failed, profile="offline", prompt=prompt)
        assert found[PASSABLE].valid_answer is answer, found[PASSABLE]

    @pytest.mark.parametrize(
        ("does", "answer"),
        [
            ("newest = urlopen('https://words.openhydro.org/v').read()\nprint(len('a b'.split()))", Answer.UNKNOWN),
            pytest.param(
                "print(len(urlopen('https://words.openhydro.org/v').read()))", Answer.NO, marks=pytest.mark.exhaustive
            ),
            pytest.param(
                "import os\nassert not os.system('curl -fsS -o w https://words.openhydro.org/v')\nprint('done')",
                Answer.NO,
                marks=pytest.mark.exhaustive,
            ),
            (
                "rows = urlopen('https://words.openhydro.org/v').read().split()[1:]\nprint('rows', len(rows))",
                Answer.NO,
            ),
        ],
        ids=["for nothing", "for what it prints", "for what it writes", "for its lines"],
    )
    async def test_a_host_whose_answer_makes_no_difference_leaves_it_open(
        self, replay: Replay, tmp_path: Path, does: str, answer: Answer
    ) -> None:
        (tmp_path / "task").mkdir()
        (tmp_path / "task" / "words.py").write_text(f"from urllib.request import urlopen\n{does}\n")
        failed = shell("python3 words.py", "URLError: Temporary failure in name resolution", 1)
        claim = hypothesis(Barrier.NETWORK, event=2, hosts=("words.openhydro.org",), commands=(failed.command,))
        settings = Settings(workspace=tmp_path / "task")
        found = await replay(
            claim, failed, failed, failed, profile="offline", settings=settings, prompt="Run words.py."
        )
        assert found[PASSABLE].valid_answer is answer, found[PASSABLE]

    @pytest.mark.exhaustive
    async def test_a_folder_with_nothing_but_a_readme_is_no_clone_and_a_bare_mirror_may_be(
        self, replay: Replay, tmp_path: Path
    ) -> None:
        task = tmp_path / "task"
        (task / "vendor" / "model").mkdir(parents=True)
        (task / "vendor" / "model" / "README").write_text("put https://github.com/someone/model here\n")
        clone = "git clone https://github.com/someone/model.git"
        refused = shell(clone, "fatal: unable to access: Could not resolve host: github.com", 128)
        claim = hypothesis(Barrier.NETWORK, event=2, hosts=("github.com",), commands=(clone,))
        settings = Settings(workspace=task)
        found = await replay(claim, refused, refused, refused, profile="offline", settings=settings)
        assert found[PASSABLE].valid_answer is Answer.NO, found[PASSABLE]
        (task / "model.git").mkdir()
        (task / "model.git" / "HEAD").write_text("ref: refs/heads/main\n")
        found = await replay(claim, refused, refused, refused, profile="offline", settings=settings)
        assert found[PASSABLE].valid_answer is Answer.UNKNOWN, found[PASSABLE]

    async def test_an_index_that_answers_now_is_no_barrier(self, replay: Replay) -> None:
        found = await replay(hypothesis(Barrier.NETWORK), PIP)
        assert found[PRESENT].valid_answer is Answer.NO
        assert PASSABLE not in found

    @pytest.mark.exhaustive
    async def test_a_dead_proxy_of_the_command_s_own_is_passed_without_it(self, replay: Replay) -> None:
        failed = shell(
            "https_proxy=http://127.0.0.1:9 pip install --retries 0 iniconfig",
            "WARNING: Retrying after connection broken by 'ProxyError('Cannot connect to proxy.', "
            "NewConnectionError('Failed to establish a new connection: [Errno 111] Connection refused'))'",
            1,
        )
        found = await replay(hypothesis(Barrier.NETWORK), failed)
        assert found[PRESENT].valid_answer is Answer.UNKNOWN
        assert found[PASSABLE].valid_answer is Answer.YES
        assert next(route.id for route in found[PASSABLE].routes if route.result == "passed") == "proxy-unset"

    @pytest.mark.exhaustive
    async def test_a_host_that_is_no_index_stays_unknown(self, replay: Replay) -> None:
        failed = shell("curl -fsSO https://zenodo.org/x.csv", "curl: (6) Could not resolve host: zenodo.org", 6)
        found = await replay(hypothesis(Barrier.NETWORK, hosts=("zenodo.org",)), failed)
        assert found[PRESENT].valid_answer is Answer.UNKNOWN
        assert found[PASSABLE].valid_answer is Answer.UNKNOWN

    @pytest.mark.parametrize(
        ("more", "passable"),
        [('"tries": 3', Answer.NO), ('"mock": false', Answer.UNKNOWN)],
    )
    @pytest.mark.exhaustive
    async def test_settings_that_only_lead_to_the_host_let_no_program_do_without_it(
        self, replay: Replay, tmp_path: Path, more: str, passable: Answer
    ) -> None:
        (tmp_path / "config.json").write_text(f'{{"server": "http://store.lab.internal:8086", {more}}}')
        code = "import json, urllib.request\n\nat = json.load(open('config.json'))['server']\n"
        (tmp_path / "report.py").write_text(f"{code}print(urllib.request.urlopen(at + '/samples').read())\n")
        found = await report_of(replay, tmp_path)
        assert found[PRESENT].barrier is Barrier.NETWORK, found[PRESENT]
        assert found[PASSABLE].valid_answer is passable, found[PASSABLE].summary

    @pytest.mark.exhaustive
    @pytest.mark.parametrize(
        ("name", "text", "passable"),
        [
            ("store/serve.py", "import http.server\nhttp.server.HTTPServer(('', 8086), None)\n", Answer.UNKNOWN),
            ("export/samples.json", "[1, 2]", Answer.UNKNOWN),
            ("export/others.json", "[1, 2]", Answer.NO),
        ],
    )
    async def test_what_may_stand_in_for_a_host_beside_the_machine_leaves_it_open(
        self, replay: Replay, tmp_path: Path, name: str, text: str, passable: Answer
    ) -> None:
        (tmp_path / ".env").write_text("STORE=http://store.lab.internal:8086\n")
        (tmp_path / name).parent.mkdir()
        (tmp_path / name).write_text(text)
        (tmp_path / "report.py").write_text(
            "import json, urllib.request\n\nat = open('.env').read().strip().split('=')[1]\n"
            "print(urllib.request.urlopen(at + '/samples').read())\n"
        )
        found = await report_of(replay, tmp_path)
        assert found[PASSABLE].valid_answer is passable, found[PASSABLE].summary

    @pytest.mark.exhaustive
    @pytest.mark.parametrize(("mode", "passable"), [("w", Answer.NO), ("r", Answer.UNKNOWN)])
    async def test_a_file_that_a_program_only_writes_lets_it_do_without_nothing(
        self, replay: Replay, tmp_path: Path, mode: str, passable: Answer
    ) -> None:
        (tmp_path / ".env").write_text("STORE=http://store.lab.internal:8086\nSTORE_TOKEN=k9f2a61c0\n")
        (tmp_path / "report.py").write_text(
            "import json, urllib.request\n\nset = dict(line.strip().split('=', 1) for line in open('.env'))\n"
            "rows = json.load(urllib.request.urlopen(set['STORE'] + '/samples'))\n"
            f"print(rows, open('report.json', '{mode}'))\n"
        )
        found = await report_of(replay, tmp_path)
        assert found[PASSABLE].valid_answer is passable, found[PASSABLE].summary

    @pytest.mark.exhaustive
    @pytest.mark.parametrize(
        ("prompt", "network", "present"),
        [
            ("Fetch table.csv from data.harbour-lab.net.", "task", Answer.NO),
            ("Fetch table.csv from the harbour.", "task", Answer.UNKNOWN),
            ("Fetch table.csv from data.harbour-lab.net.", "indexes", Answer.UNKNOWN),
            ("Fetch table.csv from the harbour.", "open", Answer.NO),
        ],
    )
    async def test_a_host_that_is_let_through_is_asked_and_our_own_refusal_proves_nothing(
        self, replay: Replay, tmp_path: Path, prompt: str, network: str, present: Answer
    ) -> None:
        served = tmp_path / "served"
        served.mkdir()
        (served / "table.csv").write_text("a,b\n")
        handler = functools.partial(SimpleHTTPRequestHandler, directory=served)
        profile = tmp_path / "wide.toml"
        profile.write_text(f'extends = "debian"\n[envelope]\nnetwork = "{network}"\n')
        failed = shell(
            "curl -fsSO http://data.harbour-lab.net/table.csv",
            "curl: (6) Could not resolve host: data.harbour-lab.net",
            6,
        )
        with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
            threading.Thread(target=server.serve_forever, daemon=True).start()
            lab = WebSettings(resolve={"data.harbour-lab.net": f"127.0.0.1:{server.server_port}"})
            asked = hypothesis(Barrier.NETWORK, hosts=("data.harbour-lab.net",))
            found = await replay(asked, failed, profile=str(profile), settings=Settings(web=lab), prompt=prompt)
            server.shutdown()
        assert found[PRESENT].valid_answer is present, found[PRESENT]
        let = [one.value for one in found[PRESENT].observations if one.name == "our own proxy let through"]
        told = " ".join(found[PRESENT].limits)
        if present is Answer.NO:
            assert "data.harbour-lab.net:80" in let[0]
        else:
            assert "Our own proxy refused data.harbour-lab.net:80" in told
            assert PASSABLE not in found or found[PASSABLE].valid_answer is not Answer.NO
