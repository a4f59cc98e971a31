"""Losses of cut joints against virtual power on their rates by least squares."""

from __future__ import annotations

import numpy as np
import pytest
from constraints.test_cut_joints import FREEDOMS, _pair
from constraints.values import Values, near

from eomc.verifier.witness.declaration import mechanism
from eomc.verifier.witness.newton_euler import NewtonEuler

pytestmark = pytest.mark.variants


@pytest.mark.parametrize("kind", [kind for kind in FREEDOMS if kind != "fixed"])
def test_newton_euler_has_the_losses_of_cut_joints(kind: str) -> None:
    """Also where the loop is open; the same forces by wrenches and by least squares."""
    model = _pair(kind, cut=True, damping=0.6, friction=0.4, friction_speed=0.7)
    values = Values(model)
    rng = np.random.default_rng(9)
    for _ in range(3):
        q = values("integrate", q=values("neutral"), du=rng.uniform(-1, 1, size=12))
        u, a = rng.normal(size=12), rng.normal(size=12)
        empty = np.zeros(0)
        at = {
            "q": q,
            "u": u,
            "a": a,
            "s": empty,
            "s_rate": empty,
            "s_acceleration": empty,
            "r": empty,
            "t": np.zeros(()),
        }
        reference = NewtonEuler(mechanism(model), at)
        assert near(
            values("inverse_dynamics", q=q, u=u, a=a), reference.inverse_dynamics()[0], 1e-12
        )
        assert np.abs(reference.loads()[1]).max() > 0.01
