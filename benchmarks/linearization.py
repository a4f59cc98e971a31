"""Exact linearization beside one pass of one-sided differences.

    python -m benchmarks.linearization

Both give the derivatives of inverse dynamics by coordinates, speeds and accelerations in the same
state, through the same calls; thread CPU time, medians of interleaved rounds in one process. The
last column is a whole `linearize`: checks, reduction, state space. Tyres of the suspensions are
Python functions, differenced on both sides.
"""

from __future__ import annotations

from benchmarks.timing import pin_to_one_core
from eomc.systems.reference.trom.performance import TARGETS, examples, ratio, whole


def main() -> None:
    """Print the table."""
    pin_to_one_core()
    print("| example | coordinates | exact [us] | differences [us] | ratio | thesis | whole [us] |")
    print("|---|---|---|---|---|---|---|")
    for name, (model, _, _) in examples().items():
        exact, differences, factor = ratio(name)
        thesis = f"{TARGETS[name]:g}" if name != "semitrailer" else "-"
        print(
            f"| {name} | {model.nu} | {1e6 * exact:.0f} | {1e6 * differences:.0f} | {factor:.1f} "
            f"| {thesis} | {1e6 * whole(name):.0f} |"
        )


if __name__ == "__main__":
    main()
