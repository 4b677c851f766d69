"""What a run met is told apart from what it only showed, and from what it has yet to make itself."""

import pytest

from cases import Block, Case, CommandRun, Events, Outcome, Run, Task, Transcript
from graph.met import Met
from graph.signature import Match, scan
from probes import Barrier, Targets

HEADER = "a.c:1:10: fatal error: ft2build.h: No such file or directory"
SHUT = "Access to this page has been denied"


def event(command: str, output: str, *blocks: int, kind: str = "shell") -> CommandRun:
    return CommandRun(kind=kind, command=command, tool="bash", output=output, exit_code=1, blocks=blocks)


def met(*events: CommandRun, blocks: tuple[Block, ...] = (), prompt: str | None = None) -> Met:
    run = Run(run_id="r1", outcome=Outcome.FAILED, transcript=Transcript(blocks=blocks), source="synthetic")
    case = Case(benchmark="b", task_id="t", task=Task(prompt=prompt), runs=(run,))
    return Met(case, run, Events(commands=events))


def match(text: str, barrier: Barrier) -> Match:
    return next(one for one in scan(text, "output") if one.barrier is barrier)


def by_command(one: CommandRun, barrier: Barrier, *more: CommandRun, prompt: str | None = None) -> Targets | None:
    told = [(kind, text) for each in (one, *more) for kind, text in (("call", each.command), ("result", each.output))]
    blocks = tuple(block(number, kind, text or "") for number, (kind, text) in enumerate(told))
    return met(one, *more, blocks=blocks, prompt=prompt).by_command(match(one.output or "", barrier), one)


def block(index: int, kind: str, text: str, tool: str | None = None, call_id: str = "c1") -> Block:
    return Block(index=index, role="assistant", kind=kind, text=text, tool=tool, call_id=call_id)


def test_the_command_that_met_it_is_the_one_to_try() -> None:
    found = by_command(event("make", HEADER, 0), Barrier.HEADER)
    assert found
    assert (found.headers, found.commands) == (("ft2build.h",), ("make",))


def test_what_is_no_command_of_a_shell_is_not_tried_as_one() -> None:
    found = by_command(event("build()", HEADER, 0, kind="python"), Barrier.HEADER)
    assert found
    assert (found.headers, found.commands) == (("ft2build.h",), ())


def test_a_text_that_was_only_shown_met_nothing() -> None:
    assert by_command(event("cat build.log", HEADER, 0), Barrier.HEADER) is None


def test_what_code_had_a_shell_print_is_met_by_the_shell_s_command_alone() -> None:
    inside, code = event("make", HEADER, 0), event("import os; os.system('make')", HEADER, 0, kind="python")
    assert by_command(code, Barrier.HEADER, inside) is None
    assert by_command(inside, Barrier.HEADER, code)
    elsewhere = event("make", HEADER, 4)
    assert by_command(code, Barrier.HEADER, elsewhere), "a command of other blocks is another one"
    quiet = event("make", "done", 0)
    assert by_command(code, Barrier.HEADER, quiet), "a command that did not print it is not who met it"
    silent = CommandRun(kind="shell", command="make", tool="bash", output=None, exit_code=1, blocks=(0,))
    assert by_command(code, Barrier.HEADER, silent)


MISSING = "cat: {}: No such file or directory"


def test_a_file_that_nobody_but_the_agent_names_is_not_missing() -> None:
    own = event("cat notes/plan.txt", MISSING.format("notes/plan.txt"), 0)
    assert by_command(own, Barrier.MISSING_DATA) is None
    asked = by_command(own, Barrier.MISSING_DATA, prompt="Read notes/plan.txt and follow it.")
    assert asked
    assert asked.paths == ("notes/plan.txt",)


def test_a_file_of_the_task_s_stays_missing_beside_one_of_the_agent_s() -> None:
    said = "\n".join(map(MISSING.format, ("data/train.csv",)))
    own = event("cat plan.txt", MISSING.format("plan.txt"), 2)
    found = by_command(event("cat data/train.csv", said, 0), Barrier.MISSING_DATA, own, prompt="Use data/train.csv.")
    assert found
    assert found.paths == ("data/train.csv",)


@pytest.mark.parametrize("spelt", ["./plan.txt", "/home/agent/work/plan.txt", "plan.txt"])
def test_a_path_and_its_end_are_one_file(spelt: str) -> None:
    own = event(f"cat {spelt}", MISSING.format(spelt), 0)
    assert by_command(own, Barrier.MISSING_DATA) is None


@pytest.mark.parametrize("shown", ["/home/agent/work/plan.txt", "plan.txt"])
def test_the_record_may_spell_a_file_longer_or_shorter_than_the_error_does(shown: str) -> None:
    longer, shorter = "/home/agent/work/plan.txt", "plan.txt"
    said = shorter if shown == longer else longer
    missed = event(f"cat {shown}", MISSING.format(said), 0)
    told = (block(0, "call", missed.command), block(1, "result", missed.output or ""))
    assert met(missed, blocks=told).by_command(match(missed.output or "", Barrier.MISSING_DATA), missed) is None


URL = "https://tides.example.org/pier"


def test_a_wall_is_met_at_the_site_that_the_command_names() -> None:
    said = f"{SHUT}\nsee also https://other.example.net/help"
    found = by_command(event(f"curl {URL}", said, 0), Barrier.BOT_WALL)
    assert found
    assert (found.hosts, found.urls) == (("tides.example.org",), (URL,))
    assert found.commands == (f"curl {URL}",)


def test_a_wall_s_own_line_names_its_site() -> None:
    other = "https://other.example.net/help"
    found = by_command(event("python3 get.py", f"{other}\n{SHUT} for {URL}\n{other}", 0), Barrier.BOT_WALL)
    assert found
    assert (found.hosts, found.urls) == (("tides.example.org",), (URL,))


def test_one_site_alone_in_the_output_is_the_one_that_shut() -> None:
    found = by_command(event("python3 get.py", f"opening {URL}\n\n{SHUT}", 0), Barrier.BOT_WALL)
    assert found
    assert found.hosts == ("tides.example.org",)
    two = f"opening {URL}\nopening https://other.example.net/\n{SHUT}"
    assert by_command(event("python3 get.py", two, 0), Barrier.BOT_WALL) is None, "nobody can say which of them"
    assert by_command(event("python3 get.py", SHUT, 0), Barrier.BOT_WALL) is None, "no site could be visited"


def test_no_more_than_three_addresses_of_a_site_are_visited() -> None:
    urls = " ".join(f"{URL}/{number}" for number in range(5))
    found = by_command(event(f"curl {urls}", SHUT, 0), Barrier.BOT_WALL)
    assert found
    assert (len(found.urls), len(found.hosts)) == (3, 1)


def test_a_log_of_tests_visited_no_site() -> None:
    begun = "===== test session starts =====\ncollected 1 item\n\ntest_a.py F [100%]"
    said = f"{begun}\n\nE   {SHUT} {URL}\n===== 1 failed in 0.1s ====="
    assert by_command(event("pytest", said, 0), Barrier.BOT_WALL) is None


CALLS = (
    block(0, "call", f'visit_webpage("{URL}")'),
    block(1, "result", SHUT),
    block(2, "call", 'visit_webpage("https://later.example.net/")'),
)


def test_a_result_s_site_is_the_one_that_its_own_call_asked_for() -> None:
    found = met(blocks=CALLS).by_result(match(SHUT, Barrier.BOT_WALL), CALLS[1])
    assert found
    assert found.hosts == ("tides.example.org",)
    foreign = block(1, "result", SHUT, call_id="c9")
    assert met(blocks=(CALLS[0], foreign)).by_result(match(SHUT, Barrier.BOT_WALL), foreign) is None
    first, last = block(0, "call", "visit('https://first.example.net/')"), block(1, "call", f"visit('{URL}')")
    twice = (first, last, block(2, "result", SHUT))
    own = met(blocks=twice).by_result(match(SHUT, Barrier.BOT_WALL), twice[2])
    assert own
    assert own.hosts == ("tides.example.org",), "the last call before it is its own"
    spoken = (block(0, "message", f"I open {URL}"), block(1, "result", SHUT))
    assert met(blocks=spoken).by_result(match(SHUT, Barrier.BOT_WALL), spoken[1]) is None, "a message is no call"


def test_a_result_without_a_call_has_its_own_line_only() -> None:
    said = f"opened https://first.example.net/\n{SHUT} {URL}\nthe end of https://third.example.net/"
    alone = Block(index=0, role="tool", kind="result", text=said)
    found = met(blocks=(alone,)).by_result(match(said, Barrier.BOT_WALL), alone)
    assert found
    assert found.urls == (URL,)
    at_end = Block(index=0, role="tool", kind="result", text=f"https://first.example.net/\n{URL} {SHUT}")
    last = met(blocks=(at_end,)).by_result(match(at_end.text, Barrier.BOT_WALL), at_end)
    assert last
    assert last.urls == (URL,)


def test_a_result_that_only_shows_a_text_met_nothing_and_any_other_what_it_says() -> None:
    shown, said = (block(0, "result", HEADER, tool) for tool in ("read_file", "build"))
    assert met(blocks=(shown,)).by_result(match(HEADER, Barrier.HEADER), shown) is None
    found = met(blocks=(said,)).by_result(match(HEADER, Barrier.HEADER), said)
    assert found
    assert (found.headers, found.commands) == (("ft2build.h",), ())
    unnamed = block(0, "result", HEADER)
    assert met(blocks=(unnamed,)).by_result(match(HEADER, Barrier.HEADER), unnamed)


def test_a_wall_s_line_begins_after_the_line_before_it_and_ends_with_the_text() -> None:
    for said in (f"\n{SHUT} {URL}", f"x\n{SHUT} {URL}", f"{SHUT} {URL}"):
        alone = Block(index=0, role="tool", kind="result", text=said)
        found = met(blocks=(alone,)).by_result(match(said, Barrier.BOT_WALL), alone)
        assert found
        assert found.urls == (URL,), "to its last letter"


def test_of_a_line_that_names_several_sites_the_first_is_the_one_that_shut() -> None:
    found = by_command(event(f"curl {URL} https://other.example.net/", SHUT, 0), Barrier.BOT_WALL)
    assert found
    assert found.hosts == ("tides.example.org",)


@pytest.mark.parametrize(
    ("prompt", "asked"),
    [
        ("Count the lines of inputs/train.csv.", True),
        ("Write the lines to inputs/train.csv.", False),
        ("Count the lines of pretrain.csv.", False),
        ("Count the lines of the training set.", False),
    ],
)
def test_a_file_that_only_the_agent_spells_is_asked_about_where_the_prompt_has_it_in_another_folder(
    prompt: str, *, asked: bool
) -> None:
    failed = event("python3 -c \"open('data/train.csv')\"", "[Errno 2] No such file or directory: 'data/train.csv'", 0)
    assert (by_command(failed, Barrier.MISSING_DATA, prompt=prompt) is not None) == asked
