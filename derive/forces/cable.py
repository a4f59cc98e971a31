"""A cable over points, pulleys and winches.

See `eomc.derive.cables.path` for its lengths and `eomc.derive.cables.tension` for its tension.
With friction (`eomc.derive.cables.friction`) the strain gives the mean of the spans' tensions.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from eomc.derive.cables.friction import ratios, rubs
from eomc.derive.cables.outline import outline_sizes, outlines
from eomc.derive.cables.path import Path
from eomc.derive.cables.rest_length import RestLength
from eomc.derive.cables.route import Route, Stations, asked_names, check_free_length, check_route
from eomc.derive.cables.station import not_negative, positive
from eomc.derive.cables.tension import Tension, damped, elastic, pulls, strain_energy
from eomc.derive.elements.element import ForceElement, Mechanism
from eomc.derive.elements.state import ElementOutput, Strained
from eomc.derive.fields.field import Number, OptionalNumber, choice, number, of_kind
from eomc.derive.fields.scope import GIVEN, LAW
from eomc.derive.geometry import Vector
from eomc.derive.graph import Expression
from eomc.derive.graph.columns import swept
from eomc.derive.language.errors import ModelError
from eomc.derive.language.registry import kind
from eomc.derive.language.scalar import is_zero, symbols_of
from eomc.derive.scene.loads import AllLoads, Scene


@kind("cable")
class Cable(ForceElement):
    """A cable over any number of stations: points, pulleys, winches at its ends.

    `route` lists the stations, each a point (``"body"``, ``Point(...)``) or one of
    `eomc.derive.cables`. The tension is area*(modulus*strain + viscosity*strain rate), or `law`, an
    expression in the strain x and its rate v. It is never a push: `width` is the strain over which
    it goes to zero, 0 for a kink. `length` is the rest length with all winches at angle zero.

    `elasticity` selects whether the elastic tension follows from the strain energy or from virtual
    work, `dissipation` whether damping does work on the strain, which always takes power, or on the
    elongation; `damping` may push if it says so.
    """

    route: Stations = of_kind(Route("stations in order"))
    length: Number = number("m", "rest length", scope=GIVEN)
    modulus: Number = number("Pa", default=0)
    area: Number = number("m^2", default=1)
    viscosity: Number = number("Pa s", default=0)
    law: OptionalNumber = number("N", "tension instead, in x and v", scope=LAW, default=None)
    width: Number = number("", "strain over which the tension goes to zero", default=0)
    elasticity: str = choice("energy", "work", default="energy")
    damping: str = choice("pulls", "pushes", default="pulls")
    dissipation: str = choice("strain", "elongation", default="strain")
    slip_speed: Number = number("m/s", "speed at which friction is established", default=1e-3)

    def loads(self, scene: Scene, loads: AllLoads) -> None:
        """-F dL + C dL0 over the route."""
        path = Path(scene, self.name, self.route)
        rest = RestLength(scene, path, self.length)
        share, losses = self._tensions(scene, loads, path, rest)
        pushes = None
        if self.law is not None or self.damping == "pushes":
            spring, damper = self._shares(scene, rest)
            pushes = spring.on_length if damper is None else spring.on_length + damper.on_length
        shares = ratios(path, rest, self.slip_speed, pushes)
        for to, tension in ((loads.conservative, share), (loads.other, losses)):
            if tension is None or tension.on_length.is_zero:
                continue
            for part, ratio in zip(path.spans, shares, strict=True):
                part.stretch.pull(to, tension.on_length * ratio)
            rest.act(to, tension, (shares[0], shares[-1]))

    def drawn_lines(self) -> tuple[int, ...]:
        """The way over the stations, and their circles."""
        return outline_sizes(self.route)

    def lines(self, scene: Scene) -> Iterable[Sequence[Vector]]:
        """Through the touching points."""
        return outlines(Path(scene, self.name, self.route))

    def outputs(self) -> tuple[ElementOutput, ...]:
        """Tension (the mean over the spans), strain, both lengths, and the angle on each pulley."""
        wraps = (f"wrap_{k}" for k in range(1, len(self.route) - 1))
        told = {"tension": "N", "strain": "", "length": "m", "rest_length": "m"}
        return tuple(
            ElementOutput(name, units, name == "strain" and self.law is None)
            for name, units in (told | dict.fromkeys(wraps, "rad")).items()
        )

    def output_values(self, scene: Scene) -> Sequence[Expression]:
        """As the loads have them."""
        path = Path(scene, self.name, self.route)
        rest = RestLength(scene, path, self.length)
        spring, damper = self._shares(scene, rest)
        tension = spring.on_length if damper is None else spring.on_length + damper.on_length
        return [tension, rest.strain, path.length, rest.value, *path.wraps]

    def switches(self) -> tuple[str, ...]:
        """Name of the function that changes sign where it goes slack or comes taut; none if it does
        so smoothly or by a law."""
        return ("taut",) if self.law is None and is_zero(self.width) else ()

    def switching(self, scene: Scene) -> Sequence[Expression]:
        """Above zero where it is stretched and pulls."""
        rest = RestLength(scene, Path(scene, self.name, self.route), self.length)
        viscosity = scene.scalar(0 if self.damping == "pushes" else self.viscosity)
        stiffness = scene.scalar(self.modulus)
        return [pulls(rest.strain, rest.strain_rate, stiffness, viscosity)]

    @property
    def stretches(self) -> bool:
        """True if friction makes no difference between its spans."""
        return not rubs(self.route)

    def strained(self, scene: Scene) -> Strained:
        """Of the elastic tension."""
        path = Path(scene, self.name, self.route)
        rest = RestLength(scene, path, self.length)
        spring, _ = self._shares(scene, rest)
        strain, one = rest.strain.named(f"{self.name}.strain"), scene.tree.zero + 1
        slopes = swept(
            scene.tree.graph, [spring.on_length, spring.on_rest], [{strain.node: one.node}]
        )
        return Strained(strain, path.length, rest.value, *slopes[0])

    def _tensions(
        self, scene: Scene, loads: AllLoads, path: Path, rest: RestLength
    ) -> tuple[Tension | None, Tension | None]:
        """Shares of the tension with a potential, which is added, and without one."""
        spring, damper = self._shares(scene, rest)
        if self.law is not None or self.elasticity == "work" or rubs(self.route) or rest.is_driven:
            return None, spring if damper is None else spring + damper
        loads.conservative.potential = loads.conservative.potential + self._energy(scene, rest)
        return spring, damper

    def _energy(self, scene: Scene, rest: RestLength) -> Expression:
        stiffness = scene.scalar(self.area) * scene.scalar(self.modulus)
        return strain_energy(rest.strain, rest.value, stiffness, scene.scalar(self.width))

    def _shares(self, scene: Scene, rest: RestLength) -> tuple[Tension, Tension | None]:
        """By the strain, or the law; and by the strain rate."""
        strain, rate = rest.strain.named(f"{self.name}.strain"), rest.strain_rate
        if self.law is not None:
            force = scene.scalar(self.law, {"x": strain, "v": rate})
            return Tension(force, force), None
        area, width = scene.scalar(self.area), scene.scalar(self.width)
        stiffness, viscosity = (
            area * scene.scalar(self.modulus),
            area * scene.scalar(self.viscosity),
        )
        spring, damper = elastic(strain, stiffness, width, self.elasticity), None
        if not viscosity.is_zero:
            limit = spring.on_length if self.damping == "pulls" else None
            damper = damped(strain, rate, viscosity, width, self.dissipation, limit)
        return spring, damper

    def dissipates(self, model: Mechanism, values: Mapping[str, float]) -> bool:
        """By the damping of the strain and by friction, beside a tension by an energy, unless its
        length depends on time."""
        damps = self.dissipation == "strain" or is_zero(self.viscosity)
        given = symbols_of(self.length, *(station.wound() for station in self.route))
        known = {*values, *model.coordinates, *model.inputs}
        return (
            self.law is None and self.elasticity == "energy" and damps and known.issuperset(given)
        )

    def stored(self, scene: Scene) -> Expression:
        """The energy of the strain, where friction or inputs leave it no potential."""
        rest = RestLength(scene, Path(scene, self.name, self.route), self.length)
        if not (rubs(self.route) or rest.is_driven):
            return scene.tree.zero
        return self._energy(scene, rest)

    def references(self) -> tuple[str, ...]:
        """Also what the turns of its winches hold."""
        return (*super().references(), *asked_names(self.route))

    def check(self) -> None:
        """A law stands for all of the tension."""
        given = [w for w in ("modulus", "viscosity") if not is_zero(getattr(self, w))]
        if self.law is not None and given:
            raise ModelError(f"law and {given[0]} are both given; put all of it into the law")
        if self.law is None and not given:
            raise ModelError("has neither modulus nor law; it would never pull")

    def check_in(self, model: Mechanism, values: Mapping[str, float]) -> None:
        """Sizes above zero, names in the places where they may stand, neighbours apart."""
        for word in ("area", "slip_speed"):
            positive(getattr(self, word), word, values)
        for word in ("modulus", "viscosity", "width"):
            not_negative(getattr(self, word), word, values)
        check_route(self.route, model, values, self.title)
        check_free_length(self.length, self.route, model, values)
