"""What an exit code of 0 proves of the commands and the Python code in it."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from cases import CommandRun

_HERE = re.compile(
    r"<<-?[ \t]*(?P<quote>['\"]?)(?P<tag>\w+)(?P=quote)(?P<rest>[^\n]*)\n(?P<body>.*?)(?:^[ \t]*(?P=tag)[ \t]*$|\Z)",
    re.DOTALL | re.MULTILINE,
)
_FED = re.compile(r"<<HERE(?P<number>\d+)\b")
_OPAQUE = re.compile(r"'[^']*'|\"(?:\\.|[^\"\\])*\"|\\.|\$\([^()]*\)|(?:(?<=\s)|^)#[^\n]*", re.DOTALL | re.MULTILINE)
_NEXT = re.compile(r";|\n|(?<![&>|])&(?![&>])")
_AND = re.compile(r"&&")
_PIPE = re.compile(r"\|&?")
_HUSHED = re.compile(r"\|\||(?:2|&)>>?\s*/dev/null|>>?\s*/dev/null\s+2>&1|\bset\s+\+e\b")
_CAUGHT = re.compile(r"\bexcept\b|\bsuppress\(")
_PYTHON = re.compile(r"^\s*(?:\w+=\S*\s+)*(?:sudo\s+)?[\w./-]*\bpython[\d.]*\b")
_INLINE = re.compile(r"\s-c\s+(?P<quote>['\"])(?P<code>(?:\\.|(?!(?P=quote))[^\\])*)(?P=quote)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Part:
    """A simple command and the here document that it reads."""

    text: str
    fed: str = ""


def parts(command: str) -> tuple[Part, ...]:
    """Every simple command of a line of shell, in order."""
    return tuple(part for segment in _segments(command) for pipeline in segment for part in pipeline)


def proven(event: CommandRun) -> tuple[Part, ...]:
    """Those that must have succeeded since the whole did; none where a failure would have been hushed up."""
    if event.kind != "shell" or event.exit_code != 0 or hushed(event.command):
        return ()
    segments = _segments(event.command)
    last = [pipeline[-1] for pipeline in segments[-1] if pipeline] if segments else []
    return tuple(part for part in last if not part.text.lstrip().startswith("!"))


def code_run(event: CommandRun) -> tuple[str, ...]:
    """The Python code that ran to its end."""
    if event.kind == "python":
        return (event.command,) if event.exit_code == 0 and not hushed(event.command) else ()
    found = []
    for part in proven(event):
        if _PYTHON.search(part.text):
            inline = _INLINE.search(part.text)
            found.append(inline["code"] if inline else part.fed)
    return tuple(code for code in found if code.strip())


def hushed(command: str) -> bool:
    """Whether a failure in it need not show."""
    return bool(_HUSHED.search(_masked(_HERE.sub(r"\g<rest>\n", command))) or _CAUGHT.search(command))


def _segments(command: str) -> list[list[list[Part]]]:
    """Commands that follow each other; in each, those joined by `&&`; in each, those joined by pipes."""
    bodies: list[str] = []

    def take(match: re.Match[str]) -> str:
        bodies.append(match["body"])
        return f"<<HERE{len(bodies) - 1}{match['rest']}\n"

    text = _HERE.sub(take, command)
    return [
        [[_part(one, bodies) for one in _cut(pipeline, _PIPE)] for pipeline in _cut(segment, _AND)]
        for segment in _cut(text, _NEXT)
    ]


def _part(text: str, bodies: list[str]) -> Part:
    fed = _FED.search(text)
    return Part(text.strip(), bodies[int(fed["number"])] if fed else "")


def _cut(text: str, separator: re.Pattern[str]) -> Iterator[str]:
    start = 0
    masked = _masked(text)
    for match in [*separator.finditer(masked), None]:
        piece = text[start : match.start() if match else len(text)]
        if masked[start : start + len(piece)].strip():
            yield piece
        start = match.end() if match else start


def _masked(text: str) -> str:
    """The text with all that separates no commands blotted out, place by place."""
    return _OPAQUE.sub(
        lambda match: (" " if match[0][0] in "#\\" and match[0] != "\\\\" else "_") * len(match[0]), text
    )
