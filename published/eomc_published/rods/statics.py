"""Cases 1 to 3, 5, 6, 8, 9, 12 and 28: rods at rest under loads, against closed forms."""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

import numpy as np
from scipy.integrate import quad

from eomc.building import build
from eomc.derive.finite_elements import Section, Structure
from eomc.derive.finite_elements.modal_reduction import from_structure
from eomc.derive.model import Model
from eomc.runtime.equilibria import Equilibrium, equilibrium
from eomc.systems.rods.cantilever import (
    cantilever,
    column,
    loaded_tip,
    princeton_beam,
    quarter_arc,
    tip_place,
)
from eomc_published.case import Case, CaseCheck, agrees
from eomc_published.rods.exact import elastica

STATICS = (
    "inverse_dynamics",
    "gravity",
    "linearization",
    "input_matrix",
    "integrate",
    "normalize",
    "neutral",
    "frame_tip_pose",
)
LONG = tuple(name for name in STATICS if name != "linearization")
QUICK = ("-O0",)
ARC = 1e-4
"""Of a length of 78.5."""


@lru_cache(maxsize=1)
def planar() -> Any:
    """The column of ten functions, compiled."""
    return build(column(), functions=LONG, flags=QUICK)


def loaded(model: Any, steps: Any, q: Any = None, **more: Any) -> Equilibrium:
    """The equilibrium at the last of `steps`, tables of inputs, each from the one before."""
    found: Equilibrium | None = None
    for step in steps:
        found = equilibrium(model, q, inputs=step, **more)
        q = found.q
    assert found is not None
    return found


def angle_of(model: Any, q: Any) -> float:
    """Angle [rad] of the tip about z."""
    pose = np.asarray(model.frame_tip_pose(q))
    return math.atan2(pose[1, 0], pose[0, 0])


def _elastica() -> Iterator[CaseCheck]:
    model, q = planar(), None
    for load in (0.5, 1.0, 2.0, 5.0, 10.0):
        state = equilibrium(model, q, inputs={"Fy": load})
        q = state.q
        got = [*tip_place(model, q)[:2], angle_of(model, q)]
        yield agrees(f"P = {load:g}: tip x, y and angle", elastica(load), got, 1e-6)


def _circle() -> Iterator[CaseCheck]:
    for order in (2, 4, 6):
        model = build(
            cantilever("circle", strains={"bend_z": 1}, points=2, order=order, reach=4.0),
            functions=STATICS,
            flags=QUICK,
        )
        state = loaded(model, [{"Mz": m} for m in np.linspace(0.5, 2, 4) * np.pi])
        place = tip_place(model, state.q)
        yield agrees(f"order {order}: q at M = 2 pi", 2 * np.pi, state["rod_kz1"], 1e-12)
        yield agrees(f"order {order}: the tip at the root", [0, 0, 0], place, 1e-13)
        half = equilibrium(model, {"rod_kz1": 3.0}, inputs={"Mz": np.pi})
        got = tip_place(model, half.q)[:2]
        yield agrees(f"order {order}: half a circle", [0, 2 / np.pi], got, 1e-13)


def _helix() -> Iterator[CaseCheck]:
    strains = {"twist": 1, "bend_y": 1, "bend_z": 1}
    rod = {"GJ": 1, "section_inertia": (2e-3, 1e-3, 1e-3), "points": 4, "reach": 3.0}
    model = build(cantilever("helix", strains=strains, **rod), functions=STATICS, flags=QUICK)
    state = loaded(model, [{"Mx": 2 * f, "Mz": 5 * f} for f in (0.2, 0.4, 0.6, 0.8, 1.0)])
    yield agrees("strains", [2, 0, 5], state.q, 1e-11)
    w = math.sqrt(29)
    exact = [
        (4 + 25 * math.sin(w) / w) / 29,
        5 * (1 - math.cos(w)) / 29,
        10 * (1 - math.sin(w) / w) / 29,
    ]
    yield agrees("tip", exact, tip_place(model, state.q), 1e-12)


def _arc() -> Iterator[CaseCheck]:
    loads = (
        (300, (58.778897, 22.244679, 40.192392)),
        (450, (52.238262, 18.508064, 48.503492)),
        (600, (47.150096, 15.684689, 53.475478)),
    )
    model, q = build(quarter_arc(6, 8), functions=LONG, flags=QUICK), None
    yield agrees("unloaded", [70.710678, 29.289322, 0], tip_place(model, np.zeros(30)), 1e-6)
    for force, expected in loads:
        q = loaded(model, [{"Fz": f} for f in np.linspace(force - 150, force, 4)], q).q
        yield agrees(f"tip at F = {force}", expected, tip_place(model, q), ARC)
    model = build(quarter_arc(6, 8, extensible=False), functions=LONG, flags=QUICK)
    state = loaded(model, [{"Fz": f} for f in (50, 150, 300, 450, 600)])
    expected = (47.151294, 15.685078, 53.468598)
    yield agrees("tip at F = 600, no stretch, no shear", expected, tip_place(model, state.q), ARC)


def _princeton() -> Iterator[CaseCheck]:
    model = build(princeton_beam(6, 7), functions=LONG, flags=QUICK)
    for degrees, expected in (
        (
            40,
            {
                8.896: (-0.01215567, 0.00949784, 0.10021363),
                13.345: (-0.02619248, 0.01633368, 0.14551290),
            },
        ),
        (
            70,
            {
                8.896: (-0.02349303, 0.00474060, 0.13906206),
                13.345: (-0.04629720, 0.00845688, 0.19254713),
            },
        ),
    ):
        stiff, soft = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))
        q = None
        for load, (x, z, y) in expected.items():
            steps = [{"Fz": f * stiff, "Fy": f * soft} for f in np.linspace(load - 6, load, 4)]
            q = loaded(model, steps, q).q
            got = tip_place(model, q) - np.array([0.508, 0, 0])
            yield agrees(f"{load} N at {degrees} degrees: x, soft, stiff", [x, y, z], got, 1e-5)


def _weight() -> Iterator[CaseCheck]:
    model, q = planar(), None
    for g in (1.0, 2.0, 3.5, 5.0):
        q = equilibrium(model, q, parameters={"g": g}).q
    got = [*tip_place(model, q)[:2], angle_of(model, q)]
    yield agrees("tip and angle", [0.846657180, -0.495905045, -0.697004777536], got, 1e-6)


def _follower() -> Iterator[CaseCheck]:
    model = planar()
    state = loaded(model, [{"follower": f} for f in (0.5, 1.0, 1.5, 2.0)])
    got = [*tip_place(model, state.q)[:2], angle_of(model, state.q)]
    yield agrees("tip and angle", [0.767362192, 0.573839063, 0.968238802517], got, 1e-6)


def _taper() -> Iterator[CaseCheck]:
    def angle(x: float) -> float:
        return (2 / 3) * ((1 - x / 2) ** -3 - 1)

    exact = [
        quad(lambda x: math.cos(angle(x)), 0, 1, epsabs=1e-14, epsrel=1e-13)[0],
        quad(lambda x: math.sin(angle(x)), 0, 1, epsabs=1e-14, epsrel=1e-13)[0],
    ]
    for functions, points, tolerance in ((8, 12, 2e-6), (12, 20, 2e-7)):
        rod = {"EI": "(1 - x/2)**4", "strains": {"bend_z": functions}, "points": points}
        model = build(cantilever("taper", order=6, reach=3.0, **rod), functions=LONG, flags=QUICK)
        state = loaded(model, [{"Mz": m} for m in (0.25, 0.5, 0.75, 1.0)])
        yield agrees(f"{functions} functions: angle", 14 / 3, _total(state.q), tolerance)
        got = tip_place(model, state.q)[:2]
        yield agrees(f"{functions} functions: tip", exact, got, tolerance)


def _total(q: Any) -> float:
    """The angle of the tip: all Legendre functions but the first have none in the mean."""
    return float(q[0])


def _small() -> Iterator[CaseCheck]:
    load = 1e-3
    strains = {"bend_z": 3}
    for name, form, given in (
        ("rod", "rod", {"strains": strains, "points": 6, "order": 6}),
        ("beam", "beam", {"modes": (3, 0), "shapes": "clamped-free polynomials"}),
        ("finite elements", _elements(), {}),
    ):
        model = Model("small", gravity=(0, 0, 0))
        more: dict[str, Any] = given and {"length": 1, "mass_per_length": 1, "EI": 1, **given}
        model.deformable("rod", form, **more)
        model.joint("clamp", "fixed", parent="world", child="rod")
        loaded_tip(model)
        built = build(model, functions=STATICS, flags=QUICK)
        place = tip_place(built, equilibrium(built, inputs={"Fy": load}).q)
        yield agrees(f"{name}: deflection by load", 1 / 3, place[1] / load, 1e-6 / 3)


def _elements() -> Any:
    """A cantilever of frame elements that keeps its tip as interface."""
    structure = Structure()
    structure.node("root", (0, 0, 0))
    structure.node("tip", (1, 0, 0))
    # E I = 1 in bending, stiff along and in torsion
    section = Section(area=1, density=1, E=1e4, G=1e4, Iy=1e-4, Iz=1e-4, torsion=1e-4)
    structure.beam("root", "tip", section, elements=4)
    return from_structure(structure, modes=6, root="root", interfaces=["tip"], stations=["tip"])


_SOURCE = "geometrically exact rods, list of cases: "

CASES = (
    Case(
        1,
        "elastica",
        _SOURCE + "Bisshopp and Drucker 1945",
        "equilibrium under a dead tip load to P L^2/EI = 10, against elliptic integrals",
        _elastica,
    ),
    Case(
        2,
        "full circle",
        _SOURCE + "pure bending",
        "one constant curvature under a tip moment, any order",
        _circle,
    ),
    Case(
        3,
        "helix",
        _SOURCE + "constant strains",
        "tip moment with twist: a screw motion",
        _helix,
        slow=True,
    ),
    Case(
        5,
        "45-degree bend",
        _SOURCE + "Bathe and Bolourchi 1979",
        "equilibrium with and without stretch and shear against shooting",
        _arc,
        "reconstructed",
        slow=True,
    ),
    Case(
        6,
        "princeton beam",
        _SOURCE + "Dowell and Traybar 1975",
        "equilibrium against shooting on the ordinary differential equations of the rod",
        _princeton,
        "reconstructed",
        slow=True,
    ),
    Case(
        8,
        "heavy elastica",
        _SOURCE + "weight",
        "equilibrium against shooting",
        _weight,
        "reconstructed",
    ),
    Case(
        9,
        "follower force",
        _SOURCE + "a force that turns with the tip",
        "equilibrium with a tangent that is not symmetric, against shooting",
        _follower,
        "reconstructed",
    ),
    Case(12, "tapered rod", _SOURCE + "varying stiffness", "against quadrature", _taper, slow=True),
    Case(
        28,
        "small deflections",
        _SOURCE + "P/3",
        "rod, linear beam and finite elements agree",
        _small,
        slow=True,
    ),
)
