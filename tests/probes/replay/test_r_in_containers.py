"""R's failures, met and passed for real: Debian's R, a repository of source packages on disk."""

import shutil
import tarfile
from pathlib import Path

import pytest

from probes import Answer, Barrier, Finding, Question, Settings
from tests.lab.r import r_image
from tests.probes.replay.made import Replay, hypothesis, shell

pytestmark = [pytest.mark.docker, pytest.mark.network, pytest.mark.slow, pytest.mark.timeout(900)]

PRESENT, PASSABLE = Question.PRESENT, Question.PASSABLE
PROFILE = """
name = "lab"
source = "tests/lab/r"
[envelope]
image = "{image}"
user = "agent"
sudo = false
network = "{network}"
tools = ["execute_bash"]
shell = true
python = "3.11"
workdir = "/work"
tmpfs = [{tmpfs}]
"""
OWN = "mkdir -p lib && R_LIBS_USER=$PWD/lib"


@pytest.fixture
def profile(tmp_path: Path):
    """Writes a profile of the lab's R; returns its path."""

    def write(*, network: str = "none", tmpfs: str = "") -> str:
        path = tmp_path / "lab.toml"
        path.write_text(PROFILE.format(image=r_image(), network=network, tmpfs=tmpfs), encoding="utf-8")
        return str(path)

    return write


def passed(finding: Finding) -> str | None:
    return next((route.id for route in finding.routes if route.result == "passed"), None)


@pytest.mark.exhaustive
async def test_a_temporary_directory_that_forbids_execution_is_passed_by_another(replay: Replay, profile) -> None:
    output = (
        "* installing *source* package ‘labconf’ ...\n** using staged installation\n"
        "ERROR: 'configure' exists but is not executable -- see the 'R Installation and Administration Manual'\n"
        "* removing ‘/opt/conda/lib/R/library/labconf’\n"
    )
    failed = shell(f"{OWN} Rscript -e 'install.packages(\"labconf\")'", output, 0)
    where = profile(tmpfs='"/tmp:size=128m,mode=1777"')
    found = await replay(hypothesis(Barrier.R_PACKAGE, packages=("labconf",)), failed, profile=where)
    assert found[PRESENT].valid_answer is Answer.YES, found[PRESENT]
    assert "configure not executable: labconf" in found[PRESENT].summary
    assert found[PASSABLE].valid_answer is Answer.YES, found[PASSABLE]
    assert passed(found[PASSABLE]) == "tmpdir"


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    ("command", "output", "route"),
    [
        (
            "Rscript -e 'install.packages(\"labpure\")'",
            'Warning in install.packages("labpure") :\n  \'lib = "/usr/local/lib/R/site-library"\' is not writable\n',
            "user-library",
        ),
        (
            f"{OWN} Rscript -e 'install.packages(\"labold\")'",
            "Warning message:\npackage ‘labold’ is not available for this version of R\n",
            "archived-version",
        ),
        ("Rscript -e 'library(labpure)'", "there is no package called ‘labpure’\nExecution halted", "repository"),
    ],
)
async def test_r_s_refusals_are_passed(replay: Replay, profile, command: str, output: str, route: str) -> None:
    found = await replay(hypothesis(Barrier.R_PACKAGE), shell(command, output, 1), profile=profile())
    assert found[PRESENT].valid_answer is Answer.YES, found[PRESENT]
    assert found[PASSABLE].valid_answer is Answer.YES, found[PASSABLE]
    assert passed(found[PASSABLE]) == route


@pytest.mark.exhaustive
async def test_without_a_network_a_package_of_debian_s_is_impassable_and_a_wrong_name_is_not(
    replay: Replay, profile
) -> None:
    for name, present, passable in (("R6", Answer.YES, Answer.NO), ("ggplots9", Answer.UNKNOWN, Answer.UNKNOWN)):
        output = f"Error in library({name}) : there is no package called ‘{name}’\nExecution halted"
        failed = shell(f"Rscript -e 'library({name})'", output, 1)
        found = await replay(hypothesis(Barrier.R_PACKAGE, packages=(name,)), failed, profile=profile())
        assert found[PRESENT].valid_answer is present, found[PRESENT]
        assert found[PASSABLE].valid_answer is passable, found[PASSABLE]


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    ("prompt", "name", "passable"),
    [
        ("Run analysis.R, which needs the R package cohortmodels.", "cohortmodels", Answer.NO),
        ("Run analysis.R.", "cohortmodels", Answer.UNKNOWN),
        ("Run analysis.R, which needs the R package statsx.", "statsx", Answer.UNKNOWN),
    ],
    ids=["the task spells it", "only the run does", "much like one that is there"],
)
async def test_a_package_of_nobody_s_is_lifted_by_an_empty_one_where_the_task_surely_means_it(
    replay: Replay, profile, prompt: str, name: str, passable: Answer
) -> None:
    said = f"Error in library({name}) : there is no package called ‘{name}’\nExecution halted"
    failed = shell(f"Rscript -e 'library({name}); cat(42)'", said, 1)
    found = await replay(hypothesis(Barrier.R_PACKAGE, packages=(name,)), failed, profile=profile(), prompt=prompt)
    assert found[PASSABLE].valid_answer is passable, found[PASSABLE]


@pytest.mark.exhaustive
async def test_with_an_index_debian_s_built_package_needs_no_root(replay: Replay, profile) -> None:
    output = "Error in library(R6) : there is no package called ‘R6’\nExecution halted"
    asked = hypothesis(Barrier.R_PACKAGE, packages=("R6",))
    found = await replay(asked, shell("Rscript -e 'library(R6)'", output, 1), profile=profile(network="indexes"))
    assert found[PRESENT].valid_answer is Answer.YES, found[PRESENT]
    assert found[PASSABLE].valid_answer is Answer.YES, found[PASSABLE]
    assert passed(found[PASSABLE]) == "debs-unpacked"


async def test_without_an_r_nothing_is_said_of_it(replay: Replay) -> None:
    output = "Error in library(R6) : there is no package called ‘R6’\nExecution halted"
    asked = hypothesis(Barrier.R_PACKAGE, packages=("R6",))
    found = await replay(asked, shell("Rscript -e 'library(R6)'", output, 1), settings=Settings(offline=True))
    assert found[PRESENT].answer is Answer.UNKNOWN
    assert "there is no R in the image" in found[PRESENT].summary
    assert found[PASSABLE].valid_answer is Answer.UNKNOWN


@pytest.mark.exhaustive
@pytest.mark.parametrize("packed", [True, False])
async def test_a_package_whose_source_lies_on_the_disk_is_installed_from_there(
    replay: Replay, profile, tmp_path: Path, packed: bool
) -> None:
    task = tmp_path / "task"
    source = task / "vendor" / "moorstat"
    (source / "R").mkdir(parents=True)
    (source / "DESCRIPTION").write_text("Package: moorstat\nTitle: X\nVersion: 0.4\nLicense: GPL-3\nDescription: X.\n")
    (source / "NAMESPACE").write_text("export(hill)\n")
    (source / "R" / "hill.R").write_text("hill <- function(x) sum(x)\n")
    (task / "run.R").write_text("library(moorstat)\ncat(hill(1:3))\n")
    if packed:
        with tarfile.open(task / "vendor" / "moorstat_0.4.tar.gz", "w:gz") as archive:
            archive.add(source, "moorstat")
        shutil.rmtree(source)
    output = "Error in library(moorstat) : there is no package called ‘moorstat’\nExecution halted\n"
    found = await replay(
        hypothesis(Barrier.R_PACKAGE, packages=("moorstat",)),
        shell("Rscript run.R", output, 1),
        profile=profile(),
        settings=Settings(offline=True, workspace=task),
        prompt="Run `Rscript run.R` and report what it prints.",
    )
    assert passed(found[PASSABLE]) == "source-on-disk", found[PASSABLE]
