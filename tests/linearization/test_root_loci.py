"""Eigenvalues that are followed along a parameter, against closed forms, at steps from a thousandth
of the command's to the whole."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from numpy.typing import NDArray

from eomc.runtime.plot.root_locus import connected

Roots = Callable[[float], NDArray[np.complex128]]

STEP = 0.01
SHARES = (1.0, 0.3, 0.1, 0.03, 0.01, 0.003, 0.001)


def grid(middle: float, share: float) -> NDArray[np.float64]:
    """Places about one where something happens that lies on none of them."""
    return middle + (np.arange(-60, 60) + 0.37) * share * STEP


def shuffled(roots: Roots, values: NDArray[np.float64]) -> list[NDArray[np.complex128]]:
    random = np.random.default_rng(5)
    return [random.permutation(roots(float(value))) for value in values]


def two_oscillators(coupling: float) -> Roots:
    """z1'' + (1 + p) z1 + c z2 = 0 and z2'' + (3 - p) z2 + c z1 = 0: squares 2 +- sqrt((1-p)^2 +
    c^2), which cross at p = 1 without c and veer with it."""

    def roots(p: float) -> NDArray[np.complex128]:
        apart = np.hypot(1 - p, coupling) * (np.sign(1 - p) if coupling == 0 else 1.0)
        slow, fast = np.sqrt(2 - apart), np.sqrt(2 + apart)
        return 1j * np.array([slow, -slow, fast, -fast])

    return roots


def same_lines(roots: Roots, values: NDArray[np.float64]) -> bool:
    """Whether followed roots are the closed form's, one line of it a column."""
    found = connected(shuffled(roots, values), values)
    exact = np.array([roots(float(value)) for value in values])
    order = [int(np.argmin(np.abs(exact[0] - root))) for root in found[0]]
    return bool(np.abs(found - exact[:, order]).max() < 1e-12)


@pytest.mark.parametrize("share", SHARES)
def test_roots_that_cross(share: float) -> None:
    assert same_lines(two_oscillators(0.0), grid(1.0, share))
    on_the_crossing = np.arange(-60, 60) * share * STEP + 1.0
    assert same_lines(two_oscillators(0.0), on_the_crossing)


@pytest.mark.parametrize("share", SHARES)
def test_roots_that_veer(share: float) -> None:
    assert same_lines(two_oscillators(0.05), grid(1.0, share))


def test_roots_nearer_than_a_step_are_taken_to_cross() -> None:
    near = two_oscillators(1e-3 * STEP)
    assert not same_lines(near, grid(1.0, 1.0))
    assert same_lines(near, grid(1.0, 1e-4))


@pytest.mark.parametrize("share", SHARES)
@pytest.mark.parametrize("sense", [1.0, -1.0])
def test_roots_that_meet_and_part(share: float, sense: float) -> None:
    """z'' + c z' + z = 0 past critical damping: a pair becomes two real roots, which of them is
    which is the choice of whoever names them. Each line goes on, and none goes back."""

    def roots(c: float) -> NDArray[np.complex128]:
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

    def roots(p: float) -> NDArray[np.complex128]:
        return np.roots([2.0, 7 * d, 7 - 2 * p + d**2, 2 * d, 1.0])

    values = grid(2.0857, share)

    def rate(p: float, s: NDArray[np.complex128]) -> NDArray[np.complex128]:
        return 2 * s**2 / (8 * s**3 + 21 * d * s**2 + 2 * (7 - 2 * p + d**2) * s + 2 * d)

    run = solve_ivp(
        rate, values[[0, -1]], roots(values[0]), t_eval=values, rtol=1e-10, atol=1e-12,
    )  # fmt: skip
    found = connected(shuffled(roots, values), values)
    order = [int(np.argmin(np.abs(run.y[:, 0] - root))) for root in found[0]]
    assert np.abs(found - run.y[order].T).max() < 1e-6


def test_uneven_values() -> None:
    values = 1.0 + np.concatenate([-np.geomspace(0.9, 1e-3, 25), np.geomspace(1e-3, 0.9, 25)])
    assert same_lines(two_oscillators(0.0), values)
