"""The lab by itself, as people start it to try `verify … --resolve`."""

import asyncio
import re
import ssl
import sys
from pathlib import Path

import httpx

ROOT = Path(__file__).parents[3]


async def test_the_lab_says_where_it_is_and_speaks_both_languages():
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "tests.lab.web", "--host", "shop.test=px-wall", cwd=ROOT, stdout=asyncio.subprocess.PIPE
    )
    try:
        told = ""
        while "https://www.zillow.com" not in told:
            told += (await asyncio.wait_for(process.stdout.readline(), 20)).decode()
        address = re.search(r"address (\S+)", told)[1]
        authority = re.search(r"lab-ca (\S+)", told)[1]
        assert f"--resolve 'shop.test={address}'" in told
        trusting = ssl.create_default_context(cafile=authority)
        for scheme in ("http", "https"):
            async with httpx.AsyncClient(verify=trusting, trust_env=False) as client:
                answer = await client.get(
                    f"{scheme}://{address}/", headers={"Host": "shop.test"}, extensions={"sni_hostname": "shop.test"}
                )
            assert answer.status_code == 403
            assert "px-captcha" in answer.text
    finally:
        process.terminate()
        await process.wait()
        process._transport.close()
