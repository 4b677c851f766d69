"""The audits of a campaign: few small worlds whose truth is known, in batches of one command each."""

import asyncio
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sandboxes import Engine
from tests.lab.disputed import DISPUTED
from tests.lab.web import Lab
from tests.verify.synthetic import upload
from verify.labelled import World
from verify.labelled.formats import written
from verify.labelled.machine import image_of
from verify.labelled.running import claims_csv

CONTAINERS = ("permission-demanded-path", "permission-relative-path")
"""One that is supported and one that is not, on the same machine."""
INDEXES = ("module-pip-user", "claim-invented")
"""One that a package index makes passable, and one without a barrier."""
SITES = {"walled": "px-wall", "open": "article"}
"""Two sites that deny a page, and what their mobile pages show: the wall again, or the page."""
WEB_TRUTH = {"walled": "supported", "open": "not_supported"}
DENIED = "Access to this page has been denied"
CONTROL = "https://article.lab.example/page"


@dataclass(frozen=True)
class Batch:
    """What one command audits."""

    name: str
    truth: dict[str, str]
    """The status of each task."""
    arguments: tuple[str, ...]
    docker: bool
    """Whether it needs the engine."""


def container_batch(name: str, ids: tuple[str, ...], folder: Path, engine: Engine) -> Batch:
    """Recorded worlds of the lab that share a machine: that of the first."""
    worlds = DISPUTED.worlds(ids)
    first = next(world for world in worlds if world.id == ids[0])
    folder.mkdir()
    (folder / "profile.toml").write_text(first.profile_toml(image_of(first, DISPUTED, engine)), "utf-8")
    return Batch(
        name=name,
        truth={world.id: world.truth.status for world in worlds},
        arguments=(*_runs(worlds, folder), "--profile", str(folder / "profile.toml")),
        docker=True,
    )


def _runs(worlds: tuple[World, ...], folder: Path) -> list[str]:
    arguments: list[str] = []
    for world in worlds:
        recording = DISPUTED.recording(world)
        assert recording, f"{world.id} is not recorded"
        told = written(world, recording)
        path = folder / f"{world.id}-{told.name}"
        path.write_text(told.text, "utf-8")
        arguments += ["--run", str(path)]
        if world.claim:
            claims = folder / f"{world.id}.csv"
            claims.write_text(claims_csv(world), "utf-8")
            arguments += ["--claims", str(claims)]
    return arguments


def web_batch(folder: Path, lab: Lab, address: str) -> Batch:
    """Two runs that a wall stopped, over the lab's sites as they are reached at `address`."""
    folder.mkdir()
    arguments = ["--lab-ca", str(lab.ca), "--control", CONTROL]
    for site in SITES:
        path = folder / f"{site}_UPLOAD.json"
        path.write_text(json.dumps(_walled(site)), "utf-8")
        arguments += ["--run", str(path)]
    arguments += [part for host in lab.resolve for part in ("--resolve", f"{host}={address}")]
    return Batch("web", dict(WEB_TRUTH), tuple(arguments), docker=False)


def _walled(site: str) -> dict[str, Any]:
    """A synthetic run whose last act is to meet a wall."""
    url = f"https://www.{site}.test/page"
    asked = f"Where does the lamp stand, by {url}?"
    code = f"import requests\nrequests.get('{url}').raise_for_status()"
    function = {"name": "python", "arguments": json.dumps({"code": code})}
    refused = f"requests.exceptions.HTTPError: 403 Client Error: Forbidden for url: {url}\n{DENIED}"
    messages = [
        {"role": "user", "content": asked},
        {"role": "assistant", "content": "", "tool_calls": [{"id": "c1", "type": "function", "function": function}]},
        {"role": "tool", "tool_call_id": "c1", "content": refused},
        {"role": "assistant", "content": "I was unable to open the page."},
    ]
    return upload(site, messages, "assistantbench") | {"task_prompts": {site: asked}}


@contextmanager
def sites() -> Iterator[Lab]:
    """The lab's web, served by a thread."""
    hosts = {f"www.{site}.test": "px-wall" for site in SITES} | {
        f"m.{site}.test": shown for site, shown in SITES.items()
    }
    lab, loop = Lab(hosts=hosts, routes=True), asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever, daemon=True)
    thread.start()
    try:
        asyncio.run_coroutine_threadsafe(lab.__aenter__(), loop).result(30)
        yield lab
        asyncio.run_coroutine_threadsafe(lab.__aexit__(), loop).result(30)
    finally:
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()
