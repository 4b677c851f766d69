"""Profiles: the benchmark's own by default, clear sentences for wrong ones."""

from pathlib import Path

import pytest

from cases import InputError
from graph.workflow import known_limits
from probes.envelope import FIELDS, envelope_for, load_profile, profile_names
from tests.probes.envelope.made import case_of


def test_a_benchmark_gets_its_own_profile_and_others_the_assumed_one() -> None:
    assert load_profile(None, "corebench_hard").name == "hal"
    assert load_profile(None, "ScienceAgentBench").name == "hal"
    assert load_profile(None, "assistantbench").name == "assumed"
    assert load_profile(None, "swebench_verified").name == "swe-bench"
    assert load_profile(None, "terminal_bench_2_0").name == "terminal-bench"
    assert load_profile(None, "multi_swe_bench").name == "assumed"
    shipped = (
        "assumed",
        "debian",
        "hal",
        "hal-image",
        "hal-tmpfs",
        "hal-user",
        "offline",
        "swe-bench",
        "terminal-bench",
    )
    assert profile_names() == shipped


@pytest.mark.parametrize("name", ["swe-bench", "terminal-bench"])
def test_an_image_of_each_task_is_not_stood_in_for(name: str) -> None:
    envelope = envelope_for(case_of(), {}, load_profile(name, "x"))
    assert (envelope.user.value, envelope.user.origin) == ("root", "profile")
    assert (envelope.image.origin, envelope.python.origin, envelope.memory_mb.origin) == ("assumed",) * 3


def test_every_value_of_the_assumed_profile_says_so() -> None:
    envelope = envelope_for(case_of(), {}, load_profile(None, "unheard-of"))
    assert {getattr(envelope, name).origin for name in FIELDS} == {"assumed"}
    assert envelope.chosen is None


def test_a_profile_that_somebody_chose_is_never_called_the_benchmark_s_own(tmp_path: Path) -> None:
    corebench = case_of().model_copy(update={"benchmark": "corebench_hard"})
    for name in (None, "hal"):
        told = envelope_for(corebench, {}, load_profile(name, "corebench_hard"))
        assert (told.profile, told.chosen) == ("hal", None)
    assert envelope_for(corebench, {}, load_profile("offline", "corebench_hard")).profile_told == (
        "offline, chosen for this audit (made for this program's tests and demonstration)"
    )
    file = tmp_path / "hal.toml"
    file.write_text('benchmarks = ["corebench_hard"]\nextends = "hal"\n[envelope]\nnetwork = "none"\n')
    mine = envelope_for(corebench, {}, load_profile(str(file), "corebench_hard"))
    assert (mine.profile, mine.chosen) == ("hal", "it names no source")
    assert "We used profile `hal` (it names no source); the real machine may differ." in known_limits(corebench, mine)


def test_a_profile_vouches_for_what_it_states_and_only_that() -> None:
    envelope = envelope_for(case_of(), {}, load_profile("offline", "x"))
    assert (envelope.network.value, envelope.network.origin) == ("none", "profile")
    assert (envelope.sudo.value, envelope.sudo.origin) == (False, "profile")
    assert envelope.seconds.origin == "assumed"
    assert (envelope.interpreter_version.value, envelope.interpreter_version.origin) == (None, "profile")


@pytest.mark.parametrize("network", ["none", "indexes", "task", "open"])
@pytest.mark.parametrize("name", [None, "hal", "offline"])
def test_a_network_that_somebody_chose_stands_for_the_profile_s_and_is_told(name: str | None, network: str) -> None:
    profile = load_profile(name, "unheard-of", network)
    envelope = envelope_for(case_of(), {}, profile)
    assert (envelope.network.value, envelope.network.origin) == (network, "profile")
    assert envelope.seconds == envelope_for(case_of(), {}, load_profile(name, "unheard-of")).seconds
    assert envelope.chosen
    assert "network" in envelope.profile_told


def test_the_profile_in_the_documentation_is_one(tmp_path: Path) -> None:
    page = Path(__file__).parents[3] / "docs" / "profiles.md"
    file = tmp_path / "documented.toml"
    file.write_text(page.read_text(encoding="utf-8").split("```toml\n")[1].split("```")[0], encoding="utf-8")
    profile = load_profile(str(file), "x")
    assert {name for name, value in profile.envelope if value is None} == {"solve_captcha"}
    assert {mount.path for mount in envelope_for(case_of(), {}, profile).mounts.value} == {"/tmp", "/scratch"}


def test_a_profile_from_a_file(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text('name = "mine"\ntitle = "t"\nsource = "s"\n[envelope]\nsudo = true\n', encoding="utf-8")
    profile = load_profile(str(file), "x")
    assert envelope_for(case_of(), {}, profile).sudo.value is True


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (
            'name="m"\ntitle="t"\nsource="s"\n[envelope]\nsudos = true',
            ["envelope.sudos", "known keys", "sudo", "network"],
        ),
        ('name="m"\ntitle="t"\nsource="s"\nuser = "x"\n[envelope]', ["`user`", "known keys", "benchmarks"]),
        ('name="m"\ntitle="t"\nsource="s"\n[envelope]\nnetwork = "some"', ["envelope.network", "'some'"]),
        ('name="m"\ntitle="t"', ["`envelope`", "missing"]),
        ('typo="m"\n[envelope]\nnetwork="wrong"', ["unknown key `typo`"]),
        ("name = \ntitle = 1", ["not valid TOML", "line 1"]),
        ('extends = "hall"\n[envelope]', ["`extends`", "'hall'", "hal-tmpfs"]),
        ('dockerfile = "absent"\n[envelope]', ["`dockerfile`", "'absent'", "correct it"]),
        ('dockerfile = "bad.toml"\n[envelope]\nimage = "x"', ["`dockerfile`", "`image`", "not both"]),
        ('[envelope]\nmounts = [{ path = "/x", flag = ["ro"] }]', ["envelope.mounts.0.flag", "known keys", "flags"]),
        ('[envelope]\nmounts = [{ path = "x", flags = ["ro"] }]', ["envelope.mounts.0.path", "'x'"]),
        ("[envelope]\ncpus = 0", ["envelope.cpus", "0"]),
    ],
)
def test_a_wrong_profile_is_one_sentence_naming_file_and_key(tmp_path: Path, text: str, words: list[str]) -> None:
    file = tmp_path / "bad.toml"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(InputError) as caught:
        load_profile(str(file), "x")
    message = str(caught.value)
    assert str(file) in message
    assert "\n" not in message
    assert all(word in message for word in words), message


def test_an_unknown_name_lists_the_known_ones() -> None:
    with pytest.raises(InputError, match="assumed, debian, hal, hal-image, hal-tmpfs, hal-user, offline"):
        load_profile("ofline", "x")
    with pytest.raises(InputError, match=r"absent\.toml"):
        load_profile("absent.toml", "x")


def test_every_shipped_profile_says_what_it_is_and_where_its_values_are_known_from():
    for name in profile_names():
        profile = load_profile(name, "any")
        assert profile.title
        assert profile.source


def test_every_shipped_profile_but_the_one_with_an_image_of_its_own_stands_on_the_base_image() -> None:
    for name in set(profile_names()) - {"hal-image"}:
        envelope = envelope_for(case_of(), {}, load_profile(name, "any"))
        assert envelope.image.value == "impassable/base"
        assert envelope.dockerfile.value is None


def test_the_public_harness_s_container_is_root_s_and_its_machine_an_ordinary_user_s() -> None:
    container, machine = (envelope_for(case_of(), {}, load_profile(name, "any")) for name in ("hal", "hal-user"))
    assert (container.user.value, container.workdir.value, container.sudo.value) == ("root", "/workspace", False)
    assert (machine.user.value, machine.workdir.value, machine.sudo.value) == ("agent", "/home/agent", True)
    for envelope in (container, machine):
        assert (envelope.interpreter.value, envelope.interpreter.origin) == ("smolagents", "profile")
        assert (envelope.allowed_imports.value, envelope.allowed_imports.origin) == (None, "assumed")
        assert (envelope.python.value, envelope.python.origin) == ("3.12", "profile")


def test_a_docker_tmpfs_is_noexec_unless_it_says_otherwise(tmp_path: Path) -> None:
    envelope = envelope_for(case_of(), {}, load_profile("hal-tmpfs", "any"))
    assert envelope.noexec == ("/tmp",)
    assert (envelope.tmpfs.origin, envelope.mounts.origin) == ("profile", "profile")
    assert envelope_for(case_of(), {}, load_profile("hal", "any")).noexec == ()
    file = tmp_path / "mine.toml"
    tmpfs = '["/tmp:exec,size=1g", "/run", "/x:noexec,ro"]'
    mount = '{ path = "/data", flags = ["ro"] }'
    file.write_text(f"[envelope]\ntmpfs = {tmpfs}\nmounts = [{mount}]\n", encoding="utf-8")
    envelope = envelope_for(case_of(), {}, load_profile(str(file), "any"))
    assert envelope.noexec == ("/run", "/x")
    assert {mount.path: mount.flags for mount in envelope.mounts.value} == {
        "/tmp": ("tmpfs", "nosuid", "nodev"),
        "/run": ("tmpfs", "noexec", "nosuid", "nodev"),
        "/x": ("tmpfs", "noexec", "nosuid", "nodev", "ro"),
        "/data": ("ro",),
    }


def test_a_profile_may_extend_a_shipped_one_and_bring_a_dockerfile(tmp_path: Path) -> None:
    (tmp_path / "Dockerfile").write_text("FROM scratch\n", encoding="utf-8")
    file = tmp_path / "mine.toml"
    file.write_text('extends = "hal"\ndockerfile = "Dockerfile"\n[envelope]\nuser = "me"\n', encoding="utf-8")
    envelope = envelope_for(case_of(), {}, load_profile(str(file), "any"))
    dockerfile = str((tmp_path / "Dockerfile").resolve())
    assert (envelope.dockerfile.value, envelope.image.value, envelope.image.origin) == (dockerfile,) * 2 + ("profile",)
    assert (envelope.user.value, envelope.workdir.value, envelope.workdir.origin) == ("me", "/workspace", "profile")
    assert envelope.memory_mb.origin == "assumed"


def test_a_file_may_state_one_value_and_leave_the_rest_to_the_assumptions(tmp_path):
    path = tmp_path / "mine.toml"
    path.write_text('[envelope]\nnetwork = "none"\n')
    profile = load_profile(str(path), "any")
    assert (profile.name, profile.envelope.network, profile.envelope.sudo) == ("mine", "none", None)


def test_the_harness_s_own_container_is_shipped_as_a_dockerfile_of_its_own() -> None:
    envelope = envelope_for(case_of(), {}, load_profile("hal-image", "corebench_hard"))
    dockerfile = Path(str(envelope.dockerfile.value))
    assert dockerfile.is_absolute()
    assert [entry.name for entry in dockerfile.parent.iterdir()] == [
        "Dockerfile"
    ]  # the whole folder is sent to the engine
    assert envelope.user.value == "root"
    assert envelope.workdir.value == "/workspace"
