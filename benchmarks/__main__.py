"""``python -m benchmarks``: measure everything, print it, and write it down if asked to."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from benchmarks import (
    batches,
    blocks,
    cables,
    collocation,
    contact,
    core,
    fits,
    flexible_units,
    forms,
    free_flyer,
    gpu,
    inverse_kinematics,
    jax_peer,
    lanes,
    linearization,
    loading,
    loops,
    operation_counts,
    optimal,
    pages,
    products,
    python_calls,
    scale,
    settings,
    size,
    stiff_arm,
    studies,
    sympy_peer,
    threads,
    tunable,
    waiting,
)
from benchmarks.cases import CASES, Case, g1, panda
from benchmarks.contender import Unavailable
from benchmarks.machine import machine
from benchmarks.measure import Result, measure
from benchmarks.record import updated
from benchmarks.report import as_json, costs, markdown, speed
from benchmarks.section import Section
from benchmarks.timing import Timer, pin_to_one_core
from eomc.derive.model import Model

Sections = Callable[[argparse.Namespace], Sequence[Section]]


def _models(options: argparse.Namespace) -> list[tuple[str, Callable[[], Model]]]:
    """The robots among the cases that are asked for."""
    return [(case.name, case.model) for case in _cases(options) if case.model in (panda, g1)]


def _cases(options: argparse.Namespace) -> list[Case]:
    return [case for case in CASES if options.only.lower() in case.name.lower()]


def _speed(options: argparse.Namespace) -> Sequence[Section]:
    results = _results(_cases(options), options.build)
    return [speed(results), costs(results)]


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


def _python(options: argparse.Namespace) -> Sequence[Section]:
    asked = any(make is panda for _, make in _models(options))
    return [python_calls.section(panda(), options.build)] if asked else []


def _batches(options: argparse.Namespace) -> Sequence[Section]:
    return [batches.section(_models(options), options.build)]


def _threads(options: argparse.Namespace) -> Sequence[Section]:
    return [threads.section(_models(options))]


def _sympy(options: argparse.Namespace) -> Sequence[Section]:
    planar = [(case.name, case.planar) for case in _cases(options) if case.planar is not None]
    return [sympy_peer.section(planar, options.sympy)] if options.sympy > 0 and planar else []


SECTIONS: dict[str, Sections] = {
    "speed": _speed,
    "python": _python,
    "waiting": lambda options: [waiting.section(options.before)],
    "loading": lambda options: [loading.section(_models(options))],
    "batches": _batches,
    "lanes": lambda options: [lanes.section(options.build / "lanes")],
    "threads": _threads,
    "studies": lambda options: [studies.section(options.build / "studies")],
    "tunable": lambda options: [tunable.section(options.build)],
    "operations": lambda _: [operation_counts.section(), operation_counts.derivatives()],
    "scale": lambda options: [scale.section(options.build / "scale")],
    "settings": lambda options: [settings.section(_models(options), options.build)],
    "size": lambda options: [size.section(options.build / "size")],
    "blocks": lambda options: [blocks.section(options.build / "blocks")],
    "forms": lambda options: [forms.section(options.build / "forms")],
    "products": lambda options: [products.section(options.build / "products")],
    "core": lambda options: [core.section(options.build / "core")],
    "loops": lambda _: [loops.section()],
    "cables": lambda options: [cables.operations(), cables.growth(options.build / "cables")],
    "contact": lambda _: [contact.section()],
    "fit": lambda _: [fits.section()],
    "flexible": lambda _: [flexible_units.section()],
    "stiff_arm": lambda _: [stiff_arm.section()],
    "free_flyer": lambda _: [free_flyer.section()],
    "gpu": lambda _: [gpu.section()],
    "inverse-kinematics": lambda options: [inverse_kinematics.section(options.build)],
    "linearization": lambda _: [linearization.section()],
    "jax": lambda _: [jax_peer.section()],
    "collocation": lambda _: [collocation.section()],
    "optimal": lambda options: [optimal.section()],
    "pages": lambda options: [pages.section(options.build / "pages")],
    "sympy": _sympy,
}
"""Parts of the report in their order."""

OF_MODELS = ("speed", "python", "loading", "batches", "threads", "settings", "sympy")
"""Parts that `--only` shortens; without `--section` it leaves the others out."""


def _options(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks",
        description="Emitted code beside Pinocchio, CasADi, MuJoCo, SymPy and PyDy, on one core.",
    )
    parser.add_argument("--only", default="", metavar="TEXT", help="cases whose name contains it")
    parser.add_argument(
        "--section",
        action="append",
        choices=SECTIONS,
        metavar="NAME",
        help=f"this part of the report alone; repeatable: {', '.join(SECTIONS)}",
    )
    parser.add_argument(
        "--write",
        type=Path,
        metavar="FILE.md",
        help="write the tables there, figures beside it; with --section these parts of it alone",
    )
    parser.add_argument(
        "--build",
        type=Path,
        default=Path("build/benchmarks"),
        metavar="FOLDER",
        help="where contenders are compiled (%(default)s)",
    )
    parser.add_argument(
        "--sympy",
        type=float,
        default=sympy_peer.LIMIT,
        metavar="SECONDS",
        help="time for each attempt of SymPy and PyDy; 0 leaves them out (%(default).0f)",
    )
    parser.add_argument(
        "--before",
        metavar="PYTHON",
        help="a Python that has an earlier eomc, beside which the section waiting is measured",
    )
    options = parser.parse_args(arguments)
    if not _cases(options):
        names = ", ".join(case.name for case in CASES)
        parser.error(f"--only {options.only}: no case has that in its name; there are {names}")
    options.build = options.build.absolute()
    return options


def main(arguments: list[str] | None = None) -> int:
    """Run the benchmark; 1 if a target is missed."""
    options = _options(arguments)
    pin_to_one_core()
    sections: list[Section] = []
    for name in options.section or (OF_MODELS if options.only else SECTIONS):
        print(f"{name} ...", file=sys.stderr, flush=True)
        try:
            sections += [part for part in SECTIONS[name](options) if part.rows]
        except Unavailable as reason:
            print(f"{name} left out: {reason}", file=sys.stderr)
    facts = machine()
    words = [*(f"--section {name}" for name in options.section or ())]
    words += [f"--only {options.only}"] if options.only else []
    words += [f"--write {options.write}"] if options.write else []
    text = markdown(facts, sections, " ".join(["python -m benchmarks", *words]))
    print(text)
    if options.write:
        figures = as_json(facts, sections)
        if options.section and options.write.is_file():
            text, figures = updated(options.write, facts, sections)
        options.write.write_text(text, encoding="utf-8")
        record = json.dumps(figures, indent=1) + "\n"
        options.write.with_suffix(".json").write_text(record, encoding="utf-8")
    missed = [target for section in sections for target in section.targets if not target.met]
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
