"""Exact linearization beside one pass of one-sided differences.

    python -m benchmarks.linearization

Both give the derivatives of inverse dynamics by coordinates, speeds and accelerations in the same
state, through the same calls; thread CPU time, medians of interleaved rounds in one process. The
last column is a whole `linearize`: checks, reduction, state space. Tyres of the suspensions are
Python functions, differenced on both sides.
"""

from __future__ import annotations

from typing import Any

from benchmarks.section import Section, Target
from benchmarks.timing import pin_to_one_core
from eomc.systems.reference.trom.performance import EXAMPLES, ratio, whole


def section() -> Section:
    """All examples of the thesis, and a chain of loops."""
    figures: list[dict[str, Any]] = []
    for name, example in EXAMPLES.items():
        model, _, _ = example()
        exact, differences, factor = ratio(name)
        figures.append(
            {
                "example": name,
                "coordinates": model.nu,
                "exact_us": 1e6 * exact,
                "differences_us": 1e6 * differences,
                "ratio": factor,
                "whole_us": 1e6 * whole(name)[0],
            }
        )
    return Section(
        "Linearization",
        "`python -m benchmarks.linearization`: exact derivatives of inverse dynamics beside one "
        "pass of one-sided differences in the same state, medians of interleaved rounds, from "
        "Python; then a whole `linearize`: checks, reduction, state space.",
        ("example", "coordinates", "exact, µs", "differences, µs", "ratio", "whole, µs"),
        [
            (str(row["example"]), str(row["coordinates"]), f"{row['exact_us']:.0f}",
             f"{row['differences_us']:.0f}", f"{row['ratio']:.1f}", f"{row['whole_us']:.0f}")
            for row in figures
        ],
        figures,
        ["tyres of the suspensions are Python functions, differenced on both sides"],
        [Target(f"linearization of {row['example']}, times one pass of differences",
                float(row["ratio"]), 1.0) for row in figures],
    )  # fmt: skip


def main() -> None:
    """Print the table."""
    pin_to_one_core()
    print(section().markdown())


if __name__ == "__main__":
    main()
