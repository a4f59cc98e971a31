"""Quantities of which each link has one, told to the graph for who computes several links at once.

What follows from the quantities of one link alone is the same step of every link
(`Graph.bodies`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain

from eomc.derive.geometry import Acceleration, SpatialForce, SpatialMotion, Symmetric, Vector
from eomc.derive.geometry.dyad import Dyad
from eomc.derive.graph import Expression
from eomc.derive.graph.tuning import FEWEST_LINKS

Quantity = Vector | Symmetric | Dyad


def of_each_link(quantity: Sequence[Quantity]) -> None:
    """Of all links, base to tip."""
    if len(quantity) < FEWEST_LINKS:
        return
    for entries in zip(*map(_entries, quantity), strict=True):
        graph = entries[0].graph
        graph.bodies.append(tuple(entry.node for entry in entries))


def of_each_vector(*quantities: Sequence[SpatialMotion] | Sequence[SpatialForce]) -> None:
    """Of spatial vectors: the angular parts of all quantities, then the linear parts."""
    for quantity in quantities:
        of_each_link([vector.angular for vector in quantity])
    for quantity in quantities:
        of_each_link([vector.linear for vector in quantity])


def of_each_motion(motion: Sequence[Acceleration]) -> None:
    """Angular velocity, its rate, and acceleration of the origin."""
    of_each_link([at.w for at in motion])
    of_each_link([at.alpha for at in motion])
    of_each_link([at.a for at in motion])


def _entries(quantity: Quantity) -> Iterator[Expression]:
    if isinstance(quantity, Dyad):
        return chain.from_iterable(quantity.columns)
    return iter(quantity.entries if isinstance(quantity, Symmetric) else quantity)
