"""Conda without a container: its commands' words, its errors' first lines, its ladder."""

from contextlib import AsyncExitStack
from dataclasses import replace

import pytest

from cases import Events
from probes import Answer, Barrier, Envelope, Settings
from probes.barriers import ladder_of
from probes.contract import FindingMaker
from probes.names import conda_packages
from probes.replay import ReplayProbe
from probes.replay.deriving import subject_of
from probes.replay.findings import findings
from probes.replay.handlers.conda import CHANNELS_TO_ACCEPT, CondaDetails
from probes.replay.resources.outcome import Outcome, Replayed
from probes.replay.routes.judging import judge, unfounded
from probes.replay.routes.ladder import Ladder, ladder_for
from probes.replay.target.conda_words import (
    activated,
    conda_call,
    over_conda_forge,
    over_pip,
    python_pin,
    run_inside,
    with_option,
    with_tool,
)
from probes.replay.target.model import ReplayTarget
from probes.replay.target.symptom import shows, symptoms
from sandboxes import Executed
from tests.probes.replay.made import context, hypothesis, shell

OLD = """
CondaToSNonInteractiveError: Terms of Service have not been accepted for the following channels. Please accept or remove them before proceeding:
    • https://repo.example/pkgs/main
    • https://repo.example/pkgs/r

To accept a channel's Terms of Service, run the following and replace `CHANNEL` with the channel name/URL:
    ‣ conda tos accept --override-channels --channel CHANNEL
"""  # noqa: E501 - the error's own lines
NEW = """
CondaToSNonInteractiveError: Terms of Service have not been accepted for the following channels. Please accept or remove them before proceeding:
    - https://repo.example/pkgs/main
    - https://repo.example/pkgs/r

To accept these channels' Terms of Service, run the following commands:
    conda tos accept --override-channels --channel https://repo.example/pkgs/main
    conda tos accept --override-channels --channel https://repo.example/pkgs/r
"""  # noqa: E501


@pytest.fixture
def ladder(tmp_path):
    """The ladder of a conda command that failed, in an envelope with these values."""

    async def made(barrier: Barrier, command: str, output: str, **values: object) -> tuple[Ladder, ReplayTarget]:
        async with AsyncExitStack() as stack:
            given = context(tmp_path, "debian", Events(commands=(shell(command, output, 1),)), stack, Settings())
        found = subject_of(hypothesis(barrier), given)
        assert isinstance(found, ReplayTarget), found
        update = {name: getattr(given.envelope, name).model_copy(update={"value": v}) for name, v in values.items()}
        envelope: Envelope = given.envelope.model_copy(update=update)
        return ladder_for(found, envelope, command, offline=False), found

    return made


def test_both_wordings_of_the_terms_are_the_same_failure() -> None:
    assert symptoms(Barrier.CONDA_TOS, OLD) == symptoms(Barrier.CONDA_TOS, NEW)
    assert shows(Barrier.CONDA_TOS, symptoms(Barrier.CONDA_TOS, OLD)[0], NEW)
    urls = ["https://repo.example/pkgs/main", "https://repo.example/pkgs/r"]
    assert list(dict.fromkeys(CHANNELS_TO_ACCEPT.findall(OLD))) == urls
    assert list(dict.fromkeys(CHANNELS_TO_ACCEPT.findall(NEW))) == urls


def test_what_conda_was_asked_for() -> None:
    call = conda_call("cd x && conda install -y -n e -c bioconda 'numpy>=1.2' bioconda::pysam python=3.9 2>&1 | tail")
    assert call is not None
    assert call.specs == ("numpy>=1.2", "pysam", "python=3.9")
    assert call.channels == ("bioconda",)
    assert (call.target, call.verb, call.from_file, python_pin(call)) == ("-n e", "install", False, "3.9")
    from_file = conda_call("conda env create -f environment.yml --name=e")
    assert from_file is not None
    assert (from_file.specs, from_file.from_file, from_file.target) == ((), True, "-n e")
    assert conda_call("conda info --envs") is None


def test_the_same_request_from_conda_forge_leaves_the_defaults_out() -> None:
    said = over_conda_forge("cd x && conda install -y -c defaults -c bioconda main::six && echo done")
    assert said is not None
    expected = "cd x && conda install --override-channels -c conda-forge -y -c bioconda six && echo done"
    assert said.split() == expected.split()
    assert over_conda_forge("conda env create -f environment.yml") is None
    assert with_tool("conda install six; conda run x", "mamba") == "mamba install six; conda run x"


def test_only_packages_that_are_known_to_be_the_same_are_asked_of_pip() -> None:
    call = conda_call("conda install -y pytorch=2.1 scikit-learn==1.4.0 'pandas>=2' python=3.11")
    assert call is not None
    assert over_pip(call) == (
        ("torch==2.1.*", "scikit-learn==1.4.0", "pandas>=2"),
        ("torch", "sklearn", "pandas"),
    )
    for command in ("conda install -y numpy samtools", "conda install -y git", "conda create -n x python=3.9"):
        other = conda_call(command)
        assert other is not None
        assert over_pip(other) is None


def test_every_known_name_stands_for_itself_once() -> None:
    assert conda_packages()["opencv"].module == "cv2"
    assert not {"git", "samtools", "blast", "r-base"} & set(conda_packages())


def test_bypasses_are_never_ready() -> None:
    forbidden = {route.id for route in ladder_of(Barrier.CONDA_TOS).route if route.tier == "T3"}
    assert forbidden == {"pretend-ci", "no-plugins"}


async def test_conda_forge_could_not_be_tried_where_only_the_indexes_are_let_through(ladder) -> None:
    found, _ = await ladder(Barrier.CONDA_TOS, "conda install -y six", OLD)
    assert {"conda-forge", "micromamba"} == {plan.id for plan, _ in found.missing}
    assert {plan.id for plan, _ in found.not_permitted} == {"pretend-ci", "no-plugins"}
    assert [ready.plan.id for ready in found.ready] == [
        *("accept-named", "accept-all", "auto-accept", "home-elsewhere", "mamba", "pip")
    ]
    opened, _ = await ladder(Barrier.CONDA_TOS, "conda install -y six", OLD, network="open")
    assert opened.missing == ()
    closed, _ = await ladder(Barrier.CONDA_TOS, "conda install -y six", OLD, network="none")
    assert {plan.id for plan, _ in closed.not_permitted} >= {"conda-forge", "micromamba", "pip"}


async def test_a_name_of_unknown_kin_leaves_pip_untried_and_r_s_packages_leave_it_out(ladder) -> None:
    found, _ = await ladder(Barrier.CONDA_TOS, "conda install -y samtools", OLD)
    assert "pip" in {plan.id for plan, _ in found.missing}
    found, _ = await ladder(Barrier.CONDA_TOS, "conda install -y -c bioconda bioconductor-x r-y", OLD)
    assert "pip" in {plan.id for plan, _ in found.meaningless}


async def test_channels_on_a_disk_need_no_network(ladder, tmp_path) -> None:
    _, found = await ladder(Barrier.CONDA_TOS, "conda install -y six", OLD, network="none")
    local = replace(found, details=CondaDetails(local_repository=True))
    async with AsyncExitStack() as stack:
        given = context(tmp_path, "offline", Events(), stack, Settings())
    ready = ladder_for(local, given.envelope, "conda install -y six", offline=True).ready
    assert "conda-forge" in {entry.plan.id for entry in ready}


def test_a_claim_alone_is_replayed_by_the_least_that_meets_the_terms(tmp_path) -> None:
    given = context(tmp_path, "debian", Events(), AsyncExitStack(), Settings())
    found = subject_of(hypothesis(Barrier.CONDA_TOS, event=None), given)
    assert isinstance(found, ReplayTarget)
    assert [attempt.command for attempt in found.attempts] == ["conda create -y -p ./.impassable-probe python"]
    assert found.expected == symptoms(Barrier.CONDA_TOS, NEW)[0]


async def test_an_image_without_conda_never_answers_for_the_run_s_machine(ladder, tmp_path) -> None:
    _, found = await ladder(Barrier.CONDA_TOS, "conda install -y -c bioconda bioconductor-pharmacogx", OLD)
    missing = Executed("x", 127, "conda: not found", timed_out=False, oom=False, seconds=1, truncated=False, sha256="")
    outcome = Outcome(replays=[Replayed("x", False, missing, False, ())], lacking="there is no conda in the image")
    given = context(tmp_path, "offline", Events(), AsyncExitStack(), Settings())
    asked = hypothesis(Barrier.CONDA_TOS)
    present, passable = findings(found, outcome, given.envelope, FindingMaker(ReplayProbe(), asked))
    assert (present.answer, passable.answer) == (Answer.UNKNOWN, Answer.UNKNOWN)
    assert "there is no conda in the image" in present.summary


@pytest.mark.parametrize(
    ("exit_code", "output", "result"),
    [
        (139, "Segmentation fault", "not_tried"),
        (127, "bash: line 1: conda: command not found", "not_applicable"),
        (1, "bash: line 1: conda: command not found", "failed"),
        (127, "bash: line 1: six: command not found", "failed"),
        (1, "PackagesNotFoundError", "failed"),
    ],
)
async def test_what_a_route_s_end_says_of_it(ladder, exit_code: int, output: str, result: str) -> None:
    _, found = await ladder(Barrier.CONDA, "conda install -y six", "PackagesNotFoundError: …\n\n  - six\n")
    plan = ladder_of(Barrier.CONDA).route[0]
    done = Executed("x", exit_code, output, timed_out=False, oom=False, seconds=1, truncated=False, sha256="")
    assert judge(found, plan, done, "")[0] == result


async def test_a_route_that_starts_from_what_is_not_there_does_not_apply_and_one_nobody_could_ask_for_is_open(
    ladder,
) -> None:
    routes, _ = await ladder(Barrier.CONDA_TOS, "conda install -y six", OLD)
    ready = next(one for one in routes.ready if one.plan.id == "mamba")
    asked = Executed(str(ready.given), 1, "", timed_out=False, oom=False, seconds=1, truncated=False, sha256="")
    route = unfounded(ready, asked).route
    assert (route.result, route.note) == (
        "not_applicable",
        "what it starts from is missing: `command -v mamba || command -v micromamba` ended with exit code 1",
    )
    assert unfounded(ready, replace(asked, exit_code=None, timed_out=True)).route.result == "not_tried"


@pytest.mark.parametrize(
    ("line", "inner"),
    [
        ("conda run -n evalenv python -m tool --at 3", "python -m tool --at 3"),
        ("cd /x && conda run --no-capture-output -p ./env ./go.sh 'a b' | tail -1", "./go.sh 'a b'"),
        ("conda activate evalenv && python -m tool", None),
        ("python -m tool", None),
    ],
)
def test_what_is_run_in_an_environment_is_read_from_the_line(line: str, inner: str | None):
    assert run_inside(line) == inner


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ("conda activate evalenv && python -m tool", "evalenv"),
        ("conda activate; python -m tool", "base"),
        ("conda deactivate", None),
        ("source env/bin/activate", None),
    ],
)
def test_the_environment_that_is_activated_is_read_from_the_line(line: str, name: str | None):
    assert activated(line) == name


def test_an_option_goes_behind_the_verb_of_a_call_that_installs_and_of_no_other():
    assert with_option("conda create -y -n a six", "-c x") == "conda create -c x -y -n a six"
    assert with_option("cd /x; conda env update -f e.yml", "-c x") == "cd /x; conda env update -c x -f e.yml"
    assert with_option("conda list -n a", "-c x") is None


def test_a_channel_that_is_none_is_left_out_beside_conda_forge():
    line = "conda create -y -c nosuch -c bioconda samtools"
    told = over_conda_forge(line, "nosuch")
    assert told
    assert " ".join(told.split()) == "conda create --override-channels -c conda-forge -y -c bioconda samtools"
    assert over_conda_forge(line) == (
        "conda create --override-channels -c conda-forge -y -c nosuch -c bioconda samtools"
    )


REFUSALS = {
    "no such conda environment: evalenv": "EnvironmentLocationNotFound: Not a conda environment: /c/envs/evalenv",
    "no such conda channel: nosuch": "UnavailableInvalidChannel: HTTP 404 NOT FOUND for channel nosuch <https://c.example/x>",
    "conda does not know this shell: conda": "CondaError: Run 'conda init' before 'conda activate'",
    "conda's requirements conflict: RattlerUnsatisfiableError": "RattlerUnsatisfiableError: Cannot solve the request",
}


@pytest.mark.parametrize("known", REFUSALS)
def test_a_refusal_is_known_by_its_first_line(known: str):
    assert [str(one) for one in symptoms(Barrier.CONDA, f"\n{REFUSALS[known]}\n\n")] == [known]


async def test_a_command_that_installs_nothing_gets_no_route_that_installs(ladder):
    missing = "EnvironmentNameNotFound: Could not find conda environment: evalenv\n"
    made, _ = await ladder(Barrier.CONDA, "conda run -n evalenv python -m tool", missing)
    assert {one.plan.id for one in made.ready} == {"environment-elsewhere", "another-environment"}
    assert not made.missing
