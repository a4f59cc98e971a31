"""What becomes of a mutant that tests judge: killed, if one that passes its statement fails."""

from __future__ import annotations

import functools
import gc
import importlib
import os
import sys
from collections import Counter, defaultdict
from collections.abc import Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from types import FrameType
from typing import Any

from verification.mutants.elsewhere import files_for_tests
from verification.mutants.faulty_source import Place, live_functions, put
from verification.mutants.mutant import Mutant, source_file
from verification.mutants.process import in_a_process
from verification.mutants.tests_of import WATCHED, TestsOf, pytest_run

_MOST, _SLOWEST = {False: 15.0, True: 60.0}, 4
"""Seconds of the processor of the tests that are asked, and how much longer with a fault."""
_IMPORTS = 120.0
_OWN_BUILDS = ("binding/", "building/", "codegen/")
"""Rooms whose faults may change what is built of the same text."""
_LIBRARIES = ("pytest", "hypothesis", "numpy.testing", "scipy.optimize", "scipy.linalg")


class JudgedByTests:
    """The result of one mutant after the other; `work` keeps what is known of the tests."""

    def __init__(self, work: Path, is_deep: bool) -> None:
        self.tests, self.builds = TestsOf(work, is_deep), work / "builds"
        self.most = _MOST[is_deep]
        imported = in_a_process(_imported, _IMPORTS)
        self.at_import = {(file, line) for file, line in imported["functions"]}
        for name in (*_LIBRARIES, *imported["modules"]):
            importlib.import_module(name)
        live_functions()
        self.killed: dict[str, Counter[str]] = defaultdict(Counter)
        """Of each file how many mutants a test has killed: these are asked first."""

    def __call__(self, mutant: Mutant) -> dict[str, Any]:
        asked, seconds = list[str](), 0.0
        killed = self.killed[mutant.file]
        for name, takes in sorted(self.tests(mutant), key=lambda test: -killed[test[0]]):
            if asked and seconds + takes > self.most and mutant.file.endswith(".py"):
                break
            asked.append(name)
            seconds += takes
        if not asked:
            return {"outcome": "unreached"}
        builds = None if mutant.file.startswith(_OWN_BUILDS) else self.builds
        question = partial(_judged, mutant, asked, self.at_import, builds)
        found = in_a_process(question, 20 + _SLOWEST * seconds)
        killed.update([found["test"]] if "test" in found else [])
        return {"tests": len(asked), **found}


def _imported() -> dict[str, Any]:
    """Modules of the product that need no further package, and functions called on their import."""
    found: set[Place] = set()

    def called(frame: FrameType, event: str, _: Any) -> None:
        file = source_file(frame.f_code.co_filename)
        if event == "call" and file.startswith(WATCHED):
            found.add((file, frame.f_code.co_firstlineno))

    modules = []
    sys.setprofile(called)
    for file in files_for_tests():
        if file.endswith(".py") and not file.startswith("systems/") and "__main__" not in file:
            module = Mutant(file, 1, 0, "", "", "").module
            with suppress(ImportError):
                importlib.import_module(module)
                modules.append(module)
    sys.setprofile(None)
    return {"modules": modules, "functions": sorted(found)}


class _First:
    """The first test that fails."""

    name = ""

    def pytest_runtest_logreport(self, report: Any) -> None:
        if report.failed and not self.name:
            self.name = report.nodeid

    def pytest_collectreport(self, report: Any) -> None:
        if report.failed and not self.name:
            self.name = report.nodeid


def _judged(
    mutant: Mutant, asked: Sequence[str], at_import: set[Place], builds: Path | None
) -> dict[str, Any]:
    if builds is not None:
        os.environ["EOMC_CACHE_DIR"] = str(builds)
    _forget()
    put(mutant, at_import)
    first = _First()
    code = pytest_run(["-x", *asked], first)
    if first.name:
        return {"outcome": "killed", "test": first.name}
    return {"outcome": "survived"} if code == 0 else {"outcome": "error", "said": f"pytest: {code}"}


def _forget() -> None:
    """What the sound code has kept in this process."""
    for thing in gc.get_objects():
        if isinstance(thing, functools._lru_cache_wrapper):
            code = getattr(thing.__wrapped__, "__code__", None)
            if code is not None and source_file(code.co_filename):
                thing.cache_clear()
