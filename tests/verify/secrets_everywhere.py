"""A hundred synthetic secrets, ten in each of ten places of one task's inputs, and every way out of the program."""

import gzip
import hashlib
import io
import json
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from cases import Citation, Transcript
from graph.decide import decide
from graph.verdict import Audit, JudgeInputs, Sentence, Wording
from probes import Observation
from tests.evidence.synthetic_audits import envelope
from tests.lab.model import Asked, Reply
from tests.lab.model.personas import hypothesis
from tests.verify.synthetic import upload

PLACES = ("command", "output", "headers", "words", "task", "claim", "file name", "environment", "model", "error")
FORMS = (
    "Authorization: Bearer {}",
    "SERVICE_TOKEN={}",
    "https://bob:{}@git.example/r.git",
    "https://api.example/v1?api_key={}",
    "sk-proj-{}",
    "ghp_{0}{0}",
    "Cookie: theme=dark; sid={}",
    "--password {}",
    "X-Api-Key: {}",
    "hf_{0}{0}",
)
"""How each of the ten stands where it was planted."""
TASK = "secrets-everywhere"
MISSING = "ModuleNotFoundError: No module named 'zitherlib'"


def token(place: str, number: int) -> str:
    """A synthetic secret; ten a place."""
    digest = hashlib.sha256(f"{place} {number}".encode()).hexdigest()
    return f"q{digest[:9]}Z{digest[9:18].upper()}7x"


def lines(place: str) -> list[str]:
    """The ten secrets of a place, each as programs write it."""
    return [form.format(token(place, number)) for number, form in enumerate(FORMS)]


def names(place: str) -> list[str]:
    """The ten secrets of a place as they may stand in a file's name."""
    return [
        f"api_key={token(place, n)}" if "/" in form else form.format(token(place, n)) for n, form in enumerate(FORMS)
    ]


SECRETS = {(place, number): token(place, number) for place in PLACES for number in range(len(FORMS))}


def run_file() -> dict[str, Any]:
    """A failed run whose commands, outputs, page headers, words and task hold fifty of them."""
    messages: list[dict[str, Any]] = [{"role": "user", "content": "\n".join(["Install it.", *lines("task")])}]
    said, headers = lines("words"), lines("headers")
    for number, line in enumerate(lines("command")):
        command = f"curl -sH '{line}' https://a.example/ && python -c 'import zitherlib'"
        call = {"name": "execute_bash", "arguments": json.dumps({"command": command})}
        told = [f"$ {command}", "HTTP/2 403", headers[number], lines("output")[number], MISSING]
        content = "Exit Code: 1\nStdout:\n" + "\n".join(told) + f"\nStderr:\n{MISSING} ({lines('output')[number]})"
        messages += [
            {
                "role": "assistant",
                "content": f"I use {said[number]} now.",
                "tool_calls": [{"id": f"c{number}", "type": "function", "function": call}],
            },
            {"role": "tool", "tool_call_id": f"c{number}", "content": content},
        ]
    last = f"I was unable to import zitherlib with {token('command', 1)} and {token('words', 0)}."
    return upload(TASK, [*messages, {"role": "assistant", "content": last}], "corebench_hard")


def written(folder: Path) -> list[str | Path]:
    """The inputs in a folder, as flags: the run, claims, files named like secrets, and broken ones."""
    runs = folder / "runs"
    runs.mkdir(parents=True)
    for number in range(len(FORMS)):
        told = run_file() if not number else upload(TASK, [{"role": "user", "content": "Add."}], "corebench_hard")
        (runs / f"{names('file name')[number]}.json").write_text(json.dumps(told))
    claims = [f'{TASK},corebench_hard,1,0,"It needed {line} and {MISSING}",' for line in lines("claim")]
    broken = [f'{TASK},corebench_hard,"{line}",0,x,' for line in lines("error")]
    head = "task_id,criteria,grade,correct,explanation,model_run"
    (folder / "claims.csv").write_text("\n".join([head, *claims, *broken]) + "\n")
    for named, line in zip(names("error"), lines("error"), strict=True):
        (runs / f"broken {named}.json").write_text(json.dumps(run_file()).replace("}", line, 1))
    return ["--run", runs, "--claims", folder / "claims.csv"]


def environment(home: Path) -> dict[str, str]:
    """A user with nine secrets in variables and one in .netrc."""
    home.mkdir(exist_ok=True)
    (home / ".netrc").write_text(f"machine api.example login bob password {token('environment', 9)}\n")
    told = {f"SERVICE_{number}_TOKEN": token("environment", number) for number in range(9)}
    return told | {"NETRC": str(home / ".netrc")}


def talkative(asked: Asked) -> Reply:
    """A model whose every word holds secrets: those of its own and whatever the prompt lets it see."""
    told = " and ".join((*lines("model"), *(token("environment", number) for number in range(10))))
    if asked.wants == "Suggestions":
        cited = hypothesis("Missing system headers", "module", ["zitherlib", *lines("model")], 1, 2, MISSING)
        return Reply.of({"hypotheses": [cited], "more": told} if asked.number % 2 else {"hypotheses": [cited]})
    sources = [line.split()[0] for line in asked.prompt.splitlines() if line.startswith("F") and "=" in line][:1]
    answer = asked.prompt.partition(f"{sources[0]} ")[2].partition(" ")[0].partition("=")[2] if sources else "none"
    sentences = [{"text": f"It fails with {line}.", "sources": sources, "answer": answer} for line in lines("model")]
    if asked.wants == "Dissent":
        return Reply.of({"sentences": sentences})
    if asked.wants == "Wording":
        return Reply.of({"existence": sentences[:5], "causation": sentences[5:]})
    return Reply(told)


def with_secrets(audit: Audit) -> Audit:
    """The audit with ten secrets in each of ten of its parts, judged anew."""
    told = {place: "; ".join(lines(place)) for place in PLACES}
    [header], findings = audit.hypotheses, list(audit.findings)
    case = audit.case
    claim = case.claims[0].model_copy(update={"text": f"{case.claims[0].text} {told['claim']}"})
    run = case.runs[0].model_copy(update={"answer": told["words"], "source": told["file name"]})
    assert run.transcript
    blocks = run.transcript.blocks
    output = blocks[3].model_copy(update={"text": f"{blocks[3].text}{told['output']}"})
    run = run.model_copy(update={"transcript": Transcript(blocks=(*blocks[:3], output, *blocks[4:]))})
    quoted = Citation(run_id="run-a", block=3, start=len(blocks[3].text), end=len(output.text), quote=told["output"])
    task = case.task.model_copy(update={"prompt": f"{case.task.prompt} {told['task']}"})
    case = case.model_copy(update={"claims": (claim,), "runs": (run,), "task": task})
    header = header.model_copy(
        update={"statement": f"{header.statement} {told['command']}", "citations": (*header.citations, quoted)}
    )
    seen = Observation(name="headers", value=told["headers"])
    summary = f"{findings[0].summary} {told['environment']}"
    findings[0] = findings[0].model_copy(
        update={"summary": summary, "observations": (seen,), "limits": (told["error"],)}
    )
    wording = Wording(existence=(Sentence(text=told["model"], sources=(findings[0].id,)),))
    basis = JudgeInputs(wording=wording)
    verdict = decide(case, (header,), findings, basis)
    return Audit(
        case=case, envelope=envelope(), hypotheses=(header,), findings=tuple(findings), basis=basis, verdict=verdict
    )


def bytes_in(folder: Path) -> Iterator[bytes]:
    """Every file below a folder by name and content, archives opened."""
    for path in folder.rglob("*"):
        yield str(path.relative_to(folder)).encode()
        if path.is_file():
            yield from _opened(path.read_bytes())


def _opened(data: bytes) -> Iterator[bytes]:
    yield data
    if data.startswith(b"PK"):
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            for name in archive.namelist():
                yield name.encode()
                yield from _opened(archive.read(name))
    elif data.startswith(b"\x1f\x8b"):
        yield from _opened(gzip.decompress(data))
