"""What `mutants.toml` names is there: code, functions, tests, and the lines of explained mutants."""

import ast

import pytest

from .plan import ROOT, Explained, Module, plan


@pytest.mark.parametrize("module", plan().module, ids=lambda module: module.path)
def test_a_module_its_functions_and_its_tests_are_there(module: Module) -> None:
    tree = ast.parse((ROOT / module.path).read_text("utf-8"))
    functions = {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)}
    assert set(module.only) <= functions
    assert module.tests
    assert all((ROOT / path).is_file() for path in module.tests)


def test_every_module_is_named_once() -> None:
    paths = [module.path for module in plan().module]
    assert len(paths) == len(set(paths))


@pytest.mark.parametrize("entry", plan().explained, ids=lambda entry: entry.line[:40])
def test_an_explained_mutant_s_line_is_still_there(entry: Explained) -> None:
    lines = [line.strip() for line in (ROOT / entry.module).read_text("utf-8").splitlines()]
    assert any(entry.fits(line, entry.becomes) for line in lines)
    assert entry.becomes != entry.line
    assert entry.module in {module.path for module in plan().module}
