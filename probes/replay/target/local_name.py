"""Which package a local directory holds, asked of its own sources."""

import shlex

from sandboxes import Session

SCRIPT = r"""
import pathlib, re, shlex, sys, tomllib
for word in shlex.split(sys.argv[1], comments=True):
    path = pathlib.Path(word)
    if word.startswith("-") or not path.is_dir():
        continue
    name = ""
    if (path / "pyproject.toml").is_file():
        name = tomllib.loads((path / "pyproject.toml").read_text()).get("project", {}).get("name", "")
    for other in ("setup.cfg", "setup.py"):
        if not name and (path / other).is_file():
            match = re.search(r"^\s*name\s*=\s*['\"]?([\w.-]+)", (path / other).read_text(), re.M) or re.search(
                r"\bname\s*=\s*['\"]([\w.-]+)", (path / other).read_text())
            name = match[1] if match else ""
    if re.fullmatch(r"[A-Za-z0-9][\w.-]*", name):
        print(name)
        break
"""


def local_name(session: Session, command: str) -> str | None:
    """The name of the project in a directory that the command installs."""
    done = session.run(f"python3 - {shlex.quote(command)} <<'E'{SCRIPT}E", seconds=30)
    return done.output.strip() or None if done.ok else None
