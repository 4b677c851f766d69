"""What a script reads besides its input, by which it may be told to do its work otherwise."""

import json
import tomllib
from collections.abc import Iterator
from itertools import zip_longest

from cases import patterns as re
from cases.shell import steps_of

PARSERS = r"\b[Cc]onfig[Pp]arser\b|\bjson\.load|\byaml\b|\btomli?(?:lib)?\b|\bdotenv\b"
SETTINGS = (
    rf"os\.environ|\bgetenv\b|Sys\.getenv|process\.env|\bENV\[|{PARSERS}"
    r"|\bsource\(|\bexec\(|\b(?:hydra|omegaconf|pydantic|dynaconf|configargparse)\b",
    r"['\"/ ][\w./-]*\w\.(?:conf|cfg|ini|ya?ml|toml|json|env|properties|config)\b(?!\.\w|\s*\()",
    r"\$\{?(?!(?:HOME|PATH|PWD|USER|SHELL|TMPDIR|LANG)\b)[A-Z]\w+|\$\{[A-Za-z_]\w*:?[-=]",
    r"(?m)^\w+\s*[?:]*=[^=].*\n(?:.*\n)*?[\w.%-]+:.*\n\t",
)
SETTINGS_FILE = re.compile(
    r"(?:['\"]|(?m:^|[;&])[ \t]*(?:\.|source)[ \t]+)"
    r"(?P<file>[\w./-]+\.(?:json|toml|ya?ml|ini|cfg|conf|env|properties)|\.env)(?![\w./-])"
)
"""As sources quote it, or as a shell reads it in."""
OF_A_BUILD = re.compile(
    r"(?m)^(?:CC|CXX|CPP|FC|AR|AS|LD|RM|CFLAGS|CXXFLAGS|CPPFLAGS|FFLAGS|FCFLAGS|ARFLAGS|ASFLAGS|LDFLAGS|LDLIBS|LIBS)"
    r"[ \t]*[?:+]*=.*$"
)
"""Variables by which GNU make's own rules call compilers, and LIBS by custom: none of what is built then reads them."""
QUOTED_OPTION = re.compile(r"['\"](?P<flag>--?[a-zA-Z][\w-]*)['\"=]")
_SPELLED_TWICE = re.compile(r"['\"](-[a-zA-Z])['\"][ \t]*,[ \t]*['\"](--[a-zA-Z][\w-]*)['\"]")
"""One option, as argparse, click and their like are told it."""
_CALLED = re.compile(r"\[\s*['\"]\w[\w./+-]*['\"]\s*,[^\[\]]*\]")
"""A program with its words, as Python's `subprocess` takes them."""
_PASSED_ON = re.compile(r"(?:\bdict\(\s*|\*\*\s*|\benv\s*=\s*)os\.environ\b(?:\s*[,)}\]\n])|os\.environ\.copy\(\)")
_OF_SEVERAL = re.compile(r"(?:add_argument|option)\([^()]*\b(?:choices\s*=|Choice\()", re.IGNORECASE)
"""An option that has its values listed: the one that the command gives may be the run's own choice."""
PLAIN = re.compile(
    r"-[hvVq]|--(?:help|version|verbose|quiet|silent|debug|seed|log[-_]?(?:level|file)|color|no-color|force|yes)"
)
ARGUMENTS = re.compile(
    r"\bargv\b|commandArgs|add_argument\(|\bclick\.|\btyper\b|\bfire\b|\$[1-9@*]|getopts?|docopt|\bARGV\b"
)
AMOUNTS = "numbers among its arguments"
NUMBER = re.compile(r"\A(?:\S*=)?\d[\d_.]*[kKmMgG]?")
_ASSIGNED = re.compile(r"(?m)^[ \t]*(?:export[ \t]+)?(?P<name>[A-Za-z_]\w{2,})=")
_FIXED = re.compile(
    r"(?:export[ \t]+)?['\"]?(?:\$\{\w+:-)?(?:\w+://\S+|\.{0,2}/[\w./-]*|[0-9a-fA-F]{16,})['\"]?[ \t]*(?:#.*)?"
)
"""What a script sets for good, in a line of its own: an address, a path, a checksum; also as what stands for a variable
that is not set.
"""
_ASKED = (
    r"(?:-[zn]|\[)[ \t]+\"?\$\{?NAME\b",
    r"\$\{NAME[+?]",
    r"\b(?:read|for|getopts)\b.*\bNAME\b",
)
"""How a script asks whether a variable is set, or sets it by something else."""
_LINE = re.compile(r"[\w.-]+\s*[:=]\s*(?P<value>.*)")
READ = re.compile(
    r"(?:environ(?:\.get)?|getenv|\bENV|\benv(?:\.\w+)?|process\.env|Deno\.env\.get|std::env::var|LookupEnv|Getenv)\W{1,4}(?P<name>[A-Z]\w{2,})"
    r"|\$\{?(?P<shell>[A-Z][A-Z0-9]*_[A-Z0-9_]+)|(?m:^(?P<line>[A-Z][A-Z0-9]*_[A-Z0-9_]{2,})$)"
)
"""A variable that a source reads."""


def own_settings(text: str, command: str) -> tuple[str, ...]:
    """What in sources may change what the command does, as they spell it; empty where nothing does."""
    text = handing_nothing_on(text)
    read = (re.search(pattern, OF_A_BUILD.sub("", text)) for pattern in SETTINGS)
    found = [" ".join(match[0].split())[:40].strip("'\"/ ") for match in read if match]
    flags = dict.fromkeys(match["flag"] for match in QUOTED_OPTION.finditer(text))
    chosen = {one["flag"] for match in _OF_SEVERAL.finditer(text) for one in QUOTED_OPTION.finditer(match[0])}
    given = {flag for flag in flags if is_given(flag, command)}
    for both in (match.groups() for match in _SPELLED_TWICE.finditer(text)):
        given |= set(both) if given.intersection(both) else set()
    found += [flag for flag in flags if not PLAIN.fullmatch(flag) and (flag in chosen or flag not in given)]
    numbers = any(NUMBER.fullmatch(word) for step in steps_of(command) for word in step.command.arguments)
    return (*found, *([AMOUNTS] if ARGUMENTS.search(text) and numbers else []))


def handing_nothing_on(text: str) -> str:
    """Sources without the options that they give to other programs, and without the environment that they pass on."""
    called = _CALLED.finditer(text)
    for match in reversed(list(called)):
        text = text[: match.start()] + QUOTED_OPTION.sub("''", match[0]) + text[match.end() :]
    return _PASSED_ON.sub("", text)


def values_in(text: str) -> list[str]:
    """The values of a file of settings: JSON, TOML, or lines of names and values."""
    for parse in (json.loads, tomllib.loads):
        try:
            return [str(value) for value in _leaves(parse(text))]
        except ValueError:
            continue
    lines = (match for line in text.splitlines() if (match := _LINE.fullmatch(line.strip())))
    return [match["value"].strip("'\"") for match in lines if match["value"]]


def variables_in(text: str) -> list[str]:
    """The variables that a file sets which a shell reads in."""
    return [match["name"] for match in _ASSIGNED.finditer(text)]


def set_by_itself(text: str) -> list[str]:
    """Variables to which a shell script always gives an address, a path or a checksum.

    What may be a switch is left out, for it may be meant to be set otherwise, and so is what the script asks about,
    reads in or sets for one case only.
    """
    values: dict[str, list[str]] = {}
    for match in _ASSIGNED.finditer(text):
        before, rest = match[0].partition(match["name"])[0], text[match.end() :].partition("\n")[0]
        values.setdefault(match["name"], []).append(before + rest)
    fixed = [name for name, each in values.items() if all(_FIXED.fullmatch(one) for one in each)]
    return [name for name in fixed if not any(re.search(one.replace("NAME", name), text) for one in _ASKED)]


def _leaves(value: object) -> Iterator[object]:
    if isinstance(value, dict):
        for inner in value.values():
            yield from _leaves(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _leaves(inner)
    else:
        yield value


def is_given(flag: str, command: str) -> bool:
    """Whether the command has the option already, with a value that is no number."""
    for step in steps_of(command):
        for word, following in zip_longest(step.command.arguments, step.command.arguments[1:], fillvalue=""):
            name, joined, value = word.partition("=")
            if name == flag and not NUMBER.fullmatch(value if joined else following):
                return True
    return False
