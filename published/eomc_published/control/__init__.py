"""Optimal control: discrete steps with derivatives, and optima by multiple shooting.

Expected values are closed forms, or optima on which solvers with other codes agree: expressions of
CasADi written by hand, SciPy's SLSQP by single shooting, Pinocchio's derivatives.
"""

from __future__ import annotations

from eomc_published.control import closed_forms, predictive, reaches, steps, swing_ups
from eomc_published.work import PublishedWork

REFERENCE = PublishedWork(
    name="control",
    title="Optimal control by multiple shooting, predictive control",
    citation="Betts, Practical Methods for Optimal Control and Estimation, 2nd ed., SIAM 2010",
    cases=tuple(
        sorted(
            (
                *steps.CASES,
                *swing_ups.CASES,
                *closed_forms.CASES,
                *reaches.CASES,
                *predictive.CASES,
            ),
            key=lambda case: case.number,
        )
    ),
    figures=(),
)
