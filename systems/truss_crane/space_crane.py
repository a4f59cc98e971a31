"""The truss crane in space: it slews, folds by elastic jacks, and hoists a load on a rope.

x points along the booms, y up; they bend in every direction, see `space_boom`. Torques ``slewing``
and ``hoisting`` (of the drum) [N m] and forces ``jack1_force`` to ``jack6_force`` [N] are inputs.
"""

from __future__ import annotations

from math import hypot

from eomc.derive.model import Model, Point
from eomc.systems.truss_crane.boom import (
    BAYS,
    DEPTH,
    LENGTH,
    OFFSET,
    space_boom,
    triangle_structure,
)
from eomc.systems.truss_crane.crane import rigid_truss


def space_crane(
    modes: int = 0, *, load: float = 500.0, gravity: float = 9.81, lacing: float = 0.1
) -> Model:
    """A load [kg] 30 m under the tip; modes and lacing as of `space_boom`.

    >>> len(space_crane().coordinates)
    35
    """
    model = Model("space_crane", gravity=(0, -gravity, 0))
    model.body("platform", mass=5000, inertia=(2e4, 4e4, 2e4))
    model.joint("slew", "revolute", parent="world", child="platform", axis=(0, 1, 0))
    hinge, foot = Point("platform", (0, 0, 0)), Point("platform", (-DEPTH, DEPTH, 0))
    for k, bay in enumerate(BAYS, 1):
        wedge, boom = f"triangle{k}", f"boom{k}"
        rigid_truss(model, wedge, triangle_structure())
        model.deformable(boom, space_boom(bay, modes, lacing))
        model.joint(f"turn{2 * k - 1}", "revolute", parent=hinge.body, child=wedge, axis=(0, 0, 1))
        model.joint(f"turn{2 * k}", "revolute", parent=wedge, child=boom, axis=(0, 0, 1))
        for node in bay.joined:
            model.attachment(f"node{node}", body=boom, at=node)
        head, *end = (Point(f"node{node}") for node in bay.joined)
        inner, outer = (Point(wedge, (side * OFFSET, DEPTH, 0)) for side in (-1, 1))
        for n, a, b in ((2 * k - 1, foot, inner), (2 * k, outer, head)):
            model.input(f"jack{n}_force", units="N")
            model.spring(f"jack{n}", a=a, b=b, stiffness=2e8, free_length=LENGTH)
            model.spring(f"push{n}", a=a, b=b, law=f"-jack{n}_force")
        hinge, foot = end[0], end[-1]
    model.body("drum", mass=50, inertia=(1, 1, 2))
    model.joint("drum", "revolute", parent="boom3", child="drum", axis=(0, 0, 1))
    model.body("hook", mass=load)
    model.joint("hook", "translational", parent="platform", child="hook", placement=(90, -25, 0))
    length = f"{hypot(30, DEPTH) + 30} - 0.3*drum"
    model.constraint("rope", "rope", route=[Point("boom3"), hinge, "hook"], length=length)
    for name, speed in (("slewing", "slew"), ("hoisting", "drum")):
        model.input(name, units="N m")
        model.generalized_force(name, speed=speed, expression=name)
    return model
