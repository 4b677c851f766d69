"""What probes are told of a command's settings, once it is known that these can be used."""

from pathlib import Path

from cases import InputError
from cases import patterns as re
from probes import Settings, WebSettings
from verify.config import Configuration, parse_resolve


def settings_of(configuration: Configuration) -> Settings:
    """The probes' settings.

    Raises:
        InputError: a file that does not exist, an address that is none.
    """
    if configuration.lab_ca is not None and not configuration.lab_ca.is_file():
        raise InputError(f"--lab-ca {configuration.lab_ca}: no such file; give a certificate authority in PEM form")
    if configuration.workspace is not None:
        _check_workspace(configuration.workspace)
    for url in configuration.control:
        if not re.match(r"https?://[^\s/]", url):
            raise InputError(f"--control {url}: not an http or https URL")
    if configuration.vantage is not None:
        _check_vantage(configuration.vantage.get_secret_value())
    return Settings(
        web=WebSettings(
            resolve=parse_resolve(configuration.resolve),
            lab_ca=configuration.lab_ca,
            controls=configuration.control,
            vantage=configuration.vantage,
            caps=configuration.web,
        ),
        thorough=configuration.thorough,
        offline=configuration.offline,
        workspace=configuration.workspace and configuration.workspace.resolve(),
        runtime=configuration.runtime,
    )


def _check_vantage(url: str) -> None:
    from sandboxes.egress import Via

    try:
        Via.parse(url)
    except ValueError as error:
        raise InputError(f"--vantage: {error}") from None


def _check_workspace(path: Path) -> None:
    try:
        empty = not any(path.iterdir())
    except OSError as error:
        raise InputError(f"--workspace {path}: {error.strerror}; name the directory with the task's files") from None
    if empty:
        raise InputError(f"--workspace {path}: an empty directory; name the one with the task's files")
