"""Tension by stretch and rate, of springs along a line and across a coordinate alike."""

from __future__ import annotations

from eomc.derive.graph import Expression
from eomc.derive.language.errors import ModelError
from eomc.derive.language.scalar import Scalar, is_zero
from eomc.derive.scene.loads import AllLoads, Scene


def check_law(law: Scalar | None, stiffness: Scalar, damping: Scalar) -> None:
    """Raise `ModelError` if a law is given beside stiffness or damping."""
    if law is not None and not (is_zero(stiffness) and is_zero(damping)):
        raise ModelError("law and stiffness or damping are both given; put all of it into the law")


def tensions(
    scene: Scene,
    loads: AllLoads,
    x: Expression,
    v: Expression,
    law: Scalar | None,
    stiffness: Scalar,
    damping: Scalar,
) -> tuple[Expression, Expression]:
    """k x, whose potential k x^2/2 is added, and d v; or nothing and law(x, v)."""
    if law is not None:
        return scene.tree.zero, scene.scalar(law, {"x": x, "v": v})
    k = scene.scalar(stiffness)
    loads.conservative.potential = loads.conservative.potential + k * x * x / 2
    return k * x, scene.scalar(damping) * v
