"""Where the settings of a command come from: flag, then environment, then project file, then user file."""

import ipaddress
import os
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal, get_args

import platformdirs
from pydantic import Field, SecretStr, ValidationError

from cases import InputError, Model
from cases.sentences import Sentences
from probes import Reached, WebCaps

say = Sentences(__name__)

Rubric = Literal["auto", "assistantbench", "environmental_barrier"]
RUBRICS: tuple[str, ...] = get_args(Rubric)
FILE_NAME = "verify.toml"
_FLAGS = "the command line"
_PATH_LISTS = ("run", "claims", "outcomes")
_PATHS = ("grader", "key", "lab_ca", "oracle", "out", "state", "workspace")
_WORD_LISTS = ("resolve", "control")
SHARING = frozenset({"at_once", "checkpoints", "engine", "evidence", "scheduler", "workers"})
"""Settings that say who does the work, and change nothing of what comes out."""
_TABLES: dict[str, type[Model]] = {"web": WebCaps}


class Configuration(Model):
    """Every setting that a file, the environment or a flag may give."""

    run: tuple[Path, ...] = ()
    claims: tuple[Path, ...] = ()
    outcomes: tuple[Path, ...] = ()
    """Files, directories or globs."""
    tasks: str | None = None
    """A jsonl file of tasks, a folder of them, or the name of a benchmark whose data set the hub has."""
    grader: Path | None = None
    """The benchmark's own grader: a Python file that defines `grade(answer, gold)`."""
    oracle: Path | None = None
    """The reference solution and its checks: a task's folder, SWE-bench's rows, or a script for the task's own."""
    trust_pickle: bool = False
    benchmark: str | None = None
    rubric: Rubric = "auto"
    profile: str | None = None
    """A shipped profile's name, a file, or a task's folder."""
    network: Reached | None = None
    """What the run's machine reached; None leaves it to the profile."""
    workspace: Path | None = None
    """The task's own files, for replays."""
    runtime: str = Field(default="", pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]*$|^$")
    """Of the engine's, in which commands are replayed, such as `runsc`; the default one where none is given."""
    resolve: tuple[str, ...] = ()
    """`HOST=ADDR:PORT`, as `parse_resolve` reads it."""
    vantage: SecretStr | None = None
    """A proxy of the user's own, `http://` or `socks5://`, through which pages are visited too."""
    lab_ca: Path | None = None
    control: tuple[str, ...] = ()
    out: Path = Path("packs")
    evidence: str | None = None
    """Where the zip of each pack is put besides: any address that fsspec knows, such as `s3://bucket/packs`."""
    key: Path | None = None
    """The private key that signs packs; none leaves them unsigned."""
    at_once: int = Field(default=4, ge=1, le=64)
    """Audits of one batch side by side; their pages and containers keep to limits of their own."""
    engine: Literal["here", "dask"] = "here"
    """What does the audits of a batch: this process, or the workers of a Dask cluster."""
    scheduler: str | None = None
    """The cluster's scheduler; without one a cluster on this machine is started."""
    workers: int | None = Field(default=None, ge=1, le=1_000)
    """Of the cluster on this machine; as many as it has cores where nothing is said."""
    checkpoints: SecretStr | None = None
    """`postgresql://…`: a database that keeps the steps of unfinished audits, in place of files in `state`."""
    state: Path = Path(".verify")
    """Checkpoints and artifacts of audits that are not finished."""
    public: bool = False
    """Packs without gold answers and this machine's own paths."""
    thorough: bool = False
    offline: bool = False
    review: bool = False
    """Whether a person is asked before a verdict becomes final."""
    web: WebCaps = WebCaps()
    """What web visits may cost."""
    model: str | None = None
    """A language model that may propose, argue and word; its server and key come from OPENAI_BASE_URL and _API_KEY."""
    model_price: str | None = Field(default=None, pattern=r"^\d+(\.\d+)?/\d+(\.\d+)?$")
    """`READ/WRITTEN` in dollars for a million tokens, where the price list does not know the model."""
    model_context: int = Field(default=32_000, ge=2_000)
    """Tokens that one question and its answer may have together."""
    max_calls: int = Field(default=2, ge=0, le=100)
    """Questions to the model in one audit."""
    max_tokens: int = Field(default=200_000, gt=0)
    """Tokens of one audit."""
    max_cost: float | None = Field(default=None, gt=0)
    """Dollars of one audit."""
    second_reader: bool = False


def load(flags: Mapping[str, Any]) -> Configuration:
    """The settings of one command; `flags` that are None or empty were not given.

    Raises:
        InputError: a file, a variable or a flag that cannot be used.
    """
    user = Path(platformdirs.user_config_dir("impassable", appauthor=False)) / FILE_NAME
    merged: dict[str, Any] = {}
    for path in (user, Path(FILE_NAME)):
        merged |= _from_file(path)
    merged |= _from_environment()
    merged |= {key: value for key, value in flags.items() if value not in (None, (), [])}
    return _checked(merged, _FLAGS)


def parse_resolve(entries: tuple[str, ...]) -> dict[str, str]:
    """`HOST=ADDR:PORT` entries as a mapping from host to `ADDR:PORT`.

    Raises:
        InputError: an entry of another shape.
    """
    return dict(_resolve_entry(entry) for entry in entries)


def _resolve_entry(entry: str) -> tuple[str, str]:
    host, _, target = entry.partition("=")
    address, _, port = target.rpartition(":")
    try:
        ipaddress.ip_address(address.removeprefix("[").removesuffix("]"))
        usable = bool(host) and "/" not in host and " " not in host and 0 < int(port) < 65536
    except ValueError:
        usable = False
    if not usable:
        raise InputError(say("config.resolve_not_host_addr", entry=entry))
    return host.lower().rstrip("."), target


def _from_file(path: Path) -> dict[str, Any]:
    try:
        raw = tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise InputError(say("config.cannot_read_toml_mend", path=path, error=error)) from None
    _known(raw, str(path))
    beside = path.parent
    for key in _PATH_LISTS:
        if isinstance(raw.get(key), list | str):
            raw[key] = [beside / str(one) for one in ([raw[key]] if isinstance(raw[key], str) else raw[key])]
    for key in _PATHS:
        if isinstance(raw.get(key), str):
            raw[key] = beside / raw[key]
    if isinstance(raw.get("tasks"), str) and (beside / raw["tasks"]).exists():
        raw["tasks"] = str(beside / raw["tasks"])
    if isinstance(raw.get("profile"), str) and (raw["profile"].endswith(".toml") or (beside / raw["profile"]).is_dir()):
        raw["profile"] = str(beside / raw["profile"])
    return _checked(raw, str(path)).model_dump(include=set(raw))


def _from_environment() -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key in Configuration.model_fields:
        text = os.environ.get(f"VERIFY_{key.upper()}")
        if not text:
            continue
        if key in _PATH_LISTS:
            found[key] = text.split(os.pathsep)
        elif key in _WORD_LISTS:
            found[key] = text.split()
        elif key in _TABLES:
            found[key] = _pairs(text)
        else:
            found[key] = text
    return _checked(found, "the environment", prefix="VERIFY_").model_dump(include=set(found))


def _pairs(text: str) -> dict[str, str]:
    """`KEY=VALUE …` of a table's variable; a word without `=` stays a key that nobody knows."""
    pairs = {key: value for key, _, value in (word.partition("=") for word in text.split())}
    _known({"web": pairs}, "the environment")
    return pairs


def _known(raw: Mapping[str, Any], where: str) -> None:
    _known_keys(raw, list(Configuration.model_fields), where, "")
    for table, model in _TABLES.items():
        if isinstance(raw.get(table), dict):
            _known_keys(raw[table], list(model.model_fields), where, f"{table}.")


def _known_keys(given: Mapping[str, Any], known: list[str], where: str, prefix: str) -> None:
    from difflib import get_close_matches

    for key in given:
        if key not in known:
            near = get_close_matches(key, known, 1)
            hint = (
                say("config.you_mean", prefix=prefix, near=near[0])
                if near
                else say("config.known", known=", ".join(known))
            )
            raise InputError(say("config.unknown_key", where=where, key=prefix + key, hint=hint))


def _checked(values: Mapping[str, Any], where: str, prefix: str = "") -> Configuration:
    try:
        configuration = Configuration.model_validate(values)
    except ValidationError as error:
        first = error.errors(include_url=False, include_context=False)[0]
        name = ".".join(str(part) for part in first["loc"][: 2 if first["loc"][0] in _TABLES else 1])
        shown = prefix + name.upper() if prefix else name
        got = "" if name in ("checkpoints", "vantage") else f"; got {str(first['input'])[:80]!r}"
        place = f"--{name.replace('_', '-')}" if where == _FLAGS else f"{where}: {shown}"
        raise InputError(f"{place}: {first['msg'].replace('Input should be', 'must be')}{got}") from None
    parse_resolve(configuration.resolve)
    return configuration
