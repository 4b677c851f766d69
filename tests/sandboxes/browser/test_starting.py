"""How Chromium is started: with nothing switched on that Playwright switches off, and no work of its own."""

import shlex

import pytest
from playwright.async_api import Browser, async_playwright

from sandboxes.browser.chromium import OFF, find_chromium, launch

pytestmark = pytest.mark.browser


async def asked(browser: Browser, what: str, **how: object) -> dict:
    session = await browser.new_browser_cdp_session()
    return await session.send(what, how)


async def test_what_playwright_switches_off_stays_off_and_no_page_of_its_own_is_open() -> None:
    async with async_playwright() as playwright:
        plain = await playwright.chromium.launch(executable_path=find_chromium(playwright), chromium_sandbox=False)
        words = shlex.split((await asked(plain, "SystemInfo.getInfo"))["commandLine"])
        await plain.close()
        [off] = [word.partition("=")[2] for word in words if word.startswith("--disable-features=")]
        assert set(off.split(",")) <= set(OFF)
        started = await launch(playwright)
        await started.browser.new_page()
        targets = (await asked(started.browser, "Target.getTargets", filter=[{}]))["targetInfos"]
        await started.close()
        assert {target["url"] for target in targets} == {"about:blank"}
