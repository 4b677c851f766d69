"""From answers to hypotheses: a failed run that gave one may have been right and marked wrong."""

import ast
import json
from collections.abc import Iterator, Mapping

from cases import Case, Citation, Events, Outcome, PageVisit, Run
from cases import patterns as re
from cases.answers.figures import tells_by_absence
from cases.answers.places import found
from cases.answers.presence import telling_value, traced
from cases.answers.values import quantity
from cases.hosts import host_of
from graph.proposal import Proposal
from probes import Barrier, Targets
from probes.scorer import Judged, compare, judged_runs, unjudged_runs

_ENDS = re.compile(
    r'"done":\s*\{\s*"text":\s*(?P<done>"(?:[^"\\]|\\.)*")'
    r"|final_answer\(\s*(?P<literal>\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*')\s*\)"
)
"""A call of browser-use's, or of smolagents', that ends a run with words, and not with what a name stands for."""
_CODE = re.compile(r"```|final_answer\(|\bsubmit\(")
"""In words that end a run with what only code knows."""
_OPEN = 0.9
"""Where in its run a question stands that no grader can settle."""


def from_answers(case: Case) -> Iterator[Proposal]:
    """One proposal a failed run whose benchmark has a grader, where the expected answer is known.

    Of runs that no grader can judge a person could; an answer close to the expected one may be so since that is wrong.
    """
    for judged in judged_runs(case):
        yield Proposal(
            judged.barrier,
            Targets(),
            _places(judged.run),
            "rules",
            judged.run.run_id,
            position=_likelihood(judged),
        )
    for item in unjudged_runs(case):
        if item.run.answer is None and _says_another(case, item.run):
            continue
        places, named = _places(item.run), item.run.run_id
        yield Proposal(Barrier.STRICT_MATCH, Targets(), places, "rules", named, position=_OPEN)
        if item.run.answer and item.run.outcome is Outcome.FAILED and not item.equal:
            yield Proposal(Barrier.WRONG_GOLD, Targets(), places, "rules", named, position=1.0)


def _says_another(case: Case, run: Run) -> bool:
    """Whether the agent's last words, in a record of the whole run, hold other numbers than what is expected."""
    record, gold = run.transcript, case.task.gold or ""
    own = [block for block in record.blocks if block.role in record.agents] if record and record.complete else []
    if not own:
        return False
    stated = _stated(own[-1].text)
    if stated and compare(stated, gold, case.task.prompt or "").likeness == "different":
        return True
    told = stated or ("" if own[-1].kind == "call" or _CODE.search(own[-1].text) else own[-1].text)
    numbers = any(map(str.isdigit, told)) and (tells_by_absence(gold) or quantity(gold) is not None)
    return numbers and traced(told, case.task, "") == "absent"


def _stated(words: str) -> str:
    """The text with which a call ends the run; empty where there is none."""
    found = _ENDS.search(words)
    if found is None:
        return ""
    if found["done"]:
        return str(json.loads(found["done"], strict=False))
    try:
        return str(ast.literal_eval(found["literal"]))
    except (ValueError, SyntaxError):
        return ""


def from_pages(case: Case, events: Mapping[str, Events]) -> Iterator[Proposal]:
    """Failed runs that answered what the task's own page showed them, where that is another answer than expected.

    The page they saw must show their answer and not the expected one; short answers stand on any page and do not count.
    """
    hosts = {_site(url) for url in case.task.gold_urls}
    for run in case.runs if case.task.gold else ():
        if run.outcome is not Outcome.FAILED or not run.answer or run.run_id not in events:
            continue
        seen = [one for one in events[run.run_id].visits if one.text and not one.error and _site(one.url) in hosts]
        if citation := _contradicted(case, run, seen):
            blocks = len(run.transcript.blocks) if run.transcript else 1
            position = (citation.block + 1) / blocks
            yield Proposal(Barrier.OUTDATED, Targets(), (citation,), "rules", run.run_id, position=position)


def _contradicted(case: Case, run: Run, seen: list[PageVisit]) -> Citation | None:
    """Where the task's own pages showed the run its answer, unless they showed it the expected one too."""
    gold, answer, prompt = case.task.gold or "", run.answer or "", case.task.prompt or ""
    if compare(answer, gold, prompt).likeness != "different" or not telling_value(answer, case.task):
        return None
    if any(places or doubtful for visit in seen for places, doubtful in [found(visit.text or "", gold, prompt)]):
        return None
    for visit in seen:
        for place in found(visit.text or "", answer, prompt)[0]:
            if citation := _cited(run, visit.blocks, place.text):
                return citation
    return None


def _cited(run: Run, blocks: tuple[int, ...], quote: str) -> Citation | None:
    for index in reversed(blocks if run.transcript else ()):
        start = run.transcript.blocks[index].text.find(quote) if run.transcript else -1
        if start >= 0:
            return Citation(run_id=run.run_id, block=index, start=start, end=start + len(quote), quote=quote)
    return None


def _site(url: str) -> str:
    return host_of(url).removeprefix("www.")


def _likelihood(judged: Judged) -> float:
    """A wrong answer is the last thing to ask about."""
    return 0.0 if judged.wrong else 1.0


def _places(run: Run) -> tuple[Citation, ...]:
    """Where the record shows the answer last, in the agent's own words."""
    answer = (run.answer or "").strip()
    for block in reversed(run.transcript.blocks if run.transcript and answer else ()):
        start = block.text.rfind(answer)
        if start >= 0 and run.transcript and block.role in run.transcript.agents:
            end = start + len(answer)
            return (Citation(run_id=run.run_id, block=block.index, start=start, end=end, quote=answer),)
    return ()
