"""`python -m tests.lab.web --port 8443 --host www.zillow.com=px-wall`: the lab by itself, until interrupted."""

import argparse
import asyncio
import contextlib
import sys

from .scenarios import every_scenario
from .server import Lab


async def serve(port: int, hosts: dict[str, str]) -> None:
    async with Lab(port=port, hosts=hosts) as lab:
        out = [
            f"address {lab.address}",
            f"lab-ca {lab.ca}",
            *(f"--resolve '{host}={lab.address}'" for host in lab.hosts),
        ]
        out += [f"{scenario.truth:12} {scenario.url}" for scenario in lab.scenarios.values()]
        sys.stdout.write("\n".join(out) + "\n")
        sys.stdout.flush()
        await asyncio.Event().wait()


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.lab.web", description=__doc__)
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--host", action="append", default=[], metavar="NAME=SCENARIO", help="let NAME play SCENARIO")
    given = parser.parse_args()
    hosts = dict(pair.split("=", 1) for pair in given.host)
    if unknown := [name for name in hosts.values() if name not in every_scenario()]:
        parser.error(f"no such scenario: {', '.join(unknown)}")
    with contextlib.suppress(KeyboardInterrupt):
        asyncio.run(serve(given.port, hosts))


main()
