"""`verify view`: a report opens, a folder is served on loopback and nothing else ever is."""

import http.client
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
import zipfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from evidence import archive_of, write_pack
from probes import ArtifactStore
from tests.evidence.forging import rewritten
from tests.evidence.hostile_audits import hostile
from tests.evidence.synthetic_audits import ALL
from tests.verify.synthetic import Verify
from verify.serving import ASK_SECONDS, AT_ONCE

MARK = "a stranger wrote this"


def sparse(path: Path) -> None:
    """A file that says that it is a terabyte."""
    with path.open("wb") as file:
        file.truncate(2**40)


PLACED = {
    "device": lambda path: path.symlink_to("/dev/zero"),
    "pipe": os.mkfifo,
    "secret": lambda path: path.symlink_to("/etc/passwd"),
    "sparse": sparse,
}
"""What may stand in the place of a pack's record."""


def folder_of(packs: Path, status: str) -> Path:
    """The pack of a status, as a folder."""
    return next(path for path in packs.iterdir() if f"-{status}-" in path.name and path.is_dir())


def threads_of(process: subprocess.Popen[str]) -> int:
    """How many threads a process has."""
    return len(list(Path(f"/proc/{process.pid}/task").iterdir()))


@pytest.fixture(scope="module")
def packs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two packs as folders with their zips, and one as a zip alone."""
    root = tmp_path_factory.mktemp("viewed")
    store = ArtifactStore(root / "store")
    written = [
        write_pack(ALL[name](store), store, root / "packs").path for name in ("supported", "not_supported", "bare")
    ]
    shutil.rmtree(written[-1])
    (root / "packs" / "link").symlink_to("/etc")
    (root / "secret.txt").write_text("secret")
    return root / "packs"


@contextmanager
def serving(*arguments: object, opens: Path | None = None) -> Iterator[tuple[subprocess.Popen[str], int]]:
    """The command at work, and its port; with `opens`, it has a browser."""
    command = [sys.executable, "-m", "verify", "view", *map(str, arguments), *([] if opens else ["--no-open"])]
    env = {**os.environ, "BROWSER": f"{opens} %s"}
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=env) as running:
        try:
            assert running.stdout
            address = running.stdout.readline().strip()
            assert address.startswith("http://127.0.0.1:"), address
            yield running, int(address.rstrip("/").rpartition(":")[2])
        finally:
            running.kill()


def ask(
    port: int, path: str, method: str = "GET", host: str | None = None
) -> tuple[int, http.client.HTTPMessage, bytes]:
    """One request, its path sent as it stands."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    connection.putrequest(method, path, skip_host=True)
    connection.putheader("Host", host or f"127.0.0.1:{port}")
    connection.endheaders()
    answer = connection.getresponse()
    told = (answer.status, answer.headers, answer.read())
    connection.close()
    return told


def test_a_folder_is_served_with_its_index_read_only_and_nothing_beside_it(packs: Path) -> None:
    pack = folder_of(packs, "supported")
    [zipped] = [path for path in packs.iterdir() if path.name.startswith("x-") and path.suffix == ".zip"]
    with serving(packs) as (running, port):
        status, headers, body = ask(port, "/")
        assert status == 200
        assert body.count(b"/report.html") == 3
        assert "frame-ancestors 'none'" in headers["Content-Security-Policy"]
        assert "script-src 'sha256-" in headers["Content-Security-Policy"]
        assert ask(port, "/index.csv")[2].count(b"\r\n") == 4
        assert ask(port, "/index.json")[1]["Content-Type"] == "application/json"
        for name in (pack.name, zipped.name):
            status, headers, body = ask(port, f"/{name}/report.html?x#y")
            assert (status, headers["Content-Type"]) == (200, "text/html; charset=utf-8")
            assert b"audit report" in body
            assert ask(port, f"/{name}/verdict.json")[1]["Content-Type"] == "text/plain; charset=utf-8"
        assert ask(port, "/", "HEAD")[2] == b""
        for evidence in sorted((pack / "data" / "evidence").iterdir()):
            status, headers, body = ask(port, f"/{pack.name}/data/evidence/{evidence.name}")
            assert (status, body) == (200, evidence.read_bytes())
            assert headers["X-Content-Type-Options"] == "nosniff"
            assert not headers["Content-Type"].startswith("text/html")
        for path in (
            "/../secret.txt",
            "/%2e%2e/secret.txt",
            f"/{pack.name}/../../secret.txt",
            f"/{pack.name}/%2e%2e/%2e%2e/secret.txt",
            f"/{pack.name}//etc/passwd",
            f"/{pack.name}/..%5c..%5csecret.txt",
            "//etc/passwd",
            "/link/passwd",
            "/etc/passwd",
            f"/{pack.name}",
            f"/{pack.name}/",
            f"/{pack.name}/data",
            f"/{archive_of(pack).name}/report.html",
            "/%ff",
            "/%00",
        ):
            status, _, body = ask(port, path)
            assert status == 404, path
            assert b"secret" not in body
            assert b"root:" not in body
        assert ask(port, "/", host=f"evil.example:{port}")[0] == 421
        assert ask(port, "/", "POST")[0] == 501
        running.send_signal(signal.SIGINT)
        assert running.wait(60) == 0
        assert running.stderr
        assert "Traceback" not in running.stderr.read()


def test_a_zip_is_served_without_being_unpacked_and_a_request_to_end_is_heard(packs: Path) -> None:
    [zipped] = [path for path in packs.iterdir() if path.name.startswith("x-") and path.suffix == ".zip"]
    before = sorted(packs.iterdir())
    with serving(zipped) as (running, port):
        status, headers, _ = ask(port, "/")
        assert (status, headers["Location"]) == (302, f"/{zipped.name}/report.html")
        assert ask(port, headers["Location"])[0] == 200
        other = next(path for path in packs.iterdir() if path.is_dir())
        assert ask(port, f"/{other.name}/report.html")[0] == 404
        running.send_signal(signal.SIGTERM)
        assert running.wait(60) == 0
    assert sorted(packs.iterdir()) == before


def test_a_zip_beside_its_folder_is_served_too(packs: Path) -> None:
    pack = folder_of(packs, "supported")
    with serving(archive_of(pack)) as (_, port):
        assert ask(port, ask(port, "/")[1]["Location"])[0] == 200


def test_a_packs_report_is_served_and_opened_and_nothing_else_of_its_folder(packs: Path, tmp_path: Path) -> None:
    pack = folder_of(packs, "supported")
    browser = tmp_path / "browser"
    browser.write_text(f'#!/bin/sh\necho "$1" >"{tmp_path}/opened"\n')
    browser.chmod(0o755)
    with serving(pack, opens=browser) as (running, port):
        status, headers, _ = ask(port, "/")
        assert (status, headers["Location"]) == (302, f"/{pack.name}/report.html")
        status, headers, body = ask(port, headers["Location"])
        assert (status, body) == (200, (pack / "report.html").read_bytes())
        assert "script-src 'sha256-" in headers["Content-Security-Policy"]
        other = folder_of(packs, "not_supported")
        assert ask(port, f"/{other.name}/report.html")[0] == 404
        opened, until = tmp_path / "opened", time.monotonic() + 60
        while not (opened.exists() and opened.read_text()) and time.monotonic() < until:
            time.sleep(0.1)
        running.send_signal(signal.SIGINT)
        assert running.wait(60) == 0
    assert opened.read_text().strip() == f"http://127.0.0.1:{port}/"


def forged(packs: Path, target: Path) -> Path:
    """A pack whose report holds a script, every manifest and the name written anew."""
    pack = folder_of(packs, "supported")
    page = f"<!doctype html><title>Forged</title><script>document.title = 'ran'</script>{MARK}".encode()
    return rewritten(pack, {"report.html": page}, target)


@pytest.mark.parametrize("form", ["folder", "zip"])
def test_a_forged_report_is_never_shown(form: str, packs: Path, verify: Verify, tmp_path: Path) -> None:
    pack = forged(packs, tmp_path / "strangers")
    if form == "folder":
        with zipfile.ZipFile(pack) as archive:
            archive.extractall(tmp_path / "unpacked")
        pack = tmp_path / "unpacked" / pack.stem
    browser = tmp_path / "browser"
    browser.write_text(f'#!/bin/sh\ntouch "{tmp_path}/opened"\n')
    browser.chmod(0o755)
    done = verify("view", pack, env={"BROWSER": f"{browser} %s"}, timeout=60)
    assert (done.returncode, done.stdout) == (5, "")
    assert "report.html is not what this program writes of the pack's own records" in done.stderr
    assert not (tmp_path / "opened").exists()


@pytest.mark.browser
def test_no_script_of_a_stranger_runs_in_a_folder_of_packs(packs: Path, chromium: Browser, tmp_path: Path) -> None:
    folder = tmp_path / "strangers"
    pack = forged(packs, folder)
    with serving(folder) as (_, port):
        status, headers, body = ask(port, f"/{pack.name}/report.html")
        assert (status, headers["Content-Type"]) == (409, "text/plain; charset=utf-8")
        assert MARK.encode() not in body
        page = chromium.new_page()
        page.goto(f"http://127.0.0.1:{port}/")
        page.locator("table a").first.click()
        page.wait_for_load_state()
        assert page.url.endswith("/report.html")
        assert page.title() == ""
        assert MARK not in page.content()
        page.close()


@pytest.mark.browser
def test_a_pack_whose_every_text_is_an_attack_is_shown_and_none_runs_though_no_policy_held(
    chromium: Browser, tmp_path: Path
) -> None:
    store = ArtifactStore(tmp_path / "store")
    pack = write_pack(hostile(store, flood=10_000), store, tmp_path / "packs").path
    pack.rename(tmp_path / "packs" / "<img src=x onerror=pwned=1>")
    with serving(tmp_path / "packs") as (_, port), chromium.new_context(bypass_csp=True) as context:
        asked = list[str]()
        context.on("request", lambda request: asked.append(request.url))
        page = context.new_page()
        page.goto(f"http://127.0.0.1:{port}/")
        assert page.evaluate("window.pwned") is None
        page.locator("table a").first.click()
        page.wait_for_url("**/report.html")
        page.evaluate("document.querySelectorAll('details').forEach(part => part.open = true)")
        page.wait_for_timeout(300)
        assert page.evaluate("window.pwned") is None
        inside = page.evaluate("[...document.querySelectorAll('a[href^=data]')].map(one => one.href)")
        for address in inside[:5]:
            page.goto(address)
            assert page.evaluate("window.pwned") is None
        assert inside
        assert {url for url in asked if not url.startswith(f"http://127.0.0.1:{port}/")} == set()


def test_an_index_that_is_written_links_no_forged_report_and_overwrites_nothing_outside(
    packs: Path, verify: Verify, tmp_path: Path
) -> None:
    folder = tmp_path / "strangers"
    forged(packs, folder)
    shutil.copytree(folder_of(packs, "not_supported"), folder / "honest")
    mine = tmp_path / "mine.txt"
    mine.write_text("mine")
    (folder / "index.html").symlink_to(mine)
    done = verify("view", folder, "--write", "--no-open")
    assert done.returncode == 0, done.stderr
    assert mine.read_text() == "mine"
    page = (folder / "index.html").read_text()
    assert page.count("/report.html") == 1
    assert "honest/report.html" in page
    assert "is not what this program writes" in page


@pytest.mark.timeout(60)
def test_pipes_and_devices_in_a_strangers_folder_hold_nothing_up(packs: Path, tmp_path: Path) -> None:
    folder = tmp_path / "strangers"
    for name, make in PLACED.items():
        shutil.copytree(folder_of(packs, "supported"), folder / name)
        (folder / name / "case.json").unlink()
        make(folder / name / "case.json")
    with serving(folder) as (_, port):
        listed = json.loads(ask(port, "/index.json")[2])
        assert [entry["pack"] for entry in listed["unreadable"]] == sorted(PLACED)
        for name in PLACED:
            assert ask(port, f"/{name}/report.html")[0] == 409


@pytest.mark.exhaustive
def test_clients_that_drip_or_say_nothing_are_let_go_and_the_others_answered(packs: Path) -> None:
    with serving(packs) as (running, port), ExitStack() as held:
        before = threads_of(running)
        idle = [held.enter_context(socket.create_connection(("127.0.0.1", port))) for _ in range(60)]
        dripping = idle[0]
        begun = time.monotonic()
        while time.monotonic() - begun < 3:
            with suppress(OSError):
                dripping.send(b"G")
            assert threads_of(running) <= before + AT_ONCE
            time.sleep(0.2)
        ended = begun + ASK_SECONDS + 3
        for one in idle:
            one.settimeout(max(ended - time.monotonic(), 0.1))
            with suppress(ConnectionResetError):
                assert one.recv(1) == b""
        assert ask(port, "/")[0] == 200


def test_the_index_is_written_into_the_folder_on_request(packs: Path, verify: Verify, tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    shutil.copytree(packs, copy, symlinks=True)
    done = verify("view", copy, "--write", "--no-open")
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == str(copy / "index.html")
    assert {"index.html", "index.csv", "index.json"} <= {path.name for path in copy.iterdir()}


@pytest.mark.parametrize("arguments", [("nowhere",), (".",), (".", "--write"), ("file.zip",)])
def test_what_is_no_pack_is_a_sentence(arguments: tuple[str, ...], verify: Verify, work: Path) -> None:
    if arguments == ("file.zip",):
        (work / "file.zip").write_bytes(b"no zip")
    done = verify("view", *arguments, "--no-open", timeout=60)
    assert done.returncode == 2
    assert done.stderr.startswith("verify: ")
    assert len(done.stderr.splitlines()) == 1
