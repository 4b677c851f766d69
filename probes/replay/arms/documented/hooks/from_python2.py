# Python 2 as Python 3: what 2to3 does, and its divisions of integers and tabs of eight columns as they were.
import ast, io, pathlib, re, sys, tokenize
from lib2to3.refactor import RefactoringTool, get_fixers_from_package

HELPERS = (
    "def _div(a, b):\n"
    "    whole = lambda one: isinstance(one, int) or getattr(getattr(one, 'dtype', None), 'kind', '') in ('i', 'u', 'b')\n"
    "    if hasattr(type(a), '__div__'): return a.__div__(b)\n"
    "    return a // b if whole(a) and whole(b) else a / b\n"
    "def _idiv(a, b):\n"
    "    if isinstance(a, int) and isinstance(b, int): return a // b\n"
    "    a /= b\n"
    "    return a\n"
)
DIVIDES = re.compile(r"(?m)^from __future__ import (?:\([^)]*\bdivision\b|(?:.|\\\n)*\bdivision\b)")
OTHERWISE = re.compile(r"\b(?:round|eval|execfile)\s*\(|\bexec\b|\bseed\s*\(|\bRandom\s*\(")
tool = RefactoringTool(get_fixers_from_package("lib2to3.fixes"))


def read(path):
    data = path.read_bytes()
    try:
        coding = tokenize.detect_encoding(io.BytesIO(data).readline)[0]
        return data.decode(coding), coding
    except (SyntaxError, UnicodeDecodeError):
        return data.decode("latin-1"), "latin-1"


def is_old(text):
    try:
        ast.parse(text)
    except (SyntaxError, ValueError):
        return True


def spans(text):
    lines = [0]
    for line in text.encode().splitlines(True):
        lines.append(lines[-1] + len(line))
    return lambda line, column: lines[line - 1] + column


def divided(text):
    tree, at, data, edits = ast.parse(text), spans(text), text.encode(), []
    for node in ast.walk(tree):
        if not isinstance(getattr(node, "op", None), ast.Div):
            continue
        one, two = (node.left, node.right) if isinstance(node, ast.BinOp) else (node.target, node.value)
        start, end = at(node.lineno, node.col_offset), at(node.end_lineno, node.end_col_offset)
        left, right = at(one.end_lineno, one.end_col_offset), at(two.lineno, two.col_offset)
        sign = data.index(b"/", left, right)
        if isinstance(node, ast.BinOp):
            edits += [(start, 0, b"_div("), (sign, 1, b","), (end, 0, b")")]
        else:
            target = data[start:left]
            edits += [(sign, 2, b"= _idiv(" + target + b","), (end, 0, b")")]
    for place, size, new in sorted(edits, key=lambda edit: -edit[0]):
        data = data[:place] + new + data[place + size :]
    first = next((one for one in tree.body if not is_heading(one)), None)
    place = (
        at(min([first.lineno, *(one.lineno for one in getattr(first, "decorator_list", ()))]), 0)
        if first
        else len(data)
    )
    return (data[:place] + HELPERS.encode() + data[place:]).decode()


def is_heading(one):
    said = isinstance(one, ast.Expr) and isinstance(getattr(one.value, "value", None), str)
    return said or (isinstance(one, ast.ImportFrom) and one.module == "__future__")


def scopes(tree):
    for scope in ast.walk(tree):
        if isinstance(scope, (ast.Module, ast.FunctionDef)):
            yield scope


def leaks(text):
    # A list comprehension variable is read behind it, where Python 2 still has it.
    for scope in scopes(ast.parse(text)):
        events, inside = [], set()
        for node in ast.walk(scope):
            if isinstance(node, (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)):
                inside.update(map(id, ast.walk(node)))
        for node in ast.walk(scope):
            if isinstance(node, ast.ListComp):
                named = [one for part in node.generators for one in ast.walk(part.target) if isinstance(one, ast.Name)]
                events += [((node.end_lineno, node.end_col_offset), "made", one.id) for one in named]
            elif isinstance(node, ast.Name) and id(node) not in inside:
                kind = "read" if isinstance(node.ctx, ast.Load) else "bound"
                events.append(((node.lineno, node.col_offset), kind, node.id))
        made = set()
        for _, kind, name in sorted(events):
            if kind == "read" and name in made:
                return True
            made = made | {name} if kind == "made" else made - {name} if kind == "bound" else made
    return False


def imported(text):
    return set(re.findall(r"(?m)^\s*(?:from|import)\s+\.?([A-Za-z_]\w*)", text))


def main(paths):
    read_all = {path: read(path) for path in paths}
    old = {path for path, (text, _) in read_all.items() if is_old(text)}
    while more := {
        path
        for path in read_all
        if path not in old and any(path.stem in imported(read_all[one][0]) and path.parent == one.parent for one in old)
    }:
        old |= more
    if any(OTHERWISE.search(read_all[path][0]) for path in old):
        return sys.exit("this code may reckon otherwise in Python 2")
    for path in old:
        text, coding = read_all[path]
        plain = re.sub(r"(?m)^[ \t]+", lambda found: found[0].expandtabs(8), text) if is_old(text) else text
        try:
            new = str(tool.refactor_string(plain.rstrip() + "\n", str(path)))
            if leaks(new):
                continue
            path.write_bytes((new if DIVIDES.search(text) else divided(new)).encode(coding))
        except Exception as error:
            print(path, error, file=sys.stderr)


main(list(map(pathlib.Path, sys.argv[1:])))
