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


def single_strut_tree(
    *, variant: str = "strain", form: str = "work", end_mass: float = 0.0
) -> Model:
    """The single strut with 14 coordinates and 9 conditions.

    `variant` names the second coordinate of a cable: "strain", "elongation", "length"; with
    "rigid" cables do not stretch, and 11 coordinates are left. "composed" is "length" of stock
    joints. `end_mass` [kg] is that of a cable's end, a ball of 10 mm.

    >>> model = single_strut_tree()
    >>> len(model.coordinates), [joint.name for joint in model.cuts()]
    (14, ['loop1', 'loop2', 'loop3'])
    """
    model = strut_and_blocks(f"single_strut_{variant}")
    stretches = variant != "rigid"
    if stretches:
        declare_elasticity(model)
    upright = math.sqrt(2) * LENGTH - RADIUS
    unwound = upright / RADIUS
    for i in BRANCHES:
        model.body(f"end{i}", mass=end_mass, inertia=(4e-5 * end_mass,) * 3)
        if variant == "composed":
            _add_composed(model, i)
        else:
            _add_involute(model, i, variant, form)
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
        if variant in ("length", "composed"):
            model.initial_guess(f"unwound{i}_length", upright)
    return model


def _add_involute(model: Model, i: int, variant: str, form: str) -> None:
    """The end of a cable on a joint of its own kind, whose z axis is that of the pulley's turn."""
    model.joint(
        f"unwound{i}",
        "involute" if variant == "rigid" else f"involute_{variant}",
        parent=f"pulley{i}",
        child=f"end{i}",
        radius=RADIUS,
        placement={"rpy": (math.pi / 2, 0, 0)},
    )
    if variant != "rigid":
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


def _add_composed(model: Model, i: int) -> None:
    """The same of a revolute joint, a shift by R and a prismatic joint along the cable, with the
    forces F (-R, 1) = A E eps (-R, 1) on their speeds, as closed multibody tools take it."""
    angle, length = f"unwound{i}_angle", f"unwound{i}_length"
    model.body(f"reel{i}")
    model.joint(
        angle,
        "revolute",
        parent=f"pulley{i}",
        child=f"reel{i}",
        axis=(0, 0, 1),
        placement={"rpy": (math.pi / 2, 0, 0)},
    )
    model.joint(
        length,
        "prismatic",
        parent=f"reel{i}",
        child=f"end{i}",
        axis=(1, 0, 0),
        placement=(0, RADIUS, 0),
    )
    tension = f"{AREA!r}*E*max(0, {length}/({RADIUS!r}*{angle}) - 1)"
    model.generalized_force(f"wound{i}", speed=angle, expression=f"{RADIUS!r}*{tension}")
    model.generalized_force(f"pull{i}", speed=length, expression=f"-{tension}")
