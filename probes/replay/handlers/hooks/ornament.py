"""Stands for a module that only shows progress or colours, or takes notes: what it is given comes back as it was."""

import sys

_PARTS = ("auto", "notebook", "asyncio", "std", "contrib", "contrib.concurrent", "contrib.logging", "rich", "gui", "utils", "ansi")


class _Nothing:
    def __init__(self, things=()):
        self._things = things

    def __iter__(self):
        return iter(self._things)

    def __len__(self):
        return len(self._things)

    def __call__(self, *given, **named):
        for one in (*given, named.get("iterable")):
            if isinstance(one, str):
                return one
            if hasattr(one, "__iter__"):
                return _Nothing(one)
        return _Nothing()

    def __enter__(self):
        return self

    def __exit__(self, *failure):
        return False

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return _Nothing()

    def __str__(self):
        return ""

    def __format__(self, form):
        return ""

    def __add__(self, other):
        return other

    __radd__ = __add__


def trange(*given, **named):
    return _Nothing(range(*given))


def __getattr__(name):
    if name.startswith("__"):
        raise AttributeError(name)
    return _Nothing()


__path__ = []
for _part in _PARTS:
    sys.modules[f"{__name__}.{_part}"] = sys.modules[__name__]
