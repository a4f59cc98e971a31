"""Quantities of which each link has one, told to the graph for who computes several links at once.

What follows from the quantities of one link alone is the same step of every link
(`Graph.bodies`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain

from eomc.derive.geometry import Symmetric, Vector
from eomc.derive.geometry.dyad import Dyad
from eomc.derive.graph import Expression

Quantity = Vector | Symmetric | Dyad


def of_each_link(*quantities: Sequence[Quantity]) -> None:
    """Each argument is one quantity of all links, base to tip."""
    for quantity in quantities:
        for entries in zip(*map(_entries, quantity), strict=True):
            first = entries[0]
            first.graph.bodies.append(tuple(entry.node for entry in entries))


def _entries(quantity: Quantity) -> Iterator[Expression]:
    if isinstance(quantity, Dyad):
        return chain.from_iterable(quantity.columns)
    return iter(quantity.entries if isinstance(quantity, Symmetric) else quantity)
