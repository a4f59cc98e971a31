"""Critical loads with closed forms: flutter with and without damping, divergence."""

from __future__ import annotations

import warnings
from functools import cache

import numpy as np
import pytest
from numpy.polynomial import Polynomial
from scipy.linalg import block_diag

import eomc
from eomc.runtime.linearization import critical_speeds, linearize

MASS = np.array([[3.0, 1.0], [1.0, 1.0]])


def second_order(mass: np.ndarray, damping: np.ndarray, stiffness: np.ndarray) -> np.ndarray:
    n = len(mass)
    found = np.linalg.solve(mass, np.hstack([stiffness, damping]))
    return np.block([[np.zeros((n, n)), np.eye(n)], [-found]])


def ziegler(load: float, damping: float = 0.0) -> np.ndarray:
    """Masses 2 and 1 on two links of unit length and stiffness, a follower force at the end."""
    stiffness = np.array([[2 - load, load - 1], [-1, 1]])
    return second_order(MASS, damping * np.array([[2, -1], [-1, 1]]), stiffness)


def dead(load: float) -> np.ndarray:
    """The same column under a load that keeps its direction."""
    return second_order(MASS, np.zeros((2, 2)), np.array([[2 - load, -1], [-1, 1 - load]]))


@cache
def cantilever(n: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Bending, dead load and follower load in n polynomials, orthonormal over the mass."""
    nodes, weights = np.polynomial.legendre.leggauss(20)
    x, w = (nodes + 1) / 2, weights / 2
    bases = [Polynomial([0] * k + [1]) for k in range(2, n + 2)]
    whitened = np.linalg.inv(np.linalg.qr((np.array([b(x) for b in bases]) * np.sqrt(w)).T)[1]).T
    slopes, curves = (whitened @ np.array([b.deriv(k)(x) for b in bases]) for k in (1, 2))
    tip = whitened @ np.array([[b(1.0), b.deriv()(1.0)] for b in bases])
    return curves * w @ curves.T, slopes * w @ slopes.T, np.outer(tip[:, 0], tip[:, 1])


def beck(load: float) -> np.ndarray:
    """A cantilever of unit EI, length and mass per length under a follower force at its tip."""
    bending, dead, follower = cantilever(6)
    stiffness = bending + load * (follower - dead)
    return second_order(np.eye(6), np.zeros((6, 6)), stiffness)


def test_flutter_without_damping_is_where_pairs_meet() -> None:
    """P = 7/2 - sqrt(2), Ziegler (1952)."""
    (flutter,) = critical_speeds(ziegler, 0.1, 6.0)
    assert flutter.speed == pytest.approx(3.5 - np.sqrt(2), rel=1e-10)
    assert flutter.frequency == pytest.approx(0.5**0.25, rel=1e-6)
    assert not flutter.stabilizes


@pytest.mark.parametrize("damping", [1e-5, 1e-2, 0.3])
def test_damping_lowers_the_flutter_load(damping: float) -> None:
    """P = 41/28 + c^2/2, Herrmann and Jong (1965)."""
    (flutter,) = critical_speeds(lambda load: ziegler(load, damping), 0.1, 6.0)
    assert flutter.speed == pytest.approx(41 / 28 + damping**2 / 2, rel=1e-9)


def test_becks_column_flutters() -> None:
    """P = 20.0509 EI/l^2 at 11.0155 sqrt(EI/(m l^4)), Beck (1952)."""
    (flutter,) = critical_speeds(beck, 0.0, 40.0)
    assert flutter.speed == pytest.approx(20.0509, abs=2e-3)
    assert flutter.frequency == pytest.approx(11.0155, abs=2e-3)


def test_a_conservative_column_falls_over() -> None:
    """det K = 0: P = (3 -+ sqrt(5))/2."""
    first, second = critical_speeds(dead, 0.1, 6.0)
    expected = (3 - np.sqrt(5)) / 2, (3 + np.sqrt(5)) / 2
    assert (first.speed, second.speed) == pytest.approx(expected, rel=1e-9)
    assert first.frequency == second.frequency == 0


def test_equal_parts_and_free_motion_count_once() -> None:
    """Two columns side by side, and a mass that nothing holds."""
    free = np.array([[0.0, 1.0], [0.0, 0.0]])
    (flutter,) = critical_speeds(lambda p: block_diag(ziegler(p), free, ziegler(p)), 1.0, 3.0)
    assert flutter.speed == pytest.approx(3.5 - np.sqrt(2), rel=1e-9)


def test_nothing_crosses_where_only_rounding_moves_real_parts() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert critical_speeds(ziegler, 0.1, 2.0) == []


def test_unresolved_intervals_are_reported() -> None:
    """Roots v - 1 and 1 - v: the spectrum is the same on both sides."""
    with pytest.warns(RuntimeWarning, match=r"from 1 to 1 .* cannot be told"):
        assert critical_speeds(lambda v: np.diag([v - 1.0, 1.0 - v, -3.0]), 0.0, 3.0) == []


def test_a_model_of_zieglers_column() -> None:
    """Two pendulums without weight, springs in the hinges, a force along the outer one."""
    model = eomc.Model("ziegler", gravity=(0, 0, 0))
    load = model.parameter("P", 1.0, tunable=True)
    for k, mass in enumerate((2.0, 1.0)):
        parent, at = ("world", (0, 0, 0)) if k == 0 else ("link0", (1, 0, 0))
        model.body(f"link{k}", mass=mass, com=(1, 0, 0))
        model.joint(
            f"q{k}",
            "revolute",
            parent=parent,
            child=f"link{k}",
            axis=(0, 0, 1),
            placement=eomc.Placement(xyz=at),
        )
        model.generalized_force(f"spring{k}", f"q{k}", f"-q{k}")
    model.force(
        "push",
        at=eomc.Point("link1", (1, 0, 0)),
        direction=(-1, 0, 0),
        frame="body",
        magnitude=load,
    )
    column = eomc.build(model)
    (flutter,) = critical_speeds(lambda p: linearize(column, parameters={"P": p}).A, 2.0, 2.2)
    assert flutter.speed == pytest.approx(3.5 - np.sqrt(2), rel=1e-9)
