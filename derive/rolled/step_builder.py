"""Steps while they are being stated: arguments by name on a graph of their own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from eomc.derive.geometry import Vector
from eomc.derive.graph import (
    Argument,
    Expression,
    Function,
    Graph,
    Guard,
    RolledStep,
    constant,
    nodes,
    reachable,
    required,
    symbols,
)
from eomc.derive.graph.traverse import substitute
from eomc.derive.rolled.layouts import T, ValueLayout, numbers


class RowConstants:
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


class StepBuilder:
    """A step in the making; arguments named in `rows`, or all of them, are rows of `width`."""

    def __init__(
        self, name: str, description: str, width: int = 1, rows: Sequence[str] | None = None
    ) -> None:
        self.name, self.description = name, description
        self.width, self.rows = width, rows
        self.graph = Graph()
        self.zero = constant(self.graph, 0)
        self._inputs: list[Argument] = []
        self._outputs: list[Argument] = []
        self._guards: list[Guard] = []

    def take(self, name: str, layout: ValueLayout[T]) -> T:
        """An input array."""
        return layout.read(self._input(name, layout.size))

    def _input(self, name: str, size: int) -> list[Expression]:
        entries = symbols(self.graph, name, size)
        self._inputs.append(Argument(name, (size,), nodes(entries)))
        return entries

    def constants(self, name: str, of: RowConstants) -> list[Expression]:
        """Constants of the row."""
        varying = iter(self._input(name, len(of.varying)) if of.varying else ())
        values = []
        for shared in of.shared:
            if shared is None:
                values.append(next(varying))
            else:
                number = shared.graph.number(shared.node)
                assert number is not None
                values.append(constant(self.graph, number))
        return values

    def give(self, name: str, layout: ValueLayout[T], value: T, onto: T | None = None) -> None:
        """An output array, added `onto` what stood there if that is given; of the same name as an
        input, it changes in place."""
        values = list(layout.write(value))
        if onto is not None:
            values = [x + y for x, y in zip(layout.write(onto), values, strict=True)]
        self._outputs.append(Argument(name, (layout.size,), nodes(values)))

    def turns(self) -> list[int]:
        """Angles whose sines or cosines the outputs depend on."""
        entries = [entry for argument in self._outputs for entry in argument.entries]
        of = (n for n in reachable(self.graph, entries) if self.graph.op[n] in ("sin", "cos"))
        return list(dict.fromkeys(self.graph.args[node][0] for node in of))

    def give_turns(self) -> None:
        """The angles instead of all that depends on them."""
        angles = tuple(self.turns())
        self._outputs = [Argument("angles", (len(angles),), angles)]

    def take_turns(self) -> None:
        """Sines and cosines of the angles become inputs."""
        if not (angles := self.turns()):
            return
        sines, cosines = (self.take(name, numbers(len(angles))) for name in ("sines", "cosines"))
        given: dict[int, int] = {}
        for angle, sine, cosine in zip(angles, sines, cosines, strict=True):
            given |= {self.graph.unary("sin", angle): sine.node}
            given |= {self.graph.unary("cos", angle): cosine.node}
        self._outputs = [
            replace(a, entries=tuple(substitute(self.graph, a.entries, given)))
            for a in self._outputs
        ]

    def require_positive(self, value: Expression, code: str) -> None:
        """Fail unless `value` is positive."""
        self._guards.append(Guard(value.node, code))

    def step(self) -> RolledStep:
        """The step as it stands."""
        arguments = tuple(self._inputs), tuple(self._outputs)
        guards = (*required(self.graph, self._outputs, self._guards), *self._guards)
        function = Function(self.name, *arguments, self.description, guards)
        rows = [a.name for part in arguments for a in part] if self.rows is None else self.rows
        return RolledStep(
            self.graph, function, frozenset(rows if self.width > 1 else ()), self.width
        )

    @property
    def still(self) -> Vector:
        """(0, 0, 0)"""
        return Vector(self.zero, self.zero, self.zero)
