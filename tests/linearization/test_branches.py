"""Branches of equilibria with closed forms, whatever the step."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from scipy.optimize import brentq

import eomc
from eomc.runtime import continuation, equilibrium
from eomc.runtime.equilibria import Equilibrium
from eomc.runtime.equilibria.continuation import Branch
from eomc.systems.trom import rotating_pendulum


@cache
def truss(b: float) -> eomc.CompiledModel:
    """Two flat bars of half span b, rise b/10, EA = 1000 N; P pushes their apex down by w."""
    model = eomc.Model("truss", gravity=(0, 0, 0))
    model.parameter("P", 0.0, tunable=True)
    model.body("apex", mass=1.0)
    model.joint("w", "prismatic", parent="world", child="apex", axis=(0, 0, -1))
    for side in (-1, 1):
        model.spring(
            f"bar{side + 1}",
            a=eomc.Point("world", (side * b, 0, -0.1 * b)),
            b=eomc.Point("apex", (0, 0, 0)),
            stiffness=1000 / (b * np.sqrt(1.01)),
            free_length=b * np.sqrt(1.01),
        )
    model.generalized_force("load", "w", "P")
    return eomc.build(model)


def push(w: np.ndarray) -> np.ndarray:
    """P of w for b = 1: 2 EA (1/L - 1/L0) y, y = h - w, L^2 = b^2 + y^2."""
    y = 0.1 - w
    return 2000 * (1 / np.sqrt(1 + y * y) - 1 / np.sqrt(1.01)) * y


# dP/dy = 0: L^3 = b^2 L0.
FOLD = 0.1 - np.sqrt(1.01 ** (1 / 3) - 1)


def at_marks(branch: Branch, name: str, marks: tuple[int, ...]) -> np.ndarray:
    """(value, coordinate) of some points of a branch."""
    return np.array([(branch.values[k], branch[name][k]) for k in marks])


@pytest.mark.parametrize(("b", "step"), [(1.0, 1.0), (1.0, 0.1), (1.0, 0.03), (1e-3, 0.1)])
def test_a_truss_snaps_through(b: float, step: float) -> None:
    branch = continuation(equilibrium(truss(b)), "P", 0.5, step=step, max_steps=2000)
    w = branch["w"] / b
    assert branch.reached
    assert np.abs(branch.values - push(w)).max() < 1e-7
    expected = [(push(FOLD), FOLD), (push(0.2 - FOLD), 0.2 - FOLD)]
    found = at_marks(branch, "w", branch.folds) / (1, b)
    assert found == pytest.approx(np.array(expected), rel=1e-9)
    assert w[-1] == pytest.approx(brentq(lambda w: push(w) - 0.5, 0.2, 0.3), rel=1e-9)
    assert not branch.crossings


def test_a_truss_snaps_back() -> None:
    over = continuation(equilibrium(truss(1.0)), "P", 0.5)
    back = continuation(over.equilibria[-1], "P", -0.5)
    assert back.reached
    expected = [(push(0.2 - FOLD), 0.2 - FOLD), (push(FOLD), FOLD)]
    assert at_marks(back, "w", back.folds) == pytest.approx(np.array(expected), rel=1e-9)
    assert back["w"][-1] == pytest.approx(brentq(lambda w: push(w) + 0.5, -0.1, 0), rel=1e-9)


def test_a_branch_ends_at_its_fold() -> None:
    """The largest load itself is asked for, then a load a little above, which is over the fold."""
    start = equilibrium(truss(1.0))
    at = continuation(start, "P", float(push(FOLD)))
    assert at.reached
    assert at["w"][-1] == pytest.approx(FOLD, abs=1e-6)
    above = continuation(start, "P", float(push(FOLD)) + 1e-6)
    assert above["w"][-1] > 0.2


@cache
def polynomial() -> eomc.CompiledModel:
    """A point under the force c + a x - x^3 + p (1 - d + d x) + e (x^2 + p^2 - 1)."""
    model = eomc.Model("polynomial", gravity=(0, 0, 0))
    for name in ("p", "a", "b", "c", "d", "e"):
        model.parameter(name, float(name == "b"), tunable=True)
    model.body("point", mass=1.0)
    model.joint("x", "prismatic", parent="world", child="point", axis=(1, 0, 0))
    model.generalized_force(
        "f", "x", "c + a*x - b*x**3 + p*(1 - d + d*x - e) + e*(x**2 + p**2 - 1)"
    )
    return eomc.build(model)


def start(x: float, **parameters: float) -> Equilibrium:
    return equilibrium(polynomial(), {"x": x}, parameters=parameters)


@pytest.mark.parametrize("step", [1.0, 0.1])
@pytest.mark.parametrize("a", [1.0, 1e-2, 1e-4])
def test_a_pair_of_folds_is_found_however_near(a: float, step: float) -> None:
    """p = x^3 - a x."""
    branch = continuation(start(-1.4, p=-1.0, a=a), "p", 1.0, step=step)
    x = np.sqrt(a / 3)
    expected = np.array([(2 * a * x / 3, -x), (-2 * a * x / 3, x)])
    assert branch.reached
    assert at_marks(branch, "x", branch.folds) == pytest.approx(expected, rel=1e-6)


@pytest.mark.parametrize("step", [1.0, 0.1, 0.04])
def test_a_perfect_pitchfork_is_told(step: float) -> None:
    """p x = x^3: the straight branch, and the bent one down to where they cross."""
    straight = continuation(start(0.0, p=-1.0, d=1.0), "p", 1.5, step=step)
    assert straight.reached
    assert not straight.folds
    assert at_marks(straight, "x", straight.crossings) == pytest.approx(np.zeros((1, 2)), abs=1e-9)
    bent = continuation(start(1.0, p=1.0, d=1.0), "p", -0.5, step=step, max_steps=int(8 / step))
    assert not bent.reached
    assert at_marks(bent, "x", bent.crossings)[0] == pytest.approx([0, 0], abs=1e-3)
    assert bent.folds[0] == pytest.approx(bent.crossings[0], abs=1)


def test_an_imperfect_pitchfork_is_followed_on_its_own_side() -> None:
    branch = continuation(start(0.0, p=-1.0, d=1.0, c=1e-4), "p", 1.0)
    assert branch.reached
    assert branch["x"][-1] == pytest.approx(max(np.roots([-1, 0, 1, 1e-4]).real), rel=1e-9)
    assert not branch.folds + branch.crossings


@pytest.mark.parametrize("step", [0.1, 0.04])
def test_a_closed_branch_ends_with_a_sentence(step: float) -> None:
    """x^2 + p^2 = 1."""
    branch = continuation(start(0.8, p=-0.6, b=0.0, e=1.0), "p", 2.0, step=step)
    assert not branch.reached
    assert branch.end == "it is closed: it came back to its start"
    assert sorted(branch.values[list(branch.folds)]) == pytest.approx([-1, 1], rel=1e-12)


def test_a_branch_that_takes_too_many_steps_says_so() -> None:
    branch = continuation(equilibrium(truss(1.0)), "P", 0.5, max_steps=3)
    assert not branch.reached
    assert "3 steps were taken" in branch.end


@pytest.mark.parametrize("step", [0.1, 0.04])
def test_a_rotating_pendulum_leaves_the_vertical(step: float) -> None:
    """Conical motion begins at the rate sqrt(g/l)."""
    conical = eomc.build(rotating_pendulum())
    hanging = equilibrium(conical, {"theta": 0.0}, {"phi": 2.0}, solve_for=["theta"])
    branch = continuation(hanging, "speed(phi)", 8.0, step=step, solve_for=["theta"])
    (k,) = branch.crossings
    assert branch.values[k] == pytest.approx(np.sqrt(9.81 / 0.5), rel=1e-7)


@cache
def toggle() -> eomc.CompiledModel:
    """A slider and crank, r = 1, l = 2; a spring of 10 N/m holds the slider at x = 2."""
    model, turn = eomc.Model("toggle", gravity=(0, 0, 0)), {"axis": (0, 0, 1)}
    for name in ("crank", "rod", "block"):
        model.body(name, mass=1, inertia=(0.1, 0.1, 0.1))
    at = [eomc.Placement(xyz=(x, 0, 0)) for x in (1, 2)]
    model.joint("phi", "revolute", parent="world", child="crank", **turn)
    model.joint("psi", "revolute", parent="crank", child="rod", placement=at[0], **turn)
    model.joint("x", "prismatic", parent="world", child="block", axis=(1, 0, 0))
    model.joint("pin", "revolute", parent="rod", child="block", placement=at[1], **turn)
    ends = eomc.Point("world", (-10, 0, 0)), eomc.Point("block", (0, 0, 0))
    model.spring("s", a=ends[0], b=ends[1], stiffness=10, free_length=12)
    return eomc.build(model)


@pytest.mark.parametrize("step", [1.0, 0.1])
def test_a_toggle_passes_its_dead_centres(step: float) -> None:
    """The torque k (x - 2) dx/dphi vanishes at phi = pi and 2 pi, and goes on."""

    def torque(phi: np.ndarray) -> np.ndarray:
        rod = np.sqrt(4 - np.sin(phi) ** 2)
        slope = -np.sin(phi) - np.sin(phi) * np.cos(phi) / rod
        return 10 * (np.cos(phi) + rod - 2) * slope

    psi = -1.2 - np.arcsin(np.sin(1.2) / 2)
    x = np.cos(1.2) + np.sqrt(4 - np.sin(1.2) ** 2)
    held = equilibrium(toggle(), {"phi": 1.2, "psi": psi, "x": x}, fixed=["phi"])
    branch = continuation(held, "tau(phi)", 20.0, step=step, max_steps=150)
    phi = branch["phi"]
    assert phi.max() > 2 * np.pi
    assert np.abs(branch.values - torque(phi)).max() < 1e-9
    angles = np.linspace(1.2, phi[-1], 100001)
    changes = np.sign(np.diff(torque(angles)))
    assert len(branch.folds) == np.sum(changes[1:] != changes[:-1])
    assert not branch.crossings
