"""Cases 8 and 9: joints that rub in a loop, against free bodies that are held together."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import numpy as np

from eomc.binding.arrays import Array
from eomc.building import build
from eomc.derive.model import Model
from eomc.runtime.constraints import assemble
from eomc.runtime.model.compiled import CompiledModel
from eomc.runtime.simulation.simulate import simulate
from eomc_published.case import Case, CaseCheck, agrees, at_most, holds

G = 9.81
FRICTION, RADIUS, SLIP, LEAST = 0.3, 0.03, 0.05, 1e-6
JOINTS = "ABCD"
_ASKED = ("forward_dynamics", "constrained_dynamics", "joint_reactions", "inverse_dynamics")

_BODIES = {
    "crank": (1.0, (0.15, 0.0), 0.02),
    "coupler": (1.5, (0.4, 0.05), 0.1),
    "rocker": (1.2, (0.2, 0.02), 0.05),
}
"""Mass, centre of mass (x, z) and moment of inertia about it."""

_ENDS = (
    (None, (0.0, 0.0), 0, (0.0, 0.0)),
    (0, (0.3, 0.0), 1, (0.0, 0.0)),
    (1, (0.8, 0.0), 2, (0.0, 0.0)),
    (None, (0.9, 0.0), 2, (0.5, 0.0)),
)
"""Of each journal the bodies, None for the frame, and its place in both."""


def four_bar() -> Model:
    """A four-bar, all of whose journals rub; the last one closes the loop."""
    model = Model("four_bar")
    for name, (mass, (x, z), about) in _BODIES.items():
        model.body(name, mass=mass, com=(x, 0, z), inertia=(0.02, about, about))
    names = [*_BODIES]
    for joint, (parent, at, child, end) in zip(JOINTS, _ENDS, strict=True):
        model.joint(
            joint,
            "revolute",
            parent="world" if parent is None else names[parent],
            child=names[child],
            axis=(0, 1, 0),
            placement={"xyz": (at[0], 0, at[1])},
            child_placement={"xyz": (end[0], 0, end[1])},
            cut=joint == "D",
        )
        model.bearing(
            f"journal_{joint}",
            speed=joint,
            friction=FRICTION,
            radius=RADIUS,
            slip_speed=SLIP,
            minimum_load=LEAST,
        )
    return model


def free_bodies(q: Array, u: Array, tau: Array) -> tuple[Array, Array, Array]:
    """Accelerations of the three joint angles, forces in the four journals (4, 2) and friction.

    Newton's and Euler's equations of three free bodies in the plane and what the journals hold,
    all accelerations and forces together; friction is put in until it settles.
    """
    turned, w = np.cumsum(q), np.cumsum(u)
    slips = RADIUS * np.array([*u, w[2]]) / SLIP
    loads = np.zeros((4, 2))
    driven = [tau[0] - tau[1], tau[1] - tau[2], tau[2]]
    while True:
        sizes = np.sum(loads**2, axis=1) / np.sqrt(np.sum(loads**2, axis=1) + LEAST**2)
        friction = -FRICTION * RADIUS * sizes * slips / np.sqrt(1 + slips**2)
        matrix, right = np.zeros((17, 17)), np.zeros(17)
        for k, (mass, _, inertia) in enumerate(_BODIES.values()):
            matrix[3 * k : 3 * k + 3, 3 * k : 3 * k + 3] = np.diag([mass, mass, inertia])
            right[3 * k : 3 * k + 3] = 0, -mass * G, driven[k]
        for k, (parent, at, child, end) in enumerate(_ENDS):
            force = slice(9 + 2 * k, 11 + 2 * k)
            for sign, body, place in ((1, child, end), (-1, parent, at)):
                if body is None:
                    continue
                arm = np.array(place) - _BODIES[[*_BODIES][body]][1]
                c, s = np.cos(turned[body]), np.sin(turned[body])
                lever = np.array([-s * arm[0] + c * arm[1], -c * arm[0] - s * arm[1]])
                out = np.array([c * arm[0] + s * arm[1], -s * arm[0] + c * arm[1]])
                own = slice(3 * body, 3 * body + 2)
                matrix[own, force] -= sign * np.eye(2)
                matrix[3 * body + 2, force] -= sign * lever
                matrix[force, own] += sign * np.eye(2)
                matrix[force, 3 * body + 2] += sign * lever
                right[force] += sign * w[body] ** 2 * out
                right[3 * body + 2] += sign * friction[k]
        solved = np.linalg.solve(matrix, right)
        before, loads = loads, np.asarray(solved[9:].reshape(4, 2), dtype=np.float64)
        if np.abs(loads - before).max() <= 1e-14 * np.abs(loads).max():
            return np.diff(solved[2:9:3], prepend=0.0), loads, friction


def _four_bar() -> Iterator[CaseCheck]:
    model = build(four_bar(), functions=[*_ASKED, "kinetic_energy", "potential_energy"])
    rng = np.random.default_rng(5)
    start = assemble(model, {"A": 1.0, "B": -0.8, "C": 1.5})
    wanted, found, loads, carried = [], [], [], []
    for speed, tau in zip((-2.0, 0.1, 5.0), rng.uniform(-3, 3, (3, 3)), strict=True):
        at = assemble(model, start.q, {"A": speed}, fixed=["speed(A)"])
        a, forces, _ = free_bodies(at.q, at.u, tau)
        wanted.append(a)
        found.append(model.forward_dynamics(at.q, at.u, tau))
        a, multipliers = model.constrained_dynamics(at.q, at.u, tau, [0.0])
        label = model.joint_reactions(at.q, at.u, a, multipliers)
        loads.append(np.linalg.norm(forces, axis=1))
        carried.append(np.linalg.norm(label[:, :3], axis=1))
    yield agrees("accelerations", wanted, found, 1e-11, relative=True)
    yield agrees("forces in the journals", loads, carried, 1e-11, relative=True)
    yield at_most(
        "energy of a run, against the work of friction", _unbalanced(model, start.q), 1e-8
    )


def _unbalanced(model: CompiledModel, q: Array) -> float:
    """The energy that a second of motion loses beside the work of friction on free bodies, as a
    share of that work; Gauss' rule between the instants."""
    nodes, weights = np.polynomial.legendre.leggauss(8)
    edges = np.linspace(0, 1, 41)
    times = np.concatenate([a + (b - a) * (nodes + 1) / 2 for a, b in pairwise(edges)])
    run = simulate(
        model,
        q=q,
        u={"A": 4.0},
        t_span=np.array([0.0, *times, 1.0]),
        rtol=1e-11,
        atol=1e-12,
        assemble=True,
    )
    power = []
    for at, rates in zip(run.q[1:-1], run.u[1:-1], strict=True):
        friction = free_bodies(at, rates, np.zeros(3))[2]
        power.append(float(friction @ [*rates, rates.sum()]))
    work = float(np.tile(weights / 80, 40) @ power)
    ends = [
        model.kinetic_energy(run.q[k], run.u[k]) + model.potential_energy(run.q[k]) for k in (0, -1)
    ]
    return abs(float(ends[1] - ends[0]) - work) / abs(work)


def held_guide(span: float) -> CompiledModel:
    """The block of case 2 free in space, its guide closing a loop."""
    model = Model("held_guide", gravity=(0, 0, 0))
    model.body("block", mass=2, com=(0, 0, 0.3), inertia=(0.1, 0.1, 0.1))
    model.joint("free", "floating", parent="world", child="block")
    model.joint("way", "prismatic", parent="world", child="block", axis=(1, 0, 0), cut=True)
    model.bearing("guide", speed="way", friction=0.6, span=span, slip_speed=1e-8, minimum_load=1e-9)
    return build(model, functions=["forward_dynamics"])


def _pushed(model: CompiledModel, force: float) -> float:
    """Along the guide, at the origin of the block, which moves at 1 m/s."""
    along = model.speeds.index(next(name for name in model.speeds if name.endswith("vx")))
    unit = np.eye(model.nu)[along]
    return float(model.forward_dynamics(model.neutral(), unit, force * unit)[along])


def _guide() -> Iterator[CaseCheck]:
    limit = 2 * 0.6 * 0.3
    free, jams = held_guide(limit * 1.001), held_guide(limit * 0.999)
    wanted = [1.5 / (1 + 1 / 1.001), -1.5 / (1 - 1 / 1.001)]
    found = [_pushed(free, force) for force in (3.0, -3.0)]
    yield agrees("driven and braked just above the limit", wanted, found, 1e-7, relative=True)
    try:
        _pushed(jams, -3.0)
        code = ""
    except ArithmeticError as error:
        code = str(error)
    yield holds("jams below, by name", "jammed_guide", code, "jammed_guide" in code)


CASES = (
    Case(
        8,
        "Four-bar whose journals rub",
        "free bodies in the plane",
        "accelerations and energy",
        _four_bar,
    ),
    Case(9, "Guide that closes a loop", "statics", "locks at d/L = 1/(2 mu)", _guide),
)
