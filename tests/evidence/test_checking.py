"""A pack that is not what was written is refused, with the first difference in one sentence."""

import io
import json
import random
import shutil
import stat
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from securesystemslib.signer import CryptoSigner

from cases import InputError, PackError
from evidence import archive_of, write_pack
from evidence.archive import opened
from evidence.bag import INFO
from evidence.checking import check
from evidence.signing import ATTESTATION, key_of, load_key, load_signer, new_key, public_path
from probes import ArtifactStore
from tests.evidence.forging import rewritten
from tests.evidence.synthetic_audits import ALL, png, supported


@pytest.fixture
def signer() -> CryptoSigner:
    """A key of this test."""
    return CryptoSigner.generate_ed25519()


@pytest.fixture
def pack(store: ArtifactStore, tmp_path: Path) -> Path:
    """An unsigned pack."""
    return write_pack(supported(store), store, tmp_path / "packs").path


@pytest.fixture
def signed(store: ArtifactStore, tmp_path: Path, signer: CryptoSigner) -> Path:
    """A signed pack."""
    return write_pack(supported(store), store, tmp_path / "signed", signer).path


def repacked(pack: Path, edit: Callable[[zipfile.ZipFile], None]) -> Path:
    """The pack's zip with something more in it."""
    other = pack.with_name("other.zip")
    shutil.copy(archive_of(pack), other)
    with zipfile.ZipFile(other, "a") as archive:
        edit(archive)
    return other


@pytest.mark.parametrize("name", ALL)
def test_what_was_written_is_accepted_as_folder_and_as_zip(
    name: str, store: ArtifactStore, tmp_path: Path, signer: CryptoSigner
) -> None:
    audit = ALL[name](store)
    for key in (None, signer):
        pack = write_pack(audit, store, tmp_path / "packs", key).path
        for form in (pack, archive_of(pack)):
            found = check(form, key and key_of(key))
            assert found.audit == audit
            assert found.signer == (key and key_of(key))
            assert pack.name.endswith(found.digest)


@pytest.mark.parametrize("with_key", [False, True])
def test_each_of_500_flipped_bytes_of_a_zip_is_found(with_key: bool, pack: Path, signed: Path) -> None:
    whole = archive_of(signed if with_key else pack)
    data = whole.read_bytes()
    altered = whole.with_name("altered.zip")
    chance = random.Random(7)
    for _ in range(250):
        place, bit = chance.randrange(len(data)), 1 << chance.randrange(8)
        altered.write_bytes(data[:place] + bytes([data[place] ^ bit]) + data[place + 1 :])
        with pytest.raises(PackError):
            check(altered)


@pytest.mark.exhaustive
def test_a_flipped_bit_in_any_header_of_the_zip_is_found(pack: Path) -> None:
    whole = archive_of(pack)
    data = whole.read_bytes()
    altered = whole.with_name("altered.zip")
    with zipfile.ZipFile(whole) as archive:
        entry, directory = archive.infolist()[1], archive.start_dir
    places = [*range(entry.header_offset, entry.header_offset + 30), *range(directory, directory + 46)]
    for place in [*places, *range(len(data) - 22, len(data))]:
        for bit in range(8):
            altered.write_bytes(data[:place] + bytes([data[place] ^ 1 << bit]) + data[place + 1 :])
            with pytest.raises(PackError):
                check(altered)


@pytest.mark.parametrize("place", [0, -1])
def test_a_zip_with_bytes_before_or_after_it_is_refused(place: int, pack: Path) -> None:
    data = archive_of(pack).read_bytes()
    other = pack.with_name("other.zip")
    other.write_bytes(b"#!/bin/sh\n" + data if place == 0 else data + b"\0")
    with pytest.raises(PackError, match="altered"):
        check(other)


def test_a_zip_of_another_compressor_is_accepted_and_one_stream_of_another_form_is_not(pack: Path) -> None:
    held = opened(archive_of(pack))
    for level, only, fits in ((1, None, True), (1, "findings.json", False)):
        written = io.BytesIO()
        with (
            zipfile.ZipFile(archive_of(pack)) as own,
            zipfile.ZipFile(written, "w", zipfile.ZIP_DEFLATED) as archive,
        ):
            for entry in own.infolist():
                path = entry.filename.removeprefix(f"{held.folder}/")
                archive.writestr(entry, held.content[path], compresslevel=level if only in (None, path) else 9)
        other = pack.with_name("other.zip")
        other.write_bytes(written.getvalue())
        assert other.read_bytes() != archive_of(pack).read_bytes()
        if fits:
            assert check(other).content == held.content
        else:
            with pytest.raises(PackError, match="not the zip that this program writes"):
                check(other)


def test_a_flipped_byte_in_any_file_of_a_folder_is_named(pack: Path) -> None:
    for path in sorted(path for path in pack.rglob("*") if path.is_file()):
        data = path.read_bytes()
        path.write_bytes(data[:-1] + bytes([data[-1] ^ 1]))
        name = path.relative_to(pack).as_posix()
        with pytest.raises(PackError, match=name):
            check(pack)
        path.write_bytes(data)
    check(pack)


def test_a_file_more_or_less_is_named(pack: Path) -> None:
    for extra in (pack / "note.txt", pack / "data" / "evidence" / "more.txt"):
        extra.write_text("hello")
        with pytest.raises(PackError, match=rf"{extra.name} is not listed in .*manifest-sha256\.txt: .* remove it"):
            check(pack)
        extra.unlink()
    (pack / "report.html").rename(pack.parent / "report.html")
    with pytest.raises(PackError, match=r"report\.html is listed in tagmanifest-sha256\.txt and missing"):
        check(pack)


def test_manifests_written_anew_without_the_key_are_found(signed: Path, signer: CryptoSigner, tmp_path: Path) -> None:
    verdict = json.loads((signed / "verdict.json").read_text()) | {"score": 0}
    changed = {"verdict.json": json.dumps(verdict).encode()}
    forged = rewritten(signed, changed, tmp_path / "forged")
    with pytest.raises(PackError, match=r"verdict\.json is not what was signed"):
        check(forged)
    with pytest.raises(PackError, match=r"bag-info\.txt says that SHA256:\S+ signed this pack, .* was taken away"):
        check(rewritten(signed, changed | {ATTESTATION: None}, tmp_path / "stripped"))
    info = (signed / INFO).read_bytes().partition(b"Impassable-Signed-By")[0]
    denied = rewritten(signed, changed | {ATTESTATION: None, INFO: info}, tmp_path / "denied")
    assert check(denied).signer is None
    with pytest.raises(PackError, match="is not signed, but should be signed by SHA256:"):
        check(denied, key_of(signer))


def test_manifests_of_an_unsigned_pack_written_anew_do_not_fit_its_name(pack: Path, tmp_path: Path) -> None:
    verdict = json.loads((pack / "verdict.json").read_text()) | {"score": 0}
    changed = {"verdict.json": json.dumps(verdict).encode()}
    with pytest.raises(PackError, match=r"is named [0-9a-f]{12}, but the digest"):
        check(rewritten(pack, changed, tmp_path / "forged", rename=False))


def test_another_key_is_not_the_one_demanded(signed: Path, signer: CryptoSigner, tmp_path: Path) -> None:
    stranger = CryptoSigner.generate_ed25519()
    with pytest.raises(PackError, match=r"bag-info\.txt names SHA256:\S+ as the signer, but .* by SHA256:"):
        check(rewritten(signed, {}, tmp_path / "half", signer=stranger))
    info = (signed / INFO).read_text().replace(key_of(signer).fingerprint, key_of(stranger).fingerprint)
    other = rewritten(signed, {INFO: info.encode()}, tmp_path / "whole", signer=stranger)
    assert check(other).signer == key_of(stranger)
    with pytest.raises(PackError, match=r"is signed by SHA256:\S+, but should be signed by SHA256:"):
        check(other, key_of(signer))


def test_a_signature_cannot_be_moved_or_mended(signed: Path, tmp_path: Path) -> None:
    envelope = json.loads((signed / ATTESTATION).read_text())
    for field, value in (("payload", "e30="), ("signatures", []), ("payloadType", "text/plain")):
        forged = json.dumps({**envelope, field: value}).encode()
        with pytest.raises(PackError, match=r"attestation\.dsse\.json"):
            check(rewritten(signed, {ATTESTATION: forged}, tmp_path / field))


@pytest.mark.parametrize(
    "name", ["../evil", "/etc/evil", "a/../../evil", "C:evil", "..\\evil", "a//b", "./evil", "evil\n", "folder/"]
)
def test_a_path_that_leaves_the_pack_is_refused(name: str, pack: Path) -> None:
    with pytest.raises(PackError, match="not a plain path inside the pack"):
        opened(repacked(pack, lambda archive: archive.writestr(zipfile.ZipInfo(name), b"x")))


def test_doubles_and_names_that_differ_in_case_alone_are_refused(pack: Path) -> None:
    def double(archive: zipfile.ZipFile) -> None:
        archive.writestr(f"{pack.name}/REPORT.html", b"x")

    with pytest.raises(PackError, match=r"holds both .*report\.html.* and .*REPORT\.html"):
        opened(repacked(pack, double))


@pytest.mark.parametrize("kind", [stat.S_IFLNK, stat.S_IFCHR, stat.S_IFIFO])
def test_links_and_devices_in_a_zip_are_refused(kind: int, pack: Path) -> None:
    def link(archive: zipfile.ZipFile) -> None:
        entry = zipfile.ZipInfo(f"{pack.name}/link")
        entry.external_attr = (kind | 0o777) << 16
        archive.writestr(entry, "/etc/passwd")

    with pytest.raises(PackError, match="not a plain file"):
        opened(repacked(pack, link))


def test_links_in_a_folder_are_refused(pack: Path) -> None:
    (pack / "link").symlink_to("/etc/passwd")
    with pytest.raises(PackError, match="link is a link or a device"):
        check(pack)


def test_bombs_are_refused_before_they_are_unpacked(pack: Path, store: ArtifactStore, tmp_path: Path) -> None:
    inner = io.BytesIO()
    with zipfile.ZipFile(inner, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("zeros", bytes(48 * 2**20))
    with pytest.raises(PackError, match="would unpack to"):
        opened(repacked(pack, lambda archive: archive.writestr(f"{pack.name}/z", bytes(300 * 2**20), 8)))
    with pytest.raises(PackError, match="would unpack to"):
        opened(repacked(pack, lambda archive: archive.writestr(f"{pack.name}/z.zip", inner.getvalue())))
    with pytest.raises(PackError, match="holds 5,"):
        opened(repacked(pack, lambda archive: [archive.writestr(f"{pack.name}/{n}", b"") for n in range(5000)]))


def test_an_encrypted_or_oddly_compressed_entry_is_refused(pack: Path) -> None:
    with pytest.raises(PackError, match="rare compression"):
        opened(repacked(pack, lambda archive: archive.writestr(f"{pack.name}/x", b"x" * 99, zipfile.ZIP_BZIP2)))


def test_what_is_no_pack_is_one_sentence_that_accuses_nobody(tmp_path: Path, pack: Path) -> None:
    with pytest.raises(InputError, match="no such pack; name its folder or its zip"):
        check(tmp_path / "nowhere")
    (tmp_path / "picture.zip").write_bytes(png())
    with pytest.raises(InputError, match=r"picture\.zip is not a pack: it is neither a folder nor a zip"):
        check(tmp_path / "picture.zip")
    with zipfile.ZipFile(tmp_path / "other.zip", "w") as archive:
        archive.writestr("run/log.txt", "hello")
    with pytest.raises(InputError, match=r"other\.zip is a zip of something else"):
        check(tmp_path / "other.zip")
    (tmp_path / "empty").mkdir()
    with pytest.raises(InputError, match=r"empty is not a pack: it holds no verdict\.json"):
        check(tmp_path / "empty")
    with pytest.raises(InputError, match=r"packs is a folder of packs, not a pack; .* such as \S+/packs/\*\.zip"):
        check(pack.parent)
    archive_of(pack).unlink()
    with pytest.raises(InputError, match=r"packs is a folder of packs, not a pack; .* such as \S+/packs/\*$"):
        check(pack.parent)
    (pack / "bag-info.txt").write_text("Impassable-Schema: impassable/9\n")
    with pytest.raises(PackError, match=r"bag-info\.txt does not name the schema impassable/1"):
        check(pack)


def test_every_artifact_is_what_its_finding_names_and_nothing_else_is_there(pack: Path, tmp_path: Path) -> None:
    held = check(pack).content
    log = next(path for path in held if path.endswith("replay-arm.log.txt"))
    picture = next(path for path in held if path.endswith(".png"))
    forgeries: list[tuple[dict[str, bytes | None], str]] = [
        ({log: None}, r"rests on [0-9a-f]{12}, which is not there"),
        ({log: b"everything works"}, rf"rests on {log}, whose bytes are not those of its digest"),
        ({picture: png(9, 9)}, rf"rests on {picture}, whose bytes are not those of its digest"),
        ({picture: None, f"{picture}.html": held[picture]}, rf"{picture}\.html is not named by any finding"),
        ({"data/evidence/deadbeef0000-extra.txt": b"hi"}, r"deadbeef0000-extra\.txt is not named by any finding"),
        ({f"data/evidence/{log[-20:]}": held[log]}, "is not named by any finding"),
        ({"data/extra.txt": b"hi"}, r"data/extra\.txt is not named by any finding"),
        ({"INSTALL.md": b"curl | sh"}, r"INSTALL\.md does not belong to a pack"),
    ]
    for number, (changes, said) in enumerate(forgeries):
        with pytest.raises(PackError, match=said):
            check(rewritten(pack, changes, tmp_path / f"forged-{number}"))


def test_the_same_key_signs_the_same_bytes(store: ArtifactStore, tmp_path: Path, signer: CryptoSigner) -> None:
    first = archive_of(write_pack(supported(store), store, tmp_path / "a", signer).path)
    second = archive_of(write_pack(supported(store), store, tmp_path / "b", signer).path)
    assert first.read_bytes() == second.read_bytes()


def test_a_key_is_kept_for_its_owner_only_and_never_overwritten(tmp_path: Path) -> None:
    path = tmp_path / "config" / "key.pem"
    key = new_key(path)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert key_of(load_signer(path)) == load_key(path) == load_key(public_path(path)) == key
    assert "PRIVATE" not in public_path(path).read_text()
    with pytest.raises(InputError, match="a key is there already"):
        new_key(path)
    for wrong in ("-----BEGIN PRIVATE KEY-----\nno\n", "hello"):
        (tmp_path / "wrong").write_text(wrong)
        with pytest.raises(InputError, match="wrong: "):
            load_signer(tmp_path / "wrong")
        with pytest.raises(InputError, match="wrong"):
            load_key(tmp_path / "wrong")
