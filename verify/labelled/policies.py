"""Scripted agents: habits in which a world's steps are taken, and to which each result leads; data, and one loop."""

from collections.abc import Callable, Iterator
from itertools import cycle, islice

from pydantic import Field

from verify.labelled.world import Done, Step, Strict, World

Act = Callable[[Step], Done]


class Policy(Strict):
    """One agent's habits; a pair is what it says, and the command."""

    opens: tuple[tuple[str, str], ...] = ()
    """What it looks at before it begins."""
    says: tuple[str, ...] = ("",)
    """In turn, before a step that brings no words of its own; `{command}` is the step's."""
    retries: int = Field(default=0, ge=0, le=5)
    """How often what failed is tried again as it was."""
    again: str = ""
    """What it says then."""
    looks: tuple[tuple[str, str], ...] = ()
    """In turn, after a failure, so many as `looks_each`."""
    looks_each: int = Field(default=0, ge=0)
    patience: int | None = None
    """Failures of the task's steps after which it goes no further."""
    closes: tuple[tuple[str, str], ...] = ()
    """What it does at the end, such as making a patch."""
    last: str | None = None
    """Its last words; `{command}` and `{error}` are of what failed last. None for the world's own."""


def acted(world: World, policy: Policy | None, act: Act) -> tuple[tuple[Done, ...], str]:
    """Everything that the agent did, and its last words."""
    if policy is None:
        return tuple(act(step) for step in world.step), world.final
    done = list(_taken(world, policy, act))
    failed = [one for one in done if one.failed]
    return tuple(done), _last(world, policy, failed)


def _taken(world: World, policy: Policy, act: Act) -> Iterator[Done]:
    says, looks = cycle(policy.says), cycle(policy.looks)
    shell = world.step[0].model_copy(update={"once": True, "keep": None})
    failures = 0

    def aside(pair: tuple[str, str]) -> Done:
        return act(shell.model_copy(update={"say": pair[0], "command": pair[1], "tool": "execute_bash", "run": None}))

    for pair in policy.opens:
        yield aside(pair)
    for step in world.step:
        said = step.say or next(says).replace("{command}", step.command)
        done = act(step.model_copy(update={"say": said}))
        yield done
        for _ in range(0 if step.once else policy.retries):
            if not done.failed:
                break
            done = act(step.model_copy(update={"say": policy.again}))
            yield done
        if done.failed:
            failures += 1
            for pair in islice(looks, policy.looks_each):
                yield aside(pair)
        if policy.patience is not None and failures >= policy.patience:
            break
    for pair in policy.closes:
        yield aside(pair)


def _last(world: World, policy: Policy, failed: list[Done]) -> str:
    if policy.last is None or not failed:
        return world.final
    lines = [line.strip() for line in failed[-1].output.splitlines() if line.strip()]
    error = lines[-1] if lines else f"exit code {failed[-1].exit_code}"
    return policy.last.replace("{command}", failed[-1].command).replace("{error}", error)
