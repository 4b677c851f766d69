"""What may go wrong with a call, with the exit code that the program left with."""

from typing import ClassVar


class ImpassableError(Exception):
    """A call did not come to its end; the message says why, and what to do."""

    exit_code: ClassVar[int | None] = None


class InputError(ImpassableError):
    """An argument or a file cannot be used."""

    exit_code = 2


class NotReadyError(ImpassableError):
    """This machine lacks something; `verify doctor` says what."""

    exit_code = 3


class CredentialsError(ImpassableError):
    """A key that is needed is missing or refused."""

    exit_code = 4


class PackError(ImpassableError):
    """A pack is not what was written."""

    exit_code = 5


class InternalError(ImpassableError):
    """A fault of the program's own; the message names its log."""

    exit_code = 70


class ImpassableWarning(UserWarning):
    """Something that did not stop a call."""


_BY_CODE = {kind.exit_code: kind for kind in ImpassableError.__subclasses__()}


def failure(message: str, exit_code: int) -> ImpassableError:
    """The exception of an exit code."""
    return _BY_CODE.get(exit_code, InternalError)(message)
