"""Run by test_workflow in a process of its own: one audit with a checkpoint file, to be killed and run again."""

import asyncio
import sys
from pathlib import Path

from graph import AuditOptions, audit
from probes import Answer, ArtifactStore
from tests.graph.small_probes import Records, Replay
from tests.graph.synthetic import five_missing_modules


def main(folder: Path, slow: str) -> None:
    """Audit five hypotheses; the modules named in `slow` take ten minutes."""
    behaviour = {module: "slow" for module in slow.split(",") if module}
    probes = (Records("transcript", Answer.YES), Records("peers"), Replay(folder / "journal", behaviour))
    result = asyncio.run(
        audit(
            five_missing_modules(),
            AuditOptions(),
            ArtifactStore(folder / "store"),
            checkpoints=folder / "checkpoints.sqlite",
            probes=probes,
        )
    )
    sys.stdout.write(f"{result.verdict.status} {len(result.findings)}\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2])
