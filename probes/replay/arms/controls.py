"""Controls in the same container policy: what must work for a failure to mean anything."""

from collections.abc import Callable

from cases.sentences import Sentences
from probes.model import Control
from probes.replay.resources.log import Log, run
from sandboxes import ContainerPool, Executed, Session, Spec

say = Sentences(__name__)

KNOWN_GOOD = "six"
"""A small pure package that every index has had for years."""
WRITABLE = (
    'for p in . "$HOME" /tmp /var/tmp; do d=$(mktemp -d "$p/control.XXXXXX") || continue; '
    'printf \'#!/bin/sh\\necho ran\\n\' > "$d/x" && chmod +x "$d/x" && "$d/x"; '
    's=$?; rm -rf "$d"; [ $s = 0 ] && exit 0; done; exit 1'
)
"""The working directory may be another user's: that is for the probe to measure, and no fault of the container."""
SECONDS = 30
"""For what any container does at once."""
INSTALL = (
    f"d=$(mktemp -d) && python3 -m pip install --quiet --no-deps --target $d {KNOWN_GOOD} "
    f"&& PYTHONPATH=$d python3 -c 'import {KNOWN_GOOD}'"
)


def base_controls(session: Session, store: Callable[[Log], str]) -> list[Control]:
    """A trivial command; a directory that can be written and executed from."""
    log = Log("replay-controls")
    trivial = run(session, log, "echo works", SECONDS, looks=True)
    writable = run(session, log, WRITABLE, SECONDS, looks=True)
    store(log)
    return [
        Control(
            name="a trivial command",
            expected=say("controls.prints_ends"),
            observed=f"printed {trivial.output.strip()[:40]!r}, {trivial.how}",
            passed=trivial.ok and _last_line(trivial) == "works",
        ),
        Control(
            name="a directory to write and execute in",
            expected=say("controls.script_made_working"),
            observed=f"printed {writable.output.strip()[:80]!r}, {writable.how}",
            passed=writable.ok and _last_line(writable) == "ran",
        ),
    ]


def _last_line(done: Executed) -> str:
    """What it printed itself: a shell may warn of a machine's settings before."""
    return next(iter(done.output.strip().splitlines()[-1:]), "")


def network_control(containers: ContainerPool, spec: Spec, store: Callable[[Log], str]) -> Control:
    """A known-good install from the same index, in a container of its own under the same policy."""
    log = Log("replay-control-index")
    with containers.start(spec) as session:
        done = run(session, log, INSTALL, 90)
    store(log)
    return Control(
        name="a known-good install from the same index",
        expected=say("controls.installs_imports", known_good=KNOWN_GOOD),
        observed=done.how,
        passed=done.ok,
    )
