"""Taking the plain data out of a pickle without loading any class or running any of its code."""

import io
import pickle
from pathlib import Path
from typing import Any

from cases.errors import InputError
from cases.readers.streams import opened
from cases.sentences import Sentences

say = Sentences(__name__)

LARGEST = 256 * 1024 * 1024


class Inert:
    """Stands for an object of whatever class; keeps the state that it would have been given."""

    state: dict[str, Any]

    def __new__(cls, *_: object, **__: object) -> "Inert":
        """Take any arguments."""
        made = super().__new__(cls)
        made.state = {}
        return made

    def __init__(self, *_: object, **__: object) -> None:
        """Take any arguments."""

    def __setstate__(self, state: object) -> None:
        """Keep a mapping, or the second part of a pair of mappings."""
        parts = state if isinstance(state, tuple) else (state,)
        for part in parts:
            if isinstance(part, dict):
                self.state.update({key: value for key, value in part.items() if isinstance(key, str)})

    def append(self, _: object) -> None:
        """Lists of other classes are not kept."""

    def extend(self, _: object) -> None:
        """As `append`."""

    def __setitem__(self, key: object, value: object) -> None:
        """Keep an entry of a mapping of another class."""
        if isinstance(key, str):
            self.state[key] = value


class _Unpickler(pickle._Unpickler):
    """The one in Python: the one in C reserves memory for whatever number a hostile file names."""

    def find_class(self, _module: str, _name: str) -> type[Inert]:
        return Inert


def unpickled(path: Path) -> object:
    """The pickled value, its objects as `Inert`.

    Raises:
        InputError: the file is damaged or too large.
    """
    with opened(path) as stream:
        raw = stream.read(LARGEST + 1)
    if len(raw) > LARGEST:
        raise InputError(say("pickles.pickle_too_large_step", path=path))
    try:
        value: object = _Unpickler(io.BytesIO(raw)).load()
    except Exception as error:
        raise InputError(say("pickles.pickle_cannot_read_leave", path=path, name=type(error).__name__)) from error
    return value
