"""As whom Chromium is started, and whether in its own sandbox: the safest that this machine allows comes first."""

import os
import shlex
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from cases.sentences import Sentences

say = Sentences(__name__)


USERS = range(60_600, 61_100)
"""Numbers that no distribution gives to a user; a browser has one of its own, by our process."""
AS_USER = """#!/bin/sh
for word; do
    case $word in --user-data-dir=*) home=${{word#*=}} ;; esac
done
chown {user}:{user} "$home" && cd "$home" || exit 126
HOME=$home TMPDIR=$home exec setpriv --reuid {user} --regid {user} --clear-groups -- {executable} "$@"
"""
"""The profile is Playwright's, made for us; the browser becomes its owner and has no other place to write."""


@dataclass(frozen=True)
class Attempt:
    """One way to start it."""

    sandbox: bool
    told: str
    user: int | None = None
    """Who it runs as; None for whoever we are."""

    @contextmanager
    def begun(self, executable: Path) -> Iterator[Path]:
        """What to start, while the context is open."""
        if self.user is None:
            yield executable
            return
        with tempfile.TemporaryDirectory(prefix="impassable-start-") as folder:
            script = Path(folder) / "chromium"
            script.write_text(AS_USER.format(user=self.user, executable=shlex.quote(str(executable))), encoding="utf-8")
            script.chmod(0o700)
            yield script


def attempts() -> tuple[Attempt, ...]:
    """In the order in which they are to be tried."""
    if os.geteuid() != 0:
        return Attempt(sandbox=True, told="on"), Attempt(sandbox=False, told=say("starting.off_platform_not"))
    bare = Attempt(sandbox=False, told=say("starting.off_runs_root"))
    if not shutil.which("setpriv"):
        return (bare,)
    user = USERS[os.getpid() % len(USERS)]
    on = Attempt(sandbox=True, told=say("starting.user_own"), user=user)
    return on, Attempt(sandbox=False, told=say("starting.off_platform_not_allow"), user=user), bare
