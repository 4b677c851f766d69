"""What an answer says to a reader: a page's visible text, a PDF file's pages, any other text as it is."""

import asyncio
import resource
import sys
from contextlib import suppress
from dataclasses import dataclass
from io import BytesIO

import pypdf

from cases import patterns as re
from probes.web.plain import Plain
from probes.web.rules import visible_text

SECONDS, MEMORY, PAGES, CHARACTERS = 10, 1 << 30, 80, 1_000_000
"""What reading one PDF file may cost: seconds, bytes, and pages and characters of it that are read."""
IN_PART = 3
"""Exit code of the process that reads a file of which some pages say nothing, or are too many."""
_CELL = re.compile(r"(?i)</t[dh]>")
"""Where a table's cell ends: its numbers must not run into those of the next."""
_BLOCK = re.compile(r"(?i)</(?:p|tr|li|h[1-6]|div|dt|dd|section|article|caption)>|<br\b[^>]*>")
"""Where a line ends: what stands in another one is not about the same."""
_BREAK = "\ue000"
_TEXT = re.compile(r"(?i)^text/|[/+](?:json|xml|csv|yaml|x-yaml)\b")


@dataclass(frozen=True)
class Document:
    """What an answer says to a reader."""

    text: str
    whole: bool
    """Whether nothing that it says is missing: no picture, no scanned page, nothing cut off."""


async def document_of(answer: Plain) -> Document:
    """What a person would read there; empty and not whole where that cannot be told, as with a damaged file."""
    if answer.status != 200:
        return Document("", whole=False)
    if answer.data:
        text, whole = await _pdf_text(answer.data)
        return Document(text, whole=whole and not answer.cut)
    if answer.is_html:
        marked = _BLOCK.sub(_BREAK, _CELL.sub(" |", answer.body))
        return Document(visible_text(marked).replace(_BREAK, "\n"), whole=not answer.cut)
    is_text = bool(_TEXT.search(answer.headers.get("content-type", "")))
    return Document(answer.body if is_text else "", whole=is_text and not answer.cut)


async def _pdf_text(data: bytes) -> tuple[str, bool]:
    """The text of a PDF file and whether each page has some, from a process of its own: a file may take for ever."""
    reader = await asyncio.create_subprocess_exec(
        *(sys.executable, "-P", "-m", __name__),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
    )
    try:
        async with asyncio.timeout(SECONDS):
            said, _ = await reader.communicate(data)
    except TimeoutError:
        said = b""
    finally:
        with suppress(ProcessLookupError):
            reader.kill()
        await reader.wait()
    text = said.decode("utf-8", "replace") if reader.returncode in (0, IN_PART) else ""
    return text, reader.returncode == 0


def _read(data: bytes) -> tuple[str, bool]:
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    texts, whole = list[str](), True
    for number, page in enumerate(pypdf.PdfReader(BytesIO(data)).pages):
        if number == PAGES or sum(map(len, texts)) > CHARACTERS:
            return "\n".join(texts)[:CHARACTERS], False
        texts.append(page.extract_text())
        whole = whole and bool(texts[-1].strip())
    return "\n".join(texts), whole


if __name__ == "__main__":
    told, complete = _read(sys.stdin.buffer.read())
    sys.stdout.buffer.write(told.encode("utf-8", "replace"))
    sys.exit(0 if complete else IN_PART)
