"""The same failing command in two languages, and with its output cut: one verdict, by what the machine tells."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from sandboxes import Engine
from sandboxes.images import ensure_base
from sandboxes.indexes import index_access
from tests.lab.disputed import DISPUTED
from tests.verify.forking import Forking
from verify.labelled import Said, Step, Truth, World
from verify.labelled.machine import image_of
from verify.labelled.recording import record
from verify.labelled.running import judge

pytestmark = [pytest.mark.docker, pytest.mark.network, pytest.mark.slow, pytest.mark.timeout(900)]

GERMAN = (
    "apt-get update -qq && apt-get install -y -qq --no-install-recommends locales gcc-12-locales >/dev/null "
    "&& sed -i 's/^# de_DE.UTF-8/de_DE.UTF-8/' /etc/locale.gen && locale-gen >/dev/null && rm -rf /var/lib/apt/lists/*"
)
WORDS = {"C": "ENV LANG=C LC_ALL=C", "de": "ENV LANG=de_DE.UTF-8 LC_ALL=de_DE.UTF-8 LANGUAGE=de"}
KEPT = 200
"""Characters of an output before a harness cuts the rest."""
STEPS_FIRST = """solver: solver.c
	@for i in $$(seq 60); do echo "step $$i of the preparation"; done
	gcc -o solver solver.c
"""
HEADER = "#include <gsl/gsl_rng.h>\n#include <stdio.h>\nint main(void) { puts(gsl_rng_mt19937->name); return 0; }\n"
README = {"README.md": "An exercise.\n"}
CASES = {
    "missing": ("How many lines has data/stars.csv?", "wc -l data/stars.csv", README, (), {}),
    "denied": (
        *("Write the number 42 to /srv/results/answer.txt.", "echo 42 > /srv/results/answer.txt", README),
        *(("install -d -m 755 -o root /srv/results",), {}),
    ),
    "read-only": (
        *("Make the directory /data/out and put the number 42 into /data/out/answer.txt.", "mkdir /data/out", README),
        *(("mkdir -p /data && chmod 777 /data",), {"read_only": ["/data"]}),
    ),
    "header": (
        *("Build the program with `make` in this directory and tell what ./solver prints.", "make"),
        *({**README, "Makefile": STEPS_FIRST, "solver.c": HEADER}, (), {}),
    ),
}
"""The task, the command, the task's files, the machine."""
CUT = ("header",)
"""Where more is printed than is kept."""
OWN_WORDS = {"missing": "nicht gefunden", "denied": "Keine Berechtigung", "read-only": "nur lesbar", "header": "nicht"}


def world(name: str, language: str, *, keep: int | None = None) -> World:
    prompt, command, files, made, envelope = CASES[name]
    return World(
        id=f"{name}-{language}{'-cut' if keep else ''}",
        why="the same command on the same machine, whatever language it speaks and however much of it is shown",
        kind="language",
        truth=Truth(status="supported", answer="PASSABLE=no"),
        profile="offline",
        envelope={"workdir": "/work", **envelope},
        image=(GERMAN, *made, WORDS[language]),
        workspace=files,
        prompt=prompt,
        step=(Step(command=command, keep=keep),),
        final="42",
    )


@pytest.fixture(scope="module")
def engine() -> Iterator[Engine]:
    connected = Engine.connect(sweep=False)
    yield connected
    connected.close()


@pytest.mark.parametrize(
    "name", [name if name == "denied" else pytest.param(name, marks=pytest.mark.exhaustive) for name in CASES]
)
def test_a_failure_is_settled_alike_in_any_language_and_with_its_output_cut(
    engine: Engine, tmp_path: Path, forking: Forking, name: str
) -> None:
    with index_access(engine, ensure_base(engine)):
        for language in WORDS:
            image_of(world(name, language), DISPUTED, engine)
    said: dict[str, Said | None] = {}
    for one in (world(name, "C"), world(name, "de"), world(name, "C", keep=KEPT))[: 3 if name in CUT else 2]:
        recording = record(one, DISPUTED, engine, set())
        assert not one.id.endswith("-de") or OWN_WORDS[name] in recording.steps[0].output
        told = judge(one, recording, image_of(one, DISPUTED, engine), packs=tmp_path / one.id, program=forking.run)
        assert told.said is not None, told.differences
        assert not told.differences or [gap.what for gap in told.differences] == ["barrier"], (one.id, told.said)
        said[one.id] = told.said
    first, *others = said.values()
    assert first is not None
    assert [(one and one.status, one and one.barrier) for one in others] == [(first.status, first.barrier)] * len(
        others
    )
