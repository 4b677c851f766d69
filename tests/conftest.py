"""What the tests need from the machine: a missing piece is a skip for people and a failure for CI."""

import os
import signal
from collections.abc import Generator, Iterator
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, settings

from verify.checks import looked
from verify.config import Configuration

if TYPE_CHECKING:
    from playwright.sync_api import Browser

settings.register_profile("any machine", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("any machine")

NEEDED = {"docker": ("engine", "image"), "browser": ("browser",), "network": ("indexes",)}
"""Which of the doctor's checks must be fine for a marker's tests."""

LONG = ("slow", *NEEDED)
"""Markers of tests that may take more than a few seconds."""

LONGEST_NAME = 200
"""Characters of a parameter in a test's name."""


def pytest_configure() -> None:
    """What `nohup` or a shell's background has the tests ignore, the programs that they start must not."""
    for request in (signal.SIGINT, signal.SIGHUP):
        if signal.getsignal(request) is signal.SIG_IGN:
            signal.signal(request, lambda *_: None)


@cache
def lacking(marker: str) -> str:
    """What this machine lacks for a marker's tests, with the remedy; empty when nothing."""
    checks = [looked(name, Configuration()) for name in NEEDED[marker]]
    return "; ".join(
        f"{check.detail}; {check.remedy}"
        for check in checks
        if check.state == "fail" or (check.state == "warn" and check.name == "indexes")
    )


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Skip a test whose machine is missing something, or fail it where CI promised everything."""
    for marker in NEEDED:
        if item.get_closest_marker(marker) and (missing := lacking(marker)):
            if os.environ.get("CI"):
                pytest.fail(f"{marker}: {missing}", pytrace=False)
            pytest.skip(f"{marker}: {missing}")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """A test that skips itself for want of what CI promised fails there too; what stands in a `skipif` may skip."""
    report = yield
    promised = any(item.get_closest_marker(marker) for marker in NEEDED) and not item.get_closest_marker("skipif")
    if report.skipped and promised and os.environ.get("CI"):
        report.outcome, report.longrepr = "failed", f"skipped where CI is set: {report.longrepr}"
    return report


def pytest_make_parametrize_id(val: object, argname: str) -> str | None:
    """A long text is named by its length: each worker tells the names of all tests, and each report its own."""
    return f"{argname} of {len(val)}" if isinstance(val, str | bytes) and len(val) > LONGEST_NAME else None


@pytest.hookimpl(tryfirst=True)  # before the groups are read
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """With several workers, a file stays with one of them, but each test with containers goes to whoever is free.

    Containers belong to the process that made them, so that none meets another's. Modules whose fixtures hold one
    name a group themselves. What may take long begins first, so that quick tests fill the time until the last ends.
    """
    groups: list[str] = []
    long = set[str]()
    for number, item in enumerate(items):
        if not item.get_closest_marker("xdist_group"):
            group = f"container {number}" if item.get_closest_marker("docker") else str(item.path)
            item.add_marker(pytest.mark.xdist_group(group))
        marker = item.get_closest_marker("xdist_group")
        assert marker
        groups.append(str(marker.args[0]))
        if any(map(item.get_closest_marker, LONG)):
            long.add(groups[-1])
    if hasattr(config, "workerinput"):
        order = sorted(range(len(items)), key=lambda number: groups[number] not in long)
        items[:] = [items[number] for number in order]


@pytest.fixture(scope="module")
def chromium() -> Iterator["Browser"]:
    """The system's Chromium where there is one, Playwright's own otherwise."""
    from playwright.sync_api import sync_playwright

    from sandboxes.browser.chromium import OFF

    system, arguments = Path("/usr/bin/chromium"), ["--no-sandbox", f"--disable-features={','.join(OFF)}"]
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=system if system.exists() else None, args=arguments)
        yield browser
        browser.close()
