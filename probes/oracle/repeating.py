"""The failed run's own work, done again in the task's machine; and how anybody repeats the oracle."""

import shlex
from collections.abc import Iterator

from cases import Events
from cases.folders import Part, TaskFolder
from cases.sentences import Sentences
from probes.oracle.trial import PLACE

say = Sentences(__name__)

OWN = f"{PLACE}/own.sh"
MOST = 200
"""Commands of one run."""


def own_work(events: Events, seconds: int) -> Part | None:
    """Its commands and whole files in their order; None where it did anything that no script can repeat."""
    done = [*events.commands]
    if not done or len(done) > MOST or any(event.kind != "shell" for event in done) or events.calls:
        return None
    if any(write.how != "whole" or not write.path.startswith("/") for write in events.writes):
        return None
    lines: list[str] = []
    for number, event in enumerate(done):
        lines += _written(events, number)
        lines += [f"cd {shlex.quote(event.cwd)}"] if event.cwd else []
        lines.append(f"eval {shlex.quote(event.command)} </dev/null")
    lines += _written(events, len(done))
    return Part(texts=((OWN, "\n".join(lines) + "\n"),), command=f"bash {OWN}", seconds=seconds)


def _written(events: Events, number: int) -> Iterator[str]:
    for write in events.writes:
        if write.after == number:
            path = shlex.quote(write.path)
            yield f'mkdir -p "$(dirname {path})"; printf %s {shlex.quote(write.content)} >{path}'


def commands_of(task: TaskFolder, task_id: str) -> tuple[str, ...]:
    """Lines of a shell that run the solution and then the checks, by where they lie in the task's folder."""
    if task.layout == "SWE-bench":
        name = shlex.quote(task_id)
        predictions = f"--predictions_path gold --instance_ids {name} --run_id oracle"
        return (f"python -m swebench.harness.run_evaluation {predictions}",)
    machine = task.machine
    built = machine.dockerfile and machine.dockerfile.parent
    below = built.relative_to(task.place).as_posix() if built and built.is_relative_to(task.place) else "."
    place = "$TASK" if below == "." else f"$TASK/{below}"
    made = f'docker build -t oracle "{place}"' if built else f"docker pull {shlex.quote(machine.image or '')}"
    image = "oracle" if built else shlex.quote(machine.image or "")
    steps = [_inside(task, part) for part in (task.solution, task.checks) if part]
    steps += ["cat /logs/verifier/reward.*"] if task.marks == "reward" else []
    options = "--network none " if machine.network == "none" else ""
    options += "".join(f"-e {shlex.quote(f'{name}={value}')} " for name, value in machine.env.items())
    run = f'docker run --rm {options}-v "$TASK:/task:ro" {image} bash -c {shlex.quote("; ".join(steps))}'
    return (say("repeating.task"), made, run)


def _inside(task: TaskFolder, part: Part) -> str:
    """What puts a part into the container and runs it."""
    steps = []
    for source, target in part.places:
        if not source.is_relative_to(task.place):
            steps.append(say("repeating.given", target=target))
            continue
        path = shlex.quote(f"/task/{source.relative_to(task.place).as_posix()}")
        folder = target if source.is_dir() else target.rpartition("/")[0]
        steps.append(f"mkdir -p {folder} && cp -r {path}{'/.' if source.is_dir() else ''} {target}")
    env = " ".join(f"{name}={shlex.quote(value)}" for name, value in part.env.items())
    return " && ".join([*steps, f"{env} {part.command}".strip() if "&&" not in part.command else part.command])
