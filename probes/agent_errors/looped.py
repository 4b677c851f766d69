"""The agent did the same again and again, with the same result."""

from collections import Counter
from collections.abc import Iterator

from cases import PageVisit
from cases.events.toolcalls import pairs
from cases.sentences import Sentences
from probes.agent_errors import data
from probes.agent_errors.record import Record, Seen, shortened

say = Sentences(__name__)

_WITHOUT_ERROR = 2
"""How many more times it must be, where the result is no error."""
_SHORT = 4_000
"""Characters of a refusal at most."""
_FULL_PAGE = 500
"""Characters of a page below which it may have changed unseen."""

_Key = tuple[str, str]


def find(record: Record) -> Seen | None:
    """The most frequent repetition; in a record that may show steps twice only structured calls count."""
    done: list[tuple[_Key, bool, tuple[int, ...]]] = [*_calls(record), *(_steps(record) if record.complete else ())]
    times = Counter(key for key, _, _ in done)
    failed = {key for key, wrong, _ in done if wrong}
    least = data.patterns()["looped"].least
    often = [key for key in times if times[key] >= least + (0 if key in failed else _WITHOUT_ERROR)]
    if not often:
        return None
    worst = max(often, key=lambda key: (key in failed, times[key], key))
    blocks = [shown for key, _, shown in done if key == worst]
    what = f"`{shortened(worst[0])}`"
    told = say("looped.done_times_same", what=what, times=times[worst], first=blocks[0][0], last=blocks[-1][-1])
    last = blocks[-1][-1]
    return Seen(told, record.cite((last,), record.blocks[last].text.strip().split("\n")[0]), {"what": what})


def _calls(record: Record) -> Iterator[tuple[_Key, bool, tuple[int, ...]]]:
    """Structured calls that the tool refused; what a browser answers to a click says too little otherwise."""
    for call, result in pairs(record.blocks):
        text = result.text if result and len(result.text) <= _SHORT else ""
        if result and (data.search("missed_element", text) or data.search("misused_tool", text)):
            yield (call.text, text), True, (call.index, result.index)


def _steps(record: Record) -> Iterator[tuple[_Key, bool, tuple[int, ...]]]:
    for step in record.steps:
        page = isinstance(step.event, PageVisit)
        if (
            step.text.strip()
            and step.output.strip()
            and not (page and len(step.output) < _FULL_PAGE and not step.failed)
        ):
            yield (" ".join(step.text.split()), step.output), step.failed, step.blocks
