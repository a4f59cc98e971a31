"""Base parameters: move to the parent what a joint's motion cannot tell apart.

A mass distribution on the axis of a turn is at rest in both of its links; so is the whole
rotational inertia across a slide, and the mass at the centre of a ball joint. Counting it with the
parent leaves every force, energy and momentum unchanged and makes inertial constants of the child
vanish: for a turn m, h_z and S_zz. Reference: Khalil and Dombre, *Modeling, Identification and
Control of Robots*, sec. 9.4; Gautier and Khalil 1990.
"""

from __future__ import annotations

from collections.abc import Sequence

from eomc.derive.geometry import Inertia, Rotation, Symmetric, Vector
from eomc.derive.graph import Expression
from eomc.derive.motions.about_axis import Slide, Turn
from eomc.derive.motions.ball import BallMotion
from eomc.derive.tree.draft import Draft
from eomc.derive.tree.link import WORLD


def indistinguishable(draft: Draft) -> Inertia | None:
    """The part of the link's inertia that its motion does not move relative to the parent."""
    body = draft.inertia
    zero = body.mass * 0
    if isinstance(draft.motion, Turn):
        on_axis = Symmetric(zero, zero, body.second.zz, zero, zero, zero)
        return Inertia(body.mass, Vector(zero, zero, body.first.z), on_axis)
    if isinstance(draft.motion, Slide):
        return Inertia(zero, Vector(zero, zero, zero), body.second)
    if isinstance(draft.motion, BallMotion):
        return Inertia(body.mass, Vector(zero, zero, zero), Symmetric(*(zero,) * 6))
    return None


def distinguishable(draft: Draft) -> list[tuple[str, Expression]]:
    """Components of inertia that regrouping leaves a link, in axes of its motion: z that of a turn.

    With S_zz = 0 a turn has J_xx = S_yy, J_yy = S_xx, of which equations of motion hold
    J_xx - J_yy, as Khalil and Dombre have it, and J_zz.
    """
    body = draft.inertia
    h, j = body.first, body.rotational()
    first = list(zip(("hx", "hy", "hz"), h, strict=True))
    products = [("Jxy", j.xy), ("Jxz", j.xz), ("Jyz", j.yz)]
    moments = [("Jxx", j.xx), ("Jyy", j.yy), ("Jzz", j.zz)]
    if isinstance(draft.motion, Turn):
        return [*first[:2], ("Jxx-Jyy", j.xx - j.yy), ("Jzz", j.zz), *products]
    if isinstance(draft.motion, Slide):
        return [("m", body.mass), *first]
    if isinstance(draft.motion, BallMotion):
        return [*first, *moments, *products]
    return [("m", body.mass), *first, *moments, *products]


def regroup(drafts: Sequence[Draft], ground: Inertia, *, symbolic: bool = False) -> Inertia:
    """Regroup all links whose data are numbers (`symbolic`: all), tips first; returns the inertia
    left on the ground."""
    for draft in reversed(drafts):
        at_rest = draft.parent == WORLD
        receiver = ground if at_rest else drafts[draft.parent].inertia
        numeric = draft.inertia.is_constant and draft.is_placed_by_numbers and receiver.is_constant
        moved = indistinguishable(draft) if numeric or symbolic else None
        if moved is None:
            continue
        draft.inertia = draft.inertia - moved
        carried = moved.carried(Rotation([draft.rotation]), draft.offset)
        if at_rest:
            ground = ground + carried
        else:
            drafts[draft.parent].inertia = receiver + carried
    return ground
