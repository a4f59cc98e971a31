"""Cases of what actuators do beside following: elastic ones, and forces on given extensions."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

import numpy as np
from scipy.interpolate import CubicSpline

from eomc.binding.arrays import Array
from eomc.building import build
from eomc.runtime.linearization import linearize
from eomc.runtime.model.compiled import CompiledModel
from eomc.runtime.record.trajectory import Trajectory
from eomc.runtime.simulation.simulate import simulate
from eomc.systems.truss_crane import maneuver, two_actuator_crane
from eomc.systems.truss_crane.crane import DURATION, EXTENSION
from eomc_published.boutin.compiled import JACKS, nominal, two
from eomc_published.boutin.flexible import imposed, peak_frequency
from eomc_published.boutin.kinematics import FREE, on_loops
from eomc_published.boutin.oracle import LENGTH, ROD, Oracle, eigenvalues
from eomc_published.case import Case, CaseCheck, agrees, at_most

OIL = 1.4e9 * ROD / LENGTH
"""Stiffness of a column of oil as long as an actuator, of a bulk modulus of 1.4 GPa [N/m]."""


@cache
def on_oil(stiffness: float) -> CompiledModel:
    """Two actuators fed by pumps through such columns."""
    return build(two_actuator_crane(2, drive="velocity", stiffness=stiffness))


@cache
def witness() -> Oracle:
    """Without constraints."""
    return Oracle(two=True)


def _unconstrained(model: CompiledModel, q: Array, u: Array) -> tuple[Array, Array, Array, Array]:
    """M, phi, psi, psi' of the witness in a state of the product."""
    rows = []
    for values in (q, u):
        turn1, turn2, *b = (
            values[model.coordinates.index(n)] for n in ("turn1", "turn2", *FREE[2:])
        )
        rows.append(np.array([turn1, turn1 + turn2, *b]))
    return witness().in_extensions(*rows)


def _frequencies(model: CompiledModel, extension: float) -> Array:
    """Of the crane at rest with closed valves, linearized [Hz]."""
    q = on_loops(model, np.array([extension, extension, 0.0, 0.0]), np.zeros(4)).q[0]
    linear = linearize(model, q=q, independent=list(FREE))
    return _waves(np.linalg.eigvals(linear.A))


def _waves(values: Any) -> Array:
    return np.sort(values.imag[values.imag > 1e-3]) / (2 * np.pi)


def _elastic() -> Iterator[CaseCheck]:
    for extension in (0.0, EXTENSION):
        model = on_oil(OIL)
        q = on_loops(model, np.array([extension, extension, 0.0, 0.0]), np.zeros(4)).q[0]
        mass, *_ = _unconstrained(model, q, np.zeros_like(q))
        springs = np.diag([OIL, OIL, *eigenvalues(2)])
        expected = np.sqrt(np.linalg.eigvals(np.linalg.solve(mass, springs)).real)
        yield agrees(
            f"frequencies at {extension} m by the witness [Hz]",
            np.sort(expected) / (2 * np.pi),
            _frequencies(model, extension),
            1e-6,
            relative=True,
        )
    stiff = _frequencies(on_oil(1e12), EXTENSION)[:2]
    yield agrees("as stiff as given extensions [Hz]", [0.5757, 4.127], stiff, 0.001)
    yield from _pumped()


def _pumped() -> Iterator[CaseCheck]:
    """The maneuver by the flow of two pumps."""
    model, path = on_oil(OIL), maneuver()
    t = np.linspace(0.0, DURATION, 2001)
    flow = {f"{jack}_velocity": lambda t, q, u: float(path(t).rate) for jack in JACKS}
    run = simulate(model, t_span=t, inputs=flow, rtol=1e-9, atol=1e-9, progress=False)
    samples = [path(time) for time in t]
    place, rate = (np.array([float(getattr(s, n)) for s in samples]) for n in ("position", "rate"))
    work = oil = 0.0
    for jack in JACKS:
        thrust = run[f"{jack}_thrust"]
        lag = np.abs(thrust - OIL * (place - run[jack])).max() / np.abs(thrust).max()
        yield at_most(f"{jack}: thrust - k (pumped - extension), relative", lag, 1e-5)
        work += np.trapezoid(thrust * rate, t)
        oil += thrust[-1] ** 2 / (2 * OIL)
    stored = run.energy[-1] - run.energy[0]
    size = float(run.energy.max())
    off = float((work - stored - oil) / size)
    yield agrees("work of the pumps - energy of crane and oil, relative", 0.0, off, 1e-8)


@cache
def imposed_forces() -> Array:
    """(times, 2) that both extensions take in the run `imposed`."""
    forces = np.asarray(imposed().evaluate("prescribed_forces"))
    return forces[:, [two(2, drive="extension").prescribed.index(jack) for jack in JACKS]]


def _on_given_extensions() -> Iterator[CaseCheck]:
    run, tau = imposed(), imposed_forces()
    worst, model = 0.0, two(2, drive="extension")
    for k in range(100, len(run.t), 290):
        mass, phi, *_ = _unconstrained(model, run.q[k], run.u[k])
        given = np.full(2, float(maneuver()(run.t[k]).acceleration))
        b = np.linalg.solve(mass[2:, 2:], phi[2:] - mass[2:, :2] @ given)
        needed = mass[:2] @ np.r_[given, b] - phi[:2]
        worst = max(worst, np.abs(needed - tau[k]).max() / np.abs(tau).max())
    yield at_most("forces - witness, by the largest", worst, 1e-6)
    pair = np.abs(tau[:, 0] - tau[:, 1]).max() / np.abs(tau).max()
    yield at_most("difference of both actuators, by the largest", pair, 2e-3)
    yield from _audit(run, tau)
    after = run.t >= DURATION
    lines = [peak_frequency(tau[after, 1], 0.01, above) for above in (0.0, 2.0)]
    printed = np.array([0.531, 3.893])
    apart = float(np.abs(lines / printed - 1).max())
    yield at_most("lines after the maneuver off 0.531 and 3.893 Hz, share", apart, 0.10)
    yield agrees("lines after the maneuver [Hz]", [0.5757, 4.127], lines, 0.02)
    late = [np.ptp(tau[(run.t >= a) & (run.t <= a + 5), 1]) for a in (20, 25)]
    yield agrees("swing from 25 to 30 s by that from 20 to 25 s", 1.0, late[1] / late[0], 0.05)


def _audit(run: Trajectory, tau: Array) -> Iterator[CaseCheck]:
    """Forces that are on average those of the rigid crane, as their work is the energy."""
    rate = np.array([float(maneuver()(t).rate) for t in run.t])
    work = CubicSpline(run.t, tau.sum(axis=1) * rate).antiderivative()(run.t)
    off = np.abs(work - run.energy + run.energy[0]).max() / run.energy.max()
    yield at_most("work - energy, by the largest energy", off, 1e-5)
    slow = nominal("two", tuple(run.t[:2001:10].tolist())).force("jack2")
    ring = tau[:2001:10, 1] - slow
    yield at_most("vibration in the force by the rigid one, rms", rms(ring) / rms(slow), 0.5)


def rms(values: Array) -> float:
    """Root of the mean square."""
    return float(np.sqrt((values**2).mean()))


CASES = (
    Case(
        39,
        "Elastic actuators",
        "section 9.2",
        "frequencies with columns of oil between pumps and pistons against the crane without "
        "constraints, those of given extensions as the limit, and the energy of a run by the flow "
        "of the pumps",
        _elastic,
        provenance="reconstructed",
        note="The source has rigid actuators; the bulk modulus is assumed.",
        slow=True,
    ),
    Case(
        40,
        "Forces on prescribed extensions",
        "figure 8.15",
        "forces of the run of case 23 against the crane without constraints, their work, and what "
        "the text says of frequencies and persistence",
        _on_given_extensions,
        provenance="reconstructed",
        slow=True,
    ),
)
