"""A wing nut in weightlessness turns over and over: the instability of the intermediate axis.

    python examples/intermediate_axis.py [folder]

A free rigid body spins about its axis of middle inertia, a thousandth off. Energy and angular
momentum are conserved all the same; exit code 1 if they are not.
"""

from __future__ import annotations

import sys
from pathlib import Path

import matplotlib

matplotlib.use("Agg")

import matplotlib.pyplot as plt
import numpy as np

import eomc


def wing_nut() -> eomc.Model:
    """A free body with principal moments 1 : 2 : 2.8 g m^2."""
    model = eomc.Model("wing_nut", gravity=(0, 0, 0))
    model.body("nut", mass=0.1, inertia=(1e-3, 2e-3, 2.8e-3))
    model.joint("free", "floating", parent="world", child="nut")
    return model


def main(folder: Path) -> int:
    """Simulate, check, draw; returns the exit code."""
    folder.mkdir(parents=True, exist_ok=True)
    nut = eomc.build(wing_nut())
    spin = {"free_wy": 6.0, "free_wx": 0.006}
    run = eomc.simulate(nut, u=spin, t_span=np.linspace(0, 20, 801), method="dopri", rtol=1e-12)
    momentum = nut.momentum(run.q, run.u)[:, 3:]
    drift = float(np.abs(momentum - momentum[0]).max() / np.linalg.norm(momentum[0]))
    change = float(np.ptp(run.energy) / run.energy[0])
    print(f"over 20 s: energy changes by {change:.0e}, angular momentum by {drift:.0e}, relative")
    figure, axes = plt.subplots(figsize=(7, 3.5))
    run.plot(axes, channels=["free_wx", "free_wy", "free_wz"])
    figure.savefig(folder / "speeds.png", dpi=120)
    wings = {"nut": [(0.3, 0, 0), (-0.3, 0, 0), (0, 0, 0), (0, 0.5, 0)]}
    short = eomc.simulate(nut, u=spin, t_span=np.linspace(0, 10, 201), method="dopri", rtol=1e-9)
    short.animate(folder / "wing_nut.gif", fps=12, shapes=wings)
    return 0 if max(change, drift) < 1e-8 else 1


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1] if len(sys.argv) > 1 else "demo-output")))
