"""Which package holds a file: read from the release's own lists, the ordinary place before others."""

import gzip
from pathlib import Path

import pytest

from probes import Barrier
from probes.replay.handlers import handler_of
from probes.replay.resources.contents import Contents
from probes.replay.routes.ladder import lifts_for
from probes.replay.target.model import Attempt, ReplayTarget
from probes.replay.target.symptom import Symptom

LISTED = """\
usr/bin/gcc                                             devel/gcc,devel/pentium-builder
usr/bin/psql                                            database/postgresql-client-common
usr/bin/tesseract                                       graphics/tesseract-ocr
usr/include/freetype2/ft2build.h                        libdevel/libfreetype-dev
usr/include/gsl/gsl_rng.h                               libdevel/libgsl-dev
usr/include/zlib.h                                      libdevel/zlib1g-dev
usr/include/other/zlib.h                                libdevel/libother-dev
usr/lib/R/site-library/jsonlite/DESCRIPTION             gnu-r/r-cran-jsonlite
usr/lib/icecc/bin/cc                                    devel/icecc
usr/lib/python3/dist-packages/PyYAML-6.0.dist-info/METADATA python/python3-yaml
usr/lib/python3/dist-packages/yaml/__init__.py          python/python3-yaml
usr/lib/python3/dist-packages/yamllint/__init__.py      devel/yamllint
usr/lib/x86_64-linux-gnu/libgomp.so.1                   libs/libgomp1
usr/lib/x86_64-linux-gnu/libgsl.so                      libdevel/libgsl-dev
"""


@pytest.fixture
def contents(tmp_path: Path) -> Contents:
    path = tmp_path / "release.gz"
    path.write_bytes(gzip.compress(LISTED.encode()))
    return Contents(path)


@pytest.mark.parametrize(
    ("sort", "name", "packages"),
    [
        ("program", "tesseract", ("tesseract-ocr",)),
        ("program", "psql", ("postgresql-client", "postgresql-client-common")),
        ("program", "gcc", ("gcc", "pentium-builder")),
        ("program", "cc", ()),
        ("program", "sql", ()),
        ("header", "gsl/gsl_rng.h", ("libgsl-dev",)),
        ("header", "zlib.h", ("zlib1g-dev",)),
        ("library", "gsl", ("libgsl-dev",)),
        ("shared library", "libgomp.so.1", ("libgomp1",)),
        ("shared library", "libgomp.so.2", ()),
        ("module", "yaml", ("python3-yaml",)),
        ("module", "nothing", ()),
        ("R package", "jsonlite", ("r-cran-jsonlite",)),
    ],
)
def test_what_holds_a_thing_in_its_ordinary_place(contents: Contents, sort, name, packages) -> None:
    assert contents.packages(sort, name) == packages


def test_other_places_come_apart(contents: Contents) -> None:
    assert contents.elsewhere("program", "cc") == ("icecc",)
    assert contents.elsewhere("header", "ft2build.h") == ("libfreetype-dev",)
    assert contents.elsewhere("header", "zlib.h") == ("libother-dev",)


def test_what_the_python_index_calls_it_stands_beside_it(contents: Contents) -> None:
    assert contents.distribution("python3-yaml") == "PyYAML"
    assert contents.distribution("yamllint") is None


def subject(barrier: Barrier, about: str, packages: tuple[str, ...] = (), indexed: str | None = None) -> ReplayTarget:
    kind = handler_of(barrier)
    assert kind is not None
    attempts, expected = (Attempt(f"use {about}", reconstructed=False),), Symptom("x", about)
    return ReplayTarget(
        kind, barrier, attempts, expected, about, details=kind.details(), packages=packages, indexed=indexed
    )


def commands(barrier: Barrier, about: str, packages: tuple[str, ...] = (), indexed: str | None = None) -> str:
    return "\n".join(line for _, lines in lifts_for(subject(barrier, about, packages, indexed)) for line in lines)


def test_lifts_install_what_the_lists_say_one_package_after_another() -> None:
    assert "libgsl-dev" not in commands(Barrier.HEADER, "gsl/gsl_rng.h")
    told = commands(Barrier.HEADER, "gsl/gsl_rng.h", ("libgsl-dev", "libother-dev"))
    assert told.index("recommends libgsl-dev") < told.index("recommends libother-dev")
    assert "recommends tesseract-ocr" in commands(Barrier.COMMAND, "tesseract", ("tesseract-ocr",))
    assert "recommends libgomp1" in commands(Barrier.SHARED_LIBRARY, "libgomp.so.1", ("libgomp1",))
    assert "recommends python3-yamlish" in commands(Barrier.MODULE, "yamlish", ("python3-yamlish",))


def test_the_tables_are_the_fallback() -> None:
    assert "recommends gcc" in commands(Barrier.COMMAND, "cc")
    assert "recommends libfreetype-dev" in commands(Barrier.HEADER, "ft2build.h")
    assert "pip install YAMLish" in commands(Barrier.MODULE, "yamlish", ("python3-yamlish",), "YAMLish")
    assert "pip install pyyaml" in commands(Barrier.MODULE, "yaml", ("python3-yaml",), "PyYAML")


@pytest.mark.parametrize(
    ("barrier", "about", "held"),
    [
        (Barrier.HEADER, "gsl/gsl_rng.h", ("header", "gsl/gsl_rng.h")),
        (Barrier.HEADER, "gsl", ("library", "gsl")),
        (Barrier.COMMAND, "cc", ("program", "cc")),
        (Barrier.MODULE, "yaml.nodes", ("module", "yaml")),
        (Barrier.R_PACKAGE, "jsonlite", ("R package", "jsonlite")),
        (Barrier.SHARED_LIBRARY, "libgomp.so.1", ("shared library", "libgomp.so.1")),
        (Barrier.PERMISSION, "/results", None),
    ],
)
def test_each_kind_says_what_a_package_must_hold(barrier, about, held) -> None:
    asked = subject(barrier, about)
    assert asked.handler.held(asked) == held
