"""A rope that does not stretch and can be slack: it jerks where it comes taut, and never pushes.

Its slack L0 - L is a gap that cannot become negative. What holds it is the tension, as a rigid
contact is held by a force that only presses: see `eomc.runtime.impact`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

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
from eomc.derive.contacts.normal_laws.rigid import Rigid
from eomc.derive.elements.closing import Closing, ClosingLaw
from eomc.derive.elements.element import ForceElement, Mechanism
from eomc.derive.elements.state import ElementOutput
from eomc.derive.fields.field import Number, number, of_kind
from eomc.derive.fields.scope import PLACE
from eomc.derive.geometry import Vector
from eomc.derive.graph import Expression
from eomc.derive.language.registry import kind
from eomc.derive.scene.loads import AllLoads, Scene


@kind("tether")
class Tether(ForceElement):
    """A rope of `length` along its `route` that does not stretch and only pulls.

    Stations are those of a cable. Where it comes taut speeds jump, by `restitution`; it stays taut
    where it would part slower than `rest_speed`.
    """

    route: Stations = of_kind(Route("stations in order"))
    length: Number = number("m", "off its winches at angle zero", scope=PLACE)
    restitution: Number = number("", "speed of parting by that of jerking taut", default=0)
    rest_speed: Number = number("m/s", "of parting below which it stays taut", default=1e-6)

    def loads(self, scene: Scene, loads: AllLoads) -> None:
        """None by state alone."""

    def outputs(self) -> tuple[ElementOutput, ...]:
        """Its length, and how much more it has."""
        return (ElementOutput("length", "m"), ElementOutput("slack", "m"))

    def output_values(self, scene: Scene) -> Sequence[Expression]:
        """L and L0 - L"""
        path = Path(scene, self.name, self.route)
        return [path.length, RestLength(scene, path, self.length).value - path.length]

    def closes(self) -> tuple[str, ...]:
        """Under its own name."""
        return ("",)

    def closing(self, scene: Scene) -> Sequence[Closing]:
        """L0 - L, with nothing that slips."""
        zero, still = scene.tree.zero, scene.tree.zero_vector()
        path = Path(scene, self.name, self.route)
        return [
            Closing(
                gap=RestLength(scene, path, self.length).value - path.length,
                normal=scene.scalars.vector((0, 0, 1)),
                velocity=still,
                law=ClosingLaw(scene.scalar(self.restitution), scene.scalar(self.rest_speed)),
                static=zero,
                kinetic=zero,
                traction=still,
            )
        ]

    def drawn_lines(self) -> tuple[int, ...]:
        """The way over the stations, and their circles."""
        return outline_sizes(self.route)

    def lines(self, scene: Scene) -> Iterable[Sequence[Vector]]:
        """Through the touching points."""
        return outlines(Path(scene, self.name, self.route))

    def dissipates(self, model: Mechanism, values: Mapping[str, float]) -> bool:
        """By its restitution."""
        return True

    def references(self) -> tuple[str, ...]:
        """Also what the turns of its winches hold."""
        return (*super().references(), *asked_names(self.route))

    def check_in(self, model: Mechanism, values: Mapping[str, float]) -> None:
        """Stations as those of cables, without friction; a restitution from 0 to 1."""
        check_route(self.route, model, values, self.title)
        check_free_length(self.length, self.route, model, values)
        refuse_friction(self.route)
        Rigid(self.restitution, self.rest_speed).check(values)
