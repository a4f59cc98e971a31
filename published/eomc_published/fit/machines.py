"""Machines: a rotary pendulum with a late motor, a four-bar with a free length, a crane."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

import numpy as np

from eomc.building import build
from eomc.derive.model import Model
from eomc.runtime import CompiledModel
from eomc.runtime.fit import Run, fit
from eomc_published.case import Case, CaseCheck, agrees
from eomc_published.fit.pendulums import _SOURCE, Array, near, recorded

_G = 9.81
_SIN = np.sin


def _noisy(clean: Array, sigma: float, seed: int) -> Array:
    noisy: Array = clean + sigma * np.random.default_rng(seed).standard_normal(clean.shape)
    return noisy


@cache
def rotary() -> CompiledModel:
    """The pendulum of Furuta, its motor driven by a current."""
    model = Model("fit_furuta", gravity=(0, 0, -_G))
    given = {"c1": 1e-3, "Fc": 1e-3, "c2": 5e-5, "kt": 0.05}
    for name, value in given.items():
        model.parameter(name, value)
    model.input("current")
    about, rod = 5.7e-5 + 4e-6, 0.024 * 0.129**2 / 12
    model.body("arm", mass=0.095, com=(0.0425, 0, 0), inertia=(0, about, about))
    model.body("pendulum", mass=0.024, com=(0, 0, 0.0645), inertia=(rod, rod, 0))
    friction: dict[str, Any] = {"damping": "c1", "friction": "Fc", "friction_speed": 0.05}
    model.joint("motor", "revolute", parent="world", child="arm", axis=(0, 0, 1), **friction)
    model.joint(
        "pivot",
        "revolute",
        parent="arm",
        child="pendulum",
        axis=(1, 0, 0),
        placement={"xyz": (0.085, 0, 0)},
        damping="c2",
    )
    model.generalized_force("drive", speed="motor", expression="kt*current")
    return build(model)


def _current(t: Any) -> Any:
    return 0.35 * _SIN(2 * np.pi * 0.8 * t) + 0.25 * _SIN(2 * np.pi * 1.7 * t + 1)


def case_3() -> Iterator[CaseCheck]:
    r, length, m = 0.085, 0.129, 0.024
    arm, rod = 5.7e-5 + 0.095 * (r / 2) ** 2 + 4e-6 + m * r**2, m * length**2 / 3
    half = m * r * length / 2

    def rates(t: float, x: Array) -> list[float]:
        _, b, w, v = x
        s, c = np.sin(b), np.cos(b)
        torque = 0.042 * _current(t - 0.012) - 5e-4 * w - 2e-3 * np.tanh(w / 0.05)
        mass = [[arm + rod * s**2, -half * c], [-half * c, rod]]
        first = torque - 2 * rod * s * c * w * v - half * s * v**2
        second = rod * s * c * w**2 + m * _G * length / 2 * s - 2e-5 * v
        return [w, v, *np.linalg.solve(mass, [first, second])]

    t, x = recorded(rates, [0.0, np.pi, 0.0, 0.0], 0.01, 400)
    yield agrees("record", [6.026671340531, 1.797113179193], x[200, :2], 1e-8)
    y = _noisy(x[:, :2], 0.002, 2)
    data = {"t": t, "motor": y[:, 0], "pivot": y[:, 1], "current": _current}
    run = Run(data, q={"motor": 0, "pivot": np.pi}, u={"motor": 0, "pivot": 0})
    free = ["c1", "Fc", "c2", "kt", "delay"]
    found = fit(rotary(), run, free, sigma=0.002, substeps=20)
    values = (5.0002589616e-4, 2.0004545965e-3, 2.0003930732e-5, 4.2004099125e-2, 1.1980141820e-2)
    yield near(found, dict(zip(free, values, strict=True)), 5e-3)
    yield agrees("chi2", 807.3904, found.chi2, 3e-3)
    sd = [6.344390e-8, 4.704933e-7, 1.013433e-8, 3.361322e-6, 1.527706e-5]
    ratios = [found.deviations[n] / d for n, d in zip(free, sd, strict=True)]
    yield agrees("deviations over those known", np.ones(5), ratios, 1e-4)


@cache
def four_bar() -> CompiledModel:
    """A crank and rocker on ground of 0.3 m, with a coupler of free length and mass."""
    model = Model("fit_four_bar", gravity=(0, -_G, 0))
    for name, value in {"mc": 0.8, "Jr": 0.02, "b": 0.1, "bc": 0.31}.items():
        model.parameter(name, value)
    crank, rocker = 0.002 - 0.5 * 0.05**2, "Jr - 0.5*0.125**2"
    slender = "mc*bc**2/12"
    model.body("crank", mass=0.5, com=(0.05, 0, 0), inertia=(0, crank, crank))
    model.body("coupler", mass="mc", com=("bc/2", 0, 0), inertia=(0, slender, slender))
    model.body("rocker", mass=0.5, com=(0.125, 0, 0), inertia=(0, rocker, rocker))
    z = (0, 0, 1)
    ground: dict[str, Any] = {"parent": "world", "axis": z}
    model.joint("crank", "revolute", child="crank", damping="b", **ground)
    pin = {"xyz": (0.1, 0, 0)}
    model.joint("pin", "revolute", parent="crank", child="coupler", axis=z, placement=pin)
    model.joint("rocker", "revolute", child="rocker", placement={"xyz": (0.3, 0, 0)}, **ground)
    model.joint(
        "closing",
        "revolute",
        parent="coupler",
        child="rocker",
        axis=z,
        placement={"xyz": ("bc", 0, 0)},
        child_placement={"xyz": (0.25, 0, 0)},
        cut=True,
    )
    model.initial_guess("pin", 0.24)
    model.initial_guess("rocker", 1.53)
    return build(model)


def _crank_rates(mc: float, jr: float, b: float, bc: float) -> Callable[..., list[float]]:
    """Of the crank alone: I(th) th'' + I'(th) th'^2/2 = Q, the loop solved in closed form."""
    r, c, g = 0.1, 0.25, 0.3

    def angles(th: float) -> tuple[float, float]:
        dx, dy = g - r * np.cos(th), -r * np.sin(th)
        d = np.hypot(dx, dy)
        phi = np.arctan2(dy, dx) + np.arccos((bc**2 + d**2 - c**2) / (2 * bc * d))
        return phi, np.arctan2(
            r * np.sin(th) + bc * np.sin(phi), r * np.cos(th) + bc * np.cos(phi) - g
        )

    def slopes(th: float, phi: float, psi: float) -> tuple[float, float]:
        det = bc * c * np.sin(phi - psi)
        return -r * c * np.sin(th - psi) / det, -r * bc * np.sin(th - phi) / det

    def inertia(th: float) -> float:
        phi, psi = angles(th)
        by, to = slopes(th, phi, psi)
        cross = r * (bc / 2) * np.cos(th - phi) * by
        coupler = mc * (r**2 + 2 * cross + (bc / 2 * by) ** 2) + mc * bc**2 / 12 * by**2
        return float(0.002 + coupler + jr * to**2)

    def potential(th: float) -> float:
        phi, psi = angles(th)
        height = mc * (r * np.sin(th) + bc / 2 * np.sin(phi))
        return float(_G * (0.5 * r / 2 * np.sin(th) + height + 0.5 * c / 2 * np.sin(psi)))

    def central(f: Callable[[float], float], th: float) -> float:
        h = 1e-3
        near, far = f(th + h) - f(th - h), f(th + 2 * h) - f(th - 2 * h)
        third = f(th + 3 * h) - f(th - 3 * h)
        return (45 * near - 9 * far + third) / (60 * h)

    def rates(t: float, x: Array) -> list[float]:
        th, w = x
        force = _torque(t) - b * w - central(potential, th) - central(inertia, th) * w**2 / 2
        return [w, force / inertia(th)]

    return rates


def _torque(t: Any) -> Any:
    return 1.5 + 0.4 * _SIN(2 * np.pi * 1.1 * t)


def case_4() -> Iterator[CaseCheck]:
    rates = _crank_rates(0.6, 0.5 * 0.25**2 / 3, 0.15, 0.3)
    t, x = recorded(rates, [0.5, 0.0], 0.005, 400)
    yield agrees("record", 8.546607839454, x[200, 0], 1e-8)
    data = {"t": t, "crank": _noisy(x[:, 0], 1e-3, 3), "tau(crank)": _torque}
    guess = {"crank": 0.5}
    run = Run(data, q=guess, u={"crank": 0.0})
    free = ["mc", "Jr", "b", "bc"]
    found = fit(four_bar(), run, free, sigma=1e-3, substeps=10)
    values = (0.60032776992, 0.010362496112, 0.15000069283, 0.30009225706)
    yield near(found, dict(zip(free, values, strict=True)), 5e-3)
    yield agrees("chi2", 405.58368494, found.chi2, 3e-3)
    sd = [2.157042e-4, 4.067011e-5, 4.908629e-6, 5.845565e-5]
    ratios = [found.deviations[n] / d for n, d in zip(free, sd, strict=True)]
    yield agrees("deviations over those known", np.ones(4), ratios, 1e-4)
    yield agrees("correlation of Jr and bc", -0.8919, found.correlation[1, 3], 1e-3)


@cache
def crane() -> CompiledModel:
    """A trolley of 10 kg whose speed a drive damps, with a payload on a rigid rope."""
    model = Model("fit_crane", gravity=(0, 0, -_G))
    for name, value in {"mp": 8.0, "l": 2.5, "d": 0.1}.items():
        model.parameter(name, value)
    model.body("trolley", mass=10)
    model.body("payload", mass="mp", com=(0, 0, "-l"))
    track: dict[str, Any] = {"parent": "world", "child": "trolley", "axis": (1, 0, 0)}
    model.joint("trolley", "prismatic", damping=8, **track)
    rope: dict[str, Any] = {
        "parent": "trolley",
        "child": "payload",
        "axis": (0, -1, 0),
        "damping": "d",
    }
    model.joint("rope", "revolute", **rope)
    return build(model)


def _pull(t: Any) -> Any:
    return 20 * _SIN(2 * np.pi * 0.25 * t) + 15 * _SIN(2 * np.pi * 0.6 * t)


def case_6() -> Iterator[CaseCheck]:
    m, rope, d = 5.0, 2.0, 0.3

    def rates(t: float, x: Array) -> list[float]:
        _, th, v, w = x
        s, c = np.sin(th), np.cos(th)
        mass = [[10 + m, m * rope * c], [m * rope * c, m * rope**2]]
        right = [_pull(t) - 8 * v + m * rope * s * w**2, -m * _G * rope * s - d * w]
        return [v, w, *np.linalg.solve(mass, right)]

    t, x = recorded(rates, [0.0] * 4, 0.02, 500)
    yield agrees("record", [1.556456238739, -0.185419100038], x[250, :2], 1e-8)
    y = _noisy(x[:, :2], 0.005, 5)
    data = {"t": t, "trolley": y[:, 0], "rope": y[:, 1], "tau(trolley)": _pull}
    free = ["mp", "l", "d"]
    run = Run(data, q={"trolley": 0, "rope": 0}, u={"trolley": 0, "rope": 0})
    found = fit(crane(), run, free, sigma=0.005, substeps=10)
    values = (4.9999414213, 2.0017290871, 0.27501150790)
    yield near(found, dict(zip(free, values, strict=True)), 1e-3)
    yield agrees("chi2", 986.78591470, found.chi2, 1e-3)
    ratios = [
        found.deviations[n] / s
        for n, s in zip(free, (5.020345e-3, 1.841042e-3, 3.676978e-2), strict=True)
    ]
    yield agrees("deviations over those known", np.ones(3), ratios, 1e-4)


CASES = (
    Case(
        3,
        "a rotary pendulum with friction and a delay",
        _SOURCE,
        "losses, torque constant and delay of the motor, with deviations",
        case_3,
        slow=True,
    ),
    Case(
        4,
        "a four-bar with a free length",
        _SOURCE,
        "lengths move the closed start; optimum of the crank's equation in closed form",
        case_4,
        slow=True,
    ),
    Case(6, "a crane", _SOURCE, "payload, rope and damping, with deviations", case_6, slow=True),
)
