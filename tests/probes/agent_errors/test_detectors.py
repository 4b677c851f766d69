"""Each pattern is found where it stands, and not where something only looks like it."""

import json

import pytest

from cases import Outcome
from probes.agent_errors import DETECTORS, exclusions_of
from tests.probes.agent_errors.runs import Told, found

PAGE = "The harbour museum counted 48,213 visitors in its first year. "
FORM = "How many visitors came to the harbour museum? Answer with digits only."
TOP = "The viewport shows 21% of the webpage, and is positioned at the top of the page."

SHOWN = {
    "value_seen": Told(gold="48213").opens("https://museum.example/", PAGE).says("About 50000.").case(answer="50000"),
    "wrong_form": Told(FORM, "48213").says("48,213 visitors").case(answer="48,213"),
    "miscalculated": Told().shell("ls", "a").says("In all: 120 + 250 = 470 visitors.").case(answer="470"),
    "budget_spent": Told().shell("ls", "a").harness("Agent reached maximum iteration: 50").case(),
    "looped": Told().shell("make", "no rule", 2).shell("make", "no rule", 2).shell("make", "no rule", 2).case(),
    "gave_up": Told().shell("ls", "a").shell("make", "no rule", 2).says("I was unable to build it.").case(),
    "only_said": Told().shell("ls", "a").says("I will manually check the counts on the museum's site. 5.").case(),
    "not_retried": Told()
    .shell("curl https://a.example/", "curl: (28) Connection timed out", 28)
    .shell("curl https://b.example/", "ok")
    .case(),
    "not_installed": Told().python("import pandas", "No module named 'pandas'", 1).says("No.").case(),
    "missed_element": Told().calls("click", "Element index 7 does not exist - retry", index=7).case(),
    "unscrolled": Told().opens("https://a.example/", TOP).opens("https://b.example/", TOP).case(),
    "elsewhere": Told().opens("https://a.example/", PAGE).case(gold_urls=("https://museum.example/facts",)),
    "misused_tool": Told().calls("edit_file", "ERROR:\nNo replacement was performed, old_str", path="a").case(),
    "placeholder": Told().shell("curl -H 'key: YOUR_API_KEY' https://a.example/", "403", 22).case(),
    "own_code": Told().python("print(x", "SyntaxError: '(' was never closed", 1).case(),
    "unprinted": Told().python("a = 5\na", "").python("b = f'{7}'\nb", "").says("It is 9.").case(),
}

NOT_SHOWN = {
    "value_seen": {
        "the answer is the expected one": Told(gold="48213").opens("https://m.example/", PAGE).case(answer="48213"),
        "a short number stands anywhere": Told(gold="20").opens("https://m.example/", "20 museum").case(answer="7"),
        "a year stands anywhere": Told(gold="2019").opens("https://m.example/", "2019 harbour museum").case(answer="7"),
        "a page about something else": Told(gold="48213").opens("https://m.example/", "48213").case(answer="7"),
        "the agent said it first": Told(gold="48213").says("48213?").opens("https://m.example/", PAGE).case(answer="7"),
        "the agent typed it": Told(gold="48213").shell("echo museum visitors 48213", "museum visitors 48213").case(),
        "the page only failed": Told(gold="48213").shell("curl m", f"{PAGE}", 22).case(answer="7"),
    },
    "wrong_form": {
        "the task asks for no form": Told(gold="48213").case(answer="48,213"),
        "a number with separators is one": Told("How many came? Number only.", "48213").case(answer="48,213"),
        "another answer": Told(FORM, "48213").case(answer="7"),
    },
    "miscalculated": {
        "it comes out": Told().says("In all: 120 + 250 = 370 visitors.").case(),
        "it is rounded": Told().says("Ratio: 10 / 3 = 3.3").case(),
        "a part of a longer one": Told().says("2 * (3 + 4) = 14, and 20% of 50 + 3 = 13").case(),
        "a span of years": Told().says("It took: 2019 - 2021 = 2 years").case(),
    },
    "budget_spent": {"the agent speaks of it": Told().says("I reached the maximum number of steps.").case()},
    "looped": {
        "twice": Told().shell("make", "no rule", 2).shell("make", "no rule", 2).case(),
        "with other results": Told().shell("make", "1", 2).shell("make", "2", 2).shell("make", "3", 2).case(),
        "looking three times": Told().shell("ls", "a").shell("ls", "a").shell("ls", "a").case(),
    },
    "gave_up": {
        "it tried more": Told().shell("a", "x", 1).shell("b", "y", 1).says("I was unable to do it.").case(),
        "it went on": Told().shell("a", "x", 1).shell("b", "y").says("I was unable to do it.").case(),
        "it does not say so": Told().shell("a", "x", 1).says("It is 5.").case(),
        "text is missing": Told().shell("a", "x", 1).says("I was unable to do it.").case(complete=False),
    },
    "only_said": {
        "a page was opened": Told().opens("https://m.example/", "5").says("I will manually check it: 5.").case(),
        "it did then": Told().says("I will manually check it.").shell("curl m", "5").case(),
    },
    "not_retried": {
        "it tried the same host again": Told()
        .shell("curl https://a.example/", "curl: (28) Connection timed out", 28)
        .shell("curl https://a.example/b", "ok")
        .case(),
        "it met it again": Told()
        .shell("python3 ask.py", "urllib.error.HTTPError: HTTP Error 429: Too Many Requests", 1)
        .shell("sleep 180; curl -w '%{http_code}' http://a.example/", '{"error": "quota"}\n429')
        .case(),
        "another kind of failure": Told().shell("curl https://a.example/", "curl: (22) 404", 22).case(),
    },
    "not_installed": {
        "it tried": Told()
        .python("import pandas", "No module named 'pandas'", 1)
        .shell("pip install pandas", "")
        .case(),
        "R tried": Told()
        .shell("Rscript a.R R6", "there is no package called ‘R6’", 1)
        .shell("Rscript -e 'install.packages(\"R6\")'", "", 1)
        .case(),
        "it did without": Told().shell("jq .", "jq: command not found", 127).shell("/opt/jq .", "5").case(),
    },
    "missed_element": {
        "a page tells of it": Told().opens("https://m.example/", "Element not found, says the FAQ").case()
    },
    "unscrolled": {
        "one page": Told().opens("https://a.example/", TOP).case(),
        "it scrolled": Told()
        .opens("https://a.example/", TOP)
        .opens("https://b.example/", TOP)
        .calls("scroll_down", "ok")
        .case(),
    },
    "elsewhere": {
        "it was there": Told().opens("https://www.museum.example/", PAGE).case(gold_urls=("https://museum.example/a",)),
        "nobody knows where": Told().opens("https://a.example/", PAGE).case(),
    },
    "misused_tool": {"a file tells of it": Told().shell("cat log", "unknown tool name").case()},
    "placeholder": {"it worked": Told().shell("sed s/YOUR_API_KEY/5/ a", "").case()},
    "own_code": {
        "it was corrected": Told().python("print(x", "SyntaxError: never closed", 1).python("print(5)", "5").case()
    },
    "unprinted": {
        "something came back": Told().python("a = 5\na", "5").python("b = 7\nb", "7").case(),
        "a call": Told().python("work()", "").python("more()", "").case(),
    },
}


@pytest.mark.parametrize("pattern", DETECTORS)
def test_every_pattern_is_found_and_quoted(pattern):
    case = SHOWN[pattern]
    exclusion = found(case)[pattern]
    assert all(case.cites(citation) for citation in exclusion.citations)
    assert exclusion.citations
    assert exclusion.remedy
    assert "{" not in exclusion.remedy
    gold = case.task.gold
    assert gold is None or gold not in exclusion.sentence + exclusion.remedy


@pytest.mark.parametrize(
    ("pattern", "why"), [(pattern, why) for pattern in DETECTORS for why in NOT_SHOWN.get(pattern, {"": None})]
)
def test_what_only_looks_like_a_pattern_is_none(pattern, why):
    assert pattern not in found(NOT_SHOWN[pattern][why])


def test_a_run_that_did_everything_right_shows_nothing():
    run = Told(gold="48213").opens("https://m.example/", PAGE).python("print(48000 + 213)", "48213").says("48213")
    assert found(run.case(answer="48213")) == {}


def test_runs_that_passed_are_not_looked_at():
    case = SHOWN["looped"]
    passed = case.model_copy(update={"runs": (case.runs[0].model_copy(update={"outcome": Outcome.PASSED}),)})
    assert exclusions_of(passed, {}) == ()


def test_the_last_program_s_own_number_is_held_against_another_answer():
    run = Told().python("print(6 * 7)", "42").says("It is 43.")
    assert "printed" in found(run.case(answer="43"))["miscalculated"].sentence
    assert "miscalculated" not in found(run.case(answer="42"))
    assert "miscalculated" not in found(Told().shell("cat a", "43").python("print(42)", "42").case(answer="43"))


def test_a_limit_that_only_the_run_s_metadata_tells_is_enough():
    case = Told().shell("ls", "a").case(environment={"limit": "message 50"})
    assert "message 50" in found(case)["budget_spent"].sentence


@pytest.mark.parametrize(
    "text", ["9" * 5000, "1 / 0 = 5", "= 0/0 = 1", "\0" * 300, "(" * 3000, "1+" * 4000, "\ud800 I cannot"]
)
def test_hostile_texts_neither_crash_nor_match(text):
    case = Told(gold=text).python(text, text).says(f": {text}").case(answer=text)
    assert not {"value_seen", "miscalculated", "looped"} & found(case).keys()
    assert json.dumps([item.model_dump() for item in found(case).values()]) is not None
