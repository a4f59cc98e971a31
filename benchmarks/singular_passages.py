"""Thresholds of passages through singular configurations: what runs lose with others.

    python -m benchmarks.singular_passages

One threshold at a time is moved from its value; for each the largest share of energy lost and the
largest distance from the branch, of runs of a parallelogram and a deltoid at several speeds.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import numpy as np

import eomc
from eomc.runtime.constraints import passage
from eomc.runtime.integrators import crossing

ROOT = Path(__file__).parents[1]
SPEEDS = np.linspace(5.0, 8.0, 8)
THRESHOLDS: tuple[tuple[Any, str, tuple[float, ...]], ...] = (
    (passage, "_HELD", (1e-9, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2)),
    (crossing, "_CLOSE", (1e-3, 1e-2, 0.05, 0.2)),
    (crossing, "_LEAST_LOSS", (1e-12, 1e-10, 1e-6)),
)


def measured(cases: dict[str, tuple[Any, Any]]) -> str:
    """Worst of all speeds, by mechanism."""
    told = []
    for name, (mechanism, model) in cases.items():
        lost = off = failed = 0.0
        for speed in SPEEDS:
            q, u = mechanism.start(float(speed))
            try:
                run = eomc.simulate(
                    model, q, u, 1.0, rtol=1e-10, atol=1e-12, assemble=True, progress=False
                )
            except eomc.runtime.errors.SimulationError:
                failed += 1
                continue
            lost = max(lost, float(np.ptp(run.energy) / run["kinetic_energy"].max()))
            off = max(off, float(mechanism.off(run.q).max()))
        told.append(f"{name}: lost {lost:.0e}, off {off:.0e}, stopped {failed:.0f}")
    return "; ".join(told)


def main() -> None:
    """Print the table."""
    sys.path.insert(0, str(ROOT / "tests"))
    from constraints.singular_mechanisms import MECHANISMS

    made = {name: MECHANISMS[name]() for name in ("parallelogram", "deltoid")}
    cases = {name: (mechanism, eomc.build(mechanism.model)) for name, mechanism in made.items()}
    for module, name, values in THRESHOLDS:
        usual = getattr(module, name)
        for value in values:
            setattr(module, name, value)
            print(f"{name} = {value:g}: {measured(cases)}", flush=True)
        setattr(module, name, usual)


if __name__ == "__main__":
    main()
