# Python 2 as Python 3: what 2to3 does, and its divisions of integers and tabs of eight columns as they were.
import ast, io, pathlib, re, sys, tokenize
from lib2to3.refactor import RefactoringTool, get_fixers_from_package

HELPERS = (
    "def _div(a, b): return a // b if isinstance(a, int) and isinstance(b, int) else a / b\n"
    "def _idiv(a, b):\n    if isinstance(a, int) and isinstance(b, int): return a // b\n    a /= b\n    return a\n"
)
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


for path in map(pathlib.Path, sys.argv[1:]):
    try:
        text, coding = read(path)
        old = is_old(text)
        whole = old and not re.search(r"(?m)^from __future__ import .*\bdivision\b", text)
        if old:
            text = re.sub(r"(?m)^[ \t]+", lambda found: found[0].expandtabs(8), text)
        new = str(tool.refactor_string(text.rstrip() + "\n", str(path)))
        try:
            new = divided(new) if whole else new
        except (SyntaxError, ValueError, AttributeError):
            pass
        path.write_bytes(new.encode(coding))
    except Exception as error:
        print(path, error, file=sys.stderr)
