"""The articulated truss crane: plane trusses on hinges, turned by actuators across each hinge.

Every joint of the crane is a hinge H that three bodies share: the truss before it, a small triangle
and the truss behind it. One actuator turns the triangle against the truss before, a second the
truss behind against the triangle; each closes a loop. There is no gravity, and the base is fixed.
Coordinates: ``turn1``, ``turn2``, ... about the hinges, ``jack1_foot``, ... of the cylinders,
``jack1``, ... the extensions, whose forces are the inputs ``jack1_force``, ....

Reference: B. A. Boutin, *Dynamics and vibration control of articulating truss structures*, M.Eng.
thesis, McGill University, 1995.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from eomc.derive.finite_elements import Structure
from eomc.derive.finite_elements.modal_reduction import from_structure
from eomc.derive.model import Model, Point
from eomc.runtime.trajectories import SineRamp
from eomc.systems.truss_crane.boom import (
    BAYS,
    DEPTH,
    LENGTH,
    NODES,
    OFFSET,
    TIP,
    Bay,
    bay_structure,
    boom_structure,
    flexible_bay,
    flexible_boom,
    triangle_structure,
)

__all__ = [
    "DURATION",
    "EXTENSION",
    "articulated_crane",
    "maneuver",
    "pivoting_boom",
    "single_actuator_crane",
    "two_actuator_crane",
]

EXTENSION = 3.832
"""Of an actuator at the end of the maneuver [m]."""
DURATION = 20.0
"""Of the maneuver [s]."""
BARREL_MASS = 4000 * 2.3592e-4 * LENGTH
"""Of the tube of an actuator [kg]."""
ROD_MASS = 4000 * 1.79091e-3 * LENGTH
"""Of the solid rod in it [kg]."""
_Z = (0, 0, 1)


def maneuver() -> SineRamp:
    """The extension over time, from rest to rest.

    >>> round(float(maneuver()(10.0).rate), 6)
    0.3832
    """
    return SineRamp(0.0, EXTENSION, DURATION)


def two_actuator_crane(
    modes: int = 2,
    *,
    retardation: float = 0.0,
    massless: bool = False,
    drive: str = "force",
    **options: Any,
) -> Model:
    """Seven links, two loops: base, triangle, boom and the two actuators of the first joint.

    Parameters
    ----------
    modes : of the boom; 0 makes it rigid
    retardation : nu of structural damping [s]
    massless : whether the actuators have no mass
    drive : "force" or "extension", as of `eomc.derive.model.cylinder.declare_cylinder`
    options : further ones of both cylinders, such as lag

    >>> two_actuator_crane(0).coordinates
    ('turn1', 'turn2', 'jack2_foot', 'jack2', 'jack1_foot', 'jack1')
    >>> len(two_actuator_crane(2).cuts())
    2
    """
    model = Model("two_actuator_crane", gravity=(0, 0, 0))
    rigid_truss(model, "triangle", triangle_structure())
    model.joint("turn1", "revolute", parent="world", child="triangle", axis=_Z)
    head = _boom(model, modes, retardation)
    model.joint("turn2", "revolute", parent="triangle", child="boom", axis=_Z)
    options = {"drive": drive, **_masses(massless), **options}
    inner = Point("triangle", (-OFFSET, DEPTH, 0))
    outer = Point("triangle", (OFFSET, DEPTH, 0))
    _jack(model, 1, Point("world", (-DEPTH, DEPTH, 0)), inner, options)
    _jack(model, 2, outer, head, options)
    return model


def single_actuator_crane(
    modes: int = 2,
    *,
    retardation: float = 0.0,
    massless: bool = False,
    drive: str = "force",
    **options: Any,
) -> Model:
    """Four links, one loop: the triangle is fixed to the base, actuator 2 turns the boom.

    Arguments as of `two_actuator_crane`.

    >>> single_actuator_crane(2).coordinates
    ('turn2', 'boom_e1', 'boom_e2', 'jack2_foot', 'jack2')
    """
    model = Model("single_actuator_crane", gravity=(0, 0, 0))
    head = _boom(model, modes, retardation)
    model.joint("turn2", "revolute", parent="world", child="boom", axis=_Z)
    options = {"drive": drive, **_masses(massless), **options}
    _jack(model, 2, Point("world", (OFFSET, DEPTH, 0)), head, options)
    return model


def pivoting_boom(modes: int = 2, *, retardation: float = 0.0) -> Model:
    """The boom alone on a hinge at node 1, turned by a torque on ``turn``: no loop.

    >>> pivoting_boom(2).coordinates
    ('turn', 'boom_e1', 'boom_e2')
    """
    model = Model("pivoting_boom", gravity=(0, 0, 0))
    _boom(model, modes, retardation)
    model.joint("turn", "revolute", parent="world", child="boom", axis=_Z)
    return model


def articulated_crane(
    modes: int | Sequence[int] = 0,
    *,
    retardation: float = 0.0,
    interfaces: bool = False,
    massless: bool = False,
    drive: str = "force",
    **options: Any,
) -> Model:
    """Nineteen links, six loops: three booms of three joints with all actuators.

    Parameters
    ----------
    modes : of each boom, or of all; 0 without interfaces makes a boom rigid
    interfaces : whether booms have constraint modes of their hinges, too, without which they need
        many modes: the loads at the hinges are those of all booms behind
    retardation, massless, drive, options : as of `two_actuator_crane`

    >>> model = articulated_crane()
    >>> len(model.bodies), len(model.cuts())
    (18, 6)
    >>> [name for name in articulated_crane((2, 1, 0)).coordinates if "boom" in name]
    ['boom1_e1', 'boom1_e2', 'boom2_e1']
    """
    model = Model("articulated_crane", gravity=(0, 0, 0))
    counts = (modes,) * len(BAYS) if isinstance(modes, int) else modes
    options = {"drive": drive, **_masses(massless), **options}
    hinge, foot = Point("world", (0, 0, 0)), Point("world", (-DEPTH, DEPTH, 0))
    for number, (bay, count) in enumerate(zip(BAYS, counts, strict=True), 1):
        triangle, boom = f"triangle{number}", f"boom{number}"
        one, two = 2 * number - 1, 2 * number
        rigid_truss(model, triangle, triangle_structure())
        model.joint(
            f"turn{one}",
            "revolute",
            parent=hinge.body,
            child=triangle,
            axis=_Z,
            placement=hinge.xyz,
        )
        head, *end = _bay(model, boom, bay, count, retardation, interfaces)
        model.joint(f"turn{two}", "revolute", parent=triangle, child=boom, axis=_Z)
        _jack(model, one, foot, Point(triangle, (-OFFSET, DEPTH, 0)), options)
        _jack(model, two, Point(triangle, (OFFSET, DEPTH, 0)), head, options)
        hinge, foot = end[0], end[-1]
    return model


def _bay(
    model: Model, boom: str, bay: Bay, modes: int, retardation: float, interfaces: bool
) -> list[Point]:
    """Declare a boom; the head of its actuator, and the hinge and foot behind it, or the tip."""
    if modes == 0 and not interfaces:
        rigid_truss(model, boom, bay_structure(bay))
        return [Point(boom, (NODES[n][0] - bay.first, NODES[n][1], 0)) for n in bay.joined]
    model.deformable(boom, flexible_bay(bay, modes, retardation, interfaces))
    for node in bay.joined:
        model.attachment(f"node{node}", body=boom, at=node)
    return [Point(f"node{node}") for node in bay.joined]


def _masses(massless: bool) -> dict[str, float]:
    return {} if massless else {"barrel_mass": BARREL_MASS, "rod_mass": ROD_MASS}


def _jack(model: Model, number: int, a: Point, b: Point, options: dict[str, Any]) -> None:
    model.cylinder(f"jack{number}", a=a, b=b, axis=_Z, length=LENGTH, **options)


def _boom(model: Model, modes: int, retardation: float) -> Point:
    """Declare it; where the rod of its actuator is hinged."""
    if modes == 0:
        rigid_truss(model, "boom", boom_structure())
        model.frame("tip", body="boom", placement=(90, DEPTH, 0))
        return Point("boom", (DEPTH, DEPTH, 0))
    model.deformable("boom", flexible_boom(modes, retardation))
    for name, station in (("node2", "2"), ("node39", TIP)):
        model.attachment(name, body="boom", at=station)
    model.frame("tip", body="node39")
    return Point("node2")


def rigid_truss(model: Model, name: str, structure: Structure) -> None:
    """A rigid body of a structure, its frame that of the structure."""
    moments = from_structure(structure, 0)
    com = np.array(moments.first, dtype=float) / float(moments.mass)
    model.body(
        name, mass=moments.mass, com=com.tolist(), inertia=moments.inertia, inertia_about="origin"
    )
