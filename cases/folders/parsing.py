"""YAML, TOML and Dockerfiles as plain values, with errors that name the file."""

import tomllib
from pathlib import Path
from typing import Any

from cases import patterns as re
from cases.errors import InputError
from cases.links import leads_out
from cases.sentences import Sentences

say = Sentences(__name__)

LARGEST = 2_000_000
"""Bytes of one file."""
MOST_ALIASES = 20
DEEPEST = 100
_FINAL = re.compile(r"(?im)^[ \t]*FROM\s")
_SAID = re.compile(r"(?im)^[ \t]*(USER|WORKDIR)[ \t]+[\"']?([^\s\"'$]+)[\"']?[ \t]*$")


def text_in(path: Path) -> str:
    """A file's text.

    Raises:
        InputError: it cannot be read, or is no text.
    """
    try:
        if leads_out(path, path.parent):
            raise InputError(say("folders.parsing.link_leads_out_task", path=path))
        if path.stat().st_size > LARGEST:
            raise InputError(say("folders.parsing.larger_than_bytes_no", path=path, largest=LARGEST))
        return path.read_text(encoding="utf-8")
    except OSError as error:
        raise InputError(say("folders.parsing.task_folder", path=path, strerror=error.strerror)) from None
    except UnicodeDecodeError:
        raise InputError(say("folders.parsing.no_utf_text_mend", path=path)) from None


def yaml_value(path: Path) -> object:
    """What a YAML file holds.

    Raises:
        InputError: it is none, or repeats itself by so many aliases that it could unfold without end.
    """
    import yaml  # noqa: PLC0415 - only tasks' own folders hold any

    begins = (
        yaml.BlockSequenceStartToken,
        yaml.BlockMappingStartToken,
        yaml.FlowSequenceStartToken,
        yaml.FlowMappingStartToken,
    )
    ends = (yaml.BlockEndToken, yaml.FlowSequenceEndToken, yaml.FlowMappingEndToken)
    text = text_in(path)
    try:
        aliases, depth = 0, 0
        for token in yaml.scan(text, Loader=yaml.CSafeLoader):
            aliases += isinstance(token, yaml.AliasToken)
            depth += isinstance(token, begins) - isinstance(token, ends)
            if aliases > MOST_ALIASES:
                raise InputError(say("folders.parsing.more_than_aliases_write", path=path, most_aliases=MOST_ALIASES))
            if depth > DEEPEST:
                raise InputError(say("folders.parsing.more_than_levels_deep", path=path, deepest=DEEPEST))
        return yaml.load(text, Loader=yaml.CSafeLoader)
    except (yaml.YAMLError, RecursionError, ValueError) as error:
        said = " ".join(str(error).split())[:200]
        raise InputError(say("folders.parsing.not_valid_yaml_mend", path=path, said=said)) from None


def yaml_in(path: Path) -> dict[str, Any]:
    """A mapping in a YAML file.

    Raises:
        InputError: it is none.
    """
    value = yaml_value(path)
    if not isinstance(value, dict):
        raise InputError(say("folders.parsing.holds_no_mapping_mend", path=path))
    return value


def toml_in(path: Path) -> dict[str, Any]:
    """A TOML file.

    Raises:
        InputError: it is none.
    """
    try:
        return tomllib.loads(text_in(path))
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise InputError(say("folders.parsing.not_valid_toml_mend", path=path, error=error)) from None


def said_by_dockerfile(path: Path) -> dict[str, str]:
    """`user` and `workdir` as the last stage of a Dockerfile sets them; a relative or computed one is left out.

    Raises:
        InputError: it cannot be read.
    """
    text = text_in(path)
    stages = [match.start() for match in _FINAL.finditer(text)]
    said = {name.lower(): value for name, value in _SAID.findall(text[stages[-1] if stages else 0 :])}
    if not said.get("workdir", "/").startswith("/"):
        del said["workdir"]
    if "user" in said:
        said["user"] = said["user"].partition(":")[0]
    return said


def table(value: object, name: str) -> dict[str, Any]:
    """A table inside a mapping; empty where there is none."""
    found = value.get(name) if isinstance(value, dict) else None
    return found if isinstance(found, dict) else {}


def number(value: object) -> float | None:
    """A positive number, also one that stands there as text; None for anything else."""
    try:
        found = float(value) if isinstance(value, int | float | str) and not isinstance(value, bool) else 0.0
    except ValueError:
        return None
    return found if 0 < found < 1e9 else None


def megabytes(value: object) -> int | None:
    """A size such as `4G`, `512m` or a number of bytes, in whole megabytes."""
    match = re.fullmatch(r"(?i)\s*(\d+(?:\.\d+)?)\s*([kmgt]?)i?b?\s*", str(value))
    if match is None:
        return None
    scale = {"": 1, "k": 1024, "m": 1024**2, "g": 1024**3, "t": 1024**4}[match[2].lower()]
    return round(float(match[1]) * scale / 1024**2) or None


def plain_env(value: object) -> dict[str, str]:
    """Variables of a mapping or a list of `NAME=VALUE`; one that is taken from the harness's own is left out."""
    pairs: list[tuple[str, object]] = []
    if isinstance(value, dict):
        pairs = [(str(name), one) for name, one in value.items()]
    elif isinstance(value, list):
        pairs = [(name, one) for name, has, one in (str(item).partition("=") for item in value) if has]
    return {name: str(one) for name, one in pairs if one is not None and "$" not in str(one)}
