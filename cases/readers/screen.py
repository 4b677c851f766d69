"""What a terminal was told and what it showed, line of input by line of input, out of the bytes that it was sent."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from cases import patterns as re

READY, TAKEN = "\x1b[?2004h", "\x1b[?2004l"
"""Bracketed paste: a shell's line editor turns it on where it waits for a line, and off once it has one."""
_CODES = re.compile(
    r"\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)?|\x1b[P^_X][^\x1b]*(?:\x1b\\)?|\x1b\[[0-?]*[ -/]*[@-~]|\x1b[ -/]*[0-~]"
    r"|[\x00-\x07\x0b-\x0c\x0e-\x1a\x1c-\x1f\x7f]"
)
_PROMPT = re.compile(r"\A[^\n]{0,200}?[$#%>❯] (?=\S|$)|\A[^\n]{0,200}?[$#%>❯]\Z")
_WAITS = re.compile(r"(?:^|\n)[^\n]{0,200}[$#%❯] ?\Z")
_SENT = re.compile(r"[\r\n\x03\x04]\Z")
_TAIL = 2_000


@dataclass(slots=True)
class Typed:
    """One line of input, which may be long, and what was shown until the next."""

    keys: str = ""
    shown: str = ""
    to_shell: bool = True
    """Whether a shell waited for it, and no program that ran in the terminal."""
    said: list[str] = field(default_factory=list)
    """What the recording says was said before it."""

    @property
    def line(self) -> str:
        """The text without what ends it."""
        return plain(self.keys.replace("\r\n", "\n").replace("\r", "\n")).strip("\n")

    @property
    def output(self) -> str:
        """What was shown without the echo of the input and the prompt that follows."""
        text = _after_echo(self.shown)
        shown = plain(text.rpartition(READY)[0] if READY in text else text)
        first = self.line.split("\n")[0]
        if first and shown.lstrip("\n").startswith(first):
            shown = shown.lstrip("\n")[len(first) :]
        return shown.strip("\n")


def _after_echo(shown: str) -> str:
    """What stands behind the last line that the shell's editor took, further lines of one command among them."""
    while TAKEN in shown:
        shown = shown.partition(TAKEN)[2]
        if not _asks_more(shown.lstrip("\r\n")):
            break
    return shown


def _asks_more(shown: str) -> bool:
    """Whether the shell waits for the rest of a command."""
    return shown.startswith(f"{READY}> ")


def plain(text: str) -> str:
    """The text as it stood on the screen: no control codes, and of a line that was written over its last state."""
    text = _CODES.sub("", text).replace("\r\n", "\n")
    if "\b" in text:
        text = _without_backspaces(text)
    if "\r" not in text:
        return text
    return "\n".join(_last_state(line) for line in text.split("\n"))


def _last_state(line: str) -> str:
    return next((part for part in reversed(line.split("\r")) if part.strip()), "")


def _without_backspaces(text: str) -> str:
    kept: list[str] = []
    for letter in text:
        if letter != "\b":
            kept.append(letter)
        elif kept:
            kept.pop()
    return "".join(kept)


def of_events(events: Iterable[tuple[str, str]]) -> Iterator[Typed]:
    """The lines of a recording whose input was recorded: `i` typed, `o` shown, `m` said about it."""
    typed, tail, sent = Typed(), "", False
    said: list[str] = []
    for kind, text in events:
        if kind == "i":
            if not typed.keys or (sent and not _asks_more(READY + tail.rpartition(READY)[2] if READY in tail else "")):
                if typed.keys:
                    yield typed
                typed, said = Typed(to_shell=_waits(tail), said=said), []
            typed.keys += text
            sent = bool(_SENT.search(text))
        elif kind == "o":
            tail = (tail + text)[-_TAIL:]
            typed.shown += text if typed.keys else ""
        elif kind == "m" and text.strip():
            said.append(text)
    if typed.keys:
        yield typed
    if said:
        yield Typed(said=said)


def _waits(tail: str) -> bool:
    """Whether a shell waits for a line: it says so, or where it never does, its prompt ends what is shown."""
    if READY in tail or TAKEN in tail:
        return tail.rfind(READY) > tail.rfind(TAKEN)
    return bool(_WAITS.search(plain(tail)))


def of_bytes(shown: str) -> Iterator[Typed]:
    """The lines of a terminal of which only the output is known, where its shell marks them."""
    keys: list[str] = []
    parts = [part.partition(TAKEN) for part in shown.split(READY)[1:]]
    for number, (asked, taken, output) in enumerate(parts):
        line = plain(asked)
        keys.append((line.removeprefix("> ") if keys else _PROMPT.sub("", line, count=1)).strip("\n"))
        more = number + 1 < len(parts) and parts[number + 1][0].startswith("> ")
        if taken and not more:
            yield Typed(keys="\n".join(keys), shown=output)
            keys = []
