"""The kinds of barriers that can be replayed: one file a kind, each saying how."""

from probes.model import Barrier
from probes.replay.kinds.apt import Apt
from probes.replay.kinds.base import Kind
from probes.replay.kinds.command import Command
from probes.replay.kinds.conda import Conda
from probes.replay.kinds.crash import Crash
from probes.replay.kinds.disk_full import DiskFull
from probes.replay.kinds.harness import Harness
from probes.replay.kinds.header import Header
from probes.replay.kinds.import_ban import ImportBan
from probes.replay.kinds.missing_data import MissingData
from probes.replay.kinds.module import Module
from probes.replay.kinds.network import Network
from probes.replay.kinds.path import Path
from probes.replay.kinds.pip import Pip
from probes.replay.kinds.r_package import RPackage

KINDS: tuple[Kind, ...] = (
    Module(),
    Command(),
    Header(),
    Pip(),
    Path(),
    Conda(),
    RPackage(),
    Apt(),
    ImportBan(),
    Network(),
    Harness(),
    Crash(),
    DiskFull(),
    MissingData(),
)


def kind_of(barrier: Barrier) -> Kind | None:
    """The kind that replays this barrier; None when none does."""
    return next((kind for kind in KINDS if barrier in kind.barriers), None)


__all__ = ["KINDS", "Kind", "kind_of"]
