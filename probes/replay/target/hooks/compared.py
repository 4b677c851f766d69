# Tells which calls of a project's functions unittest's assertEqual compares, with what, and in which state they were made.
import atexit, hashlib, json, locale, math, os, pickle, sys, threading, unittest
from decimal import Decimal
from fractions import Fraction

HOME = os.path.realpath(os.environ["COMPARED_IN"])
TO = os.environ["COMPARED_TO"]
MOST = 4000
OF_UNITTEST = ("_classSetupFailed", "_class_cleanups", "tearDown_exceptions")  # its notes at a class of tests that it runs
PLAIN = (str, int, float, bool, bytes, type(None))
returned, begun, told = [], {}, []


def ours(path):
    path = os.path.realpath(path)
    return path.startswith(HOME + os.sep) and "site-packages" not in path and "dist-packages" not in path


def of_checks(path):
    return "test" in path[len(HOME):].lower()


def plain(value, depth=0):
    if isinstance(value, PLAIN):
        return True
    if isinstance(value, (list, tuple, set, frozenset)):
        return depth < 4 and len(value) < 200 and all(plain(one, depth + 1) for one in value)
    if isinstance(value, dict):
        return depth < 4 and len(value) < 200 and all(plain(k, 4) and plain(v, depth + 1) for k, v in value.items())
    return type(value).__module__ in ("decimal", "fractions", "datetime", "uuid") and depth < 5


def shown(value):
    return "%s %r" % (type(value).__name__, value)


def meant(value):
    """The same for values that are equal, whatever their types."""
    if isinstance(value, (int, float, Decimal, Fraction)):
        return "number %s" % (Fraction(value) if math.isfinite(value) else value)
    if isinstance(value, (list, tuple)):
        return "%s %s" % (type(value).__name__, [meant(one) for one in value])
    if isinstance(value, (set, frozenset)):
        return "set %s" % sorted(meant(one) for one in value)
    if isinstance(value, dict):
        return "dict %s" % sorted((meant(key), meant(one)) for key, one in value.items())
    return shown(value)


def packed(value):
    try:
        return pickle.dumps(value)
    except Exception:
        return repr(value)


def filled(cell):
    try:
        cell.cell_contents
    except ValueError:
        return False
    return True


def reads_arguments(path, known={}):
    if path not in known:
        try:
            with open(path, "rb") as source:
                known[path] = b"argv" in source.read()
        except OSError:
            known[path] = True
    return known[path]


def heard(event, given):
    if event.partition(".")[0] in ("open", "os", "socket", "sqlite3", "subprocess", "shutil", "ctypes"):
        for one in begun.values():
            one[1] = True


def state():
    """What a function may read besides what it is given."""
    seen = [sorted(os.environ.items()), os.getcwd(), locale.setlocale(locale.LC_ALL), sys.flags.optimize]
    for name, module in sorted(sys.modules.items()):
        path = getattr(module, "__file__", None) or ""
        if module is None or not ours(path):
            continue
        seen.append((name, path, sys.argv if reads_arguments(path) else ""))
        for key, value in sorted(vars(module).items()):
            if key.startswith("__"):
                continue
            if callable(value):
                code = getattr(value, "__code__", None)
                kept = [cell.cell_contents for cell in getattr(value, "__closure__", None) or () if filled(cell)]
                kept += [getattr(value, "__defaults__", None), getattr(value, "__kwdefaults__", None)]
                kept += [getattr(value, "__dict__", None)] if code else [value]
                seen.append((name, key, getattr(value, "__module__", ""), getattr(code, "co_firstlineno", 0), type(value).__name__))
                seen.append(packed(kept))
                if isinstance(value, type):
                    seen += [(name, key, one, repr(kept)) for one, kept in sorted(vars(value).items()) if plain(kept) and one not in OF_UNITTEST]
            else:
                seen.append((name, key, packed(value)))
    return hashlib.sha256(repr(seen).encode("utf-8", "replace")).hexdigest()


def profile(frame, event, value):
    if event == "call":
        caller, code = frame.f_back, frame.f_code
        if caller is None or len(returned) > MOST or code.co_name.startswith("<"):
            return
        if not ours(code.co_filename) or of_checks(os.path.realpath(code.co_filename)):
            return
        if not ours(caller.f_code.co_filename) or not of_checks(os.path.realpath(caller.f_code.co_filename)):
            return
        names = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount + bool(code.co_flags & 4) + bool(code.co_flags & 8)]
        given = [(name, frame.f_locals[name]) for name in names if name in frame.f_locals]
        if names[:1] in (("self",), ("cls",)) or not given or not all(plain(one) for _, one in given):
            return
        call = (os.path.realpath(code.co_filename), code.co_firstlineno, code.co_name, [(name, shown(one)) for name, one in given], state())
        begun[id(frame)] = [call, False]
    elif event == "return" and id(frame) in begun:
        call, impure = begun.pop(id(frame))
        if not impure:
            returned.append((value, call, frame.f_back))


def watched(compare):
    def assertEqual(self, first, second, *rest, **named):
        note(self, first, second, sys._getframe(1))
        return compare(self, first, second, *rest, **named)

    return assertEqual


def note(case, first, second, frame):
    test = getattr(type(case), getattr(case, "_testMethodName", ""), None)
    if getattr(test, "__unittest_expecting_failure__", False) or getattr(type(case), "__unittest_expecting_failure__", False):
        return
    for got, want in ((first, second), (second, first)):
        calls = [call for value, call, caller in returned if value is got and caller is frame]
        kinds = {json.dumps(call) for call in calls}
        if len(kinds) == 1 and plain(want):
            told.append({"call": calls[-1], "want": meant(want), "path": os.path.realpath(frame.f_code.co_filename), "line": frame.f_lineno})


def end():
    try:
        with open(TO, "a") as to:
            for one in told[:MOST]:
                to.write(json.dumps(one) + "\n")
    except Exception:
        pass


if hasattr(sys, "addaudithook"):
    unittest.TestCase.assertEqual = watched(unittest.TestCase.assertEqual)
    sys.addaudithook(heard)
    sys.setprofile(profile)
    threading.setprofile(profile)
    atexit.register(end)
