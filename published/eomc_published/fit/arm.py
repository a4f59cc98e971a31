"""The last three joints of a Panda arm, whose bodies are free in all their inertial numbers."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

import numpy as np

from eomc.building import build
from eomc.derive.model import Model
from eomc.runtime import CompiledModel
from eomc.runtime.fit import Run, fit
from eomc.runtime.identification.pseudo_inertia import pseudo_inertia
from eomc_published.case import Case, CaseCheck, agrees, at_most, holds
from eomc_published.fit.pendulums import _SOURCE, Array, recorded

_MASS = (1.225946, 1.666555, 0.735522)
_CENTER = (
    (-0.011953, 0.041065, -0.038437),
    (0.060149, -0.014117, -0.010517),
    (0.010517, -0.004252, 0.061597),
)
_INERTIA = (
    (0.035549, 0.029474, 0.008627, -0.002117, -0.004037, 0.000229),
    (0.001964, 0.004354, 0.005433, 0.000109, -0.001158, 0.000341),
    (0.012516, 0.010027, 0.004815, -0.000428, -0.001196, -0.000741),
)
_ALPHA = (-np.pi / 2, np.pi / 2, np.pi / 2)
_A, _D = (-0.0825, 0.0, 0.088), (0.384, 0.0, 0.0)
_GRAVITY = (9.805817045837, 0.286447313776, 0.0)
_KP, _KD = np.array([8.0, 8, 2]), np.array([0.6, 0.6, 0.15])
_Q0 = np.array([0.2, 1.6, 0.5])
_AMPLITUDE = np.array([[0.8, 0.3], [0.6, 0.3], [1, 0.5]])
_RATE = 2 * np.pi * np.array([[0.5, 1.3], [0.7, 1.1], [0.6, 1.7]])
_PHASE = np.array([[0.0, 1], [0.5, 0], [1, 0.3]])
_SPHERES = {
    f"inertia(link{k})": (m, 0, 0, 0, 0.02, 0.02, 0.02, 0, 0, 0)
    for k, m in ((5, 2.0), (6, 2.0), (7, 1.0))
}


@cache
def wrist() -> CompiledModel:
    """Joints with springs and dampers of the servos, in link axes of Craig's convention."""
    model = Model("fit_wrist", gravity=_GRAVITY)
    parent = "world"
    for k in range(3):
        name, s, c = f"link{k + 5}", np.sin(_ALPHA[k]), np.cos(_ALPHA[k])
        model.body(name, mass=_MASS[k], com=_CENTER[k], inertia=_INERTIA[k])
        placement = {"xyz": (_A[k], -_D[k] * s, _D[k] * c), "rpy": (_ALPHA[k], 0, 0)}
        joint: dict[str, Any] = {"parent": parent, "child": name, "axis": (0, 0, 1)}
        moving = f"joint{k + 5}"
        model.joint(moving, "revolute", placement=placement, damping=_KD[k], **joint)
        model.generalized_force(f"servo{k}", speed=moving, expression=f"-{_KP[k]}*{moving}")
        parent = name
    return build(model)


def _reference(t: float) -> Array:
    moved = _AMPLITUDE * (np.sin(_RATE * t + _PHASE) - np.sin(_PHASE))
    found: Array = _Q0 + moved.sum(axis=1)
    return found


def _cross(a: Any, b: Any) -> Array:
    x, y, z = a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]
    return np.stack([x, y, z])


def _inverse_dynamics(q: Array, u: Array, a: Array) -> Array:
    """Of columns of accelerations a (3, m), by Newton and Euler, in axes of the links."""
    w, dw = np.zeros((3, 1)), np.zeros(a.shape)
    acc = np.repeat(-np.array(_GRAVITY)[:, None], a.shape[1], axis=1)
    links = []
    for k in range(3):
        ca, sa, cq, sq = np.cos(_ALPHA[k]), np.sin(_ALPHA[k]), np.cos(q[k]), np.sin(q[k])
        R = np.array([[cq, -sq, 0], [ca * sq, ca * cq, -sa], [sa * sq, sa * cq, ca]])
        r = np.array([[_A[k]], [-_D[k] * sa], [_D[k] * ca]])
        acc = R.T @ (acc + _cross(dw, r) + _cross(w, _cross(w, r)))
        axis, w_old = np.array([[0.0], [0], [1]]), R.T @ w
        w = w_old + axis * u[k]
        dw = R.T @ dw + _cross(w_old, axis * u[k]) + axis * a[k]
        c = np.array(_CENTER[k])[:, None]
        f = _MASS[k] * (acc + _cross(dw, c) + _cross(w, _cross(w, c)))
        xx, yy, zz, xy, xz, yz = _INERTIA[k]
        J = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
        links.append((R, r, f, J @ dw + _cross(w, J @ w) + _cross(c, f)))
    tau, f, n = np.zeros(a.shape), np.zeros(a.shape), np.zeros(a.shape)
    for k in reversed(range(3)):
        R, r, own_force, own_moment = links[k]
        f, n = f + own_force, n + own_moment
        tau[k] = n[2]
        f, n = R @ f, R @ n + _cross(r, R @ f)
    return tau


def _rates(t: float, x: Array) -> list[float]:
    q, u = x[:3], x[3:]
    found = _inverse_dynamics(q, u, np.eye(3, 4))
    torque = _KP * (_reference(t) - q) - _KD * u
    return [*u, *np.linalg.solve(found[:, :3] - found[:, 3:], torque - found[:, 3])]


@cache
def _recorded() -> tuple[Array, Array]:
    """(t, q (samples, 3))"""
    t, x = recorded(_rates, [*_Q0, 0.0, 0.0, 0.0], 0.01, 400, tolerance=1e-10)
    return t, x[:, :3]


@cache
def _run() -> Run:
    t, q_exact = _recorded()
    y = q_exact + 2e-4 * np.random.default_rng(11).standard_normal((401, 3))
    data: dict[str, Any] = {"t": t}
    for k in range(3):
        data[f"joint{k + 5}"] = y[:, k]
        data[f"tau(joint{k + 5})"] = lambda t, k=k: float(_KP[k] * _reference(t)[k])
    q = {f"joint{k + 5}": _Q0[k] for k in range(3)}
    return Run(data, q=q, u=dict.fromkeys(q, 0.0))


_KNOWN = {
    "link7.hx": (7.736984508e-3, 4.310e-6),
    "link7.hy": (-3.124662153e-3, 7.299e-6),
    "link7.Jzz": (4.909825099e-3, 6.243e-7),
    "link7.Jxy": (-4.001289936e-4, 2.693e-6),
    "link7.Jxz": (-1.673349025e-3, 1.470e-6),
    "link7.Jyz": (-5.477479540e-4, 1.590e-6),
    "link6.Jxz": (-1.053009828e-4, 6.001e-6),
    "link6.Jyz": (8.696373603e-5, 1.050e-5),
    "link5.hx": (-1.472853228e-2, 4.553e-5),
}
_PAIR = (-6.786495729e-2, 1.140e-5)
"""Of hz of link 6 less hy of link 5."""


def case_11() -> Iterator[CaseCheck]:
    at_two = _recorded()[1][200]
    yield agrees("record", [-0.535578049388, 1.596334092972, 0.828481428219], at_two, 1e-9)
    found = fit(wrist(), _run(), _SPHERES, sigma=2e-4)
    yield agrees("chi2", 1190.222268798, found.chi2, 1e-3)
    smallest = np.linalg.eigvalsh(pseudo_inertia(found.values.reshape(3, 10))).min()
    yield at_most("beyond bodies, by a pseudo-inertia's eigenvalue", -float(smallest), 1e-12)
    yield holds("combinations", "17", str(found.rank), found.rank == 17)
    errors = [(found[n] - value) / sd for n, (value, sd) in _KNOWN.items()]
    pair, sd = found["link6.hz"] - found["link5.hy"], _PAIR[1]
    yield at_most("single numbers, in deviations", float(np.abs(errors).max()), 1e-2)
    yield at_most("hz of link 6 less hy of link 5", abs(pair - _PAIR[0]) / sd, 1e-2)
    ratios = [found.deviations[n] / sd for n, (_, sd) in _KNOWN.items()]
    yield agrees("deviations over those known", np.ones(len(ratios)), ratios, 1e-3)
    lead, other = "link6.hz", "link5.hy"
    texts = [t for t in found.combinations if {lead, other} == set(t.split()) - {"-"}]
    yield holds("their combination", "named", ", ".join(texts) or "not named", bool(texts))


CASES = (
    Case(
        11,
        "three joints of an arm",
        _SOURCE,
        "30 inertial numbers from spheres, every iterate a body; 17 combinations are identified",
        case_11,
        slow=True,
    ),
)
