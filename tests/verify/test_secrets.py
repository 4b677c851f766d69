"""None of a hundred planted secrets leaves the program, whichever way out is looked at."""

import json
import subprocess
from pathlib import Path

import pytest

from cases import InputError
from evidence import document, masked, write_pack
from probes import ArtifactStore
from tests.evidence.synthetic_audits import supported
from tests.graph.llm.conversing import KEY
from tests.lab.model import ModelServer
from tests.lab.model.personas import ADVERSARIES
from tests.verify.secrets_everywhere import SECRETS, TASK, bytes_in, environment, talkative, with_secrets, written
from tests.verify.synthetic import Verify, upload
from verify import terminal
from verify.printing import show
from verify.review import Reviewer

NO_ENGINE = "unix:///nowhere/docker.sock"


@pytest.mark.slow
@pytest.mark.exhaustive  # `test_planted.py` plants them twice as often, and asks of fewer commands
@pytest.mark.timeout(900)
def test_none_of_a_hundred_planted_secrets_comes_out_anywhere(verify: Verify, work: Path, tmp_path: Path) -> None:
    inputs = written(tmp_path / "inputs")
    told: dict[str, bytes] = {}
    with ModelServer(talkative) as server:
        env = environment(tmp_path / "user") | {"DOCKER_HOST": NO_ENGINE}
        model = {"OPENAI_BASE_URL": server.url, "OPENAI_API_KEY": KEY}

        def run(name: str, *arguments: object, codes: tuple[int, ...] = (0,)) -> subprocess.CompletedProcess[str]:
            done = verify(*arguments, env=env | model)
            told[f"{name}, stdout"], told[f"{name}, stderr"] = done.stdout.encode(), done.stderr.encode()
            assert done.returncode in codes, (name, done.stdout[-2000:], done.stderr[-2000:])
            return done

        audit = (TASK, *inputs, "--offline")
        run("dry run", *audit, "--dry-run", "--json")
        asking = (TASK, *inputs, "--model", "lab", "--second-reader", "--max-calls", "4")
        asked = run("review", *asking, "--verbose", "--review", "--reviewer", "Ada", codes=(2,))
        assert "waits for a review" in asked.stderr
        assert "zitherlib" in asked.stderr
        run("terminal", *asking, "--verbose", "--review", "--reviewer", "Ada", "--answer", "accept")
        run("JSON", *asking, "--json")
        run("rubric", *asking, "--rubric-json", "--public")
        told["prompts"] = "\n".join(str(one.body) for one in server.asked).encode()
        assert len(server.asked) >= 3
        run("explain", "explain", TASK)
        run("cases", "cases", *inputs)
        run("cases explained", "cases", "--explain", inputs[1], "--json")
        run("no such task", "audit", "nosuchtask", *inputs, codes=(2,))
        pack = next(path for path in (work / "packs").iterdir() if path.is_dir())
        run("issue", "issue", pack)
        run("recompute", "recompute", pack)
    told["packs"] = b"\n".join(bytes_in(work / "packs"))
    told["state"] = b"\n".join(bytes_in(work / ".verify"))
    told["logs"] = b"\n".join(bytes_in(tmp_path / "home"))
    assert b"zitherlib" in told["packs"]
    assert b"zitherlib" in told["prompts"]
    found = {
        (way, *where) for way, data in told.items() for where, secret in SECRETS.items() if secret.encode() in data
    }
    assert found == set(), sorted(found)


def test_what_is_decided_and_asked_is_shown_without_secrets_of_findings_hypotheses_and_claims(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    store = ArtifactStore(tmp_path / "store")
    audit = with_secrets(supported(store))
    assert all(secret in audit.model_dump_json() for secret in SECRETS.values())
    packed = write_pack(audit, store, tmp_path / "packs")
    show(terminal.out(), packed.audit, packed.path)
    terminal.answer(json.dumps(document(packed)))
    terminal.answer(json.dumps(packed.audit.verdict.rubric_fields()))
    with pytest.raises(InputError, match="waits for a review"):
        Reviewer("Ada", None).ask(masked(audit, store))
    told = "".join(capsys.readouterr())
    assert "Every route of the ladder fails" in told
    assert {where for where, secret in SECRETS.items() if secret in told} == set()


def test_a_public_pack_hides_the_expected_answer_and_this_folder_on_the_terminal_too(
    verify: Verify, work: Path, tmp_path: Path
) -> None:
    told = upload("gold-task", [{"role": "user", "content": "Who?"}, {"role": "assistant", "content": "I was unable."}])
    told["raw_logging_results"]["gold-task"]["messages"] += [
        {"role": "assistant", "content": "It is not Ada Lovelace."}
    ]
    (tmp_path / "run_UPLOAD.json").write_text(json.dumps(told))
    (tmp_path / "tasks.jsonl").write_text(
        json.dumps({"task_id": "gold-task", "task": "Who?", "answer": "Ada Lovelace"})
    )
    inputs = ("gold-task", "--run", tmp_path / "run_UPLOAD.json", "--tasks", tmp_path / "tasks.jsonl", "--offline")
    for form in ((), ("--json",), ("--rubric-json",)):
        done = verify(*inputs, *form, "--public", "--verbose")
        assert done.returncode == 0, done.stderr
        assert "Lovelace" not in done.stdout + done.stderr, form
        assert str(tmp_path) not in done.stdout.replace(str(work), "") + done.stderr


def test_what_is_kept_between_audits_is_for_its_user_alone(verify: Verify, work: Path, two_tasks: Path) -> None:
    asked = ("sum-of-two", "--run", two_tasks, "--review", "--reviewer", "Ada", "--model", "lab")
    with ModelServer(ADVERSARIES["always 1"]) as server:
        verify(*asked, env={"OPENAI_BASE_URL": server.url, "OPENAI_API_KEY": KEY})
        [folder] = (work / ".verify").glob("sum-of-two-*")
        folder.chmod(0o755)
        (folder / "checkpoints.sqlite").chmod(0o644)
        done = verify(*asked, env={"OPENAI_BASE_URL": server.url, "OPENAI_API_KEY": KEY})
    assert "waits for a review" in done.stderr
    kept = [path for path in (work / ".verify").rglob("*") if path.is_file()]
    assert {path.name.partition(".")[0] for path in kept} >= {"checkpoints", "001"}
    opened = [path for path in kept if path.stat().st_mode & 0o077 and not _behind_a_private_folder(path, work)]
    assert opened == []
    assert (work / ".verify").stat().st_mode & 0o777 == 0o700
    assert folder.stat().st_mode & 0o777 == 0o700
    assert (folder / "checkpoints.sqlite").stat().st_mode & 0o777 == 0o600


def _behind_a_private_folder(path: Path, work: Path) -> bool:
    return any(not folder.stat().st_mode & 0o077 for folder in path.parents if folder.is_relative_to(work / ".verify"))
