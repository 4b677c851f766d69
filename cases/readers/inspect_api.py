"""What was said in a sample as Inspect's own log API reads it, where that is installed: it knows all its versions."""

from concurrent.futures import ThreadPoolExecutor
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Literal

LARGEST = 64 * 1024 * 1024
"""Bytes of a JSON log that the API is given: it reads all of it for each sample."""
_LEFT = {"store", "output", "timelines", "model_usage", "role_usage"}


def installed() -> bool:
    """Whether Inspect is here; the extra `inspect` brings it."""
    return find_spec("inspect_ai") is not None


def spoken(path: Path, form: Literal["eval", "json"], sample: object, epoch: object) -> dict[str, Any] | None:
    """A sample's messages and events, whatever a later version has folded together; None where the API cannot say.

    Nothing bounds what the API takes in: our own reader must have read the sample first.
    """
    if not isinstance(sample, int | str) or not isinstance(epoch, int):
        return None
    if not installed() or (form == "json" and path.stat().st_size > LARGEST):
        return None
    with ThreadPoolExecutor(1) as apart:  # in a thread whose event loop runs, the API re-enters that, and breaks it
        return apart.submit(_read, str(path.resolve()), form, sample, epoch).result()


def _read(path: str, form: Literal["eval", "json"], sample: int | str, epoch: int) -> dict[str, Any] | None:
    from inspect_ai.log import read_eval_log_sample  # noqa: PLC0415 - takes seconds, and few logs are Inspect's

    try:
        read = read_eval_log_sample(
            path, sample, epoch, format=form, resolve_attachments="full", exclude_fields={*_LEFT}
        )
        told: dict[str, Any] = read.model_dump(mode="json", exclude_none=True)
    except Exception:  # noqa: BLE001 - whatever it does not understand is what our own reader says
        return None
    return told
