"""The mass matrix is symmetric and positive definite."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from eomc.verifier.subject.check import Comparison, check, largest
from eomc.verifier.subject.subject import LARGEST_CONDITION, Subject

EPS = float(np.finfo(float).eps)
DIFFERENT = 1e-6
"""Of the logarithms of determinants that are not the same."""


@check(
    "mass matrix",
    compares="M(q): symmetry, and the least eigenvalue of M scaled to a unit diagonal; that "
    "forward dynamics refuses a state without numbers",
    reference="M = M^T > 0, as T = u^T M u / 2 is the energy of masses",
    tolerance="4 eps in symmetry; 8 nu eps below zero in the eigenvalue, the rounding of M; "
    f"the median condition number of random states is below {LARGEST_CONDITION:.0e}",
    needs=("mass_matrix",),
)
def mass_matrix(subject: Subject) -> Iterator[Comparison]:
    """|M - M^T| and min eig(D^-1/2 M D^-1/2), D = diag M."""
    for state in subject.states:
        matrix = subject.call("mass_matrix", state)
        scale = float(np.abs(matrix).max(initial=0.0))
        yield Comparison("symmetry", state.label, largest(matrix, matrix.T, scale), 4 * EPS)
        weights = subject.mass_weights(state)
        least = float(np.linalg.eigvalsh(matrix / np.outer(weights, weights))[0])
        yield Comparison(
            "definiteness", state.label, float(np.maximum(0.0, -least)), 8 * subject.nu * EPS
        )
    yield from _refused(subject)
    drawn = [subject.condition(state) for state in subject.states if state.is_random]
    if drawn:
        # Single states may lie near a singular one; most of them cannot.
        median = float(np.median(drawn))
        yield Comparison("median condition", "random states", median, LARGEST_CONDITION)


def _refused(subject: Subject) -> Iterator[Comparison]:
    """Forward dynamics refuses what is no number; if det M depends on q, a pivot does."""
    drawn = [state for state in subject.regular if state.is_random][:2]
    if (
        len(drawn) < 2
        or "forward_dynamics" not in subject.functions
        or subject.model.is_constrained
    ):
        return
    first, second = (np.linalg.slogdet(subject.call("mass_matrix", state))[1] for state in drawn)
    if not abs(first - second) > DIFFERENT:
        return
    lost = drawn[0].with_values(q=np.full(subject.model.nq, np.nan))
    try:
        subject.call("forward_dynamics", lost)
    except FloatingPointError:
        error = 0.0
    else:
        error = np.inf
    yield Comparison("refusal", "no numbers", error, 0.0)
