"""What probes are told of a command's settings, once it is known that these can be used."""

from pathlib import Path

from cases import InputError
from cases import patterns as re
from cases.sentences import Sentences
from probes import Settings, WebSettings
from verify.config import Configuration, parse_resolve

say = Sentences(__name__)


def settings_of(configuration: Configuration) -> Settings:
    """The probes' settings.

    Raises:
        InputError: a file that does not exist, an address that is none.
    """
    if configuration.lab_ca is not None and not configuration.lab_ca.is_file():
        raise InputError(say("settings.lab_ca_no_file", lab_ca=configuration.lab_ca))
    if configuration.workspace is not None:
        _check_workspace(configuration.workspace)
    for url in configuration.control:
        if not re.match(r"https?://[^\s/]", url):
            raise InputError(say("settings.control_not_http_https", url=url))
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
        raise InputError(say("settings.workspace_directory_task_files", path=path, strerror=error.strerror)) from None
    if empty:
        raise InputError(say("settings.workspace_empty_directory_task", path=path))
