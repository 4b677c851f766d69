"""Where a failed run stood is asked about whatever the page said, in any language."""

import pytest

from cases import Block, Case, Events, Outcome, PageVisit, Run, Task, Transcript
from cases.sites import calls_itself, listed_as, names_site, sites_named
from graph.classifier import classify
from probes import Barrier

SAID = [
    "Just a moment... Checking your browser",
    "Access denied Error code 1020",
    "404: page not found",
    "",
    "Page Not Found. Oops, lost that one.",
    "Sie haben keinen Zugriff auf diese Seite",
    "confirm you are not a robot",
    "503 Service Temporarily Unavailable",
    "domain is for sale",
    "您的访问被拒绝",
]
SHOP = "https://shop.example/item"
PAGE = "A whole page of the archive. " * 20


def case(*visits: PageVisit, task: Task | None = None) -> tuple[Case, dict[str, Events]]:
    """A failed run that saw these pages, one a block."""
    blocks = tuple(
        Block(index=number, role="tool", kind="result", text=f"{visit.url}\n{visit.text or ''}")
        for number, visit in enumerate(visits)
    )
    run = Run(run_id="r1", outcome=Outcome.FAILED, transcript=Transcript(blocks=blocks), source="synthetic")
    placed = tuple(visit.model_copy(update={"blocks": (number,)}) for number, visit in enumerate(visits))
    made = Case(benchmark="synthetic", task_id="t", task=task or Task(prompt="What does it cost?"), runs=(run,))
    return made, {"r1": Events(visits=placed)}


def visit(url: str, text: str | None) -> PageVisit:
    return PageVisit(url=url, title=None, error=None, text=text, blocks=())


@pytest.mark.parametrize("said", SAID)
def test_the_page_a_run_ended_on_is_asked_about_whatever_it_says(said: str) -> None:
    hypotheses, _ = classify(*case(visit("https://start.example/", PAGE), visit(SHOP, said)), "auto")
    assert any(SHOP in one.targets.urls for one in hypotheses)


def test_a_site_that_never_showed_more_than_a_bare_page_is_asked_about_though_the_run_went_on() -> None:
    hypotheses, _ = classify(*case(visit(SHOP, "nein"), visit("https://other.example/", PAGE)), "auto")
    assert {host for one in hypotheses for host in one.targets.hosts} == {"shop.example", "other.example"}


def test_a_site_that_showed_one_page_however_often_it_was_asked_is_asked_about() -> None:
    parked, other = "https://club.example/lander", visit("https://other.example/", PAGE)
    twice, _ = classify(*case(visit(parked, PAGE), visit(parked, PAGE), other), "auto")
    once, _ = classify(*case(visit(parked, PAGE), other), "auto")
    assert [any("club.example" in one.targets.hosts for one in found) for found in (twice, once)] == [True, False]


@pytest.mark.parametrize(("titles", "asked"), [(("Accès refusé",) * 3, True), (("Lot", "Vente", "Accueil"), False)])
def test_a_site_of_one_title_at_every_address_is_asked_about(titles: tuple[str, ...], asked: bool) -> None:
    paths = zip(("lot/117", "resultats", ""), titles, strict=True)
    seen = [
        visit(f"https://club.example/{path}", PAGE + path).model_copy(update={"title": title}) for path, title in paths
    ]
    hypotheses, _ = classify(*case(*seen, visit("https://other.example/", PAGE)), "auto")
    assert any("club.example" in one.targets.hosts for one in hypotheses) is asked


def test_the_source_of_a_page_that_only_scripts_draw_shows_nothing() -> None:
    shell = (
        f"<!doctype html><html><head><title>Archive</title></head><body><div id=app></div>{'<script></script>' * 20}"
    )
    source, address = f"{shell}</body></html>", "https://archive.example/1987"
    seen = (visit(address, ""), visit(address, source), visit("https://other.example/", PAGE))
    hypotheses, _ = classify(*case(*seen), "auto")
    assert any("archive.example" in one.targets.hosts for one in hypotheses)
    drawn = (seen[0], visit(address, source.replace("<div id=app>", f"<div>{PAGE}")), seen[2])
    hypotheses, _ = classify(*case(*drawn), "auto")
    assert not any("archive.example" in one.targets.hosts for one in hypotheses)


def test_a_bare_page_is_quoted_where_the_run_ended_or_the_task_names_the_site() -> None:
    seen = (visit(SHOP, "nein, hier gibt es nichts zu sehen"), visit("https://other.example/", PAGE))
    named = Task(prompt="What does it cost at shop.example?")
    ended, aside, needed = (classify(*one, "auto")[0] for one in (case(seen[0]), case(*seen), case(*seen, task=named)))
    quoted = [{one.targets.hosts[0]: bool(one.citations) for one in found} for found in (ended, aside, needed)]
    assert [one["shop.example"] for one in quoted] == [True, False, True]


def test_a_bare_page_that_shows_the_expected_answer_is_not_quoted() -> None:
    found, _ = classify(*case(visit(SHOP, "The lamp costs 12 euros."), task=Task(prompt="Cost?", gold="12")), "auto")
    assert [one.citations for one in found if "shop.example" in one.targets.hosts] == [()]


def test_a_site_that_showed_a_page_later_is_not() -> None:
    seen = (visit(SHOP, "nein"), visit(SHOP, PAGE), visit("https://other.example/", PAGE))
    hypotheses, _ = classify(*case(*seen), "auto")
    assert [one.targets.hosts for one in hypotheses] == [("other.example",)]


def test_the_tasks_own_pages_are_asked_about_though_no_run_opened_them() -> None:
    task = Task(prompt="Which is cheapest?", gold_urls=("https://gold.example/list",), sites=("named.example",))
    hypotheses, _ = classify(*case(visit("https://other.example/", PAGE), task=task), "auto")
    asked = {one.targets.hosts[0]: one.proposer for one in hypotheses if one.barrier is Barrier.PAGE_UNUSABLE}
    assert asked == {"other.example": "structure", "gold.example": "task", "named.example": "task"}


def test_a_task_alone_is_asked_about_by_its_sites() -> None:
    alone = Case(benchmark="synthetic", task_id="t", task=Task(sites=("named.example",)))
    hypotheses, _ = classify(alone, {}, "auto")
    assert [one.targets.urls for one in hypotheses] == [("https://named.example/",)]


def test_sites_are_read_from_a_text_and_files_are_none() -> None:
    text = "See www.shop.example.org and prices.com, run means.py, README.md, data.csv; mail a@b.com; https://x.de/a"
    assert sites_named(text) == ("www.shop.example.org", "prices.com", "x.de")
    assert sites_named("by the tables on harbour.co.uk") == ("harbour.co.uk",)


def test_a_task_names_a_site_by_its_own_name_as_a_word() -> None:
    task = Task(prompt="What was the smallest house that was sold there according to Zillow?")
    assert names_site(task, "www.zillow.com")
    assert not names_site(task, "www.redfin.com")
    assert not names_site(Task(prompt="Zillowesque houses"), "www.zillow.com")


def test_a_site_is_named_by_what_lists_of_results_call_it_where_its_host_bears_that_name() -> None:
    task = Task(prompt="À quel prix a été adjugé le lot 117 de la Maison Vercorbin, près de Port Marin ?")
    title, host = "Lot 117 – Pendule portique – Maison Vercorbin", "www.vercorbin-encheres.fr"
    assert listed_as(task, host, ("Résultats", title)) == "Maison Vercorbin"
    assert listed_as(task, "www.gazette-balancier.fr", (title,)) == ""
    assert listed_as(task, "www.marina-port.fr", ("Le lot 117 | Port Marin",)) == ""
    assert listed_as(task, "www.vercorbin-gazette.fr", ("Maison Vercorbin – cent ans de ventes",)) == "", "its subject"
    assert listed_as(Task(prompt="le lot 117 de la maison vercorbin"), host, (title,)) == ""


def test_an_everyday_word_names_no_site_that_is_called_like_it() -> None:
    task = Task(prompt="Weather: what was the target weather on the day? Target the walled.test page.")
    assert not any(names_site(task, host) for host in ("www.weather.com", "target.com", "elsewhere.test"))


@pytest.mark.parametrize(
    ("titles", "name"),
    [
        ({"https://a.test/": "Welcome – Harlow Mineral Society"}, "Harlow Mineral Society"),
        ({f"https://a.test/{path}": f"{path} | Harlow Mineral Society" for path in "xy"}, "Harlow Mineral Society"),
        ({f"https://a.test/{path}": f"{path} | Harlow Mineral Society | Yelp" for path in "xy"}, ""),
        ({"https://a.test/?p=12": "Harlow Mineral Society – Some Blog"}, ""),
        ({"https://a.test/x": "Harlow Mineral Society", "https://a.test/x#y": "Harlow Mineral Society"}, ""),
        ({"https://a.test/wiki": "Harlow Mineral Society - Lexikon"}, ""),
        ({"https://a.test/": "Society"}, ""),
        ({"https://a.test/": "閲覧前の確認 | 港川郷土館"}, "港川郷土館"),
        ({"https://a.test/": "確認 | 年代"}, ""),
    ],
)
def test_a_site_is_named_by_what_its_first_page_or_several_of_its_pages_call_it(titles, name) -> None:
    task = Task(prompt="According to the Harlow Mineral Society or 港川郷土館, 何年代?")
    assert calls_itself(task, titles) == name


def test_a_page_that_was_asked_for_twice_and_never_shown_is_asked_about_though_its_site_showed_others() -> None:
    seen = (
        visit("https://shop.example/", PAGE),
        visit(SHOP, ""),
        visit(SHOP, ""),
        visit("https://other.example/", PAGE),
    )
    asked = {one.targets.hosts[0]: one.targets.urls for one in classify(*case(*seen), "auto")[0]}
    assert asked == {"other.example": ("https://other.example/",), "shop.example": (SHOP,)}
    once = classify(*case(*seen[:2], *seen[3:]), "auto")[0]
    assert {one.targets.hosts[0] for one in once} == {"other.example"}


def test_a_site_that_the_task_names_is_asked_about_though_it_showed_pages_the_benchmark_s_own_first() -> None:
    task = Task(prompt="What does https://shop.example/ ask for it?", gold_urls=("https://shop.example/lamps/7",))
    seen = (visit(SHOP, PAGE), visit("https://shop.example/notice", "Members only."), visit("https://b.example/", PAGE))
    asked = {one.targets.hosts[0]: one.targets.urls for one in classify(*case(*seen, task=task), "auto")[0]}
    assert asked["shop.example"][0] == "https://shop.example/lamps/7"
    assert {SHOP, "https://shop.example/notice"} <= set(asked["shop.example"])


def test_pages_that_say_the_same_at_several_addresses_are_asked_about_where_the_run_got_on() -> None:
    lost = "Nicht da. Die gesuchte Seite {0} gibt es nicht. Menü Heim Plan Kontakt " * 3
    archive = [f"https://fest.example/archive/{year}" for year in (2016, 2017)]
    seen = [visit(url, lost.format(url.removeprefix("https://fest.example"))) for url in archive]
    others = [visit(f"https://fest.example/{name}", f"{PAGE} {name}") for name in ("plan", "press", "about")]
    made = case(*seen, *others, task=Task(prompt="How many visitors did fest.example count in 2017?"))
    hypotheses, _ = classify(*made, "auto")
    assert set(archive) <= {url for one in hypotheses for url in one.targets.urls}


def test_a_country_s_suffix_makes_a_site_where_the_run_was_on_the_web() -> None:
    told = "Quanto custa, segundo marionetas.pt (e não run.py)?"
    walked, _ = classify(*case(visit("https://search.example/", PAGE), task=Task(prompt=told)), "auto")
    assert "https://marionetas.pt/" in {url for one in walked for url in one.targets.urls}
    assert "run.py" not in {host for one in walked for host in one.targets.hosts}
    assert sites_named(told) == (), "of a task that nobody took to the web it may be a file"


def test_where_a_run_asked_an_archive_last_it_stood_on_the_page_before() -> None:
    asked = "https://archive.org/wayback/available?url=shop.example/item"
    hypotheses, _ = classify(*case(visit(SHOP, "nein"), visit(asked, '{"archived_snapshots": {}}')), "auto")
    assert {host for one in hypotheses for host in one.targets.hosts} == {"shop.example"}
