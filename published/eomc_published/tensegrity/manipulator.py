"""Case 30: geometry, static equilibria and single solves of near-rigid control.

The thesis holds the end-effector by a controller; at rest that is the equilibrium in which the
hub is where it is wanted and the upper cables are strained by the least that they may be.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache

import numpy as np
from numpy.typing import ArrayLike

import eomc
from eomc.binding.arrays import Array
from eomc.building import build
from eomc.runtime.constraints import assemble
from eomc.runtime.control import NearRigid
from eomc.runtime.control.given_motion import Profile
from eomc.runtime.equilibria import Equilibrium, equilibrium
from eomc.runtime.model.compiled import CompiledModel
from eomc.systems.tensegrity.manipulator import (
    BRANCHES,
    CABLES,
    HEIGHT,
    LENGTH,
    RADIUS,
    STRAIN,
    manipulator,
    posture,
)
from eomc_published.case import Case, CaseCheck, agrees

NAMES = tuple(f"{end}{i}" for i in BRANCHES for end in CABLES)
#: Twist [degrees], height of the struts' tops [m], strain of the lower cables and torque on their
#: pulleys [N m], by what is changed and how far the hub stands over its place in the prism. The
#: last height is that of tops at the twist, a link from the hub and a strut from their feet.
RESTS: tuple[tuple[str, Mapping[str, float], float, tuple[float, ...]], ...] = (
    ("in its place", {}, 0.0, (152.180, 0.672432, 0.0175160, 5.50280)),
    ("0.1 m higher", {}, 0.1, (151.965, 0.738024, 0.0194879, 6.12229)),
    ("0.25 m higher", {}, 0.25, (151.771, 0.842131, 0.0229392, 7.20656)),
    ("without gravity", {"g": 0.0}, 0.0, (150.00, 0.6738, 0.020148, 0.020148 * 314.159265)),
    ("blocks without mass", {"block": 0.0}, 0.0, (150.91, 0.67323, 0.01899, 0.01899 * 314.159265)),
)


@cache
def compiled() -> CompiledModel:
    """With links on a point hub."""
    return build(manipulator(), tunable="all")


def told(q: Array, what: str) -> list[float]:
    """A number that each cable tells."""
    model = compiled()
    outputs = model.outputs(q, np.zeros(model.nu), np.zeros(len(model.inputs)))
    return [float(outputs[f"{name}.{what}"]) for name in NAMES]


def tip(q: Array, i: int) -> Array:
    """The top of a strut."""
    pose = np.asarray(compiled().frame(f"strut{i}").pose(q))
    top: Array = pose[:3, 3] + LENGTH * pose[:3, 2]
    return top


def hub(q: Array) -> Array:
    """Place of the end-effector."""
    place: Array = np.asarray(compiled().frame("hub").pose(q))[:3, 3]
    return place


def _freedoms() -> Iterator[CaseCheck]:
    for name, model, counts in (
        ("with a point hub", manipulator(), (27, 15, 12)),
        ("with a hub that turns", manipulator(joints="hub"), (27, 15, 12)),
        ("without links", manipulator(joints=None), (18, 6, 12)),
        ("of rigid cables", manipulator(joints=None, rigid=True), (18, 12, 6)),
    ):
        found = eomc.equations(model).redundancy()
        got = [found.speeds, found.rank, found.freedoms]
        yield agrees(f"speeds, conditions, freedoms {name}", counts, got, 0)


def _prism() -> Iterator[CaseCheck]:
    model = compiled()
    bodies = model.manifest["metadata"]["bodies"]
    mass = {body["name"]: body["mass"] for body in bodies}
    masses = [mass["strut1"], mass["block_top1"], mass["pulley_bot2"]]
    yield agrees("masses of strut, block, pulley [kg]", [0.4262, 0.81, 0.424115], masses, 5e-5)
    whole = sum(value for name, value in mass.items() if name != "hub" and "link" not in name)
    yield agrees("whole mass [kg]", 8.683397, whole, 1e-6)
    q = np.asarray(model.neutral())
    yield agrees("free lengths [m]", [0.70533680] * 6, told(q, "length"), 5e-9)
    yield agrees("strains", [STRAIN] * 6, told(q, "strain"), 1e-12)
    tops = [
        (-0.204124, 0.353553, 0.707107),
        (-0.204124, -0.353553, 0.707107),
        (0.408248, 0, 0.707107),
    ]
    yield agrees("tops [m]", tops, [tip(q, i) for i in BRANCHES], 1e-6)
    yield agrees("end-effector [m]", [0, 0, 1.28445705], hub(q), 1e-8)


def generic(strains: ArrayLike = STRAIN, rates: ArrayLike = 0.0) -> tuple[Array, Array]:
    """(q, u) with all struts inclined and moving, pulleys so that strains and their rates are as
    given."""
    model = compiled()
    angles = [name for i in BRANCHES for name in (f"phi{i}", f"psi{i}")]
    place = dict(zip(angles, (0.05, -0.03, 0.02, 0.04, -0.06, 0.01), strict=True))
    speeds = dict(zip(angles, (0.1, -0.2, 0.15, 0.05, -0.1, 0.2), strict=True))
    at = assemble(model, place, speeds, fixed=[*angles, *(f"speed({name})" for name in angles)])
    q, u, still = at.q.copy(), at.u.copy(), np.zeros(len(model.inputs))
    pulleys = [model.speeds.index(f"theta_{name}") for name in NAMES]
    length, strained = np.array(told(q, "length")), model.function("element_strains")
    # Rest lengths L/(1 + eps), which pulleys wind up.
    changed = 1 / (1 + strained(q, u, still)[0]) - 1 / (1 + np.asarray(strains))
    q[pulleys] += length * changed / RADIUS
    slopes = strained(q, u, still)[1]
    u[pulleys] += np.linalg.solve(slopes[:, pulleys], rates - slopes @ u)
    return q, u


def _generic() -> Iterator[CaseCheck]:
    q, u = generic()
    expected = (-0.109378442, 0.037379091, 1.269763199)
    yield agrees("end-effector in a generic state [m]", expected, hub(q), 1e-8)
    velocity = np.asarray(compiled().frame("hub").velocity(q, u))[:3]
    expected = (-0.394756278, -0.014343923, -0.128953053)
    yield agrees("its velocity [m/s]", expected, velocity, 1e-8)
    lengths = [0.715955496, 0.747870562, 0.764187038, 0.670255521, 0.637334175, 0.691749273]
    yield agrees("free lengths [m]", lengths, told(q, "length"), 1e-8)


def _accelerated(hub: Sequence[float]) -> dict[str, Profile | float]:
    """The hub's acceleration, wherever it is."""

    def along(value: float) -> Profile:
        return lambda t: (0.0, 0.0, value)

    return {f"hub.{axis}": along(value) for axis, value in zip("xyz", hub, strict=True)}


def _controlled() -> Iterator[CaseCheck]:
    """Near-rigid control in the prism at rest and in the generic state."""
    model = compiled()
    law = NearRigid(model, _accelerated((0, 0, 0)), (STRAIN, np.inf))
    found = law.solve(0.0, np.asarray(model.neutral()), np.zeros(model.nu))
    torques, changes = [3.3917646, 6.4275696] * 3, [0, 0.0100542] * 3
    yield agrees("u in the prism [N m]", torques, found.forces, 1e-6, relative=True)
    yield agrees("changes of strain", changes, found.strain_changes, 5e-8)
    strains = [0.012, 0.011, 0.013, 0.014, 0.0125, 0.0115]
    rates = [0.01, 0, -0.02, 0.01, 0.03, -0.01]
    q, u = generic(strains, rates)
    law = NearRigid(model, _accelerated((0.1, -0.2, 0.3)), (STRAIN, np.inf))
    found = law.solve(0.0, q, u)
    torques = [3.3997539, 6.2885162, 3.4022719, 7.4556742, 3.3653522, 5.5248200]
    changes = [-0.002, 0.0085133593, -0.003, 0.0091129199, -0.0025, 0.006041512]
    yield agrees("u in the generic state [N m]", torques, found.forces, 1e-6, relative=True)
    yield agrees("changes of strain there", changes, found.strain_changes, 1e-6, relative=True)


def rest(parameters: Mapping[str, float], raised: float) -> Equilibrium:
    """The equilibrium with the hub above its place in the prism, upper cables at the strain of the
    prism, by the torques on all pulleys."""
    model = compiled()
    start = posture(152, 0.67 + 0.7 * raised, {"top": STRAIN, "bot": 1.8 * STRAIN})
    at = assemble(model, start, parameters=parameters)
    wanted = {"hub.x": 0.0, "hub.y": 0.0, "hub.z": HEIGHT + raised}
    wanted |= {f"top{i}.strain": STRAIN for i in BRANCHES}
    return equilibrium(
        model,
        at.q,
        targets=wanted,
        adjust=model.inputs,
        parameters=parameters,
        inputs={name: 3.0 if "top" in name else 5.0 for name in model.inputs},
    )


def _rests() -> Iterator[CaseCheck]:
    for name, parameters, raised, expected in RESTS:
        found = rest(parameters, raised)
        x, y, z = tip(found.q, 1)
        lower = [found.outputs[f"bot{i}.strain"] for i in BRANCHES]
        torques = [found.inputs[f"u_bot{i}"] for i in BRANCHES]
        got = [np.degrees(np.arctan2(y, x)), z, *lower, *torques]
        twist, height, strain, torque = expected
        wanted = np.array([twist, height, *[strain] * 3, *[torque] * 3])
        yield agrees(f"{name}: twist, height, strains, torques", np.ones(8), got / wanted, 1e-3)
        upper = [found.inputs[f"u_top{i}"] for i in BRANCHES]
        yield agrees(f"{name}: torques of the upper cables [N m]", [3.14159] * 3, upper, 1e-5)


def _case() -> Iterator[CaseCheck]:
    yield from _freedoms()
    yield from _prism()
    yield from _generic()
    yield from _controlled()
    yield from _rests()


CASES = (
    Case(
        30,
        "The manipulator at rest",
        "5.4",
        "equilibria with wanted strains and place; near-rigid control in two states",
        _case,
        provenance="reconstructed",
        slow=True,
    ),
)
