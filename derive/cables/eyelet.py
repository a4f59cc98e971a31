"""A point where a cable is fastened, if it is the first or the last, or else slides through."""

from __future__ import annotations

from collections.abc import Mapping

from eomc.derive.cables.end import End
from eomc.derive.cables.friction import over_edge
from eomc.derive.cables.station import CableStation, not_negative
from eomc.derive.fields.field import Number, number
from eomc.derive.graph import Expression
from eomc.derive.language.registry import kind
from eomc.derive.language.scalar import is_zero
from eomc.derive.scene.loads import Scene


@kind("eyelet")
class Eyelet(CableStation):
    """A point of a body where the cable is fastened, or slides over a rounded edge.

    Its friction acts over the angle by which the cable turns there.
    """

    friction: Number = number("", "coefficient, where the cable slides through", default=0)

    def rubs(self) -> bool:
        """On the edge."""
        return not is_zero(self.friction)

    def gain(self, scene: Scene, bend: Expression, sliding: Expression) -> Expression:
        """By Euler and Eytelwein."""
        return over_edge(scene.scalar(self.friction), bend, sliding)

    def check(self, values: Mapping[str, float]) -> None:
        """Friction brakes."""
        not_negative(self.friction, "friction", values)

    def end(self, scene: Scene) -> End:
        """The point."""
        return End(scene, scene.point(self.at.body, self.at.xyz))
