"""Machines that work by cables: a robot in a frame, a crane, a tackle, a mast of struts.

    python examples/cable_machines.py [folder]

The ready models of `eomc.systems.cables` move, and are drawn with their cables on pulleys: winches
above it pull the robot up, the crane slews and hoists, a load comes down on a tackle and draws the
hand up, the mast is pushed. Exit code 1 if one of them does not do what it must.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import numpy as np

import eomc
from eomc.systems.cables import mast, planar_robot, tackle, tower_crane
from eomc.systems.cables.planar_robot import PLATFORM

FUNCTIONS = [*eomc.CORE, "element_lines"]


def robot() -> eomc.Trajectory:
    """From rest in the middle under more tension above than below."""
    model = eomc.build(planar_robot(modulus=2e8, drum_inertia=0.05), functions=FUNCTIONS)
    torques = [1.0, 1.0, 7.0, 6.8]
    return eomc.simulate(
        model,
        {f"drum{i}": 0.2 for i in (1, 2, 3, 4)},
        t_span=0.8,
        step=0.02,
        inputs=lambda t, *_: torques,
    )


def crane() -> eomc.Trajectory:
    """The jib starts and stops, the load goes up meanwhile."""
    model = eomc.build(tower_crane(), functions=FUNCTIONS)
    hold = 0.5 * 2000 * 9.81 * 0.3

    def drives(t: float, *_: object) -> list[float]:
        push = 1 if t < 2 else -1
        return [8e4 * push, 0.0, (1 + 0.1 * push) * hold]

    return eomc.simulate(model, t_span=4.0, step=0.1, assemble=True, inputs=drives)


def lowering() -> eomc.Trajectory:
    """The load is heavier than friction can hold."""
    made = tackle(4, load=20, modulus=1e8, height=2, slip_speed=0.05)
    return eomc.simulate(
        eomc.build(made, functions=FUNCTIONS), {"hand": -0.9, "load": 0.22}, t_span=0.7, step=0.02
    )


def pushed() -> eomc.Trajectory:
    """The struts on the ground begin to lean together."""
    model = eomc.build(mast(4, modulus=2e9, viscosity=5e6), functions=FUNCTIONS)
    lean = {name: 0.5 for name in model.speeds if name.startswith("strut0_") and name.endswith("x")}
    return eomc.simulate(model, u=lean, t_span=1.0, step=0.02)


def figures(folder: Path) -> Iterator[tuple[str, bool]]:
    """Runs, films, and what must hold of each."""
    run = robot()
    corners = np.column_stack([[*PLATFORM, PLATFORM[0]], np.zeros(5)])
    run.animate(
        folder / "planar_robot.gif", fps=10, speed=0.4, shapes={"platform": corners}, dpi=60
    )
    yield "the robot goes up", bool(run["platform_y"][-1] > 0.05)
    run = crane()
    run.animate(folder / "tower_crane.gif", fps=8, speed=2, dpi=60, view=(15, -70))
    across = np.hypot(run["hook_x"], run["hook_y"])
    fall = np.hypot(across, 10 - run["hook_z"])
    yield "the hook hangs on its rope", bool(np.abs(fall - 10 + 0.15 * run["drum"]).max() < 1e-6)
    yield "the load goes up", bool(fall[-1] < 9)
    run = lowering()
    run.animate(folder / "tackle.gif", fps=10, speed=0.3, dpi=60)
    yield "friction takes energy", bool(np.all(np.diff(run.energy) < 1e-6))
    run = pushed()
    run.animate(folder / "mast.gif", fps=10, speed=0.3, dpi=60, view=(10, -60))
    yield "the mast comes to rest", bool(run.energy[-1] < run.energy[0])


def main(folder: Path) -> int:
    """Draw and judge."""
    folder.mkdir(parents=True, exist_ok=True)
    wrong = 0
    for what, holds in figures(folder):
        print(f"{what}: {'yes' if holds else 'NO'}")
        wrong += not holds
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1] if len(sys.argv) > 1 else tempfile.mkdtemp())))
