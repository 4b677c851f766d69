"""Online-Mind2Web `result.json`: a web agent's actions and thoughts, without the pages it saw."""

from functools import partial
from itertools import zip_longest
from pathlib import Path

from cases import patterns as re
from cases.model import Run, Task, Transcript
from cases.readers.base import Found, RunRecord
from cases.readers.clipping import transcript_of_pieces
from cases.readers.fields import listed, stem_of, text_of, trimmed
from cases.readers.messages import Piece, call_of, dumped
from cases.readers.sniff import Head
from cases.readers.streams import load_object
from cases.sentences import Sentences

say = Sentences(__name__)

URL = re.compile(r"https?://\S+")
BENCHMARK = "online_mind2web"
JUDGED = frozenset({"task_id", "task", "final_result_response", "judge"})
"""What is published of runs whose actions are not."""
NOTE = say("mind2web.file_holds_no_pages")


class Mind2WebReader:
    """Reads one run a file; whether it passed is a judge's word elsewhere."""

    name = "Online-Mind2Web result.json"
    signs = "action_history beside task_id and thoughts or a final result, or a final result beside a judge's word"
    omits = "screenshots"

    def recognises(self, head: Head) -> bool:
        """The result's keys."""
        keys = head.json_keys
        acted = {"action_history", "task_id"} <= keys and bool({"thoughts", "final_result_response"} & keys)
        return acted or keys >= JUDGED

    def read(self, path: Path) -> Found:
        """One run."""
        data = load_object(path, "result")
        task_id = trimmed(data.get("task_id")) or path.resolve().parent.name
        status = text_of(data.get("result_status"))
        run = Run(
            run_id=path.resolve().parent.name if stem_of(path) == "result" else stem_of(path),
            answer=text_of(data.get("final_result_response")),
            environment={"exit_status": status} if status else {},
            source=str(path),
        )
        load = partial(_transcript, path) if listed(data.get("action_history")) else None
        task = Task(prompt=text_of(data.get("task")))
        return Found([RunRecord(BENCHMARK, task_id.split("_")[0], run, task, load, own_id=False)])


def _transcript(path: Path) -> Transcript | None:
    data = load_object(path, "result")
    pieces = [Piece("user", "message", text_of(data.get("task")) or "")]
    steps = zip_longest(listed(data.get("thoughts")), listed(data.get("action_history")))
    for number, (thought, action) in enumerate(steps):
        if said := text_of(thought):
            pieces.append(Piece("assistant", "message", said))
        if action is not None:
            done = text_of(action) or dumped(action)
            url = URL.search(done)
            arguments = {"action": done} | ({"url": url[0]} if url else {})
            pieces.append(call_of("assistant", done.partition(" ")[0], arguments, f"step-{number}"))
    if answer := text_of(data.get("final_result_response")):
        pieces.append(Piece("assistant", "message", answer))
    transcript = transcript_of_pieces(pieces, (NOTE,))
    return transcript.model_copy(update={"complete": False}) if transcript else None
