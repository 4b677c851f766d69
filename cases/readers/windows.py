"""Rebuilding one conversation from the windows that each call of a model was given.

A call is shown the conversation so far: the whole of it (a cumulative window), its fixed head and latest part (a
rolling window), or its head and parts of it (browser agents drop old page states). The merged conversation only ever
grows at its end, by what a call shows for the first time, followed by what the model answered.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from cases.readers.messages import ASSISTANT_ROLES, Message

MOST_ANCHORS = 8


@dataclass(frozen=True, slots=True)
class Call:
    """One logged call of a model, its messages given by their numbers in a `Pool`."""

    window: tuple[int, ...]
    outputs: tuple[int, ...]
    error: int | None
    """The provider's error in place of, or besides, an answer."""
    started: str = ""
    call_id: str | None = None
    parent_id: str | None = None
    response_id: str | None = None


class Pool:
    """All messages of a run, each distinct one held once."""

    def __init__(self) -> None:
        """Start empty."""
        self._numbers: dict[tuple[object, ...], int] = {}
        self.messages: list[Message] = []

    def add(self, message: Message) -> int:
        """The message's number, the same for an equal message."""
        number = self._numbers.setdefault(message.key, len(self.messages))
        if number == len(self.messages):
            self.messages.append(message)
        return number

    def same_answer(self, output: int, seen: int) -> bool:
        """Whether a window's message is an earlier answer, be it with something that the harness appended to it."""
        if output == seen:
            return True
        answer, later = self.messages[output], self.messages[seen]
        if not {answer.role, later.role} <= ASSISTANT_ROLES or answer.calls != later.calls:
            return False
        return bool(answer.body or answer.calls) and later.body.startswith(answer.body)


class Conversation:
    """The conversation as far as the calls have shown it."""

    def __init__(self, pool: Pool) -> None:
        """Start empty; `pool` knows the messages."""
        self._pool = pool
        self.numbers: list[int] = []
        self._inputs: list[int] = []
        self._previous: Call | None = None
        self._answers: list[int] = []
        """Where in `numbers` the previous call's answers stand."""

    def add(self, call: Call) -> None:
        """Append what `call` shows for the first time, and its answers."""
        new = self._new(call)
        self.numbers += new
        self._inputs += new
        self._answers = list(range(len(self.numbers), len(self.numbers) + len(call.outputs)))
        self.numbers += call.outputs
        if call.error is not None:
            self.numbers.append(call.error)
        self._previous = call

    def _new(self, call: Call) -> list[int]:
        window, known = call.window, self.numbers
        if self._previous is None or not window:
            return list(window)
        if not self._answers and window == self._previous.window:
            return []
        if len(window) > len(known) and list(window[: len(known)]) == known:
            return list(window[len(known) :])
        found = self._after_answer(window)
        if found is None:
            found = self._after_overlap(window)
        return found if found is not None else self._unmatched(window)

    def _after_answer(self, window: Sequence[int]) -> list[int] | None:
        """What follows the previous answer in the window; before it, what has never been seen."""
        from rapidfuzz.distance import LCSseq  # noqa: PLC0415 - only logs that need putting together are worth its load

        best: tuple[int, int] | None = None
        place = -1
        for at in self._answers:
            hits = [p for p in range(len(window) - 1) if self._pool.same_answer(self.numbers[at], window[p])]
            for p in hits[-MOST_ANCHORS:]:
                score = (LCSseq.similarity(window[:p], self.numbers[:at]), -p)
                if best is None or score > best:
                    best, place = score, at
        if best is None:
            return None
        anchor = -best[1]
        if window[anchor] != self.numbers[place]:
            self.numbers[place] = window[anchor]
        return [*_unseen(window[:anchor], self.numbers[:place]), *window[anchor + 1 :]]

    def _after_overlap(self, window: Sequence[int]) -> list[int] | None:
        """What follows the longest overlap with the end of what was shown so far, after a common head."""
        shown = self._inputs
        if not shown:
            return None
        most = len(window) - 1
        head = 0
        while head < min(most, len(shown)) and window[head] == shown[head]:
            head += 1
        for end in range(most, 0, -1):
            back = 0
            while back < min(end, len(shown)) and window[end - 1 - back] == shown[-1 - back]:
                back += 1
            if back and end - back <= head:
                return list(window[end:])
        return None

    def _unmatched(self, window: Sequence[int]) -> list[int]:
        """All that finds no place in the conversation so far; the last message always counts as new."""
        return [*_unseen(window[:-1], self.numbers), window[-1]]


def _unseen(window: Sequence[int], known: Sequence[int]) -> list[int]:
    from rapidfuzz.distance import LCSseq  # noqa: PLC0415 - as above

    return [window[op.dest_pos] for op in LCSseq.editops(known, window) if op.tag == "insert"]


def merged(calls: Sequence[Call], pool: Pool) -> list[Message]:
    """The conversation of all calls, in the order given."""
    conversation = Conversation(pool)
    for call in calls:
        conversation.add(call)
    return [pool.messages[number] for number in conversation.numbers]
