"""The evidence pack: one directory in BagIt layout that can be checked, read and judged without this program."""

import hashlib
import json
import os
import secrets as random
import shutil
from importlib.metadata import version
from pathlib import Path

from pydantic import ValidationError

from cases import Case, EnvironmentNotReady, Outcome, PackError
from evidence.artifacts import EvidenceFile, collect, relinked
from evidence.issue import issue_text
from evidence.redaction import Redacted, redact
from evidence.report import render
from evidence.reproduce import reproduce_script, reproduce_steps
from evidence.text import dumps, safe_name, visible
from graph.verdict import Audit
from probes import ArtifactStore

SCHEMA = "impassable/1"
MANIFEST = "manifest-sha256.txt"
_PARTS = ("case", "envelope", "hypotheses", "findings", "basis", "verdict")


def write_pack(audit: Audit, store: ArtifactStore, out: Path) -> Path:
    """Write `out/<task>-<status>-<digest>/` at once or not at all, and return it.

    The digest is the beginning of the manifest's own SHA-256; the same evidence gives the same bytes.

    Raises:
        EnvironmentNotReady: the disk is full or the folder cannot be written.
        PackError: an artifact is missing or altered, or a different pack of that name is there.
    """
    content = _content(audit, store)
    manifest = _manifest(content)
    digest = hashlib.sha256(manifest).hexdigest()[:12]
    name = f"{safe_name(audit.case.task_id, 40, 'task')}-{audit.verdict.status.value}-{digest}"
    return _place({**content, MANIFEST: manifest}, out, name)


def read_pack(pack: Path) -> Audit:
    """The audit that a pack holds: everything a verdict is computed from, and the verdict.

    Raises:
        PackError: a file is missing or is not what a pack holds.
    """
    record = {part: _load(pack / f"{part}.json") for part in _PARTS}
    try:
        return Audit.model_validate(record)
    except ValidationError as error:
        part, *steps = error.errors()[0]["loc"] or ("case",)
        place = ".".join(str(step) for step in steps) or "its beginning"
        raise PackError(
            f"{pack / str(part)}.json is not valid at {place}: the pack was altered or is of another version."
        ) from error


def _load(path: Path) -> object:
    try:
        return json.loads(path.read_bytes())
    except OSError as error:
        raise PackError(f"{path} cannot be read: {error.strerror}; name the folder of a complete pack.") from error
    except ValueError as error:
        raise PackError(f"{path} is not JSON: {error}; the pack was altered.") from error


def _content(audit: Audit, store: ArtifactStore) -> dict[str, bytes]:
    """Every file of the pack but the manifest, by its path."""
    audit = audit.model_copy(update={"case": _needed(audit)})
    found = collect(audit, store)
    clean = redact(audit, {digest: file.text for digest, file in found.items() if file.text is not None})
    shown, evidence = relinked(clean, found)
    content = {f"{part}.json": dumps(getattr(shown, part)).encode() for part in _PARTS}
    content |= {file.path: file.data for file in evidence}
    script = reproduce_script(shown, evidence)
    if script:
        content["reproduce.sh"] = script.encode()
    content["issue.md"] = issue_text(shown, reproduce_steps(script)).encode()
    digests = {path: hashlib.sha256(data).hexdigest() for path, data in content.items() if not path.startswith("data/")}
    content["report.html"] = render(shown, evidence, clean.kinds, digests).encode()
    return content | _bag(shown, clean, evidence)


def _needed(audit: Audit) -> Case:
    """The case without the transcripts of runs that passed and that nothing cites."""
    told = [audit.verdict.citations]
    told += [hypothesis.citations for hypothesis in audit.hypotheses]
    told += [finding.citations for finding in audit.findings]
    cited = {citation.run_id for citations in told for citation in citations}
    cited |= {hypothesis.run_id for hypothesis in audit.hypotheses if hypothesis.run_id}
    return audit.case.model_copy(
        update={
            "runs": tuple(
                run
                if run.outcome is not Outcome.PASSED or run.run_id in cited
                else run.model_copy(update={"transcript": None})
                for run in audit.case.runs
            )
        }
    )


def _bag(audit: Audit, clean: Redacted, evidence: tuple[EvidenceFile, ...]) -> dict[str, bytes]:
    lines = [
        f"Bag-Software-Agent: impassable {version('impassable')}",
        f"External-Identifier: {_line(audit.case.benchmark)} {_line(audit.case.task_id)}",
        f"Payload-Oxum: {sum(len(file.data) for file in evidence)}.{len(evidence)}",
        f"Impassable-Schema: {SCHEMA}",
        f"Impassable-Secrets-Masked: {clean.count}",
    ]
    if audit.findings:
        lines.insert(1, f"Bagging-Date: {max(finding.started for finding in audit.findings).date().isoformat()}")
    return {
        "bagit.txt": b"BagIt-Version: 1.0\nTag-File-Character-Encoding: UTF-8\n",
        "bag-info.txt": ("\n".join(lines) + "\n").encode(),
    }


def _line(text: str) -> str:
    return visible(" ".join(text.split()))


def _manifest(content: dict[str, bytes]) -> bytes:
    lines = [f"{hashlib.sha256(data).hexdigest()}  {path}\n" for path, data in sorted(content.items())]
    return "".join(lines).encode()


def _place(content: dict[str, bytes], out: Path, name: str) -> Path:
    target = out / name
    made = not out.exists()
    partial = out / f".{name}.{os.getpid()}.{random.token_hex(4)}.partial"
    try:
        if not target.exists():
            _write(content, partial)
            _rename(partial, target)
        return _same(content, target)
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise EnvironmentNotReady(
            f"The evidence pack could not be written to {out}: {reason}; "
            "make room there or name another folder with --out."
        ) from error
    finally:
        shutil.rmtree(partial, ignore_errors=True)
        if made and out.is_dir() and not any(out.iterdir()):
            out.rmdir()


def _rename(partial: Path, target: Path) -> None:
    try:
        partial.rename(target)
    except OSError:
        if not target.exists():  # where it exists, another audit of the same evidence was quicker
            raise


def _write(content: dict[str, bytes], partial: Path) -> None:
    (partial / "data" / "evidence").mkdir(parents=True)
    for path, data in content.items():
        with (partial / path).open("wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())


def _same(content: dict[str, bytes], target: Path) -> Path:
    for path, data in content.items():
        if not (target / path).is_file() or (target / path).read_bytes() != data:
            raise PackError(
                f"{target} was altered: {path} is not what was written; move that folder away and try again."
            )
    return target
