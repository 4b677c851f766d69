"""The checks that concern the web: a browser that starts, and the open web."""

import asyncio

from verify.condition import Check
from verify.config import Configuration

WEB_SECONDS = 15


def browser(_: Configuration) -> Check:
    """A Chromium that starts."""
    from cases import EnvironmentNotReady
    from sandboxes.browser.chromium import check_browser

    remedy = "make setup gets one; by hand: playwright install chromium, or the system's package chromium"
    try:
        detail, sandboxed = asyncio.run(check_browser())
    except EnvironmentNotReady as error:
        return Check(name="browser", state="fail", detail=str(error))
    except Exception as error:  # noqa: BLE001 - Playwright raises bare exceptions when its driver does not start
        lacking = f"Playwright's driver does not start ({error}); a bare Debian lacks its library libatomic1"
        return Check(name="browser", state="fail", detail=lacking, remedy=remedy)
    if sandboxed:
        return Check(name="browser", state="ok", detail=detail)
    guard = (
        "allow user namespaces (in Docker: --security-opt seccomp=unconfined), and have Chromium where other users may "
        "start it, not in root's own directory (PLAYWRIGHT_BROWSERS_PATH)"
    )
    return Check(name="browser", state="warn", detail=detail, remedy=guard)


def web(configuration: Configuration) -> Check:
    """The open web, by the positive controls that audits use."""
    import httpx

    if configuration.offline:
        return Check(name="web", state="ok", detail="not asked: offline")
    urls = configuration.control or _default_controls()
    failed = []
    for url in urls:
        try:
            httpx.get(url, timeout=WEB_SECONDS, follow_redirects=True).raise_for_status()
        except httpx.HTTPError as error:
            failed.append(f"{url}: {type(error).__name__} {error}")
        else:
            return Check(name="web", state="ok", detail=f"{url} answers")
    remedy = "audits of web sites end inconclusive here; check the network and the proxy"
    return Check(name="web", state="warn", detail="; ".join(failed), remedy=remedy)


def _default_controls() -> tuple[str, ...]:
    from probes.web.controls import defaults

    return tuple(control.url for control in defaults().control)
