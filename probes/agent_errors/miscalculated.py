"""The agent's last words hold a calculation that does not come out, or its program printed another number."""

from collections.abc import Iterator
from decimal import Decimal, DivisionByZero, InvalidOperation

from cases import Citation
from cases import patterns as re
from cases.answers.values import quantity, tokens
from cases.sentences import Sentences
from probes.agent_errors.record import Record, Seen, shortened

say = Sentences(__name__)

_NUMBER = r"[$€£]?\d{1,3}(?:,\d{3})+(?:\.\d+)?|[$€£]?\d+(?:\.\d+)?"
_SUM = re.compile(
    rf"(?:^|[:(=“\"]|\bis|\bgives|\btotal)[ \t*_]*"
    rf"(?P<sum>(?:{_NUMBER})(?:[ \t]*[-+*×/÷−][ \t]*(?:{_NUMBER}))+)[ \t]*=[ \t*_]*(?P<result>-?(?:{_NUMBER}))"
    r"(?=[ \t]+(?:[^ \t+*×/÷^-]|\Z)|[.,](?:\D|\Z)|[^\d%: \t.,+*×/÷^-]|\Z)",
    re.MULTILINE,
)
_PARTS = re.compile(rf"({_NUMBER})|([-+*×/÷−])")
_LAST = 3
"""Messages of the agent, from the end, whose calculations lead to its answer."""
_ALLOWED = Decimal("0.01")
"""Share of the result that counts as rounding."""


def find(record: Record) -> Seen | None:
    """The first such calculation."""
    for block in (*record.spoken[-_LAST:],):
        for wrong in _wrong(block.text):
            citations = record.cite((block.index,), wrong)
            told = say("miscalculated.agent_calculates_not", wrong=shortened(wrong))
            return Seen(told, citations, {"what": say("miscalculated.calculate_again", wrong=shortened(wrong))})
    return _printed(record)


def _wrong(text: str) -> Iterator[str]:
    """Every calculation whose stated result is not its own, as it is written."""
    for match in _SUM.finditer(text[:100_000]):
        right, said = _value(match["sum"]), _decimal(match["result"])
        allowed = max(abs(right) * _ALLOWED, _rounding(match["result"])) if right is not None else None
        if right is not None and allowed is not None and abs(abs(right) - abs(said)) > allowed:
            yield match[0][match.start("sum") - match.start() :]


def _decimal(text: str) -> Decimal:
    return Decimal(re.sub(r"[$€£,]", "", text))


def _rounding(text: str) -> Decimal:
    return Decimal(10) ** -len(text.partition(".")[2])


def _value(text: str) -> Decimal | None:
    """The sum with products first; None where it cannot be computed."""
    terms, sign, factor = [Decimal(0)], Decimal(1), ""
    try:
        for number, operator in _PARTS.findall(text):
            if operator:
                sign, factor = (Decimal(-1 if operator in "-−" else 1), "") if operator in "+-−" else (sign, operator)
            elif not factor:
                terms.append(sign * _decimal(number))
            elif factor in "*×":
                terms[-1] *= _decimal(number)
            else:
                terms[-1] /= _decimal(number)
        return sum(terms, Decimal(0))
    except (InvalidOperation, DivisionByZero):
        return None


def _printed(record: Record) -> Seen | None:
    """The last program printed one number, and the answer is another that nothing ever showed."""
    answer = quantity(record.run.answer or "")
    last = next(reversed(record.events.commands), None)
    if answer is None or last is None or last.kind != "python" or not record.complete:
        return None
    line = (last.output or "").strip().splitlines()[-1:]
    printed = quantity(line[0].rpartition(": ")[2]) if line else None
    shown = {token for step in record.steps for token in tokens(step.output[:200_000])}
    if printed is None or printed.value == answer.value or format(answer.value.normalize(), "f") in shown:
        return None
    if abs(printed.value - answer.value) <= abs(printed.value) * _ALLOWED:
        return None
    citations: tuple[Citation, ...] = record.cite(reversed(last.blocks), line[0])
    told = say("miscalculated.agent_last_program", blocks=last.blocks[-1])
    return Seen(
        say("miscalculated.nothing_shown", told=told),
        citations,
        {"what": say("miscalculated.answer_what_program", blocks=last.blocks[-1])},
    )
