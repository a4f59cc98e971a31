"""Named functions on a graph: what the derivation hands to code generation.

Both rooms meet here and nowhere else: a `Program` is a graph, the functions to emit with the
names, shapes and units of their arguments, the parameters tunable at run time, and a description
of the model for the manifest.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain
from typing import Any

from eomc.derive.graph.node import Graph
from eomc.derive.graph.rolled import Rolled
from eomc.derive.graph.traverse import reachable


class DeferredEntries(Sequence[int]):
    """Nodes of an output that is derived when they are asked for; their number is known before."""

    def __init__(self, count: int, derive: Callable[[], Sequence[int]]) -> None:
        self._count, self._derive = count, derive

    @cached_property
    def _entries(self) -> tuple[int, ...]:
        return tuple(self._derive())

    def __len__(self) -> int:
        return self._count

    def __getitem__(self, place: Any) -> Any:
        return self._entries[place]

    def __iter__(self) -> Iterator[int]:
        return iter(self._entries)

    def __eq__(self, other: object) -> bool:
        return self._entries == (tuple(other) if isinstance(other, Sequence) else other)

    def __hash__(self) -> int:
        return hash(self._entries)


@dataclass(frozen=True)
class Argument:
    """One input or output array of a function.

    Attributes
    ----------
    name : str
        C identifier.
    shape : tuple of int
        ``()`` for a scalar, ``(n,)`` or ``(rows, columns)`` otherwise.
    entries : sequence of int
        Nodes in row-major order; symbols for an input.
    description, units : str
        One line for the header; units such as ``"rad"`` or ``"m/s"``.
    rows : tuple of str
        Names along the first axis, if they have any.
    """

    name: str
    shape: tuple[int, ...]
    entries: Sequence[int]
    description: str = ""
    units: str = ""
    rows: tuple[str, ...] = ()


@dataclass(frozen=True)
class Guard:
    """The function reports failure `code` unless `node` > 0."""

    node: int
    code: str


def required(graph: Graph, outputs: Sequence[Argument], guards: Sequence[Guard]) -> Iterator[Guard]:
    """Guards of quantities that must be above zero for these outputs (`Expression.required`)."""
    if graph.required:
        entries = [node for output in outputs for node in output.entries]
        reached = set(reachable(graph, [*entries, *(guard.node for guard in guards)]))
        # Of what is minus something only that may be left: signs move through products.
        guarded = ((n, code, graph.without_sign(n)) for n, code in graph.required.items())
        yield from (Guard(n, code) for n, code, size in guarded if size in reached)


@dataclass(frozen=True)
class Function:
    """Outputs as expressions of inputs (and of parameters).

    A function that `feeds` another one gives, by its output of the same name, one of that one's
    inputs: a feedback law feeds the accelerations of the state that it reads. `rolled` gives the
    same outputs by for-loops, in less code; `blocked` by for-loops over rows of so many columns,
    for functions that are long in straight lines.
    """

    name: str
    inputs: tuple[Argument, ...]
    outputs: tuple[Argument, ...]
    description: str = ""
    guards: tuple[Guard, ...] = ()
    feeds: str = ""
    rolled: Rolled | None = field(default=None, compare=False)
    blocked: Mapping[int, Rolled] = field(default_factory=dict, compare=False)

    @property
    def nodes(self) -> tuple[int, ...]:
        """All output and guard nodes, outputs first."""
        outputs = chain.from_iterable([argument.entries for argument in self.outputs])
        return (*outputs, *[guard.node for guard in self.guards])

    @property
    def is_deferred(self) -> bool:
        """True if its outputs wait to be asked for, because its loops are faster by estimate."""
        return any(isinstance(output.entries, DeferredEntries) for output in self.outputs)


@dataclass(frozen=True)
class TunableParameter:
    """A number that stays tunable at run time; its node is ``graph.symbol(parameter.symbol)``."""

    name: str
    symbol: str
    default: float
    units: str = ""
    description: str = ""


@dataclass(frozen=True)
class Program:
    """Everything code generation needs to know of a model.

    `index_names` maps an array name (``"q"``, ``"u"``) to the names of its entries; `limits` are
    arrays of numbers by name (``"q_lower"``, ``"u_limit"``), infinite where nothing limits;
    `metadata` goes into the manifest as it is and must be JSON-able.
    """

    name: str
    graph: Graph
    functions: tuple[Function, ...]
    parameters: tuple[TunableParameter, ...] = ()
    index_names: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    metadata: Mapping[str, object] = field(default_factory=dict)
    limits: Mapping[str, tuple[float, ...]] = field(default_factory=dict)
