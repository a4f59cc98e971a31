"""A point where a cable is fastened, if it is the first or the last, or else slides through."""

from __future__ import annotations

from collections.abc import Mapping

from eomc.derive.cables.end import End
from eomc.derive.cables.station import Station, not_negative, station
from eomc.derive.elements.fields import AtPoint, Number, number, point
from eomc.derive.language.scalar import Scalar
from eomc.derive.scene.loads import Scene


@station("at")
class Eyelet(Station):
    """A point of a body where the cable is fastened, or slides over a rounded edge.

    Its friction acts over the angle by which the cable turns there.
    """

    at: AtPoint = point("where")
    friction: Number = number("", "coefficient, where the cable slides through", default=0)

    def rubbing(self) -> Scalar:
        """That of the edge."""
        return self.friction

    def check(self, values: Mapping[str, float]) -> None:
        """Friction brakes."""
        not_negative(self.friction, "friction", values)

    def end(self, scene: Scene) -> End:
        """The point."""
        return End(scene, scene.point(self.at.body, self.at.xyz))
