"""Pages on other sites that a run was shown are ways, too."""

from cases import Block, Case, Events, Run, Task, Transcript
from probes.browser.results import shown_in, titles_of

PROMPT = "How many prisms has the great lens of Skarr Point lighthouse?"
ELSE = "Plums keep in a cool cellar. " * 12
FOUND = f"""1. Lens of Skarr Point lighthouse | Museum
www.museum.test/collection/lens
2. The great lens of Skarr Point turns again | Herald
www.herald.test/sea/lens
{ELSE}
3. Ten recipes for plums
https://www.plums.test/ten
{ELSE}
4. Skarr Point lighthouse, its lens and keepers: https://keepers.test/skarr-point
"""


def case(*blocks: Block) -> Case:
    run = Run(run_id="r", transcript=Transcript(blocks=blocks), source="synthetic")
    return Case(benchmark="synthetic", task_id="t", task=Task(prompt=PROMPT), runs=(run,))


def test_addresses_beside_words_of_the_task_are_kept_with_and_without_a_scheme() -> None:
    shown = case(Block(index=0, role="tool", kind="result", text=FOUND))
    found = shown_in(shown, {"r": Events()}, {"www.museum.test"})
    assert set(found) == {"https://www.herald.test/sea/lens", "https://keepers.test/skarr-point"}


def test_a_list_calls_a_page_by_what_stands_before_its_address_or_above_it() -> None:
    listed = f"{FOUND}\n[Lens – Skarr Museum](https://www.museum.test/lens)\n"
    record = case(Block(index=0, role="tool", kind="result", text=listed)).runs[0].transcript
    assert titles_of("www.museum.test", record) == ("Lens of Skarr Point lighthouse | Museum", "Lens – Skarr Museum")
    assert titles_of("keepers.test", record) == ("Skarr Point lighthouse, its lens and keepers",)


def test_what_the_agent_says_itself_is_no_place_that_it_was_shown() -> None:
    said = case(Block(index=0, role="assistant", kind="message", text=FOUND))
    assert shown_in(said, {"r": Events()}, ()) == ()


def test_an_address_that_comes_back_from_the_call_is_no_place_that_the_run_was_shown() -> None:
    guess = "https://keepers.test/skarr-point"
    call = Block(index=0, role="assistant", kind="call", text=f'visit_page(url="{guess}")')
    gone = f"Skarr Point lighthouse, its lens: net::ERR_NAME_NOT_RESOLVED at {guess}"
    echoed = Block(index=1, role="tool", kind="result", text=gone)
    assert shown_in(case(call, echoed), {"r": Events()}, ()) == ()
    other = Block(index=0, role="assistant", kind="call", text='visit_page(url="https://other.test/")')
    assert shown_in(case(other, echoed), {"r": Events()}, ()) == (guess,)
