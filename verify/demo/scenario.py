"""One bundled failure and the audit of it."""

import tomllib
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Literal

from cases import Model
from cases.library import Inputs, Library
from verify.auditor import Auditor
from verify.config import Configuration
from verify.demo.site import CONTROL, TIDES, serve
from verify.progress import Loudness

if TYPE_CHECKING:
    from evidence import Packed

HERE = Path(__file__).parent


class Scenario(Model):
    """An entry of `scenarios.toml`."""

    run: str
    """The bundled result file."""
    title: str
    shown: str
    """What the expected outcome shows, in one sentence."""
    expected: Literal["supported", "not_supported", "inconclusive"]
    barrier_now: bool
    """What must have been measured; an audit that could measure nothing is inconclusive too."""
    needs: tuple[str, ...]
    """The doctor's checks that must be fine for the expected outcome."""
    profile: str | None = None
    web: bool = False
    """Whether it is the local site that is visited."""


@dataclass(frozen=True)
class Result:
    """What came of a scenario."""

    scenario: Scenario
    packed: "Packed"

    @property
    def as_expected(self) -> bool:
        """Whether it shows what the scenario is there to show."""
        verdict = self.packed.audit.verdict
        return (verdict.status.value, verdict.barrier_now) == (self.scenario.expected, self.scenario.barrier_now)


def scenarios() -> list[Scenario]:
    """The bundled failures, in the order in which they are shown."""
    raw = tomllib.loads((HERE / "scenarios.toml").read_text(encoding="utf-8"))
    return [Scenario.model_validate(entry) for entry in raw["scenario"]]


def run(scenario: Scenario, out: Path, loudness: Loudness) -> Result:
    """Audit one scenario with the real program; its pack goes to `out`."""
    with ExitStack() as stack:
        settings: dict[str, object] = {"profile": scenario.profile, "out": out}
        settings["state"] = Path(stack.enter_context(TemporaryDirectory(prefix="impassable-demo-")))
        if scenario.web:
            address = stack.enter_context(serve())
            settings["resolve"] = tuple(f"{host}={address}" for host in (TIDES, CONTROL))
            settings["control"] = (f"http://{CONTROL}/",)
        library = Library.open(Inputs(runs=(HERE / scenario.run,)))
        [summary] = library.tasks()
        packed = Auditor(Configuration.model_validate(settings), loudness).audit(library.case(summary))
    return Result(scenario, packed)
