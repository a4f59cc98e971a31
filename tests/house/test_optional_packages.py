"""`make test` needs what the extra `test` brings: whatever needs more is skipped with a reason."""

from __future__ import annotations

import ast
import re
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest
from house.statements import within

HOUSE = Path(__file__).parents[2]
TESTS = HOUSE / "tests"
DOCS = {path.stem: path for path in (HOUSE / "docs").glob("*.py")}
OWN = {"eomc", "eomc_published", "benchmarks", *DOCS, *(path.stem for path in TESTS.iterdir())}
MODULES = {"pycollada": "collada", "python-flint": "flint", "scikit-sundae": "sksundae"}
"""Modules that are not called as their distributions are."""
BROUGHT = {"PIL": "matplotlib"}
"""Modules that come with another package, which cannot do without."""


def declared() -> set[str]:
    """Modules of the packages that `pip install -e '.[test]'` is asked for."""
    project = tomllib.loads((HOUSE / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    wanted = project["dependencies"] + project["optional-dependencies"]["test"]
    names = {re.split(r"[<>=!~\[; ]", entry)[0].lower() for entry in wanted}
    brought = {module for module, by in BROUGHT.items() if by in names}
    return {MODULES.get(name, name.replace("-", "_")) for name in names} | brought


def imported(tree: ast.AST) -> Iterator[str]:
    """Full names of the modules that are imported in it, also inside functions."""
    for node in within(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module is not None:
            yield node.module


def skipped_without(tree: ast.AST) -> set[str]:
    """Packages without which the file skips its tests: ``pytest.importorskip("package")``."""
    return {
        str(ast.literal_eval(node.args[0])).partition(".")[0]
        for node in ast.walk(tree)
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr == "importorskip"
        and isinstance(node.args[0], ast.Constant)
    }


def lacking(text: str, allowed: set[str]) -> set[str]:
    """Packages that a file imports, that nobody promised, and that it does not ask for first."""
    tree = ast.parse(text)
    tops = {name.partition(".")[0] for name in imported(tree)}
    asked = skipped_without(tree) if "importorskip" in text else set()
    return tops - allowed - asked - set(sys.stdlib_module_names) - OWN


def followed(path: Path) -> set[Path]:
    """Files of the folders `benchmarks` and `docs` that are imported with this one."""
    found, left = set[Path](), [path]
    while left:
        tree = ast.parse(left.pop().read_text(encoding="utf-8"))
        top = ast.Module([node for node in tree.body if not isinstance(node, ast.FunctionDef)], [])
        files = {HOUSE / (n.replace(".", "/") + ".py") for n in imported(top) if "benchmarks." in n}
        files |= {DOCS[name] for name in imported(top) if name in DOCS}
        left += files - found
        found |= files
    return found


def test_tests_import_what_the_extra_test_brings() -> None:
    files = sorted(TESTS.rglob("*.py"))
    files += sorted(set[Path]().union(*map(followed, files)))
    allowed = declared()
    found = {
        str(path.relative_to(HOUSE)): names
        for path in files
        if (names := lacking(path.read_text(encoding="utf-8"), allowed))
    }
    assert not found, "not in the extra `test`: import by pytest.importorskip"


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("import casadi", {"casadi"}),
        ("import pytest\n\ndef test() -> None:\n    from jax import numpy", {"jax"}),
        ("import pytest\npytest.importorskip('pydy.codegen')\nimport pydy", set()),
        (
            "import os, numpy.linalg, sksundae, flint, PIL\nfrom small_programs import pendulum",
            set(),
        ),
    ],
)
def test_what_is_lacking(text: str, names: set[str]) -> None:
    assert lacking(text, declared()) == names
