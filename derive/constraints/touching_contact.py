"""A shape that stays on a surface, and slides on it without friction.

The gap of `eomc.derive.contacts` is zero, its multiplier the normal force: what a rigid contact is
while it is closed. See `eomc.derive.constraints.rolling_contact` for one that does not slide.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from eomc.derive.contacts.pair import SHAPE, SURFACE, OfShape, OfSurface, check_pair
from eomc.derive.contacts.surfaces import Touch
from eomc.derive.elements.constraint import Constraint
from eomc.derive.elements.element import Mechanism
from eomc.derive.elements.rows import Row
from eomc.derive.fields.field import of_kind, whole
from eomc.derive.fields.part import check_parts
from eomc.derive.language.errors import ModelError
from eomc.derive.language.registry import kind
from eomc.derive.placement.placement import Point
from eomc.derive.scene.loads import Scene
from eomc.derive.scene.pair import PairScene, between


@kind("touching_contact")
class TouchingContact(Constraint):
    """A shape, as of a contact, touches a surface and does not leave it.

    The multiplier of the row `gap` is the normal force, positive if it presses. All sites of the
    shape touch, or one of them.
    """

    shape: OfShape = of_kind(SHAPE)
    surface: OfSurface = of_kind(SURFACE)
    site: int = whole(0, None, "number of the site that touches; 0 for all", default=0)

    @property
    def sides(self) -> tuple[str, str]:
        """The plane's body, then that of the shape."""
        return self.surface.at.body, self.shape.at.body

    def drawn_at(self) -> tuple[Point, ...]:
        """The middle of the shape: no bar joins it to the plane."""
        return (self.shape.at,)

    def rows(self, scene: Scene) -> Iterator[Row]:
        """The gap, and what slips, by sites."""
        pair = between(scene, self.sides)
        sites = self.shape.sites(pair)
        if self.site:
            sites = [sites[self.site - 1]]
        for k, site in enumerate(sites, 1):
            place = f"_{k}" if len(sites) > 1 else ""
            touch = self.surface.meet(pair, site)
            yield Row(self.name, f"gap{place}", touch.gap)
            yield from self._slips(pair, touch, place)

    def _slips(self, scene: PairScene, touch: Touch, place: str) -> Iterator[Row]:
        """None: it slides."""
        yield from ()

    def check_in(self, model: Mechanism, values: Mapping[str, float]) -> None:
        """Two bodies, sizes, a site that there is."""
        check_pair(self.shape, self.surface)
        self.shape.check_smooth()
        check_parts(self, values)
        if self.site > (count := self.shape.count()):
            raise ModelError(f"site is {self.site}; the {self.shape.word} has {count}")
