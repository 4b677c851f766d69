"""The harness's own failures: a parser is tried again at the run's version, what cannot be is said to be unknown."""

from contextlib import AsyncExitStack
from pathlib import Path
from textwrap import indent

import pytest

from cases import Block, Case, Citation, Events, Outcome, Run, Task, Transcript
from probes import Answer, Barrier, Hypothesis, ProbeContext, Question, Settings, Tier
from probes.replay import ReplayProbe
from probes.replay.deriving import subject_of
from probes.replay.handlers.harness import well_formed
from probes.replay.target.model import ReplayTarget
from tests.probes.replay.made import context, hypothesis

OLD = "```(?:py|python)?\\n(.*?)\\n```"
SAID = "Thought: I look around first.\n```bash\nls -R\n```"
ASKED = """\
Make sure to include code with the correct pattern, for instance:
Thoughts: Your thoughts
Code:
```py
# Your python code here
```<end_code>"""


def refusal(pattern: str = OLD) -> str:
    return (
        "Error:\nError in code parsing:\n"
        f"Your code snippet is invalid, because the regex pattern {pattern} was not found in it.\n"
        f"            Here is your code snippet:\n            {SAID}\n{indent(ASKED, ' ' * 12)}\n"
        "Now let's retry: take care not to repeat previous errors!"
    )


def record(store: Path, text: str, quote: str, profile: str = "debian") -> tuple[Hypothesis, ProbeContext]:
    """A run whose record holds the text in a block that belongs to no command."""
    made = context(store, profile, Events(), AsyncExitStack(), Settings())
    transcript = Transcript(
        blocks=(
            Block(index=0, role="assistant", kind="message", text=SAID),
            Block(index=1, role="user", kind="message", text=text),
        )
    )
    run = Run(run_id="r1", outcome=Outcome.FAILED, source="synthetic", transcript=transcript)
    case = Case(benchmark="synthetic", task_id="t", task=Task(), runs=(run,))
    start = text.index(quote)
    citation = Citation(run_id="r1", block=1, start=start, end=start + len(quote), quote=quote)
    asked = hypothesis(Barrier.HARNESS, event=None).model_copy(update={"citations": (citation,)})
    return asked, ProbeContext(
        case=case, envelope=made.envelope, store=made.store, settings=made.settings, events={}, stack=made.stack
    )


def test_the_run_s_own_words_go_through_the_parser_of_the_run_s_version(tmp_path: Path) -> None:
    asked, made = record(tmp_path, refusal(), "because the regex pattern")
    found = subject_of(asked, made)
    assert isinstance(found, ReplayTarget)
    assert found.attempts[0].command == f"smolagents-python --parse <<'IMPASSABLE_END'\n{SAID}\nIMPASSABLE_END"
    assert found.handler.extras(found, made.envelope)[-1].endswith("smolagents==1.13.0")


def test_the_tags_that_a_later_version_wants_are_taken_from_its_words(tmp_path: Path) -> None:
    asked, made = record(tmp_path, refusal(pattern="<code>(.*?)</code>"), "because the regex pattern")
    found = subject_of(asked, made)
    assert isinstance(found, ReplayTarget)
    assert found.attempts[0].command.startswith("smolagents-python --parse --tags '<code>' '</code>' <<")
    assert found.handler.extras(found, made.envelope)[-1].endswith("smolagents==1.26.0")


def test_a_well_formed_answer_is_the_refusal_s_own_example_or_has_the_tags_it_wants() -> None:
    example = "Thoughts: Your thoughts\nCode:\n```py\n# Your python code here\n```<end_code>"
    assert well_formed(refusal()) == f"smolagents-python --parse <<'IMPASSABLE_END'\n{example}\nIMPASSABLE_END"
    cut = "the regex pattern <code>(.*?)</code> was not found in it."
    assert well_formed(cut).endswith("<<'IMPASSABLE_END'\n<code>\nprint('works')\n</code>\nIMPASSABLE_END")


@pytest.mark.parametrize(
    ("text", "quote", "said"),
    [
        (
            "Error:\nAuthenticationError: Error code: 401 - {'message': 'Invalid or expired token.'}",
            "Error code: 401",
            "cannot try that from here",
        ),
        ("openai.RateLimitError: Error code: 429 - slow down", "Error code: 429", "cannot try that from here"),
        ("{'code': 'ResponsibleAIPolicyViolation'}", "ResponsibleAIPolicyViolation", "provider's own filter"),
        ("the evaluation harness crashed", "evaluation harness crashed", "evaluator itself failed"),
        ("because the regex pattern x was not found … [truncated]", "regex pattern", "no failure of the harness"),
        (
            "Your code snippet is invalid, because the regex pattern x was not found in it. [truncated]",
            "regex pattern",
            "the log does not show the words",
        ),
    ],
)
async def test_what_cannot_be_tried_again_is_unknown_and_says_why(
    tmp_path: Path, text: str, quote: str, said: str
) -> None:
    asked, made = record(tmp_path, text, quote)
    (finding,) = await ReplayProbe()(asked, made)
    assert (finding.question, finding.answer) == (Question.PRESENT, Answer.UNKNOWN)
    assert said in finding.summary


async def test_a_claim_alone_is_no_failure_to_try_again(tmp_path: Path) -> None:
    _, made = record(tmp_path, "nothing", "nothing")
    (finding,) = await ReplayProbe()(hypothesis(Barrier.HARNESS, event=None), made)
    assert finding.answer is Answer.UNKNOWN


@pytest.mark.exhaustive
@pytest.mark.docker
@pytest.mark.network
@pytest.mark.slow
@pytest.mark.timeout(900)
async def test_the_parser_refuses_the_same_words_again_and_takes_the_form_it_asked_for(
    tmp_path: Path,
) -> None:
    hypothesised, made = record(tmp_path, refusal(), "because the regex pattern")
    async with made.stack:
        found = {finding.question: finding for finding in await ReplayProbe()(hypothesised, made)}
    assert found[Question.PRESENT].valid_answer is Answer.YES, found[Question.PRESENT]
    assert found[Question.PASSABLE].valid_answer is Answer.YES, found[Question.PASSABLE]
    assert found[Question.PASSABLE].tier is Tier.T1
