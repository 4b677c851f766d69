"""What a verdict says, by the names in `sentences.toml`, and how a barrier's title becomes part of a sentence."""

from cases import patterns as re
from cases.sentences import Sentences, counted
from probes import Control, Hypothesis
from probes.barriers import titled

say = Sentences(__name__)
_WORD = re.compile(r"[A-Za-z]+")


def past(title: str) -> str:
    """A barrier's title in the past tense; what stands between backticks stays."""
    tenses = say.table("past")
    parts = title.split("`")
    told = [
        part if at % 2 else _WORD.sub(lambda word: tenses.get(word[0], word[0]), part) for at, part in enumerate(parts)
    ]
    return "`".join(told)


def statement(hypothesis: Hypothesis) -> str:
    """A hypothesis in a sentence."""
    return say("hypothesis.statement", claim=past(titled(hypothesis)))


def whether(hypothesis: Hypothesis) -> str:
    """What follows “whether” about its barrier."""
    asked = say.table("whether").get(hypothesis.barrier.value)
    named = re.search(r"`[^`]+`(?: \(and [^)]*\))?", titled(hypothesis))
    return asked.format(about=named[0]) if asked and named else past(titled(hypothesis))


def not_controlled(control: Control) -> str:
    """Why a failed control leaves an answer open; a clause."""
    known = say.table("control")
    return known.get(control.name, known["other"]).format(
        name=control.name, expected=control.expected, observed=control.observed.rstrip(".")
    )


__all__ = ["counted", "not_controlled", "past", "statement", "whether"]
