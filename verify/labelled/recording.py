"""Running an agent's steps in their world, and keeping what they print."""

import json
import shlex
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from cases import patterns as re
from sandboxes import ContainerPool, Engine, Session
from sandboxes.images import ensure_base
from sandboxes.indexes import index_access, index_hosts
from verify.labelled.machine import image_of, specification
from verify.labelled.policies import acted
from verify.labelled.sets import LabelledSet
from verify.labelled.world import Done, Recording, Step, World

INDEX = "index.example"
PROXY = re.compile(r"\b(?:\d{1,3}\.){3}\d{1,3}:\d+\b")
COLOURS = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")
SECONDS = 300


def recorded(worlds: Iterable[World], labelled: LabelledSet) -> Iterator[tuple[World, Recording]]:
    """Each world with its new recording, which is in the set's folder by then.

    Raises:
        EngineUnavailable: there is no engine.
        ImageUnavailable: an image cannot be made.
    """
    labelled.recorded.mkdir(exist_ok=True)
    engine = Engine.connect()
    try:
        base = ensure_base(engine)
        hosts = index_hosts(engine, base)
        with index_access(engine, base):
            for world in worlds:
                found = record(world, labelled, engine, hosts)
                text = json.dumps(found.model_dump(exclude_defaults=True), indent=1, ensure_ascii=False)
                (labelled.recorded / f"{world.id}.json").write_text(text + "\n", encoding="utf-8")
                yield world, found
    finally:
        engine.close()


def record(world: World, labelled: LabelledSet, engine: Engine, hosts: set[str]) -> Recording:
    """Let the agent act in the world's container."""
    policy = labelled.policies[world.policy] if world.policy else None
    with machine(world, image_of(world, labelled, engine), engine) as session:
        steps, final = acted(world, policy, lambda step: _done(session, step, hosts))
    return Recording(digest=world.digest, steps=steps, final=final)


@contextmanager
def machine(world: World, image: str, engine: Engine) -> Iterator[Session]:
    """A fresh container of the world, with the task's files in it."""
    spec = specification(world, image)
    with (
        ContainerPool(engine) as containers,
        containers.start(spec) as session,
        tempfile.TemporaryDirectory() as directory,
    ):
        if world.workspace is not None:
            put_workspace(world.workspace, Path(directory, "workspace"))
            session.put_tree(spec.workdir, Path(directory, "workspace"))
        yield session


def put_workspace(files: dict[str, str], directory: Path) -> None:
    """The task's files in a directory of their own."""
    directory.mkdir()
    for name, text in files.items():
        path = directory / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def scrubbed(text: str, hosts: set[str]) -> str:
    """Without names of index hosts, addresses of our proxy, colours, and progress bars."""
    for host in sorted(hosts, key=len, reverse=True):
        text = text.replace(host, INDEX)
    text = COLOURS.sub("", PROXY.sub("proxy.example", text))
    return "\n".join(line.rpartition("\r")[2].rstrip() for line in text.split("\n"))


def _done(session: Session, step: Step, hosts: set[str]) -> Done:
    command = step.run.replace("{command}", shlex.quote(step.command)) if step.run else step.command
    done = session.run(command, seconds=SECONDS)
    return Done(
        command=step.command,
        tool=step.tool,
        say=step.say,
        keep=step.keep,
        output=scrubbed(done.output, hosts),
        exit_code=done.exit_code,
    )
