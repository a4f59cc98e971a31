"""Large functions in bounded pieces over a work array.

Compilers allocate registers in time and memory that grow faster than the length of a function. A
function of more than `WHOLE_LIMIT` statements is therefore cut into non-inlined pieces of about
`PIECE_SIZE` statements. A value used only within its piece stays a local variable; one that crosses
a cut gets a slot of the work array. A slot is free for another value once the last piece that reads
it has run, so the array is as large as the widest cut, not as the function.

With gcc 12 -O2 a mass matrix of 3 400 statements (30 joints) takes 1.5 s whole and 0.9 s in pieces,
forward dynamics of 8 200 statements 10 s and 1.9 s, derivatives of 21 500 statements (20 joints)
53 s with 1.2 GB and 6.8 s with 0.24 GB. Pieces run as fast as the whole, or up to a fifth faster,
from some 600 statements on, for their frames are small: what a long function keeps on the stack is
addressed by four bytes instead of one. Any size of theirs between 250 and 1000 statements will do.
Small functions stay whole because they read better.

A compiler keeps the whole of a file in memory, about 8 kB a statement. A file takes functions until
it has `FILE_LIMIT` statements; a longer function has its pieces in several files, so that this
limit bounds the memory however large the model. Files compile side by side: 5 000 statements take
gcc about a second, so that the cores of a machine share a model that takes longer.
"""

import heapq
import itertools
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from eomc.codegen.plan.schedule import Schedule
from eomc.codegen.plan.stored import Stored
from eomc.derive.graph.tuning import FILE_LIMIT, PIECE_SIZE, WHOLE_LIMIT


@dataclass(frozen=True)
class PieceLimits:
    """Statements of a function that stays whole, of a piece, and of a file."""

    whole: int = WHOLE_LIMIT
    piece: int = PIECE_SIZE
    file: int = FILE_LIMIT


@dataclass(frozen=True)
class FunctionPartition:
    """Cuts of a function, and the values that cross them.

    pieces : slices of ``Schedule.order``; a cut function's opening comes before them
    slots : work-array index of each node that crosses a cut
    work : length of the work array
    live : largest number of values alive at one time, those in the work array included
    """

    pieces: list[range]
    slots: dict[int, int]
    work: int
    live: int


def partition(
    plan: Schedule,
    kept: Iterable[int] = (),
    *,
    whole_limit: int = WHOLE_LIMIT,
    piece_size: int = PIECE_SIZE,
    opening: int = 0,
    placed: Mapping[int, int] | None = None,
    reserved: int = 0,
    stored: Stored | None = None,
) -> FunctionPartition:
    """Cut ``plan``; the values of ``kept`` nodes stay readable after the last piece.

    The first ``opening`` statements stand before the pieces, in the function that calls them. The
    values of ``placed`` nodes have their slots, among the first ``reserved`` ones. Rows that are
    ``stored`` have slots in any case, and numbers that stand in one need none.
    """
    count = len(plan.order)
    last_use = {node: position for position, node in enumerate(plan.order)}
    for position, reads in enumerate(plan.reads):
        for node in reads:
            last_use[node] = position
    for node in kept:
        if node in last_use:
            last_use[node] = count
    for node, places in (stored.places if stored else {}).items():
        for pack, _, _ in places:
            last_use[pack] = max(last_use[pack], last_use[node])
    parts = -(-(count - opening) // piece_size)
    if count <= whole_limit or parts < 2:
        return FunctionPartition([range(count)], {}, 0, _most_alive(plan, last_use))
    cuts = [opening + (count - opening) * part // parts for part in range(parts + 1)]
    pieces = [range(a, b) for a, b in itertools.pairwise(cuts)]
    parted = [range(opening), *pieces] if opening else pieces
    slots, work = _assign_slots(plan, parted, last_use, placed or {}, reserved, stored)
    return FunctionPartition(pieces, slots, work, _most_alive(plan, last_use))


def _assign_slots(
    plan: Schedule,
    pieces: list[range],
    last_use: dict[int, int],
    placed: Mapping[int, int],
    work: int,
    stored: Stored | None,
) -> tuple[dict[int, int], int]:
    """Slots by liveness at the granularity of pieces; the lowest free one first."""
    slots = dict(placed)
    always = stored.rows if stored else frozenset()
    free: list[int] = []
    busy: list[tuple[int, int]] = []  # (position of the last read, slot)
    for piece in pieces:
        while busy and busy[0][0] < piece.start:
            heapq.heappush(free, heapq.heappop(busy)[1])
        for position in piece:
            node = plan.order[position]
            needing = [] if stored is None else [*stored.begins.get(node, ())]
            crosses = last_use[node] >= piece.stop and node not in placed
            if (crosses and (stored is None or stored.home(node) is None)) or node in always:
                needing.append(node)
            for each in needing:
                if free:
                    slot = heapq.heappop(free)
                else:
                    slot, work = work, work + 1
                slots[each] = slot
                heapq.heappush(busy, (last_use[each], slot))
    return slots, work


def _most_alive(plan: Schedule, last_use: dict[int, int]) -> int:
    """The largest number of values that wait for a later use after some statement."""
    ends = [0] * (len(plan.order) + 2)
    alive = most = 0
    for position, node in enumerate(plan.order):
        alive -= ends[position]
        if last_use[node] > position:
            alive += 1
            ends[last_use[node]] += 1
        most = max(most, alive)
    return most
