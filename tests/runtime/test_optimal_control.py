"""Optimal control: derivatives of the transcription, solvers, targets of frames, bad input."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest

import eomc
from eomc.runtime.optimal import OptimalControl

NEAR = 1e-6


@cache
def arm() -> Any:
    """Two rods in a vertical plane, motors in both joints."""
    model = eomc.Model("arm", gravity=(0, 0, -9.81))
    for name, parent, place in (("upper", "world", 0.0), ("lower", "upper", -0.5)):
        model.body(name, mass=1.0, com=(0, 0, -0.25), inertia=(0.02, 0.02, 0))
        at = eomc.Placement(xyz=(0, 0, place))
        model.joint(f"{name}_joint", "revolute", parent=parent, child=name, axis=(0, -1, 0),
                    placement=at, damping=0.1)  # fmt: skip
    model.frame("tip", body="lower", placement=eomc.Placement(xyz=(0, 0, -0.5)))
    return eomc.build(model)


@cache
def slide() -> Any:
    model = eomc.Model("slide", gravity=(0, 0, 0))
    model.body("block", mass=1.0)
    model.joint("x", "prismatic", parent="world", child="block", axis=(1, 0, 0))
    return eomc.build(model)


EFFORT = {"tau(upper_joint)": 1.0, "tau(lower_joint)": 1.0}


def reach(**more: Any) -> OptimalControl:
    """The tip to a point, at rest, over a table."""
    still = {"speed(upper_joint)": 0.0, "speed(lower_joint)": 0.0}
    given = {
        "target": {"tip.x": 0.6, "tip.z": -0.5} | still,
        "cost": EFFORT | {"tip.x": (0.5, 0.6)},
        "final_cost": {"upper_joint": (0.1, 0.2)},
        "bounds": {"tip.z": (-0.97, 2.0), "tau(lower_joint)": (-20.0, 20.0)},
    }
    return eomc.ocp(arm(), 1.0, 12, [0.4, 0.2], **(given | more))


def test_derivatives_of_the_transcription() -> None:
    """Jacobian and Hessian against central differences; Gauss and Newton's is not exact."""
    shooting = reach().shooting
    rng = np.random.default_rng(3)
    w = rng.normal(size=shooting.size)
    weights = rng.normal(size=shooting.height)

    def dense(entries: np.ndarray, kind: str, shape: tuple[int, int]) -> np.ndarray:
        found = np.zeros(shape)
        at = getattr(shooting, f"{kind}_rows"), getattr(shooting, f"{kind}_columns")
        np.add.at(found, at, entries)
        return found

    def jacobian(w: np.ndarray) -> np.ndarray:
        return dense(shooting.jacobian(w), "jacobian", (shooting.height, shooting.size))

    steps = 1e-6 * np.eye(shooting.size)
    slopes = [(shooting.value(w + e) - shooting.value(w - e)) / 2e-6 for e in steps]
    np.testing.assert_allclose(jacobian(w), np.transpose(slopes), atol=2e-7)
    curved = [weights @ (jacobian(w + e) - jacobian(w - e)) / 2e-6 for e in steps]
    hessian = dense(shooting.hessian(w, weights), "hessian", (shooting.size, shooting.size))
    np.testing.assert_allclose(hessian, curved, atol=2e-7)
    np.testing.assert_allclose(hessian, hessian.T, atol=1e-12)
    shooting.exact = False
    coarse = dense(shooting.hessian(w, weights), "hessian", (shooting.size, shooting.size))
    assert not np.allclose(coarse, hessian, atol=1e-3)


def test_solvers_agree_and_the_frame_arrives() -> None:
    """IPOPT, fatrop and SciPy find one optimum; the tip is where it must be, above the table."""
    pytest.importorskip("casadi")
    runs = {solver: reach().solve(solver=solver) for solver in ("ipopt", "fatrop", "scipy")}
    best = runs["ipopt"]
    for solver, run in runs.items():
        assert run.success and run.solver == solver
        assert run.cost == pytest.approx(best.cost, rel=1e-6)
        assert run.kkt < 1e-6
        tip = arm().frame("tip").pose(run.q)[:, :3, 3]
        np.testing.assert_allclose(tip[-1, [0, 2]], [0.6, -0.5], atol=1e-7)
        assert tip[:, 2].min() > -0.97 - 1e-6
        np.testing.assert_allclose(run.u[-1], 0, atol=1e-7)
    coarse = reach().solve(hessian="gauss-newton")
    assert coarse.cost == pytest.approx(best.cost, rel=1e-6)
    again = reach().solve(best)
    assert again.statistics["iterations"] <= best.statistics["iterations"]


def test_what_binds_and_multipliers() -> None:
    """A bounded force: 1 m in 1 s at rest needs 6 at most, and is held at 5; the multiplier is
    the derivative of the cost by the bound."""
    pytest.importorskip("casadi")

    def problem(limit: float) -> OptimalControl:
        bounds = {"tau(x)": (-limit, limit)}
        return eomc.ocp(slide(), 1.0, 20, [0], [1], cost={"tau(x)": 1.0}, bounds=bounds)

    run = problem(5.0).solve()
    assert "tau(x) is at its upper bound 5" in run.binds and "lower" in run.binds
    assert run.kkt < 1e-8
    slope = (problem(5 + 1e-4).solve().cost - problem(5 - 1e-4).solve().cost) / 2e-4
    assert -np.abs(run.multipliers["tau(x)"]).sum() == pytest.approx(slope, rel=1e-4)
    assert problem(50.0).solve().binds == "no bound is reached"


def test_closed_form_and_what_is_not_optimal() -> None:
    """Rest to rest with held forces: x_N is linear in v, so that v = G^T (G G^T)^-1 x_N."""
    count, h = 10, 0.1
    run = eomc.ocp(slide(), 1.0, count, [0], [1], cost={"tau(x)": 1.0}).solve()
    k = np.arange(count)
    gain = np.vstack([h * h * (count - k - 0.5), np.full(count, h)])
    v = gain.T @ np.linalg.solve(gain @ gain.T, [1.0, 0.0])
    np.testing.assert_allclose(run.tau[:-1, 0], v, atol=1e-6)
    assert run.cost == pytest.approx(h * v @ v, rel=1e-9)
    assert run.count == 11 and run["x"][-1] == pytest.approx(1)
    early = eomc.ocp(slide(), 1.0, count, [0], [1], cost={"tau(x)": 1.0})
    pytest.importorskip("casadi")
    with pytest.warns(RuntimeWarning, match="ipopt did not solve the problem: .*last iterate"):
        stopped = early.solve(solver="ipopt", iterations=0)
    assert not stopped.success and stopped.kkt > 1e-3


def test_gains_settle_to_those_of_the_regulator() -> None:
    """Far from the end the time-varying gains are the constant ones of the discrete regulator."""
    from scipy.linalg import solve_discrete_are

    run = eomc.ocp(slide(), 20.0, 200, [0], [0], cost={"tau(x)": 1.0}).solve()
    a, b = np.array([[1, 0.1], [0, 1]]), np.array([[0.005], [0.1]])
    p = solve_discrete_are(a, b, np.eye(2), np.eye(1))
    constant = np.linalg.solve(1 + b.T @ p @ b, b.T @ p @ a)
    np.testing.assert_allclose(run.gains([1, 1], [1])[0], constant, atol=1e-9)
    with pytest.raises(ValueError, match=r"expected \(2, 2\)"):
        run.gains([1], [1])


def test_a_run_is_a_motion_and_a_feedback() -> None:
    """Between nodes the motion is a shorter step under the held forces. With feedback a disturbed
    start comes back as the linearized steps say, and computed torque follows the motion."""
    run = eomc.ocp(arm(), 1.0, 50, [0.4, 0.2], [1.0, -0.3], cost=EFFORT).solve()
    played = eomc.simulate(
        arm(), q=run.q[3], u=run.u[3], t_span=0.01, tau=run.tau[3], method="rk4", step=0.01
    )
    q, u, a = run.motion(run.t[3] + 0.01)
    np.testing.assert_allclose([*q, *u], [*played.q[-1], *played.u[-1]], atol=1e-12)
    np.testing.assert_allclose(a, arm().forward_dynamics(q, u, run.tau[3]), atol=1e-12)
    np.testing.assert_allclose(run.motion(2.0)[0], run.q[-1])
    weights = [100, 100, 1, 1], [0.01, 0.01]
    law, gains = run.feedback(*weights), run.gains(*weights)
    apart = 1e-5 * np.array([1.0, -1.0, 0, 0])
    led = eomc.simulate(
        arm(), run.q[0] + apart[:2], t_span=1.0, controller=law, method="rk4", step=0.02
    )
    for k in range(50):
        A, B = arm().rk4_step_derivatives(run.q[k], run.u[k], run.tau[k], 0.02)[2:4]
        apart = (A - B @ gains[k]) @ apart
    np.testing.assert_allclose(led.q[-1] - run.q[-1], apart[:2], atol=1e-9)
    assert np.abs(apart).max() < 5e-6
    from eomc.runtime.control import ComputedTorque

    follower = ComputedTorque(arm(), run.motion, 400.0)
    followed = eomc.simulate(
        arm(), run.q[0], t_span=1.0, controller=follower, method="rk4", step=0.0025
    )
    # Without the accelerations of the motion, of 100 rad/s^2, it would lag by a / kp, 0.3 rad.
    np.testing.assert_allclose(followed.q[-1], run.q[-1], atol=1e-3)


def rubbing() -> Any:
    model = eomc.Model("rubbing", gravity=(0, 0, 0))
    model.body("block", mass=1.0)
    model.joint("x", "prismatic", parent="world", child="block", axis=(1, 0, 0))
    model.stop("rail", "x", {"kind": "spring", "stiffness": 100.0}, upper=0.1)
    return eomc.build(model)


def looped() -> Any:
    return eomc.build("examples/models/four_bar.toml")


@pytest.mark.parametrize(
    ("changed", "told"),
    [
        ({"t_span": 0}, "nothing to optimize"),
        ({"t_span": float("nan")}, "t_span"),
        ({"nodes": 0}, "nodes is 0"),
        ({"nodes": 2.5}, "whole number"),
        ({"start": [0, 0]}, r"start has shape \(2,\)"),
        ({"start": {"y": 1}}, "start: no 'y'"),
        ({"start": {"x": np.inf}}, "finite"),
        (
            {"start": {"x": 3}, "bounds": {"x": (0, 2)}},
            "start: 'x' is 3, outside its bounds 0 to 2",
        ),
        ({"target": {"x": 3}, "bounds": {"x": (0, 2)}}, "target: 'x' is 3"),
        ({"target": {"tau(x)": 3}}, r"target: no 'tau\(x\)'"),
        ({"bounds": {"x": (1, 0)}}, "they cross"),
        ({"bounds": {"x": 1}}, "lower, upper"),
        ({"bounds": {"speed(y)": (0, 1)}}, r"did you mean 'speed\(x\)'"),
        ({"cost": {"tau(x)": -1}}, "must not be negative"),
        ({"cost": {"tau(x)": np.nan}}, "finite"),
        ({"cost": {"force": 1}}, "cost: no 'force'"),
        ({"controls": ["tau(y)"]}, r"controls: no 'tau\(y\)'"),
        ({"controls": []}, "at least one"),
        ({"cost": 5}, "cost: give a mapping"),
        ({"bounds": [1]}, "bounds: give a mapping"),
        ({"nodes": "x"}, "nodes is 'x'"),
        ({"start": ["a"]}, "start: give numbers"),
        ({"parameters": {"m": 1.0}}, "parameters: no 'm'"),
        ({"model": rubbing}, "not smooth.*rail"),
        ({"model": looped}, "constraints"),
    ],
)
def test_bad_input(changed: dict[str, Any], told: str) -> None:
    given: dict[str, Any] = {
        "model": slide, "t_span": 1.0, "nodes": 5, "start": [0], "target": [1],
        "cost": {"tau(x)": 1.0}, **changed,
    }  # fmt: skip
    given["model"] = given["model"]()
    with pytest.raises(ValueError, match=told):
        eomc.ocp(**given)


def test_bad_solve() -> None:
    problem = eomc.ocp(slide(), 1.0, 5, [0], [1], cost={"tau(x)": 1.0})
    with pytest.raises(ValueError, match="solver 'snopt'; valid"):
        problem.solve(solver="snopt")
    with pytest.raises(ValueError, match="hessian"):
        problem.solve(hessian="none")
    with pytest.raises(ValueError, match="guess: 'x' has shape"):
        problem.solve({"x": [1, 2]})
    with pytest.raises(ValueError, match="guess is not finite"):
        problem.solve({"x": np.nan})


def test_refused_before_the_model_is_built() -> None:
    """A horizon of no length is told without reading the file."""
    with pytest.raises(ValueError, match="nothing to optimize"):
        eomc.ocp("no_such_file.toml", 0.0, 5, [0])
