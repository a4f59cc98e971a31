"""Ends of the way of a coordinate q: contacts with the gaps q - lower and upper - q.

See `eomc.derive.contacts.normal_laws` for the force, which here is generalized. What hits has the
mass 1/(M^-1)_jj of the joint's direction.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from eomc.derive.contacts.normal_laws import NORMAL_LAWS, NormalForce, NormalLaw
from eomc.derive.contacts.normal_laws.penetration import Depth, depth
from eomc.derive.elements.closing import Closing
from eomc.derive.elements.element import ForceElement, Mechanism
from eomc.derive.elements.state import ElementOutput
from eomc.derive.fields.field import (
    Given,
    Number,
    OptionalNumber,
    choice,
    coordinate_with_rate,
    number,
    of_kind,
)
from eomc.derive.fields.part import OneOf, check_parts, not_negative
from eomc.derive.fields.scope import LAW
from eomc.derive.forces.contact import moving_names
from eomc.derive.geometry import Vector
from eomc.derive.graph import Expression
from eomc.derive.language.errors import ModelError
from eomc.derive.language.registry import kind
from eomc.derive.language.scalar import is_zero
from eomc.derive.language.value import value_of
from eomc.derive.scene.loads import AllLoads, Scene


@kind("stop")
class ElasticStop(ForceElement):
    """Elastic stops at one or both ends of the way of a coordinate.

    `normal` gives the generalized force by the depth [rad or m] behind the end.
    """

    coordinate: str = coordinate_with_rate("that is stopped")
    normal: Given[NormalLaw | Mapping[str, object], NormalLaw] = of_kind(
        OneOf("force by depth", "", LAW, NORMAL_LAWS)
    )
    lower: OptionalNumber = number("rad or m", "end below", default=None)
    upper: OptionalNumber = number("rad or m", "end above", default=None)
    width: Number = number("rad or m", "depth over which the force begins", default=0)
    smoothing: str = choice("root", "softplus", default="root")

    def loads(self, scene: Scene, loads: AllLoads) -> None:
        """Q = +N at the lower end, -N at the upper."""
        speed = scene.tree.speed_of.get(self.coordinate)
        for _, sign, _, normal in self._ends(scene):
            loads.conservative.potential = loads.conservative.potential + normal.energy
            loads.conservative.add_generalized(speed, sign * normal.elastic)
            loads.other.add_generalized(speed, sign * (normal.force - normal.elastic))

    def outputs(self) -> tuple[ElementOutput, ...]:
        """Gap and force of each end; of a rigid one no force, which no depth tells."""
        told = {"gap": "rad or m"}
        if not self.normal.is_rigid:
            told["normal_force"] = "N m or N"
        return tuple(
            ElementOutput(f"{word}_{name}", units)
            for word in self._words()
            for name, units in told.items()
        )

    def output_values(self, scene: Scene) -> Sequence[Expression]:
        """As the loads have them."""
        ends = list(self._ends(scene))
        if self.normal.is_rigid:
            return [gap for gap, *_ in ends]
        return [x for gap, _, _, normal in ends for x in (gap, normal.force)]

    def switches(self) -> tuple[str, ...]:
        """Touch-down and parting of each end, unless the force begins smoothly."""
        smooth = self.normal.is_rigid or not is_zero(self.width)
        return () if smooth else tuple(f"touch_{word}" for word in self._words())

    def switching(self, scene: Scene) -> Sequence[Expression]:
        """Above zero where it is behind the end and presses."""
        return [at.inward.binary("min", normal.holds) for _, _, at, normal in self._ends(scene)]

    def closes(self) -> tuple[str, ...]:
        """Each end, if they are rigid."""
        return self._words() if self.normal.is_rigid else ()

    @property
    def is_velocity_level(self) -> bool:
        """If it gives way behind a step."""
        return self.normal.gives_way

    def closing(self, scene: Scene) -> Sequence[Closing]:
        """The gaps and their rates, without slip."""
        zero, v = scene.tree.zero, scene.variables[f"speed({self.coordinate})"]
        law = self.normal.closing(scene)
        along, still = Vector(zero + 1, zero, zero), scene.tree.zero_vector()
        return [
            Closing(gap, along, along * (sign * v), zero, zero, still, law)
            for gap, sign, _, _ in self._ends(scene)
        ]

    def _words(self) -> tuple[str, ...]:
        return tuple(word for word in ("lower", "upper") if getattr(self, word) is not None)

    def _ends(self, scene: Scene) -> Iterator[tuple[Expression, int, Depth, NormalForce]]:
        """Gap, direction of the force, depth and force."""
        q, v = scene.variables[self.coordinate], scene.variables[f"speed({self.coordinate})"]
        width = scene.scalar(self.width)
        for end, sign in ((self.lower, 1), (self.upper, -1)):
            if end is not None:
                gap = sign * (q - scene.scalar(end))
                at = depth(gap, sign * v, width, self.smoothing)
                yield gap, sign, at, self.normal.force(scene, at)

    def dissipates(self, model: Mechanism, values: Mapping[str, float]) -> bool:
        """As the law of its force does."""
        return self.normal.dissipates

    def references(self) -> tuple[str, ...]:
        """Also what a law of one's own holds."""
        return (*super().references(), *moving_names(self.normal))

    def check(self) -> None:
        """There is an end."""
        if self.lower is None and self.upper is None:
            raise ModelError("has neither lower nor upper; give one of them or both")

    def check_in(self, model: Mechanism, values: Mapping[str, float]) -> None:
        """Ends in order, sizes."""
        not_negative(self.width, "width", values)
        check_parts(self, values)
        if self.lower is not None and self.upper is not None:
            low, high = (value_of(end, values) for end in (self.lower, self.upper))
            if not low < high:
                raise ModelError(f"lower is {low:g} and upper {high:g}; give lower < upper")
