"""Cases of energy and momentum (12 to 15)."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import scipy.linalg

from eomc.binding.arrays import Array
from eomc.building import build
from eomc.derive.model import Model
from eomc.runtime import Trajectory, simulate
from eomc.systems.flexible_manipulator.data import ALTITUDE, EARTH_RADIUS, MU
from eomc.systems.flexible_manipulator.scenario import Response, peak
from eomc_published.caron.checks import between, recomputed, within
from eomc_published.caron.scenarios import FIGURES, response
from eomc_published.caron.velocity_transformations import TransformedEquations
from eomc_published.caron.velocity_transformations.model_states import coupled
from eomc_published.case import Case, CaseCheck, agrees, at_most

APOGEE = EARTH_RADIUS + ALTITUDE
ECCENTRICITY = 0.01


def five_bodies() -> Model:
    """Figure 3-2: a rigid platform and four rods hinged in a row at its tip, without springs."""
    model = Model("five_bodies", gravity=(0, 0, 0))
    model.body("body1", mass=120e3, inertia=(0, 120e3 * 120**2 / 12, 120e3 * 120**2 / 12))
    model.joint("orbit", "orbit_planar", parent="world", child="body1")
    place = 60.0
    for i in range(2, 6):
        model.body(f"body{i}", mass=400, com=(5, 0, 0), inertia=(0, 400 * 100 / 12, 400 * 100 / 12))
        model.joint(
            f"beta{i}",
            "revolute",
            parent=f"body{i - 1}",
            child=f"body{i}",
            axis=(0, 0, 1),
            placement=(place, 0, 0),
        )
        place = 10.0
    model.central_gravity("earth", mu=MU, expansion="second_order", about="body")
    return model


def orbiting() -> tuple[Trajectory, float]:
    """One orbit of the five bodies from apogee, and its period [s]."""
    model = build(five_bodies())
    axis = APOGEE / (1 + ECCENTRICITY)
    rate = np.sqrt(MU * axis * (1 - ECCENTRICITY**2)) / APOGEE**2
    period = 2 * np.pi * np.sqrt(axis**3 / MU)
    q = {"orbit_r": APOGEE, "orbit_psi": np.radians(30)}
    # The second body does not turn in inertial space: its hinge turns back what the first does.
    u = {"orbit_theta": rate, "beta2": -rate}
    times = np.linspace(0, period, 2001)
    # Energy is to be held to rounding: a method of order 8, where that of order 5 drifts by 2e-14.
    run = simulate(model, q, u, times, method="DOP853", rtol=1e-12, atol=1e-13, progress=False)
    return run, period


def _rigid_bodies() -> Iterator[CaseCheck]:
    run, _ = orbiting()
    energy = run["kinetic_energy"] + run["potential_energy"]
    yield at_most("variation of the energy [%]", 100 * np.ptp(energy) / abs(energy[0]), 1e-11)
    slope = np.polyfit(np.linspace(0, 1, energy.size), energy, 1)[0]
    yield at_most("trend over the orbit [%]", 100 * abs(slope / energy[0]), 1e-12)
    # Of a smooth drift 1, of noise that rounding makes -1/2.
    changes = np.diff(energy)
    lag = float(np.corrcoef(changes[1:], changes[:-1])[0, 1])
    yield at_most("correlation of successive changes of the energy", lag, 0.1)
    yield agrees("lowest altitude [km]", 265.8, (run["orbit_r"].min() - EARTH_RADIUS) / 1e3, 0.5)
    for name, low, high in (
        ("orbit_psi", -30.7, 30.0),
        ("beta2", -18.5, 21.4),
        ("beta3", -3.7, 4.7),
        ("beta4", -5.3, 6.1),
        ("beta5", -6.8, 7.5),
    ):
        angle = np.degrees(run[name])
        yield agrees(f"{name} [deg]", [low, high], [angle.min(), angle.max()], 0.5)


def _flexible_units() -> Iterator[CaseCheck]:
    run = response("3-3")
    yield at_most(
        "variation of the energy [%]", 100 * np.ptp(run.energy) / abs(run.energy[0]), 1e-10
    )
    y = run.end[:, 1]
    yield agrees("transverse place of the end-effector [m]", [44.8, 47.6], [y.min(), y.max()], 0.2)
    x = run.end[:, 0]
    yield agrees("place along the platform [m]", [54.07, 57.24], [x.min(), x.max()], 0.2)
    yield within("last joint [deg]", 29.0, peak(run.beta(6)), 0.05)
    yield from _platform_vibration(run)


def _platform_vibration(run: Response) -> Iterator[CaseCheck]:
    """Its amplitude neither falls nor rises, and is that of its mode in the small motions."""
    t, e = run.run.t, run.e(2)
    half = t <= t[-1] / 2
    (frequency, amplitude), (_, first), (_, second) = (
        _line(t[part], e[part]) for part in (half | True, half, ~half)
    )
    yield agrees("amplitude, second half of the run by the first", 1.0, second / first, 0.005)
    own_frequency, own = platform_mode()
    yield within("amplitude of the platform's tip, by its mode [m]", own, amplitude, 0.01)
    yield within("frequency, by its mode [Hz]", own_frequency, frequency, 0.005)
    yield at_most("amplitude less 1 m, from where it starts [m]", peak(e) - 1.0, 0.02)


def _line(t: Array, values: Array) -> tuple[float, float]:
    """(frequency [Hz], amplitude) of the sine nearest to a record."""

    def fitted(frequency: float) -> tuple[float, float]:
        turns = 2 * np.pi * frequency * t
        columns = np.stack([np.cos(turns), np.sin(turns)], axis=1)
        found, residual, *_ = np.linalg.lstsq(columns, values, rcond=None)
        return float(residual[0]), float(np.hypot(*found))

    from scipy.optimize import minimize_scalar

    best = minimize_scalar(lambda f: fitted(f)[0], bounds=(0.16, 0.20), method="bounded").x
    return float(best), fitted(float(best))[1]


def platform_mode() -> tuple[float, float]:
    """(frequency [Hz], amplitude of the platform's tip [m]) of the mode that the platform leads, in
    small motions about the bent arm from a deflection of 1 m, by M and V_e of the written
    formulation, without gravity."""
    scenario = FIGURES["3-3"]
    equations = TransformedEquations(scenario.manipulator)
    layout, numbers = equations.layout, scenario.manipulator.numbers
    tips = {i: [float(body.shapes(1.0)[0])] for i, body in equations.bodies.items()}

    def at(deflection: float) -> Array:
        named = {"orbit_r": APOGEE, "orbit_theta": 0.0, "orbit_psi": 0.0}
        named |= {k: value for k, value in scenario.motion.items() if isinstance(value, float)}
        named["platform_y1"] = deflection / tips[1][0]
        named |= {
            f"{a}{i}{b}": 0.0 for i in numbers for a, b in (("alpha", "_twist"), ("unit", "_y1"))
        }
        return coupled(equations, {name: (value, 0, 0) for name, value in named.items()}, tips)[0]

    q, step = at(0.0), 1e-30j
    held = {
        k
        for i in numbers
        for k in (*range(layout.total)[layout.offset(i)], layout.rotor(i), layout.length(i))
    }
    free = [k for k in range(layout.total) if k not in held]
    block = np.ix_(free, free)
    mass = equations.mass_matrix(q)[block]
    columns = [np.imag(equations.strain(q + step * unit)) / 1e-30 for unit in np.eye(layout.total)]
    squares, shapes = scipy.linalg.eigh(np.stack(columns, axis=1)[block], mass)
    start = (at(1e-4) - at(-1e-4))[free] / 2e-4
    tip = shapes[free.index(layout.delta(1).start)] * tips[1][0]
    share = tip * (shapes.T @ mass @ start)
    k = int(np.abs(share).argmax())
    return float(np.sqrt(squares[k]) / (2 * np.pi)), float(abs(share[k]))


def _floating() -> Iterator[CaseCheck]:
    run = response("4-2 floating")
    stored = run.energy[0]
    yield between("strain energy at the start [1e4 J]", 1.985, stored / 1e4, 1.995)
    yield at_most("relative variation of the energy", np.ptp(run.energy) / stored, 1e-8)


def _angular_momentum() -> Iterator[CaseCheck]:
    for figure in ("3-3", "4-2", "4-5", "4-15"):
        momentum = response(figure).angular_momentum
        drift = np.ptp(momentum) / abs(momentum[0])
        yield at_most(f"figure {figure}: variation of the angular momentum", drift, 1e-11)


CASES = (
    recomputed(
        12,
        "Five rigid bodies",
        "fig. 3-2",
        "an energy variation of 1e-12 % without trend",
        _rigid_bodies,
    ),
    recomputed(
        13,
        "Five flexible units",
        "fig. 3-3",
        "an energy variation of the order of 1e-12 %, and that the platform vibrates undamped",
        _flexible_units,
        "Of the deflection of 1 m at the start 0.97 m are the platform's mode, the rest "
        "those of the joints: the amplitude is 0.97 m from the first swing to the last, "
        "and single swings reach 0.95 to 1.0 m.",
        slow=True,
    ),
    Case(
        14,
        "Floating without gravity",
        "fig. 4-2, mu = 0",
        "energy compared with its start",
        _floating,
    ),
    Case(
        15,
        "Angular momentum about the Earth",
        "sec. 3.2",
        "momentum compared with its start",
        _angular_momentum,
        slow=True,
    ),
)
