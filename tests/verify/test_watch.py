"""`verify watch`: packs asked again over time, what has changed, and a history that later watches go on from."""

import json
import threading
from collections.abc import Iterator
from http.server import ThreadingHTTPServer
from pathlib import Path

import pytest

import verify.demo.scenario as demo
from tests.verify.synthetic import Verify, one_sentence
from verify.demo.site import CONTROL, TIDES, _Handler

WALL = b"<!doctype html><h1>Access denied</h1><p>You do not have permission to access this page on this server.</p>"


class Site(ThreadingHTTPServer):
    """The demo's site, before whose tide table a wall may stand."""

    walled = False

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)


class Handler(_Handler):
    def do_GET(self) -> None:  # noqa: N802
        assert isinstance(self.server, Site)
        if not (self.server.walled and self.headers["Host"].startswith(TIDES)):
            super().do_GET()
            return
        self.send_response(403)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(WALL)))
        self.end_headers()
        self.wfile.write(WALL)


@pytest.fixture
def site() -> Iterator[Site]:
    with Site() as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield server
        server.shutdown()


@pytest.mark.exhaustive
@pytest.mark.slow
@pytest.mark.browser
def test_a_watch_says_what_has_changed_with_both_days_and_the_next_one_goes_on_from_there(
    verify: Verify, work: Path, site: Site
) -> None:
    address = f"127.0.0.1:{site.server_address[1]}"
    lab = ["--resolve", f"{TIDES}={address}", "--resolve", f"{CONTROL}={address}", "--control", f"http://{CONTROL}/"]
    first = verify("demo-bot-wall", "--run", demo.HERE / "bot_wall_UPLOAD.json", "--json", *lab)
    root = work / json.loads(first.stdout)["pack"]

    site.walled = True
    changed = verify("watch", "packs", *lab, "--exit-code")
    assert changed.returncode == 10, changed.stderr
    assert "CHANGED demo-bot-wall" in changed.stdout
    assert "gone → present" in changed.stdout
    assert "1 asked again, 1 changed, 0 left" in changed.stdout

    same = verify("watch", "packs", *lab, "--json")
    assert same.returncode == 0, same.stderr
    [told] = [json.loads(line)["watch"] for line in same.stdout.splitlines()]
    assert told["root"] == root.name
    assert told["then"]["barrier"] is told["now"]["barrier"] is True
    assert told["then"]["pack"] != root.name
    history = [json.loads(line) for line in (work / "packs" / "history.jsonl").read_text().splitlines()]
    assert [line["root"] for line in history] == [root.name] * 2
    assert history[1]["then"] == history[0]["now"]

    young = verify("watch", "packs", *lab, "--older-than", "1")
    assert "0 asked again, 0 changed, 0 left" in young.stdout


def test_a_folder_without_packs_is_one_sentence(verify: Verify, work: Path) -> None:
    (work / "packs").mkdir()
    assert "no packs there" in one_sentence(verify("watch", "packs"))


@pytest.mark.exhaustive
def test_a_watch_keeps_to_its_budget_and_one_damaged_pack_keeps_none_from_being_asked(
    verify: Verify, work: Path, tmp_path: Path
) -> None:
    rows = [
        f"bench,task-{n},{who},gpt,2026-01-02,{int(who == 'them')},{who}{n}" for n in range(3) for who in ("us", "them")
    ]
    given = tmp_path / "outcomes.csv"
    given.write_text("\n".join(["benchmark,task_id,scaffold,model,date,correct,run_id", *rows]) + "\n")
    assert verify("audit", "--all-failed", "--outcomes", given, "--offline").returncode == 0
    few = verify("watch", "packs", "--offline", "--most", "2")
    assert "2 asked again, 0 changed, 1 left" in few.stdout, few.stderr
    asked = {json.loads(line)["root"] for line in (work / "packs" / "history.jsonl").read_text().splitlines()}
    damaged = next(iter(asked))
    (work / "packs" / damaged / "issue.md").write_text("altered")
    rest = verify("watch", work / "packs" / "ledger.jsonl", "--offline")
    assert rest.returncode == 5
    assert damaged in rest.stderr
    assert "2 asked again, 0 changed, 0 left" in rest.stdout
    assert len((work / "packs" / "history.jsonl").read_text().splitlines()) == 4
