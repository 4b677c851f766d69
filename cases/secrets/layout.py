"""Secrets that the layout of a text shows: columns, rows, blocks, listings of headers and of variables."""

from collections.abc import Iterator

from cases import patterns as re
from cases.secrets.data import ordinary_variables, shown_headers, words
from cases.secrets.values import alphabetic, counts, random

Place = tuple[str, int, int]
"""A kind of secret, and where one begins and ends."""

_CELL = re.compile(r"[^|│]+")
_RULE = re.compile(r"[\s|│+:=─┼-]{3,}")
_COLUMN = re.compile(r"\S+(?: \S+)*")
_FIELD = re.compile(r"[\w .-]{1,40}")
_BLOCK = re.compile(r"(?P<indent>[ \t]*)(?:- )?[\"']?(?P<name>[\w.-]+)[\"']?:[ \t]*(?P<sign>[|>][+-]?\d?)?[ \t]*")
_ITEM = re.compile(r"[ \t]*-?[ \t]*[\"']?(?P<value>[^\s\"'#][^\s\"']*)[\"']?[ \t]*")
_HEADERS = re.compile(r"(?i)headers\\?[\"']?\s{0,3}[:=]\s{0,3}\{(?P<fields>[^{}]+)\}")
_PAIR = re.compile(r"\\?[\"'](?P<name>[\w-]{1,100})\\?[\"']\s{0,3}:\s{0,3}[bf]?\\?[\"'](?P<value>[^\"'\\]+)\\?[\"']")
_SENT = re.compile(
    r"(?:(?:-H|--header)[ =]?\\?[\"']|(?m:^)> )(?P<name>[\w-]{1,100}):[ \t]{0,3}(?P<value>[^\"'\r\n\\]+)"
)
_LINED = re.compile(
    r"(?m)^[ \t]*(?:export |declare -x |set -g?x )?(?P<name>[A-Za-z_][A-Za-z0-9_]*)=[\"']?"
    r"(?P<value>[^\s\"'\x00]*)[\"']?[ \t\r]*$"
)
_LISTINGS = (
    _LINED,
    re.compile(r"\b(?P<name>[A-Z_a-z][A-Z0-9_a-z]*)=(?P<value>[^\x00\n]*)\x00"),
    re.compile(r"\\?[\"'](?P<name>[A-Z_a-z][A-Z0-9_a-z]*)=(?P<value>[^\"'\\\n]*)\\?[\"']"),
    re.compile(
        r"\\?[\"'](?P<name>[A-Z_a-z][A-Z0-9_a-z]*)\\?[\"']\]?"
        r"[ \t]*(?:=>|[:=,])[ \t]*\\?[\"'](?P<value>[^\"'\\\n]*)\\?[\"']"
    ),
    re.compile(r"\b(?P<name>[A-Z_][A-Z0-9_]*)=[\"']?(?P<value>[^\s\"'\x00,;&]*)"),
    re.compile(r"\b(?P<name>[A-Z_][A-Z0-9_]*)[ \t]*(?:[:│|]|=>|->)[ \t]*[\"']?(?P<value>[^\s\"',;]+)"),
)
"""How variables are listed: a line each, behind zeros, as quoted words, as pairs, side by side, with other signs."""
_BETWEEN = re.compile(r"[\s\"',;\\{}()\[\]|│\x00-]{0,40}(?:export |declare -x |ENV )?")
_SYSTEM = re.compile(
    r"PATH|HOME|PWD|LANG|SHELL|USER|LOGNAME|TERM|HOSTNAME|SHLVL|TZ|LC_ALL|DEBIAN_FRONTEND|PYTHONPATH|_"
)
_FAMILIAR = ("PATH", "HOME", "PWD", "LANG")
_LISTED = 3
_WORD = 8
_APART = 60
_LONGEST = 400
_HEADINGS = (
    "pass",
    "pwd",
    "key",
    "token",
    "secret",
    "credential",
    "kennwort",
    "mot de",
    "contrase",
    "cookie",
    "authoriz",
)
"""Of these every name whose column or block is secret holds one."""


def laid_out(text: str) -> Iterator[Place]:
    """What rows, columns and blocks show to be secret."""
    lowered = text.lower()
    if "header" in lowered or "-H" in text or "\n>" in text or text.startswith(">"):
        yield from _headers(text)
    if text.count("=") >= _LISTED or any(name in text for name in _FAMILIAR):
        yield from _variables(text)
    if "\n" not in text:
        return
    lines = _lines(text)
    if _tells(lowered):
        yield from _barred(lines)
        yield from _columns(lines)
        yield from _separated(lines)
        yield from _blocks(lines)


def _lines(text: str) -> list[tuple[int, str]]:
    """Where each line that is not empty begins, and what it says."""
    found, at = [], 0
    for line in text.replace("\r", "\n").split("\n"):
        if line:
            found.append((at, line))
        at += len(line) + 1
    return found


def _tells(lowered: str) -> bool:
    return any(sign in lowered for sign in _HEADINGS)


def _named(name: str) -> bool:
    plain = name.strip(" *_`\"'")
    return words().names.search(plain) or plain.lower() in ("pwd", "passcode")


def _judged(kind: str, text: str, start: int, *, words: bool = False) -> Iterator[Place]:
    """The words of `text`, which begins at `start`, where they count as a secret; with `words` long words do."""
    value = text.strip(" \t`\"'*")
    if words and alphabetic(value, _WORD):
        begins = start + text.index(value)
        yield kind, begins, begins + len(value)
        return
    mixed = not (value.islower() or value.isupper() or value.istitle()) and counts(value, "", "value")
    if 0 < len(value) <= _LONGEST and " " not in value and (mixed or counts(value, "", "telling")):
        begins = start + text.index(value)
        yield kind, begins, begins + len(value)


def _barred(lines: list[tuple[int, str]]) -> Iterator[Place]:
    """Tables whose cells stand between bars, as Markdown and database clients draw them."""
    secret: list[int] = []
    for number, (start, line) in enumerate(lines):
        if "|" not in line and "│" not in line:
            secret = secret if _RULE.fullmatch(line) else []
            continue
        indent = len(line) - len(line.lstrip())
        cells = list(_CELL.finditer(line, indent + (line[indent] in "|│")))
        after = lines[number + 1][1] if number + 1 < len(lines) else ""
        named = [at for at, cell in enumerate(cells) if _named(cell.group())]
        if named and _RULE.fullmatch(after) and not _RULE.fullmatch(line):
            secret = named
            continue
        for at in secret:
            if at < len(cells):
                yield from _judged("value of a column", cells[at].group(), start + cells[at].start(), words=True)


def _columns(lines: list[tuple[int, str]]) -> Iterator[Place]:
    """Tables whose columns are aligned."""
    spans: list[tuple[int, int]] = []
    for start, line in lines:
        if not spans and not _tells(line.lower()):
            continue
        heads = list(_COLUMN.finditer(line))
        words = [head.group() for head in heads]
        if len(heads) > 1 and any(map(_named, words)) and all(map(_FIELD.fullmatch, words)):
            stops = [head.start() for head in heads[1:]] + [len(line) + _LONGEST]
            spans = [(head.start(), stop) for head, stop in zip(heads, stops, strict=True) if _named(head.group())]
            continue
        if len(heads) < 2:
            spans = []
        for begin, stop in spans:
            for cell in re.finditer(r"\S+", line):
                if begin <= cell.start() < stop:
                    yield from _judged("value of a column", cell.group(), start + cell.start())


def _separated(lines: list[tuple[int, str]]) -> Iterator[Place]:
    """Rows whose fields are separated by one sign, below a row of names."""
    secret: list[int] = []
    sign, fields = "", 0
    for start, line in lines:
        if sign and line.count(sign) + 1 == fields:
            at = start
            for number, field in enumerate(line.split(sign)):
                if number in secret:
                    yield from _judged("value of a column", field, at)
                at += len(field) + 1
            continue
        sign = next((one for one in ",;\t" if one in line), "") if _tells(line.lower()) else ""
        heads = line.split(sign) if sign else []
        secret = [at for at, head in enumerate(heads) if _named(head)]
        fields = len(heads)
        if not secret or not all(_FIELD.fullmatch(head.strip("\"' ")) for head in heads):
            sign = ""


def _blocks(lines: list[tuple[int, str]]) -> Iterator[Place]:
    """What stands indented below a name, as YAML has it."""
    depth: int | None = None
    for start, line in lines:
        indent = len(line) - len(line.lstrip(" \t"))
        if depth is not None and indent > depth and (item := _ITEM.fullmatch(line)):
            yield from _judged("value of a block", item["value"], start + item.start("value"))
            continue
        head = _BLOCK.fullmatch(line) if _tells(line.lower()) else None
        names = (head["name"], head["name"].removesuffix("s")) if head else ()
        depth = indent if any(_named(name) for name in names) else None


def _headers(text: str) -> Iterator[Place]:
    """Header fields by allow-list: every other value that is no ordinary word."""
    fields = [
        (pair, block.start("fields")) for block in _HEADERS.finditer(text) for pair in _PAIR.finditer(block["fields"])
    ]
    for pair, at in [*fields, *((sent, 0) for sent in _SENT.finditer(text))]:
        word = pair["value"].split(" ")[-1]  # before it stands at most how it is to be read
        if pair["name"].lower() not in shown_headers() and word.strip() and counts(word, "", "strange"):
            yield "value of a header", at + pair.end("value") - len(word), at + pair.end("value")


def _variables(text: str) -> Iterator[Place]:
    """Listings of variables by allow-list of their names: every other value that looks random.

    They may stand one a line, behind zeros, as quoted words, as pairs of a program, or, where one of them is known to
    every system, anywhere behind one another.
    """
    for pattern in _LISTINGS:
        listed: list[re.Match[str]] = []
        for match in pattern.finditer(text):
            if listed and not _beside(text[listed[-1].end() : match.start()]):
                yield from _listed(listed, pattern is _LINED)
                listed = []
            listed.append(match)
        yield from _listed(listed, pattern is _LINED)


def _beside(between: str) -> bool:
    return len(between) <= _APART and _BETWEEN.fullmatch(between) is not None


def _listed(listed: list[re.Match[str]], lined: bool) -> Iterator[Place]:
    if len(listed) < _LISTED or not (lined or any(_SYSTEM.fullmatch(one["name"]) for one in listed)):
        return
    for one in listed:
        if not ordinary_variables().search(one["name"]) and one["value"] and random(one["value"]):
            yield "variable", *one.span("value")
