"""Joints of bodies without mass, which a spanning tree should pass rather than cut.

At the end of a branch such a body gives its coordinate no inertia: the cross of a universal joint,
a coupler between heavier links. Passed on both sides, it moves what hangs on it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from eomc.derive.language.naming import WORLD
from eomc.derive.language.scalar import is_zero

if TYPE_CHECKING:
    from eomc.derive.model.model import Model

__all__ = ["passed_joints"]


def passed_joints(model: Model) -> dict[str, int]:
    """Name of each such joint, and how many joints its body has: of two, neither can be spared.

    Bodies that do not move against each other count as one.
    """
    deformable = model.deformables
    heavy = {n for n, body in model.bodies.items() if n in deformable or not body.is_massless}
    if len(heavy) == len(model.bodies):
        return {}
    given = model.prescribed_coordinates()
    for joint in model.joints.values():  # which may hold a body at the end of a branch
        rotor = not is_zero(joint.rotor_inertia)
        moved = joint.mimic is not None or any(name in given for name in joint.coordinates)
        if rotor or moved:
            heavy |= {joint.parent, joint.child}
    cluster = _clusters(model)
    borne = {cluster[name] for name in (WORLD, *heavy)}
    around: dict[str, list[str]] = {}
    for joint in model.joints.values():
        ends = cluster[joint.parent], cluster[joint.child]
        if ends[0] != ends[1]:
            for end in ends:
                around.setdefault(end, []).append(joint.name)
    found: dict[str, int] = {}
    for end, names in around.items():
        if end not in borne:
            found |= {name: min(len(names), found.get(name, len(names))) for name in names}
    return found


def _clusters(model: Model) -> dict[str, str]:
    """For each body, and the world, one name of all those that it does not move against."""
    cluster = {name: name for name in (WORLD, *model.bodies)}
    for joint in model.joints.values():
        if joint.is_fixed or not joint.speeds:
            kept, gone = cluster[joint.parent], cluster[joint.child]
            cluster = {name: kept if at == gone else at for name, at in cluster.items()}
    return cluster
