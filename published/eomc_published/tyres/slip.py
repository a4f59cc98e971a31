"""Cases of one tyre: 1 to 4."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import numpy as np

from eomc.binding.arrays import Array
from eomc.building import build
from eomc.derive.model import Model, Point
from eomc.runtime.linearization import linearize
from eomc.runtime.model.compiled import CompiledModel
from eomc.runtime.simulation.simulate import simulate
from eomc.systems.vehicles import PASSENGER_TYRE
from eomc_published.case import Case, CaseCheck, agrees, at_most, holds

LOADS = (1500.0, 4000.0, 7000.0)
_STIFFNESS, _RADIUS = 2e5, 0.3
_BRUSH = {"kind": "brush", "cornering": 10.0, "friction": 0.9, "slip_stiffness": 15.0}


@cache
def rig(slip: str, relaxation_length: float = 0.0) -> CompiledModel:
    """A carriage that is too heavy to be moved, with a wheel that spins."""
    model = Model("rig", gravity=(0, 0, 0))
    model.body("carriage", mass=1e12, inertia=(1e12, 1e12, 1e12))
    model.joint("way", "planar", parent="world", child="carriage", axis=(0, 0, 1))
    model.body("hub", mass=1e12)
    model.joint("heave", "prismatic", parent="carriage", child="hub", axis=(0, 0, 1))
    model.body("wheel", mass=1e12, inertia=(1e12, 1e12, 1e12))
    model.joint("spin", "revolute", parent="hub", child="wheel", axis=(0, 1, 0))
    model.tyre(
        "tyre",
        at=Point("hub"),
        normal={"kind": "kelvin_voigt", "stiffness": _STIFFNESS},
        slip=PASSENGER_TYRE if slip == "magic_formula" else _BRUSH,
        spin="spin",
        radius=_RADIUS,
        relaxation_length=relaxation_length,
        longitudinal_relaxation_length=relaxation_length / 2,
        rolling_speed=1e-6,
    )
    return build(model, functions=["element_outputs", "inverse_dynamics"])


def forces(slip: str, load: float, alpha: float, kappa: float, speed: float = 20.0) -> Array:
    """(F_x, F_y) of a tyre at a load, a slip angle and a longitudinal slip."""
    model = rig(slip)
    q = [0, 0, 0, -load / _STIFFNESS, 0]
    u = [speed, speed * np.tan(alpha), 0, 0, (1 + kappa) * speed / _RADIUS]
    values = model.element_outputs(q, u)
    named = dict(zip(model.output_names("element_outputs"), values, strict=True))
    return np.array([named["tyre.longitudinal_force"], named["tyre.lateral_force"]])


def printed(load: float, alpha: float, kappa: float) -> tuple[float, float]:
    """Pure slip by the equations (4.E9) to (4.E28) as printed, F_x at kappa and F_y at alpha."""
    p = PASSENGER_TYRE
    n = p["nominal_load"]
    df = (load - n) / n
    d = (p["pdx1"] + p["pdx2"] * df) * load
    e = p["pex1"] + p["pex2"] * df + p["pex3"] * df**2
    k = load * (p["pkx1"] + p["pkx2"] * df) * np.exp(p["pkx3"] * df)
    f_x = _magic(kappa, k / (p["pcx1"] * d), p["pcx1"], d, e)
    d = (p["pdy1"] + p["pdy2"] * df) * load
    k = p["pky1"] * n * np.sin(2 * np.arctan(load / (p["pky2"] * n)))
    f_y = _magic(alpha, k / (p["pcy1"] * d), p["pcy1"], d, p["pey1"] + p["pey2"] * df)
    return f_x, -f_y


def _magic(x: float, b: float, c: float, d: float, e: float) -> float:
    return float(d * np.sin(c * np.arctan(b * x - e * (b * x - np.arctan(b * x)))))


def _pure() -> Iterator[CaseCheck]:
    slips = (-0.6, -0.1, -0.01, 0.02, 0.15, 0.9)
    wanted = [[*printed(load, x, x)] for load in LOADS for x in slips]
    got = [
        [forces("magic_formula", load, 0, x)[0], forces("magic_formula", load, x, 0)[1]]
        for load in LOADS
        for x in slips
    ]
    yield agrees("F_x, F_y [N], three loads, six slips", wanted, got, 1e-9, relative=True)
    angles = np.radians(np.linspace(0, 25, 251))
    largest = max(-forces("magic_formula", 4000.0, x, 0)[1] for x in angles)
    yield agrees("largest F_y at the nominal load by pdy1 N", 1.0, largest / (0.990 * 4000), 1e-4)
    beyond = -forces("magic_formula", 4000.0, np.radians(25), 0)[1] / largest
    text = f"{beyond:.3f}"
    yield holds("F_y at 25 degrees by the largest", "falls, to 0.9 to 1", text, 0.9 < beyond < 1)
    lifted = forces("magic_formula", -500.0, 0.1, 0.1)
    yield agrees("5 mm above the road", [0, 0], lifted, 0.0)


def _combined() -> Iterator[CaseCheck]:
    rng = np.random.default_rng(0)
    for slip, friction in (("magic_formula", (1.210, 0.990)), ("brush", (0.9, 0.9))):
        used = []
        for alpha, kappa in rng.uniform(-0.5, 0.5, (200, 2)):
            f = forces(slip, 4000.0, alpha, kappa)
            used.append(np.hypot(*(f / (4000 * np.array(friction)))))
        yield at_most(f"{slip}: (F_x/mu_x N, F_y/mu_y N), largest of 200", max(used), 1 + 1e-9)
        yield holds(
            f"{slip}: the ellipse is reached", "> 0.99", f"{max(used):.4f}", max(used) > 0.99
        )
        alone = forces(slip, 4000.0, 0.05, 0.0)[1]
        braked = forces(slip, 4000.0, 0.05, -0.3)[1]
        share = braked / alone
        yield holds(
            f"{slip}: F_y while braking, by that alone", "< 0.5", f"{share:.3f}", share < 0.5
        )
    slide = forces("brush", 4000.0, np.arctan(0.8), -0.6)
    wanted = -0.9 * 4000 * np.array([0.6, np.arctan(0.8) * 10 / 15])
    wanted *= 1 / np.hypot(0.6, np.arctan(0.8) * 10 / 15)
    yield agrees(
        "brush that slides: mu N against the normalized slip [N]",
        wanted,
        slide,
        1e-9,
        relative=True,
    )


def _small_slip() -> Iterator[CaseCheck]:
    """Slopes of forces by exact linearization, M = 1e12: the damping matrix holds them."""
    model, load, speed = rig("magic_formula"), 4000.0, 20.0
    n, p = 4000.0, PASSENGER_TYRE
    q = [0, 0, 0, -load / _STIFFNESS, 0]
    linear = linearize(model, q=q, u=[speed, 0, 0, 0, speed / _RADIUS], a=np.zeros(5))
    k_y = p["pky1"] * n * np.sin(2 * np.arctan(load / (p["pky2"] * n)))
    k_x = load * p["pkx1"]
    lateral = linear.damping[1, 1] * speed
    yield agrees("cornering stiffness [N/rad]", k_y, lateral, 1e-9, relative=True)
    yield agrees("slip stiffness [N]", k_x, linear.damping[0, 0] * speed, 1e-9, relative=True)
    on_spin = linear.damping[4, 0] * speed
    yield agrees(
        "torque on the wheel by its slip [N m]", -_RADIUS * k_x, on_spin, 1e-9, relative=True
    )
    few = [forces("magic_formula", load, x, 0)[1] / -(k_y * x) for x in (1e-2, 1e-3)]
    off = np.abs(np.array(few) - 1)
    yield at_most("off the linear tyre at alpha = 0.001", off[1], 1e-4)
    ratio = off[0] / off[1]
    yield holds(
        "that at 0.01 by that at 0.001", "100: by alpha^2", f"{ratio:.1f}", 90 < ratio < 110
    )


def _relaxation() -> Iterator[CaseCheck]:
    length = 0.5
    model = rig("magic_formula", length)
    for speed in (2.0, 20.0):
        alpha, kappa = 0.05, 0.03
        t = np.linspace(0, 2.0 / speed, 41)
        q = [0, 0, 0, -4000 / _STIFFNESS, 0]
        u = [speed, speed * np.tan(alpha), 0, 0, (1 + kappa) * speed / _RADIUS]
        run = simulate(model, q, u, t, rtol=1e-10, atol=1e-12, progress=False)
        x = speed * t
        wanted = length * np.tan(alpha) * (1 - np.exp(-x / length))
        yield agrees(
            f"deflection over 2 m at {speed:g} m/s [m]", wanted, run["tyre_deflection"], 1e-8
        )
        along = -length / 2 * kappa * (1 - np.exp(-2 * x / length))
        yield agrees("longitudinal deflection", along, run["tyre_longitudinal_deflection"], 1e-8)


CASES = (
    Case(
        1,
        "Magic formula: pure slip",
        "(4.E9) to (4.E28), table A3.1 of the 2nd edition",
        "forces of a 205/60R15 91V by the printed equations, evaluated apart",
        _pure,
        note="Camber, shifts and the aligning moment are left out.",
    ),
    Case(
        2,
        "Combined slip: friction ellipse",
        "sec. 4.3.1",
        "200 random slips inside the ellipse; the brush model where all of it slides",
        _combined,
    ),
    Case(
        3,
        "The linear tyre is the limit of small slip",
        "(4.E25), (4.E15)",
        "slopes by exact linearization against B C D; torque on the wheel",
        _small_slip,
    ),
    Case(
        4,
        "Relaxation length",
        "sec. 7.2.2",
        "steps of slip angle and longitudinal slip at two speeds against exp(-x/sigma)",
        _relaxation,
    ),
)
