"""From the command line: sign, check, recompute, and every failure in one sentence with exit code 5."""

import json
from pathlib import Path

import pytest

from tests.verify.synthetic import Verify, one_sentence


@pytest.fixture
def signed(verify: Verify, work: Path, two_tasks: Path) -> Path:
    """The zip of one audit, signed with the user's own key."""
    made = verify("key", "new")
    assert made.returncode == 0, made.stderr
    assert "-----BEGIN PUBLIC KEY-----" in made.stdout
    assert "PRIVATE" not in made.stdout
    assert "not who holds it" in made.stdout
    key = json.loads(verify("key", "show", "--json").stdout)["key"]["file"]
    done = verify("sum-of-two", "--run", two_tasks, "--offline", "--json", "--key", key)
    assert done.returncode == 0, done.stderr
    document = json.loads(done.stdout)
    assert document["archive"] == f"{document['pack']}.zip"
    return work / document["archive"]


def test_a_pack_is_signed_checked_and_recomputed(verify: Verify, signed: Path):
    told = json.loads(verify("key", "show", "--json").stdout)["key"]
    public = f"{told['file']}.pub"
    checked = verify("check", signed, signed.with_suffix(""), "--key", public)
    assert checked.returncode == 0, checked.stderr
    assert checked.stdout.count(f"signed by the key you named, {told['fingerprint']}") == 2
    [line] = verify("check", "--json", signed).stdout.splitlines()
    assert json.loads(line)["check"]["signer"]["fingerprint"] == told["fingerprint"]
    again = verify("recompute", signed, "--json", env={"DOCKER_HOST": "unix:///nowhere", "PATH": "/nowhere"})
    assert again.returncode == 0, again.stderr
    assert json.loads(again.stdout)["recompute"]["status"] == "not_supported"


def test_what_does_not_hold_leaves_with_5_and_one_sentence(verify: Verify, signed: Path, work: Path):
    other = verify("key", "new", "--out", work / "other.pem", "--json")
    assert json.loads(other.stdout)["key"]["fingerprint"].startswith("SHA256:")
    stranger = verify("check", signed, "--key", work / "other.pem.pub")
    assert stranger.returncode == 5
    assert "but should be signed by SHA256:" in one_sentence(stranger)
    folder = signed.with_suffix("")
    (folder / "added.txt").write_text("more")
    for command in ("check", "recompute"):
        done = verify(command, folder, "--json")
        assert done.returncode == 5
        assert "added.txt is not listed in tagmanifest-sha256.txt" in one_sentence(done)
        assert json.loads(done.stdout)["error"]["exit_code"] == 5
    data = signed.read_bytes()
    signed.write_bytes(data[:99] + bytes([data[99] ^ 1]) + data[100:])
    assert verify("check", signed).returncode == 5


def test_every_pack_is_judged_and_named_though_another_is_refused(
    verify: Verify, signed: Path, work: Path, two_tasks: Path
):
    done = verify("sum-of-ten", "--run", two_tasks, "--offline", "--json")
    unsigned = work / json.loads(done.stdout)["pack"]
    folder = signed.with_suffix("")
    (folder / "tagmanifest-sha256.txt").unlink()
    for command, good in (("check", "ok"), ("recompute", "same")):
        done = verify(command, signed, folder, "nowhere.zip", unsigned)
        assert done.returncode == 5
        assert [line.split()[0] for line in done.stdout.splitlines() if not line.startswith(" ")] == [good, good]
        refused, missing = done.stderr.splitlines()
        assert refused.startswith(f"verify: {folder}: tagmanifest-sha256.txt is missing")
        assert missing.startswith("verify: nowhere.zip: no such pack")
        told = [json.loads(line) for line in verify(command, signed, folder, unsigned, "--json").stdout.splitlines()]
        assert [line.get("error", {}).get("exit_code") for line in told] == [None, 5, None]
        assert str(folder) in told[1]["error"]["message"]
    checked = verify("check", unsigned).stdout
    assert "unsigned: nobody vouches for it" in checked
    assert "--key FILE demands a signature" in checked
    folders = verify("check", work / "packs")
    assert folders.returncode == 2
    assert "is a folder of packs, not a pack" in one_sentence(folders)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("check", "nowhere.zip"), "no such pack; name its folder or its zip"),
        (("check", ".", "--key", "nowhere.pub"), "the key cannot be read"),
        (("key", "show"), "`verify key new` makes one|public key in PEM form"),
        (("key",), "Missing command"),
        (("check",), "Missing argument"),
        (("sum-of-two", "--run", "x", "--key", "nowhere.pem"), "."),
    ],
)
def test_bad_input_is_one_sentence_with_exit_code_2(arguments: tuple[str, ...], said: str, verify: Verify):
    done = verify(*arguments)
    assert done.returncode == 2
    assert any(words in one_sentence(done) for words in said.split("|"))


def test_a_key_from_the_project_file_signs_and_public_says_so(verify: Verify, work: Path, two_tasks: Path):
    assert verify("key", "new", "--out", "signing.pem").returncode == 0
    (work / "verify.toml").write_text('key = "signing.pem"\npublic = true\n')
    done = verify("sum-of-two", "--run", two_tasks, "--offline", "--json")
    assert done.returncode == 0, done.stderr
    pack = work / json.loads(done.stdout)["pack"]
    assert (pack / "attestation.dsse.json").is_file()
    assert "Impassable-Public: " in (pack / "bag-info.txt").read_text()
