"""The cable of an involute joint that stretches.

With the taut length l, the free length l0 = r phi and the strain eps = l/l0 - 1 of the joint's
coordinates, the generalized forces are

    Q_k = -F dl/dq_k + C dl0/dq_k

with C = F where the tension works on the elongation l - l0: then they are S^T of the tension on the
free end, the equilibrium of a cable without mass. See `eomc.derive.cables.tension`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from eomc.derive.cables.station import not_negative, positive
from eomc.derive.cables.tension import Tension, damped, elastic, pulls, strain_energy
from eomc.derive.elements.carrier import Carrier
from eomc.derive.elements.element import Element, ForceElement, Mechanism
from eomc.derive.elements.state import ElementOutput
from eomc.derive.fields.field import FieldKind, Number, choice, number, of_kind
from eomc.derive.graph import Expression
from eomc.derive.joints.joint_kind import JointKind, joint_kind, joint_kinds
from eomc.derive.joints.unwound import Unwinds, Unwound
from eomc.derive.language.errors import ModelError
from eomc.derive.language.near_names import near_names
from eomc.derive.language.registry import kind
from eomc.derive.language.scalar import is_zero
from eomc.derive.scene.loads import AllLoads, Scene


@kind("involute_cable")
class InvoluteCable(ForceElement):
    """The cable that unwinds in a joint of kind involute_elongation, _strain or _length.

    The tension is area*(modulus*strain + viscosity*strain rate), and never a push: `width` is the
    strain over which it goes to zero, 0 for a kink. `elasticity` and `dissipation` say on what the
    elastic tension and the damping do work, `damping` whether it may push, as of a cable.
    """

    joint: str = of_kind(FieldKind("whose string it is"))
    modulus: Number = number("Pa")
    area: Number = number("m^2", default=1)
    viscosity: Number = number("Pa s", default=0)
    width: Number = number("", "strain over which the tension goes to zero", default=0)
    elasticity: str = choice("energy", "work", default="energy")
    damping: str = choice("pulls", "pushes", default="pulls")
    dissipation: str = choice("strain", "elongation", default="strain")

    def loads(self, scene: Scene, loads: AllLoads) -> None:
        """-F dl + C dl0 on the joint's speeds."""
        string, q, _ = self._string(scene)
        spring, damper = self._tensions(scene)
        to = loads.conservative if self.elasticity == "energy" else loads.other
        if self.elasticity == "energy":
            stiffness = scene.scalar(self.area) * scene.scalar(self.modulus)
            width, strain = scene.scalar(self.width), string.strain(q)
            energy = strain_energy(strain, string.free(q), stiffness, width)
            to.potential = to.potential + energy
        slopes = zip(string.taut.gradient(q), string.free.gradient(q), strict=True)
        names = scene.joints[self.joint].speeds
        for name, (by_taut, by_free) in zip(names, slopes, strict=True):
            speed = scene.tree.speed_of.get(name)
            for share, tension in ((to, spring), (loads.other, damper)):
                force = tension.on_rest * by_free - tension.on_length * by_taut
                share.add_generalized(speed, force)

    def outputs(self) -> tuple[ElementOutput, ...]:
        """Tension, strain, both lengths."""
        told = {"tension": "N", "strain": "", "length": "m", "rest_length": "m"}
        return tuple(ElementOutput(name, units) for name, units in told.items())

    def output_values(self, scene: Scene) -> Sequence[Expression]:
        """As the loads have them."""
        string, q, _ = self._string(scene)
        spring, damper = self._tensions(scene)
        tension = spring.on_length + damper.on_length
        return [tension, string.strain(q), string.taut(q), string.free(q)]

    def switches(self) -> tuple[str, ...]:
        """Name of the function that changes sign where it goes slack or comes taut; none if it does
        so smoothly."""
        return ("taut",) if is_zero(self.width) else ()

    def switching(self, scene: Scene) -> Sequence[Expression]:
        """Above zero where it is stretched and pulls."""
        string, q, rates = self._string(scene)
        viscosity = scene.scalar(0 if self.damping == "pushes" else self.viscosity)
        stiffness, strain = scene.scalar(self.modulus), string.strain
        return [pulls(strain(q), strain.rate(q, rates), stiffness, viscosity)]

    def _string(self, scene: Scene) -> tuple[Unwinds, list[Expression], list[Expression]]:
        """Lengths and strain of the unwound string, the joint's coordinates and their rates."""
        joint = scene.joints[self.joint]
        kind = joint.declaration
        assert isinstance(kind, Unwound)
        q = [scene.variables[name] for name in joint.coordinates]
        rates = [scene.variables[f"speed({name})"] for name in joint.speeds]
        return kind.unwinds(joint, scene.scalars), q, rates

    def _tensions(self, scene: Scene) -> tuple[Tension, Tension]:
        """By the strain, and by its rate."""
        string, q, rates = self._string(scene)
        strain, rate = string.strain(q), string.strain.rate(q, rates)
        area, width = scene.scalar(self.area), scene.scalar(self.width)
        spring = elastic(strain, area * scene.scalar(self.modulus), width, self.elasticity)
        limit = spring.on_length if self.damping == "pulls" else None
        viscosity = area * scene.scalar(self.viscosity)
        if viscosity.is_zero:
            return spring, Tension(viscosity, viscosity)
        return spring, damped(strain, rate, viscosity, width, self.dissipation, limit)

    def dissipates(self, model: Mechanism, values: Mapping[str, float]) -> bool:
        """By the damping of the strain, beside a tension that has a potential."""
        return self.elasticity == "energy" and self.dissipation == "strain"

    def references(self) -> tuple[str, ...]:
        """Its joint."""
        return (self.joint,)

    def transformed(self, carrier: Carrier) -> Element | None:
        """It acts on nothing where its joint is locked."""
        return None if carrier.stands_still(self.joint) else super().transformed(carrier)

    def check_in(self, model: Mechanism, values: Mapping[str, float]) -> None:
        """Sizes above zero, and a joint whose string stretches."""
        for word in ("modulus", "area"):
            positive(getattr(self, word), word, values)
        for word in ("viscosity", "width"):
            not_negative(getattr(self, word), word, values)
        joint = model.joints.get(self.joint)
        if joint is None:
            raise ModelError(
                f"unknown joint {self.joint!r}; {near_names(self.joint, model.joints)}"
            )
        if not _stretches(joint.declaration):
            valid = ", ".join(name for name in joint_kinds() if _stretches(joint_kind(name)))
            raise ModelError(f"joint {self.joint!r} is of kind {joint.kind!r}; valid: {valid}")


def _stretches(kind: JointKind) -> bool:
    return isinstance(kind, Unwound) and len(kind.coordinates) > 1
