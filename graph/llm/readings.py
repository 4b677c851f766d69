"""Readings: a model says several times, each time anew, what a task asks for; a rule compares what it says."""

from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from cases import Model
from cases.sentences import Sentences
from graph.llm.client import Client, UnansweredError
from graph.llm.narrator import plain
from graph.llm.prompt_guard import Shown, fenced, shown
from graph.llm.transport import Message
from graph.readings import LEAST
from graph.verdict import Aspect, Choice, Reading

say = Sentences(__name__)

MOST = 3
"""Readings of one task."""
LEAST_QUOTED, MOST_QUOTED = 3, 300
"""Characters of a quotation; the fewest besides blanks."""
MOST_CHOICES = 5
_LONGEST_CHOICE = 120


class Open(Model):
    """A value that the wording leaves open, as one reader takes it."""

    aspect: Aspect
    choice: str
    quote: str


class Interpretation(Model):
    """How one reader understands the task."""

    interpretation: str
    quote: str
    choices: list[Open]


@dataclass(frozen=True)
class Read:
    """What came of asking; fewer than two readings are none."""

    readings: tuple[Reading, ...] = ()
    dropped: int = 0
    """Readings, and choices in them, whose quotation does not stand in the task or whose words may not stand."""
    failure: str = ""
    """Why there is nothing to compare; one sentence, empty where there is."""


def affordable(client: Client) -> int:
    """How many readings the calls that are left allow; words come after readings, if these are two or more."""
    words = 2 if client.options.second_reader else 1
    return min(MOST, client.calls_left, max(LEAST, client.calls_left - words))


async def read_task(prompt: str, client: Client) -> Read:
    """Ask for readings of a task's text, of which the model sees nothing else.

    Never raises for anything that a model or its server says.
    """
    number = affordable(client)
    if number < LEAST:
        left = max(0, client.calls_left)
        return Read(failure=say("readings.few_calls", calls=client.options.calls, left=left, least=LEAST))
    text = shown("task", prompt, client.masked, len(prompt))
    answers = await _asked(number, text, client)
    checked = [_checked(answer, text, prompt) for answer in answers]
    readings = tuple(reading for reading, _ in checked if reading)
    dropped = sum(count for _, count in checked)
    if len(readings) < LEAST:
        return Read((), dropped, say("readings.few", used=len(readings), number=number, least=LEAST))
    return Read(readings, dropped)


async def _asked(number: int, text: Shown, client: Client) -> list[Interpretation]:
    """The answers that came; only the number in its question tells one reading from the next."""
    answers: list[Interpretation] = []
    for index in range(1, number + 1):
        with suppress(UnansweredError):
            answers.append(await client.ask("read the task", _prompt(index, text), Interpretation))
    return answers


def _checked(answer: Interpretation, text: Shown, prompt: str) -> tuple[Reading | None, int]:
    """A reading as far as its quotations stand in the task, and what was dropped of it."""
    said, quote = plain(answer.interpretation), _quoted(answer.quote, text, prompt)
    if said is None or quote is None:
        return None, 1
    choices = [_choice(one, text, prompt) for one in answer.choices[:MOST_CHOICES]]
    kept = tuple(choice for choice in choices if choice)
    return Reading(text=said, quote=quote, choices=kept), len(answer.choices) - len(kept)


def _choice(one: Open, text: Shown, prompt: str) -> Choice | None:
    said, quote = plain(one.choice), _quoted(one.quote, text, prompt)
    if said is None or quote is None or len(said) > _LONGEST_CHOICE:
        return None
    return Choice(aspect=one.aspect, choice=said, quote=quote)


def _quoted(quote: str, text: Shown, prompt: str) -> str | None:
    """The task's own words behind a quotation; None where they do not stand there, or are too few or too many."""
    words = quote.strip()
    if len("".join(words.split())) < LEAST_QUOTED or len(words) > MOST_QUOTED:
        return None
    place = text.place(words)
    return prompt[place[0] : place[1]] if place else None


def _prompt(index: int, text: Shown) -> tuple[Message, ...]:
    asked = f"{fenced((text,))}\n\nThis is reading number {index}. How do you understand the task?"
    return (Message(role="system", text=_instructions()), Message(role="user", text=asked))


@cache
def _instructions() -> str:
    return files("graph.llm").joinpath("readings.md").read_text("utf-8")
