"""How a run ended, and what of it no rule can explain."""

import pytest

from cases import Block, Case, CommandRun, Events, HarnessError, Outcome, PageVisit, Run, Task, Transcript
from cases.model import ToolCall
from graph.classifier import classify
from graph.run_termination import unexplained
from probes import Barrier

GLIBC = "./tool: /lib/x86_64-linux-gnu/libc.so.6: version `GLIBC_2.38' not found (required by ./tool)"
UNABLE = "I was unable to finish: it does not start."
LOOK = ("ls", "tool\n", 0)


def ended(*commands: tuple[str, str, int | None], final: str = UNABLE, complete: bool = True) -> tuple[Case, Events]:
    blocks = [Block(index=n, role="tool", kind="result", text=output) for n, (_, output, _) in enumerate(commands)]
    last = Block(index=len(blocks), role="assistant", kind="message", text=final)
    run = Run(
        run_id="r1",
        outcome=Outcome.FAILED,
        transcript=Transcript(blocks=(*blocks, last), complete=complete),
        source="synthetic",
    )
    events = [
        CommandRun(kind="shell", command=command, tool="bash", output=output, exit_code=code, blocks=(n,))
        for n, (command, output, code) in enumerate(commands)
    ]
    return Case(benchmark="b", task_id="t", task=Task(), runs=(run,)), Events(commands=tuple(events))


def told(*commands: tuple[str, str, int | None], final: str = UNABLE, complete: bool = True) -> str:
    case, events = ended(*commands, final=final, complete=complete)
    return unexplained(case, {"r1": events})


@pytest.mark.parametrize(
    ("output", "said"),
    [
        (f"Stdout:\nStderr:\n{GLIBC}\n", GLIBC),
        ("Stdout:\n./tool: error while loading shared libraries: libpng16.so.16: cannot open\nStderr:\n", "libpng16"),
        ("No package 'libpng' found", "No package 'libpng' found"),
        ("Segmentation fault (core dumped)", "Segmentation fault"),
    ],
)
def test_a_failure_that_no_rule_knows_and_nothing_followed_is_told(output: str, said: str) -> None:
    for commands in (("./tool --run", output, 1),), (("./tool --run", output, 1), LOOK):
        assert "`./tool --run` failed" in told(*commands).replace(", failed", " failed")
        assert said in told(*commands)


def test_without_an_exit_code_only_a_tools_own_word_tells_of_a_failure() -> None:
    assert GLIBC in told(("./tool", GLIBC, None))
    assert told(("./tool", "No package 'libpng' found", None)) == ""


@pytest.mark.parametrize(
    "commands",
    [
        (("./tool", GLIBC, 1), ("python3 other.py > answer.txt", "", 0)),
        (("./tool", "all is well", 0), LOOK),
        (("python3 a.py", "NameError: name 'x' is not defined", 1),),
        (("grep --lines x", "grep: unrecognized option '--lines'", 2),),
        (("grep --lines x", "grep: Unbekannte Option »--lines«\nAufruf: grep [OPTION]…", 2),),
        (("python3 a.py --rows=3", "usage: a.py [-h]\na.py: error: unrecognized arguments: --rows=3", 2),),
        (("grep x y", "", 1),),
        (),
    ],
)
def test_what_was_overcome_or_is_known_or_is_the_agents_own_is_not(commands) -> None:
    assert told(*commands) == ""


@pytest.mark.parametrize(
    ("error", "said"),
    [
        ("EnvironmentStartTimeoutError\nNo space left on device", "the harness ended r1 with “"),
        ("Agent reached maximum number of iterations", ""),
    ],
)
def test_an_error_of_the_harness_leaves_it_open_and_a_spent_budget_does_not(error: str, said: str) -> None:
    case, events = ended(LOOK, final="Let me look further.")
    run = case.runs[0].model_copy(update={"environment": {"error": error}})
    found = unexplained(case.model_copy(update={"runs": (run,)}), {"r1": events})
    assert found.startswith(said)
    assert bool(found) is bool(said)


def test_what_a_system_refused_is_told_though_the_program_names_the_option() -> None:
    refused = "a.py: error: argument --data: can't open '/srv/d': [Errno 13] Permission denied: '/srv/d'"
    assert "Permission denied" in told(("python3 a.py --data /srv/d", f"usage: a.py [-h]\n{refused}", 2))


def test_an_option_that_the_task_itself_spells_is_not_the_agents_own_choice() -> None:
    case, events = ended(("./tool --fast", "./tool: cannot do --fast here\ntool: --fast", 1))
    for prompt, own in (("Run the tool.", True), ("Run `./tool --fast`.", False)):
        asked = case.model_copy(update={"task": Task(prompt=prompt)})
        assert bool(unexplained(asked, {"r1": events})) is not own


def test_a_tools_error_as_the_last_thing_leaves_it_open_whatever_the_run_says_then() -> None:
    jq = ("jq . a", "bash: jq: command not found", 127)
    assert "jq: command not found" in told(jq, final="The answer is 5.")
    assert GLIBC in told(("./tool", GLIBC, 1), complete=False)
    assert GLIBC in told(("./tool", GLIBC, 1), LOOK, final="The answer is 5.")
    assert GLIBC in told(("./tool", GLIBC, 1), LOOK, final="Die Antwort ist 5.")


TRACE = (
    'Traceback (most recent call last):\n  File "{}", line 3, in <module>\n'
    "    {}\nNameError: name '{}' is not defined"
)


def test_an_error_in_code_that_the_agent_did_not_write_is_not_its_own() -> None:
    own = ("python3 -c 'total(rows)'", TRACE.format("<string>", "total(rows)", "rows"), 1)
    given = ("python3 -c 'total(rows)'", TRACE.format("/opt/tools/functions.py", "return Image.open(p)", "Image"), 1)
    assert told(own, final="5") == ""
    assert "NameError: name 'Image'" in told(given, final="5")


@pytest.mark.parametrize(
    ("event", "said"),
    [
        (
            PageVisit(url="https://a.example/x", title=None, error="ERR_CONNECTION_REFUSED", blocks=(1,)),
            "https://a.example/x",
        ),
        (ToolCall(tool="lookup", output="Error: the service is unavailable", blocks=(1,)), "to `lookup`"),
        (HarnessError(text="openai.APIConnectionError: Connection error.", blocks=(1,)), "the harness ended r1"),
        (HarnessError(text="Agent reached maximum number of iterations", blocks=(1,)), ""),
        (PageVisit(url="https://a.example/x", title="A", error=None, text="words " * 99, blocks=(1,)), ""),
    ],
)
def test_pages_other_tools_and_the_harness_count_as_commands_do(event, said: str) -> None:
    case, events = ended(LOOK, final="The answer is 5.")
    kind = {PageVisit: "visits", ToolCall: "calls", HarnessError: "errors"}[type(event)]
    found = unexplained(case, {"r1": events.model_copy(update={kind: (event,)})})
    assert bool(found) is bool(said)
    assert said in found


ABSENT = "wc: data/train.csv: No such file or directory"


@pytest.mark.parametrize(
    ("commands", "final", "proposed"),
    [
        ((("wc -l data/train.csv", ABSENT, 1),), UNABLE, [Barrier.MISSING_DATA]),
        ((("wc -l data/train.csv", ABSENT, 1), LOOK), UNABLE, [Barrier.MISSING_DATA]),
        ((("wc -l data/train.csv", ABSENT, 1), ("python3 count.py", "5", 0)), UNABLE, []),
        ((("wc -l data/train.csv; echo", ABSENT, 0),), UNABLE, [Barrier.MISSING_DATA]),
        ((("wc -l data/train.csv; echo", "0", 0),), UNABLE, []),
        ((("wc -l data/train.csv", ABSENT, 1),), "There are 5 rows.", [Barrier.MISSING_DATA]),
        ((("wc -l data/train.csv", ABSENT, 1),), "", [Barrier.MISSING_DATA]),
        ((("cat /root/x", "cat: /root/x: Permission denied", 1), ("make", "ok", 0)), UNABLE, []),
    ],
)
def test_what_agents_meet_while_they_look_around_is_proposed_only_where_the_run_ended_with_it(
    commands, final, proposed
) -> None:
    case, events = ended(*commands, final=final)
    assert [one.barrier for one in classify(case, {"r1": events}, "auto")[0]] == proposed


def test_what_the_harness_could_not_start_is_no_program_that_the_agent_lacks() -> None:
    said = Block(index=0, role="harness", kind="result", text="bash: mini: command not found")
    run = Run(run_id="r1", outcome=Outcome.FAILED, transcript=Transcript(blocks=(said,)), source="synthetic")
    case = Case(benchmark="b", task_id="t", task=Task(), runs=(run,))
    events = {"r1": Events(errors=(HarnessError(text=said.text, blocks=(0,)),))}
    assert classify(case, events, "auto")[0] == ()
    assert unexplained(case, events) == "the harness ended r1 with “bash: mini: command not found”"


def test_a_file_that_only_the_agent_names_is_its_own_to_make() -> None:
    absent = "FileNotFoundError: [Errno 2] No such file or directory: '{}'"
    code = "python3 -c \"print(open('{}').read())\""
    for name, prompt, own in (
        ("numbers_v2.csv", "Say the sum.", True),
        ("data.csv", "Say the sum of data.csv.", False),
    ):
        command = code.format(name)
        blocks = (
            Block(index=0, role="user", kind="message", text=prompt),
            Block(index=1, role="assistant", kind="call", text=command, tool="bash", arguments={"command": command}),
            Block(index=2, role="tool", kind="result", text=absent.format(name)),
        )
        run = Run(run_id="r1", outcome=Outcome.FAILED, transcript=Transcript(blocks=blocks), source="synthetic")
        event = CommandRun(
            kind="shell", command=command, tool="bash", output=absent.format(name), exit_code=1, blocks=(1, 2)
        )
        case = Case(benchmark="b", task_id="t", task=Task(prompt=prompt), runs=(run,))
        assert bool(unexplained(case, {"r1": Events(commands=(event,))})) is not own


PENDING = "4418207 PD (Priority)"


@pytest.mark.parametrize(
    ("commands", "ends"),
    [
        ((("squeue -h", PENDING, 0), ("sleep 5m; squeue -h", PENDING, 0), LOOK), "sleep 5m; squeue -h"),
        ((("sbatch a.sh; sleep 2; squeue", PENDING, 0), ("sleep 2; squeue -h", PENDING, 0)), ""),
        ((("sleep 290; squeue -h", PENDING, 0), ("squeue -h", PENDING, 0), ("sleep 290; cat log", "done", 0)), ""),
        ((("./serve & sleep 60; curl -s http://127.0.0.1:80/", "ok", 0),), ""),
    ],
    ids=["asked again after minutes", "a short one", "a look after it", "only once"],
)
def test_a_run_that_ended_in_a_long_wait_for_what_it_had_asked_of_before_stays_open(commands, ends: str) -> None:
    assert (f"ended in a wait, `{ends}`" in told(*commands)) is bool(ends)
