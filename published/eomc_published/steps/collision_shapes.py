"""Case 31: collision shapes on the ground and on each other; what is flat does not rock."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import cos, sin
from typing import Any

import numpy as np

from eomc.building import build
from eomc.derive.model import Model
from eomc.runtime.simulation.simulate import simulate
from eomc_published.case import Case, CaseCheck, agrees, at_most
from eomc_published.steps.contact_balls import PLANE, G

_TURN, _HEIGHT = 0.3, 0.5
"""About y [rad], and of the centre [m]."""
_BOX: dict[str, Any] = {"kind": "box", "half_sizes": (0.1, 0.1, 0.1)}
_ROUND = {"radius": 0.05, "half_length": 0.2}
#: Distances by support functions; coal 3.0.3 agrees to its tolerances.
_GAPS: dict[str, tuple[dict[str, Any], float]] = {
    "box": ({"kind": "box", "half_sizes": (0.1, 0.2, 0.15)}, 0.3271475059650252),
    "capsule": ({"kind": "capsule", **_ROUND}, 0.2589327021748788),
    "cylinder": ({"kind": "cylinder", "points": 3, **_ROUND}, 0.2941566918418118),
    "ellipsoid": ({"kind": "ellipsoid", "semi_axes": (0.1, 0.2, 0.3)}, 0.2118794963971027),
    "polyhedron": (
        {
            "kind": "polyhedron",
            "vertices": [
                (0.1 * i, 0.2 * j, 0.15 * k) for i in (1, -1) for j in (1, -1) for k in (1, -1)
            ],
        },
        0.3271475059650252,
    ),
}
_RIGID: dict[str, Any] = {"kind": "rigid", "restitution": 0.0}
_DRY: dict[str, Any] = {"kind": "dry", "kinetic": 0.6}


def _gaps(model: Model) -> dict[str, float]:
    """The least of the sites of each contact, of bodies turned about y."""
    made = build(model, functions=["element_outputs"])
    q = np.zeros(made.nq)
    for name in made.coordinates:
        value = {"qw": cos(_TURN / 2), "qy": sin(_TURN / 2), "z": _HEIGHT}
        q[made.coordinates.index(name)] = value.get(name.rpartition("_")[2], 0.0)
    outputs = np.asarray(made.element_outputs(q, np.zeros(made.nu)))
    found: dict[str, float] = {}
    for name, value in zip(made.output_names("element_outputs"), outputs, strict=True):
        contact, _, output = name.partition(".")
        if output.startswith("gap") and "rate" not in output:
            found[contact] = min(found.get(contact, np.inf), float(value))
    return found


def _free(model: Model, name: str, inertia: Any = (1e-2, 1e-2, 1e-2)) -> None:
    model.body(name, mass=1, inertia=inertia)
    model.joint(name, "floating", parent="world", child=name)


def _distances() -> Iterator[CaseCheck]:
    model = Model("turned")
    for name, (shape, _) in _GAPS.items():
        _free(model, name)
        model.contact(name, shape={**shape, "at": name}, surface=PLANE, normal=_RIGID)
    table = {"kind": "box", "at": "world", "half_sizes": (0.15, 0.05, 0.1)}
    _free(model, "cube")
    model.contact(
        "table",
        shape={**_BOX, "at": {"body": "cube", "xyz": (0, 0, 0)}},
        surface={**table, "at": {"body": "world", "xyz": (-0.1, -0.05, 0)}},
        normal=_RIGID,
    )
    found = _gaps(model)
    for name, (_, gap) in _GAPS.items():
        yield agrees(f"gap of a {name}", gap, found[name], 1e-13)
    yield agrees("gap of a box over a box", 0.274914330412, found["table"], 1e-11)


def _rests(name: str, shapes: Mapping[str, tuple[Any, Any, float, float]]) -> Iterator[CaseCheck]:
    """Of bodies let go a millimetre above where they rest, one on the other."""
    model, height = Model(name, gravity=(0, 0, -G)), dict[str, float]()
    for body, (shape, surface, centre, turn) in shapes.items():
        _free(model, body)
        at = {"body": body, "rpy": (0, turn, 0)}
        pair = {"shape": {**shape, "at": at}, "surface": surface}
        model.contact(body, **pair, normal=_RIGID, friction=_DRY)
        height[f"{body}_z"] = centre + 1e-3 * (1 + len(height))
    made = build(model)
    sweeps = {"sweeps": 1000}
    run = simulate(made, height, t_span=1.5, method="stewart_trinkle", step=2e-3, contacts=sweeps)
    yield at_most(f"{name}: speed at rest", np.abs(run.u[-200:]).max(), 1e-9)
    for body, (*_, centre, _) in shapes.items():
        z = run.q[-1, made.coordinates.index(f"{body}_z")]
        # A rim that lies flat is off by its radius times `flat`.
        exact = 6e-9 if shapes[body][0]["kind"] == "cylinder" else 1e-12
        yield agrees(f"{name}: height of {body}", centre, z, exact)
    forces = sum(run.contacts.forces[n][-1, 0] for n in run.contacts.names if n.startswith("first"))
    yield agrees(f"{name}: force by weight", 1, forces / (G * len(shapes)), 1e-9)


def _collisions() -> Iterator[CaseCheck]:
    yield from _distances()
    lying = {"kind": "capsule", **_ROUND}
    for name, (shape, centre, turn) in {
        "box": (_BOX, 0.1, 0.0),
        "capsule that lies": (lying, 0.05, np.pi / 2),
        "cylinder on its end": ({"kind": "cylinder", "points": 3, **_ROUND}, 0.2, 0.0),
        "cylinder that lies": ({"kind": "cylinder", "points": 3, **_ROUND}, 0.05, np.pi / 2),
        "polyhedron": (_GAPS["polyhedron"][0], 0.15, 0.0),
    }.items():
        yield from _rests(name, {"first": (shape, PLANE, centre, turn)})
    on_box = {**_BOX, "at": "first"}
    yield from _rests(
        "box on a box", {"first": (_BOX, PLANE, 0.1, 0), "second": (_BOX, on_box, 0.3, 0)}
    )
    yield from _rests(
        "capsule that lies on a box",
        {"first": (_BOX, PLANE, 0.1, 0), "second": (lying, on_box, 0.25, np.pi / 2)},
    )


CASES = (
    Case(
        31,
        "Collision shapes: gaps, and what lies flat does not rock",
        "support functions; coal 3.0.3 for the same poses",
        "least gap of the sites at one pose; a second of rest on the ground and on a box",
        _collisions,
        slow=True,
    ),
)
