"""The release's own lists of contents, fetched once and kept, and what a lift makes of them."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from probes import LIFTED, Answer, Barrier, Question, Settings
from probes.replay.resources.contents import release_contents
from sandboxes import ContainerPool, Engine
from sandboxes.images import ensure_image
from sandboxes.indexes import index_access
from tests.probes.replay.made import Replay, hypothesis, shell

pytestmark = [pytest.mark.docker, pytest.mark.network, pytest.mark.slow, pytest.mark.timeout(900)]
NO_GSL = "a.c:1:10: fatal error: gsl/gsl_rng.h: No such file or directory\ncompilation terminated.\n"
TASK = "Write and compile a.c against the GNU Scientific Library, with gsl/gsl_rng.h."
BUILD = "echo '#include <gsl/gsl_rng.h>' > a.c && gcc -c a.c"


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path / "cache"


@pytest.fixture
def containers() -> Iterator[ContainerPool]:
    engine = Engine.connect()
    with index_access(engine, ensure_image(engine, "impassable/base")), ContainerPool(engine) as containers:
        yield containers
    engine.close()


@pytest.mark.exhaustive
def test_the_lists_are_fetched_once_and_then_serve_offline(cache: Path, containers: ContainerPool) -> None:
    image, said = ensure_image(containers.engine, "impassable/base"), list[str]()
    assert release_contents(containers, image, said.append, offline=True) is None
    contents = release_contents(containers, image, said.append, offline=False)
    assert contents is not None
    assert contents.packages("header", "gsl/gsl_rng.h") == ("libgsl-dev",)
    assert contents.packages("program", "tesseract") == ("tesseract-ocr",)
    assert contents.packages("program", "psql")[0] == "postgresql-client"
    assert contents.packages("program", "gcc")[0] == "gcc"
    assert release_contents(containers, image, said.append, offline=True) == contents
    assert len(said) == 1


@pytest.mark.exhaustive
async def test_a_header_that_no_table_has_is_lifted_by_what_the_lists_say(replay: Replay) -> None:
    found = await replay(
        hypothesis(Barrier.HEADER, headers=("gsl/gsl_rng.h",)), shell(BUILD, NO_GSL, 1), profile="offline", prompt=TASK
    )
    assert found[Question.PRESENT].answer is Answer.YES
    lifted = next(one for one in found[Question.PASSABLE].controls if one.name == LIFTED)
    assert lifted.passed, lifted.observed
    assert any(one.value.startswith("libgsl-dev") for one in found[Question.PASSABLE].observations)


@pytest.mark.exhaustive
async def test_offline_the_tables_speak_and_the_finding_says_so(replay: Replay, cache: Path) -> None:
    asked = hypothesis(Barrier.HEADER, headers=("gsl/gsl_rng.h",))
    found = await replay(asked, shell(BUILD, NO_GSL, 1), profile="offline", settings=Settings(offline=True))
    assert any("asked to stay offline" in limit for one in found.values() for limit in one.limits)
