"""Independent rows may vanish where an over-constrained loop is open: the others tell."""

from __future__ import annotations

import numpy as np
import pytest
from constraints.four_bars import spatial
from constraints.mechanisms import four_bar
from constraints.test_linkages import bennett, moved, report
from constraints.values import Values, near

import eomc


@pytest.fixture(scope="module")
def linkage() -> eomc.CompiledModel:
    return eomc.build(bennett().cut_at(2))


def guesses() -> list[np.ndarray]:
    return [np.random.default_rng(seed).uniform(-1.5, 1.5, size=3) for seed in range(20)]


def test_bennett_closes_or_is_told_not_to() -> None:
    ring = bennett()
    values = Values(ring.cut_at(2))
    q = np.array([ring.q_of[name] for name in values.equations.coordinates])
    rows = len(report(values).rows)
    assert all(
        near(values("closure_residual", q=x), np.zeros(rows), 1e-12) for x in moved(values, q, 5)
    )
    gaps = []
    for guess in guesses():
        far = values.closed(guess)
        if np.abs(values("constraint_residual", q=far)).max() < 1e-12:
            gaps.append(np.abs(values("closure_residual", q=far)).max())
    assert len(gaps) > 5 and max(gaps) > 0.1  # the independent rows alone would not tell


def test_what_is_assembled_is_closed_in_all_rows(linkage: eomc.CompiledModel) -> None:
    closed = 0
    for guess in guesses():
        try:
            found = eomc.assemble(linkage, guess)
        except eomc.runtime.errors.AssemblyError as error:
            assert "keeps the residual" in str(error)
            continue
        closed += 1
        assert np.abs(linkage.closure_residual(found.q)).max() < 1e-12
        assert len(found.multipliers) == len(found.acceleration) == 2  # of the independent rows
        assert len(found.residual) == len(found.velocity) == 5
        assert np.abs(found.residual).max() < 1e-12 and np.abs(found.velocity).max() < 1e-12
    assert closed >= 15


def test_compiled_solvers_refuse_what_is_open(linkage: eomc.CompiledModel) -> None:
    refused = 0
    for guess in guesses():
        try:
            q, _ = linkage.project(guess, np.zeros(3), max_steps=50)
        except FloatingPointError as error:
            assert "no_convergence" in str(error) or "singular" in str(error)
            refused += 1
            continue
        assert np.abs(linkage.closure_residual(q)).max() < 1e-7
    assert 0 < refused < 20


@pytest.mark.slow
def test_solvers_compiled_later_refuse_the_same(linkage: eomc.CompiledModel) -> None:
    later, _ = eomc.build(bennett().cut_at(2), functions=["mass_matrix"]).solver("project")
    for guess in guesses():
        try:
            expected, _ = linkage.project(guess, np.zeros(3), max_steps=50)
        except FloatingPointError:
            with pytest.raises(FloatingPointError):
                later(guess, np.zeros(3), max_steps=50)
            continue
        assert near(later(guess, np.zeros(3), max_steps=50)[0], expected, 1e-12)


def test_the_closure_jacobian_is_the_derivative(linkage: eomc.CompiledModel) -> None:
    q, h = guesses()[0], 1e-6
    columns = [
        (linkage.closure_residual(q + h * e) - linkage.closure_residual(q - h * e)) / (2 * h)
        for e in np.eye(3)
    ]
    assert near(linkage.closure_jacobian(q), np.array(columns).T, 1e-9)
    assert linkage.closure_jacobian(q).shape == (5, 3)


def test_only_over_constrained_models_carry_it(linkage: eomc.CompiledModel) -> None:
    assert "closure_residual" in linkage.manifest["functions"]
    assert len(linkage.manifest["metadata"]["redundant"]) == 3
    names = {function.name for function in eomc.equations(spatial()).program().functions}
    assert "closure_residual" not in names and "constraint_residual" in names


def test_rows_that_are_numbers_are_left_out() -> None:
    values = Values(four_bar())
    q = values.closed(np.array([1.0, -0.5, 1.5]))
    assert near(values("closure_residual", q=q), np.zeros(2), 1e-13)


def test_nothing_starts_from_an_open_loop(linkage: eomc.CompiledModel) -> None:
    """A configuration where the independent rows vanish, but not the others."""
    values = Values(bennett().cut_at(2))
    found = [values.closed(guess) for guess in guesses()]
    q = next(
        x
        for x in found
        if np.abs(linkage.constraint_residual(x)).max() < 1e-12
        and np.abs(linkage.closure_residual(x)).max() > 0.1
    )
    with pytest.raises(eomc.runtime.errors.ConstraintError, match="violates constraint"):
        eomc.simulate(linkage, q, t_span=0.1, assemble=False)
    with pytest.raises(eomc.runtime.errors.LinearizationError, match="violates constraint"):
        eomc.linearize(linkage, q=q)
    with pytest.raises(eomc.runtime.errors.EquilibriumError, match="is open"):
        eomc.equilibrium(linkage, q)
