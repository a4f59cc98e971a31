"""A rope that does not stretch, over any number of points, pulleys and winches, as a constraint."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import ClassVar

from eomc.derive.cables.outline import outline_sizes, outlines
from eomc.derive.cables.path import Path
from eomc.derive.cables.rest_length import RestLength
from eomc.derive.cables.route import (
    Route,
    Stations,
    asked_names,
    check_free_length,
    check_route,
    refuse_friction,
)
from eomc.derive.elements.constraint import Constraint
from eomc.derive.elements.element import Mechanism
from eomc.derive.elements.rows import Row
from eomc.derive.fields.field import Number, number, of_kind
from eomc.derive.fields.scope import PLACE
from eomc.derive.geometry import Vector
from eomc.derive.language.registry import kind
from eomc.derive.scene.loads import Scene


@kind("rope")
class Rope(Constraint):
    """A taut rope of `length` along its `route`; its multiplier is minus the tension.

    Stations are those of a cable. It holds both ways: a tension below zero says that a real rope
    would be slack, as a `tether` is.
    """

    unilateral_rows: ClassVar[tuple[str, ...]] = ("length",)

    route: Stations = of_kind(Route("stations in order"))
    length: Number = number("m", "off its winches at angle zero", scope=PLACE)

    @property
    def sides(self) -> None:
        """None: it acts on all its stations, not between two bodies."""
        return None

    def rows(self, scene: Scene) -> Iterator[Row]:
        """L - L0"""
        path = Path(scene, self.name, self.route)
        yield Row(self.name, "length", path.length - RestLength(scene, path, self.length).value)

    def drawn_lines(self) -> tuple[int, ...]:
        """The way over the stations, and their circles."""
        return outline_sizes(self.route)

    def lines(self, scene: Scene) -> Iterable[Sequence[Vector]]:
        """Through the touching points."""
        return outlines(Path(scene, self.name, self.route))

    def references(self) -> tuple[str, ...]:
        """Also what the turns of its winches hold."""
        return (*super().references(), *asked_names(self.route))

    def check_in(self, model: Mechanism, values: Mapping[str, float]) -> None:
        """Stations as those of cables, without friction."""
        check_route(self.route, model, values, self.title)
        check_free_length(self.length, self.route, model, values)
        refuse_friction(self.route)
