"""A tree of revolute joints about coordinate axes, as numbers that every contender can read."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from eomc.binding.arrays import Array
from eomc.derive.language.value import value_of
from eomc.derive.model import Model, Placement


@dataclass(frozen=True)
class Link:
    """A moving body with its joint.

    parent : index of the link below, -1 for the base
    axis : 0, 1, 2 for x, y, z of the joint frame
    rotation, offset : joint frame in the parent link's joint frame
    mass, center, tensor : of the body, in its joint frame; the tensor about the centre of mass
    """

    parent: int
    axis: int
    rotation: Array
    offset: Array
    mass: float
    center: Array
    tensor: Array


@dataclass(frozen=True)
class Mechanism:
    """All links, parents first, in the order of our coordinates."""

    links: tuple[Link, ...]
    gravity: Array

    @property
    def size(self) -> int:
        """Number of joints."""
        return len(self.links)


def mechanism(model: Model) -> Mechanism:
    """The numbers of `model`; raises ValueError for joints that this benchmark has no peer for."""
    values = model.defaults()
    reduced = model.reduced()
    joints = reduced.tree()
    place = {"world": -1}
    back: dict[str, tuple[Array, Array]] = {"world": (np.eye(3), np.zeros(3))}

    def pose(placement: Placement) -> tuple[Array, Array]:
        rows = [[value_of(entry, values) for entry in row] for row in placement.matrix]
        return np.array(rows), np.array([value_of(entry, values) for entry in placement.xyz])

    links = []
    for k, joint in enumerate(joints):
        axis = [value_of(entry, values) for entry in joint.axis or (0, 0, 0)]
        if joint.kind != "revolute" or sorted(axis) != [0, 0, 1] or joint.mimic is not None:
            raise ValueError(f"joint {joint.name!r} is not revolute about a coordinate axis")
        place[joint.child] = k
        turn, offset = pose(joint.placement)
        outer_turn, outer_offset = back[joint.parent]
        turn, offset = outer_turn @ turn, outer_offset + outer_turn @ offset
        # The body frame in the child-side joint frame.
        child_turn, child_offset = pose(joint.child_placement)
        body_turn, body_offset = child_turn.T, -child_turn.T @ child_offset
        back[joint.child] = (body_turn, body_offset)
        body = reduced.bodies[joint.child]
        xx, yy, zz, xy, xz, yz = (value_of(entry, values) for entry in body.inertia_com)
        tensor = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
        center = np.array([value_of(entry, values) for entry in body.com])
        links.append(
            Link(
                place[joint.parent],
                axis.index(1),
                turn,
                offset,
                value_of(body.mass, values),
                body_offset + body_turn @ center,
                body_turn @ tensor @ body_turn.T,
            )
        )
    gravity = np.array([value_of(entry, values) for entry in reduced.gravity])
    return Mechanism(tuple(links), gravity)
