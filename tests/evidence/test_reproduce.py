"""The reproduction script: data stays data, whoever wrote it, and it says what the report says."""

import re
import subprocess
from pathlib import Path

import pytest

from evidence.reproduce import reproduce_script, reproduce_steps
from evidence.reproduce.shell import note, quoted
from probes import ArtifactStore, Barrier, Observation
from probes.replay.resources.recipe import Arm, Run, read_recipe, sign_of
from probes.replay.target.symptom import Symptom
from tests.evidence.recipes import BOX, HOSTILE, audit_with, recipe
from tests.evidence.synthetic_audits import inconclusive, not_supported


@pytest.mark.parametrize("text", HOSTILE)
def test_the_shell_reads_back_exactly_what_was_quoted(text: str) -> None:
    done = subprocess.run(["bash", "-c", f"printf %s {quoted(text)}"], capture_output=True, check=True)
    assert done.stdout.decode() == text
    assert not re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b\u202a-\u202e\u2066-\u2069]", quoted(text))
    assert "\n" not in note(text)


def test_hostile_commands_reach_the_engine_as_they_are_and_nothing_else_is_run(
    store: ArtifactStore, tmp_path: Path
) -> None:
    stub = tmp_path / "bin" / "docker"
    stub.parent.mkdir()
    calls = tmp_path / "calls"
    stub.write_text(f'#!/bin/bash\nprintf "%s\\0" "$@" >>{calls}\nprintf "\\n\\0" >>{calls}\necho box\nexit 0\n')
    stub.chmod(0o755)
    audit, evidence = audit_with(recipe(), store)
    script = reproduce_script(audit, evidence)
    env = {"PATH": f"{stub.parent}:/usr/bin:/bin", "HOME": str(tmp_path)}
    done = subprocess.run(
        ["bash", "-s"], input=script, env=env, cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.returncode == 1, done.stderr
    assert "did not come out as the report says" in done.stdout
    words = calls.read_bytes().decode().split("\0")
    assert set(HOSTILE) <= set(words)
    assert not list(tmp_path.rglob("canary"))
    assert "\x1b" not in done.stdout


@pytest.mark.parametrize(("code", "told"), [(0, "came out as the report says"), (2, "the control does not work here")])
def test_nothing_follows_where_the_control_does_not_work(
    code: int, told: str, store: ArtifactStore, tmp_path: Path
) -> None:
    (tmp_path / "docker").write_text(
        f'#!/bin/bash\ncase "$*" in *"-c fail"*) exit 1;; *"-c lifted"*) exit {code};; esac\necho box\n'
    )
    (tmp_path / "docker").chmod(0o755)
    failing, lifted = (
        Arm(
            name=name,
            kind=kind,
            box=BOX.model_copy(update={"network": "indexes"}),
            steps=(Run(command=name, user="agent", shell="bash", exit_code=ended),),
            shows=False,
        )
        for name, kind, ended in (("fail", "replay", 1), ("lifted", "lifted", 0))
    )
    script = reproduce_script(*audit_with(recipe(arms=(failing, lifted), prepared=(), sign=""), store))
    env = {"PATH": f"{tmp_path}:/usr/bin:/bin", "HOME": str(tmp_path)}
    done = subprocess.run(["bash", "-s"], input=script, env=env, capture_output=True, text=True, check=False)
    assert (done.returncode, told in done.stdout + done.stderr) == (code, True), done.stdout + done.stderr
    assert ("CA_BUNDLE=…" in done.stderr) is bool(code)


@pytest.mark.parametrize(
    ("output", "code", "told"),
    [
        ("SSLError(SSLCertVerificationError(1, 'certificate verify failed: unable to get issuer'))", 2, "CA_BUNDLE=…"),
        ("ProxyError('Cannot connect to proxy.', OSError('Tunnel connection failed: 403'))", 2, "HTTPS_PROXY=…"),
        ("NewConnectionError: [Errno -3] Temporary failure in name resolution", 2, "NETWORK=…"),
        ("ERROR: No matching distribution found for humanize", 1, "did not come out as the report says"),
    ],
)
def test_a_way_that_the_network_kept_from_being_tried_is_never_said_to_differ(
    output: str, code: int, told: str, store: ArtifactStore, tmp_path: Path
) -> None:
    (tmp_path / "docker").write_text(
        f"#!/bin/bash\ncase \"$*\" in *'-c pip'*) cat {tmp_path}/says; exit 1;; esac\necho box\n"
    )
    (tmp_path / "says").write_text(output)
    (tmp_path / "docker").chmod(0o755)
    step = Run(command="pip", user="agent", shell="bash", exit_code=0)
    box = BOX.model_copy(update={"network": "indexes"})
    way = Arm(name="pip-user", kind="route", box=box, steps=(step,), shows=False)
    script = reproduce_script(*audit_with(recipe(arms=(way,), prepared=(), sign=""), store))
    env = {"PATH": f"{tmp_path}:/usr/bin:/bin", "HOME": str(tmp_path)}
    done = subprocess.run(["bash", "-s"], input=script, env=env, capture_output=True, text=True, check=False)
    assert (done.returncode, told in done.stdout + done.stderr) == (code, True), done.stdout + done.stderr


def test_the_containers_are_those_of_the_envelope(store: ArtifactStore) -> None:
    box = BOX.model_copy(
        update={"tmpfs": {"/tmp": "size=4m,mode=1777"}, "read_only": ("/opt/app", "/"), "memory_mb": 77}
    )
    arm = recipe().arms[0].model_copy(update={"box": box})
    script = reproduce_script(*audit_with(recipe(arms=(arm,), sudo=True, task_files=True), store))
    for words in ("--network none", "--memory 77m", "--tmpfs /tmp:size=4m,mode=1777", "--read-only", "chmod 1777 /tmp"):
        assert words in script
    assert 'src="reproduce-$$"-0,dst=/opt/app,readonly' in script
    assert "no-new-privileges" not in script
    assert "WORKSPACE" in script
    assert "cannot be pulled" in script
    assert "a secret was masked" in script
    pulled = reproduce_script(*audit_with(recipe(digests=("some/image@sha256:" + "0" * 64,)), store))
    assert "docker pull" in pulled
    assert subprocess.run(["bash", "-n"], input=script + pulled, text=True, check=False).returncode == 0


def test_without_a_replay_the_visits_are_repeated_with_curl_and_without_either_there_is_no_script(
    store: ArtifactStore,
) -> None:
    audit = inconclusive(store)
    seen = (
        Observation(name="dns", value="shop.example: mapped (lab) to 127.0.0.1:8443"),
        Observation(name="http", value="status 403; at https://shop.example/zithers?page=2; rule x"),
        Observation(name="reading", value="https://shop.example/zithers?page=2: bot_wall: it's a $(wall)"),
    )
    visit = audit.findings[0].model_copy(update={"observations": seen})
    script = reproduce_script(audit.model_copy(update={"findings": (visit,)}), ())
    assert "visit 'https://shop.example/zithers?page=2' 403 --connect-to shop.example:443:127.0.0.1:8443" in script
    assert "# In the browser: https://shop.example/zithers?page=2: bot_wall" in script
    assert subprocess.run(["bash", "-n"], input=script, text=True, check=False).returncode == 0
    assert reproduce_script(not_supported(store), ()) == ""
    assert reproduce_steps("") == ()
    assert len(reproduce_steps(script)) <= 5


def test_a_recipe_that_masking_broke_is_none() -> None:
    assert read_recipe('{"image": ●●●') is None
    assert read_recipe(recipe().stored()) == recipe()


def test_the_sign_of_a_failure_stands_verbatim_in_the_output() -> None:
    output = "x\nModuleNotFoundError: No module named 'tabulate'\n"
    sign = sign_of(Barrier.MODULE, Symptom("no module", "tabulate"), output)
    assert sign
    assert sign in output
    assert sign_of(Barrier.MODULE, Symptom("no module", "other"), output) == ""
