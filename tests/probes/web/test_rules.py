"""Block rules: each finds its own wall, none is taken in by a normal page."""

from pathlib import Path
from urllib.parse import urljoin

import pytest

from probes.web.record import opinions, second_opinion
from probes.web.rules import Conditions, Page, Rule, classify, load_rules, visible_text
from tests.lab.web import Scenario, load_scenarios
from tests.lab.web.scenarios import render

REAL = Path(__file__).parents[3].parent / "shared" / "real" / "blockpages"


def raw(scenario: Scenario) -> Page:
    """A scenario's answer as plain HTTP gives it; a redirect's target is written into the address."""
    answer = scenario.answers[0]
    asked, url = scenario.url, scenario.url
    if place := answer.headers.get("Location", ""):
        target = next((s for s in load_scenarios().values() if s.url == urljoin(asked, place)), None)
        url, answer = (target.url, target.answers[0]) if target else (url, answer)
    headers = {name.lower(): value for name, value in answer.headers.items()}
    return Page(url, asked, answer.status, headers, html=render(answer, scenario.at, "/page").decode())


@pytest.mark.parametrize("scenario", [s for s in load_scenarios().values() if s.rule], ids=lambda s: s.id)
def test_a_wall_is_found_by_its_own_rule_in_the_raw_body(scenario):
    decisive = {match.rule: match for match in classify(raw(scenario)) if match.decisive}
    assert scenario.rule in decisive
    assert decisive[scenario.rule].markers
    assert decisive[scenario.rule].barrier.value == scenario.truth


@pytest.mark.parametrize(
    "scenario",
    [s for s in load_scenarios().values() if s.truth == "ok" and "Location" not in s.answers[0].headers],
    ids=lambda s: s.id,
)
def test_an_open_page_sets_off_no_rule(scenario):
    matches = [match.rule for match in classify(raw(scenario))]
    if scenario.id not in {"clears", "wall-with-content"}:  # a challenge until its script ran; a header over content
        assert matches == []
    assert not set(matches) & set(scenario.trap_of)


@pytest.mark.parametrize("rule", load_rules(), ids=lambda rule: rule.id)
def test_every_rule_has_a_wall_it_finds_and_a_trap_it_resists(rule):
    assert lacks(rule) == ""


def lacks(rule: Rule) -> str:
    """What the lab lacks for a rule to be let in."""
    scenarios = load_scenarios().values()
    walls = [s for s in scenarios if s.truth != "ok" and "to-" not in s.id and s.id != "endless-redirects"]
    if not any(classify(raw(scenario), (rule,)) for scenario in walls):
        return "a page that it finds"
    traps = [scenario for scenario in scenarios if rule.id in scenario.trap_of]
    return "a trap that it resists" if not traps or any(classify(raw(one), (rule,)) for one in traps) else ""


def test_a_rule_that_the_lab_does_not_know_is_not_let_in():
    known = next(rule for rule in load_rules() if rule.id == "human.px-captcha")
    assert lacks(known.model_copy(update={"id": "new.rule"})) == "a trap that it resists"
    unseen = known.when.model_copy(update={"css": ("#on-no-page-of-the-lab",)})
    assert lacks(known.model_copy(update={"when": unseen})) == "a page that it finds"
    greedy = known.when.model_copy(update={"css": ("body",)})
    assert lacks(known.model_copy(update={"when": greedy})) == "a trap that it resists"


def test_the_scenarios_name_only_rules_that_exist():
    known = {rule.id for rule in load_rules()}
    named = {name for s in load_scenarios().values() for name in (*s.trap_of, *([s.rule] if s.rule else []))}
    assert named <= known


@pytest.mark.skipif(not REAL.is_dir(), reason="the folder of captured pages is not here")
@pytest.mark.parametrize("folder", ["blocked", "not_blocked"])
def test_captured_pages_are_told_apart_by_their_source_alone(folder):
    pages = sorted((REAL / folder).glob("*.html"))
    assert pages
    called_blocked = {
        path.name
        for path in pages
        if any(
            match.decisive for match in classify(Page("https://site.test/", html=path.read_text("utf-8", "replace")))
        )
    }
    assert called_blocked == ({path.name for path in pages} if folder == "blocked" else set())


def test_a_second_opinion_names_vendors_and_decides_nothing():
    scenarios = load_scenarios()
    assert second_opinion(raw(scenarios["px-wall"])) == ("HUMAN (PerimeterX)",)
    assert second_opinion(raw(scenarios["article"])) == ()
    sensors = raw(scenarios["sensors"])
    assert {"HUMAN (PerimeterX)", "Imperva"} <= set(second_opinion(sensors))
    assert classify(sensors) == ()
    assert second_opinion(Page("https://www.linkedin.com/in/x", status=999)) == ("LinkedIn",)
    assert "is-antibot" in opinions().source


HEAD = """
[[rule]]
id = 'a'
class = 'bot_wall'
vendor = 'v'
confidence = 'decisive'
source = 'a source'
trap = ''
"""


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("[rule.when]\nhtml = ['(']", "not a pattern"),
        ("[rule.when]\ncss = ['a[']", "not a selector"),
        ("[rule.when]\nmax_text = 5", "positive condition"),
        ("[rule.when]\nvendor = 'x'", "vendor"),
        ("colour = 'red'\n[rule.when]\ntitle = 'x'", "colour"),
        (f"[rule.when]\ntitle = 'x'{HEAD}[rule.when]\ntitle='y'", "stands twice"),
    ],
)
def test_a_malformed_rule_is_named_with_its_file(tmp_path, text, complaint):
    (tmp_path / "mine.toml").write_text(HEAD + text)
    with pytest.raises(ValueError, match=rf"mine\.toml(.|\n)*{complaint}"):
        load_rules(tmp_path)


@pytest.mark.parametrize(
    "html",
    [
        "",
        "   ",
        "<",
        "\x00\x01",
        "<!-- only -->",
        "<p>" * 5000,
        "<title></script>",
        "<html lang='\ud800'>",
        "x" * 4_000_000,
    ],
)
def test_hostile_source_is_read_without_a_crash(html):
    assert classify(Page("https://a.test/", html=html)) == ()


def test_conditions_hold_only_together():
    page = Page("https://a.test/x", "https://a.test/y", 403, {"server": "s"}, ("c_1",), "<p id=a>word</p>", title="T")
    whole = {
        "status": (403,),
        "headers": {"server": "s"},
        "cookies": ("^c_",),
        "url": "/x",
        "redirected": True,
        "title": "^T$",
        "text": ("word",),
        "html": ("id=a",),
        "css": ("p#a",),
        "no_css": ("b",),
        "max_text": 4,
    }
    wrong = {
        "status": (200,),
        "headers": {"server": "z"},
        "cookies": ("^d",),
        "url": "/z",
        "redirected": False,
        "title": "^U$",
        "text": ("other",),
        "html": ("id=b",),
        "css": ("p#b",),
        "no_css": ("p",),
        "max_text": 3,
        "any_css": ("b", "i"),
        "any_html": ("zz",),
    }
    rule = load_rules()[0]

    def holds(conditions) -> bool:
        return bool(classify(page, (rule.model_copy(update={"when": Conditions.model_validate(conditions)}),)))

    assert holds(whole)
    for name, value in wrong.items():
        assert not holds({**whole, name: value}), name


def test_what_a_reader_does_not_see_is_not_text():
    html = "<title>t</title><p>one</p><script>two</script><div hidden>three</div>"
    html += "<p style='display: none'>four<b>five</b></p>six"
    assert visible_text(html).split() == ["one", "six"]
