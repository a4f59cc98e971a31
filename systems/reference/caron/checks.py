"""Comparisons in the words of the sheet: within a part of the value, in a range."""

from __future__ import annotations

from eomc.systems.reference.case import Check, holds


def within(quantity: str, expected: float, got: float, part: float) -> Check:
    """Equal within `part` of the expected value.

    >>> within("amplitude", 3.03, 3.05, 0.05).passed
    True
    """
    bound = part * abs(expected)
    deviation = abs(got - expected)
    return Check(quantity, expected, float(got), bound, bool(deviation <= bound), float(deviation))


def between(quantity: str, low: float, got: float, high: float) -> Check:
    """In a range, its ends included."""
    return holds(quantity, f"{low:g} to {high:g}", f"{got:.6g}", low <= got <= high)
