"""Friction laws of contacts: one record a kind, one file a kind."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import ClassVar

from eomc.derive.fields.part import Part
from eomc.derive.geometry import Vector
from eomc.derive.graph import Expression
from eomc.derive.language.registry import Registry
from eomc.derive.scene.loads import Scene

__all__ = ["FRICTION_LAWS", "Friction", "Sliding"]

#: Every kind by its word.
FRICTION_LAWS: Registry[type[Friction]] = Registry("friction_law", "eomc.derive.contacts.friction")


@dataclass(frozen=True, eq=False)
class Sliding:
    """Quantities that a law may look at: the normal force [N], the velocity of the shape's material
    point along the surface [m/s], directions that stay with the surface (None on curved ones), the
    unit normal to the shape; if asked for, the velocity of the point of contact over both bodies in
    the mean [m/s], and how fast the shape turns against the surface about the normal [rad/s]."""

    pressing: Expression
    velocity: Vector
    tangents: tuple[Vector, Vector] | None
    normal: Vector
    rolling: Callable[[], Vector]
    spin: Callable[[], Expression]

    def share(self, which: int) -> Expression:
        """Velocity along one of the directions."""
        assert self.tangents is not None
        return self.tangents[which].dot(self.velocity)


class Friction(Part):
    """The force along the surface."""

    kinds = FRICTION_LAWS

    #: Names and units of states that each site has.
    states: ClassVar[tuple[tuple[str, str], ...]] = ()
    #: False if it grows otherwise than the normal force, which impacts do not know.
    proportional: ClassVar[bool] = True
    #: True if it holds, which rigid contacts alone can.
    sticks: ClassVar[bool] = False
    #: True if it never gives power. Bristles do, where the normal force grows while they are bent.
    dissipates: ClassVar[bool] = False

    def needs_directions(self) -> bool:
        """True if it needs directions that stay with the surface."""
        return bool(self.states)

    def rates(self, scene: Scene, at: Sliding, own: Sequence[Expression]) -> Sequence[Expression]:
        """Rates of its states."""
        return ()

    def coefficients(self, scene: Scene, at: Sliding) -> tuple[Expression, Expression]:
        """Static and kinetic ones of dry friction that sticks."""
        return scene.tree.zero, scene.tree.zero

    def force(self, scene: Scene, at: Sliding, own: Sequence[Expression]) -> Vector:
        """On the shape."""
        raise NotImplementedError

    def moment(self, scene: Scene, at: Sliding) -> Expression:
        """On the shape about the normal; of most laws none."""
        return scene.tree.zero
