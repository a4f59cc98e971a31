"""Optimal control: derivatives of the transcription, solvers, targets of frames, bad input."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest
import scipy.linalg

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
def hanging() -> Any:
    """A point on a rod whose length l is tunable."""
    model = eomc.Model("hanging", gravity=(0, 0, -9.81))
    length = model.parameter("l", 0.5, tunable=True)
    model.body("bob", mass=1.0, com=(0, 0, -length))
    model.joint("hinge", "revolute", parent="world", child="bob", axis=(0, -1, 0))
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


def swinging(transcription: str, method: Any = "rk4", most: float = 2.0) -> OptimalControl:
    """Free end time, a free length, rates, slacks, an expression and a final set."""
    return eomc.ocp(
        hanging(), (most / 4, most), [0, 0.3, 0.6, 1], {"hinge": (-1, 0)}, {"hinge": 1.0},
        cost={"tau(hinge)": 1.0, "height": (0.3, 0.1), "hinge": 0.2}, time_cost=0.5,
        final_cost={"l": (2.0, 0.5), "speed(hinge)": 0.3}, free={"l": (0.1, 1.0)},
        bounds={"height": (-2, 0.5), "bob.x": (-1, 1), "speed(hinge)": (-3, 3)},
        soft={"height": (2.0, 1.0), "speed(hinge)": 0.1}, rates={"tau(hinge)": (-50, 50)},
        periodic={"speed(hinge)": 0.1}, final_set=([[1.0, 0.2], [0.2, 2.0]], 0.5),
        outputs={"height": lambda c: -c["potential_energy"] / 9.81 + c["hinge"] ** 2},
        transcription=transcription, method=method,
    )  # fmt: skip


def turned(method: Any = "rk4") -> OptimalControl:
    end = [0.5, 0.5, 0.5, -0.5]
    return eomc.ocp(
        turning(), 1.0, 3, [1, 0, 0, 0], end, cost={"tau(j_wx)": 1.0}, controls=["tau(j_wx)"],
        method=method,
    )  # fmt: skip


def crank(transcription: str) -> OptimalControl:
    return eomc.ocp(
        looped(), 0.5, 3, {"drive": 0.1}, {"drive": 1.0}, controls=["tau(drive)"],
        cost={"coupler_point.z": 1.0, "crank_pin": 1.0, "speed(drive)": 1.0}, parameters={"k": 4.0},
        bounds={"coupler_point.x": (-5, 5)}, independent=["drive"], transcription=transcription,
    )  # fmt: skip


PROBLEMS = {
    "frames": lambda: reach(),
    "shooting": lambda: swinging("shooting"),
    "midpoint": lambda: swinging("shooting", "midpoint", 0.4),
    "quaternion, midpoint": lambda: turned("midpoint"),
    "trapezoid": lambda: swinging("trapezoid"),
    "hermite-simpson": lambda: swinging("hermite-simpson"),
    "radau": lambda: swinging("radau"),
    "quaternion": turned,
    "loop": lambda: crank("shooting"),
    "loop, trapezoid": lambda: crank("trapezoid"),
}


QUICK = ("frames", "shooting", "trapezoid")


@pytest.mark.parametrize(
    "name", [n if n in QUICK else pytest.param(n, marks=pytest.mark.slow) for n in PROBLEMS]
)
def test_derivatives_of_the_transcription(name: str) -> None:
    """Jacobian and Hessian against central differences; Gauss and Newton's is not exact."""
    problem = PROBLEMS[name]()
    program = problem.program
    rng = np.random.default_rng(3)
    w = problem.guess() + 0.1 * rng.uniform(size=program.size)
    weights = rng.normal(size=program.height)

    def dense(entries: np.ndarray, kind: str, shape: tuple[int, int]) -> np.ndarray:
        found = np.zeros(shape)
        at = getattr(program, f"{kind}_rows"), getattr(program, f"{kind}_columns")
        np.add.at(found, at, entries)
        return found

    def jacobian(w: np.ndarray) -> np.ndarray:
        return dense(program.jacobian(w), "jacobian", (program.height, program.size))

    steps = 1e-5 * np.eye(program.size)
    slopes = [(program.value(w + e) - program.value(w - e)) / 2e-5 for e in steps]
    scale = max(1.0, np.abs(slopes).max())
    np.testing.assert_allclose(jacobian(w), np.transpose(slopes), atol=3e-8 * scale)
    curved = [weights @ (jacobian(w + e) - jacobian(w - e)) / 2e-5 for e in steps]
    hessian = dense(program.hessian(w, weights), "hessian", (program.size, program.size))
    scale = max(1.0, np.abs(curved).max())
    np.testing.assert_allclose(hessian, curved, atol=3e-8 * scale)
    np.testing.assert_allclose(hessian, hessian.T, atol=1e-12 * scale)
    program.exact = False
    coarse = dense(program.hessian(w, weights), "hessian", (program.size, program.size))
    assert not np.allclose(coarse, hessian, atol=1e-3)


@pytest.mark.parametrize("other", ["fatrop", pytest.param("scipy", marks=pytest.mark.slow)])
def test_solvers_agree_and_the_frame_arrives(other: str) -> None:
    """IPOPT, fatrop and SciPy find one optimum; the tip is where it must be, above the table."""
    pytest.importorskip("casadi")
    runs = {solver: reach().solve(solver=solver) for solver in ("ipopt", other)}
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


def test_implicit_steps_of_a_stiff_model() -> None:
    """Poles at -1 and -1000 rad/s, steps of 0.1 s. The optimum is the closed form of the midpoint
    rule, and near that of exact steps, from which the Runge-Kutta step is far."""
    model = eomc.Model("damped", gravity=(0, 0, 0))
    model.body("block", mass=1.0)
    model.joint("x", "prismatic", parent="world", child="block", axis=(1, 0, 0))
    model.generalized_force("oil", speed="x", expression="-1000*x - 1001*speed(x)")
    compiled, count, h = eomc.build(model), 10, 0.1
    A, B = np.array([[0, 1], [-1000, -1001.0]]), np.array([0, 1.0])

    def least(step: np.ndarray, by_force: np.ndarray) -> tuple[np.ndarray, float]:
        """Held forces of least effort to x = 1."""
        gain = np.array(
            [(np.linalg.matrix_power(step, count - 1 - k) @ by_force)[0] for k in range(count)]
        )
        return gain / (gain @ gain), h / (gain @ gain)

    def solved(method: Any) -> Any:
        problem = eomc.ocp(
            compiled, 1.0, count, [0], {"x": 1.0}, cost={"tau(x)": 1.0}, method=method
        )
        return problem.solve()

    run, half = solved("midpoint"), np.linalg.inv(np.eye(2) - h / 2 * A)
    forces, cost = least(half @ (np.eye(2) + h / 2 * A), h * half @ B)
    assert run.success and run.method == "midpoint" and "midpoint" in run.transcription
    assert run.cost == pytest.approx(cost, rel=1e-7)
    np.testing.assert_allclose(run.tau[:-1, 0], forces, rtol=1e-6)
    exact = scipy.linalg.expm(h * A)
    cost = least(exact, np.linalg.solve(A, (exact - np.eye(2)) @ B))[1]
    assert run.cost == pytest.approx(cost, rel=2e-2)
    explicit = solved("rk4")
    assert not 0.5 < explicit.cost / cost < 2
    with pytest.raises(ValueError, match="steps are those of method 'rk4', not of 'midpoint'"):
        eomc.ocp(compiled, 1.0, count, [0], cost={"tau(x)": 1.0}, method="midpoint").solve(
            solver="riccati"
        )


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


@cache
def turning() -> Any:
    model = eomc.Model("turning", gravity=(0, 0, 0))
    model.body("ball", mass=1.0, inertia=(1, 2, 3))
    model.joint("j", "spherical", parent="world", child="ball")
    return eomc.build(model)


@cache
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
        ({"t_span": (2, 1)}, "t_span"),
        ({"nodes": [0, 0.5, 0.5, 1]}, "increasing"),
        ({"start": {"x": (1, 0)}}, "start: 'x' from 1 to 0: they cross"),
        ({"soft": {"x": 1.0}}, "soft: 'x' has no bounds"),
        ({"rates": {"x": (0, 1)}}, "rates: no 'x'"),
        ({"periodic": ["tau(x)"]}, r"periodic: no 'tau\(x\)'"),
        ({"free": {"l": (0, 1)}}, "free: no 'l'"),
        ({"final_set": (np.eye(3), 1.0)}, r"final_set: the matrix has shape \(3, 3\)"),
        ({"final_cost": [[1, 0], [1, 1]]}, "symmetric"),
        ({"final_cost": [[-1, 0], [0, 1]]}, "negative eigenvalue"),
        ({"transcription": "hermite"}, "did you mean 'hermite-simpson'"),
        ({"method": "rk5"}, "method 'rk5'.*did you mean 'rk4'"),
        ({"method": "midpoint", "transcription": "radau"}, "'midpoint' is a step of shooting"),
        ({"model": looped, "method": "midpoint"}, "'midpoint' does not take loops"),
        ({"outputs": {"y": 1}, "cost": {"y": 1}}, "outputs: 'y' is not a function"),
        ({"independent": ["x"]}, "has no loops"),
        ({"model": looped, "start": [0.3, 0, 0]}, "loops.*open.*residual"),
        ({"model": looped, "start": {}, "target": [0, 0, 0]}, "independent ones only"),
        ({"model": turning, "start": [1, 0, 0, 0], "bounds": {"j_qw": (0, 1)}}, "quaternion"),
        ({"model": turning, "start": None, "transcription": "radau"}, "collocation"),
    ],
)
def test_bad_input(changed: dict[str, Any], told: str) -> None:
    given: dict[str, Any] = {
        "model": slide, "t_span": 1.0, "nodes": 5, "start": [0], "target": [1],
        "cost": {"tau(x)": 1.0}, **changed,
    }  # fmt: skip
    if given["model"] is not slide and "cost" not in changed:
        given["cost"] = None
        given["target"] = changed.get("target")
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
