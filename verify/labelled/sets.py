"""A labelled set: a folder with `set.toml`, its worlds and what was recorded of them."""

import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from fnmatch import fnmatch
from functools import cached_property
from pathlib import Path
from typing import Any, TypeVar

from pydantic import BaseModel, Field, ValidationError

from cases import InputError
from cases.sentences import Sentences
from verify.labelled.formats import check_format
from verify.labelled.policies import Policy
from verify.labelled.world import Recording, Strict, World

say = Sentences(__name__)

SET, POLICIES, WORLDS, RECORDED = "set.toml", "policies.toml", "worlds", "recorded"
M = TypeVar("M", bound=BaseModel)


class Base(Strict):
    """What worlds may be built on beside the base image: a folder whose `build.sh` root runs there."""

    folder: str
    """Relative to the set."""
    path: str = ""
    """Put before PATH."""


class About(Strict):
    """`set.toml`."""

    title: str
    source: str
    """Who made it, and how its truth is known."""
    bases: dict[str, Base] = Field(default_factory=dict)


@dataclass(frozen=True)
class LabelledSet:
    """One folder; its files are read when they are first asked for."""

    folder: Path

    @cached_property
    def about(self) -> About:
        """What the set says of itself.

        Raises:
            InputError: the folder is no labelled set, or `set.toml` is wrong.
        """
        path = self.folder / SET
        if not path.is_file():
            raise InputError(say("labelled.sets.no_labelled_set_id", folder=self.folder, set=SET, worlds=WORLDS))
        return _parsed(About, _toml(path), path)

    @cached_property
    def policies(self) -> dict[str, Policy]:
        """Its scripted agents by name.

        Raises:
            InputError: one is wrong.
        """
        path = self.folder / POLICIES
        raw = _toml(path) if path.is_file() else {}
        return {name: _parsed(Policy, entry, path) for name, entry in raw.items()}

    def worlds(self, only: Sequence[str] = ()) -> tuple[World, ...]:
        """All, or those whose ids match a name or pattern, in the order of their ids.

        Raises:
            InputError: a file is wrong, or nothing has such an id; names it.
        """
        _ = self.about
        paths = {path.stem: path for path in sorted((self.folder / WORLDS).glob("*.toml"))}
        if lost := [name for name in only if not any(fnmatch(one, name) for one in paths)]:
            raise InputError(say("labelled.sets.no_world_id", world=lost[0], folder=self.folder))
        chosen = [one for one in paths if not only or any(fnmatch(one, name) for name in only)]
        return tuple(self._world(name, paths) for name in chosen)

    def recording(self, world: World) -> Recording | None:
        """What was recorded of the world as it is now; None when nothing was.

        Raises:
            InputError: it is damaged.
        """
        path = self.recorded / f"{world.id}.json"
        if not path.is_file():
            return None
        try:
            found = Recording.model_validate_json(path.read_text("utf-8"))
        except ValidationError as error:
            raise InputError(say("labelled.sets.record_again", path=path, error=_first(error))) from None
        return found if found.digest == world.digest else None

    @property
    def recorded(self) -> Path:
        """The folder of recordings."""
        return self.folder / RECORDED

    def _world(self, name: str, paths: dict[str, Path]) -> World:
        raw = _toml(paths[name])
        if like := raw.pop("like", None):
            if like not in paths or "like" in (origin := _toml(paths[like])):
                raise InputError(say("labelled.sets.like_no_world_own", path=paths[name], like=like))
            raw = origin | raw
        world = _parsed(World, {"id": name} | raw, paths[name])
        check_format(world)
        if world.base != "plain" and world.base not in self.about.bases:
            raise InputError(say("labelled.sets.base_not_add", path=paths[name], base=world.base, set=SET))
        if world.policy is not None and world.policy not in self.policies:
            raise InputError(
                say("labelled.sets.policy_not_add", path=paths[name], policy=world.policy, policies=POLICIES)
            )
        return world


def _toml(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text("utf-8"))
    except (OSError, ValueError) as error:
        raise InputError(say("labelled.sets.correct", path=path, error=error)) from None


def _parsed(model: type[M], raw: dict[str, Any], path: Path) -> M:
    try:
        return model.model_validate(raw)
    except ValidationError as error:
        raise InputError(say("labelled.sets.correct", path=path, error=_first(error))) from None


def _first(error: ValidationError) -> str:
    wrong = error.errors()[0]
    return f"{'.'.join(map(str, wrong['loc'])) or 'the whole'}: {wrong['msg']}"
