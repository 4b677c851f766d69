"""What the rules propose from records and claims, and in which order."""

from cases import Block, Case, Claim, CommandRun, Events, Outcome, PageVisit, Run, Task, Transcript
from graph.classifier import classify
from probes import Barrier


def run(*texts: str, run_id: str = "r1", outcome: Outcome = Outcome.FAILED) -> Run:
    blocks = tuple(
        Block(index=index, role="assistant" if index % 2 == 0 else "tool", kind="message", text=text)
        for index, text in enumerate(texts)
    )
    return Run(run_id=run_id, outcome=outcome, transcript=Transcript(blocks=blocks), source="synthetic")


def case(*runs: Run, claims: tuple[Claim, ...] = (), benchmark: str = "corebench_hard") -> Case:
    return Case(benchmark=benchmark, task_id="t1", task=Task(), runs=runs, claims=claims)


def command(text: str, output: str, *blocks: int, exit_code: int = 1, kind: str = "shell") -> CommandRun:
    return CommandRun(kind=kind, command=text, tool="bash", output=output, exit_code=exit_code, blocks=blocks)


def claim(text: str, number: int = 1, score: float = 1) -> Claim:
    return Claim(claim_id=f"claim:c:{number}", source=f"c.csv:{number}", kind="rubric", score=score, text=text)


def propose(subject: Case, events: dict[str, Events] | None = None, choice: str = "auto"):
    given = {item.run_id: Events() for item in subject.runs if item.transcript}
    return classify(subject, {**given, **(events or {})}, choice)


def test_an_error_in_an_output_is_proposed_with_a_citation_that_holds():
    output = "Stderr:\n/bin/sh: 1: jupyter: not found"
    subject = case(run("jupyter nbconvert a.ipynb", f"Observation:\n{output}"))
    (hypothesis,), _ = propose(subject, {"r1": Events(commands=(command("jupyter nbconvert a.ipynb", output, 0, 1),))})
    assert (hypothesis.barrier, hypothesis.targets.programs) == (Barrier.COMMAND, ("jupyter",))
    assert hypothesis.targets.commands == ("jupyter nbconvert a.ipynb",)
    assert (hypothesis.run_id, hypothesis.event) == ("r1", 0)
    assert all(subject.cites(citation) for citation in hypothesis.citations)


def test_what_the_agent_says_itself_is_no_evidence():
    subject = case(run("I fear: ModuleNotFoundError: No module named 'pandas'", "Fine."))
    assert propose(subject)[0] == ()


def test_backticks_in_a_text_that_the_run_wrote_need_no_program():
    said = "bash: line 1: index: command not found"
    prose = command("cat > README.md <<E\nBuild the `index` first.\nE", said, 0)
    assert propose(case(run(said)), {"r1": Events(commands=(prose,))})[0] == ()
    for line in ("cat > V <<E\nversion $(index)\nE", "cat > R <<E\nthe `index`\nE\nindex", "echo `index`"):
        called = command(line, said, 0)
        [found] = propose(case(run(said)), {"r1": Events(commands=(called,))})[0]
        assert found.targets.programs == ("index",)


def test_a_result_that_belongs_to_no_event_is_still_read():
    subject = case(run("call", "Observation:\nfatal error: ft2build.h: No such file or directory"))
    assert [hypothesis.targets.headers for hypothesis in propose(subject)[0]] == [("ft2build.h",)]


def test_a_failed_build_is_no_barrier_of_its_own_where_the_output_names_the_cause():
    failed = "ERROR: Failed building wheel for glyphs"
    cause = f"fatal error: ft2build.h: No such file or directory\n{failed}"
    for output, barriers in ((cause, [Barrier.HEADER]), (failed, [Barrier.PIP])):
        events = {"r1": Events(commands=(command("pip install .", output, 0, 1),))}
        assert [item.barrier for item in propose(case(run("pip install .", output)), events)[0]] == barriers


def test_the_same_error_met_twice_is_one_hypothesis():
    output = "ModuleNotFoundError: No module named 'a'"
    events = Events(commands=(command("python x", output, 0, 1), command("python y", output, 2, 3)))
    (hypothesis,), _ = propose(case(run("python x", output, "python y", output)), {"r1": events})
    assert hypothesis.targets.commands == ("python x", "python y"), "the last of equals is the one to try"
    assert len(hypothesis.citations) == 2


def test_a_runs_and_a_claims_word_for_the_same_barrier_join_and_lead():
    output = "mkdir: cannot create directory ‘/results’: Permission denied"
    events = Events(
        commands=(
            command("mkdir /results", output, 0, 1),
            command("python x", "ModuleNotFoundError: No module named 'a'", 2, 3),
        )
    )
    texts = ("mkdir /results", output, "python x", "ModuleNotFoundError: No module named 'a'")
    hypotheses, _ = propose(case(run(*texts), claims=(claim(f'It said "{output}".'),)), {"r1": events})
    assert [hypothesis.barrier for hypothesis in hypotheses] == [Barrier.PERMISSION, Barrier.MODULE]
    assert {citation.run_id for citation in hypotheses[0].citations} == {"r1", "claim:c:1"}


def test_claims_of_several_judges_about_one_site_are_one_hypothesis_with_all_its_urls():
    claims = (
        claim("Blocked: “Access to this page has been denied” at https://www.shop.example/ now.", 1),
        claim("“Press & Hold” at https://www.shop.example/sold/; a proxy said error 403: Forbidden", 2),
    )
    (hypothesis,), _ = propose(case(claims=claims, benchmark="assistantbench"))
    assert (hypothesis.barrier, hypothesis.proposer) == (Barrier.BOT_WALL, "claim")
    assert hypothesis.targets.urls == ("https://www.shop.example/", "https://www.shop.example/sold/")
    assert hypothesis.category == "Website Accessibility Issues"


def test_an_archive_is_not_taken_for_the_site_the_claim_is_about():
    text = "See https://web.archive.org/a https://web.archive.org/b: CAPTCHA blocks https://www.shop.example/x."
    (hypothesis,), _ = propose(case(claims=(claim(text),)))
    assert hypothesis.targets.hosts == ("www.shop.example",)


def test_a_claim_that_something_no_longer_exists_names_the_pages_that_told_of_it():
    text = "The restaurant no longer exists: https://www.inn.example/menu and https://www.inn.example/ are dead."
    (hypothesis,), _ = propose(case(claims=(claim(text),), benchmark="assistantbench"))
    assert hypothesis.barrier is Barrier.ENTITY_GONE
    assert hypothesis.targets.urls == ("https://www.inn.example/menu", "https://www.inn.example/")


def test_a_claim_of_0_proposes_nothing_and_a_claim_without_known_words_proposes_itself():
    assert propose(case(run("a", "b"), claims=(claim("CAPTCHA blocks all access", score=0),)))[0] == ()
    (hypothesis,), _ = propose(case(claims=(claim("The environment is broken. Really."),)))
    assert hypothesis.barrier is Barrier.UNSPECIFIED
    assert hypothesis.citations[0].quote == "The environment is broken"


def test_without_any_record_the_bare_failure_is_the_hypothesis():
    outcome = Run(run_id="o1", outcome=Outcome.FAILED, source="outcomes.csv:2")
    assert [item.barrier for item in propose(case(outcome))[0]] == [Barrier.UNSPECIFIED]


def test_a_run_that_passed_has_no_failure_to_explain():
    passed = run("x", "Observation:\nKilled", outcome=Outcome.PASSED)
    assert propose(case(passed))[0] == ()


def test_a_visited_page_that_did_not_exist_is_proposed_with_its_url():
    text = "Here is a screenshot of [www.gone.example](chrome-error://)\nDNS_PROBE_FINISHED_NXDOMAIN"
    visit = PageVisit(
        url="https://www.gone.example/", title="www.gone.example", error="DNS_PROBE_FINISHED_NXDOMAIN", blocks=(1,)
    )
    (hypothesis,), _ = propose(case(run("look", text), benchmark="assistantbench"), {"r1": Events(visits=(visit,))})
    assert (hypothesis.barrier, hypothesis.targets.urls) == (Barrier.SITE_GONE, ("https://www.gone.example/",))


def test_a_geocoders_traceback_names_its_service():
    output = "File geopy/geocoders/nominatim.py\nGeocoderInsufficientPrivileges: Non-successful status code 403"
    events = Events(commands=(command("Nominatim(user_agent='x')", output, 0, 1, kind="python"),))
    (hypothesis,), _ = propose(case(run("code", output), benchmark="assistantbench"), {"r1": events})
    assert hypothesis.targets.hosts == ("nominatim.openstreetmap.org",)


def test_a_chosen_rubric_drops_what_it_does_not_speak_of_and_says_so():
    hypotheses, notes = propose(case(claims=(claim("CondaToSNonInteractiveError"),)), choice="assistantbench")
    assert hypotheses == ()
    assert "terms of service" in notes[0]


def test_ids_depend_on_what_the_barrier_is_about_and_not_on_the_format_of_the_record():
    output = "ModuleNotFoundError: No module named 'a'"
    first = propose(case(run("x", f"Observation: {output}")))[0]
    second = propose(case(run("x", "y", "z", f"Observation: more\n{output}", run_id="r2")))[0]
    assert [item.id for item in first] == [item.id for item in second]


def test_a_kill_that_printed_nothing_is_known_by_its_exit_code():
    subject = case(run("python train.py", "Observation:\nExit Code: 137\nStdout:\n\nStderr:\n"))
    killed = command("python train.py", "Stdout:\n\nStderr:", 0, 1, exit_code=137)
    (hypothesis,), _ = propose(subject, {"r1": Events(commands=(killed,))})
    assert (hypothesis.barrier, hypothesis.event) == (Barrier.CRASH, 0)
    assert hypothesis.citations[0].quote == "Exit Code: 137"
    assert subject.cites(hypothesis.citations[0])
    other = command("python train.py", "Stdout:\n\nStderr:", 0, 1, exit_code=1)
    assert not propose(subject, {"r1": Events(commands=(other,))})[0]


def test_a_traceback_behind_a_page_is_the_harnesses_word_and_the_page_itself_is_not():
    page = "Here is a page about content_filter_result."
    traceback = "Traceback (most recent call last)\nError code: 400 - {'code': 'ResponsibleAIPolicyViolation'}"
    for text, found in ((f"{page}\n{traceback}", ["ResponsibleAIPolicyViolation"]), (page, [])):
        subject = case(run("look", text), benchmark="assistantbench")
        visit = PageVisit(url="https://www.shop.example/", title="Shop", error=None, text=page, blocks=(1,))
        hypotheses, _ = propose(subject, {"r1": Events(visits=(visit,))})
        harness = [one for one in hypotheses if one.barrier is Barrier.HARNESS]
        assert [citation.quote for one in harness for citation in one.citations] == found
        assert {one.barrier for one in hypotheses} <= {Barrier.HARNESS, Barrier.PAGE_UNUSABLE}
        assert all(subject.cites(citation) for one in hypotheses for citation in one.citations)


LAMP = Task(prompt="How much does the lamp cost?", gold="$1,250", gold_urls=("https://lamps.test/aurora",))


def outdated(seen: str, answer: str = "$1,340", url: str = "https://www.lamps.test/aurora", task: Task = LAMP):
    answered = run("goto", seen).model_copy(update={"answer": answer})
    subject = case(answered, benchmark="gaia").model_copy(update={"task": task})
    events = {"r1": Events(visits=(PageVisit(url=url, title=None, error=None, text=seen, blocks=(0, 1)),))}
    found = [item for item in propose(subject, events)[0] if item.barrier is Barrier.OUTDATED]
    assert all(subject.cites(citation) for item in found for citation in item.citations)
    return found


def test_a_run_that_answered_what_the_tasks_own_page_showed_may_have_met_an_outdated_answer():
    (hypothesis,) = outdated("The lamp costs $1,340 today.")
    assert [citation.quote for citation in hypothesis.citations] == ["$1,340"]
    assert (hypothesis.run_id, hypothesis.category) == ("r1", "Answer Validity Problems")


def test_no_outdated_answer_is_proposed_without_the_tasks_own_page_showing_another_one():
    assert outdated("The lamp costs $1,290 today.") == []
    assert outdated("The lamp costs $1,340, formerly $1,250.00.") == []
    assert outdated("The lamp costs $1,340.", url="https://elsewhere.test/") == []
    assert outdated("The lamp costs 12 today.", answer="12") == []
    assert outdated("The lamp costs $1,250.00.", answer="1250 dollars") == []
    assert outdated("The lamp costs $1,340.", task=LAMP.model_copy(update={"gold_urls": ()})) == []
