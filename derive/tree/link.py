"""The kinematic tree that the recursions run over.

Joints of several coordinates are sequences of links, massless but for the last. Each link hangs on
its parent link by a constant placement followed by one elementary motion. A motion's coordinates
and speeds refer to those of the tree by affine maps, so that a mimic joint shares the coordinate of
the joint it follows.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

from eomc.derive.bodies.body import Body
from eomc.derive.geometry import Inertia, Rotation, Vector
from eomc.derive.graph import Expression, Graph, constant
from eomc.derive.motions.motion import Motion

WORLD = -1


@dataclass(frozen=True)
class LinkCoordinate:
    """factor * q[index] + offset, and factor * u[speed index] for its rate.

    `prescribed` says that the index refers to the prescribed motion s instead of q, `follows` that
    another link owns the coordinate.
    """

    index: int
    factor: Expression | None = None
    offset: Expression | None = None
    prescribed: bool = False
    follows: bool = False

    def value(self, array: Sequence[Expression]) -> Expression:
        """The coordinate, from the array of independent ones."""
        entry = array[self.index]
        if self.factor is not None:
            entry = self.factor * entry
        return entry if self.offset is None else entry + self.offset

    def rate(self, array: Sequence[Expression]) -> Expression:
        """The rate (or acceleration, or force share) without the offset."""
        entry = array[self.index]
        return entry if self.factor is None else self.factor * entry


@dataclass(frozen=True)
class TreeLink:
    """One elementary motion and the body that it carries.

    Attributes
    ----------
    name : str
        Of the joint, for labels and errors.
    parent : int
        Index of the parent link, `WORLD` for the base.
    placement : Rotation
        Frame of the motion in parent link axes, constant.
    offset : Vector
        Origin of that frame in parent link coordinates.
    coordinates, speeds : tuple of Coordinate
        Where the motion's q and u come from.
    """

    name: str
    parent: int
    placement: Rotation
    offset: Vector
    motion: Motion
    coordinates: tuple[LinkCoordinate, ...]
    speeds: tuple[LinkCoordinate, ...]
    body: Body

    @property
    def owns_coordinates(self) -> bool:
        """True if the motion's coordinates stand in q itself: no mimic, none prescribed, none of a
        body that the link is attached to."""
        return not any(c.prescribed or c.follows or c.factor is not None for c in self.coordinates)


@dataclass(frozen=True)
class LinkTree:
    """Links in an order in which every parent stands before its children.

    `pose_of` maps each declared body (and frame carrier) to the link it is fixed to and the
    constant pose of its frame in that link; a body welded to the base has the link `WORLD`.
    `ground` holds what regrouping left at rest: it has no influence but on the constant of the
    potential energy and on the centre of mass. `coordinate_of`, `speed_of` resolve the names of
    all moving joints, mimic and prescribed ones included.
    """

    graph: Graph
    links: tuple[TreeLink, ...]
    coordinate_names: tuple[str, ...]
    speed_names: tuple[str, ...]
    prescribed_names: tuple[str, ...]
    gravity: Vector
    ground: Inertia
    armature: dict[int, Expression] = field(default_factory=dict)
    prescribed_armature: dict[int, Expression] = field(default_factory=dict)
    pose_of: dict[str, tuple[int, Rotation, Vector]] = field(default_factory=dict)
    coordinate_of: dict[str, LinkCoordinate] = field(default_factory=dict)
    speed_of: dict[str, LinkCoordinate] = field(default_factory=dict)
    joint_speeds: dict[str, tuple[LinkCoordinate, ...]] = field(default_factory=dict)

    @cached_property
    def zero(self) -> Expression:
        """The constant 0 of the tree's graph."""
        return constant(self.graph, 0)

    @property
    def nq(self) -> int:
        """Number of coordinates."""
        return len(self.coordinate_names)

    @property
    def nu(self) -> int:
        """Number of generalized speeds."""
        return len(self.speed_names)

    @cached_property
    def massless(self) -> frozenset[int]:
        """Free speeds that move no mass at all."""
        moved = [not link.body.is_rigid or not link.body.inertia.is_zero for link in self.links]
        for index in reversed(range(len(self.links))):
            parent = self.links[index].parent
            if parent != WORLD:
                moved[parent] |= moved[index]
        mass: set[int] = set(self.armature)
        none: set[int] = set()
        for link, moves in zip(self.links, moved, strict=True):
            (mass if moves else none).update(s.index for s in link.speeds if not s.prescribed)
        return frozenset(none - mass)

    @cached_property
    def weight(self) -> Expression:
        """All mass, or 1 if there is none: the size of inertias [kg]."""
        total = self.ground.mass
        for link in self.links:
            total = total + link.body.inertia.mass
        return self.zero + 1 if total.is_zero else total

    def zero_vector(self) -> Vector:
        """(0, 0, 0)"""
        zero = self.zero
        return Vector(zero, zero, zero)


def common_ancestor(tree: LinkTree, a: int, b: int) -> int:
    """The deepest link that both hang on (or are); `WORLD` if none."""
    while a != b:  # parents stand before their children
        if a > b:
            a = tree.links[a].parent
        else:
            b = tree.links[b].parent
    return a
