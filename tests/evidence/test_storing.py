"""A pack's zip in a store: whole, once, and a sentence where it cannot be put."""

import hashlib
import re
from pathlib import Path

import fsspec
import pytest

from cases import EnvironmentNotReady, InputError
from evidence.checking import check
from evidence.pack import archive_of, write_pack
from evidence.placing import store
from probes import ArtifactStore
from tests.evidence.synthetic_audits import ALL


@pytest.fixture
def pack(tmp_path: Path) -> Path:
    artifacts = ArtifactStore(tmp_path / "artifacts")
    return write_pack(ALL["bare"](artifacts), artifacts, tmp_path / "packs").path


def test_a_pack_lies_whole_in_the_store_and_is_put_there_once(pack: Path, tmp_path: Path) -> None:
    url = f"memory://{tmp_path.name}/packs"
    store(pack, url)
    system, root = fsspec.core.url_to_fs(url)
    [name] = system.ls(root, detail=False)
    assert hashlib.sha256(system.cat_file(name)).digest() == hashlib.sha256(archive_of(pack).read_bytes()).digest()
    made = system.modified(name)
    store(pack, url)
    assert system.modified(name) == made


def test_a_folder_is_a_store_too_from_which_a_pack_can_be_checked(pack: Path, tmp_path: Path) -> None:
    store(pack, f"file://{tmp_path}/elsewhere")
    [there] = (tmp_path / "elsewhere").iterdir()
    assert check(there).digest == check(pack).digest


def test_what_cannot_be_written_and_what_nobody_speaks_are_sentences(pack: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(EnvironmentNotReady, match=re.escape(f"{pack.name}.zip could not be put there")):
        store(pack, f"file://{tmp_path}/file/packs")
    with pytest.raises(InputError, match="nowhere"):
        store(pack, "nowhere://bucket")
