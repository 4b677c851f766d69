"""What a compose file sets for its services holds for a program outside of containers as well."""

import pytest

from probes.replay.handlers.composed import settings_given

SHORT = """
services:
  store:
    image: registry.example.org/store:2
    environment: {STORE_DATA: /srv/data/v2, STORE_PORT: 8099, STORE_KEY: "${KEY}", STORE_NAME: }
    volumes: ["./store/data:/srv/data:ro", "cache:/var/cache"]
  worker:
    build: worker
"""
LONG = """
services:
  store:
    environment:
      - STORE_DATA=/srv/data
      - STORE_KEY
    volumes:
      - {type: bind, source: ../shared, target: /srv/data/}
"""


@pytest.mark.parametrize(
    ("path", "text", "given"),
    [
        ("./docker-compose.yml", SHORT, ["STORE_DATA=/w/store/data/v2 STORE_PORT=8099"]),
        ("deploy/compose.yaml", LONG, ["STORE_DATA=/w/shared"]),
        ("compose.yaml", "services: [store", []),
        ("compose.yaml", "services: {store: 3}", []),
        ("compose.yaml", f"services: {{a: {{environment: {{A: 0x{'f' * 9000}, B: 2}}}}}}", ["B=2"]),
        ("compose.yaml", "- services", []),
    ],
    ids=[
        "a mapping and short volumes",
        "a list and long volumes",
        "no YAML",
        "no service",
        "no number",
        "no file of compose",
    ],
)
def test_settings_are_those_of_the_container_with_the_machine_s_own_folders(
    path: str, text: str, given: list[str]
) -> None:
    assert list(settings_given(path, text, "/w")) == given
