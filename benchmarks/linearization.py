"""Exact linearization beside one pass of one-sided differences.

    python -m benchmarks.linearization

Both give the derivatives of inverse dynamics by coordinates, speeds and accelerations in the same
state, through the same calls; thread CPU time, the best of many interleaved rounds in one process.
The last columns are a whole `linearize` with its eigenvalues (checks, reduction, state space) and
its ratio, which is the one that the thesis prints. Tyres of the suspensions are Python functions
without derivatives; both sides difference them with the same one step, as the thesis does.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np

from benchmarks.section import Section, Target
from benchmarks.timing import pin_to_one_core
from eomc.runtime.derivatives.constraint_derivatives import constraint_derivatives
from eomc.runtime.derivatives.operating_point import Surroundings, operating_point
from eomc.runtime.derivatives.tree import Method, tree_derivatives
from eomc.runtime.linearization import Steps, linearize, unreduced_eigenvalues
from eomc.runtime.linearization.pencil import finite_eigenvalues, pencil
from eomc_published.trom.models import car, car_at_rest
from eomc_published.trom.performance import EXAMPLES, TARGETS

_PASS = Steps("one-sided", fixed=1e-6)
_ROUNDS, _CALLS = 100, 3


def section() -> Section:
    """All examples of the thesis, and a chain of loops."""
    figures: list[dict[str, Any]] = []
    for name, example in EXAMPLES.items():
        model, _, _ = example()
        exact, differences, factor = ratio(name)
        linearization, _, whole_factor = whole(name)
        figures.append(
            {
                "example": name,
                "coordinates": model.nu,
                "exact_us": 1e6 * exact,
                "differences_us": 1e6 * differences,
                "ratio": factor,
                "whole_us": 1e6 * linearization,
                "whole_ratio": whole_factor,
            }
        )
    step, saving = both_ways()
    return Section(
        "Linearization",
        "`python -m benchmarks.linearization`: exact derivatives of inverse dynamics beside one "
        "pass of one-sided differences in the same state, best of interleaved rounds, from "
        "Python; then a whole `linearize` with its eigenvalues: checks, reduction, state space; "
        "its differences take those of the constraints along.",
        (
            "example",
            "coordinates",
            "exact, µs",
            "differences, µs",
            "ratio",
            "whole, µs",
            "whole, ratio",
        ),
        [
            (
                str(row["example"]),
                str(row["coordinates"]),
                f"{row['exact_us']:.0f}",
                f"{row['differences_us']:.0f}",
                f"{row['ratio']:.1f}",
                f"{row['whole_us']:.0f}",
                f"{row['whole_ratio']:.2f}",
            )
            for row in figures
        ],
        figures,
        [
            "tyres are Python functions; both sides difference them with one step",
            f"passenger car, {car().nu} coordinates: QZ of the unreduced pencil takes {step:.1f} "
            "times as long as the eigenvalues of what QR of the constraints leaves; with exact "
            f"derivatives, checks and reduction {saving:.2f} times",
        ],
        [
            *(target for row in figures for target in _targets(row)),
            Target("eigenvalues of the passenger car by QR, times QZ", saving, 1.0),
        ],
    )


def _targets(row: dict[str, Any]) -> list[Target]:
    """Derivatives are to be faster; the whole as many times as in the thesis, where it is timed."""
    name = row["example"]
    words = "times one pass of differences"
    whole_wanted = TARGETS.get(name, 1.0)
    return [
        Target(f"derivatives of {name}, {words}", float(row["ratio"]), 1.0),
        Target(f"linearization of {name}, {words}", float(row["whole_ratio"]), whole_wanted),
    ]


def _seconds(call: Callable[[], Any]) -> float:
    start = time.thread_time()
    for _ in range(_CALLS):
        call()
    return (time.thread_time() - start) / _CALLS


def ratio(name: str) -> tuple[float, float, float]:
    """(seconds of exact derivatives, of one differenced pass, their ratio), the best of rounds.

    Both give df/dq, df/du, df/da in the same state through the same calls; forces of the user
    without derivative are differenced in both.
    """
    model, state, forces = EXAMPLES[name]()
    inputs = getattr(state, "inputs", None) or None
    around = Surroundings.of(model, inputs=inputs, forces=forces)
    point = operating_point(around, state)
    return _best(
        lambda: tree_derivatives(around, point, "exact", _PASS),
        lambda: tree_derivatives(around, point, "one-sided", _PASS),
    )


def _best(exact: Callable[[], Any], differenced: Callable[[], Any]) -> tuple[float, float, float]:
    exact(), differenced()  # what is compiled at first use
    rounds = np.array([[_seconds(exact), _seconds(differenced)] for _ in range(_ROUNDS)])
    fast, slow = (float(least) for least in rounds.min(axis=0))
    return fast, slow, slow / fast


def whole(name: str) -> tuple[float, float, float]:
    """The same of `linearize` as a whole with its eigenvalues: checks and reduction included."""
    model, state, forces = EXAMPLES[name]()

    def run(method: Method) -> None:
        linearize(model, state, forces=forces, method=method, steps=_PASS).modes()

    return _best(lambda: run("exact"), lambda: run("one-sided"))


def both_ways() -> tuple[float, float]:
    """Times of the passenger car's eigenvalues by QZ over those by QR of its constraints: of the
    eigenvalue step alone, and from the model on."""
    model, rest = car(), car_at_rest()
    around = Surroundings.of(model)
    point = operating_point(around, rest)
    tree, _ = tree_derivatives(around, point, "exact", None)
    at = around.constraints_at(point.values)
    unreduced = pencil(tree, at.J, -constraint_derivatives(around, point.values)[0])
    linear = linearize(model, rest, independent="null space")
    _, _, step = _best(
        lambda: np.linalg.eigvals(linear.A), lambda: finite_eigenvalues(*unreduced, len(linear.A))
    )
    _, _, saving = _best(
        lambda: linearize(model, rest, independent="null space").modes(),
        lambda: unreduced_eigenvalues(model, rest),
    )
    return step, saving


def main() -> None:
    """Print the table."""
    pin_to_one_core()
    print(section().markdown())


if __name__ == "__main__":
    main()
