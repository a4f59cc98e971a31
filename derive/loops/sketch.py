"""Steps while they are being stated: arguments by name on a graph of their own."""

from __future__ import annotations

from collections.abc import Sequence

from eomc.derive.geometry import Inertia, MatrixRotation, Rotation, Symmetric, Vector
from eomc.derive.geometry.dyad import Dyad
from eomc.derive.graph import (
    Argument,
    Expression,
    Function,
    Graph,
    Guard,
    Step,
    constant,
    nodes,
    symbols,
)


class Numbers:
    """Constants of the rows of one kind.

    What all rows share becomes a number of the step, where zeros and ones vanish; the others are
    entries of an array.
    """

    def __init__(self, rows: Sequence[Sequence[Expression]]) -> None:
        first = rows[0]
        self.varying = [
            k
            for k, entry in enumerate(first)
            if not entry.is_constant or any(row[k] != entry for row in rows)
        ]
        self.shared = [None if k in self.varying else e for k, e in enumerate(first)]

    def of(self, row: Sequence[Expression]) -> list[int]:
        """Nodes of the entries that vary."""
        return [row[k].node for k in self.varying]


class Sketch:
    """A step in the making."""

    def __init__(self, name: str, description: str) -> None:
        self.name, self.description = name, description
        self.graph = Graph()
        self.zero = constant(self.graph, 0)
        self._inputs: list[Argument] = []
        self._outputs: list[Argument] = []
        self._guards: list[Guard] = []

    def take(self, name: str, size: int) -> list[Expression]:
        """An input array."""
        entries = symbols(self.graph, name, size)
        self._inputs.append(Argument(name, (size,), nodes(entries)))
        return entries

    def numbers(self, name: str, numbers: Numbers) -> list[Expression]:
        """Constants of the row."""
        varying = iter(self.take(name, len(numbers.varying)) if numbers.varying else ())
        values = []
        for shared in numbers.shared:
            if shared is None:
                values.append(next(varying))
            else:
                number = shared.graph.number(shared.node)
                assert number is not None
                values.append(constant(self.graph, number))
        return values

    def give(self, name: str, values: Sequence[Expression]) -> None:
        """An output array; of the same name as an input, it changes in place."""
        self._outputs.append(Argument(name, (len(values),), nodes(values)))

    def positive(self, value: Expression, code: str) -> None:
        """Fail unless `value` is positive."""
        self._guards.append(Guard(value.node, code))

    def step(self) -> Step:
        """The step as it stands."""
        function = Function(
            self.name,
            tuple(self._inputs),
            tuple(self._outputs),
            self.description,
            tuple(self._guards),
        )
        return Step(self.graph, function)

    @property
    def still(self) -> Vector:
        """(0, 0, 0)"""
        return Vector(self.zero, self.zero, self.zero)


def vectors(entries: Sequence[Expression]) -> list[Vector]:
    """Three entries each."""
    return [Vector(*entries[k : k + 3]) for k in range(0, len(entries), 3)]


def pose(entries: Sequence[Expression]) -> tuple[Rotation, Vector]:
    """Rotation by rows, origin."""
    a, b, c, origin = vectors(entries)
    return Rotation([MatrixRotation((a, b, c))]), origin


def columns(entries: Sequence[Expression]) -> list[tuple[Vector, Vector]]:
    """(angular, linear) of each speed."""
    parts = vectors(entries)
    return list(zip(parts[::2], parts[1::2], strict=True))


def symmetric(entries: Sequence[Expression]) -> Symmetric:
    """Symmetric matrix by its six entries."""
    return Symmetric(*entries)


def inertia(entries: Sequence[Expression]) -> Inertia:
    """Mass, first moment, second moment."""
    return Inertia(entries[0], Vector(*entries[1:4]), symmetric(entries[4:]))


def dyad(entries: Sequence[Expression]) -> Dyad:
    """Matrix by its columns."""
    a, b, c = vectors(entries)
    return Dyad((a, b, c))
