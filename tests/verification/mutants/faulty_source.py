"""A mutant in place of the sound source, in a process that may have imported that already.

To import all that derives and emits takes longer than to verify a small model. So a fault inside a
function changes the code of that function where it is; only what passes while modules are imported
(tables, defaults, decorators) is imported anew.
"""

from __future__ import annotations

import ast
import gc
import importlib.util
import sys
from collections.abc import Iterator, Sequence
from functools import cache
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, SourceFileLoader
from pathlib import Path
from string import Template
from types import CodeType, FunctionType, ModuleType
from typing import Any

from verification.mutants.mutant import ROOT, Mutant, source_file

_ANEW = ("eomc", "verification.witnesses", "verification.mutants.models", "constraints")
Place = tuple[str, int]
"""File and first line of a function."""


class _Loader(SourceFileLoader):
    def __init__(self, mutant: Mutant) -> None:
        super().__init__(mutant.module, str(ROOT / mutant.file))
        self.text = mutant.text()

    def get_code(self, fullname: str) -> CodeType:
        return compile(self.text, self.path, "exec")


class _Finder(MetaPathFinder):
    def __init__(self, mutant: Mutant) -> None:
        self.mutant = mutant

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if fullname != self.mutant.module:
            return None
        loader = _Loader(self.mutant)
        inside = [str((ROOT / self.mutant.file).parent)]
        return importlib.util.spec_from_file_location(
            fullname,
            loader.path,
            loader=loader,
            submodule_search_locations=inside if loader.path.endswith("__init__.py") else None,
        )


def put(mutant: Mutant, at_import: set[Place]) -> None:
    """Let this process compute with the mutant wherever it would with the sound source.

    at_import : functions that are called while modules are imported
    """
    if mutant.file.startswith("codegen/templates/"):
        _put_template(mutant)
    if not mutant.file.endswith(".py"):
        _put_text(mutant)
        return
    line = function_around(mutant)
    functions = live_functions().get((mutant.file, line), []) if line else []
    if functions and (mutant.file, line) not in at_import:
        faulty = {code.co_qualname: code for code in _codes(mutant) if code.co_firstlineno == line}
        if all(function.__code__.co_qualname in faulty for function in functions):
            for function in functions:
                function.__code__ = faulty[function.__code__.co_qualname]
            return
    for name in [name for name in sys.modules if name.split(".")[0] == "eomc"]:
        del sys.modules[name]
    for name in [name for name in sys.modules if name.startswith(_ANEW)]:
        del sys.modules[name]
    sys.meta_path.insert(0, _Finder(mutant))


def _put_template(mutant: Mutant) -> None:
    from eomc.codegen.templates import template

    plain, name = template._template, mutant.file.rpartition("/")[2]
    faulty = Template(mutant.text())
    template._template = lambda asked: faulty if asked == name else plain(asked)  # type: ignore[assignment]


def _put_text(mutant: Mutant) -> None:
    """Whoever reads the file from now on reads the fault."""
    place, text = ROOT / mutant.file, mutant.text()
    plain, plain_bytes = Path.read_text, Path.read_bytes

    def read_text(path: Path, *args: Any, **options: Any) -> str:
        return text if path == place else plain(path, *args, **options)

    def read_bytes(path: Path) -> bytes:
        return text.encode() if path == place else plain_bytes(path)

    Path.read_text, Path.read_bytes = read_text, read_bytes  # type: ignore[method-assign]


@cache
def live_functions() -> dict[Place, list[FunctionType]]:
    """All functions of our rooms that no function made, by place."""
    found: dict[Place, list[FunctionType]] = {}
    for thing in gc.get_objects():
        if type(thing) is not FunctionType or "<locals>" in thing.__code__.co_qualname:
            continue
        if file := source_file(thing.__code__.co_filename):
            found.setdefault((file, thing.__code__.co_firstlineno), []).append(thing)
    return found


def function_around(mutant: Mutant) -> int | None:
    """First line, as its code knows it, of the outermost function with the place in its body."""
    starts = _starts(mutant.file)
    for first, begin, end in _bodies(mutant.file):
        begins, ends = (starts[line - 1] + column for line, column in (begin, end))
        if begins <= mutant.start < ends:
            return first
    return None


@cache
def _starts(file: str) -> list[int]:
    starts = [0]
    for line in (ROOT / file).read_bytes().splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    return starts


@cache
def _bodies(file: str) -> list[tuple[int, tuple[int, int], tuple[int, int]]]:
    return list(_outermost(ast.parse((ROOT / file).read_bytes())))


def _outermost(node: ast.AST) -> Iterator[tuple[int, tuple[int, int], tuple[int, int]]]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.FunctionDef):
            first = min([child.lineno, *(place.lineno for place in child.decorator_list)])
            begin, end = child.body[0], child.body[-1]
            assert end.end_lineno is not None and end.end_col_offset is not None
            yield first, (begin.lineno, begin.col_offset), (end.end_lineno, end.end_col_offset)
        else:
            yield from _outermost(child)


def _codes(mutant: Mutant) -> list[CodeType]:
    """Of all functions of the faulty file."""
    found, left = [], [compile(mutant.text(), str(ROOT / mutant.file), "exec")]
    while left:
        code = left.pop()
        inner = [part for part in code.co_consts if isinstance(part, CodeType)]
        found += inner
        left += inner
    return found
