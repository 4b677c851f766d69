"""The conditions under which a run looked at pages, as far as its record or its harness says."""

from pydantic import Field

from cases import Case, Model, Run
from cases import patterns as re
from cases.loading import load
from cases.sentences import Sentences
from probes.model import Hypothesis

say = Sentences(__name__)

_TIMEOUT = re.compile(r"(?i)timeout (?:of )?(\d{3,6}) ?ms exceeded|timed out after (\d{1,3}) ?s(?:econds)?\b")


class Conditions(Model):
    """A way of looking at pages."""

    id: str
    when: str = ""
    """A pattern for scaffold, agent and tools; empty for the default."""
    width: int = Field(default=1280, gt=0)
    height: int = Field(default=720, gt=0)
    scripts: bool = True
    frames: bool = True
    """Whether text in frames and shadow trees is read."""
    timeout: float = Field(gt=0)
    """Seconds a navigation may take."""
    settle: float = Field(default=0.0, ge=0)
    """Seconds a loaded page is waited for."""
    source: str = Field(min_length=5)
    patient: bool = False
    """Whether the page may come to rest in its own time instead of being read at a fixed moment."""
    observed: bool = False
    """Whether the run's own record gave the timeout."""

    def __str__(self) -> str:
        """For an observation, equal for equal conditions."""
        origin = "from the run's record" if self.observed else say("conditions.defaults")
        return say(
            "conditions.navigation_waits_scripts",
            id=self.id,
            origin=origin,
            width=self.width,
            height=self.height,
            timeout=self.timeout,
            settle=self.settle,
            scripts="on" if self.scripts else "off",
            frames="read" if self.frames else say("conditions.not_read"),
        )


def known_conditions() -> tuple[Conditions, ...]:
    """What stands in `conditions.toml`; the last one is the default."""
    return load(tuple[Conditions, ...], __package__, "conditions.toml", "conditions")


def conditions_of(hypothesis: Hypothesis, case: Case) -> Conditions:
    """The harness's conditions for the run that the hypothesis explains."""
    run = next((one for one in case.runs if one.run_id == hypothesis.run_id), None)
    told = _told(run) if run else ""
    found = next(one for one in known_conditions() if not one.when or re.search(one.when, told))
    quoted = [_TIMEOUT.search(citation.quote) for citation in hypothesis.citations]
    seconds = [float(hit[1]) / 1000 if hit[1] else float(hit[2]) for hit in quoted if hit]
    return found.model_copy(update={"timeout": seconds[0], "observed": True}) if seconds and seconds[0] else found


def _told(run: Run) -> str:
    blocks = run.transcript.blocks if run.transcript else ()
    tools = dict.fromkeys(block.tool for block in blocks if block.tool)
    return "\n".join(filter(None, (*run.environment.values(), run.agent, *tools)))
