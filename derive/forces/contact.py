"""Contact between a shape of one body and a surface of another.

See `eomc.derive.contacts.shapes` and `.surfaces` for gaps, `.normal_laws` and `.friction` for
forces. The normal force acts along the line on which the gap is measured, and friction at the same
point, on both bodies: no moment is left over. The elastic share has a potential, all else takes
power.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from eomc.derive.contacts.friction import FRICTION_LAWS, Friction
from eomc.derive.contacts.friction.law import OWN
from eomc.derive.contacts.meeting import Meeting, meetings
from eomc.derive.contacts.normal_laws import NORMAL_LAWS, NormalForce, NormalLaw
from eomc.derive.contacts.pair import SHAPE, SURFACE, OfShape, OfSurface, check_pair, has_directions
from eomc.derive.contacts.pairs.form import PairForm, form_of, site_count
from eomc.derive.drawing.mark import ARROW
from eomc.derive.elements.closing import Closing
from eomc.derive.elements.element import ForceElement, Mechanism
from eomc.derive.elements.state import ElementOutput, ElementState
from eomc.derive.fields.field import Given, Number, choice, fields_of, number, of_kind
from eomc.derive.fields.part import OneOf, check_parts, not_negative, positive
from eomc.derive.fields.scope import LAW
from eomc.derive.geometry import Vector
from eomc.derive.graph import Expression
from eomc.derive.language.errors import ModelError
from eomc.derive.language.grammar import bare_name
from eomc.derive.language.registry import kind
from eomc.derive.language.scalar import Vector3, is_zero, symbols_of
from eomc.derive.placement.placement import Point
from eomc.derive.scene.loads import AllLoads, Scene

NORMAL = OneOf("force by depth", "", LAW, NORMAL_LAWS)
FRICTION = OneOf("along the surface", "", OWN, FRICTION_LAWS)

_VECTORS = {"slip": "m/s", "friction": "N", "point": "m"}


@kind("contact")
class Contact(ForceElement):
    """A contact between a shape of one body and a surface of another body or the world.

    `normal` gives the force by the depth, never a pull, `friction` that along the surface. `width`
    is the depth over which the normal force begins smoothly, 0 for a kink at touch-down.
    `rolling_resistance` and `spin_friction` are arms of moments under the normal force, against
    the turning of the bodies on each other along the surface and about its normal.
    """

    drawn = ARROW

    shape: OfShape = of_kind(SHAPE)
    surface: OfSurface = of_kind(SURFACE)
    normal: Given[NormalLaw | Mapping[str, object], NormalLaw] = of_kind(NORMAL)
    friction: Given[Friction | Mapping[str, object] | None, Friction | None] = of_kind(
        FRICTION, default=None
    )
    width: Number = number("m", "depth over which the force begins", default=0)
    smoothing: str = choice("root", "softplus", default="root")
    rolling_resistance: Number = number("m", "arm b of the moment b N against rolling", default=0)
    spin_friction: Number = number("m", "arm s of the moment s N against spin", default=0)
    turn_speed: Number = number("rad/s", "below which these moments are smooth", default=1e-2)

    def loads(self, scene: Scene, loads: AllLoads) -> None:
        """N n and friction on the shape, both against on the surface; nothing if it is rigid."""
        if self.normal.is_rigid:
            return
        for k, (met, normal) in enumerate(self._meetings(scene)):
            kept, rest = normal.elastic, normal.force - normal.elastic
            loads.conservative.potential = loads.conservative.potential + normal.energy
            other = met.normal * rest
            if self.friction is not None:
                other = other + self._rubbing(scene, k, met, normal)
                moment = self.friction.moment(scene, met.sliding(normal.force))
                if not moment.is_zero:
                    met.twist(loads.other, moment)
            if self._resists:
                arms = (self.rolling_resistance, self.spin_friction, self.turn_speed)
                met.turn(loads.other, met.resistance(normal.force, *map(scene.scalar, arms)))
            for share, force in ((loads.conservative, met.normal * kept), (loads.other, other)):
                if not force.is_zero:
                    met.push(share, force)

    @property
    def _resists(self) -> bool:
        return not (is_zero(self.rolling_resistance) and is_zero(self.spin_friction))

    def states(self) -> tuple[ElementState, ...]:
        """Those of friction, by sites."""
        own = () if self.friction is None else self.friction.states
        return tuple(
            ElementState(f"{name}{at}", units) for at in self._places() for name, units in own
        )

    def rates(self, scene: Scene) -> Sequence[Expression]:
        """As friction says."""
        assert self.friction is not None
        found: list[Expression] = []
        for k, (met, normal) in enumerate(self._meetings(scene)):
            at = met.sliding(normal.force)
            found += self.friction.rates(scene, at, self._own(scene, k))
        return found

    def outputs(self) -> tuple[ElementOutput, ...]:
        """By sites: gap, its rate, depth and normal force, then in world axes slip, friction on
        the shape and the point of contact. Rigid ones tell no depth and no forces, which depend on
        more than the state."""
        told = {"gap": "m", "gap_rate": "m/s", "depth": "m", "normal_force": "N"}
        told |= {f"{word}_{axis}": units for word, units in _VECTORS.items() for axis in "xyz"}
        if self.normal.is_rigid:
            told = {word: units for word, units in told.items() if units != "N" and word != "depth"}
        return tuple(
            ElementOutput(f"{name}{at}", units)
            for at in self._places()
            for name, units in told.items()
        )

    def output_values(self, scene: Scene) -> Sequence[Expression]:
        """As the loads have them."""
        found: list[Expression] = []
        for k, (met, normal) in enumerate(self._meetings(scene)):
            if self.normal.is_rigid:
                found += [met.gap, met.gap_rate, *met.slip, *met.upper.position]
                continue
            friction = scene.tree.zero_vector()
            if self.friction is not None:
                friction = self._rubbing(scene, k, met, normal)
            depth = met.depth(scene.scalar(self.width), self.smoothing).depth
            found += [met.gap, met.gap_rate, depth, normal.force]
            found += [*met.slip, *friction, *met.upper.position]
        return found

    def switches(self) -> tuple[str, ...]:
        """Touch-down and parting, by sites, unless the force begins smoothly."""
        smooth = self.normal.is_rigid or not is_zero(self.width)
        return () if smooth else tuple(f"touch{at}" for at in self._places())

    def switching(self, scene: Scene) -> Sequence[Expression]:
        """Above zero where the bodies are in each other and press."""
        return [(-met.gap).binary("min", normal.holds) for met, normal in self._meetings(scene)]

    def closes(self) -> tuple[str, ...]:
        """By sites, if it is rigid."""
        return tuple(at.removeprefix("_") for at in self._places()) if self.normal.is_rigid else ()

    @property
    def is_impulsive(self) -> bool:
        """Unless it is rigid with smooth friction."""
        return not self.normal.is_rigid or self.friction is None or self.friction.sticks

    @property
    def is_velocity_level(self) -> bool:
        """If it gives way behind a step."""
        return self.normal.gives_way

    def closing(self, scene: Scene) -> Sequence[Closing]:
        """Gap, material velocity and laws of every site."""
        found, one, still = [], scene.tree.zero + 1, scene.tree.zero_vector()
        law = self.normal.closing(scene)
        for met in meetings(scene, self.shape, self.surface, self.name, self.form):
            static, kinetic, traction = scene.tree.zero, scene.tree.zero, still
            if self.friction is not None:
                static, kinetic = self.friction.coefficients(scene, met.sliding(one))
                traction = self.friction.force(scene, met.sliding(one), ())
            frictions = (static, kinetic, traction)
            found.append(Closing(met.gap, met.normal, met.velocity, *frictions, law, met.tangents))
        return found

    @property
    def form(self) -> PairForm | None:
        """That of the pair, if no force depends on the depth."""
        return form_of(self.shape, self.surface) if self.normal.is_rigid else None

    def _meetings(self, scene: Scene) -> list[tuple[Meeting, NormalForce]]:
        width = scene.scalar(self.width)
        found = meetings(scene, self.shape, self.surface, self.name, self.form)
        return [(met, self.normal.force(scene, met.depth(width, self.smoothing))) for met in found]

    def _rubbing(self, scene: Scene, site: int, met: Meeting, normal: NormalForce) -> Vector:
        assert self.friction is not None
        return self.friction.force(scene, met.sliding(normal.force), self._own(scene, site))

    def _own(self, scene: Scene, site: int) -> list[Expression]:
        count = len(self.friction.states) if self.friction is not None else 0
        return self.own(scene)[site * count : (site + 1) * count]

    def _places(self) -> list[str]:
        """Ends of names by sites; of one site its names are plain."""
        count = site_count(self.shape, self.form)
        return [""] if count == 1 else [f"_{k}" for k in range(1, count + 1)]

    def dissipates(self, model: Mechanism, values: Mapping[str, float]) -> bool:
        """As both of its laws do."""
        return self.normal.dissipates and (self.friction is None or self.friction.dissipates)

    def references(self) -> tuple[str, ...]:
        """Also what a law of one's own holds."""
        return (*super().references(), *moving_names(self.normal))

    def drawn_along(self) -> tuple[str, Vector3] | None:
        """The normal of a plane."""
        for word, entry in fields_of(type(self.surface)).items():
            if (axes := entry.axes(self.surface)) and word == "normal":
                return axes, getattr(self.surface, word)
        return None

    def drawn_at(self) -> tuple[Point, ...]:
        """The middle of the shape."""
        return (self.shape.at,)

    def _check_jumps(self) -> None:
        """Raise `ModelError` for forces by depth at sites that come and go."""
        if self.normal.is_rigid:
            return
        form = form_of(self.shape, self.surface)
        jumps = "touches at points that come and go, where a force by depth jumps; give "
        if form is not None and form.is_needed:
            pair = f"{self.shape.word} on {self.surface.word}"
            raise ModelError(f"normal ({self.normal.word}): a {pair} {jumps}rigid or compliant")
        if self.shape.switches:
            raise ModelError(
                f"normal ({self.normal.word}): a {self.shape.word} {jumps}rigid or compliant, or "
                "tilt = 0, with which all vertices are sites"
            )

    def check_in(self, model: Mechanism, values: Mapping[str, float]) -> None:
        """Bodies that move against each other, a pair that has a form, sizes."""
        check_pair(self.shape, self.surface)
        self._check_jumps()
        not_negative(self.width, "width", values)
        check_parts(self, values)
        if self.normal.is_rigid and not is_zero(self.width):
            raise ModelError("width is of forces by depth; a rigid contact has none")
        for word in ("rolling_resistance", "spin_friction"):
            not_negative(getattr(self, word), word, values)
        positive(self.turn_speed, "turn_speed", values)
        if self._resists and self.normal.is_rigid:
            raise ModelError(
                "rolling_resistance and spin_friction are of forces by depth; a rigid contact has "
                "none"
            )
        if self.friction is None:
            return
        if self.friction.sticks and not self.normal.is_rigid:
            raise ModelError(
                f"friction ({self.friction.word}): sticks, which takes a rigid normal law; give "
                "coulomb, stribeck or bristles here"
            )
        if self.friction.states and self.normal.is_rigid:
            raise ModelError(
                f"friction ({self.friction.word}): has states; a rigid contact takes dry, coulomb "
                "or stribeck"
            )
        if not self.friction.proportional and self.normal.is_rigid:
            raise ModelError(
                f"friction ({self.friction.word}): is not proportional to the normal force; a "
                "rigid contact takes dry, coulomb or stribeck"
            )
        if not self.friction.needs_directions():
            return
        if not has_directions(self.surface):
            raise ModelError(
                f"friction: a {self.surface.word} is curved and has no directions that stay with "
                "it; give friction that is the same in all directions"
            )


def moving_names(part: NormalLaw) -> tuple[str, ...]:
    """Coordinates and speeds in the fields of a law that may hold them."""
    fields = fields_of(type(part)).items()
    held = [getattr(part, word) for word, kind in fields if kind.scope.moves]
    return tuple(bare_name(n) for n in symbols_of(*held))
