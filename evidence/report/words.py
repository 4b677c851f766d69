"""The vocabulary in plain words."""

from typing import NamedTuple

from cases.sentences import Sentences
from graph.verdict import Status
from graph.words import say as graph_say
from probes import Answer, Question, Tier

say = Sentences(__name__)


class VerdictWords(NamedTuple):
    """How a status is said."""

    title: str
    meaning: str


def _verdict(name: str) -> VerdictWords:
    return VerdictWords(say(f"{name}.title"), say(f"{name}.meaning"))


VERDICTS = {status: _verdict(f"verdict.{status}") for status in Status}
BY_PERSON = {status: _verdict(f"by_person.{status}") for status in (Status.SUPPORTED, Status.NOT_SUPPORTED)}
REJECTED = _verdict("rejected")
LOCI = {Status(status): words for status, words in say.table("locus").items()}
"""How the locus is named; a failure that is the agent's own has none in the benchmark."""
QUESTIONS = {question: say(f"question.{question}") for question in Question}
ANSWERS = {answer: say(f"answer.{answer}") for answer in Answer}
TIERS = {tier: say(f"tier.{tier}") for tier in Tier}
RESULTS = say.table("result")
ORIGINS = say.table("origin")
SIGNS = say.table("sign")
PROPOSERS = say.table("proposer")
RUBRIC = (
    "score",
    "deficiency_exists",
    "deficiency_caused_failure",
    "deficiency_type",
    "existence_reasoning",
    "causation_reasoning",
    "evidence",
)
ENVELOPE = {name: f"{label[:1].upper()}{label[1:]}" for name, label in graph_say.table("envelope").items()}
SECTIONS = say.table("section")


def envelope_value(name: str, value: object, interpreter: str) -> str:
    """A value of the envelope as people read it; `interpreter` tells what a missing import list means."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if value is None and name == "allowed_imports" and interpreter == "none":
        return "not restricted"
    if value is None:
        return "no Dockerfile" if name == "dockerfile" else "not known"
    if isinstance(value, tuple):
        return ", ".join(str(item) for item in value) or ("not known" if name == "tools" else "none")
    unit = {"memory_mb": " MiB", "disk_mb": " MiB", "seconds": " s"}.get(name, "")
    return f"{value}{unit}"
