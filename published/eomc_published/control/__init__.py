"""Optimal control: discrete steps with derivatives, and optima by shooting and collocation.

Expected values are closed forms, or optima on which solvers with other codes agree: expressions of
CasADi written by hand, SciPy's SLSQP by single shooting, Pinocchio's derivatives.
"""

from __future__ import annotations

from eomc_published.control import (
    closed_forms,
    other_unknowns,
    predictive,
    reaches,
    solutions,
    steps,
    swing_ups,
)
from eomc_published.work import PublishedWork

REFERENCE = PublishedWork(
    name="control",
    title="Optimal control by shooting and collocation, predictive control",
    citation="Betts, Practical Methods for Optimal Control and Estimation, 2nd ed., SIAM 2010",
    cases=tuple(
        sorted(
            (
                *steps.CASES,
                *swing_ups.CASES,
                *closed_forms.CASES,
                *reaches.CASES,
                *other_unknowns.CASES,
                *solutions.CASES,
                *predictive.CASES,
            ),
            key=lambda case: case.number,
        )
    ),
    figures=(),
)
