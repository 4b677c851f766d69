"""A build that stops at what nobody asked for: the files that the task names are built on their own."""

import pytest

from probes import Answer, Barrier, Question
from tests.probes.replay.made import Replay, hypothesis, shell

pytestmark = [pytest.mark.docker, pytest.mark.network, pytest.mark.slow, pytest.mark.timeout(600)]

MAKEFILE = """all: manual.pdf out/counts.txt

manual.pdf:
\ttypesetter manual.md

out/counts.txt: {needs}
\tmkdir -p out && echo 4 > out/counts.txt
"""
MISSED = (
    "typesetter manual.md\nmake: typesetter: No such file or directory\nmake: *** [Makefile:4: manual.pdf] Error 127"
)


def build(needs: str) -> str:
    """A command that writes the Makefile, whose counts need something or nothing."""
    return f"cat > Makefile <<'END'\n{MAKEFILE.format(needs=needs)}END"


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    ("needs", "prompt", "passes"),
    [
        ("", "Have make build out/counts.txt and report the number in it.", True),
        ("manual.pdf", "Have make build out/counts.txt and report the number in it.", False),
        ("", "Run `make`, which builds all, and report the number in out/counts.txt.", False),
        ("", "Build manual.pdf with make, and out/counts.txt.", False),
    ],
)
async def test_what_the_task_names_is_built_without_the_rest(
    replay: Replay, needs: str, prompt: str, passes: bool
) -> None:
    found = await replay(
        hypothesis(Barrier.COMMAND, event=1, programs=("typesetter",), commands=("make",)),
        shell(build(needs)),
        shell("make", MISSED, 2),
        profile="offline",
        prompt=prompt,
    )
    routes = {route.id: route for route in found[Question.PASSABLE].routes}
    assert ("only-what-is-asked" in routes) is passes, found[Question.PASSABLE].summary
    assert (found[Question.PASSABLE].valid_answer is Answer.YES) is passes
    if passes:
        assert routes["only-what-is-asked"].commands == ("make out/counts.txt",)


COMPILED = """all:
\ttypesetter manual.md
\tmkdir -p bin && echo 'int main(void) {{ return 0; }}' | cc -x c -o bin/tool -
{after}"""
NO_TYPESETTER = "make: typesetter: No such file or directory\nmake: *** [Makefile:2: all] Error 127"


@pytest.mark.parametrize(
    ("after", "prompt", "passes"),
    [
        ("", "Build bin/tool, and the program must run.", True),
        pytest.param(
            "\ttypesetter --sign bin/tool\n",
            "Build bin/tool, and the program must run.",
            False,
            marks=pytest.mark.exhaustive,
        ),
        pytest.param("", "Build bin/tool and manual.pdf.", False, marks=pytest.mark.exhaustive),
    ],
    ids=["beside it", "at work on it", "asked for too"],
)
async def test_a_program_that_makes_something_beside_what_the_task_names_may_do_nothing(
    replay: Replay, after: str, prompt: str, passes: bool
) -> None:
    found = await replay(
        hypothesis(Barrier.COMMAND, event=1, programs=("typesetter",), commands=("make",)),
        shell(f"cat > Makefile <<'END'\n{COMPILED.format(after=after)}END"),
        shell("make", f"typesetter manual.md\n{NO_TYPESETTER}", 2),
        profile="offline",
        prompt=prompt,
    )
    routes = {route.id for route in found[Question.PASSABLE].routes}
    assert ("nothing-in-its-place" in routes) is passes
    assert (found[Question.PASSABLE].valid_answer is Answer.YES) is passes
