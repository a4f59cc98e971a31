"""A chain of loops: right, and linear in its number of loops."""

from __future__ import annotations

import numpy as np
import pytest
from constraints.values import Values, near

import eomc
from eomc.binding.arrays import Array
from eomc.derive.graph import flops
from eomc.derive.model import ModelError
from eomc.systems.four_bar_chain import four_bar_chain


def closed_state(values: Values, seed: int) -> tuple[Array, Array]:
    """(x, -x, x) in every loop, and its rates."""
    rng = np.random.default_rng(seed)
    signs = {"left": 1, "top": -1, "right": 1}
    names = values.equations.coordinates
    loops = len(names) // 3
    at, rate = rng.uniform(-1, 1, size=loops), rng.normal(size=loops)
    heads = [name.rstrip("0123456789") for name in names]
    places = [
        (signs[head], int(name.removeprefix(head)) - 1)
        for head, name in zip(heads, names, strict=True)
    ]
    return (
        np.array([sign * at[k] for sign, k in places]),
        np.array([sign * rate[k] for sign, k in places]),
    )


@pytest.mark.parametrize("loops", [1, 2, 5])
def test_accelerations_solve_the_dense_equations(loops: int) -> None:
    """Gauss's elimination of the whole system [M -G^T; G 0]."""
    values = Values(four_bar_chain(loops, damping=0.2))
    q, u = closed_state(values, loops)
    assert near(values("constraint_residual", q=q), np.zeros(2 * loops), 1e-14)
    assert near(values("constraint_velocity", q=q, u=u), np.zeros(2 * loops), 1e-13)
    n = 3 * loops
    tau = np.random.default_rng(1).normal(size=n)
    jacobian = values("constraint_jacobian", q=q)
    whole = np.block(
        [[values("mass_matrix", q=q), -jacobian.T], [jacobian, np.zeros((2 * loops,) * 2)]]
    )
    right = np.concatenate([tau - values("bias", q=q, u=u), -values("constraint_bias", q=q, u=u)])
    expected = np.linalg.solve(whole, right)[:n]
    assert near(values("forward_dynamics", q=q, u=u, tau=tau), expected, 1e-10)


def test_operations_grow_linearly() -> None:
    """Exponent at most 1.15 for a step."""
    loops = (5, 10, 20, 40)
    counts = [eomc.equations(four_bar_chain(n)).system(()).forward.operations for n in loops]
    assert np.polyfit(np.log(loops), np.log(counts), 1)[0] < 1.15


@pytest.mark.slow
@pytest.mark.parametrize("name", ["forward_dynamics_derivatives", "linearization"])
def test_operations_of_derivatives_grow_quadratically(name: str) -> None:
    """Exactly so: third differences of the counts vanish."""
    counts = []
    for loops in range(2, 7):
        program = eomc.equations(four_bar_chain(loops)).program(functions=[name])
        counts.append(flops(program.graph, program.functions[0].nodes))
    assert np.diff(counts, 2).min() > 0
    assert not np.diff(counts, 3).any()


def test_there_is_at_least_one_loop() -> None:
    with pytest.raises(ModelError, match="n is 0"):
        four_bar_chain(0)
