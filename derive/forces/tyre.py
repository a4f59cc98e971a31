"""A tyre on a level road: load, lateral and longitudinal slip, relaxation.

    load          N = normal(d, d')                d = z_road + z_0 - z, never a pull
    slip          tan alpha = v_y/|v_x|            v of the contact point along the road
                  kappa = (r w - v_x)/|v_x|        w the spin of the wheel, r its rolling radius
    force         (F_x, F_y) by the slip law       along the heading and to its left

z is the height of the contact point on the carrier. |v_x| is sqrt(v_x^2 + rolling_speed^2), so that
nothing is 0/0 at rest. With a relaxation length sigma a deflection e is a state, and e/sigma stands
for the slip:

    e' = v_y - |v_x| e/sigma

which is tan alpha in steady rolling and an elastic tyre at rest. The wheel feels -r F_x about its
axis. Reference: Pacejka, *Tire and Vehicle Dynamics*, 3rd ed. (2012), secs. 4.3 and 7.2.2.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from eomc.derive.contacts.normal_laws import NORMAL_LAWS, NormalForce, NormalLaw
from eomc.derive.contacts.normal_laws.penetration import Depth, depth
from eomc.derive.elements.element import ForceElement, Mechanism
from eomc.derive.elements.state import ElementOutput, ElementState
from eomc.derive.fields.field import (
    AtPoint,
    Direction,
    Given,
    Number,
    OptionalNumber,
    direction,
    number,
    of_kind,
    point,
    speed,
)
from eomc.derive.fields.part import OneOf, check_parts, positive
from eomc.derive.fields.scope import FORCE, LAW, PARAMETERS
from eomc.derive.forces.contact import moving_names
from eomc.derive.forces.own_speed import check_own_speed
from eomc.derive.geometry import Vector
from eomc.derive.graph import Expression
from eomc.derive.language.errors import ModelError
from eomc.derive.language.registry import kind
from eomc.derive.language.scalar import is_zero
from eomc.derive.scene.loads import AllLoads, BodyPoint, Scene
from eomc.derive.tyres import SLIP_LAWS, SlipLaw

_ACROSS, _ALONG = "deflection", "longitudinal_deflection"


class _RoadMotion(NamedTuple):
    """Unit vectors of the road, v_x and v_y - and v_x - r w - of the contact point, |v_x|."""

    forward: Vector
    left: Vector
    across: Expression
    along: Expression | None
    speed: Expression


@kind("tyre")
class Tyre(ForceElement):
    """A tyre whose contact point is `at`; `direction` is the heading of the wheel in body axes.

    `at` is on the body that carries the wheel. `spin` names the speed at which the wheel turns,
    positive where it rolls forward; without it the wheel rolls freely.
    """

    at: AtPoint = point("contact point")
    normal: Given[NormalLaw | Mapping[str, object], NormalLaw] = of_kind(
        OneOf("load by depth", "", LAW, NORMAL_LAWS)
    )
    slip: Given[SlipLaw | Mapping[str, object] | None, SlipLaw | None] = of_kind(
        OneOf("force along the road by slip", "", PARAMETERS, SLIP_LAWS), default=None
    )
    free_height: Number = number("m", "of the contact point without load", default=0)
    direction: Direction = direction("heading", of="at", scope=FORCE, default=(1, 0, 0))
    spin: str | None = speed("of the wheel about its axis", default=None)
    radius: OptionalNumber = number("m", "rolling radius, of a wheel that spins", default=None)
    relaxation_length: Number = number("m", "of lateral slip", default=0)
    longitudinal_relaxation_length: Number = number("m", "of longitudinal slip", default=0)
    road: Number = number("m", "height of the road", scope=FORCE, default=0)
    road_rate: Number = number("m/s", "rate of that height", scope=FORCE, default=0)
    rolling_speed: Number = number("m/s", "below which slip fades", default=0.1)

    def loads(self, scene: Scene, loads: AllLoads) -> None:
        """N along the road's normal, F_x and F_y along it, -r F_x on the spin."""
        at, _, normal = self._pressed(scene)
        zero = scene.tree.zero
        elastic = normal.elastic if self._is_level else zero
        if self._is_level:
            loads.conservative.potential = loads.conservative.potential + normal.energy
            loads.conservative.add_force(at, _up(scene) * elastic)
        other = _up(scene) * (normal.force - elastic)
        if self.slip is not None:
            rolling = self._rolling(scene, at)
            f_x, f_y = self._forces(scene, rolling, normal.force)
            other = other + rolling.forward * f_x + rolling.left * f_y
            if self.spin is not None:
                on_spin = -(scene.scalar(self.radius) * f_x)
                loads.other.add_generalized(scene.tree.speed_of[self.spin], on_spin)
        loads.other.add_force(at, other)

    def states(self) -> tuple[ElementState, ...]:
        """Deflections, of the directions that relax."""
        return tuple(ElementState(name, "m") for name in self._relaxing())

    def rates(self, scene: Scene) -> Sequence[Expression]:
        """e' = v - |v_x| e/sigma."""
        rolling = self._rolling(scene, scene.point(self.at.body, self.at.xyz))
        slips = {_ACROSS: rolling.across, _ALONG: rolling.along}
        return [
            slips[name] - rolling.speed * e / scene.scalar(length)
            for e, (name, length) in zip(self.own(scene), self._relaxing().items(), strict=True)
        ]

    def outputs(self) -> tuple[ElementOutput, ...]:
        """Load, then slips and forces along the road."""
        told = {"load": "N"}
        if self.slip is not None:
            told |= {"slip_angle": "rad", "lateral_force": "N"}
            if self.spin is not None:
                told |= {"longitudinal_slip": "", "longitudinal_force": "N"}
        return tuple(ElementOutput(name, units) for name, units in told.items())

    def output_values(self, scene: Scene) -> Sequence[Expression]:
        """As the loads have them."""
        at, _, normal = self._pressed(scene)
        if self.slip is None:
            return [normal.force]
        rolling = self._rolling(scene, at)
        alpha, kappa = self._slips(scene, rolling)
        f_x, f_y = self._forces(scene, rolling, normal.force)
        return [normal.force, alpha, f_y, *(() if kappa is None else (kappa, f_x))]

    def switches(self) -> tuple[str, ...]:
        """Touch-down and lift-off."""
        return ("touch",)

    def switching(self, scene: Scene) -> Sequence[Expression]:
        """Above zero where the tyre presses."""
        _, sunk, normal = self._pressed(scene)
        return [sunk.inward.binary("min", normal.holds)]

    def dissipates(self, model: Mechanism, values: Mapping[str, float]) -> bool:
        """On a level road without relaxation, as the law of the load does."""
        return self._is_level and not self._relaxing() and self.normal.dissipates

    def references(self) -> tuple[str, ...]:
        """Also what a law of one's own holds."""
        return (*super().references(), *moving_names(self.normal))

    @property
    def _is_level(self) -> bool:
        """True if the load has a potential: the road does not move."""
        return is_zero(self.road) and is_zero(self.road_rate)

    def _relaxing(self) -> dict[str, object]:
        """Relaxation lengths by the states that they give."""
        lengths = {_ACROSS: self.relaxation_length, _ALONG: self.longitudinal_relaxation_length}
        return {name: length for name, length in lengths.items() if not is_zero(length)}

    def _pressed(self, scene: Scene) -> tuple[BodyPoint, Depth, NormalForce]:
        """Contact point on the carrier, depth and load."""
        at = scene.point(self.at.body, self.at.xyz)
        gap = at.position.z - scene.scalar(self.free_height) - scene.scalar(self.road)
        rate = at.velocity.z - scene.scalar(self.road_rate)
        sunk = depth(gap, rate, scene.tree.zero, "root")
        return at, sunk, self.normal.force(scene, sunk)

    def _rolling(self, scene: Scene, at: BodyPoint) -> _RoadMotion:
        """Heading and velocities along the road."""
        zero, least = scene.tree.zero, scene.scalar(self.rolling_speed)
        _, axes, _ = scene.tree.pose_of[self.at.body]
        local = Vector(*(scene.scalar(entry) for entry in self.direction))
        heading = at.axes.to_parent(axes.to_parent(local))
        size = 1 / (heading.x * heading.x + heading.y * heading.y).sqrt()
        forward = Vector(heading.x * size, heading.y * size, zero)
        left = _up(scene).cross(forward)
        ahead, along = forward.dot(at.velocity), None
        if self.spin is not None:
            spin = scene.variables[f"speed({self.spin})"]
            along = ahead - scene.scalar(self.radius) * spin
        speed = (ahead * ahead + least * least).sqrt()
        return _RoadMotion(forward, left, left.dot(at.velocity), along, speed)

    def _slips(self, scene: Scene, rolling: _RoadMotion) -> tuple[Expression, Expression | None]:
        """alpha and, of a wheel that spins, kappa."""
        lengths, own = self._relaxing(), self.own(scene)
        relaxed = {
            name: e / scene.scalar(length)
            for e, (name, length) in zip(own, lengths.items(), strict=True)
        }
        across = relaxed.get(_ACROSS, rolling.across / rolling.speed)
        kappa = None
        if rolling.along is not None:
            kappa = -relaxed.get(_ALONG, rolling.along / rolling.speed)
        return across.unary("atan"), kappa

    def _forces(
        self, scene: Scene, rolling: _RoadMotion, load: Expression
    ) -> tuple[Expression, Expression]:
        assert self.slip is not None
        return self.slip.forces(scene, load, *self._slips(scene, rolling))

    def check_in(self, model: Mechanism, values: Mapping[str, float]) -> None:
        """Laws of a tyre, data of a wheel that spins, lengths."""
        check_parts(self, values)
        positive(self.rolling_speed, "rolling_speed", values)
        if self.normal.is_rigid or self.normal.gives_way:
            raise ModelError(
                f"normal ({self.normal.word}): a tyre takes a load by depth, such as kelvin_voigt"
            )
        lengths = self._relaxing()
        for length in lengths.values():
            positive(length, "relaxation length", values)
        if lengths and self.slip is None:
            raise ModelError("has a relaxation length and no slip law; give slip")
        if self.spin is None:
            if self.radius is not None or _ALONG in lengths:
                raise ModelError(
                    "radius and longitudinal slip are of a wheel that spins; give spin"
                )
            return
        check_own_speed(model, self.spin)
        if self.slip is None or not self.slip.is_longitudinal:
            raise ModelError("spin takes a slip law with the data of longitudinal slip")
        if self.radius is None:
            raise ModelError("spin takes the rolling radius of the wheel; give radius")
        positive(self.radius, "radius", values)


def _up(scene: Scene) -> Vector:
    zero = scene.tree.zero
    return Vector(zero, zero, zero + 1)
