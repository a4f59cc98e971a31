"""A declared element of a model: one immutable record in one file.

Its fields say what they hold (`eomc.derive.elements.fields`), and everybody who needs to know asks
them: the check of names, the choice of the spanning tree, the merging of bodies, files, tables. A
kind of one's own is a record under `element`::

    @element("drag")
    class Drag(ForceElement):
        at: AtPoint = point("where it acts")
        coefficient: Number = number("N s^2/m^2")

        def loads(self, scene, loads): ...
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar, Protocol, Self, TypeVar, dataclass_transform

from eomc.derive.drawing.mark import Mark
from eomc.derive.elements import fields
from eomc.derive.elements.declared import Declared
from eomc.derive.elements.fields import Coordinate, FieldKind, fields_of
from eomc.derive.elements.state import ElementOutput, ElementState
from eomc.derive.graph import Expression
from eomc.derive.language.errors import ModelError, Source, declaring
from eomc.derive.language.naming import check_name
from eomc.derive.language.scalar import Vector3, symbols_of
from eomc.derive.placement.placement import Point
from eomc.derive.scene.loads import AllLoads, Scene, register
from eomc.derive.tree.finite import finite

if TYPE_CHECKING:
    from eomc.derive.bodies.declared_deformable import Deformable
    from eomc.derive.bodies.mass_properties import Body
    from eomc.derive.elements.carrier import Carrier
    from eomc.derive.joints.joint import Joint

__all__ = ["Element", "ForceElement", "Mechanism", "element", "element_kinds", "record"]


class Mechanism(Protocol):
    """What an element may look at when its model is checked."""

    @property
    def bodies(self) -> Mapping[str, Body]: ...
    @property
    def deformables(self) -> Mapping[str, Deformable]: ...
    @property
    def joints(self) -> Mapping[str, Joint]: ...
    @property
    def coordinates(self) -> tuple[str, ...]: ...
    @property
    def speeds(self) -> tuple[str, ...]: ...
    def of(self, kind: type[Kind]) -> dict[str, Kind]: ...


@dataclass_transform(
    frozen_default=True,
    field_specifiers=(
        fields.number, fields.direction, fields.position, fields.point, fields.body,
        fields.placement, fields.choice, fields.coordinate, fields.coordinate_with_rate,
        fields.speed, fields.of_kind,
    ),
)  # fmt: skip
@dataclass(frozen=True)
class Element:
    """A named record of what the user declared, read and checked field by field."""

    word: ClassVar[str]
    plural: ClassVar[str]
    drawn: ClassVar[Mark | None] = None

    name: str
    source: Source | None = field(default=None, compare=False, repr=False, kw_only=True)

    def __post_init__(self) -> None:
        with declaring(self.word, self.name, self.source) as source:
            check_name(self.name)
            for entry in dataclasses.fields(self):
                value = getattr(self, entry.name)
                if entry.metadata and not (value is None and entry.default is None):
                    kind: FieldKind = entry.metadata["kind"]
                    object.__setattr__(self, entry.name, kind.read(value, entry.name))
            object.__setattr__(self, "source", source)
            self.check()

    @property
    def title(self) -> str:
        """Its kind and name, as messages tell them."""
        return f"{self.word} {self.name!r}"

    def check(self) -> None:
        """Raise `ModelError` for fields that do not go together."""

    def check_in(self, model: Mechanism, values: Mapping[str, float]) -> None:
        """Raise `ModelError` for what does not go with the rest of the model, whose parameters
        have these values."""

    def bodies(self) -> tuple[str, ...]:
        """Names of the bodies that its fields refer to."""
        kinds = fields_of(type(self)).items()
        given = ((kind, getattr(self, word)) for word, kind in kinds)
        return tuple(b for kind, value in given if value is not None for b in kind.bodies(value))

    def asked(self) -> tuple[str, ...]:
        """Names of the joints, coordinates and speeds that it needs, in fields and expressions."""
        names: list[str] = []
        for word, kind in fields_of(type(self)).items():
            value = getattr(self, word)
            if isinstance(kind, Coordinate) and value is not None:
                names.append(value)
            elif kind.scope.moves:
                held = value if isinstance(value, tuple) else (value,)
                names += (n.removeprefix("speed(").removesuffix(")") for n in symbols_of(*held))
        return tuple(names)

    def drawn_at(self) -> tuple[Point, ...]:
        """Points between which pictures draw it, by a line if `drawn` is no other mark."""
        given = ((kind, getattr(self, word)) for word, kind in fields_of(type(self)).items())
        return tuple(p for kind, value in given if value is not None for p in kind.points(value))

    def drawn_along(self) -> tuple[str, Vector3] | None:
        """The first direction among its fields, in the axes of a body or the world."""
        for word, kind in fields_of(type(self)).items():
            value, axes = getattr(self, word), kind.axes(self)
            if axes and value is not None:
                return axes, value
        return None

    def carried(self, carrier: Carrier) -> Element | None:
        """The same on the bodies that are left when bodies merge; None if it acts on nothing."""
        changes = {}
        for word, kind in fields_of(type(self)).items():
            value = getattr(self, word)
            if isinstance(kind, Coordinate) and carrier.stands_still(value):
                return None
            if value is not None:
                changes[word] = kind.carried(value, self, carrier)
        return self.changed(**changes)

    def changed(self, **changes: Any) -> Self:
        """A copy with other fields, declared where this one is."""
        return dataclasses.replace(self, **changes)


class ForceElement(Element):
    """An element that acts: with wrenches on links, forces on speeds, potential energy."""

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

    def tells(self) -> tuple[ElementOutput, ...]:
        """What it tells beside its forces; most elements tell nothing."""
        return ()

    def outputs(self, scene: Scene) -> Sequence[Expression]:
        """What it tells, in that order."""
        raise NotImplementedError

    def own(self, scene: Scene) -> list[Expression]:
        """z of its states on the graph."""
        return [scene.variables[state.of(self.name)] for state in self.states()]


Kind = TypeVar("Kind", bound=Element)
_KINDS: dict[str, type[Element]] = {}


def element_kinds() -> Mapping[str, type[Element]]:
    """Every kind of element by its word: this package's by file, those of the user behind."""
    return _KINDS


def record(kind: type[Kind]) -> type[Kind]:
    """Decorator: the class is an immutable record with the fields of its body."""
    return dataclass(frozen=True)(kind)


def element(word: str, plural: str = "") -> Callable[[type[Kind]], type[Kind]]:
    """Decorator: the class is the record of a kind of element, known to model files as `word`.

    Raises `ModelError` if another kind has the word.
    """

    def made(kind: type[Kind]) -> type[Kind]:
        known = _KINDS.get(word)
        if known is not None and known.__qualname__ != kind.__qualname__:
            raise ModelError(f"element {word!r}: {known.__name__} has this word; choose another")
        made = record(kind)
        made.word, made.plural = word, plural or f"{word}s"
        _KINDS[word] = made
        Declared.learn(made)
        if issubclass(made, ForceElement):
            _register_loads(made)
        return made

    return made


def _register_loads(kind: type[ForceElement]) -> None:
    @register(kind.plural)
    def act(scene: Scene, loads: AllLoads) -> None:
        for name, acting in scene.elements.get(kind.word, {}).items():
            with finite(f"{kind.word} {name!r}", getattr(acting, "source", None)):
                acting.loads(scene, loads)
