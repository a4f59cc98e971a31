"""Constraint on the orientation of a body in the world or in another body, as a function of time.

With R_a, R_b the orientations of two frames and C(t) the prescribed rotation between them,

    turn(C^T R_b^T R_a) = 0,    turn(R) = 2 tan(theta/2) e,

three independent rows for the four of Euler parameters in Trom (1990), table 2.5.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from eomc.derive.elements.constraint import Constraint
from eomc.derive.elements.element import Mechanism
from eomc.derive.elements.rows import Row
from eomc.derive.fields.field import Placed, body, placement
from eomc.derive.fields.scope import TIMED
from eomc.derive.geometry import MatrixRotation, Rotation, Vector
from eomc.derive.joints.closure import turn
from eomc.derive.language.errors import ModelError
from eomc.derive.language.naming import WORLD
from eomc.derive.language.registry import kind
from eomc.derive.language.scalar import is_zero
from eomc.derive.placement.placement import Placement
from eomc.derive.scene.loads import Scene
from eomc.derive.scene.pair import body_frames


@kind("orientation")
class PrescribedOrientation(Constraint):
    """A body has a prescribed orientation in the world, or relative to another body.

    `rotation` is a function of time: `rpy` or `quaternion` of a's frame in that of b.
    """

    a: str = body("that is oriented")
    rotation: Placed = placement("of a's frame in b's: rpy or quaternion", of="b", scope=TIMED)
    b: str = body("or world in which it is oriented", default=WORLD)
    frame_a: Placed = placement("rotation of the frame in a", of="a", default=Placement())

    def check_in(self, model: Mechanism, values: Mapping[str, float]) -> None:
        """Rotations alone are prescribed."""
        for word in ("rotation", "frame_a"):
            if not all(is_zero(entry) for entry in getattr(self, word).xyz):
                raise ModelError(
                    f"{word} has xyz; give rpy, quaternion or rotation, and the position of a "
                    "point by a constraint 'point_location'"
                )

    def rows(self, scene: Scene) -> Iterator[Row]:
        """turn(C^T R_b^T R_a)"""
        (first, second), zero = body_frames(scene, (self.a, self.b)), scene.tree.zero
        own = first.axes @ Rotation([_matrix(scene, self.frame_a)])
        prescribed = second.axes @ Rotation([_matrix(scene, self.rotation)])
        columns = [prescribed.to_child(column) for column in own.columns(zero)]
        x, y, z = columns
        apart = MatrixRotation(MatrixRotation((x, y, z)).columns)
        for label, entry in zip(("x", "y", "z"), turn(apart), strict=True):
            yield Row(self.name, label, entry)


def _matrix(scene: Scene, place: Placement) -> MatrixRotation:
    x, y, z = (Vector(*map(scene.scalar, row)) for row in place.matrix)
    return MatrixRotation((x, y, z))
