"""R without a container: its errors, what it was asked for, its ladder."""

import pytest

from probes import Barrier
from probes.barriers import ladder_of
from probes.replay.handlers.r_package import RPackage
from probes.replay.target.symptom import Symptom, symptoms


def test_offline_r_s_excuse_about_its_version_is_not_believed() -> None:
    excuse = "package ‘x’ is not available for this version of R"
    offline = (
        f"Warning: unable to access index for repository https://cran.example/src/contrib:\n  cannot open\n{excuse}"
    )
    assert symptoms(Barrier.R_PACKAGE, offline) == [Symptom("R's repository not reached", "x")]
    assert symptoms(Barrier.R_PACKAGE, excuse) == [Symptom("not available for this R", "x")]


def test_what_r_was_asked_for() -> None:
    command = 'Rscript -e \'install.packages(c("a.b", "c2"), repos="https://cran.example")\'; Rscript -e \'library(d)\''
    assert RPackage().asked(command) == ("d", "a.b", "c2")
    assert RPackage().asked("Rscript main.R") == ()


@pytest.mark.parametrize("name", ["x; rm -rf /", "$(id)", "-e", "a'b"])
def test_what_is_no_name_of_r_s_never_reaches_a_shell(name: str) -> None:
    assert RPackage.valid is not None
    assert not RPackage.valid.fullmatch(name)


def test_the_ladder_begins_with_what_needs_nothing_from_outside() -> None:
    order = [route.id for route in ladder_of(Barrier.R_PACKAGE).route]
    assert order[:4] == ["tmpdir", "user-library", "tmpdir-and-user-library", "on-disk"]
    assert (
        order.index("repository")
        < order.index("conda")
        < order.index("debs-unpacked")
        < order.index("archived-version")
    )
