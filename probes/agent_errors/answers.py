"""Answers of which the record shows that the agent had, or could have had, the expected one."""

from cases import PageVisit
from cases import patterns as re
from cases.answers.equivalence import items
from cases.answers.values import Quantity, folded, quantity
from cases.answers.words import asked_forms
from cases.hosts import host_of
from cases.sentences import Sentences
from probes.agent_errors.record import Record, Seen, Step

say = Sentences(__name__)

_LONGEST = 1_000_000
_ADDRESS = re.compile(r"https?://\S+")
_AROUND = 400
"""Characters before and behind a value in which the task's words tell that it is meant."""


def value_seen(record: Record) -> Seen | None:
    """The expected answer stood in what the agent was shown, and it answered otherwise.

    Every expected value must be shown, none of them said by the agent before, asked for or likely by chance.
    """
    comparison = record.comparison
    if comparison and comparison.likeness != "different":
        return None
    values = items(record.case.task.gold or "")
    if not values or not all(_telling(value, record.case.task.prompt or "") for value in values):
        return None
    places = [_shown(record, value) for value in values]
    found = [place for place in places if place]
    if len(found) < len(values):
        return None
    step, block, _ = found[0]
    end = say("value_seen.answer_another_one") if comparison else say("value_seen.gave_no_answer")
    place = f"{'the page' if isinstance(step.event, PageVisit) else 'the output of'} {step.name}"
    return Seen(
        say("value_seen.expected_answer_stands", place=place, block=block, end=end),
        tuple(citation for _, at, text in found for citation in record.cite((at,), text))[:3],
        {"place": say("value_seen.agent_before", place=place)},
    )


def _telling(value: str, prompt: str) -> bool:
    """Whether the value is hardly anywhere by chance."""
    if folded(value) in folded(prompt):
        return False
    number = quantity(value)
    if number:
        digits = "".join(map(str, number.value.as_tuple().digits)).strip("0")
        year = number.value == number.value.to_integral_value() and 1900 <= number.value <= 2100
        return len(digits) >= 4 and not year
    return len(value) >= 8 and (len(value.split()) > 1 or re.search(r"[\d_{}@/\\-]", value) is not None)


def _shown(record: Record, value: str) -> tuple[Step, int, str] | None:
    said = next((block.index for block in record.spoken if folded(value) in folded(block.text)), len(record.blocks))
    for step in record.steps:
        own = folded(f"{step.text} {getattr(step.event, 'title', '') or ''}")
        if step.failed or folded(value) in own or step.blocks[-1] > said:
            continue
        quote = _quote(step.output[:_LONGEST], value)
        if quote is None or not _on_topic(step, quote, record):
            continue
        block = next((block for block in reversed(step.blocks) if quote in record.blocks[block].text), None)
        if block is not None:
            return step, block, quote
    return None


def _on_topic(step: Step, quote: str, record: Record) -> bool:
    """Whether what stands around it speaks of the task: two of the longer words of its text, but for those that frame
    each page of its site.
    """
    words = set(re.findall(r"[^\W\d_]{6,}", _ADDRESS.sub(" ", folded(record.case.task.prompt or ""))))
    own = _site_of(step, record)
    words = {word for word in words if len(own) < 2 or not all(word in page for page in own)}
    places = [match.start() for match in re.finditer(re.escape(quote), step.output[:_LONGEST])]
    around = " ".join(step.output[max(0, place - _AROUND) : place + len(quote) + _AROUND] for place in places)
    text = folded(around if own else f"{step.text} {around}")
    plain = quantity(record.case.task.gold or "") or not re.search(r"[\d_{}@]", record.case.task.gold or "")
    return not plain or sum(word in text for word in words) >= min(2, len(words))


def _site_of(step: Step, record: Record) -> list[str]:
    """What the pages of a page's site showed the run."""
    if not isinstance(step.event, PageVisit):
        return []
    pages = [(one, one.event) for one in record.steps if isinstance(one.event, PageVisit)]
    return [folded(one.output) for one, page in pages if host_of(page.url) == host_of(step.event.url)]


def _quote(text: str, value: str) -> str | None:
    number = quantity(value)
    if number:
        found = (match[0].rstrip(".,") for match in re.finditer(_written(number), text))
        return next((token for token in found if _equals(token, number)), None)
    words = r"\s+".join(map(re.escape, value.split()))
    match = re.search(rf"(?<!\w){words}(?!\w)", text, re.IGNORECASE)
    return match[0] if match else None


def _written(number: Quantity) -> str:
    """Any way to write its digits, with or without separators and zeros around them."""
    digits = "".join(map(str, number.value.as_tuple().digits)).strip("0")
    return rf"(?<![\w.,])[0.,]*{'[.,]?'.join(digits)}(?:[.,]?\d)*(?!\w)"


def _equals(text: str, number: Quantity) -> bool:
    other = quantity(text)
    return other is not None and other.value == number.value


def wrong_form(record: Record) -> Seen | None:
    """The answer says the same as the expected one, in another form than the task asks for.

    Only where the task's own words settle a form in which the two differ.
    """
    comparison = record.comparison
    if comparison is None or comparison.likeness != "same" or not comparison.differences:
        return None
    for asked in asked_forms(record.asked):
        missed = sorted(comparison.differences & asked.settles)
        if missed:
            form = f"its {' and its '.join(missed)}"
            told = say("wrong_form.answer_says_what", words=asked.words, form=form)
            blocks = [block.index for block in record.blocks]
            return Seen(told, record.cite(blocks, asked.words), {"asked": asked.words})
    return None
