"""Synthetic audits, one of each status, written for these tests; nobody's real task, run or page."""

import datetime as dt
import json
import struct
import zlib

from cases import Block, Case, Citation, Claim, Outcome, Run, Task, Transcript
from cases.model import HAL, HARNESS
from graph.decide import decide
from graph.verdict import Audit, JudgeInputs, Review
from probes import (
    Answer,
    ArtifactStore,
    Barrier,
    Control,
    Envelope,
    Finding,
    Ground,
    Hypothesis,
    Observation,
    Question,
    Route,
    Targets,
    Tier,
    Value,
)
from probes.scorer.grader import shipped
from tests.graph.small_probes import REAL

AT = dt.datetime(2031, 5, 6, 7, 8, 9, tzinfo=dt.UTC)
FAILURE = "capture.c:4:10: fatal error: zither.h: No such file or directory"
PROMPT = "Synthetic task: plot the tuning of the zither in `data/strings.csv` and report the lowest pitch in hertz."


def cite(case: Case, run_id: str, block: int, quote: str) -> Citation:
    """A citation of the first place where `quote` stands."""
    text = case.text_of(run_id, block)
    assert text is not None
    start = text.index(quote)
    return Citation(run_id=run_id, block=block, start=start, end=start + len(quote), quote=quote)


def png(width: int = 320, height: int = 120, *, blank: int = 0) -> bytes:
    """A small picture: a gradient, above lines that are white."""
    row = b"\0" + bytes((x * 255 // width) for x in range(width))
    rows = row * (height - blank) + (b"\0" + b"\xff" * width) * blank
    chunks = [
        (b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)),
        (b"IDAT", zlib.compress(rows)),
        (b"IEND", b""),
    ]
    body = b"".join(
        struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data)) for kind, data in chunks
    )
    return b"\x89PNG\r\n\x1a\n" + body


def envelope(citation: Citation | None = None) -> Envelope:
    """An envelope with a value of each origin."""
    return Envelope(
        profile="corebench",
        image=Value[str](value="python:3.12-slim-bookworm", origin="profile"),
        user=Value[str](value="agent", origin="observed", citation=citation),
        sudo=Value[bool](value=False, origin="observed", citation=citation),
        network=Value(value="indexes", origin="assumed"),
        tools=Value[tuple[str, ...]](value=("execute_bash", "edit_file"), origin="observed"),
        shell=Value[bool](value=True, origin="profile"),
        allowed_imports=Value[tuple[str, ...] | None](value=None, origin="profile"),
        python=Value[str](value="3.12", origin="assumed"),
        workdir=Value[str](value="/home/agent", origin="profile"),
        memory_mb=Value[int](value=4096, origin="profile"),
        seconds=Value[int](value=2700, origin="profile"),
        solve_captcha=Value[bool](value=False, origin="profile"),
    )


def case() -> Case:
    """A task with one recorded failure, 65 further outcomes and two claims."""
    blocks = (
        Block(index=0, role="user", kind="message", text=PROMPT),
        Block(index=1, role="assistant", kind="message", text="I will build the zither package first."),
        Block(
            index=2,
            role="assistant",
            kind="call",
            text="execute_bash(command='pip install zither')",
            tool="execute_bash",
            arguments={"command": "pip install zither"},
            call_id="a",
        ),
        Block(
            index=3,
            role="tool",
            kind="result",
            tool="execute_bash",
            call_id="a",
            exit_code=1,
            text="whoami: agent\nCollecting zither\n  Building wheel for zither (setup.py): started\n"
            f"{FAILURE}\n    4 | #include <zither.h>\ncompilation terminated.\nerror: command failed, exit code 1\n",
        ),
        Block(index=4, role="assistant", kind="message", text="The header is missing, so I cannot go on. I give up."),
    )
    runs = [
        Run(
            run_id="run-a",
            agent="core agent",
            model="model-1",
            date=dt.date(2030, 2, 3),
            outcome=Outcome.FAILED,
            score=0.0,
            answer="",
            transcript=Transcript(blocks=blocks),
            source="synthetic_UPLOAD.json",
        )
    ]
    runs += [
        Run(
            run_id=f"peer-{number:02}",
            agent=f"agent {number % 5}",
            model=f"model-{number % 7}",
            date=dt.date(2030, 3, 1 + number % 28),
            outcome=Outcome.FAILED,
            score=0.0,
            source=f"outcomes.csv:{number + 2}",
        )
        for number in range(65)
    ]
    claims = (
        Claim(
            claim_id="claim:rubric.csv:2",
            source="rubric.csv:2",
            kind="rubric",
            run_id="run-a",
            score=1.0,
            category="2. Missing dependencies",
            text="The environment lacks zither.h and the agent has no root: nobody could have installed the package.",
        ),
        Claim(
            claim_id="claim:judge.csv:9",
            source="judge.csv:9",
            kind="judge",
            score=None,
            text="The judge could not decide.",
        ),
    )
    return Case(
        benchmark="corebench_hard",
        task_id="capsule-0000001",
        task=Task(prompt=PROMPT, gold="196.0", created=dt.date(2029, 1, 1)),
        runs=tuple(runs),
        claims=claims,
    )


def hypothesis(of: Case) -> Hypothesis:
    """That a missing header stopped the run."""
    return Hypothesis(
        id="header-5f2c",
        rubric="environmental_barrier",
        category="2. Missing dependencies",
        barrier=Barrier.HEADER,
        statement="`pip install zither` needs the header zither.h, which the image lacks and a user cannot add.",
        targets=Targets(commands=("pip install zither",), packages=("zither",), headers=("zither.h",)),
        citations=(cite(of, "run-a", 3, FAILURE),),
        proposer="rules",
        run_id="run-a",
        event=0,
    )


def finding(question: Question, answer: Answer, summary: str, probe: str = "replay", **extra: object) -> Finding:
    """One finding about the header."""
    return Finding(
        id=f"header-5f2c/{probe}/{question.value}",
        hypothesis="header-5f2c",
        probe=probe,
        ground=REAL[probe].ground,
        question=question,
        answer=answer,
        summary=summary,
        started=AT,
        seconds=3.25,
        **extra,
    )


def control(name: str, *, passed: bool = True) -> Control:
    """A control of the replay."""
    observed = "exit 0" if passed else "exit 1: could not resolve the index’s name"
    return Control(name=name, expected="exit 0", observed=observed, passed=passed)


def replay_findings(store: ArtifactStore, of: Case, *, passable: bool) -> tuple[Finding, ...]:
    """A ladder that fails on every rung, or works on its second."""
    log = store.put(f"$ pip install zither\n\x1b[31m{FAILURE}\x1b[0m\nexit 1\n", "replay-arm.log")
    ladder = store.put("$ pip install --only-binary :all: zither\nno matching distribution\nexit 1\n", "ladder.log")
    screenshot = store.put(png(), "terminal.png", "image/png")
    routes = (
        Route(
            id="pip-binary",
            tier=Tier.T1,
            commands=("pip install --only-binary :all: zither",),
            result="failed",
            note="The index has no wheel.",
            artifact=ladder.sha256,
        ),
        Route(
            id="user-prefix",
            tier=Tier.T2,
            commands=(
                "curl -LO https://zither.example/zither-dev.tar.gz",
                "tar -xf zither-dev.tar.gz -C ~/.local",
                'CFLAGS="-I$HOME/.local/include" pip install zither',
            ),
            result="passed" if passable else "failed",
            note="" if passable else "The archive’s host is not reachable from where the agent stands.",
        ),
        Route(id="sudo-apt", tier=Tier.T3, commands=("sudo apt-get install libzither-dev",), result="not_permitted"),
    )
    arms = tuple(
        Observation(
            name=f"replay arm {number}", value="exit 1, zither.h missing", at=AT, seconds=2.5, artifact=log.sha256
        )
        for number in (1, 2, 3)
    )
    return (
        finding(
            Question.PRESENT,
            Answer.YES,
            "Three of three replays in a fresh container end at the same missing header.",
            observations=arms,
            controls=(control("network reaches the index"), control("another package installs")),
            artifacts=(log, screenshot),
            limits=("The image is a stand-in: the benchmark does not publish its own.",),
        ),
        finding(
            Question.PASSABLE,
            Answer.YES if passable else Answer.NO,
            "The headers unpacked under the home directory are enough."
            if passable
            else "Every route of the ladder fails.",
            tier=Tier.T2 if passable else None,
            routes=routes,
            controls=(control("works once the barrier is removed: with the header the package builds"),),
            artifacts=(ladder,),
        ),
        finding(
            Question.CAUSED,
            Answer.NO if passable else Answer.YES,
            "The run gave up at this very error." if not passable else "The run gave up although a route was open.",
            probe="transcript",
            citations=(cite(of, "run-a", 3, FAILURE), cite(of, "run-a", 4, "I give up")),
            controls=(control("the log is complete"),),
        ),
    )


def judged(
    of: Case, hypotheses: tuple[Hypothesis, ...], findings: tuple[Finding, ...], told: Envelope, *notes: str
) -> Audit:
    """An audit with the verdict that its findings give."""
    basis = JudgeInputs(notes=notes)
    verdict = decide(of, hypotheses, findings, basis)
    return Audit(case=of, envelope=told, hypotheses=hypotheses, findings=findings, basis=basis, verdict=verdict)


def supported(store: ArtifactStore) -> Audit:
    """A benchmark at fault."""
    of = case()
    told = envelope(cite(of, "run-a", 3, "whoami: agent"))
    findings = replay_findings(store, of, passable=False)
    return judged(of, (hypothesis(of),), findings, told, "The network of the run is assumed.")


def not_supported(store: ArtifactStore) -> Audit:
    """An agent at fault."""
    of = case()
    told = envelope(cite(of, "run-a", 3, "whoami: agent"))
    findings = replay_findings(store, of, passable=True)
    return judged(of, (hypothesis(of),), findings, told, "The network of the run is assumed.")


def inconclusive(store: ArtifactStore) -> Audit:
    """A claim about a site that this machine could not look at, in a laboratory."""
    of = case().model_copy(update={"benchmark": "assistantbench"})
    page = store.put("<!doctype html><title>Just a moment</title><p>Checking your browser", "page.html", "text/html")
    wall = hypothesis(of).model_copy(
        update={
            "id": "bot_wall-77aa",
            "barrier": Barrier.BOT_WALL,
            "category": "1. Bot walls",
            "statement": "https://shop.example answers every visitor with a challenge that an agent may not solve.",
            "targets": Targets(urls=("https://shop.example/zithers?page=2",), hosts=("shop.example",)),
            "citations": (cite(of, "claim:rubric.csv:2", 0, "nobody could have installed the package"),),
            "proposer": "claim",
            "run_id": None,
            "event": None,
        }
    )
    visit = finding(
        Question.PRESENT,
        Answer.YES,
        "The page is a challenge, but the control page did not answer either.",
        probe="browser",
        observations=(
            Observation(name="dns", value="shop.example → 127.0.0.1 (mapped)", at=AT, seconds=0.01),
            Observation(name="http", value="403 text/html", at=AT, seconds=0.4, artifact=page.sha256),
        ),
        controls=(control("a page that always answers", passed=False), control("same host, robots.txt")),
        artifacts=(page,),
        lab=True,
    ).model_copy(update={"id": "bot_wall-77aa/browser/PRESENT", "hypothesis": "bot_wall-77aa"})
    return judged(of, (wall,), (visit,), envelope(), "The network of the run is assumed.")


def bare(store: ArtifactStore) -> Audit:
    """No barrier, no finding, no run: the emptiest audit there can be."""
    of = Case(benchmark="corebench_hard", task_id="x", task=Task())
    return judged(of, (), (), envelope())


ALL = {"supported": supported, "not_supported": not_supported, "inconclusive": inconclusive, "bare": bare}


def read_by_a_person(decision: str, reason: str = "“pitch” may be the string's or the case's") -> Audit:
    """A task whose words no probe could judge, and what a person said of them."""
    of = case()
    words = hypothesis(of).model_copy(
        update={
            "id": "ambiguous-11aa",
            "barrier": Barrier.AMBIGUOUS,
            "category": "3. Ambiguous wording",
            "statement": "The task can be read in several ways.",
            "targets": Targets(),
            "citations": (cite(of, "run-a", 0, "the lowest pitch"),),
        }
    )
    seen = finding(
        Question.PRESENT, Answer.UNKNOWN, "The text names two pitches.", "specification", controls=(control("quoted"),)
    ).model_copy(update={"id": "ambiguous-11aa/specification/PRESENT", "hypothesis": "ambiguous-11aa"})
    said = Review.model_validate({"decision": decision, "reason": reason, "reviewer": "Ada", "at": AT})
    basis = JudgeInputs(review=said)
    verdict = decide(of, (words,), (seen,), basis)
    return Audit(case=of, envelope=envelope(), hypotheses=(words,), findings=(seen,), basis=basis, verdict=verdict)


def too_strict(store: ArtifactStore) -> Audit:
    """A right answer that a harness's own rule marked wrong."""
    of = case()
    said = {"answer": "196", "transcript": None, "environment": {**of.runs[0].environment, HARNESS: HAL}}
    run = of.runs[0].model_copy(update=said)
    of = of.model_copy(update={"benchmark": "assistantbench", "runs": (run,), "claims": ()})
    strict = hypothesis(of.model_copy(update={"runs": case().runs})).model_copy(
        update={"id": "strict-1", "barrier": Barrier.STRICT_MATCH, "targets": Targets(), "citations": (), "event": None}
    )
    marks = {
        "graders": {
            "exact match": {"packages": [], "source": next(g.source for g in shipped() if g.name == "exact match")},
            "official": {"packages": ["scorer-of-all==1.2"], "source": "the benchmark's own package"},
        },
        "marks": [
            {"answer": "the expected answer", "exact match": "1", "official": "1"},
            {"answer": "the answer of run-a", "exact match": "0", "official": "1"},
            {"answer": "full stop", "exact match": "0", "official": "1"},
        ],
    }
    table = store.put(json.dumps(marks), "marks.json", "application/json")
    sane = Control(name="exact match: the expected answer", expected="full marks", observed="1", passed=True)
    recorded = Control(
        name="exact match: the answer of run-a", expected="marked wrong, as the log says", observed="0", passed=True
    )
    form = Route(id="form: full stop", tier=Tier.T2, result="failed", note="the expected answer in this form")
    found = (
        finding(Question.PRESENT, Answer.YES, "exact match marks 1 of 1 equivalent answers wrong.", controls=(sane,)),
        finding(Question.PASSABLE, Answer.NO, "exact match accepts none of 1 form.", controls=(sane,), routes=(form,)),
        finding(Question.CAUSED, Answer.YES, "run-a was right.", controls=(recorded,), artifacts=(table,)),
    )
    changes = [
        {
            "id": f"strict-1/scorer/{one.question.value}",
            "hypothesis": "strict-1",
            "probe": "scorer",
            "ground": Ground.GRADER,
        }
        for one in found
    ]
    told = tuple(one.model_copy(update=change) for one, change in zip(found, changes, strict=True))
    return judged(of, (strict,), told, envelope())
