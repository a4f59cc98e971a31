"""Case 26: the woodpecker toy, a sleeve with play on a pole and a bird on a spring.

Glocker's equations, linear in the angles of the sleeve and the bird: heights are those of a sleeve
that goes up and down, angles turn wheels whose turn moves slides, as a gear would. So the mass
matrix is constant, and gaps and slips are exactly linear.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from eomc.building import build
from eomc.derive.model import Mimic, Model
from eomc.derive.placement.placement import Point
from eomc.runtime.record.trajectory import Trajectory
from eomc.runtime.simulation.simulate import simulate
from eomc_published.case import Case, CaseCheck, agrees

MASS = {"sleeve": 0.0003, "bird": 0.0045}
INERTIA = {"sleeve": 5e-9, "bird": 7e-7}
SPRING, FRICTION, BEAK = 0.0056, 0.3, 0.5
POLE, SLEEVE, HALF, ARM, REACH = 0.0025, 0.0031, 0.0058, 0.010, 0.015  # r0, rM, hM, lM, lG
BEAK_UP, BEAK_OUT = 0.02, 0.0201  # hS, lS
PERIOD, DESCENT = 0.145976065, 0.019445379


def woodpecker() -> Model:
    """Coordinates y, sleeve, bird; contacts beak, lower and upper edge of the sleeve."""
    model = Model("woodpecker")
    light = {"mass": 0}
    model.body("hull", mass=MASS["sleeve"])
    model.joint("y", "prismatic", parent="world", child="hull", axis=(0, 0, 1))
    for name in ("sleeve", "bird"):
        wheel = INERTIA[name]
        model.body(f"{name}_wheel", mass=1, inertia=(wheel, wheel, wheel))
        model.joint(name, "revolute", parent="world", child=f"{name}_wheel", axis=(0, 1, 0))

    def slide(name: str, parent: str, angle: str, lever: float, axis: Any, **body: Any) -> None:
        model.body(name, **(body or light))
        model.joint(
            f"to_{name}",
            "prismatic",
            parent=parent,
            child=name,
            axis=axis,
            mimic=Mimic(angle, lever),
        )

    up, out = (0, 0, 1), (1, 0, 0)
    slide("hinge", "hull", "sleeve", ARM, up)
    slide("bird", "hinge", "bird", REACH, up, mass=MASS["bird"])
    slide("beak_height", "hinge", "bird", REACH - BEAK_OUT, up)
    slide("beak", "beak_height", "bird", -BEAK_UP, out)
    slide("edge", "hull", "sleeve", SLEEVE, up)
    slide("lower_edge", "edge", "sleeve", HALF, out)
    slide("upper_edge", "edge", "sleeve", -HALF, out)
    model.potential("spring", expression=f"{SPRING}*(sleeve - bird)**2/2")
    clear = {"beak": ARM + REACH - BEAK_OUT - POLE}
    for name in ("beak", "lower_edge", "upper_edge"):
        place = (clear.get(name, SLEEVE - POLE), 0, 0)
        model.contact(
            name,
            shape={"kind": "point", "at": Point(name, place)},
            surface={"kind": "plane", "at": "world", "normal": (1, 0, 0)},
            normal={"kind": "rigid", "restitution": BEAK if name == "beak" else 0.0},
            friction={"kind": "dry", "kinetic": FRICTION},
        )
    return model


_START = {"sleeve": -0.1034, "bird": -0.2788}, {"y": -0.3411, "bird": -7.4583}
"""Published, near the cycle."""

_SECTION = {"sleeve": -0.0069349}, {"y": -0.3465522, "sleeve": 31.588846, "bird": 14.463710}
"""Of the cycle, where the bird's angle rises through zero."""

_EVENTS = {  # [ms] behind that
    "upper_edge.impact": [4.432, 8.112],
    "beak.impact": [7.533],
    "upper_edge.open": [9.967],
    "lower_edge.impact": [45.256, 47.984],
    "lower_edge.stick": [94.10],
    "lower_edge.open": [139.52],
}


def flight(q: Any, u: Any, cycles: int) -> Trajectory:
    """A run whose events are its sections."""
    model = build(woodpecker())
    bird = model.coordinates.index("bird")

    def rises(t: float, q: Any, u: Any) -> float:
        return float(q[bird])

    rises.direction = 1  # type: ignore[attr-defined]
    span = [0.0, (cycles + 0.5) * PERIOD]
    return simulate(model, q, u, t_span=span, events=rises, rtol=1e-9, atol=1e-12)


def _woodpecker() -> Iterator[CaseCheck]:
    run = flight(*_START, cycles=81)
    sections, names = run.events[0], run.coordinates
    y, sleeve = names.index("y"), names.index("sleeve")
    period = (sections.t[80] - sections.t[78]) / 2
    descent = (sections.q[78, y] - sections.q[80, y]) / 2
    yield agrees("period", PERIOD, period, 2e-5, relative=True)
    yield agrees("descent", DESCENT, descent, 2e-5, relative=True)
    yield agrees("angle of the sleeve", _SECTION[0]["sleeve"], sections.q[79, sleeve], 1e-6)
    yield agrees("speeds", list(_SECTION[1].values()), sections.u[79], 1e-6, relative=True)
    begin, end = sections.t[79:81].tolist()
    for name, times in _EVENTS.items():
        found = [1e3 * (t - begin) for t in run.switches[name].tolist() if begin < t < end]
        yield agrees(name, times, found, 5e-3)
    assert run.contacts is not None
    hits = [hit for hit in run.contacts.impacts if begin < hit.t < end]
    beak = next(hit for hit in hits if hit.names == ("beak",))
    rubs = float(np.linalg.norm(beak.friction))
    yield agrees("impulse on the beak", 1.28450e-3, beak.impulses[0], 1e-4, relative=True)
    yield agrees("its friction", 3.8535e-4, rubs, 1e-4, relative=True)
    off = flight(_SECTION[0], {**_SECTION[1], "bird": 1.001 * _SECTION[1]["bird"]}, 3).events[0]
    change = np.diff(off.u[:3, 2])
    yield agrees("a deviation returns by", -0.84, change[1] / change[0], 0.02)


CASES = (
    Case(
        26,
        "The woodpecker toy",
        "6.13",
        "80 cycles by events of rigid contacts with dry friction; the multiplier from a start "
        "beside the cycle",
        _woodpecker,
        provenance="reconstructed",
        slow=True,
    ),
)
