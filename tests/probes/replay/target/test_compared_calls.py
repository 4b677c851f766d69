"""What tests were seen to ask of one call counts only where it is the same call in the same state, and both are run."""

from collections.abc import Iterator

import pytest

from probes.replay.target.compared_calls import asserted_otherwise
from sandboxes import ContainerPool, Engine, Session, Spec
from sandboxes.images import ensure_base

pytestmark = [pytest.mark.docker, pytest.mark.network]

HEAD = "import os, unittest\nfrom unittest import mock\nfrom spans import show\nimport spans\n\n\n"
CASES = (
    "class Cases(unittest.TestCase):\n    def test_it(self):\n        for n, want in ((5, {five}), (90, {ninety})):\n"
)
BODY = "            got = show(n)\n            self.assertEqual(got, want)\n"
SHORT = HEAD + CASES.format(five="'5s'", ninety="'90s'") + BODY
LONG = HEAD + CASES.format(five="'5 s'", ninety="'90 s'") + BODY
SOURCE = "STYLE = ''\n\n\ndef show(n):\n    return f'{n}{STYLE}s'\n"
RUN = "python3 -m unittest discover -s tests"


@pytest.fixture(scope="module")
def session() -> Iterator[Session]:
    engine = Engine.connect()
    with ContainerPool(engine) as containers, containers.start(Spec(image=ensure_base(engine))) as started:
        yield started
    engine.close()


def pair(session: Session, one: str, other: str, source: str = SOURCE, run: str = RUN) -> tuple[tuple[str, int], ...]:
    """Where the two statements are, by file and line."""
    session.run("rm -rf /tmp/w; mkdir -p /tmp/w/tests")
    for name, text in (("tests/test_one.py", one), ("tests/test_other.py", other), ("spans.py", source)):
        session.run(f"cat > /tmp/w/{name} <<'END_OF_IT'\n{text}END_OF_IT")
    found = asserted_otherwise(session, run, "/tmp/w")
    return tuple((item.path, item.first) for item in found or ())


def test_two_tests_that_want_different_things_of_one_call_contradict_each_other(session: Session) -> None:
    assert pair(session, SHORT, LONG) == (("/tmp/w/tests/test_one.py", 11), ("/tmp/w/tests/test_other.py", 11))


@pytest.mark.parametrize(
    ("one", "other", "source", "run"),
    [
        (SHORT, SHORT, SOURCE, RUN),
        (SHORT, LONG.replace("(5, ", "(6, ").replace("(90, ", "(91, "), SOURCE, RUN),
        (SHORT, LONG.replace("class Cases", "@mock.patch.dict(os.environ, {'A': '1'})\nclass Cases"), SOURCE, RUN),
        (SHORT, LONG.replace("class Cases", "@unittest.skip('old')\nclass Cases"), SOURCE, RUN),
        (SHORT, LONG.replace("    def test_it", "    @unittest.expectedFailure\n    def test_it"), SOURCE, RUN),
        (
            SHORT,
            LONG.replace("    def test_it", "    def setUp(self):\n        spans.STYLE = ' '\n\n    def test_it"),
            SOURCE,
            RUN,
        ),
        (
            SHORT,
            LONG.replace("    def test_it", "    def setUp(self):\n        os.chdir('/')\n\n    def test_it"),
            SOURCE,
            RUN,
        ),
        (
            SHORT,
            LONG,
            SOURCE.replace("def show(n):", "def show(n):\n    os.listdir('.')").replace("STYLE", "import os\nSTYLE", 1),
            RUN,
        ),
        (SHORT, LONG, SOURCE, f"A=1 {RUN} -p test_one.py; A=2 {RUN} -p test_other.py"),
        (
            SHORT,
            LONG.replace("            self.assert", "            try:\n                self.assert").rstrip()
            + "\n            except AssertionError:\n                pass\n",
            SOURCE,
            RUN,
        ),
        (SHORT, LONG.replace("assertEqual(got, want)", "assertEqual(str(got), want)"), SOURCE, RUN),
        (
            SHORT,
            LONG.replace("            self.assert", "            got = (got or 'x')\n            self.assert"),
            SOURCE,
            RUN,
        ),
    ],
    ids=[
        "the same",
        "other arguments",
        "another environment",
        "left out",
        "meant to fail",
        "another mode of the module",
        "another folder",
        "it looks at files",
        "other variables of the command",
        "it may fail",
        "something else that is equal",
        "a name of something else",
    ],
)
def test_where_call_or_state_differ_or_one_need_not_hold_nothing_contradicts(
    session: Session, one: str, other: str, source: str, run: str
) -> None:
    assert pair(session, one, other, source, run) == ()
