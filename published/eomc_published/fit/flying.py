"""A quadrotor with a slung load, and an arm that bends."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

import numpy as np
import sympy as sp
from sympy.physics.mechanics import dynamicsymbols

from eomc.building import build
from eomc.derive.lagrange import LagrangianSystem
from eomc.derive.model import Model
from eomc.runtime import CompiledModel
from eomc.runtime.fit import Run, fit
from eomc_published.case import Case, CaseCheck, agrees
from eomc_published.fit.pendulums import _SOURCE, Array, near, recorded

_G, _PI = 9.81, np.pi
_TRUTH = {"m": 0.3, "l": 0.8, "rz": -0.05, "Jx": 0.012, "Jy": 0.013}


@cache
def carrier() -> CompiledModel:
    """A rigid frame with a point load on a massless rod of free length below a free hook."""
    model = Model("fit_carrier", gravity=(0, 0, -_G))
    factors = (1.3, 0.8, 1.5, 1.2, 0.8)
    for (name, value), factor in zip(_TRUTH.items(), factors, strict=True):
        model.parameter(name, value * factor)
    for name in ("thrust", "mx", "my", "mz"):
        model.input(name)
    model.body("hull", mass=1.2, inertia=("Jx", "Jy", 0.022))
    model.body("load", mass="m", com=(0, 0, "-l"))
    model.joint("flight", "floating", parent="world", child="hull")
    hook = {"xyz": (0, 0, "rz")}
    model.joint("rope", "universal", parent="hull", child="load", placement=hook)
    at = {"body": "hull", "xyz": (0, 0, 0)}
    model.force("lift", at=at, direction=(0, 0, 1), frame="body", magnitude="thrust")
    for k, name in enumerate(("mx", "my", "mz")):
        axis = tuple(float(i == k) for i in range(3))
        model.torque(name, body="hull", direction=axis, frame="body", magnitude=name)
    return build(model)


def _wrench(t: Any) -> tuple[Any, Any, Any, Any]:
    thrust = 14.8 + np.sin(2 * _PI * 0.5 * t)
    turning = (0.02 * np.sin(2 * _PI * t), 0.02 * np.sin(2 * _PI * 0.8 * t + 1))
    return thrust, *turning, 0.002 * np.sin(2 * _PI * 0.6 * t)


def _rotation(q: Array) -> Array:
    w, x, y, z = q
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
    )


def _product(a: Array, b: Array) -> Array:
    real = a[0] * b[0] - a[1:] @ b[1:]
    return np.array([real, *(a[0] * b[1:] + b[0] * a[1:] + np.cross(a[1:], b[1:]))])


def _flight(t: float, x: Array) -> list[float]:
    """Of the hull (p, v, q, w) and the load (r, its velocity) in space: the force of the rod along
    it is what keeps its length."""
    v, q, w, r, rate = x[3:6], x[6:10], x[10:13], x[13:16], x[16:19]
    m, length, rz, jx, jy = _TRUTH.values()
    J, down = np.array([jx, jy, 0.022]), np.array([0, 0, -_G])
    R, lever = _rotation(q), np.array([0, 0, rz])
    thrust, *moment = _wrench(t)
    free_turn = (np.array(moment) - np.cross(w, J * w)) / J
    free = down + R @ np.array([0, 0, thrust]) / 1.2
    hook = x[:3] + R @ lever
    hook_free = free + R @ (np.cross(free_turn, lever) + np.cross(w, np.cross(w, lever)))
    hook_rate = v + R @ np.cross(w, lever)
    along = (r - hook) / length
    # A force F along on the hull, -F along on the load; lengths of (r - hook) stay.
    by_force = along / 1.2 + R @ np.cross(np.cross(lever, R.T @ along) / J, lever)
    relative = rate - hook_rate
    pull = along @ (down - hook_free) + relative @ relative / length
    force = pull / (along @ by_force + 1 / m)
    turn = free_turn + np.cross(lever, R.T @ along) * force / J
    acceleration = free + along * force / 1.2
    q_rate = _product(q, np.array([0.0, *w])) / 2
    return [*v, *acceleration, *q_rate, *turn, *rate, *(down - along * force / m)]


def case_8() -> Iterator[CaseCheck]:
    swing = [0.8 * np.sin(0.2), 0, -0.05 - 0.8 * np.cos(0.2)]
    x0 = [0.0] * 6 + [1.0] + [0.0] * 6 + swing + [0.0] * 3
    t, x = recorded(_flight, x0, 0.01, 300, tolerance=1e-11)
    yield agrees("record", [1.832426099, -6.320734004, -0.034957907], x[300, :3], 1e-8)
    e = 0.002 * np.random.default_rng(7).standard_normal((301, 6))
    turned = np.array(
        [_product(q, _half(angle)) for q, angle in zip(x[:, 6:10], e[:, 3:], strict=True)]
    )
    turned[::2] *= -1
    place = x[:, :3] + e[:, :3]
    data: dict[str, Any] = {"t": t, "attitude(hull)": turned}
    data |= {f"flight_{axis}": place[:, k] for k, axis in enumerate("xyz")}
    for k, name in enumerate(("thrust", "mx", "my", "mz")):
        data[name] = lambda t, k=k: float(_wrench(t)[k])
    start = {"flight_qw": 1.0, "rope_2": -0.2}
    found = fit(carrier(), Run(data, q=start, u={}), list(_TRUTH), sigma=0.002)
    values = (0.29999969544, 0.79984624580, -0.050002120091, 0.011999121589, 0.013007235978)
    yield near(found, dict(zip(_TRUTH, values, strict=True)), 1e-3)
    yield agrees("chi2", 1760.0040461685, found.chi2, 1e-3)
    sd = [9.174428e-6, 2.426756e-4, 1.296547e-5, 1.926264e-6, 1.079291e-5]
    ratios = [d / s for d, s in zip(found.deviations.values(), sd, strict=True)]
    yield agrees("deviations over those known", np.ones(5), ratios, 1e-4)
    yield agrees("correlation of l and rz", 0.8402, found.correlation[1, 2], 1e-3)


def _half(angle: Array) -> Array:
    size = float(np.linalg.norm(angle))
    return np.array([np.cos(size / 2), *(np.sin(size / 2) * angle / size)])


_BETA = np.array([1.8751040687119611, 4.694091132974174])
_HUB, _RHO = 0.02, 0.5


@cache
def bending() -> CompiledModel:
    """Hub and two modes of a beam; the tip's displacement is a coordinate, in place of mode 2."""
    th, e1, tip = dynamicsymbols("th e1 tip")
    EI, z1, z2, c, torque = sp.symbols("EI z1 z2 c torque")
    e = (e1, (th + 2 * e1 - tip) / 2)
    rates = [x.diff() for x in e]
    turning = [2 / sp.Float(b, 17) ** 2 for b in _BETA]
    w = [sp.Float(b, 17) ** 2 * sp.sqrt(EI / _RHO) for b in _BETA]
    kinetic = (_HUB + _RHO / sp.Integer(3)) * th.diff() ** 2 / 2
    kinetic += sum(
        _RHO * a * r * th.diff() + _RHO * r**2 / 2 for a, r in zip(turning, rates, strict=True)
    )
    potential = sum(_RHO * f**2 * x**2 / 2 for f, x in zip(w, e, strict=True))
    loss = c * th.diff() ** 2 / 2
    loss += sum(z * f * _RHO * r**2 for z, f, r in zip((z1, z2), w, rates, strict=True))
    return build(
        LagrangianSystem(
            "fit_bending",
            coordinates=[th, e1, tip],
            kinetic_energy=kinetic,
            potential_energy=potential,
            dissipation=loss,
            generalized_forces={th: torque},
            inputs=[torque],
            parameters={EI: 2.5, z1: 0.02, z2: 0.02, c: 0.1},
        )
    )


def _torque(t: Any) -> Any:
    return (
        0.5 * np.sin(2 * _PI * 0.5 * t)
        + 0.3 * np.sin(2 * _PI * 1.3 * t)
        + 0.2 * np.sin(2 * _PI * 8 * t)
    )


def case_5() -> Iterator[CaseCheck]:
    a, w = 2 / _BETA**2, _BETA**2 * np.sqrt(2 / _RHO)
    mass = np.diag([_HUB + _RHO / 3, _RHO, _RHO])
    mass[0, 1:] = mass[1:, 0] = _RHO * a
    z = np.array([0.01, 0.008])

    def accelerations(t: float, x: Array) -> Array:
        e, v = x[1:3], x[4:6]
        right = [_torque(t) - 0.05 * x[3], *(-_RHO * w**2 * e - 2 * z * w * _RHO * v)]
        found: Array = np.linalg.solve(mass, right)
        return found

    t, x = recorded(lambda t, x: [*x[3:], *accelerations(t, x)], [0.0] * 6, 0.005, 800)
    tip = [accelerations(s, row) @ (1, 2, -2) for s, row in zip(t, x, strict=True)]
    y = np.column_stack([x[:, 0], np.array(tip) + 0.1])
    y = y + (1e-3, 0.05) * np.random.default_rng(4).standard_normal(y.shape)
    channel = "acceleration(tip)"
    data = {"t": t, "th": y[:, 0], channel: y[:, 1], "torque": _torque}
    names = ["EI", "z1", "z2", "c", f"bias({channel})"]
    rest = dict.fromkeys(("th", "e1", "tip"), 0.0)
    sigma = {"th": 1e-3, channel: 0.05}
    found = fit(bending(), Run(data, q=rest, u=rest), names, sigma=sigma, substeps=5)
    values = (1.9999811015, 0.010026391742, 0.0079902816810, 0.049998111579, 0.10116163133)
    yield near(found, dict(zip(names, values, strict=True)), 2e-2)
    yield agrees("chi2", 1624.890935, found.chi2, 1e-2)
    sd = [1.306946e-5, 1.239095e-4, 3.166454e-5, 3.032215e-6, 1.766723e-3]
    ratios = [d / s for d, s in zip(found.deviations.values(), sd, strict=True)]
    yield agrees("deviations over those known", np.ones(5), ratios, 1e-3)
    yield agrees("correlation of z1 and z2", -0.9973, found.correlation[1, 2], 1e-3)
    watson = list(found.durbin_watson.values())
    yield agrees("Durbin-Watson", [2.0027, 1.9103], watson, 1e-3)


CASES = (
    Case(
        5,
        "an arm that bends, with an accelerometer",
        _SOURCE,
        "stiffness, modal damping, loss of the hub and bias of the sensor, with deviations",
        case_5,
        slow=True,
    ),
    Case(
        8,
        "a quadrotor with a slung load",
        _SOURCE,
        "load, rope, hook and inertia from poses, quaternions of either sign",
        case_8,
        slow=True,
    ),
)
