"""browser-use histories: each step's page, what the model meant, its actions, and what came of them."""

from functools import partial
from itertools import zip_longest
from pathlib import Path
from typing import Any

from cases.model import Claim, Run, Transcript
from cases.readers.base import ClaimRecord, Found, RunRecord
from cases.readers.clipping import transcript_of_pieces
from cases.readers.fields import listed, mapping, stem_of, text_of, trimmed
from cases.readers.messages import Piece, call_of, clean, dumped
from cases.readers.sniff import Head
from cases.readers.streams import load_object

JUDGED = ("reasoning", "verdict", "failure_reason", "impossible_task", "reached_captcha")


class BrowserUseReader:
    """Reads one history a file. It names no task, so that the file's name stands for it; the agent's word that it
    succeeded is no outcome."""

    name = "browser-use history"
    signs = "a history whose entries have a result beside model_output or state"
    omits = "screenshots but for a page's last one, interacted elements, token counts and timings"

    def recognises(self, head: Head) -> bool:
        """The entries' keys."""
        keys = head.item_keys("history")
        return "result" in keys and bool({"model_output", "state"} & keys)

    def read(self, path: Path) -> Found:
        """One run, and the judge's word on it as a claim where there is one."""
        data = load_object(path, "history")
        history = listed(data.get("history"))
        stem = stem_of(path)
        task_id = trimmed(data.get("task_id")) or stem
        last = mapping((listed(mapping(history[-1]).get("result")) or [None])[-1]) if history else {}
        answer = text_of(last.get("extracted_content")) if last.get("is_done") else None
        run = Run(
            run_id=stem, agent="browser-use", answer=answer, environment={"scaffold": "browser-use"}, source=str(path)
        )
        load = partial(_transcript, path) if history else None
        found = Found([RunRecord(None, task_id, run, load=load, own_id=False)])
        if claim := _judged(path, mapping(last.get("judgement")), stem):
            found.claims.append(ClaimRecord(None, task_id, claim))
        return found


def _judged(path: Path, judgement: dict[str, Any], run_id: str) -> Claim | None:
    """The judge's verdict; it speaks of an impassable task only where it calls the run a failure."""
    impossible = judgement.get("impossible_task")
    if not isinstance(impossible, bool) or judgement.get("verdict") is not False:
        return None
    said = [f"{name}: {judgement[name]}" for name in JUDGED if judgement.get(name) not in (None, "")]
    return Claim(
        claim_id=f"claim:{path.name}:judgement",
        source=f"{path}: judgement",
        kind="judge",
        run_id=run_id,
        score=float(impossible),
        text=clean("\n".join(said)),
    )


def _transcript(path: Path) -> Transcript | None:
    pieces: list[Piece] = []
    for number, raw in enumerate(listed(load_object(path, "history").get("history"))):
        pieces += _step(raw, number) if isinstance(raw, dict) else [Piece("unknown", "message", dumped(raw))]
    return transcript_of_pieces(pieces)


def _step(raw: dict[str, Any], number: int) -> list[Piece]:
    pieces = [_page(mapping(raw.get("state")))] if raw.get("state") else []
    output = raw.get("model_output")
    meant = {key: value for key, value in mapping(output).items() if key != "action"}
    if isinstance(output, dict):
        pieces.append(Piece("assistant", "message", dumped(meant) if meant else ""))
    elif output is not None:
        pieces.append(Piece("assistant", "message", dumped(output)))
    actions, results = listed(mapping(output).get("action")), listed(raw.get("result"))
    for at, (action, result) in enumerate(zip_longest(actions, results)):
        call_id = f"step-{number}-{at}"
        if at < len(actions):
            pieces.append(_call(action, call_id))
        if at < len(results):
            pieces.append(Piece("tool", "result", _came(result), call_id=call_id))
    return pieces


def _page(state: dict[str, Any]) -> Piece:
    """The page as browser-use shows it to its model, so far as the history keeps it."""
    url, title = text_of(state.get("url")), text_of(state.get("title")) or ""
    tabs = [mapping(tab) for tab in listed(state.get("tabs"))]
    lines = [f"Current url: {url}", f"Tab current: {url} - {title}"] if url else [dumped(state)]
    lines += [f"Tab {at}: {text_of(tab.get('url'))} - {text_of(tab.get('title')) or ''}" for at, tab in enumerate(tabs)]
    return Piece("environment", "message", "\n".join(lines), url=url)


def _call(action: object, call_id: str) -> Piece:
    chosen = [(name, value) for name, value in mapping(action).items() if value is not None]
    if len(chosen) != 1:
        return call_of("assistant", None, action, call_id)
    name, arguments = chosen[0]
    return call_of("assistant", name, arguments, call_id)


def _came(result: object) -> str:
    if not isinstance(result, dict):
        return dumped(result)
    said = [text for name in ("extracted_content", "error") if (text := text_of(result.get(name)))]
    kept = text_of(result.get("long_term_memory"))
    if kept and not any(kept in text for text in said):
        said.append(f"long_term_memory: {kept}")
    said += [f"{name}: {dumped(result[name])}" for name in ("attachments", "metadata") if result.get(name)]
    return "\n".join(said)
