"""The compiled state space of open chains, against the linearization of the runtime."""

from __future__ import annotations

import numpy as np
import pytest

import eomc
from eomc.runtime import linearize
from eomc.runtime.names.displacement_names import displacement_names


@pytest.mark.parametrize("name", ["drone", "slider"])
def test_all_four_matrices(name: str, request: pytest.FixtureRequest) -> None:
    """Body rates, an input and losses in the one; a plain pendulum on a slider in the other."""
    model: eomc.CompiledModel = request.getfixturevalue(name)
    shown = [
        *displacement_names(model.coordinates, model.speeds),
        *(f"speed({speed})" for speed in model.speeds),
        *(f"acceleration({speed})" for speed in model.speeds),
    ]
    for seed in range(3):
        rng = np.random.default_rng(seed)
        q, u, tau = model.random_configuration(rng), *rng.normal(size=(2, model.nu))
        inputs = rng.normal(size=len(model.inputs)) if model.inputs else None
        linear = linearize(model, q=q, u=u, tau=tau, inputs=inputs, outputs=shown)
        found = model.state_space(q, u, tau, *([] if inputs is None else [inputs]))
        for got, expected in zip(found, (linear.A, linear.B, linear.C, linear.D), strict=True):
            assert got.shape == expected.shape
            assert np.abs(got - expected).max() < 1e-10 * (1 + np.abs(expected).max())


@pytest.mark.slow
def test_a_long_chain_by_differences_of_its_flow() -> None:
    """Twenty links, whose derivatives go by articulated inertias."""
    model = eomc.Model("rope", gravity=(0, 0, -9.81))
    parent = "world"
    for k in range(20):
        model.body(f"b{k}", mass=1, com=(0, 0, -0.5), inertia=(0.1, 0.1, 0.01))
        model.joint(
            f"j{k}",
            "revolute",
            parent=parent,
            child=f"b{k}",
            axis=(0, 1, 0),
            placement=(0, 0, -float(k > 0)),
            damping=0.1,
        )
        parent = f"b{k}"
    built = eomc.build(model, functions=["forward_dynamics", "state_space"], flags=("-O0",))
    rng = np.random.default_rng(0)
    q, u, tau = rng.normal(scale=0.3, size=(3, 20))
    a, b, _, _ = built.state_space(q, u, tau)
    h = 1e-6
    for k in range(20):
        step = h * np.eye(20)[k]
        for column, (dq, du, dtau) in (
            (a[20:, k], (step, 0, 0)),
            (a[20:, 20 + k], (0, step, 0)),
            (b[20:, k], (0, 0, step)),
        ):
            ahead = built.forward_dynamics(q + dq, u + du, tau + dtau)
            behind = built.forward_dynamics(q - dq, u - du, tau - dtau)
            slope = (ahead - behind) / (2 * h)
            assert np.abs(slope - column).max() < 1e-6 * (1 + np.abs(a).max())
    assert (a[:20] == np.hstack([np.zeros((20, 20)), np.eye(20)])).all()
