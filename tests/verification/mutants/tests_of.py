"""Which quick tests pass a statement: each file of tests is run once, and its lines are watched.

Looked at are the files of tests that changed in the commits that changed the source, and those that
import it: whoever wrote the statement wrote its tests there. Some are named in a table.
"""

from __future__ import annotations

import hashlib
import json
import os
import resource
import subprocess
import sys
from collections import Counter
from collections.abc import Generator
from functools import cache, partial
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

import pytest
from verification.mutants.elsewhere import ROOMS, named_tests
from verification.mutants.mutant import ROOT, Mutant, source_file
from verification.mutants.process import in_a_process
from verification.mutants.statements import statement_lines

TESTS = ROOT / "tests"
_FILES = {False: 5, True: 15}
"""Files of tests that are looked at for one source, by whether the search is deep."""
_CALLS = 200
"""Calls of a function that are watched in one test."""
_SECONDS = 300.0
_NO_TESTS_OF = ("tests/docs/", "tests/house/", "tests/verification/")
"""Of pages, of sources as text, and of faults."""
WATCHED = tuple(f"{room}/" for room in ROOMS)
"""Beginnings of the files whose lines are watched."""

Known = dict[str, Any]


class TestsOf:
    """Tests that pass a statement, those named for it and the cheapest first; what each passes is
    kept in `work`."""

    __test__ = False

    def __init__(self, work: Path, is_deep: bool) -> None:
        self.work, self.files = work / "tests", _FILES[is_deep]
        self.work.mkdir(parents=True, exist_ok=True)

    def __call__(self, mutant: Mutant) -> list[tuple[str, float]]:
        """Names of tests for pytest, with seconds of the processor that each takes."""
        is_python = mutant.file.endswith(".py")
        lines = statement_lines(mutant.file, mutant.line) if is_python else None
        named = [f"tests/{name}" for name in named_tests(mutant.file)]
        files = named
        if is_python:
            files = [*dict.fromkeys([*named, *candidates(mutant.file)])][: self.files]
        found = []
        for file in files:
            for name, test in self._known(file, mutant.file)["tests"].items():
                passed = test["lines"].get(mutant.file)
                if not is_python or (passed and (lines is None or not lines.isdisjoint(passed))):
                    found.append((file not in named, test["seconds"], name))
        return [(name, seconds) for _, seconds, name in sorted(found)]

    def _known(self, file: str, source: str) -> Known:
        """Of a file of tests, run anew if it or `source` has changed since."""
        kept = self.work / f"{file.removeprefix('tests/').replace('/', '.')}.json"
        known: Known = json.loads(kept.read_text()) if kept.exists() else {}
        now = _digest(file), _digest(source)
        if (known.get("digest"), known.get("sources", {}).get(source, now[1])) != now:
            found = in_a_process(partial(watched, file), _SECONDS)
            known = {"digest": now[0], "tests": found.get("tests", {})}
            passed = {name for test in known["tests"].values() for name in test["lines"]}
            known["sources"] = {name: _digest(name) for name in sorted(passed)}
            kept.write_text(json.dumps(known))
        return known


@cache
def candidates(source: str) -> list[str]:
    """Files of tests that changed in the commits of a source, those of few tests first, and those
    that import it."""
    told: Counter[str] = Counter()
    for commit in _git("log", "--no-merges", "--follow", "--format=%h", "--", source).split():
        tests = _tests_by_commit().get(commit, ())
        told.update(dict.fromkeys(tests, 1 / max(len(tests), 1)))  # type: ignore[arg-type]
    module = Mutant(source, 1, 0, "", "", "").module
    package = module.rpartition(".")[0]
    for file in TESTS.rglob("test_*.py"):
        text = file.read_text(encoding="utf-8")
        told[file.relative_to(ROOT).as_posix()] += 2 * (f"{module} " in text) + (
            0.01 * (f"{package} " in text or f"{package}." in text)
        )
    usable = (f for f, share in told.most_common() if share > 0 and (ROOT / f).exists())
    left_out = _NO_TESTS_OF[:2] if source.startswith("verification/") else _NO_TESTS_OF
    return [f for f in usable if not f.startswith(left_out)]


@cache
def _tests_by_commit() -> dict[str, tuple[str, ...]]:
    found = {}
    for part in _git("log", "--no-merges", "--name-only", "--format=%x00%h").split("\0")[1:]:
        commit, *files = part.split()
        found[commit] = tuple(
            f for f in files if f.startswith("tests/") and Path(f).name.startswith("test_")
        )
    return found


def _git(*words: str) -> str:
    made = subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True, check=True)
    return made.stdout


@cache
def _digest(file: str) -> str:
    return hashlib.sha256((ROOT / file).read_bytes()).hexdigest()


# -- in a process of its own ---------------------------------------------------------------------


def pytest_run(arguments: list[str], plugin: object) -> int:
    """Quick tests in this process, as the suite runs them."""
    os.chdir(ROOT)
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (hard, hard))  # Node asks for more than it uses
    os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"  # their imports take longer than most tests
    options = ["-q", "-p", "no:cacheprovider", f"--rootdir={ROOT}"]
    return int(pytest.main([*options, *arguments], plugins=[plugin]))


def watched(file: str) -> Known:
    """Lines that each test of a file passes, of those that pass."""
    watch = _Watch()
    pytest_run([file], watch)
    return {"tests": {name: watch.found[name] for name in sorted(watch.passed)}}


class _Watch:
    def __init__(self) -> None:
        self.found: dict[str, Known] = {}
        self.passed: set[str] = set()
        self.lines: dict[str, set[int]] = {}
        self.calls: Counter[CodeType] = Counter()

    def _line(self, frame: FrameType, event: str, _: Any) -> Any:
        self.lines[source_file(frame.f_code.co_filename)].add(frame.f_lineno)
        return self._line

    def _call(self, frame: FrameType, event: str, _: Any) -> Any:
        code = frame.f_code
        file = source_file(code.co_filename)
        if not file.startswith(WATCHED):
            return None
        self.calls[code] += 1
        if self.calls[code] > _CALLS:
            return None
        self.lines.setdefault(file, set()).add(frame.f_lineno)
        return self._line

    def pytest_runtest_logreport(self, report: Any) -> None:
        if report.when == "call" and report.passed:
            self.passed.add(report.nodeid)

    @pytest.hookimpl(hookwrapper=True)
    def pytest_runtest_protocol(self, item: Any) -> Generator[None]:
        self.lines, self.calls = {}, Counter()
        before = computed()
        sys.settrace(self._call)
        yield
        sys.settrace(None)
        lines = {name: sorted(of_file) for name, of_file in self.lines.items()}
        self.found[item.nodeid] = {"seconds": round(computed() - before, 3), "lines": lines}


def computed() -> float:
    """Seconds of the processor, of this process and those that it waited for."""
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system
