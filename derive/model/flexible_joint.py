"""A joint with compliance between its drive and the body that it moves.

The motor turns a rotor by alpha against the parent; a torsion spring of stiffness k turns the child
by beta against the rotor. The rotor is a disc with a mass at the joint and the inertia J about the
axis, and it turns with the parent's motion, so that its momentum counts in full (Spong 1987 keeps
only the share about the motor's own axis).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import sympy

from eomc.derive.language.scalar import Scalar, is_zero, scalar, vector3
from eomc.derive.placement.directions import unit_vector
from eomc.derive.placement.placement import Placement

if TYPE_CHECKING:
    from eomc.derive.language.errors import Source
    from eomc.derive.model.model import Model

__all__ = ["declare_flexible_joint"]


def declare_flexible_joint(
    model: Model,
    name: str,
    *,
    parent: str,
    child: str,
    axis: Sequence[Any],
    stiffness: Any,
    damping: Any = 0,
    rotor_mass: Any = 0,
    rotor_inertia: Any = 0,
    placement: Placement | Mapping[str, Any] | Sequence[Any] | None = None,
    child_placement: Placement | Mapping[str, Any] | Sequence[Any] | None = None,
    source: Source | None = None,
) -> None:
    """Declare the body <name>_rotor, the joints <name> (alpha) and <name>_twist (beta), a spring.

    >>> from eomc.derive.model import Model
    >>> model = Model("arm")
    >>> model.body("link", mass=1, com=(0.5, 0, 0))
    >>> model.flexible_joint("elbow", parent="world", child="link", axis=(0, 1, 0),
    ...                      stiffness=1e4, rotor_inertia=0.1)
    >>> model.coordinates
    ('elbow', 'elbow_twist')
    """
    rotor, twist = f"{name}_rotor", f"{name}_twist"
    n = unit_vector(vector3(axis, "axis"), "axis")
    half = sympy.sympify(scalar(rotor_inertia, "rotor_inertia")) / 2
    if is_zero(scalar(half)):
        inertia: tuple[Scalar, ...] = (0, 0, 0)
    else:  # J/2 (1 + n n^T): a disc
        pairs = ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))
        inertia = tuple(scalar(half * (int(i == j) + n[i] * n[j])) for i, j in pairs)
    model.body(rotor, mass=rotor_mass, inertia=inertia, source=source)
    model.joint(
        name, "revolute", parent=parent, child=rotor, axis=axis, placement=placement, source=source
    )
    model.joint(
        twist,
        "revolute",
        parent=rotor,
        child=child,
        axis=axis,
        child_placement=child_placement,
        source=source,
    )
    model.joint_spring(twist, joint=twist, stiffness=stiffness, damping=damping, source=source)
