"""Requests to a service of the machine's own: they end well whatever it answers, until they are told to mind it."""

import ipaddress
from collections.abc import Iterator

from cases.hosts import host_of, own_machine
from cases.shell import Command, Edit, edited

_MINDING = ("-f", "--fail", "--fail-with-body")


def asks_own(command: Command) -> bool:
    """Whether a command is given an address of the machine that it runs on."""
    return any(_own(word) for word in command.arguments)


def minding_answers(line: str) -> str:
    """The line with every `curl` of such an address failing at an HTTP error; source: curl(1), --fail."""
    return edited(line, _failing)


def _failing(command: Command) -> Iterator[Edit]:
    if command.program == "curl" and asks_own(command) and not {*command.arguments} & {*_MINDING}:
        end = command.words[0].end
        yield end, end, " --fail"


def _own(word: str) -> bool:
    host = host_of(word if "://" in word else f"//{word}")
    return own_machine(host) if "://" in word and host else _loopback(host)


def _loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return host == "localhost"
