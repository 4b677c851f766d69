"""What an answer says to a reader: a page's visible text, a PDF file's pages, any other text as it is."""

import asyncio
import resource
import sys
from contextlib import suppress
from io import BytesIO

import pypdf

from cases import patterns as re
from probes.web.plain import Plain
from probes.web.rules import visible_text

SECONDS, MEMORY, PAGES = 20, 1 << 30, 80
"""What reading one PDF file may cost: seconds, bytes, and pages of it that are read."""
_CELL = re.compile(r"(?i)</t[dh]>")
"""Where a table's cell ends: its numbers must not run into those of the next."""
_TEXT = re.compile(r"(?i)^text/|[/+](?:json|xml|csv|yaml|x-yaml)\b")


async def text_of(answer: Plain) -> str:
    """What a person would read there; empty where that cannot be told, as with pictures or a damaged file."""
    if answer.status != 200:
        return ""
    if answer.data:
        return await _pdf_text(answer.data)
    if answer.is_html:
        return visible_text(_CELL.sub(" |", answer.body))
    return answer.body if _TEXT.search(answer.headers.get("content-type", "")) else ""


async def _pdf_text(data: bytes) -> str:
    """By a process of its own: a stranger's file may be made to take for ever."""
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
    return said.decode("utf-8", "replace") if reader.returncode == 0 else ""


def _read(data: bytes) -> str:
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    pages = pypdf.PdfReader(BytesIO(data)).pages
    if len(pages) > PAGES:
        return ""
    return "\n".join(page.extract_text() for page in pages)


if __name__ == "__main__":
    sys.stdout.buffer.write(_read(sys.stdin.buffer.read()).encode("utf-8", "replace"))
