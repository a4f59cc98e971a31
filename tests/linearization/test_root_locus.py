"""Eigenvalues followed along a parameter, against closed forms, with few values and with many."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import numpy as np
import pytest

import eomc
from eomc.runtime.plot.root_locus import connected

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
    assert largest <= 1.01 * np.abs(np.diff(np.array([-values + root, -values - root]).T,
                                            axis=0)).max()  # fmt: skip
