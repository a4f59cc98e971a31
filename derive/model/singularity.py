"""Coordinates that carry no inertia: a mass matrix that is singular wherever the mechanism stands.

Articulated-body elimination from the leaves (Featherstone 2008, section 7.3), in doubles and at one
generic position: a motion with S^T I_A S = 0 accelerates nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from eomc.binding.arrays import Array
from eomc.derive.bodies.mass_properties import MassProperties
from eomc.derive.joints.joint import Joint
from eomc.derive.joints.numeric import generic, numeric_joint
from eomc.derive.joints.pose import pose_and_subspace
from eomc.derive.language.errors import ModelError
from eomc.derive.language.naming import WORLD
from eomc.derive.language.scalar import is_zero
from eomc.derive.language.value import value_of
from eomc.derive.placement.placement import Placement

if TYPE_CHECKING:
    from eomc.derive.model.model import Model

__all__ = ["IN_LOOPS", "REFUSED", "check_inertia_of_coordinates", "singular"]


#: Articulated inertia below this part of the composite one is rounding; a chain of n links has
#: n**-3.
_ROUNDING = 1e-12


#: What loops have to do with it.
IN_LOOPS = (
    "; a rod without mass between two points is no body but a constraint of kind 'distance' "
    "between these points"
)


#: Ends of the message: where a model is refused, and where it is read all the same.
REFUSED = (
    "; inertia='ignore' derives what needs none, and eomc.build(..., functions=[...]) builds that "
    "alone"
)


def singular(model: Model, values: dict[str, float]) -> ModelError | None:
    """The error that `check_inertia_of_coordinates` raises, with no word of what to do else."""
    try:
        check_inertia_of_coordinates(model, values, end="")
    except ModelError as error:
        return error
    return None


def check_inertia_of_coordinates(
    model: Model, values: dict[str, float], *, end: str = REFUSED
) -> None:
    """Raise `ModelError` naming the coordinate if the mass matrix is singular in every position.

    `model` is reduced (no fixed joints), `values` are the parameters. Prescribed and mimicking
    joints count as standing still; a coordinate that others mimic is not judged.
    """
    with np.errstate(all="ignore"):  # overflow is told as an error of the joint
        _eliminate(model, values, end)


def _eliminate(model: Model, values: dict[str, float], end: str) -> None:
    """One sweep from the leaves to the world."""
    articulated = {name: _spatial_inertia(body, values) for name, body in model.bodies.items()}
    composite = {name: matrix.copy() for name, matrix in articulated.items()}
    bare, advice = (_bare(model), IN_LOOPS) if model.cuts() or model.constraints else (set(), "")
    advice = end + advice
    given = model.prescribed_coordinates()
    followed = {joint.mimic.joint for joint in model.joints.values() if joint.mimic is not None}
    for joint in reversed(model.tree()):
        numeric = numeric_joint(joint, values)
        pose, columns = pose_and_subspace(numeric, generic(len(joint.coordinates)))
        inverse = numeric.child_placement.inverse()
        free = [i for i, name in enumerate(joint.speeds) if name not in given]
        if joint.mimic is not None:
            free = []
        subspace = np.array(columns, dtype=float).T[:, free]
        # The body's frame stands at `inverse` in the child-side joint frame.
        subspace = _motion(inverse) @ subspace
        inertia = articulated[joint.child]
        if free and not (joint.child in bare and is_zero(joint.rotor_inertia)):
            rotor = value_of(joint.gear_ratio, values) ** 2 * value_of(joint.rotor_inertia, values)
            inertia = _eliminated(
                joint,
                free,
                subspace,
                inertia,
                composite[joint.child],
                rotor,
                joint.name in followed,
                advice,
            )
        if joint.parent != WORLD:
            step = numeric.placement @ pose @ inverse
            motion = _motion(step)
            articulated[joint.parent] += motion.T @ inertia @ motion
            composite[joint.parent] += motion.T @ composite[joint.child] @ motion


def moves_without_mass(model: Model) -> bool:
    """True if a joint without rotor inertia moves nothing that has mass; `model` is reduced."""
    bare = _bare(model)
    return any(
        joint.speeds and joint.child in bare and is_zero(joint.rotor_inertia)
        for joint in model.joints.values()
    )


def _bare(model: Model) -> set[str]:
    """Bodies without mass that nothing with mass hangs on: constraints may determine how they
    move, as they close and are judged (`eomc.derive.system.redundancy`)."""
    found: set[str] = set()
    beyond: dict[str, list[str]] = {}
    for joint in reversed(model.tree()):
        body = model.bodies[joint.child]
        numbers = (body.mass, *body.first_moment, *body.inertia_origin)
        if all(map(is_zero, numbers)) and found.issuperset(beyond.get(joint.child, ())):
            found.add(joint.child)
        beyond.setdefault(joint.parent, []).append(joint.child)
    return found


def _eliminated(
    joint: Joint,
    free: list[int],
    subspace: Array,
    inertia: Array,
    composite: Array,
    rotor: float,
    followed: bool,
    advice: str,
) -> Array:
    """I_A - I_A S (S^T I_A S)^-1 S^T I_A, after the check that the inverse exists."""
    diagonal = subspace.T @ inertia @ subspace + rotor * np.eye(len(free))
    scale = np.sqrt(np.diag(subspace.T @ composite @ subspace) + rotor)
    if not (np.isfinite(diagonal).all() and np.isfinite(scale).all()):
        raise _beyond(joint)
    if not scale.all():
        weakest = int(np.argmin(scale))
    else:
        moments, directions = np.linalg.eigh(diagonal / np.outer(scale, scale))
        weakest = int(np.argmax(np.abs(directions[:, 0]))) if moments[0] <= _ROUNDING else -1
    if weakest >= 0 and followed:
        return inertia
    if weakest >= 0:
        kind = joint.declaration
        shown = (joint.coordinates if kind.rates else joint.speeds)[free[weakest]]
        # a point mass does not turn: it needs no joint that does
        point = subspace[3:, weakest].any() and not inertia[3:, 3:].any() and inertia.any()
        suits = "; 'translational' lets a point mass move freely" if point and kind.is_free else ""
        raise ModelError(
            f"joint {joint.name!r}: coordinate {shown!r} carries no inertia "
            "(singular mass matrix); give a body that it moves mass or inertia, or the joint "
            f"rotor_inertia{suits}{advice}",
            joint.source,
        )
    momentum = inertia @ subspace
    try:
        return inertia - momentum @ np.linalg.solve(diagonal, momentum.T)
    except np.linalg.LinAlgError:  # masses near the smallest number
        raise _beyond(joint) from None


def _beyond(joint: Joint) -> ModelError:
    return ModelError(
        f"joint {joint.name!r}: the inertia that it moves is beyond double precision; "
        "check masses and lengths",
        joint.source,
    )


def _spatial_inertia(body: MassProperties, values: dict[str, float]) -> Array:
    """6x6 inertia at the body frame's origin, order (v, omega)."""
    mass = value_of(body.mass, values)
    x, y, z = (value_of(entry, values) for entry in body.first_moment)
    xx, yy, zz, xy, xz, yz = (value_of(entry, values) for entry in body.inertia_origin)
    cross = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    moments = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
    return np.block([[mass * np.eye(3), cross.T], [cross, moments]])


def _motion(place: Placement) -> Array:
    """Twist (v, omega) of a frame from that of the frame it stands in: (R^T (v + w x r), R^T w)."""
    back = np.array(place.matrix, dtype=float).T
    x, y, z = (float(entry) for entry in place.xyz)
    cross = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return np.block([[back, -back @ cross], [np.zeros((3, 3)), back]])
