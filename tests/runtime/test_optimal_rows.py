"""Rows of optimal control beside steps and bounds: resets, rates, slacks, periodic states, sets of
final states, meshes. On a mass of 1 kg on a line."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest

import eomc
from eomc.runtime.optimal import JoinedPhases, OptimalControl

pytest.importorskip("casadi")
EFFORT = {"tau(x)": 1.0}


@cache
def slide() -> Any:
    model = eomc.Model("slide", gravity=(0, 0, 0))
    model.body("block", mass=1.0)
    model.joint("x", "prismatic", parent="world", child="block", axis=(1, 0, 0))
    return eomc.build(model)


def rest_to_rest(**more: Any) -> OptimalControl:
    given = {"target": [1], "cost": EFFORT} | more
    return eomc.ocp(slide(), 1.0, 20, [0], **given)


def test_reset_between_phases() -> None:
    """The second phase starts with minus half the speed. Least effort between states is that of
    cubics; over the speed v at the wall its least is found by a search."""
    there = eomc.ocp(slide(), 0.5, 20, [0], {"x": 0.5}, cost=EFFORT)
    back = eomc.ocp(slide(), 0.5, 20, None, [0], cost=EFFORT)
    first, second = JoinedPhases([there, back], [lambda q, u: (q, -0.5 * u)]).solve()
    assert first.u[-1] == pytest.approx(-2 * second.u[0], abs=1e-10) and first.u[-1] > 1
    assert first.kkt < 1e-9 and second.t[0] == first.t[-1]
    v, t = np.linspace(0, 4, 4001), 0.5
    cost = 0 * v
    for x0, u0, x1, u1 in ((0.0, 0 * v, 0.5, v), (0.5, -v / 2, 0.0, 0 * v)):
        far, mean = (x1 - x0) / t, u0 + u1
        cost = cost + (4 * (u0**2 + u0 * u1 + u1**2) - 12 * far * mean + 12 * far**2) / t
    # Held controls cost more by O(h^2).
    assert first.cost == pytest.approx(cost.min(), rel=5e-3)
    assert first.u[-1] == pytest.approx(v[cost.argmin()], rel=5e-3)


def test_bad_phases() -> None:
    part = eomc.ocp(slide(), (0.1, 0.2), 5, [0], [1], cost=EFFORT)
    with pytest.raises(ValueError, match=r"phases allow 0.2 to 0.4"):
        JoinedPhases([part, part], t_span=1.0)
    with pytest.raises(ValueError, match="2 resets between 2 phases"):
        JoinedPhases([part, part], [None, None])


@pytest.mark.parametrize("span", [1.0, (1.0, 1.5)])
def test_rates_of_controls(span: Any) -> None:
    """The force of the least time would jump; it changes by 40 N/s."""
    run = eomc.ocp(
        slide(), span, 20, [0], [1], time_cost=50.0, cost={"tau(x)": 1e-3},
        rates={"tau(x)": (-40, 40)}, bounds={"tau(x)": (-20, 6.5)},
    ).solve()  # fmt: skip
    steps = np.diff(run["tau(x)"][:-1]) / np.diff(run.t[:-1])
    assert run.success and np.abs(steps).max() <= 40 * (1 + 1e-8)


def test_soft_bounds() -> None:
    """A price above the largest multiplier keeps the bound, a lower one does not; the slack
    equals what is beyond."""
    limits = {"speed(x)": (-1.0, 1.2)}
    hard = rest_to_rest(bounds=limits).solve()
    most = np.abs(hard.multipliers["speed(x)"][1:-1]).max()
    exact = rest_to_rest(bounds=limits, soft={"speed(x)": 2 * most}).solve()
    assert exact.cost == pytest.approx(hard.cost, rel=1e-7)
    cheap = rest_to_rest(bounds=limits, soft={"speed(x)": most / 10}).solve()
    assert cheap.u.max() > 1.25 and cheap.cost < hard.cost
    beyond = np.maximum(cheap.u - 1.2, 0).sum() * most / 10
    effort = (cheap.tau[:-1] ** 2).sum() / 20
    assert cheap.cost == pytest.approx(effort + beyond, rel=1e-7)


def test_periodic_states_and_a_free_start() -> None:
    """With the speed of the start at the end, and free, the mass moves without force."""
    run = rest_to_rest(target={"x": 0.5}, periodic=["speed(x)"])
    assert run.solve().cost > 1
    start = {"x": 0.0, "speed(x)": None}
    free = eomc.ocp(slide(), 1.0, 20, start, {"x": 0.5}, cost=EFFORT, periodic=["speed(x)"])
    np.testing.assert_allclose(free.solve().u[:, 0], 0.5, atol=1e-9)


def test_sets_and_weights_of_final_states() -> None:
    """The end is on the border of the set; a heavy weight comes near to the fixed end."""
    run = rest_to_rest(final_set=(np.eye(2), 0.01)).solve()
    assert (run.q[-1] - 1) ** 2 + run.u[-1] ** 2 == pytest.approx(0.01, rel=1e-5)
    assert run.kkt < 1e-8 and run.cost < 0.9 * rest_to_rest().solve().cost
    away = {"x": 0.3, "speed(x)": 1.0}
    fixed = eomc.ocp(slide(), 1.0, 20, away, {"x": 0.3, "speed(x)": 0}, cost=EFFORT).solve()
    near = eomc.ocp(slide(), 1.0, 20, away, cost=EFFORT, final_cost=1e6 * np.eye(2)).solve()
    assert near.cost == pytest.approx(fixed.cost, rel=1e-4)


@pytest.mark.parametrize(
    ("name", "limit"),
    [("square", 1.44), pytest.param("kinetic_energy", 0.72, marks=pytest.mark.slow)],
)
def test_expressions_and_energies(name: str, limit: float) -> None:
    """Bounds on the kinetic energy are bounds on the speed."""
    by_speed = rest_to_rest(bounds={"speed(x)": (-5, 1.2)}).solve()
    own = {"square": lambda c: c["speed(x)"] ** 2}
    by_other = rest_to_rest(bounds={name: (-1, limit)}, outputs=own).solve()
    assert by_other.cost == pytest.approx(by_speed.cost, rel=1e-7)


@pytest.mark.parametrize(
    ("t_span", "nodes", "error"),
    [(1.0, 4, 1e-3), pytest.param(2.0, 8, 1e-5, marks=pytest.mark.slow)],
)
def test_the_mesh_is_refined_where_errors_are(t_span: float, nodes: int, error: float) -> None:
    """A swing-up: the refined mesh keeps the tolerance, and its run is a motion to regulate."""
    model = eomc.Model("swing", gravity=(0, 0, -9.81))
    model.body("bob", mass=1.0, com=(0, 0, -0.3))
    model.joint("hinge", "revolute", parent="world", child="bob", axis=(0, -1, 0))
    compiled = eomc.build(model)
    cost = {"tau(hinge)": 1.0}
    problem = eomc.ocp(
        compiled, t_span, nodes, [0], [np.pi], cost=cost, transcription="hermite-simpson"
    )
    coarse, fine = problem.solve(), problem.solve(refine=error)
    assert coarse.mesh_errors.max() > 10 * error and fine.mesh_errors.max() <= error
    assert fine.count > coarse.count
    with pytest.raises(ValueError, match="refine is 0"):
        problem.solve(refine=0)
    with pytest.raises(ValueError, match="guess: give a mapping"):
        problem.solve([0.0])  # type: ignore[arg-type]
    law = fine.feedback([100, 1], [0.1])
    led = eomc.simulate(
        compiled, fine.q[0], t_span=t_span, controller=law, method="rk4", step=0.002
    )
    np.testing.assert_allclose(led.q[-1], fine.q[-1], atol=1e-3)
