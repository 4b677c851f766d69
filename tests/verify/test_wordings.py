"""Whatever a page's words were, and whoever wrote the record: the browser visits, and what stands there decides."""

import asyncio
import json
import tomllib
from collections.abc import Collection
from pathlib import Path
from typing import Any, Literal

import pytest
from pydantic import BaseModel, ConfigDict

from tests.cases.web_runs import SHAPES, WebRun
from tests.lab.web import Lab
from tests.verify.forking import Forking
from tests.verify.synthetic import environment

pytestmark = [pytest.mark.slow, pytest.mark.browser, pytest.mark.timeout(900)]

AT_ONCE = 3
CONTROL = "https://article.lab.example/page"
MADE_UP = "impassable-no-such-page-7f3a"
NOW = {"open": "article", "other": "few-words"}
"""What stands there in the two states in which nothing is in the way."""


class Worded(BaseModel):
    """One entry of the file."""

    model_config = ConfigDict(frozen=True, extra="forbid")
    id: str
    shape: str
    told: str | None = None
    last: str | None = None
    stands: str
    everywhere: Literal["", "made-up", "site"] = ""
    """Where else on the site it is shown: at made-up addresses, or at every one."""
    named: Literal["page", "site", "another", "nothing"]
    truth: str
    barrier: str
    deficiency: str | None = None
    why: str = ""

    def host(self, state: str) -> str:
        return f"www.{self.id}-{state}.example.org"

    def task(self, state: str) -> str:
        return f"{self.id}-{state}-{'5e' * 8}"

    def run(self, state: str) -> WebRun:
        url = f"https://{self.host(state)}/page"
        named = {"page": url, "site": self.host(state), "another": "https://www.walled.test/page"}
        source = f"According to {named[self.named]}, in" if self.named in named else "In"
        asked = f"{source} which year was the observatory opened?"
        return WebRun(self.task(state), asked, url, self.told, self.last)

    def places(self, state: str) -> dict[str, str]:
        """What the lab shows where; the rest of the site is the lab's first page, and 404."""
        here = NOW.get(state, self.stands)
        if state == "stands" and self.everywhere == "site":
            return {self.host(state): here}
        paths = ("page", MADE_UP) if state == "stands" and self.everywhere else ("page",)
        return {f"{self.host(state)}/{path}": here for path in paths}


FILE = Path(__file__).with_name("wordings.toml")
RUNS = tuple(map(Worded.model_validate, tomllib.loads(FILE.read_text("utf-8"))["run"]))
OPEN = [*((run, "open") for run in RUNS), *((run, "other") for run in RUNS[::3])]
TELLING = {"moment", "guessed404"}
"""One that supports and one that leaves it open; all others are gone through by `make exhaustive`."""


def costlier(run: Worded, *more: str, telling: Collection[str] = TELLING) -> Any:
    """A parameter of the tests here."""
    return pytest.param(run, *more, marks=() if run.id in telling else pytest.mark.exhaustive)


def audited(folder: Path, arguments: list[str]) -> list[dict[str, Any]]:
    """The documents of one call."""
    home = folder / "home"
    home.mkdir()
    server = Forking()
    try:
        done = server.run(["audit", *arguments, "--json"], folder, environment(home), 800)
    finally:
        server.close()
    assert done.stdout, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


@pytest.fixture(scope="module")
def documents(tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest) -> dict[str, dict[str, Any]]:
    """Every run that is asked about in every state, by task; several calls at once, each with its share and browser."""
    asked = [one.callspec.params for one in request.session.items if one.path == Path(__file__)]  # type: ignore[attr-defined]
    wanted = {(each["run"].id, each.get("state", "stands")) for each in asked}
    folder = tmp_path_factory.mktemp("wordings")
    runs, pairs = folder / "runs", [*((run, "stands") for run in RUNS), *OPEN]
    pairs = [(run, state) for run, state in pairs if (run.id, state) in wanted]
    runs.mkdir()
    for run, state in pairs:
        SHAPES[run.shape](runs, run.run(state))
    shares = [[run.task(state) for run, state in pairs[start::AT_ONCE]] for start in range(AT_ONCE)]

    async def all_of_them() -> list[list[dict[str, Any]]]:
        hosts = {place: there for run, state in pairs for place, there in run.places(state).items()}
        async with Lab(hosts=hosts, routes=True) as lab:
            mapped = [part for host, address in lab.resolve.items() for part in ("--resolve", f"{host}={address}")]
            common = ["--run", str(runs), "--trust-pickle", *mapped, "--lab-ca", str(lab.ca), "--control", CONTROL]
            calls = []
            for number, share in enumerate(filter(None, shares)):
                (place := folder / str(number)).mkdir()
                calls.append(asyncio.to_thread(audited, place, [*share, *common]))
            return await asyncio.gather(*calls)

    return {one["case"]["task_id"]: one for found in asyncio.run(all_of_them()) for one in found if "case" in one}


@pytest.mark.parametrize("run", [costlier(run) for run in RUNS], ids=lambda run: run.id)
def test_what_stands_there_as_the_record_tells_it_decides(documents: dict[str, dict[str, Any]], run: Worded):
    document = documents[run.task("stands")]
    verdict, seen = document["verdict"], findings(document, "PRESENT")
    assert ("yes", run.barrier) in [(one["answer"], one["barrier"]) for one in seen], (verdict["reason"], seen)
    told = [(one["question"], one["answer"], one["summary"]) for one in document["findings"]]
    assert verdict["status"] == run.truth, (verdict["reason"], told)
    if run.truth == "supported":
        tried = [route for one in findings(document, "PASSABLE") for route in one["routes"]]
        assert {route["result"] for route in tried} <= {"failed", "not_permitted"}
        assert run.host("stands") in verdict["reason"]
        assert verdict["score"] == 1
        assert run.deficiency in (None, verdict["deficiency_type"])


@pytest.mark.parametrize(
    ("run", "state"),
    [costlier(*one, telling=("moment",)) for one in OPEN],
    ids=lambda one: one if isinstance(one, str) else one.id,
)
def test_where_nothing_is_in_the_way_now_nothing_is_supported_and_nothing_glossed_over(
    documents: dict[str, dict[str, Any]], run: Worded, state: str
):
    document = documents[run.task(state)]
    verdict = document["verdict"]
    assert [one["answer"] for one in findings(document, "PRESENT")].count("no"), verdict["reason"]
    assert verdict["status"] != "supported"
    assert "shows no barrier" not in verdict["reason"]
    assert run.host(state) in verdict["reason"]


def findings(document: dict[str, Any], question: str) -> list[dict[str, Any]]:
    """What the browser found."""
    return [one for one in document["findings"] if (one["probe"], one["question"]) == ("browser", question)]
