"""Gives libraries back the names that they dropped, as they are imported; Python starts it by its name, sitecustomize."""

import importlib
import importlib.util
import sys
import warnings

NAMES = {}
MOVED = {}


def _restore(module):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for old, new in NAMES.get(module.__name__, {}).items():
            if not hasattr(module, old):
                try:
                    setattr(module, old, _named(new))
                except (ImportError, AttributeError):
                    pass


def _named(path):
    place, _, name = path.rpartition(".")
    if not place:
        return importlib.import_module(path)
    try:
        return getattr(importlib.import_module(place), name)
    except (ImportError, AttributeError):
        pass
    try:
        return importlib.import_module(path)
    except ImportError:
        return getattr(_named(place), name)


class _Elsewhere:
    def __init__(self, path):
        self.path = path

    def create_module(self, spec):
        return None

    def exec_module(self, module):
        sys.modules[module.__name__] = importlib.import_module(self.path)


class _Finder:
    def find_spec(self, name, path=None, target=None):
        if name not in NAMES and name not in MOVED:
            return None
        sys.meta_path.remove(self)
        try:
            found = importlib.util.find_spec(name)
        except (ImportError, ValueError):
            found = None
        finally:
            sys.meta_path.insert(0, self)
        if found is None and name in MOVED:
            return importlib.util.spec_from_loader(name, _Elsewhere(MOVED[name]), is_package=True)
        if found is not None and name in NAMES and hasattr(found.loader, "exec_module"):
            run = found.loader.exec_module

            def exec_module(module):
                run(module)
                _restore(module)

            found.loader.exec_module = exec_module
        return found


sys.meta_path.insert(0, _Finder())
for _module in list(sys.modules.values()):
    if getattr(_module, "__name__", None) in NAMES:
        _restore(_module)
