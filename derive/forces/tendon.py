"""A tendon that runs along a rod: it pulls between two stations, through all sections between.

Its length l depends on the strains of the rod alone (`eomc.derive.rods.tendon_path`), so that the
tension T is the generalized force -T dl/dq on them and no force on anything else: both ends of the
tendon are on the rod, and what draws it beyond belongs to `law` or `free_length`. With the stretch
x = l - free_length and v = l', the tension k x_+ + d v is never a push; x_+ is x where that is
positive, rounded over `width`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import sympy

from eomc.derive.bodies.rod_body import RodShape
from eomc.derive.cables.station import not_negative
from eomc.derive.cables.tension import pulls, taut
from eomc.derive.elements.element import ForceElement, Mechanism
from eomc.derive.elements.state import ElementOutput
from eomc.derive.fields.field import (
    SCALAR,
    FieldKind,
    Given,
    Number,
    OptionalNumber,
    body,
    number,
    of_kind,
    rows_of,
)
from eomc.derive.fields.scope import GIVEN, LAW, PARAMETERS
from eomc.derive.forces.stretch import check_law
from eomc.derive.geometry import Vector
from eomc.derive.graph import Expression
from eomc.derive.language.errors import ModelError
from eomc.derive.language.near_names import near_names
from eomc.derive.language.registry import kind
from eomc.derive.language.scalar import Scalar, is_zero, scalar, symbols_of
from eomc.derive.rods.bent_rod import RodOnGraph
from eomc.derive.rods.properties import PLACE
from eomc.derive.rods.tendon_path import TendonPath
from eomc.derive.scene.loads import AllLoads, Scene
from eomc.derive.shapes.numeric_function import gauss_points

if TYPE_CHECKING:
    from eomc.derive.bodies.declared_deformable import Deformable

_DRAWN = 25


@dataclass(frozen=True)
class Across(FieldKind):
    """(y, z) in the sections of a rod, expressions in the distance x from its root."""

    def schema(self) -> dict[str, Any]:
        """Two scalars."""
        return rows_of(SCALAR, 2)

    def read(self, value: Any, word: str) -> tuple[Scalar, Scalar]:
        """Two scalars."""
        if isinstance(value, str) or not hasattr(value, "__len__") or len(value) != 2:
            raise ModelError(f"{word}: give the offsets along y and z [m] in the sections")
        y, z = (scalar(entry, f"{word}[{k}]") for k, entry in enumerate(value))
        return y, z


@dataclass(frozen=True)
class At(FieldKind):
    """A station of a rod."""

    def schema(self) -> dict[str, Any]:
        """A word or a scalar."""
        return SCALAR

    def read(self, value: Any, word: str) -> Any:
        """A word, or a scalar; the rod says more."""
        return value if isinstance(value, str) and value.isidentifier() else scalar(value, word)


#: For type checkers: offsets along y and z [m], scalars.
Offsets = Given[Sequence[Any], tuple[Scalar, Scalar]]
Way = tuple[TendonPath, TendonPath, list[Expression]]


@kind("tendon")
class Tendon(ForceElement):
    """A tendon within a rod, from the station `start` to `end`, at `offset` in its sections.

    The tension is stiffness*x + damping*v, never a push, or `law`, an expression in the stretch
    x = length - free_length and its rate v; `free_length` is the length along the rod without
    strains unless given, and may move: a winch at the root that takes in what its drum winds up.
    """

    body: str = body("the rod")
    offset: Offsets = of_kind(
        Across(
            "offsets along y and z in the sections, in the distance x",
            "m",
            PARAMETERS.with_own("offset", PLACE.name),
        )
    )
    start: Any = of_kind(At("station where it begins"), default="root")
    end: Any = of_kind(At("station where it ends"), default="tip")
    stiffness: Number = number("N/m", default=0)
    damping: Number = number("N s/m", default=0)
    free_length: OptionalNumber = number("m", "length without force", scope=GIVEN, default=None)
    law: OptionalNumber = number("N", "tension instead, in x and v", scope=LAW, default=None)
    width: Number = number("m", "stretch over which the tension goes to zero", default=0)

    def check(self) -> None:
        """A law stands for all of it, and something pulls."""
        check_law(self.law, self.stiffness, self.damping)
        if self.law is None and is_zero(self.stiffness):
            raise ModelError("has neither stiffness nor law; it would never pull")

    def check_in(self, model: Mechanism, values: Mapping[str, float]) -> None:
        """Its body is a rod, and its stations are two on it."""
        rod = model.deformables.get(self.body)
        if rod is None or rod.is_expanded:
            rods = [name for name, entry in model.deformables.items() if not entry.is_expanded]
            raise ModelError(
                f"body {self.body!r} is no rod, and only a rod knows its strains; "
                + (near_names(self.body, rods) if rods else "declare one with form 'rod'")
            )
        for word in ("stiffness", "damping", "width"):
            not_negative(getattr(self, word), word, values)
        first, last = self._ends(rod)
        if not first < last:
            raise ModelError(
                f"runs from station {self.start} to {self.end}, which is no way towards the tip"
            )

    def loads(self, scene: Scene, loads: AllLoads) -> None:
        """-T dl/dq on the strains."""
        way = self._path(scene)
        elastic, other = self._tensions(scene, loads, way)
        names = scene.deformables[self.body].speeds
        for share, tension in ((loads.conservative, elastic), (loads.other, other)):
            if not tension.is_zero:
                for name, slope in zip(names, way[0].slopes, strict=True):
                    share.add_generalized(scene.tree.speed_of[name], -(slope * tension))

    def outputs(self) -> tuple[ElementOutput, ...]:
        """Tension and length."""
        return ElementOutput("tension", "N"), ElementOutput("length", "m")

    def output_values(self, scene: Scene) -> Sequence[Expression]:
        """As the loads have them."""
        way = self._path(scene)
        elastic, other = self._tensions(scene, None, way)
        return [elastic + other, way[0].length]

    def switches(self) -> tuple[str, ...]:
        """Name of the function that changes sign where it goes slack or comes taut; none if it does
        so smoothly or by a law."""
        return ("taut",) if self.law is None and is_zero(self.width) else ()

    def switching(self, scene: Scene) -> Sequence[Expression]:
        """Above zero where it is stretched and pulls."""
        x, v = self._stretch(scene, self._path(scene))
        return [pulls(x, v, scene.scalar(self.stiffness), scene.scalar(self.damping))]

    def dissipates(self, model: Mechanism, values: Mapping[str, float]) -> bool:
        """By its damping, unless its free length depends on more than parameters and inputs."""
        known = {*values, *model.inputs}
        return self.law is None and known.issuperset(symbols_of(self.free_length))

    def stored(self, scene: Scene) -> Expression:
        """The energy of the stretch, where inputs leave it no potential."""
        if not self._is_driven(scene):
            return scene.tree.zero
        stretched, _ = taut(self._stretch(scene, self._path(scene))[0], scene.scalar(self.width))
        return scene.scalar(self.stiffness) * stretched * stretched / 2

    def drawn_lines(self) -> tuple[int, ...]:
        """Its way along the rod."""
        return (_DRAWN,)

    def lines(self, scene: Scene) -> Iterable[Sequence[Vector]]:
        """Points of the way, in the world."""
        declared = scene.deformables[self.body]
        rod, _, _ = self._rod(scene, declared)
        places = [float(s) for s in np.linspace(*self._ends(declared), _DRAWN)]
        return [[scene.along(self.body, s, self._offset(scene, rod.rod, s)[0]) for s in places]]

    # -- along the rod ---------------------------------------------------------------------------

    def _ends(self, rod: Deformable) -> tuple[float, float]:
        first, last = (float(rod.form.read_station(at)) for at in (self.start, self.end))
        return first, last

    def _rod(
        self, scene: Scene, rod: Deformable
    ) -> tuple[RodShape, list[Expression], list[Expression]]:
        """The rod on the graph, its coordinates and their rates."""
        shape = rod.on_graph(scene.scalars)
        assert isinstance(shape, RodShape)
        q = [scene.variables[name] for name in rod.coordinates]
        return shape, q, [scene.variables[f"speed({name})"] for name in rod.speeds]

    def _offset(self, scene: Scene, rod: RodOnGraph, s: float) -> tuple[Vector, Vector]:
        """r and dr/dX at the fraction s of the length."""
        zero, at = scene.tree.zero, {PLACE.name: rod.length * s}
        slopes = [sympy.diff(sympy.sympify(entry), PLACE) for entry in self.offset]
        r, slope = ([scene.scalar(scalar(e), at) for e in row] for row in (self.offset, slopes))
        return Vector(zero, *r), Vector(zero, *slope)

    def _points(self, rod: RodOnGraph, first: float, last: float) -> list[tuple[float, float]]:
        """As many Gauss points between kinks of the functions as the rod itself has."""
        kinks = sorted({kink for _, basis in rod.strains for kink in basis.kinks})
        count = max(2, -(-len(rod.sections) // (len(kinks) + 1)))
        inner = [kink for kink in kinks if first < kink < last]
        places, weights = gauss_points([first, *inner, last], 1, count)
        return [(float(s), float(w)) for s, w in zip(places, weights, strict=True)]

    def _path(self, scene: Scene) -> Way:
        """The way, the same on the rod without strains, and the rates of strain."""
        declared = scene.deformables[self.body]
        rod, q, u = self._rod(scene, declared)
        points = self._points(rod.rod, *self._ends(declared))

        def offset(s: float) -> tuple[Vector, Vector]:
            return self._offset(scene, rod.rod, s)

        rest = [scene.tree.zero] * len(q)
        bent, straight = (TendonPath(rod.rod, at, points, offset) for at in (q, rest))
        return bent, straight, u

    def _stretch(self, scene: Scene, way: Way) -> tuple[Expression, Expression]:
        """x and v."""
        path, straight, u = way
        free = straight.length if self.free_length is None else scene.scalar(self.free_length)
        return path.length - free, path.rate(u)

    def _tensions(
        self, scene: Scene, loads: AllLoads | None, way: Way
    ) -> tuple[Expression, Expression]:
        """Tensions with a potential, which is added if there are `loads`, and without one."""
        x, v = self._stretch(scene, way)
        if self.law is not None:
            return scene.tree.zero, scene.scalar(self.law, {"x": x, "v": v})
        k, d = scene.scalar(self.stiffness), scene.scalar(self.damping)
        stretched, rising = taut(x, scene.scalar(self.width))
        tension = k * stretched * rising
        damper = (d * rising * v).binary("max", -tension) if not d.is_zero else d
        if self._is_driven(scene):
            return scene.tree.zero, tension + damper
        if loads is not None:
            energy = k * stretched * stretched / 2
            loads.conservative.potential = loads.conservative.potential + energy
        return tension, damper

    def _is_driven(self, scene: Scene) -> bool:
        """True if inputs or time stand in the free length: then no potential holds its energy."""
        return self.free_length is not None and bool(
            set(symbols_of(self.free_length)) & set(scene.variables)
        )
