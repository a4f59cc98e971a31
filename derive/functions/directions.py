"""Directions and weights: what products with derivatives take beside the state.

A direction changes each array by its own amount, ``along_q`` a tangent displacement; weights, such
as ``a_bar``, multiply the outputs. A function with such inputs is of a kind that adds them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from eomc.derive.functions.formulation import Formulation
from eomc.derive.functions.registry import KINDS, Guards, Kind, Maker
from eomc.derive.graph import Argument, Expression, Function, nodes, symbol, symbols
from eomc.derive.graph.columns import Columns

_MEANING = {
    "q": ("tangent displacement of the coordinates", "rad or m"),
    "u": ("change of the generalized speeds", "rad/s or m/s"),
    "a": ("change of the accelerations", "rad/s^2 or m/s^2"),
    "tau": ("change of the generalized forces", "N m or N"),
    "z": ("change of the states of elements", ""),
    "r": ("change of the inputs", ""),
    "p": ("change of the parameters", ""),
}


Further = Callable[[Formulation], Sequence[Argument]]


def _nothing(system: Formulation) -> Sequence[Argument]:
    return ()


@dataclass(frozen=True)
class DirectedKind(Kind):
    """A function that takes weights or a direction after all other inputs: `further` gives them."""

    further: Further = _nothing

    def function(self, given: Formulation, more: Sequence[str] = ()) -> Function:
        """The function of one formulation."""
        found = super().function(given, more)
        return replace(found, inputs=(*found.inputs, *self.further(given)))


def directed(
    inputs: tuple[str, ...],
    description: str,
    further: Further,
    guards: Guards | None = None,
    needs: tuple[str, ...] = (),
) -> Callable[[Maker], Maker]:
    """Decorator: the function that bears the maker's name, forces and time among its inputs."""

    def remember(make: Maker) -> Maker:
        name = make.__name__
        KINDS[name] = DirectedKind(
            name, inputs, description, make, True, guards, needs=needs, further=further
        )
        return make

    return remember


def variables(system: Formulation, arrays: Sequence[str]) -> list[tuple[str, list[Expression]]]:
    """Arrays, by name, that a function depends on and that can change, as far as there are any."""
    known = {
        "q": system.configuration,
        "u": system.u,
        "a": system.a,
        "tau": system.tau,
        "z": system.z,
        "r": system.r,
        "p": [symbol(system.graph, name) for name in system.symbolic],
    }
    return [(name, list(known[name])) for name in arrays if known[name]]


def rows(system: Formulation, array: str) -> tuple[str, ...]:
    """Names of the entries of a change of an array."""
    other = {"z": system.element_state_names, "r": system.input_names, "p": system.symbolic}
    return tuple(other.get(array, system.speed_names))


def amounts(system: Formulation, array: str) -> list[Expression]:
    """Entries of the direction in which an array changes."""
    return list(symbols(system.graph, f"along_{array}", len(rows(system, array))))


def along(system: Formulation, arrays: Sequence[str]) -> list[Argument]:
    """A direction, as input arrays."""
    found = []
    for array, _ in variables(system, arrays):
        names, (description, units) = rows(system, array), _MEANING[array]
        entries = nodes(amounts(system, array))
        found.append(Argument(f"along_{array}", (len(names),), entries, description, units, names))
    return found


def direction(system: Formulation, arrays: Sequence[str]) -> dict[int, int]:
    """Tangent node of every symbol that moves along the direction."""
    graph = system.graph
    found: dict[int, Expression] = {}
    for array, entries in variables(system, arrays):
        given = amounts(system, array)
        if array != "q":
            found |= {entry.node: amount for entry, amount in zip(entries, given, strict=True)}
            continue
        for column, amount in zip(system.directions(), given, strict=True):
            for node, rate in column.items():
                term = Expression(graph, rate) * amount
                found[node] = found[node] + term if node in found else term
    return {node: amount.node for node, amount in found.items()}


def tangent(
    system: Formulation, slopes: Sequence[Expression], q: Sequence[Expression]
) -> list[Expression]:
    """G^T times derivatives by the coordinates: derivatives along the tangent directions."""
    by_node = {x.node: slope for x, slope in zip(q, slopes, strict=True)}
    found = []
    for column in system.directions():
        total = system.zero
        for node, rate in column.items():
            total = total + Expression(system.graph, rate) * by_node[node]
        found.append(total)
    return found


def units(system: Formulation, arrays: Sequence[str]) -> list[dict[int, int]]:
    """Tangent nodes of each direction that changes one entry of one of the arrays alone."""
    one = (system.zero + 1).node
    found: list[dict[int, int]] = []
    for array, entries in variables(system, arrays):
        if array == "q":
            found += system.directions()
        else:
            found += [{entry.node: one} for entry in entries]
    return found


def transposed(columns: Columns, height: int) -> list[list[Expression]]:
    """Rows of a matrix given by columns."""
    return [[column[i] for column in columns] for i in range(height)]
