"""A beam slews: the joint as if it were rigid, its vibrations by themselves.

    python examples/flexible_slew.py [folder]

A robot of one flexible beam turns by a radian in a second, by inverse dynamics of the rigid robot
and PD control of its joint; then with the regulator of the fast subsystem beside it; then with a
shaped command instead. Exit code 1 if the beam still rings where it should not.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

import numpy as np

import eomc
from eomc.runtime.control.flexible import CompositeControl, RigidMotion, SlowFast, fast_regulator
from eomc.runtime.trajectories import Shaped, SineRamp, zero_vibration_derivative
from eomc.systems.beam_robot import beam_robot

TIMES = np.linspace(0, 3, 1501)


def runs() -> dict[str, eomc.Trajectory]:
    """The three slews."""
    robot = eomc.build(beam_robot(modes=2))
    system = SlowFast(robot)
    frozen = system.at()
    print(frozen.report(slow_frequency=2 * np.pi * 0.25))
    plain = SineRamp(0.0, 1.0, 1.0)
    shaper = zero_vibration_derivative(frozen.free_frequencies[0])
    print(f"ZVD: {shaper.amplitudes} at {shaper.times.round(3)} s")
    found = {}
    for name, path, fast in (
        ("PD of the joint", plain, None),
        ("and feedback of vibrations", plain, fast_regulator(frozen, 1.0, 100.0)),
        ("PD, command shaped", Shaped(plain, shaper), None),
    ):
        motion = RigidMotion(system, {"joint1": path}, np.linspace(0, 1.5, 151))
        law = CompositeControl(motion, kp=2.0, kd=0.4, fast=fast)
        found[name] = eomc.simulate(robot, t_span=TIMES, controller=law, progress=False)
    return found


def draw(found: dict[str, eomc.Trajectory], path: Path) -> None:
    """Angle of the joint and amplitude of the first mode."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(9, 6), layout="constrained")
    upper, lower = figure.subplots(2, 1, sharex=True)
    for name, run in found.items():
        upper.plot(run.t, run["joint1"], label=name, lw=1)
        lower.plot(run.t, 1000 * run["beam1_y1"], label=name, lw=1)
    upper.set_ylabel("joint [rad]")
    lower.set_ylabel("first amplitude [mm]")
    lower.set_xlabel("time [s]")
    for axes in (upper, lower):
        axes.grid(alpha=0.3)
    lower.legend(fontsize="small")
    figure.savefig(path, dpi=120)


def main(folder: Path) -> int:
    """Draw, and tell how much rings from 1.7 s on."""
    found = runs()
    folder.mkdir(parents=True, exist_ok=True)
    draw(found, folder / "slews.png")
    left = {}
    for name, run in found.items():
        left[name] = float(np.abs(run["speed(beam1_y1)"][run.t > 1.7]).max())
        print(f"{name}: {left[name]:.2g}")
    plain, fed, shaped = left.values()
    return 0 if fed < 0.1 * plain and shaped < 0.3 * plain else 1


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as scratch:
        raise SystemExit(main(Path(sys.argv[1] if len(sys.argv) > 1 else scratch)))
