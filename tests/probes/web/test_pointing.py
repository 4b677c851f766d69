"""The element that decides is framed on the screenshot, and nothing where none does."""

import re

import pytest

from probes import ArtifactStore
from probes.web.observe import look
from probes.web.pointing import NEEDED
from probes.web.record import Record
from probes.web.web import open_web
from tests.lab.web import load_scenarios
from tests.probes.conftest import SILENT, in_lab

pytestmark = [pytest.mark.browser]
FRAMED = {"geo-403": "not available in your country", "login-redirect": 'input[type="password"]', "article": NEEDED}


async def test_a_walls_own_words_or_element_or_the_needed_text_are_framed(lab, browsers, tmp_path):
    told = {}
    async with open_web(in_lab(lab), (SILENT,)) as web:
        for name in (*FRAMED, "px-wall"):
            scenario = load_scenarios()[name]
            record = Record(ArtifactStore(tmp_path))
            await look(web, scenario.url, scenario.needed, record, patience=0.5)
            told[name] = {entry.name: entry for entry in record.observations}
    for name, what in FRAMED.items():
        box = told[name]["box"]
        numbers = re.match(r"(\d+),(\d+),(\d+),(\d+) of 1280x900: (.*)", box.value)
        assert numbers, box.value
        assert numbers[5] == what
        left, top, width, height = (int(numbers[place]) for place in range(1, 5))
        assert left + width <= 1280
        assert 10 <= height <= 60
        assert top < 300
        assert box.artifact == told[name]["browser"].artifact
        content = re.fullmatch(r"1280x(\d+) of 1280x900", told[name]["content"].value)
        assert content
        assert top + height <= int(content[1]) <= 900
    assert int(told["geo-403"]["content"].value.partition("x")[2].partition(" ")[0]) < 600
    assert "box" not in told["px-wall"]
    assert {name for name, seen in told.items() if "picture without loss" in seen} == {
        "geo-403",
        "login-redirect",
        "px-wall",
    }
