"""Base parameters in symbols: as many as forces tell apart, and nothing else matters."""

from __future__ import annotations

import numpy as np
import pytest
from dynamics.test_regressor import bodies, branched

import eomc
from eomc.derive.model import ModelError

MODELS = "examples/models"


def stacked(equations: eomc.Equations, motions: int, seed: int = 9) -> np.ndarray:
    """(motions nu, parameters): regressors at random motions that the product did not see."""
    rng = np.random.default_rng(seed)
    Y, _ = equations.regressor
    sizes = {argument.name: argument.shape for argument in Y.inputs}
    rows = []
    for _ in range(motions):
        at = {name: rng.uniform(-2, 2, shape) for name, shape in sizes.items()}
        at["q"] = np.ravel(equations.normalize.evaluate(q=at["q"]))
        rows.append(Y.evaluate(**at))
    return np.concatenate(rows)


def is_in_the_span(rows: np.ndarray, base: np.ndarray) -> bool:
    """Whether all rows are combinations of those of `base`."""
    told = np.linalg.lstsq(base.T, rows.T, rcond=None)[0]
    return bool(np.abs(base.T @ told - rows.T).max() < 1e-9 * np.abs(rows).max())


@pytest.mark.parametrize(
    ("name", "number"),
    [("pendulum", 3), ("double_pendulum", 6), ("furuta", 8), ("panda", 43), ("quadcopter", 19)],
)
def test_they_are_what_forces_tell(name: str, number: int) -> None:
    """The number of Panda's is that of Gautier and Khalil for arms of its kind, 43."""
    equations = eomc.equations(f"{MODELS}/{name}.toml")
    base = equations.base_parameters()
    Y = stacked(equations, motions=3 * len(base.parameters) // len(equations.speeds) + 2)
    rank = np.linalg.matrix_rank(Y, tol=1e-9 * np.linalg.norm(Y))
    assert len(base) == number == rank == np.linalg.matrix_rank(base.matrix)
    assert is_in_the_span(Y, base.matrix)


def test_any_tree() -> None:
    """Floating, spherical, welded, mimic and slanted."""
    equations = eomc.equations(branched(bodies()))
    base = equations.base_parameters()
    Y = stacked(equations, motions=12)
    assert len(base) == np.linalg.matrix_rank(Y, tol=1e-9 * np.linalg.norm(Y))
    assert is_in_the_span(Y, base.matrix)


def test_their_expressions_are_their_numbers() -> None:
    import sympy as sp

    equations = eomc.equations(f"{MODELS}/panda.toml")
    base = equations.base_parameters()
    pi = np.random.default_rng(0).normal(size=len(base.parameters))
    values = {
        sp.Symbol("_".join(reversed(name.rsplit(".", 1)))): value
        for name, value in zip(base.parameters, pi, strict=True)
    }
    values |= {sp.Symbol(name): p.default for name, p in equations.declared.items()}
    told = [float(expression.subs(values)) for expression in base.expressions]
    np.testing.assert_allclose(told, base.matrix @ pi, rtol=1e-10, atol=1e-12)


def test_a_turn_along_the_weight_tells_one_number() -> None:
    base = eomc.equations(f"{MODELS}/furuta.toml").base_parameters()
    assert [name for name in base.names if name.startswith("motor")] == ["motor.Jzz"]
    assert "motor.hx" in base.ineffective


def test_loops_are_refused_by_name() -> None:
    with pytest.raises(ModelError, match="'four_bar' has loops or constraints"):
        eomc.equations(f"{MODELS}/four_bar.toml").base_parameters()
