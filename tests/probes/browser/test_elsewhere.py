"""A page is shut, its site opens, and what the task needs stands on another page of it, in words of that page's own."""

import threading
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from email.message import Message
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from cases import Task
from probes import Answer, Barrier, Question
from tests.probes.browser.test_routes import probe, results
from tests.probes.conftest import audit, hypothesis, in_lab

pytestmark = [pytest.mark.browser]
SITE = "www.rotavinhos.test"
ELSEWHERE = "loja.praca24.test"
SISTER = "arquivo.rotavinhos-velha.test"
SHUT = f"http://{SITE}/documentos/producao-2020.pdf"
TASK = Task(
    prompt="Segundo a Rota dos Vinhos, quantos litros produziu a Adega do Cabeço em 2020?",
    gold="41 200 litros",
    gold_urls=(SHUT,),
)
TEXT = "A Rota junta vinte e três produtores da serra, quase todos familiares, que recebem visitantes em conjunto. " * 3
MENU = f'<p>{TEXT}</p><a href="/documentos/producao-2020.pdf">Produção</a> <a href="/vindima">Vindima</a>'


@contextmanager
def served(
    pages: Mapping[str, str | bytes],
    every: str = "",
    code: int = 200,
    headers: Mapping[str, str] | None = None,
    failing: int = 0,
    gate: Callable[[Message], tuple[int, str] | None] = lambda _: None,
    cookies: Mapping[str, str] | None = None,
) -> Iterator[str]:
    """A real server with these pages and the shut one, and at `every` other address the same; gives its address.

    The first `failing` requests to an address find it out of service. `gate` may answer in place of a page, by the
    request's headers. Each path of `cookies` gives one, and the shut page opens for who has one.
    """
    times = Counter[str]()

    class Site(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            shut = self.path.endswith(".pdf") and not self.headers["Cookie"]
            path = "/livro" if self.headers["Host"].startswith(SISTER) else self.path
            status, body = (403, "Reservado aos sócios.") if shut else (code, pages.get(path, every))
            times[path] += 1
            status = 503 if times[path] <= failing else status
            status, body = gate(self.headers) or (status, body)
            self.send_response(status if body else 404)
            image = isinstance(body, bytes)
            self.send_header("Content-Type", "image/svg+xml" if image else "text/html; charset=utf-8")
            given = (cookies or {}).get(self.path)
            for name, value in ((headers or {}) | ({"Set-Cookie": given} if given else {})).items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(body if isinstance(body, bytes) else body.encode())

        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Site) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"127.0.0.1:{server.server_port}"
        server.shutdown()
        thread.join()


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    ("row", "answer", "result"),
    [
        ("Adega do Cabeço</td><td>27 900</td><td>41 200", Answer.YES, "passed"),
        ("Quinta das Lameiras</td><td>41.200", Answer.UNKNOWN, "not_tried"),
        ("Adega do Cabeço</td><td>27 900", Answer.NO, "failed"),
    ],
)
async def test_what_one_shut_page_keeps_is_looked_for_on_all_pages_of_its_site(lab, tmp_path, row, answer, result):
    pages = {"/": MENU, "/vindima": f"{MENU}<table><tr><td>{row}</td></tr></table>"}
    assert await asked(lab, tmp_path, pages) == (answer, result)


DRAWN = "document.body.append('2020, Adega do Cabe\\u00e7o: ' + (41000 + 200) + ' litros')"
FOUND = f"<p>{TEXT}</p><p>Adega do Cabeço 41 200</p>"


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    "pages",
    [
        {"/": MENU, "/vindima": f"{MENU}<script>{DRAWN}</script>"},
        {"/": f'{MENU}<a href="http://{SISTER}/">Arquivo</a>', "/livro": FOUND},
        {
            "/": f'{MENU}<form action="/procura"><input name="q"></form>',
            "/procura?q=producao+2020": '<a href="/ficha/7">Ficha</a>',
            "/ficha/7": FOUND,
        },
    ],
    ids=["drawn by a script", "at a site of the same name", "by its search"],
)
async def test_a_page_that_a_script_draws_or_that_only_a_search_finds_is_one_of_them(lab, tmp_path, pages):
    assert (await asked(lab, tmp_path, pages))[1] == "passed"


async def test_a_page_that_opens_for_who_was_at_another_before_is_asked_again_by_way_of_that(lab, tmp_path):
    pages = {"/": MENU, "/vindima": f"{MENU}<p>Entrada livre.</p>", "/documentos/producao-2020.pdf": FOUND}
    assert await asked(lab, tmp_path, pages, {"/vindima": "visitante=1; Path=/"}) == (Answer.YES, "passed")


async def test_what_the_site_leads_to_on_another_is_read_as_well(lab, tmp_path):
    pages = {"/": f'{MENU}<a href="http://{ELSEWHERE}/adega">Vinhos</a>', "/vindima": MENU, "/adega": FOUND}
    assert await asked(lab, tmp_path, pages) == (Answer.YES, "passed")


async def asked(
    lab, tmp_path, pages: Mapping[str, str], cookies: Mapping[str, str] | None = None
) -> tuple[Answer, str]:
    """PASSABLE of the shut page, and how the way by the rest of its site ended."""
    with served(pages, cookies=cookies) as address:
        web = in_lab(lab, resolve={SITE: address, SISTER: address, ELSEWHERE: address})
        async with audit(tmp_path, web, task=TASK) as context:
            claim = hypothesis(SHUT, barrier=Barrier.REFUSED)
            found = {finding.question: finding for finding in await probe()(claim, context)}
    passable = found[Question.PASSABLE]
    ways = {name.partition(":")[0]: one for name, one in results(passable).items()}
    return passable.valid_answer, ways["elsewhere-on-the-site"]


FRAME = "<script src='/menu.js'></script>"
ROWS = ("Adega do Cabeço</td><td>40 000", "Adega do Cabeço, tinto</td><td>1 200")
SOLD = f"<table>{''.join(f'<tr><td>{row}</td></tr>' for row in ROWS)}</table>"


LATER = (
    "setTimeout(() => fetch('/livro').then(got => got.text())"
    ".then(text => document.body.insertAdjacentHTML('beforeend', text)), 300)"
)
TALL = "<div style='height: 5000px'>A serra</div>"
TILES = (
    "a.addEventListener('click', () => { b.remove(); a.textContent = 'Uvas' });"
    "b.addEventListener('click', () => {LATER})"
)
REFUSED = (
    "b.onclick = () => fetch('/preco', {method: 'POST'}).catch(() => document.body.append('Adega do Cabeço 41 200'))"
)
FOOT = "new IntersectionObserver(seen => seen[0].isIntersecting && {LATER}).observe(document.querySelector('#foot'))"


@pytest.mark.parametrize(
    ("more", "result"),
    [
        pytest.param(
            f"<button id='b'>Carregar mais</button><script>b.onclick = () => {LATER}</script>",
            "passed",
        ),
        pytest.param(
            "<p id='p'></p><script>p.innerHTML = '<span>Adega do Cabe\u00e7o</span><span>' + (41000 + 200) + "
            "'</span>'</script>",
            "passed",
            marks=pytest.mark.exhaustive,
        ),
        pytest.param(
            f"{TALL}<p id='foot'>Fim</p><script>{FOOT.replace('{LATER}', LATER)}</script>",
            "passed",
            marks=pytest.mark.exhaustive,
        ),
        pytest.param(
            f"<p id='a'>Uva</p><p id='b'>Vinho</p><script>{TILES.replace('{LATER}', LATER)}</script>",
            "passed",
            marks=pytest.mark.exhaustive,
        ),
        pytest.param(
            f"<button id='b'>Preço</button><script>{REFUSED}</script>", "not_tried", marks=pytest.mark.exhaustive
        ),
        pytest.param(
            f"<button id='b'>Amigos</button><script>b.onclick = () => location = 'http://{SISTER}/'</script>",
            "not_tried",
            marks=pytest.mark.exhaustive,
        ),
        pytest.param(
            "<button id='b'>Mais</button><script>b.onclick = () => fetch('/livro', {method: 'POST'})</script>",
            "not_tried",
            marks=pytest.mark.exhaustive,
        ),
    ],
    ids=[
        "more by a button",
        "words that only margins part",
        "more by scrolling",
        "by tiles that only listen",
        "what stands in for what was not sent",
        "on another site",
        "by a letter",
    ],
)
async def test_a_page_is_scrolled_and_its_buttons_are_pressed(lab, tmp_path, more, result):
    pages = {"/": MENU, "/vindima": MENU + more, "/livro": FOUND}
    assert (await asked(lab, tmp_path, pages))[1] == result


@pytest.mark.parametrize(
    ("more", "answer", "result"),
    [
        (f'<iframe src="http://{SISTER}/"></iframe>', Answer.YES, "passed"),
        pytest.param(
            "<button onclick='more()'>Carregar mais</button>",
            Answer.UNKNOWN,
            "not_tried",
            marks=pytest.mark.exhaustive,
        ),
        pytest.param(
            "<form method='post' action='/registos'><input name='ano'><button>Ver</button></form>",
            Answer.UNKNOWN,
            "not_tried",
            marks=pytest.mark.exhaustive,
        ),
        pytest.param(SOLD, Answer.UNKNOWN, "not_tried", marks=pytest.mark.exhaustive),
        pytest.param(FRAME, Answer.NO, "failed", marks=pytest.mark.exhaustive),
    ],
    ids=["in a frame", "behind a button", "behind a query", "by a sum", "not by scripts of the whole site"],
)
async def test_what_a_visitor_could_still_open_there_leaves_it_open(lab, tmp_path, more, answer, result):
    pages = {"/": MENU + (FRAME if more is FRAME else ""), "/vindima": MENU + more, "/livro": FOUND}
    assert await asked(lab, tmp_path, pages) == (answer, result)


@pytest.mark.parametrize(
    ("said", "present"),
    [
        pytest.param("", Answer.UNKNOWN, id="no"),
        pytest.param("<p>Adega do Cabeço: 41 200 litros</p>", Answer.NO, marks=pytest.mark.exhaustive, id="yes"),
    ],
)
async def test_an_open_page_of_the_benchmark_s_own_without_what_is_expected_is_no_clear_field(
    lab, tmp_path, said, present
):
    own = f"http://{SITE}/vindima"
    with served({"/": MENU, "/vindima": MENU + said}) as address:
        web, task = in_lab(lab, resolve={SITE: address}), TASK.model_copy(update={"gold_urls": (own,)})
        async with audit(tmp_path, web, task=task) as context:
            found = await probe()(hypothesis(own, barrier=Barrier.PAGE_UNUSABLE), context)
    assert {finding.question: finding.valid_answer for finding in found} == {Question.PRESENT: present}


@pytest.mark.exhaustive
async def test_a_wall_elsewhere_is_no_cause_where_the_site_that_the_task_names_opens(lab, tmp_path):
    task = Task(prompt=f"How many litres does {SITE} tell of?", sites=(SITE,))
    with served({"/": MENU}) as address:
        web = in_lab(lab, resolve={SITE: address, SISTER: address})
        async with audit(tmp_path, web, task=task) as context:
            found = await probe()(hypothesis(f"http://{SISTER}/notes.pdf", barrier=Barrier.REFUSED), context)
    caused = next(finding for finding in found if finding.question is Question.CAUSED)
    assert caused.valid_answer is Answer.NO, caused.summary
    assert SITE in caused.summary


async def test_a_site_that_is_named_without_www_and_has_no_tls_is_visited_as_a_laboratory_has_it(lab, tmp_path):
    with served({"/": MENU}) as address:
        web = in_lab(lab, resolve={"www.example.org": address})
        async with audit(
            tmp_path, web, task=Task(prompt="What does example.org tell?", sites=("example.org",))
        ) as context:
            found = await probe()(hypothesis("https://example.org/", barrier=Barrier.PAGE_UNUSABLE), context)
    assert [finding.valid_answer for finding in found] == [Answer.NO], found
    assert "http://www.example.org/" in found[0].summary
