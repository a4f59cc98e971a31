"""Case of gains that are computed at given times and looked up between them: 41."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from scipy.linalg import solve_continuous_are

from eomc.binding.arrays import Array
from eomc.building.compiled_loop import sampled_loop
from eomc.runtime.control import Sampled
from eomc.runtime.control.flexible import CompositeControl, GainSchedule
from eomc.runtime.simulation.simulate import simulate
from eomc.systems.truss_crane import single_actuator_crane
from eomc_published.boutin.control_gains import NAMES, TABLE_8_3, TOLERANCES, crane
from eomc_published.boutin.control_runs import rigid
from eomc_published.boutin.kinematics import column
from eomc_published.boutin.oracle import Oracle, eigenvalues
from eomc_published.case import Case, CaseCheck, agrees, at_most, holds

TIMES = np.linspace(0.0, 20.0, 5)
_END = 6.0


def _recomputed(angle: float) -> Array:
    """Gains (4,) of amplitudes and rates by a Riccati equation of SciPy for the crane without
    constraints, its boom turned by an angle (6.29)-(6.36)."""
    mass, *_ = Oracle(two=False).in_extensions(np.array([angle, 0.0, 0.0]), np.zeros(3))
    stiffness = eigenvalues(2)
    h, smallest = np.linalg.inv(mass), stiffness[0]
    a, b = np.zeros((4, 4)), np.zeros((4, 1))
    a[:2, 2:] = np.eye(2)
    a[2:, :2] = -(stiffness[:, None] * h[1:, 1:]) / smallest
    b[2:, 0] = stiffness * h[1:, 0] / smallest
    gain = (b.T @ solve_continuous_are(a, b, np.eye(4), np.eye(1)))[0]
    scale = np.r_[stiffness, stiffness / np.sqrt(smallest)]
    return np.asarray(gain * scale, dtype=np.float64)


def _looked_up() -> Iterator[CaseCheck]:
    motion = rigid(1)
    gains = GainSchedule.along(motion, TIMES)
    rows = [np.concatenate(gains(float(t)), axis=1)[0] for t in TIMES]
    angles = np.interp(TIMES, motion.times, column(crane(1), motion.q, "turn2"))
    expected = [_recomputed(float(angle)) for angle in angles]
    worst = max(np.abs(row / own - 1).max() for row, own in zip(rows, expected, strict=True))
    yield at_most("gains at the times of the table - witness, relative", worst, 1e-6)
    forces = gains.regulators[-1].design.gain[0]
    for name, printed, got, tolerance in zip(NAMES, TABLE_8_3, forces, TOLERANCES, strict=True):
        yield agrees(f"{name} at 20 s", printed, got, tolerance, relative=True)
    for first, second, a, b in zip(TIMES, TIMES[1:], rows, rows[1:], strict=False):
        between = np.concatenate(gains(float(0.75 * first + 0.25 * second)), axis=1)[0]
        yield agrees(
            f"gains at {0.75 * first + 0.25 * second} s",
            0.75 * a + 0.25 * b,
            between,
            1e-12,
            relative=True,
        )
    first, second = (motion.looked_up(float(t))[0] for t in motion.times[100:102])
    halfway = motion.looked_up(float(motion.times[100:102].mean()))[0]
    yield agrees("force halfway [N]", (first + second) / 2, halfway, 1e-9, relative=True)
    spread = float(np.abs(rows[2] / rows[0] - 1).max())
    yield holds("gains of 10 s by those of 0 s", "> 1 % apart", f"{spread:.1%}", spread > 0.01)
    middle = float(np.mean(TIMES[1:3]))
    own = _recomputed(float(np.interp(middle, motion.times, column(crane(1), motion.q, "turn2"))))
    off = np.abs(np.concatenate(gains(middle), axis=1)[0] / own - 1).max()
    yield at_most("gains between two times by those computed there", off, 0.05)
    yield from _in_c(gains)


def _in_c(gains: GainSchedule) -> Iterator[CaseCheck]:
    """The law with its table compiled with the crane, against the law in Python."""
    law = Sampled(CompositeControl(rigid(1), 0.0, 0.0, gains), 0.01)
    t = np.linspace(0.0, _END, 121)
    compiled = sampled_loop(single_actuator_crane(2), law).run(t_span=t, method="dopri")
    python = simulate(crane(1), t_span=t, controller=law, method="dopri", progress=False)
    for name in ("jack2", "boom_e1", "boom_e2"):
        size = np.abs(python[name]).max()
        off = float(np.abs(compiled[name] - python[name]).max() / size)
        yield at_most(f"{name} under the law in C - in Python, relative", off, 1e-6)
    never = GainSchedule(gains.times, gains.regulators, begin=1e3)
    idle = Sampled(CompositeControl(rigid(1), 0.0, 0.0, never), 0.01)
    free = simulate(crane(1), t_span=t, controller=idle, method="dopri", progress=False)
    damped = (
        np.abs(python["speed(boom_e1)"])[t > 4].max() / np.abs(free["speed(boom_e1)"])[t > 4].max()
    )
    yield at_most("largest rate of b1 after 4 s, by that without", float(damped), 0.7)


CASES = (
    Case(
        41,
        "Gains computed at given times, looked up between them",
        "chapter 7, Table 8.3",
        "gains at five times of the maneuver by a Riccati equation of the crane without "
        "constraints, linear between them, in Python and in C",
        _looked_up,
        provenance="reconstructed",
        slow=True,
    ),
)
