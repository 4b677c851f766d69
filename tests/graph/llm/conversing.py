"""A real client against the lab's server."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from cases.masking import Mask
from graph.llm import ModelOptions
from graph.llm.client import Client
from graph.llm.transport import open_wire
from tests.lab.model import ModelServer

KEY = "sk-lab-0123456789abcdef"


@asynccontextmanager
async def client_of(
    server: ModelServer, memory: Path | None = None, mask: Mask | None = None, **settings: Any
) -> AsyncIterator[Client]:
    """A client as an audit has one."""
    options = ModelOptions(**{"name": "lab", "server": server.url, "memory": memory, "rate": 1000, **settings})
    async with open_wire(options, KEY) as wire:

        async def opened():
            return wire

        yield Client(options, opened, mask or Mask(), "conversation")
