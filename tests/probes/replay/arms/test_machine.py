"""What a container gets of what is known of the run's machine."""

from contextlib import AsyncExitStack
from pathlib import Path

import pytest

from cases import Events
from probes import Envelope, Settings
from probes.model import Mount, Value
from probes.replay.arms.machine import image_name, outermost, unmentioned
from tests.probes.replay.made import context


@pytest.fixture
def envelope(tmp_path: Path) -> Envelope:
    return context(tmp_path, "offline", Events(), AsyncExitStack(), Settings()).envelope


@pytest.mark.parametrize(
    ("paths", "left"),
    [
        (("/a", "/a/b"), ("/a",)),
        (("/a/b", "/a"), ("/a",)),
        (("/a/", "/a/b/c"), ("/a/",)),
        (("/a", "/ab"), ("/a", "/ab")),
        (("/", "/a"), ("/",)),
        (("/a", "/b"), ("/a", "/b")),
        ((), ()),
    ],
)
def test_nothing_is_mounted_below_what_is_read_only_already(paths: tuple[str, ...], left: tuple[str, ...]) -> None:
    assert outermost(paths) == left


def test_a_mount_on_which_nothing_runs_is_made_once(envelope: Envelope) -> None:
    mounts = tuple(
        Mount(path=path, flags=flags) for path, flags in (("/x", ("noexec",)), ("/t", ("noexec",)), ("/y", ()))
    )
    observed = {
        "tmpfs": Value[tuple[str, ...]](value=("/t:noexec,mode=1777",), origin="profile"),
        "mounts": Value[tuple[Mount, ...]](value=mounts, origin="observed"),
    }
    assert unmentioned(envelope.model_copy(update=observed)) == ("/x:mode=1777",)


def test_a_file_that_an_image_is_built_from_outweighs_an_image_s_name(envelope: Envelope) -> None:
    assert image_name(envelope) == envelope.image.value
    built = Value[str | None](value="/task/Dockerfile", origin="profile")
    assert image_name(envelope.model_copy(update={"dockerfile": built})).endswith("/task/Dockerfile")
    assert image_name(envelope.model_copy(update={"dockerfile": built})) != "/task/Dockerfile"
