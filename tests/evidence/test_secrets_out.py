"""Twelve planted secrets, one a channel, and none in the bytes of a pack; what slips past the masks stops the pack."""

import gzip
import io
import json
import struct
import zipfile
import zlib
from pathlib import Path

import pytest

from cases import PackError
from cases.machine import machine_secrets
from cases.secrets import MASK
from evidence import archive_of, read_pack, write_pack
from evidence.checking import check
from evidence.recomputing import recompute
from evidence.scanning import leaks
from graph.verdict import Audit
from probes import ArtifactStore
from tests.evidence.planting import opened_bytes, planted, with_artifacts
from tests.evidence.synthetic_audits import judged, png, supported

PEM = "MIIEvQIBADANBgkqhkiG9w0BAQEFAASCuB3cPQ7Tz1mXk4Vh\nR8sLw2Yd6Gf0JnA9eZoI5tKqWxUbMvCrHpSyEaDlTgNi7FjO"
CANARIES = {
    "cookie": "c00kieQ7Tz1mXk4VhR8s",
    "bearer": "b3arerLw2Yd6Gf0JnA9e",
    "key in a URL": "urlk3yZoI5tKqWxUb4Mv",
    "environment value": "correct horse battery",
    ".netrc password": "staplerednetrcword",
    "model key": "sk-proj-m0d3lCrHpSyEaDlTgNi7FjO2",
    "private key": PEM.split("\n", maxsplit=1)[0],
    "in the transcript": "tr4nscriptB3cPQ7Tz1mX",
    "in the page": "p4geTextVhR8sLw2Yd6Gf",
    "in command output": "c0mmand0JnA9eZoI5tKqW",
    "in a HAR body": "h4rB0dyxUbMvCrHpSyEaD",
    "in a HAR header": "h4rH34derlTgNi7FjOuB3",
}


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A user with a secret in the environment and one in .netrc."""
    netrc = tmp_path / "netrc"
    netrc.write_text(f"machine api.example\n  login bob\n  password {CANARIES['.netrc password']}\n")
    monkeypatch.setenv("NETRC", str(netrc))
    monkeypatch.setenv("SOME_SERVICE_PASSWORD", CANARIES["environment value"])


def har() -> bytes:
    """A recorded visit: a body, and a header that nobody has heard of."""
    entry = {
        "request": {
            "method": "POST",
            "url": f"https://shop.example/?q=zither&api_key={CANARIES['key in a URL']}",
            "headers": [
                {"name": "Accept", "value": "text/html"},
                {"name": "X-Shop-Visitor", "value": CANARIES["in a HAR header"]},
                {"name": "Cookie", "value": f"sid={CANARIES['cookie']}"},
            ],
            "cookies": [{"name": "sid", "value": CANARIES["cookie"]}],
            "postData": {"mimeType": "text/plain", "text": f"pin={CANARIES['in a HAR header']}"},
        },
        "response": {
            "status": 403,
            "headers": [{"name": "cf-mitigated", "value": "challenge"}],
            "cookies": [],
            "content": {"_file": "body.json"},
        },
    }
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w") as archive:
        archive.writestr("har.har", json.dumps({"log": {"entries": [entry]}}))
        archive.writestr("body.json", json.dumps({"access_token": CANARIES["in a HAR body"], "price": "12.50"}))
        archive.writestr("picture.png", png(8, 8))
    return written.getvalue()


def everything(store: ArtifactStore) -> Audit:
    """An audit with every canary in its own channel, and those of the machine in all of them."""
    ours = f"{CANARIES['environment value']} and {CANARIES['.netrc password']}"
    audit = planted(
        supported(store),
        f"curl -H 'Authorization: Bearer {CANARIES['bearer']}' -H 'Cookie: sid={CANARIES['cookie']}' "
        f"https://api.example/v1?key={CANARIES['key in a URL']}\nOPENAI said {CANARIES['model key']}\n"
        f"my session token is {CANARIES['in the transcript']}\n{ours}\n"
        f"-----BEGIN PRIVATE KEY-----\n{PEM}\n-----END PRIVATE KEY-----\n",
    )
    page = f"<p>Your API key: <b>{CANARIES['in the page']}</b></p>"
    log = f"$ env\nDB_PASSWORD={CANARIES['in command output']}\n{ours}\nexit 0\n"
    return with_artifacts(
        audit,
        store.put(page, "page.html", "text/html"),
        store.put(log, "command.log"),
        store.put(har(), "visit.har.zip", "application/zip"),
    )


@pytest.mark.usefixtures("machine")
def test_none_of_twelve_planted_secrets_is_in_the_bytes_of_a_pack(store: ArtifactStore, tmp_path: Path) -> None:
    audit = everything(store)
    pack = write_pack(audit, store, tmp_path / "packs").path
    found = b"\n".join(opened_bytes(archive_of(pack).read_bytes()))
    found += b"\n".join(data for path in pack.rglob("*") if path.is_file() for data in opened_bytes(path.read_bytes()))
    assert {channel for channel, canary in CANARIES.items() if canary.encode() in found} == set()
    assert b"Impassable-Secrets-Masked: " in found
    back = read_pack(pack)
    assert recompute(check(pack)) == back.verdict
    assert back.verdict.status is audit.verdict.status
    assert all(back.case.cites(citation) for citation in back.verdict.citations)


@pytest.mark.usefixtures("machine")
def test_what_a_recording_shows_of_a_wall_stays_in_it(store: ArtifactStore, tmp_path: Path) -> None:
    pack = write_pack(everything(store), store, tmp_path).path
    [path] = (pack / "data" / "evidence").glob("*visit.har.zip")
    with zipfile.ZipFile(path) as archive:
        [entry] = json.loads(archive.read("har.har"))["log"]["entries"]
        body = json.loads(archive.read("body.json"))
        assert archive.read("picture.png") == png(8, 8)
    assert body["price"] == "12.50"
    assert set(body["access_token"]) == {MASK}
    headers = {one["name"]: one["value"] for one in entry["request"]["headers"] + entry["response"]["headers"]}
    assert headers["Accept"] == "text/html"
    assert headers["cf-mitigated"] == "challenge"
    assert headers["X-Shop-Visitor"] == MASK * len(CANARIES["in a HAR header"])
    assert entry["request"]["url"].startswith(f"https://shop.example/?q=zither&api_key={MASK}")
    assert entry["response"]["content"]["_file"] == "body.json"


def test_a_recording_without_secrets_keeps_its_bytes(store: ArtifactStore, tmp_path: Path) -> None:
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w") as archive:
        archive.writestr("body.html", "<p>harmless")
    audit = with_artifacts(supported(store), store.put(written.getvalue(), "visit.zip", "application/zip"))
    pack = write_pack(audit, store, tmp_path).path
    [path] = (pack / "data" / "evidence").glob("*visit.zip")
    assert path.read_bytes() == written.getvalue()


def chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def hiding_places(secret: str) -> dict[str, bytes]:
    """Files in which a secret cannot be masked without breaking them."""
    inner = io.BytesIO()
    with zipfile.ZipFile(inner, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("deep.txt", f"found {secret}")
    outer = io.BytesIO()
    with zipfile.ZipFile(outer, "w") as archive:
        archive.writestr("inner.zip", inner.getvalue())
    return {
        "picture.png": png(8, 8) + chunk(b"tEXt", b"Comment\0" + secret.encode()),
        "dump.bin": b"\0\1\2\xff" + secret.encode() + b"\0\xfe",
        "wide.bin": b"\0\1\xff\xfe" + secret.encode("utf-16-le") + b"\0\xfe\xff",
        "outer.zip": outer.getvalue(),
        "log.gz": gzip.compress(f"found {secret}".encode()),
    }


@pytest.mark.parametrize("name", hiding_places(""))
@pytest.mark.parametrize("channel", ["model key", "environment value"])
@pytest.mark.usefixtures("machine")
def test_a_secret_where_it_cannot_be_masked_stops_the_pack_and_is_not_printed(
    channel: str, name: str, store: ArtifactStore, tmp_path: Path
) -> None:
    secret = CANARIES[channel]
    audit = with_artifacts(supported(store), store.put(hiding_places(secret)[name], name, "application/octet-stream"))
    with pytest.raises(
        PackError, match=rf"data/evidence/\w+-{name}\S* .*would hold a secret \(.*no pack was written"
    ) as told:
        write_pack(audit, store, tmp_path / "packs")
    assert secret not in str(told.value)
    assert not (tmp_path / "packs").exists()


def test_an_archive_that_cannot_be_searched_stops_the_pack(store: ArtifactStore, tmp_path: Path) -> None:
    audit = with_artifacts(supported(store), store.put(b"\x1f\x8b\x08broken", "log.gz", "application/gzip"))
    with pytest.raises(PackError, match="cannot be searched for secrets"):
        write_pack(audit, store, tmp_path / "packs")


def test_the_scanner_names_file_and_place() -> None:
    key = CANARIES["model key"]
    record = json.dumps({"runs": [{"environment": {"API_TOKEN": "letters-only-here"}, "source": key}]}).encode()
    content = {
        "case.json": record,
        "issue.md": f"one\ntwo {key}\n".encode(),
        "report.html": f"<p title={key}>".encode(),
    }
    found = {(leak.file, leak.place): leak.value for leak in leaks(content, {})}
    assert found == {
        ("case.json", "runs[0].environment.API_TOKEN"): "letters-only-here",
        ("case.json", "runs[0].source"): key,
        ("issue.md", "line 2"): key,
        ("report.html", "the page"): key,
    }


def test_what_only_the_second_scanner_knows_is_masked_too(store: ArtifactStore, tmp_path: Path) -> None:
    mail, sms = "0123456789abcdef0123456789abcdef-us12", "SK0123456789abcdef0123456789abcdef"
    audit = planted(supported(store), f"mailed with {mail} and texted with {sms}")
    pack = write_pack(audit, store, tmp_path).path
    found = b"\n".join(opened_bytes(archive_of(pack).read_bytes()))
    assert mail.encode() not in found
    assert sms.encode() not in found


def test_a_known_value_is_found_as_urls_json_and_html_write_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SHOP_PASSWORD", 'a"b&c d/e\\f')
    monkeypatch.setenv("SHOP_API_KEY", "short")
    monkeypatch.setenv("OTHER", "https://bob:hunter2hunter2@db.example/x")
    known = machine_secrets()
    assert {'a"b&c d/e\\f', "a%22b%26c%20d%2Fe%5Cf", 'a\\"b&c d/e\\\\f', "a&quot;b&amp;c d/e\\f"} <= known.keys()
    assert "hunter2hunter2" in known
    assert "short" not in known


def test_what_only_sounds_random_is_left_alone(store: ArtifactStore, tmp_path: Path) -> None:
    words = (
        "Missing key: model.layers.0.self_attn.q_proj.weight\npad_token: tokenizer_eos_token_id_2\n"
        "primary key = customer_order_line_number_7\nsha256: 0123456789abcdef0123456789abcdef\n"
        "cookie: consent_banner_version_12_accepted"
    )
    pack = write_pack(planted(supported(store), words), store, tmp_path).path
    assert "Impassable-Secrets-Masked: 0" in (pack / "bag-info.txt").read_text()


def test_two_rounds_are_enough_for_what_only_the_finished_page_shows(store: ArtifactStore, tmp_path: Path) -> None:
    audit = supported(store)
    notes = ("The password is", "Qz81mmKp0Lw2Yd6Gf0")
    audit = judged(audit.case, audit.hypotheses, audit.findings, audit.envelope, " ".join(notes))
    assert notes[1] not in (write_pack(audit, store, tmp_path).path / "report.html").read_text()


def test_a_line_that_a_terminal_wrote_over_and_over_does_not_stop_the_pack(
    store: ArtifactStore, tmp_path: Path
) -> None:
    whole = "Authorization: Bearer MBEQfnOVOLXQQGVltssFLYgI0dKF3ssKRyVde7lq8Bh3b"
    words = "data: " + "".join(f"\r{whole[:end]}" for end in range(1, len(whole), 6)) + f"\r{whole}"
    pack = write_pack(planted(supported(store), words), store, tmp_path).path
    assert whole[-20:] not in (pack / "report.html").read_text()
