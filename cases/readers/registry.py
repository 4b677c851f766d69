"""Which readers there are: those built in, and those that installed packages add."""

from functools import cache
from importlib.metadata import entry_points

from cases.readers.agentlab import AgentLabReader
from cases.readers.aider import AiderReader
from cases.readers.atif import AtifReader, HarborResultReader
from cases.readers.base import Problem, Reader
from cases.readers.browser_use import BrowserUseReader
from cases.readers.chat import ChatReader
from cases.readers.claims import JudgeReader, RubricReader
from cases.readers.claude_code import ClaudeCodeReader
from cases.readers.codex import CodexReader
from cases.readers.diagnoses import AgentDebugReader, AgentRxReader, FeedbackReader, IssueReader, ScoutReader
from cases.readers.gemini import GeminiReader
from cases.readers.hal import HalReader
from cases.readers.hal_zip import HalZipReader
from cases.readers.inspect_ai import InspectReader
from cases.readers.mind2web import Mind2WebReader
from cases.readers.mini_swe import MiniSweReader
from cases.readers.openhands import OpenHandsReader
from cases.readers.outcomes import OutcomesReader
from cases.readers.predictions import PredictionsReader
from cases.readers.recordings import RecordingReader
from cases.readers.submissions import SubmissionsReader
from cases.readers.swe_agent import SweAgentReader
from cases.readers.swebench import SweBenchReportReader
from cases.readers.tau import TauReader
from cases.readers.terminal_bench import TerminalBenchReader
from cases.readers.terminus import TerminusReader
from cases.readers.whowhen import WhoWhenReader
from cases.sentences import Sentences

say = Sentences(__name__)

GROUP = "impassable.readers"
BUILT_IN: tuple[Reader, ...] = (
    HalReader(),
    HalZipReader(),
    InspectReader(),
    WhoWhenReader(),
    OpenHandsReader(),
    SweAgentReader(),
    MiniSweReader(),
    AtifReader(),
    HarborResultReader(),
    BrowserUseReader(),
    AgentLabReader(),
    TauReader(),
    Mind2WebReader(),
    ClaudeCodeReader(),
    CodexReader(),
    GeminiReader(),
    AiderReader(),
    TerminalBenchReader(),
    TerminusReader(),
    RecordingReader(),
    SweBenchReportReader(),
    PredictionsReader(),
    ChatReader(),
    SubmissionsReader(),
    RubricReader(),
    JudgeReader(),
    AgentRxReader(),
    AgentDebugReader(),
    FeedbackReader(),
    ScoutReader(),
    IssueReader(),
    OutcomesReader(),
)
"""In the order in which they are asked, the most particular first."""


@cache
def added() -> tuple[tuple[Reader, ...], tuple[Problem, ...]]:
    """Readers that entry points add, each a class or an object, and what is wrong with those that cannot be used."""
    readers: list[Reader] = []
    problems: list[Problem] = []
    for point in entry_points(group=GROUP):
        try:
            loaded = point.load()
            reader = loaded() if isinstance(loaded, type) else loaded
            fault = "" if isinstance(reader, Reader) else say("registry.lacks_signs_omits_recognises")
        except Exception as error:  # noqa: BLE001 - foreign code may raise anything
            fault = f"{type(error).__name__}: {error}".splitlines()[0]
        if fault:
            problem = Problem(
                file=f"{GROUP}: {point.name}",
                place=point.value,
                message=say("registry.added_reader_cannot_used", fault=fault),
                remedy=say("registry.repair_remove_package_adds"),
            )
            problems.append(problem)
        else:
            readers.append(reader)
    return tuple(readers), tuple(problems)


def readers(*, trust_pickle: bool = False) -> tuple[Reader, ...]:
    """All readers in the order in which they are asked."""
    chosen = (
        AgentLabReader(trusted=True) if isinstance(one, AgentLabReader) and trust_pickle else one for one in BUILT_IN
    )
    return (*chosen, *added()[0])
