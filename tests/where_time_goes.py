"""A table of what the folders of the tests cost: `--times-by-folder`.

Processor seconds (user and system), never those of a clock: a busy machine changes little. Times of
children are those of processes that a test waited for, such as compilers; a module's or the
session's fixtures count for the test that asked first.
"""

from __future__ import annotations

import os
import resource
import sys
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

OPTION = "--times-by-folder"
COMPILERS = ("cc", "gcc", "g++", "clang", "clang++", "tcc", "ziglang", "zig", "rustc")
"""Programs of which a start is a compilation; their names may hold a version and a target."""
COLLECTING = "(imports, collection)"
_TESTS_SHOWN, _LEAST = 60, 1.0
"""Of single tests the dearest, of so many seconds at least."""
_KEY = "times"


def add_options(parser: pytest.Parser) -> None:
    """`--times-by-folder`."""
    parser.getgroup("eomc").addoption(
        OPTION,
        action="store_true",
        help="at the end, processor seconds and compilations of each folder of tests",
    )


@dataclass
class Cost:
    """Processor seconds of this process and of its children, and compilers that were started."""

    own: float = 0.0
    children: float = 0.0
    compilations: int = 0
    tests: int = 0

    def __add__(self, other: Cost) -> Cost:
        return Cost(
            self.own + other.own,
            self.children + other.children,
            self.compilations + other.compilations,
            self.tests + other.tests,
        )

    @property
    def seconds(self) -> float:
        """Of all."""
        return self.own + self.children


def is_compiler(command: Any) -> bool:
    """True of the words of a command that starts a compiler.

    >>> is_compiler(["/usr/bin/arm-none-eabi-gcc-12", "-c", "a.c"]), is_compiler(["gcov", "a"])
    (True, False)
    """
    words = [command] if isinstance(command, str | bytes | Path) else list(command)
    names = [Path(os.fsdecode(word)).name for word in words[:3]]
    parts = names[0].split("-") if names else []
    return any(part in COMPILERS for part in parts) or "ziglang" in names


class Meter:
    """What has been used since it was last read."""

    def __init__(self) -> None:
        self.started = 0
        self.before = (0.0, 0.0, 0)
        sys.addaudithook(self._hear)

    def _hear(self, event: str, given: tuple[Any, ...]) -> None:
        if event == "subprocess.Popen" and is_compiler(given[1]):
            self.started += 1

    def read(self) -> Cost:
        """From the last reading, or the process's beginning, to now."""
        used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
        own, children = (usage.ru_utime + usage.ru_stime for usage in used)
        found = Cost(own - self.before[0], children - self.before[1], self.started - self.before[2])
        self.before = (own, children, self.started)
        return found


@dataclass(eq=False)
class Times:
    """The plugin: measures where tests run, adds up and shows where they are reported."""

    config: pytest.Config
    meter: Meter = field(default_factory=Meter)
    costs: dict[str, Cost] = field(default_factory=lambda: defaultdict(Cost))
    """By the node id of a test."""

    @property
    def is_worker(self) -> bool:
        """True in a process that only runs what another shows."""
        return hasattr(self.config, "workeroutput")

    @pytest.hookimpl(trylast=True)
    def pytest_collection_finish(self) -> None:
        """What came before the first test."""
        cost = self.meter.read()
        if self.is_worker:
            self.config.workeroutput[_KEY] = vars(cost)
        else:
            self.costs[COLLECTING] += cost

    def pytest_testnodedown(self, node: Any) -> None:
        """A worker has told what its collection cost; one that crashed has not."""
        self.costs[COLLECTING] += Cost(**getattr(node, "workeroutput", {}).get(_KEY, {}))

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(self, item: pytest.Item) -> Iterator[None]:
        """After each of setup, call and teardown."""
        report = yield
        report.user_properties = [(_KEY, vars(self.meter.read()))]
        return report

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Where it is shown, and in workers to no avail."""
        if not self.is_worker:
            for key, cost in report.user_properties:
                if key == _KEY:
                    self.costs[report.nodeid] += Cost(**cost)
            self.costs[report.nodeid].tests = 1

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """The tables."""
        terminalreporter.section("where the time goes, in processor seconds")
        for line in table(self.costs):
            terminalreporter.write_line(line)


def table(costs: dict[str, Cost]) -> Iterator[str]:
    """Folders, the dearest first, and the dearest tests."""
    folders: dict[str, Cost] = defaultdict(Cost)
    for name, cost in costs.items():
        folders[_folder(name)] += cost
    head = f"{'seconds':>9} {'children':>9} {'compilers':>9} {'tests':>6}"
    yield f"{head}  folder"
    ordered = sorted(folders.items(), key=lambda entry: -entry[1].seconds)
    for name, cost in [*ordered, ("all", sum(folders.values(), Cost()))]:
        yield f"{_figures(cost)}  {name}"
    yield f"{head}  test"
    dear = (entry for entry in costs.items() if entry[1].seconds >= _LEAST)
    for name, cost in sorted(dear, key=lambda entry: -entry[1].seconds)[:_TESTS_SHOWN]:
        yield f"{_figures(cost)}  {name}"


def _figures(cost: Cost) -> str:
    return f"{cost.seconds:9.1f} {cost.children:9.1f} {cost.compilations:9d} {cost.tests:6d}"


def _folder(name: str) -> str:
    return name if name == COLLECTING else str(Path(name.partition("::")[0]).parent)


def measure(config: pytest.Config) -> None:
    """Register the plugin, if it is asked for."""
    if config.getoption(OPTION):
        config.pluginmanager.register(Times(config), "times by folder")
