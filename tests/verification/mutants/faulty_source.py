"""A mutant in place of the sound source, for a process that has not imported it yet."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, SourceFileLoader
from string import Template
from types import CodeType, ModuleType

from verification.mutants.mutant import ROOT, Mutant


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
            fullname, loader.path, loader=loader,
            submodule_search_locations=inside if loader.path.endswith("__init__.py") else None,
        )  # fmt: skip


def put(mutant: Mutant) -> None:
    """Let this process read the mutant wherever it would read the sound file."""
    if mutant.file.endswith(".py"):
        assert mutant.module not in sys.modules, mutant.module
        sys.meta_path.insert(0, _Finder(mutant))
        return
    from eomc.codegen.templates import template

    plain, name = template._template, mutant.file.rpartition("/")[2]
    faulty = Template(mutant.text())
    template._template = lambda asked: faulty if asked == name else plain(asked)  # type: ignore[assignment]
