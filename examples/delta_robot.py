"""A parallel robot picks and places: three legs, two loops, forces from inverse dynamics.

    python examples/delta_robot.py [folder]

Three legs, each an arm and a rod between universal joints, carry a platform that translates. The
loops are found and cut where the model closes; a path of the platform becomes motions of all
joints, these become torques of the three motors, and a run under these torques and a weak feedback
follows the path. Exit code 1 if it does not.
"""

from __future__ import annotations

import sys
from itertools import pairwise
from pathlib import Path

import matplotlib

matplotlib.use("Agg")

import matplotlib.pyplot as plt
import numpy as np

import eomc
from eomc.runtime.trajectories import Quintic

BASE, ARM, ROD, PLATFORM = 0.2, 0.3, 0.6, 0.06
"""Radius of the motors' circle, lengths of arms and rods, radius of the platform [m]."""
MOTORS = ("motor1", "motor2", "motor3")
POINTS = [(-0.2, 0.1, -0.62), (-0.15, 0.05, -0.5), (0.15, 0.0, -0.5), (0.2, -0.05, -0.62)]
"""Of the platform's centre: pick, lift, carry, place [m]."""


def robot() -> eomc.Model:
    """The first leg carries the platform in the tree; the other two close the loops."""
    model = eomc.Model("delta", gravity=(0, 0, -9.81))
    model.body("platform", mass=0.4, inertia=(3e-4, 3e-4, 6e-4))
    for k in (1, 2, 3):
        turned = eomc.Placement(rpy=(0, 0, 2 * np.pi * (k - 1) / 3))
        outward = np.round([np.cos(turned.rpy[2]), np.sin(turned.rpy[2]), 0], 15)
        model.body(f"arm{k}", mass=0.5, com=(ARM / 2, 0, 0), inertia=(2e-4, 4e-3, 4e-3))
        model.body(f"rod{k}", mass=0.1, com=(ROD / 2, 0, 0), inertia=(1e-5, 3e-3, 3e-3))
        shoulder = eomc.Placement(xyz=tuple(BASE * outward), rpy=turned.rpy)
        model.joint(
            f"motor{k}",
            "revolute",
            parent="world",
            child=f"arm{k}",
            axis=(0, 1, 0),
            placement=shoulder,
            rotor_inertia=2e-4,
            gear_ratio=10,
        )
        model.joint(
            f"elbow{k}",
            "universal",
            parent=f"arm{k}",
            child=f"rod{k}",
            axis=(0, 1, 0),
            axis_2=(0, 0, 1),
            placement=(ARM, 0, 0),
        )
        model.joint(
            f"wrist{k}",
            "universal",
            parent=f"rod{k}",
            child="platform",
            axis=(0, 0, 1),
            axis_2=(0, 1, 0),
            placement=(ROD, 0, 0),
            child_placement=eomc.Placement(xyz=tuple(PLATFORM * outward), rpy=turned.rpy),
            cut=k > 1,
        )
    model.frame("tool", body="platform")
    return model


class Course:
    """The platform's: rest to rest through points, `leg` seconds each."""

    def __init__(self, points: list[tuple[float, float, float]], leg: float) -> None:
        self.leg = leg
        self.pieces = [
            Quintic(a, b, leg, start_time=k * leg) for k, (a, b) in enumerate(pairwise(points))
        ]

    def __call__(self, t: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Position, velocity, acceleration (3,) each."""
        place = min(int(t / self.leg), len(self.pieces) - 1)
        sample = self.pieces[place](t)
        return sample.position, sample.rate, sample.acceleration


def configuration(p: np.ndarray) -> dict[str, float]:
    """All joint angles with the platform at p, in closed form: one leg at a time.

    In the axes of a leg its rod points along (cos a cos c, sin c, -sin a cos c).
    """
    q = {}
    for k in (1, 2, 3):
        angle = 2 * np.pi * (k - 1) / 3
        x = p[0] * np.cos(angle) + p[1] * np.sin(angle) + PLATFORM - BASE
        y, z = p[1] * np.cos(angle) - p[0] * np.sin(angle), p[2]
        # |(x - ARM cos, y, z + ARM sin)| = ROD, the elbow outward
        far = (x**2 + y**2 + z**2 + ARM**2 - ROD**2) / (2 * ARM)
        motor = np.arctan2(-z, x) - np.arccos(far / np.hypot(x, z))
        rod = np.array([x - ARM * np.cos(motor), y, z + ARM * np.sin(motor)]) / ROD
        a, c = np.arctan2(-rod[2], rod[0]), np.arcsin(rod[1])
        q |= {f"motor{k}": motor, f"elbow{k}_1": a - motor, f"elbow{k}_2": c}
        if k == 1:
            q |= {"wrist1_1": -c, "wrist1_2": -a}
    return q


def motion(model: eomc.CompiledModel, course: Course, t: float) -> tuple[np.ndarray, ...]:
    """q, u, a of all joints: J u = v and G u = 0, J a = a_p - J' u and G a = -g."""
    position, velocity, acceleration = course(t)
    angles = configuration(position)
    q = np.array([angles[name] for name in model.coordinates])
    tool = model.frame("tool")
    rows = np.vstack([tool.jacobian(q)[:3], model.constraint_jacobian(q)])
    still = np.zeros(len(rows) - 3)
    u = np.linalg.solve(rows, np.concatenate([velocity, still]))
    drift = acceleration - tool.jacobian_rate(q, u)[:3] @ u
    a = np.linalg.solve(rows, np.concatenate([drift, -model.constraint_bias(q, u)]))
    return q, u, a


class Drives:
    """The torques of the plan, and a weak feedback of the motors' angles."""

    def __init__(self, t: np.ndarray, q: np.ndarray, u: np.ndarray, tau: np.ndarray) -> None:
        self.t, self.plan = t, np.hstack([q, u, tau])

    def torque(self, t: float, q: np.ndarray, u: np.ndarray) -> np.ndarray:
        """(nu,) [N m]"""
        place = min(int(np.searchsorted(self.t, t, side="right")), len(self.t) - 1)
        before, after = self.t[place - 1], self.t[place]
        share = (t - before) / (after - before)
        q_d, u_d, tau = np.split((1 - share) * self.plan[place - 1] + share * self.plan[place], 3)
        driven = tau != 0
        return tau + driven * (20.0 * (q_d - q) + 1.0 * (u_d - u))


def main(folder: Path) -> int:
    """Plan, run, check, draw; returns the exit code."""
    folder.mkdir(parents=True, exist_ok=True)
    model = eomc.build(robot())
    course = Course(POINTS, 0.25)
    t = np.linspace(0, 0.75, 301)
    q, u, a = (np.array(rows) for rows in zip(*(motion(model, course, x) for x in t), strict=True))
    forces = [
        eomc.runtime.loop_inverse_dynamics(model, *row, actuators=MOTORS)
        for row in zip(q, u, a, strict=True)
    ]
    tau = np.array([force.tau for force in forces])
    run = eomc.simulate(model, q[0], u[0], t_span=t, controller=Drives(t, q, u, tau), rtol=1e-9)
    wanted = np.array([course(x)[0] for x in t])
    error = 1e3 * float(np.abs(model.frame("tool").pose(run.q)[:, :3, 3] - wanted).max())
    gap = float(np.abs(model.constraint_residual(run.q)).max())
    print(f"three freedoms of {model.nu} joint angles; largest torque {np.abs(tau).max():.1f} N m")
    print(
        f"the platform follows its path within {error:.3f} mm; the loops stay closed to {gap:.0e}"
    )
    figure, (top, bottom) = plt.subplots(2, 1, figsize=(7, 5), sharex=True, layout="constrained")
    run.plot(top, channels=MOTORS)
    for name in MOTORS:
        bottom.plot(t, tau[:, model.speeds.index(name)], label=name)
    bottom.set(xlabel="time [s]", ylabel="torque [N m]")
    bottom.legend()
    figure.savefig(folder / "delta_torques.png", dpi=120)
    plate = [(PLATFORM * np.cos(x), PLATFORM * np.sin(x), 0) for x in np.arange(4) * 2 * np.pi / 3]
    run.animate(folder / "delta.gif", fps=20, speed=0.25, shapes={"platform": plate}, trace="tool")
    return 0 if error < 0.5 and gap < 1e-12 else 1


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1] if len(sys.argv) > 1 else "demo-output")))
