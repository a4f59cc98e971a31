"""Eigenvalues followed along a parameter, against closed forms, with few values and with many."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import numpy as np
import pytest

import eomc
from eomc.runtime.plot.linear_models import connected

COUNTS = (12, 40, 400, 4000)
SPACINGS: dict[str, Callable[[np.ndarray], np.ndarray]] = {
    "even": lambda x: x,
    "denser at the start": lambda x: x**1.5,
}


@cache
def pair(coupling: float) -> eomc.CompiledModel:
    """Two masses of 1 kg on springs of 1 + p and 3 - p, with a spring between them."""
    model = eomc.Model("pair", gravity=(0, 0, 0))
    model.parameter("p", 0.0)
    for k, stiffness in enumerate(("1 + p", "3 - p")):
        model.body(f"m{k}", mass=1)
        model.joint(f"x{k}", "prismatic", parent="world", child=f"m{k}", axis=(1, 0, 0))
        pull = f"-({stiffness})*x{k} - {coupling}*(x{k} - x{1 - k})"
        model.generalized_force(f"pull{k}", speed=f"x{k}", expression=pull)
    return eomc.build(model, tunable="all")


def rows(model: eomc.CompiledModel, values: np.ndarray) -> list[np.ndarray]:
    """Eigenvalues above the real axis in the order that LAPACK gives them."""
    found = []
    for p in values:
        all_of = eomc.linearize(model, parameters={"p": float(p)}).modes().eigenvalues
        found.append(all_of[all_of.imag > 0])
    return found


@pytest.mark.parametrize("spacing", SPACINGS)
@pytest.mark.parametrize("count", COUNTS[:2])
def test_what_is_not_coupled_crosses(count: int, spacing: str) -> None:
    values = 2.0 * SPACINGS[spacing](np.linspace(0, 1, count))
    found = connected(rows(pair(0.0), values), values).imag
    first, second = np.sqrt(1 + values), np.sqrt(3 - values)
    expected = np.sort(np.array([first[0], second[0]]))
    assert np.sort(found[0]) == pytest.approx(expected, rel=1e-9)
    assert found[:, np.argmin(found[0])] == pytest.approx(first, rel=1e-9)
    assert found[:, np.argmax(found[0])] == pytest.approx(second, rel=1e-9)


@pytest.mark.parametrize("spacing", SPACINGS)
@pytest.mark.parametrize("count", COUNTS)
def test_crossings_at_any_number_of_values(count: int, spacing: str) -> None:
    """The same closed form, in an order that changes at random."""
    random = np.random.default_rng(count)
    values = 2.0 * SPACINGS[spacing](np.linspace(0, 1, count))
    true = 1j * np.sqrt(np.array([1 + values, 3 - values])).T
    found = connected([random.permutation(row) for row in true], values)
    found = found[:, np.argsort(found[0].imag)]
    assert found == pytest.approx(true, rel=1e-12)


def test_what_is_coupled_turns_away() -> None:
    """w^2 = 2 + c +- sqrt((1 - p)^2 + c^2), never nearer than 2 c."""
    coupling, values = 0.2, np.linspace(0, 2, 30)
    found = np.sort(connected(rows(pair(coupling), values), values).imag ** 2, axis=1)
    apart = np.sqrt((1 - values) ** 2 + coupling**2)
    expected = np.array([2 + coupling - apart, 2 + coupling + apart]).T
    assert found == pytest.approx(expected, rel=1e-9)
    kept = connected(rows(pair(coupling), values), values).imag
    assert (np.diff(np.argsort(kept, axis=1)[:, 0]) == 0).all()  # no line jumps to the other


@pytest.mark.parametrize("count", COUNTS)
def test_critical_damping(count: int) -> None:
    """-d +- sqrt(d^2 - 1): on the circle, then on the axis; steps from one root to the next are the
    least that the closed form has."""
    values = np.linspace(0.2, 2.0, count)
    root = np.sqrt(values.astype(complex) ** 2 - 1)
    random = np.random.default_rng(count)
    given = [random.permutation(row) for row in np.array([-values + root, -values - root]).T]
    found = connected(given, values)
    largest = np.abs(np.diff(found, axis=0)).max()
    assert (
        largest
        <= 1.01 * np.abs(np.diff(np.array([-values + root, -values - root]).T, axis=0)).max()
    )


STEP, SHARES = 0.01, (1.0, 0.1, 0.01, 0.001)


def grid(middle: float, share: float) -> np.ndarray:
    """Places about one where something happens that lies on none of them."""
    return middle + (np.arange(-60, 60) + 0.37) * share * STEP


def shuffled(roots: Callable[[float], np.ndarray], values: np.ndarray) -> list[np.ndarray]:
    """Roots at values of the parameter, in an order that changes at random."""
    random = np.random.default_rng(5)
    return [random.permutation(roots(float(value))) for value in values]


def veering(values: np.ndarray, coupling: float) -> bool:
    """Whether lines of squares 2 +- sqrt((1 - p)^2 + c^2) are told as ones that turn away."""
    apart = np.hypot(1 - values, coupling)
    true = 1j * np.sqrt(np.array([2 - apart, 2 + apart])).T
    random = np.random.default_rng(5)
    found = connected([random.permutation(row) for row in true], values)
    return bool(np.abs(found[:, np.argsort(found[0].imag)] - true).max() < 1e-12)


@pytest.mark.parametrize("share", SHARES)
def test_lines_that_turn_away_at_any_step(share: float) -> None:
    assert veering(grid(1.0, share), 0.05)


def test_close_roots_cross_at_coarse_steps() -> None:
    assert not veering(grid(1.0, 1.0), 1e-3 * STEP)
    assert veering(grid(1.0, 1e-4), 1e-3 * STEP)


@pytest.mark.parametrize("share", SHARES)
@pytest.mark.parametrize("sense", [1.0, -1.0])
def test_roots_that_meet_and_part(share: float, sense: float) -> None:
    """z'' + c z' + z = 0 past critical damping: a pair becomes two real roots, which of them is
    which is the choice of whoever names them. Each line goes on, and none goes back."""

    def roots(c: float) -> np.ndarray:
        apart = np.sqrt(complex(c**2 / 4 - 1))
        return np.array([-c / 2 + apart, -c / 2 - apart])

    values = grid(2.0, share)[:: int(sense)]
    found = connected(shuffled(roots, values), values)
    swinging = values < 2.0
    for column in found.T:
        assert len(set(np.sign(column[swinging].imag))) == 1
        assert len(set(np.sign(column[~swinging].real - -values[~swinging] / 2))) == 1
    # The root of positive frequency has the same real line at every step.
    upper = int(np.argmax(found[swinging][0].imag))
    assert found[~swinging][0, upper].real > -values[~swinging][0] / 2


@pytest.mark.parametrize("share", SHARES)
def test_damped_column(share: float) -> None:
    """Ziegler's column with equal dampers: (m, l, k = 1) 2 s^4 + 7 d s^3 + (7 - 2 P + d^2) s^2 +
    2 d s + 1 = 0, its roots along P by s' = 2 s^2 / (the derivative by s)."""
    from scipy.integrate import solve_ivp

    d = 0.05

    def roots(p: float) -> np.ndarray:
        return np.roots([2.0, 7 * d, 7 - 2 * p + d**2, 2 * d, 1.0])

    values = grid(2.0857, share)

    def rate(p: float, s: np.ndarray) -> np.ndarray:
        return 2 * s**2 / (8 * s**3 + 21 * d * s**2 + 2 * (7 - 2 * p + d**2) * s + 2 * d)

    run = solve_ivp(rate, values[[0, -1]], roots(values[0]), t_eval=values, rtol=1e-10, atol=1e-12)
    found = connected(shuffled(roots, values), values)
    order = [int(np.argmin(np.abs(run.y[:, 0] - root))) for root in found[0]]
    assert np.abs(found - run.y[order].T).max() < 1e-6
