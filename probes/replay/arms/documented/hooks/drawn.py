# A stand-in for modules that draw, which ends a program that uses what comes of drawing.
import importlib.abc, importlib.machinery, os, sys


def refuse(*given):
    sys.stdout.flush()
    sys.stderr.write("what is drawn tells nothing\n")
    sys.stderr.flush()
    os._exit(1)


class Drawn:
    def __init__(self, *parts):
        self._parts = parts

    def __call__(self, *given, **named):
        if any(callable(one) and not isinstance(one, Drawn) for one in (*given, *named.values())):
            refuse()
        return Drawn()

    def __mro_entries__(self, bases):
        refuse()

    def __getattr__(self, name):
        if name in ("load_dataset", "data", "sampledata", "get_fignums", "fignum_exists"):
            refuse()
        if name.startswith("__"):
            raise AttributeError(name)
        return self if name in ("flat", "flatten", "ravel") and self._parts else Drawn()

    def __getitem__(self, key):
        return Drawn() if self._parts else refuse()

    def __setitem__(self, key, value):
        pass

    def __iter__(self):
        return iter(self._parts) if self._parts else refuse()

    def __enter__(self):
        return self

    def __exit__(self, *failure):
        return False


for _name in "str repr float int index bool array len contains eq ne lt gt le ge hash add radd sub rsub mul rmul truediv rtruediv neg round format".split():
    setattr(Drawn, f"__{_name}__", refuse)


def subplots(nrows=1, ncols=1, **named):
    rows = [Drawn(*(Drawn() for _ in range(ncols))) if ncols > 1 else Drawn() for _ in range(nrows)]
    return Drawn(), Drawn(*rows) if nrows > 1 else rows[0]


class Finder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    def find_spec(self, name, path=None, target=None):
        top, _, rest = name.partition(".")
        if top in MODULES and rest not in ("data", "sampledata"):
            return importlib.machinery.ModuleSpec(name, self, is_package=True)

    def exec_module(self, module):
        module.subplots = subplots
        module.__getattr__ = lambda name: getattr(Drawn(), name)


MODULES = "matplotlib mpl_toolkits pylab seaborn plotly bokeh altair pygal plotnine".split()
sys.meta_path.append(Finder())
