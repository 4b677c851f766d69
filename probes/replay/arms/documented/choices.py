"""`another-choice`: what else may stand in the place of a word that the task's own text leaves to whoever does it.

`--model checkpoints/NAME` names no checkpoint. That another one works proves nothing, for something else may tell which
is meant: it leaves it open.
"""

import shlex
from collections.abc import Iterator, Sequence

from cases import patterns as re
from cases.sentences import Sentences
from cases.shell import Word, steps_of
from cases.touches.origins import code_in
from probes.barriers import RoutePlan
from probes.model import Tier
from probes.replay.arms.documented.asking import Own, exchanged, strictly
from probes.replay.arms.documented.survey import Survey
from probes.replay.arms.documented.way import Try, Way

say = Sentences(__name__)

PLAN = RoutePlan(
    id="another-choice",
    tier=Tier.T2,
    needs=("shell",),
    commands=(),
    source="the task's own text, which spells the command with a placeholder",
)
MOST = 3
_PLACEHOLDER = re.compile(r"<[^<>]+>|\{[^{}]+\}|\[[^\[\]]+\]|\$\{?\w+\}?|\b[A-ZÄÖÜ][A-ZÄÖÜ0-9_]+\b|…|\.\.\.|\*")


def another_choice(survey: Survey) -> Way:
    """The failing command with each of the other files or folders that fit into the placeholder's place."""
    own = survey.own
    chosen = next(_chosen(survey.prompt, own), None) if own else None
    if own is None or chosen is None:
        return Way(PLAN, lacking=say("choices.none_left"))
    word, begins, ends = chosen
    there = survey.ask("choices", f"cd {shlex.quote(own.folder)} && ls -d {shlex.quote(begins)}*{shlex.quote(ends)}")
    others = [one for one in there if one not in (word.text, word.text.rstrip("/")) and not survey.of_the_run(one)]
    if not others:
        return Way(PLAN, lacking=say("choices.none_there", word=word.text))
    return Way(PLAN, tuple(_try(own, word, one) for one in others[:MOST]))


def _chosen(prompt: str, own: Own) -> Iterator[tuple[Word, str, str]]:
    """Words of the program's that stand where the prompt has a placeholder, and which it names nowhere, with what is
    fixed before and behind it.
    """
    given = own.step.command.words
    for template in _templates(prompt, own):
        for word, spelled in zip(given, template, strict=False):
            match = _PLACEHOLDER.search(spelled.text)
            begins, ends = (spelled.text[: match.start()], spelled.text[match.end() :]) if match else ("", "")
            inside = word.text[len(begins) : len(word.text) - len(ends)]
            fits = word.text.startswith(begins) and word.text.endswith(ends) and inside
            if match and fits and inside != match[0] and not re.search(rf"(?<![\w-]){re.escape(inside)}", prompt):
                yield word, begins, ends


def _templates(prompt: str, own: Own) -> Iterator[Sequence[Word]]:
    for code in code_in(prompt):
        for step in steps_of(code.strip()):
            if any(word.text.endswith(own.name) for word in step.command.words[:3]):
                yield step.command.words


def _try(own: Own, word: Word, other: str) -> Try:
    called = exchanged(own.line, {word: other})
    return Try(strictly(called), (called,), open=say("choices.works", other=other, word=word.text))
