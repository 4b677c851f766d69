"""A missing header that its sources can do without, or that lies on the disk, is never impassable."""

import re
from contextlib import AsyncExitStack
from dataclasses import replace
from pathlib import Path

import pytest

from cases import Events
from probes import Barrier, Settings
from probes.replay.deriving import subject_of
from probes.replay.handlers.header import HeaderDetails, stems_of
from probes.replay.handlers.own_options import guarded, offering
from probes.replay.resources.outcome import Outcome
from probes.replay.routes.ladder import ladder_for
from probes.replay.target.model import ReplayTarget
from tests.probes.replay.made import context, hypothesis, shell

MISSING = "w.c:1:10: fatal error: {}: No such file or directory"


def subject(tmp_path: Path, header: str, command: str = "gcc w.c", profile: str = "debian"):
    events = Events(commands=(shell(command, MISSING.format(header), 1),))
    made = context(tmp_path, profile, events, AsyncExitStack(), Settings())
    found = subject_of(hypothesis(Barrier.HEADER, headers=(header,)), made)
    assert isinstance(found, ReplayTarget)
    return found, made.envelope


@pytest.mark.parametrize(
    ("header", "apt", "stems"),
    [
        ("png.h", "libpng-dev", ("png",)),
        ("ft2build.h", "libfreetype-dev", ("freetype", "ft2build")),
        ("zlib.h", "zlib1g-dev", ("zlib",)),
        ("curl/curl.h", "libcurl4-openssl-dev", ("curl",)),
        ("cblas.h", None, ("cblas",)),
    ],
)
def test_a_header_s_library_is_known_by_its_short_names(header: str, apt: str | None, stems: tuple[str, ...]) -> None:
    assert stems_of(header, apt) == stems


@pytest.mark.parametrize(
    ("text", "offers"),
    [
        ("./configure --without-png", True),
        ("NO_PNG=1 pip install .", True),
        ("set(WITH_LIBPNG OFF)", True),
        ("It also builds without libpng.", True),
        ("PNG support is optional", True),
        ("Compile z.c against libpng and print the version it prints.", False),
        ("Extension('png', libraries=['png'])", False),
    ],
)
def test_words_that_offer_to_do_without_a_library_are_known(text: str, offers: bool) -> None:
    assert bool(re.search(offering(("png",)), text, re.IGNORECASE)) is offers


@pytest.mark.parametrize(
    ("text", "condition"),
    [
        ("#include <png.h>", None),
        ("#ifdef HAVE_PNG\n# include <png.h>\n#endif", "ifdef HAVE_PNG"),
        ("#if A\n#else\n#include <png.h>\n#endif", "else"),
        ("#ifndef SHAPE_H\n#define SHAPE_H\n#include <png.h>\n#endif", None),
        ('#ifdef __cplusplus\nextern "C" {\n#endif\n#include <png.h>', None),
        ("#if 0\n#include <zlib.h>\n#endif\n#include <png.h>", None),
    ],
)
def test_a_header_asked_for_under_a_condition_is_told_from_one_always_asked_for(
    text: str, condition: str | None
) -> None:
    assert guarded(text, "png.h") == condition


def test_what_lies_on_the_disk_or_the_sources_offer_leaves_it_open(tmp_path: Path) -> None:
    found, _ = subject(tmp_path, "png.h")
    assert found.handler.unsettled(found, Outcome()) is None
    doubted = replace(found, details=HeaderDetails(doubt="x speaks of --without-png"))
    assert found.handler.unsettled(doubted, Outcome()) == "x speaks of --without-png"


def test_where_there_is_a_network_more_than_the_package_indexes_would_have_to_be_tried(tmp_path: Path) -> None:
    for profile, untried in (("debian", ["conda-forge-library"]), ("offline", [])):
        found, envelope = subject(tmp_path, "png.h", profile=profile)
        assert found.values("gcc w.c").fill("{conda_names}") == "png libpng"
        ladder = ladder_for(found, envelope, "gcc w.c", offline=False)
        assert [plan.id for plan, _ in ladder.missing] == untried
        assert {"header-on-disk"} <= {ready.plan.id for ready in ladder.ready}
