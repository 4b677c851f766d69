"""A replay's recipe with everything hostile in it, and an audit that has it."""

import base64

from evidence.artifacts import EvidenceFile, collect
from graph.verdict import Audit
from probes import ArtifactStore
from probes.replay.resources.recipe import NAME, Arm, Box, Put, Recipe, Run
from tests.evidence.synthetic_audits import supported

HOSTILE = (
    "plain",
    "it's; touch /tmp/nowhere/canary",
    "$(touch canary) `touch canary` ${HOME} \\",
    "two\nlines\n",
    "EOF\n'\"'\"'\nrm -rf x #",
    "bidi \u202e evil \u2066 zero\u200bwidth \x1b[2J\r",
    "{{ recipe }} {% raw %} {# x #}",
    "-rf --help",
    "●●●●",
)

BOX = Box(network="none", tmpfs={}, read_only=(), memory_mb=512, cpus=1, pids=64, file_mb=10)


def recipe(**changes: object) -> Recipe:
    """Two arms with everything hostile in them."""
    steps = tuple(Run(command=text, user="agent", shell="bash", exit_code=1) for text in HOSTILE)
    arm = Arm(name="the failing command", kind="replay", box=BOX, steps=steps[-1:], shows=False)
    fields: dict[str, object] = {
        "image": "some/image:tag",
        "digests": (),
        "made": "debootstrap\n rm -rf /",
        "added": (),
        "user": "agent",
        "workdir": "/home/agent",
        "sudo": False,
        "task_files": False,
        "sign": "it's $(not) there",
        "prepared": (Put(path="/a b/$c", base64=base64.b64encode(b"x").decode(), mode=0o644), *steps),
        "arms": (arm, arm.model_copy(update={"name": HOSTILE[2], "kind": "route"})),
    }
    return Recipe.model_validate({**fields, **changes})


def audit_with(made: Recipe, store: ArtifactStore) -> tuple[Audit, tuple[EvidenceFile, ...]]:
    """A supported audit whose replay left this recipe."""
    audit = supported(store)
    artifact = store.put(made.stored(), NAME, "application/json")
    first = audit.findings[0].model_copy(update={"artifacts": (*audit.findings[0].artifacts, artifact)})
    reason = audit.verdict.model_copy(update={"reason": HOSTILE[2] + HOSTILE[3]})
    audit = audit.model_copy(update={"findings": (first, *audit.findings[1:]), "verdict": reason})
    return audit, tuple(collect(audit, store).values())
