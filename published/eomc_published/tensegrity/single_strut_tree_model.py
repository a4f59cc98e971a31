"""The single strut as a tree with loop joints, of the bodies that one would list.

Each branch is a block, a pulley, and the end of its cable on an involute joint that stretches; a
spherical joint between the strut's free end and the cable's closes its loop. Coordinates: those of
the strut, blocks and pulleys as in `eomc.systems.tensegrity.single_strut`, and of each cable the
unwound angle ``unwound<i>_angle`` and a second one: 14 under 9 conditions leave five freedoms.

The cables' ends have no mass, so the mass matrix is singular and the loops alone make the equations
definite.
"""

from __future__ import annotations

import math

from eomc.derive.model import Model
from eomc.systems.tensegrity.single_strut import (
    AREA,
    BRANCHES,
    LENGTH,
    RADIUS,
    declare_elasticity,
    strut_and_blocks,
)

__all__ = ["single_strut_tree"]


def single_strut_tree(*, variant: str = "strain", form: str = "work") -> Model:
    """The single strut with 14 coordinates and 9 conditions.

    `variant` names the second coordinate of a cable: "strain", "elongation", "length"; with
    "rigid" cables do not stretch, and 11 coordinates are left.

    >>> model = single_strut_tree()
    >>> len(model.coordinates), [joint.name for joint in model.cuts()]
    (14, ['loop1', 'loop2', 'loop3'])
    """
    model = strut_and_blocks(f"single_strut_{variant}")
    stretches = variant != "rigid"
    if stretches:
        declare_elasticity(model)
    kind = f"involute_{variant}" if stretches else "involute"
    upright = math.sqrt(2) * LENGTH - RADIUS
    unwound = upright / RADIUS
    for i in BRANCHES:
        model.body(f"end{i}")
        # The joint's z axis is that of the pulley's turn.
        model.joint(
            f"unwound{i}",
            kind,
            parent=f"pulley{i}",
            child=f"end{i}",
            radius=RADIUS,
            placement={"rpy": (math.pi / 2, 0, 0)},
        )
        model.joint(
            f"loop{i}",
            "spherical",
            parent="strut",
            child=f"end{i}",
            cut=True,
            placement=(0, 0, LENGTH),
        )
        model.initial_guess(f"theta{i}", math.pi / 4 - unwound)
        model.initial_guess(f"unwound{i}_angle" if stretches else f"unwound{i}", unwound)
        if variant == "length":
            model.initial_guess(f"unwound{i}_length", upright)
        if stretches:
            model.involute_cable(
                f"cable{i}",
                joint=f"unwound{i}",
                modulus="E",
                area=AREA,
                viscosity="mu",
                elasticity=form,
                damping="pushes",
                dissipation="elongation",
            )
    return model
