"""A real client against the lab's server."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from cases import Block, Case, Outcome, Run, Task, Transcript
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


MISSED = "configure: error: gfortran is needed and is nowhere to be seen"


def case_of(*said, complete=True, claims=(), prompt="Build it."):
    """A synthetic run: every text is what a command `make N` printed, the last one is the agent's."""
    blocks = []
    for number, text in enumerate(said[:-1]):
        call = {"call_id": f"c{number}", "tool": "execute_bash"}
        blocks.append(
            Block(
                index=len(blocks),
                role="assistant",
                kind="call",
                text=f"make {number}",
                arguments={"command": f"make {number}"},
                **call,
            )
        )
        blocks.append(Block(index=len(blocks), role="tool", kind="result", text=text, exit_code=2, **call))
    blocks.append(Block(index=len(blocks), role="assistant", kind="message", text=said[-1]))
    run = Run(
        run_id="r1",
        outcome=Outcome.FAILED,
        transcript=Transcript(blocks=tuple(blocks), complete=complete),
        source="synthetic",
    )
    return Case(benchmark="corebench_hard", task_id="t", task=Task(prompt=prompt), runs=(run,), claims=tuple(claims))
