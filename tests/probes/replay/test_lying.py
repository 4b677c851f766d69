"""What lies somewhere on the disk is found whatever its package is called."""

import subprocess
from pathlib import Path

import pytest

from probes.replay.handlers.lying import packed


@pytest.mark.parametrize(
    ("name", "there"),
    [
        ("libpng-1.6.43.tar.xz", True),
        ("libpng-dev_1.6.39-2_amd64.deb", True),
        ("LIBPNG.zip", True),
        ("png.tar", True),
        ("image.png", False),
        ("pngs.txt", False),
    ],
)
def test_an_archive_is_found_by_a_part_of_its_name(tmp_path: Path, name: str, there: bool) -> None:
    (tmp_path / name).touch()
    command = f"find . \\( {packed('png')} \\) -print"
    done = subprocess.run(["sh", "-c", command], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert (done.stdout.strip() == f"./{name}") is there
