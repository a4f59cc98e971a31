"""Chains of N parallelograms: the cost of a step grows with N and not faster."""

from __future__ import annotations

import numpy as np
import pytest
from constraints.values import Values

import eomc
from eomc.derive.graph import flops
from eomc.systems.four_bar_chain import four_bar_chain

pytestmark = pytest.mark.variants

STEP = ("forward_dynamics", "position_correction", "velocity_correction", "constraint_residual")
"""What a projected step calls."""


def _operations(loops: int, name: str) -> int:
    program = eomc.equations(four_bar_chain(loops)).program(functions=[name])
    (function,) = program.functions
    return flops(program.graph, [node for output in function.outputs for node in output.entries])


@pytest.mark.parametrize("name", STEP)
def test_operations_are_linear(name: str) -> None:
    """Each further loop costs the same number of operations, up to folded constants."""
    counts = [_operations(n, name) for n in (4, 8, 16)]
    first, second = counts[1] - counts[0], counts[2] - counts[1]
    assert second == pytest.approx(2 * first, rel=1e-9)


def test_loops_stay_local() -> None:
    """The rows of a loop hold the three coordinates of the loop and no other."""
    values = Values(four_bar_chain(5))
    rng = np.random.default_rng(7)
    g = values("constraint_jacobian", q=values.closed(rng.normal(scale=0.5, size=15)))
    names = values.equations.coordinates
    rows = values.equations.system(()).constraints.names
    for row, entries in zip(rows, g, strict=True):
        loop = row.partition(".")[0].removeprefix("close")
        held = {names[k] for k in np.flatnonzero(entries)}
        assert held <= {f"left{loop}", f"right{loop}", f"top{loop}"}


@pytest.mark.slow
def test_compiled_steps_of_forty_loops_stay_closed() -> None:
    """Residuals at rounding after 200 steps with projection; `benchmarks.loops` times them."""
    needed = ["coordinate_rates", "normalize", "integrate", "constraint_jacobian"]
    needed += ["constraint_velocity", "constraint_bias", "mass_matrix", "bias", "inverse_dynamics"]
    model = eomc.build(four_bar_chain(40), functions=[*STEP, *needed])
    signs = np.array([-1.0 if name.startswith("top") else 1.0 for name in model.coordinates])
    q, u = model.project(0.3 * signs, 0.1 * signs)
    qs, us = model.rk4(q, u, np.zeros(model.nu), 1e-3, 200)
    assert np.abs(model.constraint_residual(qs)).max() < 1e-12
    assert np.abs(model.constraint_velocity(qs, us)).max() < 1e-12 * (1 + np.abs(us).max())
