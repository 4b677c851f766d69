"""Symbolic links in folders that others have made: which of them lead out, and are not followed."""

from pathlib import Path


def leads_out(path: Path, root: Path) -> bool:
    """Whether a path is somewhere else than below `root`, seen through all links.

    A snapshot in a hub's cache is made of links into the cache's own blobs; these lead nowhere else.
    """
    real, top = path.resolve(), root.resolve()
    return not real.is_relative_to(top) and not any(real.is_relative_to(blobs) for blobs in _blobs(top))


def _blobs(top: Path) -> list[Path]:
    caches = (folder.parent for folder in top.parents if folder.name == "snapshots")
    return [cache / "blobs" for cache in caches if "--" in cache.name]
