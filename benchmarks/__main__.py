"""``python -m benchmarks``: measure everything, print it, and write it down if asked to."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path

from benchmarks.batches import batches
from benchmarks.cases import CASES, Case, g1, panda
from benchmarks.contender import Unavailable
from benchmarks.machine import machine
from benchmarks.measure import Result, measure
from benchmarks.python_calls import PythonCall, python_calls
from benchmarks.report import as_json, markdown, targets_met
from benchmarks.settings import SETTLED, settings
from benchmarks.sympy_peer import LIMIT, Attempt, attempt
from benchmarks.timing import Timer, pin_to_one_core


def main(arguments: list[str] | None = None) -> int:
    """Run the benchmark; 1 if a target is missed."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks",
        description="Emitted code beside Pinocchio, CasADi, SymPy and PyDy, on one core.",
    )
    parser.add_argument("--only", default="", metavar="TEXT", help="cases whose name contains it")
    parser.add_argument(
        "--write", type=Path, metavar="FILE.md", help="write the tables there, figures beside it"
    )
    parser.add_argument(
        "--build", type=Path, default=Path("build/benchmarks"), metavar="FOLDER",
        help="where contenders are compiled (%(default)s)",
    )  # fmt: skip
    parser.add_argument(
        "--sympy", type=float, default=LIMIT, metavar="SECONDS",
        help="time for each attempt of SymPy and PyDy; 0 leaves them out (%(default).0f)",
    )  # fmt: skip
    options = parser.parse_args(arguments)
    pin_to_one_core()
    cases = [case for case in CASES if options.only.lower() in case.name.lower()]
    build = options.build.absolute()
    results = _results(cases, build)
    calls: list[PythonCall] = []
    if any(result.case.model is panda for result in results):
        calls = python_calls(panda(), build)
    measured = [case for case in cases if case.model in (panda, g1)]
    many = [batch for case in measured for batch in batches(case.name, case.model())]
    tried = [
        setting
        for case in measured
        for function in SETTLED
        for setting in settings(
            case.name,
            case.model(),
            function,
            Timer(build / "timer"),
            build / f"settings_{case.model.__name__}_{function}",
        )
    ]
    attempts = _attempts(cases, options.sympy) if options.sympy > 0 else []
    facts = machine()
    text = markdown(facts, results, calls, attempts, many, tried)
    print(text)
    if options.write:
        options.write.write_text(text, encoding="utf-8")
        figures = json.dumps(as_json(facts, results, calls, attempts, many, tried), indent=1)
        options.write.with_suffix(".json").write_text(figures + "\n", encoding="utf-8")
    return 0 if targets_met(results) else 1


def _results(cases: Sequence[Case], build: Path) -> list[Result]:
    timer = Timer(build / "timer")
    results = []
    for case in cases:
        for function in case.functions:
            print(f"{case.name}: {function} ...", file=sys.stderr, flush=True)
            try:
                results.append(measure(case, function, timer, build))
            except Unavailable as reason:
                print(f"{case.name} left out: {reason}", file=sys.stderr)
    return results


def _attempts(cases: Sequence[Case], limit: float) -> list[Attempt]:
    """Each method on ever longer pendulums, until it does not come back in time."""
    attempts = []
    for method in ("lagrange", "pydy"):
        for case in cases:
            if case.planar is None:
                continue
            print(f"{case.name}: {method} ...", file=sys.stderr, flush=True)
            attempts.append(attempt(method, case.planar, limit))
            if attempts[-1].stopped:
                break
    return attempts


if __name__ == "__main__":
    sys.exit(main())
