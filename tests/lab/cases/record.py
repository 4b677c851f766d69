"""`python -m tests.lab.cases.record [ID…]`: run the steps in their worlds and keep what they print.

Without ids, the worlds whose recording is absent or of an earlier world.
"""

import argparse
import asyncio
import json
import os
import re
import shlex
import sys
import tempfile
from pathlib import Path

from sandboxes import ContainerPool, Engine, Session
from sandboxes.indexes import index_hosts, index_route
from tests.lab.images import lab_image

from .machine import specification
from .running import put_workspace
from .world import RECORDED, Recording, Shown, Step, World, load_worlds, recording_of

INDEX = "index.example"
PROXY = re.compile(r"\b(?:\d{1,3}\.){3}\d{1,3}:\d+\b")
SECONDS = 300


def record(world: World, engine: Engine, hosts: set[str]) -> Recording:
    """Run a world's steps one after another in its container."""
    spec = specification(world, engine)
    with (
        ContainerPool(engine) as containers,
        containers.start(spec) as session,
        tempfile.TemporaryDirectory() as directory,
    ):
        if world.workspace is not None:
            put_workspace(world.workspace, Path(directory, "workspace"))
            session.put_tree(spec.workdir, Path(directory, "workspace"))
        return Recording(digest=world.digest, steps=tuple(_shown(session, step, hosts) for step in world.step))


def _shown(session: Session, step: Step, hosts: set[str]) -> Shown:
    command = step.run.replace("{command}", shlex.quote(step.command)) if step.run else step.command
    done = session.run(command, seconds=SECONDS)
    return Shown(output=scrubbed(done.output, hosts), exit_code=done.exit_code)


def scrubbed(text: str, hosts: set[str]) -> str:
    """Without names of index hosts, addresses of our proxy, colours, and progress bars."""
    for host in sorted(hosts, key=len, reverse=True):
        text = text.replace(host, INDEX)
    text = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", PROXY.sub("proxy.example", text))
    return "\n".join(line.rpartition("\r")[2].rstrip() for line in text.split("\n"))


async def record_all(worlds: tuple[World, ...], folder: Path = RECORDED) -> int:
    """Record worlds and keep what they print in a folder."""
    engine = await asyncio.to_thread(Engine.connect)
    try:
        base = await asyncio.to_thread(lab_image, engine, ())
        hosts = await asyncio.to_thread(index_hosts, engine, base)
        async with index_route(engine, base):
            for world in worlds:
                recording = await asyncio.to_thread(record, world, engine, hosts)
                text = json.dumps(recording.model_dump(), indent=1, ensure_ascii=False)
                (folder / f"{world.id}.json").write_text(text + "\n", encoding="utf-8")
                codes = ", ".join(str(step.exit_code) for step in recording.steps)
                sys.stdout.write(f"{world.id}: exit codes {codes}\n")
                sys.stdout.flush()
    finally:
        await asyncio.to_thread(engine.close)
    return 0


def main() -> int:
    """Record the worlds named on the command line."""
    parser = argparse.ArgumentParser(prog="python -m tests.lab.cases.record", description=__doc__)
    parser.add_argument("ids", nargs="*", metavar="ID")
    given = parser.parse_args()
    os.umask(0o022)
    worlds = load_worlds(tuple(given.ids))
    return asyncio.run(record_all(worlds if given.ids else tuple(w for w in worlds if recording_of(w) is None)))


if __name__ == "__main__":
    sys.exit(main())
