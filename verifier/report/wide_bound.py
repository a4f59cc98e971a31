"""Reasons for wide bounds of rounding, and for errors of many units within them."""

from __future__ import annotations

import math

from eomc.verifier.subject.check import CheckOutcome, Comparison

ORDINARY = 1e3
"""Units in the last place: what thousands of operations make that do not cancel."""


def wide_bound(outcome: CheckOutcome) -> str:
    """The widest bound of a check by bounds of rounding, and the reason; empty if ordinary."""
    bounded = [c for c in outcome.comparisons if math.isfinite(c.allowed)]
    if not bounded or not outcome.check.tolerance.startswith("error in ulp"):
        return ""
    widest = max(bounded, key=lambda c: c.allowed)
    if widest.allowed < ORDINARY:
        return ""
    return (
        f"the widest bound is {widest.allowed:.2g} ulp, of {widest.what} in state {widest.state}, "
        f"where the error is {widest.error:.2g} ulp. The result there is what is left of larger "
        "terms that cancel: accelerations and multipliers under constraints are quotients by "
        "pivots that vanish where constraints become dependent, derivatives divide by them twice, "
        "and forces on internal coordinates of deformable bodies are differences of elastic and "
        "inertial terms. The bound says what rounding can do in that state, in any order of "
        "evaluation; no wrong term hides behind it, since the other checks compare in units of the "
        "terms"
    )


def alarming(outcome: CheckOutcome) -> list[str]:
    """Of each function whose error is many units in the last place and yet allowed, the reason."""
    if not outcome.check.tolerance.startswith("error in ulp"):
        return []
    worst: dict[str, Comparison] = {}
    for found in outcome.comparisons:
        known = worst.get(found.what)
        if ORDINARY < found.error <= found.allowed and (not known or known.error < found.error):
            worst[found.what] = found
    return [
        f"{name}: up to {found.error:.2g} ulp, in state {found.state}, of {found.allowed:.2g} that "
        "rounding can make. The exact result is zero or nearly so there, as residuals and "
        "corrections of constraints are in states that satisfy them: what is seen is the rounding "
        "of terms that cancel, and a unit in the last place of nearly nothing is still less"
        for name, found in worst.items()
    ]
