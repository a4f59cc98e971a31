"""The elements of a model: immutable, in dictionaries by name, in the order of declaration."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, Self, TypeVar

from eomc.derive.elements.declared import Declared
from eomc.derive.elements.kinds import acting_words, element_kinds, element_words

if TYPE_CHECKING:
    from eomc.derive.bodies.declared_deformable import Deformable
    from eomc.derive.bodies.mass_properties import MassProperties
    from eomc.derive.elements.element import Element, ForceElement
    from eomc.derive.elements.state import ElementOutput, ElementState, ElementUnknown
    from eomc.derive.fields.parameter import Input, Parameter
    from eomc.derive.joints.joint import Joint
    from eomc.derive.language.scalar import Vector3
    from eomc.derive.model.composed import ComposedElement

__all__ = ["Elements"]

Kind = TypeVar("Kind", bound="Element")


class Elements(Declared):
    """Declared parts of a model by kind and name; two are equal if all that they hold is.

    Files list the kinds that act before those that do not.
    """

    name: str
    gravity: Vector3
    description: str
    parameters: dict[str, Parameter]
    inputs: dict[str, Input]
    bodies: dict[str, MassProperties]
    deformables: dict[str, Deformable]
    joints: dict[str, Joint]

    def __init__(self) -> None:
        self.parameters, self.inputs = {}, {}
        self.bodies, self.deformables, self.joints = {}, {}, {}
        self._elements: dict[str, dict[str, Any]] = {}
        self._composed: tuple[ComposedElement, ...] = ()

    def of(self, kind: type[Kind]) -> dict[str, Kind]:
        """The elements of a kind by name."""
        return self.table(kind.word)

    def table(self, word: str) -> dict[str, Any]:
        """The elements of the kind with this word by name."""
        return self._elements.setdefault(word, {})

    def tables(self) -> Mapping[str, Mapping[str, Any]]:
        """Everything declared, by the word of its kind, in the order of files."""
        own: dict[str, Mapping[str, Any]] = {
            "parameter": self.parameters,
            "input": self.inputs,
            "body": self.bodies,
            "deformable": self.deformables,
            "joint": self.joints,
        }
        declared = self._elements
        return own | {word: declared.setdefault(word, {}) for word in element_words()}

    def held(self) -> tuple[dict[str, Any], ...]:
        """The dictionaries themselves, as far as there are any."""
        own = (self.parameters, self.inputs, self.bodies, self.deformables, self.joints)
        return (*own, *self._elements.values())

    @classmethod
    def kinds(cls) -> list[type[Element]]:
        """Every kind of element, in the order of files; imports them all."""
        return list(element_kinds().values())

    def elements(self) -> Iterator[Element]:
        """Every element, in the order of files."""
        for word in element_words():
            yield from self._elements.get(word, {}).values()

    def acting(self) -> dict[str, dict[str, ForceElement]]:
        """The elements that act, by the words of their kinds."""
        return {word: self._elements.setdefault(word, {}) for word in acting_words()}

    def element_states(self) -> dict[str, ElementState]:
        """States of elements by the names that they have in expressions, in the order of z."""
        return {
            state.of(element.name): state
            for table in self.acting().values()
            for element in table.values()
            for state in element.states()
        }

    def element_unknowns(self) -> dict[str, ElementUnknown]:
        """Unknowns of elements by the names that they have in expressions."""
        return {
            unknown.of(element.name): unknown
            for table in self.acting().values()
            for element in table.values()
            for unknown in element.unknowns()
        }

    def stretching(self) -> dict[str, ForceElement]:
        """The elements that have a strain, in the order of the function `element_strains`."""
        tables = self.acting().values()
        return {e.name: e for table in tables for e in table.values() if e.stretches}

    def element_outputs(self) -> dict[str, ElementOutput]:
        """Outputs of elements by ``element.name``, in the order of the function of that name."""
        return {
            f"{element.name}.{output.name}": output
            for table in self.acting().values()
            for element in table.values()
            for output in element.outputs()
        }

    def element_switches(self) -> tuple[str, ...]:
        """Names, ``element.name``, of kinks of elements' forces, in the order of the function."""
        return tuple(
            f"{element.name}.{name}"
            for table in self.acting().values()
            for element in table.values()
            for name in element.switches()
        )

    def rigid_contacts(self) -> tuple[str, ...]:
        """Names of places where elements close rigidly, an element's own or ``element.place``."""
        return tuple(
            f"{element.name}.{name}" if name else element.name
            for table in self.acting().values()
            for element in table.values()
            for name in element.closes()
        )

    def everything(self) -> list[Any]:
        """All that is declared, in the order of the tables."""
        return [entry for table in self.held() for entry in table.values()]

    def composed(self) -> list[ComposedElement]:
        """Declarations by words that stand for several elements, while these are unchanged."""
        held = self.everything()
        return [entry for entry in self._composed if entry.is_whole(held)]

    def copy(self) -> Self:
        """A model of its own with the same elements (which are immutable)."""
        other = type(self).__new__(type(self))
        other.__dict__.update(self.__dict__)
        for table in ("parameters", "inputs", "bodies", "deformables", "joints"):
            setattr(other, table, dict(getattr(self, table)))
        other._elements = {word: dict(table) for word, table in self._elements.items()}
        return other

    def __eq__(self, other: object) -> bool:
        """True if all elements are equal and in the same order, wherever they were declared."""
        if not isinstance(other, Elements):
            return NotImplemented
        heads = ("name", "gravity", "description")
        mine, its = self.tables(), other.tables()
        return all(getattr(self, word) == getattr(other, word) for word in heads) and all(
            list(mine[word].items()) == list(its[word].items()) for word in mine
        )

    __hash__ = None  # type: ignore[assignment]
