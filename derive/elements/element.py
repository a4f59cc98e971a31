"""A declared element of a model: one immutable record in one file.

Its fields say what they hold (`eomc.derive.fields.field`), and everybody who needs to know asks
them: the check of names, the choice of the spanning tree, the merging of bodies, files, tables. A
kind of one's own is a record under `kind`::

    @kind("drag")
    class Drag(ForceElement):
        at: AtPoint = point("where it acts")
        coefficient: Number = number("N s^2/m^2")

        def loads(self, scene, loads): ...
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar, Protocol, Self, TypeVar, dataclass_transform

from eomc.derive.drawing.mark import Mark
from eomc.derive.elements.declared import Declared
from eomc.derive.elements.kinds import ELEMENTS, element_kinds
from eomc.derive.fields import field as fields
from eomc.derive.fields.field import Coordinate, Fields
from eomc.derive.language.errors import Source, declaring
from eomc.derive.language.grammar import bare_name
from eomc.derive.language.naming import check_name
from eomc.derive.language.registry import Registry
from eomc.derive.language.scalar import Vector3, symbols_of
from eomc.derive.placement.placement import Point

if TYPE_CHECKING:
    from eomc.derive.bodies.declared_deformable import Deformable
    from eomc.derive.bodies.mass_properties import MassProperties
    from eomc.derive.elements.carrier import Carrier
    from eomc.derive.elements.closing import Closing, Rubbing
    from eomc.derive.elements.state import ElementOutput, ElementState, ElementUnknown, Strained
    from eomc.derive.geometry import Vector
    from eomc.derive.graph import Expression
    from eomc.derive.joints.joint import Joint
    from eomc.derive.scene.loads import AllLoads, Scene

__all__ = ["Element", "ForceElement", "Mechanism", "element_kinds"]


class Mechanism(Protocol):
    """Parts and states of a model that an element may look at when the model is checked."""

    @property
    def bodies(self) -> Mapping[str, MassProperties]: ...
    @property
    def deformables(self) -> Mapping[str, Deformable]: ...
    @property
    def joints(self) -> Mapping[str, Joint]: ...
    @property
    def coordinates(self) -> tuple[str, ...]: ...
    @property
    def speeds(self) -> tuple[str, ...]: ...
    @property
    def inputs(self) -> Mapping[str, object]: ...
    def of(self, kind: type[Kind]) -> dict[str, Kind]: ...
    def tree(self) -> list[Joint]: ...
    def element_states(self) -> Mapping[str, ElementState]: ...
    def element_unknowns(self) -> Mapping[str, ElementUnknown]: ...


@dataclass_transform(
    frozen_default=True,
    field_specifiers=(
        fields.number,
        fields.direction,
        fields.position,
        fields.point,
        fields.body,
        fields.placement,
        fields.choice,
        fields.coordinate,
        fields.coordinate_with_rate,
        fields.speed,
        fields.of_kind,
        fields.truth,
        fields.words,
    ),
)
@dataclass(frozen=True)
class Element(Fields):
    """A named record of what the user declared, read and checked field by field."""

    kinds: ClassVar[Registry[type[Any]]] = ELEMENTS
    word: ClassVar[str]
    plural: ClassVar[str]
    acts: ClassVar[bool] = False
    """True of a `ForceElement`."""
    drawn: ClassVar[Mark | None] = None
    weighs: ClassVar[bool] = False
    """True if it pulls at bodies by their inertia."""

    name: str
    source: Source | None = field(default=None, compare=False, repr=False, kw_only=True)

    def __post_init__(self) -> None:
        with declaring(self.word, self.name, self.source) as source:
            check_name(self.name)
            self.read_fields()
            object.__setattr__(self, "source", source)
            self.check()

    @staticmethod
    def named(made: type[Any], word: str, plural: str = "") -> None:
        """Remember the word of a kind, and make it known to every model."""
        made.word, made.plural = word, plural or f"{word}s"
        Declared.learn(made)

    @property
    def title(self) -> str:
        """Its kind and name, as messages tell them."""
        return f"{self.word} {self.name!r}"

    def check(self) -> None:
        """Raise `ModelError` for fields that do not go together."""

    def check_in(self, model: Mechanism, values: Mapping[str, float]) -> None:
        """Raise `ModelError` for what does not go with the rest of the model, whose parameters
        have these values."""

    def declare_with(self, model: Any) -> None:
        """Declare in a model what comes with the element; with most elements nothing does."""

    def references(self) -> tuple[str, ...]:
        """Names of the joints, coordinates and speeds that it needs, in fields and expressions."""
        names: list[str] = []
        for _, kind, value in self.given():
            if isinstance(kind, Coordinate):
                names.append(value)
            elif kind.scope.moves:
                held = value if isinstance(value, tuple) else (value,)
                names += (bare_name(n) for n in symbols_of(*held))
        return tuple(names)

    def distance(self, values: Mapping[str, float]) -> float:
        """Typical distance of bodies from the origin [m], if it keeps them far away; else 0."""
        return 0.0

    def mark(self) -> Mark | None:
        """The mark by which pictures show it: `drawn`, unless its fields say more."""
        return self.drawn

    def drawn_at(self) -> tuple[Point, ...]:
        """Points between which pictures draw it, by a line if `drawn` is no other mark."""
        return tuple(point for _, kind, value in self.given() for point in kind.points(value))

    def drawn_along(self) -> tuple[str, Vector3] | None:
        """The first direction among its fields, in the axes of a body or the world."""
        for _, kind, value in self.given():
            if axes := kind.axes(self):
                return axes, value
        return None

    def drawn_wheels(self) -> tuple[str, str, Any] | None:
        """Two coordinates that wheels couple, and the turns of the first for one of the second."""
        return None

    def drawn_lines(self) -> tuple[int, ...]:
        """Numbers of points of lines that pictures show as it moves; most elements have none."""
        return ()

    def lines(self, scene: Scene) -> Iterable[Sequence[Vector]]:
        """Those lines, in the world."""
        raise NotImplementedError

    def transformed(self, carrier: Carrier) -> Element | None:
        """The same on the bodies that are left when bodies merge; None if it acts on nothing."""
        for _, kind, value in self.given():
            if isinstance(kind, Coordinate) and carrier.stands_still(value):
                return None
        return self.changed(**self.transformed_fields(carrier))

    def changed(self, **changes: Any) -> Self:
        """A copy with other fields, declared where this one is."""
        return dataclasses.replace(self, **changes)


class ForceElement(Element):
    """An element that acts: with wrenches on links, forces on speeds, potential energy."""

    acts = True
    internal: ClassVar[bool] = False
    """True if it acts between bodies and on nothing else, so that no momentum comes from it."""

    def loads(self, scene: Scene, loads: AllLoads) -> None:
        """Add its share: what has a potential to `loads.conservative`, all else to `loads.other`.

        Energy and power are what these loads say.
        """
        raise NotImplementedError

    def states(self) -> tuple[ElementState, ...]:
        """First-order states of its own; most elements have none."""
        return ()

    def rates(self, scene: Scene) -> Sequence[Expression]:
        """z' of its states, in their order."""
        raise NotImplementedError

    def unknowns(self) -> tuple[ElementUnknown, ...]:
        """Variables without inertia that it is solved for; most elements have none."""
        return ()

    def conditions(self, scene: Scene) -> Sequence[Expression]:
        """Residuals that vanish at its unknowns, one for each: in them the unknowns are variables
        of the scene, in all else they stand for their solution."""
        raise NotImplementedError

    def outputs(self) -> tuple[ElementOutput, ...]:
        """Names and units of its outputs beside its forces; most elements have none."""
        return ()

    def output_values(self, scene: Scene) -> Sequence[Expression]:
        """Values of these outputs, in that order."""
        raise NotImplementedError

    @property
    def stretches(self) -> bool:
        """True if it has a strain that alone makes its tension; most elements have none."""
        return False

    def strained(self, scene: Scene) -> Strained:
        """Its strain and the forces that come with it, of an element that stretches."""
        raise NotImplementedError

    def switches(self) -> tuple[str, ...]:
        """Names of functions that change sign where its forces have a kink; most have none.

        Runs find these zeros and begin anew there, so that a step never looks over a kink.
        """
        return ()

    def switching(self, scene: Scene) -> Sequence[Expression]:
        """These functions, in their order."""
        raise NotImplementedError

    def closes(self) -> tuple[str, ...]:
        """Names of places where it closes rigidly; most elements have none."""
        return ()

    def closing(self, scene: Scene) -> Sequence[Closing]:
        """Gap, velocity and laws of contact at these places, in their order."""
        raise NotImplementedError

    def rubs(self) -> bool:
        """True for dry friction that holds a speed."""
        return False

    def rubbing(self, scene: Scene) -> Rubbing:
        """The speed and the force that it takes to move it."""
        raise NotImplementedError

    @property
    def is_impulsive(self) -> bool:
        """True if impulses of steps with contacts take all of it."""
        return True

    @property
    def is_velocity_level(self) -> bool:
        """True if only steps with contacts know it."""
        return self.rubs()

    def reacts_to(self) -> str | None:
        """The speed of the joint whose reaction it depends on; most elements on none."""
        return None

    def resistance(self, scene: Scene, force: Vector, moment: Vector) -> Expression:
        """The force on that speed by what the joint transmits, the drive's share included: force
        and moment of the parent on the child, in the axes of the joint frame on the child."""
        raise NotImplementedError

    def dissipates(self, model: Mechanism, values: Mapping[str, float]) -> bool:
        """True if what it adds to `loads.other`, or resists with, never gives more power than it
        takes from the energy `stored`, inputs held; parameters have these values."""
        return False

    def stored(self, scene: Scene) -> Expression:
        """Energy that it keeps beside `potential` [J]; most elements keep none."""
        return scene.tree.zero

    def own(self, scene: Scene) -> list[Expression]:
        """z of its states on the graph."""
        return [scene.variables[state.of(self.name)] for state in self.states()]


Kind = TypeVar("Kind", bound=Element)
