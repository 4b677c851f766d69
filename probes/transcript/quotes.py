"""Does a claim's quoted evidence really stand in the transcript?"""

from cases import Transcript
from cases import patterns as re

_QUOTED = re.compile(r"""[“"`]([^“”"`]{12,400})[”"`]|(?<!\w)'([^']{16,400})'(?!\w)""")


def quotations(text: str) -> tuple[str, ...]:
    """Spans that a claim puts in quotation marks, at least 12 characters long, each once."""
    spans = (first or second for first, second in _QUOTED.findall(text))
    return tuple(dict.fromkeys(span.strip() for span in spans if " " in span.strip() or ":" in span))


def normal(text: str) -> str:
    """Text for comparison: escapes undone, quotes and white space alike, lower case."""
    plain = text.replace("\\n", " ").replace("\\t", " ").replace('\\"', '"').replace("\\'", "'")
    return " ".join(re.sub(r"[‘’“”\"'`*]", "", plain).lower().split())


def found(quotation: str, transcript: Transcript) -> int | None:
    """A block that holds the quotation, those of tools first; an ellipsis stands for anything."""
    pieces = [piece for piece in re.split(r"…|\.\.\.", normal(quotation)) if len(piece.strip()) >= 8]
    for block in sorted(transcript.blocks, key=lambda block: spoken_by_agent(transcript, block.index)):
        text = normal(block.text)
        if pieces and all(piece.strip() in text for piece in pieces):
            return block.index
    return None


def spoken_by_agent(transcript: Transcript, index: int) -> bool:
    """Whether a block is the agent talking, in a record that keeps its tools' results apart."""
    block = transcript.blocks[index]
    return (
        block.role == "assistant"
        and block.kind == "message"
        and any(other.kind == "result" for other in transcript.blocks)
    )
