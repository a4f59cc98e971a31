"""Values computed late: statements of a long function moved down to where they are first used.

The recursion makes some values long before anything needs them: a link's inertia times its speed
may wait for a derivative hundreds of statements on. Each then costs a store, a load, and a place in
the first-level cache meanwhile. Such a statement can as well stand right before its first user, if
there are no more values to keep instead of the one it computes (code sinking; Muchnick, Advanced
Compiler Design and Implementation, 1997, section 13.3).

Of the derivatives of forward dynamics of 29 joints every eighth statement moves.
"""

from collections.abc import Collection, Sequence

from eomc.derive.graph.tuning import NEAR_USE


def sunk(
    order: Sequence[int], reads: Sequence[tuple[int, ...]], fixed: Collection[int]
) -> list[int]:
    """``order`` with statements moved down; those of ``fixed`` nodes stay.

    reads : for each statement the statement nodes that it refers to

    Users are placed before what they use: from the last statement to the first, each goes to the
    *place* of its first user, where statements keep the order among themselves that they had.
    """
    where = {node: k for k, node in enumerate(order)}
    place = list(range(len(order)))
    first_use: dict[int, int] = {}
    last_use: dict[int, int] = {}
    for k in reversed(range(len(order))):
        node = order[k]
        if node in first_use and node not in fixed:
            target = first_use[node]
            kept_longer = [read for read in reads[k] if last_use.get(read, where[read]) < target]
            if target - k > NEAR_USE and len(kept_longer) <= 1:
                place[k] = target
        for read in reads[k]:
            first_use[read] = min(first_use.get(read, place[k]), place[k])
            last_use[read] = max(last_use.get(read, place[k]), place[k])
    return sorted(order, key=lambda node: (place[where[node]], where[node]))
