"""Why a bound of rounding is wide where it is."""

from __future__ import annotations

import math

from eomc.verify.subject.check import Outcome

ORDINARY = 1e3
"""Units in the last place: what thousands of operations make that do not cancel."""


def wide_bound(outcome: Outcome) -> str:
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
