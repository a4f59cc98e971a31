"""Entries of an output that are zero in every state: several at once, between other statements.

A core stores while it computes, if it finds stores beside operations; a long row of stores, or a
loop over them, leaves its arithmetic idle.
"""

from collections.abc import Sequence


def runs(places: Sequence[int]) -> list[range]:
    """Places that follow each other, together."""
    found: list[range] = []
    for place in places:
        if found and found[-1].stop == place:
            found[-1] = range(found[-1].start, place + 1)
        else:
            found.append(range(place, place + 1))
    return found


def side_by_side(run: range, width: int) -> list[range]:
    """A run as pieces of `width`, the last of which may cover some places again; what is shorter,
    place by place."""
    if len(run) < width:
        return [range(place, place + 1) for place in run]
    starts = list(range(run.start, run.stop - width + 1, width))
    if starts[-1] + width < run.stop:
        starts.append(run.stop - width)
    return [range(start, start + width) for start in starts]


def between(texts: Sequence[str], stores: Sequence[int]) -> dict[int, list[str]]:
    """Texts in their order, each before one of the statements that make so many ``stores`` of their
    own, so that all stores together come evenly.

    >>> between(["y[0] = 0;", "y[1] = 0;"], [2, 0, 0])
    {2: ['y[0] = 0;', 'y[1] = 0;']}
    """
    found: dict[int, list[str]] = {}
    total, last = len(texts) + sum(stores), len(stores) - 1
    given = stored = 0
    for position, count in enumerate(stores):
        due = total * position // len(stores) - stored
        end = len(texts) if position == last else min(max(due, given), len(texts))
        if end > given:
            found[position] = list(texts[given:end])
            given = end
        stored += count
    return found
