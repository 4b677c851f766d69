"""Words: a model's reasoning and dissent, of which only sentences with true sources are kept."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Literal

from cases import Model
from cases import patterns as re
from cases.text import visible
from graph.llm.client import Client, UnansweredError
from graph.llm.prompt_guard import Shown, fenced, shown
from graph.llm.transport import Message
from graph.verdict import Sentence, Verdict
from graph.verdict import Wording as Checked
from probes import Finding, Hypothesis

MOST_SENTENCES = 8
LONGEST = 500
_VERDICT_WORDS = re.compile(
    r"(?i)\bscores?\b|\bverdicts?\b|\bimpassable\b|\bsupported\b|\binconclusive\b|beyond (?:any )?doubt|\bblame|"
    r"\bbenchmark(?:'s|s)? (?:is|are|was|itself|fault)|at fault"
)
"""The verdict is not a model's to give."""
_MARKUP = re.compile(r"https?://|www\.|[<>\[\]`|]|\*\*")


class Worded(Model):
    """One sentence."""

    text: str
    sources: list[str]
    answer: Literal["yes", "no", "unknown", "none"]


class Wording(Model):
    """Whether a barrier exists and can be passed, and whether it stopped the run."""

    existence: list[Worded]
    causation: list[Worded]


class Dissent(Model):
    """The strongest case against the verdict."""

    sentences: list[Worded]


@dataclass(frozen=True)
class Sources:
    """What sentences may rest on, by the short names that a model is told."""

    findings: Mapping[str, Finding]
    citations: Mapping[str, str]
    """Places such as `r1, block 3`."""
    texts: tuple[Shown, ...]

    def checked(self, sentences: Sequence[Worded], *, judging: bool) -> tuple[Sentence, ...]:
        """The sentences that may stand; `judging` ones may speak of the verdict."""
        kept = (self._checked(one, judging=judging) for one in sentences[:MOST_SENTENCES])
        return tuple(sentence for sentence in kept if sentence)

    def _checked(self, one: Worded, *, judging: bool) -> Sentence | None:
        text = plain(one.text, judging=judging)
        if text is None:
            return None
        if not one.sources or any(name not in self.findings and name not in self.citations for name in one.sources):
            return None
        named = [self.findings[name] for name in one.sources if name in self.findings]
        if {finding.valid_answer.value for finding in named} != ({one.answer} if named else set()):
            return None
        if not named and one.answer != "none":
            return None
        places = [self.findings[name].id if name in self.findings else self.citations[name] for name in one.sources]
        return Sentence(text=text, sources=tuple(dict.fromkeys(places)))


def plain(text: str, *, judging: bool = False) -> str | None:
    """A model's words on one line; None where they are none, too many, marked up, or speak of the verdict."""
    line = " ".join(visible(text).split())
    if not line or len(line) > LONGEST or _MARKUP.search(line) or (not judging and _VERDICT_WORDS.search(line)):
        return None
    return line


def sources_of(
    verdict: Verdict, hypotheses: Sequence[Hypothesis], findings: Sequence[Finding], client: Client
) -> Sources:
    """Findings about what the verdict speaks of, the decisive ones first, and its quotations."""
    leading = verdict.leading
    order = sorted(findings, key=lambda one: (one.id not in verdict.decisive, one.hypothesis != leading, one.id))
    named = {f"F{number}": finding for number, finding in enumerate(order[:20], 1)}
    cited = {f"C{number}": citation for number, citation in enumerate(verdict.citations, 1)}
    statements = {one.id: one.statement for one in hypotheses}
    lines = [
        f"{name} {finding.question.value}={finding.valid_answer.value} [{finding.probe}, about: "
        f"{statements.get(finding.hypothesis, finding.hypothesis)}] {finding.summary}"
        for name, finding in named.items()
    ]
    quotes = [f"{name} {citation.quote}" for name, citation in cited.items()]
    places = {name: f"{citation.run_id}, block {citation.block}" for name, citation in cited.items()}
    texts = [shown("findings", "\n".join(lines), client.masked, 12_000)] if lines else []
    texts += [shown("quotations", "\n".join(quotes), client.masked)] if quotes else []
    return Sources(named, places, tuple(texts))


async def word(verdict: Verdict, sources: Sources, client: Client) -> Checked:
    """Existence and causation in a model's words; empty when it was of no help."""
    asked = (
        f"{fenced(sources.texts)}\n\nSay in `existence` whether the barrier is there and whether it can be passed "
        "(findings that answer PRESENT and PASSABLE), and in `causation` whether it stopped the run (CAUSED). "
        f"The first {len(verdict.decisive)} findings decide: every sentence names at least one of them, each of them "
        "is named, and a list that none of them is about stays empty."
    )
    try:
        answer = await client.ask("word the reasoning", _prompt(asked), Wording)
    except UnansweredError:
        return Checked()
    return Checked(
        existence=sources.checked(answer.existence, judging=False),
        causation=sources.checked(answer.causation, judging=False),
    )


async def dissent(verdict: Verdict, sources: Sources, client: Client) -> tuple[Sentence, ...]:
    """The strongest case against the verdict; empty when there is none or the model was of no help."""
    said = {"supported": "the benchmark was impassable", "not_supported": "the agent fell short"}
    told = said.get(verdict.status.value, "it stays open who is to blame")
    asked = (
        f"{fenced(sources.texts)}\n\nThe verdict is that {told}. You are the second reader: in at most three "
        "sentences, what in these findings and quotations speaks most strongly against that? Here you may speak of the "
        "verdict."
    )
    try:
        answer = await client.ask("argue the opposite", _prompt(asked), Dissent)
    except UnansweredError:
        return ()
    return sources.checked(answer.sentences[:3], judging=True)


def _prompt(asked: str) -> tuple[Message, ...]:
    return (Message(role="system", text=_instructions()), Message(role="user", text=asked))


@cache
def _instructions() -> str:
    return files("graph.llm").joinpath("narrator.md").read_text("utf-8")
