"""The place from which each piece of a function counts the slots of the work array.

An instruction names a place in memory by a register and a distance. Distances of one byte, which
count vectors where these have 64 bytes (EVEX), reach 128 vectors back and 127 forth; others take
four bytes. So each piece is given the place from which the most of what it touches is in reach.

Reference: Intel, *64 and IA-32 Architectures Software Developer's Manual*, vol. 2, sec. 2.7.5
(disp8*N).
"""

from bisect import bisect_left
from collections.abc import Iterable

from eomc.codegen.plan.partition import Partition
from eomc.codegen.plan.schedule import Schedule

REACH = 128
COUNTED = 64
"""Bytes of the vectors that such distances count; of shorter ones few are in reach."""


def touched(plan: Schedule, parts: Partition, piece: range) -> set[int]:
    """Slots that a piece reads or writes, each once."""
    nodes = {node for position in piece for node in (plan.order[position], *plan.reads[position])}
    return {parts.slots[node] for node in nodes if node in parts.slots}


def origin(slots: Iterable[int]) -> int:
    """The slot to count from; the first where all are in its reach.

    >>> origin([0, 100]), origin([0, 300, 310])
    (0, 300)
    """
    places = sorted(slots)
    starts = [0, *(place + REACH for place in places), *places]
    return max(
        starts,
        key=lambda start: (
            bisect_left(places, start + REACH) - bisect_left(places, start - REACH),
            -start,
        ),
    )
