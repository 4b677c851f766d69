"""A source that the run wrote needlessly in another language is its own doing."""

from contextlib import AsyncExitStack
from dataclasses import replace
from pathlib import Path

import pytest

from cases import Events, FileWrite
from probes import Barrier, Settings
from probes.replay.deriving import subject_of
from probes.replay.handlers.header import HeaderDetails
from probes.replay.handlers.own_source import OwnSource, named_by_task, task_builds, written_sources
from probes.replay.resources.outcome import Outcome
from probes.replay.target.model import ReplayTarget
from tests.probes.replay.made import context, hypothesis, shell

MISSING = "w.c:1:10: fatal error: png.h: No such file or directory"


def subject(tmp_path: Path, *commands: tuple[str, str], writes: tuple[FileWrite, ...] = ()) -> ReplayTarget:
    events = Events(commands=tuple(shell(command, output) for command, output in commands), writes=writes)
    asked = hypothesis(Barrier.HEADER, event=len(commands) - 1, headers=("png.h",))
    made = subject_of(asked, context(tmp_path, "offline", events, AsyncExitStack(), Settings()))
    assert isinstance(made, ReplayTarget)
    return made


def whole(path: str, how: str = "whole") -> FileWrite:
    return FileWrite.model_validate(
        {"path": path, "how": how, "content": "", "old": "x", "tool": "w", "after": 0, "blocks": ()}
    )


def test_a_source_is_the_run_s_own_when_the_run_wrote_it(tmp_path: Path) -> None:
    build = ("cd t && gcc w.c -lpng", MISSING)
    assert written_sources(subject(tmp_path, ("cat > t/w.c <<E\nE", ""), build)) == ("t/w.c", "w.c")
    assert written_sources(subject(tmp_path, build, writes=(whole("t/w.c"),))) == ("w.c", "t/w.c")
    assert written_sources(subject(tmp_path, ("printf x > w.c; gcc w.c", "cannot find -lpng"))) == ("w.c",)
    fed = ("echo '#include <png.h>' | gcc -x c -", "<stdin>:1:10: fatal error: png.h: No such file or directory")
    assert written_sources(subject(tmp_path, fed)) == ("<stdin>",)


def test_a_source_that_was_there_or_was_only_edited_is_not(tmp_path: Path) -> None:
    build = ("gcc w.c -lpng", MISSING)
    assert written_sources(subject(tmp_path, build)) == ()
    assert written_sources(subject(tmp_path, build, writes=(whole("w.c", "replace"),))) == ()
    assert written_sources(subject(tmp_path, ("cat > v.c", ""), ("gcc v.c w.c", MISSING))) == ()
    assert written_sources(subject(tmp_path, ("make", MISSING))) == ()


@pytest.mark.parametrize(
    ("text", "asks"),
    [
        ("Compile it against libpng.", True),
        ("Use png.h.", True),
        ("Install libpng-dev first.", True),
        ("Print the width of image.png.", False),
        ("Print the size of the PNG image.", False),
        ("Write a C program that prints 5.", False),
    ],
)
def test_what_the_task_asks_for_is_not_the_run_s_choice(text: str, asks: bool) -> None:
    assert named_by_task("png.h", "libpng-dev", [text]) is asks


def test_a_telling_name_of_a_library_counts_where_something_is_built() -> None:
    built = ["Build the extension, which prints the version of FreeType."]
    assert named_by_task("ft2build.h", "libfreetype-dev", built)
    assert not named_by_task("ft2build.h", "libfreetype-dev", ["Who wrote freetype?"])


def test_a_directory_that_the_task_says_to_build_is_the_task_s(tmp_path: Path) -> None:
    assert task_builds("glyphs/glyphs.c", ["Build ./glyphs and import it."])
    assert task_builds("t/w.c", ["Compile w.c and run it."])
    assert not task_builds("t/w.c", ["Write w.c, compile it and run it."])
    assert not task_builds("t/w.c", ["Print the width."])


@pytest.mark.parametrize(
    ("header", "told", "packages", "doubted"),
    [
        ("ft2build.h", False, ("libfreetype-dev",), True),
        ("ft2build.h", True, ("libfreetype-dev",), False),
        ("quantumfoo.h", True, ("libquantumfoo-dev",), False),
        ("quantumfoo.h", True, (), True),
    ],
    ids=["nobody asked", "the task asked", "known to the index", "known to nobody"],
)
def test_a_header_that_only_the_run_asks_for_is_no_machine_s(
    tmp_path: Path, header: str, told: bool, packages: tuple[str, ...], doubted: bool
) -> None:
    made, source = subject(tmp_path, ("gcc w.c", MISSING)), OwnSource("w.c", told)
    own = replace(made, about=header, packages=packages, details=HeaderDetails(own_source=source))
    assert (own.handler.meaningless(own, Outcome()) is not None) == doubted
