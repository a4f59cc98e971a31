"""Multipliers with drift drawn back: rates of decay, bounded residuals, the same motion."""

from __future__ import annotations

import numpy as np
import pytest
from constraints.four_bars import planar

import eomc


@pytest.fixture(scope="module")
def linkage() -> eomc.CompiledModel:
    return eomc.build(planar())


def test_residuals_decay_at_the_rate_alpha(linkage: eomc.CompiledModel) -> None:
    """phi'' + 2 alpha phi' + alpha^2 phi = 0 from a small gap: (1 + alpha t) exp(-alpha t)."""
    start = eomc.assemble(linkage, [0.7, -0.4, 1.2])
    q = start.q + np.array([1e-7, 0, 0])  # small enough to pass as printed numbers
    gap = linkage.constraint_residual(q)
    u = linkage.dependent_speeds(q, np.zeros(3), linkage.independent_speeds(q)[0])
    alpha = 5.0
    run = eomc.simulate(
        linkage,
        q,
        u,
        t_span=1.0,
        step=0.1,
        formulation="stabilized",
        stabilization=alpha,
        rtol=1e-12,
        atol=1e-14,
    )
    decay = (1 + alpha * run.t) * np.exp(-alpha * run.t)
    expected = decay[:, None] * gap
    found = linkage.constraint_residual(run.q)
    assert np.abs(found - expected).max() < 1e-4 * np.abs(gap).max()


def test_bounded_where_plain_integration_drifts(linkage: eomc.CompiledModel) -> None:
    start = eomc.assemble(linkage, [0.7, -0.4, 1.2], {"a": 3.0})
    gaps = {}
    for alpha in (0.0, 10.0):
        run = eomc.simulate(
            linkage,
            start.q,
            start.u,
            t_span=30.0,
            step=0.1,
            formulation="stabilized",
            stabilization=alpha,
            rtol=1e-7,
            atol=1e-9,
        )
        gaps[alpha] = np.abs(linkage.constraint_residual(run.q)).max(axis=1)
    assert gaps[0.0][-50:].max() > 20 * gaps[10.0][-50:].max()
    assert gaps[10.0].max() < 1e-5


def test_the_motion_is_that_of_projection(linkage: eomc.CompiledModel) -> None:
    start = eomc.assemble(linkage, [0.7, -0.4, 1.2], {"a": 2.0})
    options = {"t_span": 2.0, "step": 0.1, "rtol": 1e-11, "atol": 1e-12}
    runs = [
        eomc.simulate(linkage, start.q, start.u, formulation=name, **options)  # type: ignore[arg-type]
        for name in ("multipliers", "stabilized")
    ]
    assert np.abs(runs[0].q - runs[1].q).max() < 1e-8


def test_what_it_does_not_take(linkage: eomc.CompiledModel) -> None:
    start = eomc.assemble(linkage, [0.7, -0.4, 1.2])
    with pytest.raises(ValueError, match="'rk4' projects its steps, which"):
        eomc.simulate(linkage, start.q, start.u, t_span=1.0, formulation="stabilized", method="rk4")
    with pytest.raises(ValueError, match="stabilization is -1"):
        eomc.simulate(
            linkage, start.q, start.u, t_span=1.0, formulation="stabilized", stabilization=-1.0
        )
