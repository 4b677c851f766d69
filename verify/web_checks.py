"""The checks that concern the web: a browser that starts, and the open web."""

import asyncio

from cases.sentences import Sentences
from verify.condition import Check
from verify.config import Configuration

say = Sentences(__name__)

WEB_SECONDS = 15


def browser(_: Configuration) -> Check:
    """A Chromium that starts."""
    from cases import EnvironmentNotReady
    from sandboxes.browser.chromium import check_browser

    remedy = say("web_checks.make_setup_gets_hand")
    try:
        detail, sandboxed = asyncio.run(check_browser())
    except EnvironmentNotReady as error:
        return Check(name="browser", state="fail", detail=str(error))
    except Exception as error:  # noqa: BLE001 - Playwright raises bare exceptions when its driver does not start
        lacking = say("web_checks.playwright_driver_not_start", error=error)
        return Check(name="browser", state="fail", detail=lacking, remedy=remedy)
    if sandboxed:
        return Check(name="browser", state="ok", detail=detail)
    guard = say("web_checks.allow_user_namespaces_docker")
    return Check(name="browser", state="warn", detail=detail, remedy=guard)


def web(configuration: Configuration) -> Check:
    """The open web, by the positive controls that audits use."""
    import httpx

    if configuration.offline:
        return Check(name="web", state="ok", detail=say("web_checks.not_asked_offline"))
    urls = configuration.control or _default_controls()
    failed = []
    for url in urls:
        try:
            httpx.get(url, timeout=WEB_SECONDS, follow_redirects=True).raise_for_status()
        except httpx.HTTPError as error:
            failed.append(f"{url}: {type(error).__name__} {error}")
        else:
            return Check(name="web", state="ok", detail=f"{url} answers")
    remedy = say("web_checks.audits_web_sites_end")
    return Check(name="web", state="warn", detail="; ".join(failed), remedy=remedy)


def _default_controls() -> tuple[str, ...]:
    from probes.web.controls import defaults

    return tuple(control.url for control in defaults().control)
