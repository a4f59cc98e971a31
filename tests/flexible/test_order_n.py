"""Chains of flexible units: accelerations in O(N), equal to those of the dense equations."""

from __future__ import annotations

from functools import cache

import mpmath
import numpy as np
import pytest
from dynamics.evaluation import DIGITS, exact_value, value

import eomc
from eomc.derive.bodies import Beam
from eomc.derive.equations import Equations
from eomc.derive.model import Model

UNITS = (5, 20, 80)
BOOM = Beam(length=2.0, mass_per_length=1.5, EI=300.0, modes=(2, 1), damping=0.01)


@cache
def chain(units: int) -> Equations:
    """Booms hinged one to the tip of another, about z and y in turn."""
    model = Model("chain", gravity=(0, 0, -9.81))
    parent = "world"
    for k in range(units):
        model.deformable(f"boom{k}", BOOM)
        axis = (0, 1, 0) if k % 2 else (0, 0, 1)
        model.joint(f"hinge{k}", "revolute", parent=parent, child=f"boom{k}", axis=axis)
        model.attachment(f"tip{k}", body=f"boom{k}", at="tip")
        parent = f"tip{k}"
    return eomc.equations(model)


@pytest.mark.slow
def test_operations_grow_linearly() -> None:
    counts = [chain(units).system(()).forward.operations for units in UNITS]
    assert np.polyfit(np.log(UNITS), np.log(counts), 1)[0] < 1.15
    # Each further unit costs the same.
    slopes = np.diff(counts) / np.diff(UNITS)
    assert np.ptp(slopes) < 0.01 * slopes.max()


@pytest.mark.slow
@pytest.mark.parametrize("units", [5, 20])
def test_accelerations_are_those_of_the_dense_equations(units: int) -> None:
    """Solved in 40 digits: M of 20 units has a condition number of 7e8, and rounding its entries
    alone moves the accelerations further than they may differ here."""
    equations = chain(units)
    system = equations.system(())
    assert system.forward is system.forward_articulated
    nu, rng = len(equations.speeds), np.random.default_rng(units)
    scale = np.where(["boom" in name for name in equations.speeds], 0.02, 0.5)
    q, u = (scale * rng.uniform(-1, 1, nu) for _ in range(2))
    tau = rng.normal(size=nu)
    mass, bias = (
        exact_value(equations, "mass_matrix", q=q),
        exact_value(equations, "bias", q=q, u=u),
    )
    with mpmath.workdps(DIGITS):
        solution = mpmath.lu_solve(mpmath.matrix(mass.tolist()), mpmath.matrix(list(tau - bias)))
    dense = np.array([float(entry) for entry in solution])
    got = value(equations, "forward_dynamics", q=q, u=u, tau=tau)
    assert got == pytest.approx(dense, rel=1e-10, abs=1e-10 * np.abs(dense).max())
