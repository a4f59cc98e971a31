"""Independent rows may vanish where an over-constrained loop is open: the others tell."""

from __future__ import annotations

import numpy as np
from constraints.mechanisms import four_bar
from constraints.test_linkages import bennett, moved, report
from constraints.values import Values, near


def test_bennett_closes_or_is_told_not_to() -> None:
    ring = bennett()
    values = Values(ring.cut_at(2))
    q = np.array([ring.q_of[name] for name in values.equations.coordinates])
    rows = len(report(values).rows)
    assert all(near(values("closure_residual", q=x), np.zeros(rows), 1e-12)
               for x in moved(values, q, 5))  # fmt: skip
    gaps = []
    for seed in range(20):
        far = values.closed(np.random.default_rng(seed).uniform(-1.5, 1.5, size=3))
        if np.abs(values("constraint_residual", q=far)).max() < 1e-12:
            gaps.append(np.abs(values("closure_residual", q=far)).max())
    assert len(gaps) > 5 and max(gaps) > 0.1  # the independent rows alone would not tell


def test_rows_that_are_numbers_are_left_out() -> None:
    values = Values(four_bar())
    q = values.closed(np.array([1.0, -0.5, 1.5]))
    assert near(values("closure_residual", q=q), np.zeros(2), 1e-13)
