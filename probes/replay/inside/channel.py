"""Makes a conda channel with nothing in it but an empty package: `channel.py FOLDER NAME VERSION`."""

import hashlib
import io
import json
import sys
import tarfile
from pathlib import Path

folder, name, version = sys.argv[1:]
about = {"name": name, "version": version, "build": "0", "build_number": 0, "depends": [], "subdir": "noarch"}
about["noarch"] = "generic"
held = io.BytesIO()
with tarfile.open(fileobj=held, mode="w:bz2") as archive:
    for path, text in (("index", about), ("paths", {"paths_version": 1, "paths": []})):
        data, entry = json.dumps(text).encode(), tarfile.TarInfo(f"info/{path}.json")
        entry.size = len(data)
        archive.addfile(entry, io.BytesIO(data))
file, place = f"{name}-{version}-0.tar.bz2", Path(folder, "noarch")
place.mkdir(parents=True)
(place / file).write_bytes(held.getvalue())
sums = {kind: hashlib.new(kind, held.getvalue()).hexdigest() for kind in ("md5", "sha256")}
listed = {file: {**about, **sums, "size": len(held.getvalue())}}
repodata = {"info": {"subdir": "noarch"}, "packages": listed, "repodata_version": 1}
(place / "repodata.json").write_text(json.dumps(repodata), encoding="utf-8")
