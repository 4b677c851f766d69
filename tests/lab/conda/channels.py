"""Makes the lab's channels: `channels.py FOLDER`. Runs inside the lab's image, where rattler is."""

import asyncio
import io
import json
import os
import sys
import tarfile
from pathlib import Path

from conda_package_streaming.create import conda_builder
from rattler.index import index_fs

PYTHON = '#!/bin/sh\nPYTHONPATH=$(dirname "$0")/../lib/python3.11/site-packages exec /usr/bin/python3 "$@"\n'
GRUFF = """#!/bin/sh
[ "$1" = run ] && echo "grufflab ran $2" || { echo 'usage: grufflab run FILE' >&2; exit 2; }
"""
"""A program that knows no --version and no --help."""
BROKEN = "#!/usr/bin/python3\nimport nowhere_at_all\n"
"""One that nobody can run, whoever installed it."""
TERMS = {"version": "2025-07-15T00:00:00Z", "text": "The lab's terms: be kind.", "support": "none"}
STAMP = 1_700_000_000_000


def package(channel: Path, name: str, version: str, files: dict[str, str], **index: object) -> None:
    """Write one `.conda` archive with these files."""
    subdir = str(index.get("subdir", "noarch"))
    listed = {"_path": "", "path_type": "hardlink", "file_mode": "text"}
    about = {
        "name": name, "version": version, "build": "0", "build_number": 0, "depends": [], "timestamp": STAMP,
        "subdir": subdir, **index,
    }  # fmt: skip
    paths = {"paths_version": 1, "paths": [{**listed, "_path": path} for path in files]}
    content = {**files, "info/index.json": json.dumps(about), "info/paths.json": json.dumps(paths)}
    if about.get("noarch") == "python":
        content["info/link.json"] = json.dumps({"noarch": {"type": "python"}, "package_metadata_version": 1})
    (channel / subdir).mkdir(parents=True, exist_ok=True)
    with conda_builder(f"{name}-{version}-0", channel / subdir) as archive:
        for path, text in content.items():
            entry = tarfile.TarInfo(path)
            entry.size, entry.mode = len(text.encode()), 0o755 if path.startswith("bin/") else 0o644
            archive.addfile(entry, io.BytesIO(text.encode()))


def module(channel: Path, name: str, version: str, *needs: str) -> None:
    """A pure Python package."""
    files = {f"site-packages/{name}.py": f"__version__ = {version!r}\n"}
    package(channel, name, version, files, noarch="python", depends=["python >=3", *needs])


def interpreter(channel: Path) -> None:
    """A `python` that is the image's own, with the environment's packages before it."""
    package(channel, "python", "3.11.2", {"bin/python": PYTHON}, subdir="linux-64", arch="x86_64", platform="linux")


def main(folder: Path) -> None:
    """`pkgs/main` asks for its terms to be accepted, `conda-forge` has none and holds more."""
    own, community = folder / "pkgs" / "main", folder / "conda-forge"
    for channel in (own, community):
        interpreter(channel)
        module(channel, "six", "1.16.0")
        module(channel, "labmod", "1.0")
        (channel / "noarch").mkdir(exist_ok=True)
    module(community, "forgeonly", "2.0")
    for version in ("1.0", "2.0"):
        module(community, "numlab", version)
    module(community, "plotlab", "1.0", "numlab >=2")
    module(community, "oldlab", "1.0", "numlab <2")
    package(community, "grufflab", "1.0", {"bin/grufflab": GRUFF}, noarch="generic")
    package(community, "brokelab", "1.0", {"bin/brokelab": BROKEN}, noarch="generic")
    package(community, "labtool", "1.0", {"bin/labtool": "#!/bin/sh\necho labtool 1.0\n"}, noarch="generic")
    for channel in (own, community):
        asyncio.run(index_fs(channel))
    (own / "terms.json").write_text(json.dumps(TERMS), encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
    os._exit(0)  # rattler's threads may outlive the interpreter, which then crashes while it ends
