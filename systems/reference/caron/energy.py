"""Cases of energy and momentum (12 to 15)."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from eomc.building import build
from eomc.derive.model import Model
from eomc.runtime import Trajectory, simulate
from eomc.systems.flexible_manipulator.data import ALTITUDE, EARTH_RADIUS, MU
from eomc.systems.flexible_manipulator.scenario import peak
from eomc.systems.reference.caron.checks import between, recomputed
from eomc.systems.reference.caron.scenarios import response
from eomc.systems.reference.case import Case, Check, agrees, at_most

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
    run = simulate(
        model, q, u, times, method="DOP853", rtol=1e-12, atol=1e-13, progress=False
    )  # fmt: skip
    return run, period


def _rigid_bodies() -> Iterator[Check]:
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


def _flexible_units() -> Iterator[Check]:
    run = response("3-3")
    yield at_most(
        "variation of the energy [%]", 100 * np.ptp(run.energy) / abs(run.energy[0]), 1e-10
    )
    y = run.end[:, 1]
    yield agrees("transverse place of the end-effector [m]", [44.8, 47.6], [y.min(), y.max()], 0.2)
    # A tenth of the run is a period of the platform; single ones swing to 0.964 m and more, as
    # motion passes to the units and back.
    later = run.e(2)[run.e(2).size // 10 :]
    yield agrees(
        "amplitude of the platform's tip after its first period [m]", 1.0, peak(later), 0.02
    )


def _floating() -> Iterator[Check]:
    run = response("4-2 floating")
    stored = run.energy[0]
    yield between("strain energy at the start [1e4 J]", 1.985, stored / 1e4, 1.995)
    yield at_most("relative variation of the energy", np.ptp(run.energy) / stored, 1e-8)


def _angular_momentum() -> Iterator[Check]:
    for figure in ("3-3", "4-2", "4-5", "4-15"):
        momentum = response(figure).angular_momentum
        drift = np.ptp(momentum) / abs(momentum[0])
        yield at_most(f"figure {figure}: variation of the angular momentum", drift, 1e-11)


CASES = (
    recomputed(12, "Five rigid bodies", "fig. 3-2",
               "an energy variation of 1e-12 % without trend", _rigid_bodies),
    recomputed(13, "Five flexible units", "fig. 3-3",
               "an energy variation of the order of 1e-12 %", _flexible_units, slow=True),
    Case(14, "Floating without gravity", "fig. 4-2, mu = 0", "energy compared with its start",
         _floating),
    Case(15, "Angular momentum about the Earth", "sec. 3.2", "momentum compared with its start",
         _angular_momentum, slow=True),
)  # fmt: skip
