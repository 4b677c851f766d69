"""The exception tree of everything above `sandboxes`; each class names its exit code.

ImpassableError
├── InputError           2  bad input: names the file, the place and the remedy
├── EnvironmentNotReady  3  Docker, browser or network missing where the command cannot do without
├── CredentialsError     4
└── PackError            5  an evidence pack that does not hold
"""


class ImpassableError(Exception):
    """A failure with one clear sentence for the user."""

    exit_code = 70


class InputError(ImpassableError):
    """Input that cannot be used; the message says which file, where in it, and what to do."""

    exit_code = 2


class EnvironmentNotReady(ImpassableError):  # noqa: N818 - it is a state, not an error in the program
    """Something this machine lacks."""

    exit_code = 3


class CredentialsError(ImpassableError):
    """A missing or refused key."""

    exit_code = 4


class PackError(ImpassableError):
    """An evidence pack whose content does not match its manifest."""

    exit_code = 5
