"""A citation is good only where its words stand verbatim, in the place that it names."""

import pytest

from cases import Block, Case, Citation, Claim, Run, Task, Transcript

FIRST, LAST = "The build began.", "fatal error: x.h: No such file"
BLOCKS = tuple(Block(index=number, role="tool", kind="result", text=text) for number, text in enumerate((FIRST, LAST)))
CASE = Case(
    benchmark="b",
    task_id="t",
    task=Task(),
    runs=(
        Run(run_id="unrecorded", source="synthetic"),
        Run(run_id="r1", transcript=Transcript(blocks=BLOCKS), source="synthetic"),
    ),
    claims=(
        Claim(claim_id="c1", source="c.csv:1", kind="rubric", score=1, text="It lacked x.h."),
        Claim(claim_id="c2", source="c.csv:2", kind="rubric", score=1, text="The site was shut."),
    ),
)


def cited(run_id: str, block: int, start: int, quote: str) -> Citation:
    return Citation(run_id=run_id, block=block, start=start, end=start + len(quote), quote=quote)


@pytest.mark.parametrize(
    ("run_id", "block", "text"),
    [("r1", 0, FIRST), ("r1", 1, LAST), ("c1", 0, "It lacked x.h."), ("c2", 0, "The site was shut.")],
)
def test_what_stands_in_a_run_s_block_or_in_a_claim_may_be_cited(run_id: str, block: int, text: str) -> None:
    assert CASE.text_of(run_id, block) == text
    for start, end in ((0, len(text)), (4, 9)):
        assert CASE.cites(cited(run_id, block, start, text[start:end]))


@pytest.mark.parametrize(
    "citation",
    [
        cited("r1", 0, 0, "fatal"),
        cited("r1", 0, 1, "The build"),
        cited("r1", 1, 0, "Fatal"),
        cited("r2", 0, 0, "The build"),
        cited("c1", 1, 0, "It lacked"),
        cited("c2", 0, 0, "It lacked"),
        cited("unrecorded", 0, 0, "The build"),
        Citation(run_id="r1", block=1, start=0, end=4, quote="fatal"),
    ],
)
def test_other_words_another_block_another_run_and_another_place_are_no_citation(citation: Citation) -> None:
    assert not CASE.cites(citation)


@pytest.mark.parametrize("block", [2, 3, 99])
def test_a_block_that_is_not_there_has_no_text(block: int) -> None:
    assert CASE.text_of("r1", block) is None
    assert not CASE.cites(cited("r1", block, 0, ""))


def test_nothing_is_counted_from_the_end() -> None:
    assert not CASE.cites(cited("r1", -1, 0, "fatal"))
    assert not CASE.cites(Citation(run_id="r1", block=1, start=-4, end=len(LAST), quote="file"))
    assert not CASE.cites(
        Citation(run_id="r1", block=1, start=0, end=-len(" No such file") - 1, quote="fatal error: x.h")
    )
