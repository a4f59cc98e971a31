"""A space robot closes its arms on a target: from model file to verified, filmed motion.

    python examples/free_flyer.py [folder]

The spatial free-flyer of `models/spatial_free_flyer.toml` (14 degrees of freedom: a free base, two
arms, an antenna) is built and verified. Then it floats towards a target, turns to face it, closes
its arms and holds still, under computed torque. The report, the histories of joints and errors and
a film are left in `demo-output/`. Exit code 1 if verification or the maneuver fails.
"""

from __future__ import annotations

import sys
from pathlib import Path

import matplotlib

matplotlib.use("Agg")

import matplotlib.pyplot as plt
import numpy as np

import eomc
from eomc.runtime.control import ComputedTorque
from eomc.runtime.trajectories import Quintic

MODEL_FILE = Path(__file__).parent / "models" / "spatial_free_flyer.toml"
REACH = 8.0  # s, duration of the approach
HOLD = 4.0  # s, afterwards
FOLDED = np.array([0.0, 1.9, -2.2, 0.0, -1.9, 2.2, 0.3, 0.0])
CLOSED = np.array([0.2, 0.7, -1.1, -0.2, -0.7, 1.1, 0.0, 0.6])
APPROACH = np.array([0.8, 0.3, -0.2])  # m, of the base
TURN = np.array([0.0, 0.2, 0.6])  # rad, rotation vector of the base
BANDWIDTH = 2.0  # rad/s, of the error


def capture():
    """The desired motion t -> (q, u, a): a straight path and one turn of the base, arms closing.

    The turn is about a fixed axis by a quintic angle, so the body rates are the rate of the angle
    along that axis; the velocity of the base is given in its own axes.
    """
    angle, axis = np.linalg.norm(TURN), TURN / np.linalg.norm(TURN)
    profile = Quintic(np.zeros(1), np.ones(1), REACH)

    def motion(t: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        s = profile(min(t, REACH))
        x, v, a = (float(part[0]) for part in (s.position, s.rate, s.acceleration))
        half = angle * x / 2
        quaternion = np.r_[np.cos(half), np.sin(half) * axis]
        to_body = rotation(-angle * x, axis)
        spin = angle * v * axis
        velocity = to_body @ APPROACH * v
        acceleration = to_body @ APPROACH * a - np.cross(spin, velocity)
        q = np.r_[APPROACH * x, quaternion, FOLDED + (CLOSED - FOLDED) * x]
        u = np.r_[velocity, spin, (CLOSED - FOLDED) * v]
        return q, u, np.r_[acceleration, angle * a * axis, (CLOSED - FOLDED) * a]

    return motion


def rotation(angle: float, axis: np.ndarray) -> np.ndarray:
    """Rodrigues' formula."""
    x, y, z = axis
    cross = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return np.eye(3) + np.sin(angle) * cross + (1 - np.cos(angle)) * cross @ cross


def draw(run: eomc.Trajectory, errors: np.ndarray, path: Path) -> None:
    """Arms, base and tracking error over time."""
    figure, (arms, base, error) = plt.subplots(3, 1, figsize=(7, 8), sharex=True)
    for k, name in enumerate(run.model.coordinates[7:]):
        arms.plot(run.t, run.q[:, 7 + k], label=name)
    arms.set_ylabel("joint angles [rad]")
    arms.legend(fontsize=7, ncols=4)
    base.plot(run.t, run.q[:, :3], label=("x", "y", "z"))
    base.set_ylabel("base [m]")
    base.legend(fontsize=7)
    error.semilogy(run.t, np.abs(errors).max(axis=1) + 1e-16)
    error.set_ylabel("largest error [rad or m]")
    error.set_xlabel("t [s]")
    figure.tight_layout()
    figure.savefig(path, dpi=150)
    plt.close(figure)


def main(folder: Path) -> int:
    """Build, verify, move, draw; returns the exit code."""
    folder.mkdir(parents=True, exist_ok=True)
    model = eomc.load(MODEL_FILE)
    flyer = eomc.build(model)
    print(f"{flyer}, {eomc.equations(model).operations['forward_dynamics']} operations a step")

    report = eomc.verify(model, quick=True)
    report.write(folder / "free_flyer_report.html")
    print(report)

    motion = capture()
    q, u, _ = motion(0.0)
    start = flyer.integrate(q, np.r_[0.03, -0.02, 0.02, 0.02, 0.01, -0.02, np.full(8, 0.05)])
    law = ComputedTorque(flyer, motion, kp=BANDWIDTH**2, actuators="all")
    run = eomc.simulate(
        flyer, q=start, u=u, t_span=np.linspace(0, REACH + HOLD, 241), controller=law, rtol=1e-8
    )
    wanted = np.array([motion(t)[0] for t in run.t])
    errors = flyer.difference(run.q, wanted)
    draw(run, errors, folder / "free_flyer.png")
    run.animate(folder / "free_flyer.gif", fps=10, speed=1.5)
    final = float(np.abs(errors[-1]).max())
    print(f"error: {np.abs(errors[0]).max():.3f} at the start, {final:.1e} at the end (m, rad)")
    print(f"pictures, film and report: {folder.resolve()}")
    return 0 if report.ok and final < 1e-6 else 1


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1] if len(sys.argv) > 1 else "demo-output")))
