"""What an audit never says: the secrets of this machine, of its case, and of what it meets on the way."""

from collections.abc import Iterator
from typing import Any, TypeVar

from pydantic import BaseModel

from cases.machine import machine_secrets
from cases.secrets import Masker

T = TypeVar("T", bound=BaseModel)


class Mask:
    """Hides secrets in whatever is shown, sent or kept; what is masked is as long as it was.

    What one text shows to be a secret is hidden in all later ones, wherever it stands.
    """

    def __init__(self, *records: BaseModel) -> None:
        """Know this machine's secrets and, from the first text on, those that `records` show."""
        self._masker = Masker()
        self._masker.certain |= machine_secrets()
        self._unread = list(records)

    def learn(self, *records: BaseModel) -> None:
        """Have what these records show to be a secret hidden as well."""
        self._unread += records

    def text(self, text: str) -> str:
        """A text without secrets."""
        masked: str = self.value(text)
        return masked

    def model(self, record: T) -> T:
        """A record without secrets."""
        return type(record).model_validate(self.value(record.model_dump(mode="json")))

    def value(self, value: object) -> Any:  # noqa: ANN401 - any JSON value
        """A JSON value without secrets; the keys of arguments and environments tell of their values."""
        while self._unread:
            self._read(self._unread.pop().model_dump(mode="json"))
        return self._masker.known(self._read(value))

    def error(self, error: BaseException) -> None:
        """Take secrets out of what an error and those behind it say."""
        behind: BaseException | None = error
        seen: set[int] = set()
        while behind is not None and id(behind) not in seen:
            seen.add(id(behind))
            behind.args = tuple(self.text(one) if isinstance(one, str) else one for one in behind.args)
            behind = behind.__cause__ or behind.__context__

    def _read(self, value: object) -> Any:  # noqa: ANN401 - any JSON value
        from cases.detectors import detected  # noqa: PLC0415 - takes half a second, and seldom is there nothing to mask

        clean = self._masker.record(value)
        self._masker.certain |= dict(detected("\n".join(_texts(clean))))
        return clean


def _texts(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    for inner in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from _texts(inner)
