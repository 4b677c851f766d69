"""Variables in which programs look for a credential, by their names."""

_PARTS = frozenset(
    {"KEY", "TOKEN", "SECRET", "PASSWORD", "PASSWD", "PASSPHRASE", "PASS", "PWD", "PAT", "CREDENTIALS", "CREDS", "AUTH"}
)


def names_credential(variable: str) -> bool:
    """Whether a part of the name says so: `OPENAI_API_KEY`."""
    return not _PARTS.isdisjoint(variable.split("_"))
