"""Numbers of operations of a function, in words."""

from collections.abc import Mapping

_NAMES = {"add": "additions", "sub": "subtractions", "mul": "products", "div": "divisions"}


def summary(counts: Mapping[str, int]) -> str:
    """One sentence: the total and each kind of operation.

    >>> summary({"add": 3, "mul": 2, "sin": 1})
    '6 operations: 3 additions, 2 products, 1 sin.'
    """
    total = sum(counts.values())
    if not total:
        return "No operations."
    order = [*_NAMES, *(op for op in counts if op not in _NAMES)]
    parts = [f"{counts[op]} {_NAMES.get(op, op)}" for op in order if op in counts]
    return f"{total} operations: {', '.join(parts)}."
