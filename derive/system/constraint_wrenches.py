"""Forces and moments of constraints on bodies.

A row phi with the multiplier lambda acts on the second of its two bodies with the force
lambda dphi/dr and the moment lambda dphi/dtheta about the origin of that body's frame, for
displacements r and small rotations theta of it; on the first one with the opposite. A nonholonomic
row psi acts likewise with its derivatives by velocity and angular velocity. So G^T lambda is the
generalized force of these wrenches. Rows on coordinates (gears, drivers, expressions of the user)
act within joints and have none.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields
from itertools import groupby
from typing import Any

from eomc.derive.constraints import Constraint
from eomc.derive.constraints.cut_joint import cut_joint
from eomc.derive.elements.rows import Row
from eomc.derive.geometry import SpatialForce, Vector
from eomc.derive.graph import Expression, ForwardSweep, nodes, symbols
from eomc.derive.graph.traverse import substitute
from eomc.derive.joints.joint import Joint
from eomc.derive.scene.loads import Scene
from eomc.derive.scene.pair import Displaced, body_frames, seen
from eomc.derive.tree.link import WORLD, common_ancestor

_SMALL = ("step", "turn", "rate", "spin")


def sides(element: Joint | Constraint) -> tuple[str, str] | None:
    """The two bodies that a constraint holds together; None if it acts on coordinates."""
    if isinstance(element, Joint):
        return element.parent, element.child
    return element.sides


def element_wrench(
    element: Joint | Constraint, scene: Scene, multipliers: Mapping[str, Expression]
) -> SpatialForce:
    """Wrench on the second body about its frame's origin, in the common ancestor's axes.

    `multipliers` by the names of rows; rows without one carry nothing.
    """
    displaced = _displaced(scene)
    made = cut_joint(element, displaced) if isinstance(element, Joint) else element.rows(displaced)
    held = [row for row in made if row.name in multipliers]
    total = [scene.tree.zero] * 6
    for holonomic, group in groupby(held, key=lambda row: row.holonomic):
        chosen = list(group)
        directions = ("step", "turn") if holonomic else ("rate", "spin")
        slopes = _slopes(displaced, chosen, directions)
        for k, column in enumerate(slopes):
            for row, slope in zip(chosen, column, strict=True):
                total[k] = total[k] + slope * multipliers[row.name]
    return SpatialForce.of(total)


def on_links(
    elements: Sequence[Joint | Constraint], scene: Scene, multipliers: Mapping[str, Expression]
) -> dict[int, list[SpatialForce]]:
    """Wrenches of the constraints on links, about the link origin, in link axes."""
    found: dict[int, list[SpatialForce]] = {}
    for element in elements:
        bodies = sides(element)
        if bodies is None:
            continue
        on_second = element_wrench(element, scene, multipliers)
        places = [scene.tree.pose_of[body][0] for body in bodies]
        ancestor = common_ancestor(scene.tree, *places)
        _, second = body_frames(scene, bodies)
        for link, sign in zip(places, (-1, 1), strict=True):
            if link == WORLD:
                continue
            at = seen(scene, link, ancestor)
            about = on_second.angular + (second.origin - at.origin).cross(on_second.linear)
            force = at.axes.to_child(on_second.linear) * sign
            moment = at.axes.to_child(about) * sign
            found.setdefault(link, []).append(SpatialForce(linear=force, angular=moment))
    return found


def _displaced(scene: Scene) -> Displaced:
    graph = scene.tree.graph
    small = {name: Vector(*symbols(graph, f"small_{name}", 3)) for name in _SMALL}
    given: dict[str, Any] = {f.name: getattr(scene, f.name) for f in fields(Scene)}
    given.update(small)
    return Displaced(**given)


def _slopes(
    displaced: Displaced, chosen: Sequence[Row], directions: Sequence[str]
) -> list[list[Expression]]:
    """Derivatives of the rows by each component, at no displacement."""
    graph, zero = displaced.tree.graph, displaced.tree.zero
    one = (zero + 1).node
    sweep = ForwardSweep(graph, nodes([row.residual for row in chosen]))
    still = {entry.node: zero.node for name in _SMALL for entry in getattr(displaced, name)}
    columns = []
    for name in directions:
        for entry in getattr(displaced, name):
            column = substitute(graph, sweep({entry.node: one}), still)
            columns.append([Expression(graph, node) for node in column])
    return columns
