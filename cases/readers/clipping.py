"""Making the transcript, with a look for text that the log itself has lost."""

from collections.abc import Iterable, Sequence

from cases.model import Block, Transcript
from cases.readers.messages import MOST_BLOCKS, Message, Piece, blocks_of, blocks_of_pieces
from cases.sentences import Sentences

say = Sentences(__name__)

SHORTEST_LIMIT = 200
"""Characters below which nobody clips a message, so that equal lengths are chance."""


def transcript_of(messages: Iterable[Message], notes: Sequence[str] = ()) -> Transcript:
    """The transcript of these messages."""
    return checked(blocks_of(messages), notes)


def transcript_of_pieces(pieces: Iterable[Piece], notes: Sequence[str] = ()) -> Transcript | None:
    """The transcript of these pieces; None where there are none."""
    blocks = blocks_of_pieces(pieces)
    return checked(blocks, notes) if blocks else None


def checked(blocks: tuple[Block, ...], notes: Sequence[str] = ()) -> Transcript:
    """The transcript of these blocks; incomplete, with a note, where text was evidently clipped."""
    signs = [sign for sign in (_limit(blocks), _endless(blocks)) if sign]
    return Transcript(blocks=blocks, complete=not signs, notes=(*notes, *signs))


def _limit(blocks: tuple[Block, ...]) -> str | None:
    """Different long texts of exactly the same, maximal length."""
    longest = max((len(block.text) for block in blocks), default=0)
    texts = {block.text for block in blocks if len(block.text) == longest}
    if longest < SHORTEST_LIMIT or len(texts) < 2:
        return None
    return say("clipping.different_texts_exactly_characters", number=len(texts), longest=longest)


def _endless(blocks: tuple[Block, ...]) -> str | None:
    if len(blocks) < MOST_BLOCKS:
        return None
    return say("clipping.log_entries_more_so", most_blocks=MOST_BLOCKS)
