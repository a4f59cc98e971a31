"""States between the times of a record, and the Jacobian of the flow."""

import numpy as np
import pytest
from small_models.mechanisms import charge

import eomc
from eomc.runtime.excitation.excitation import Excitation
from eomc.runtime.integrators import InitialValueProblem
from eomc.runtime.integrators.jacobian import flow_jacobian
from eomc.runtime.model.state import State, initial_state


@pytest.mark.parametrize("name", ["chain", "tumbler"])
def test_between_the_times_the_error_is_of_fourth_order(
    name: str, request: pytest.FixtureRequest
) -> None:
    model: eomc.CompiledModel = request.getfixturevalue(name)
    rng = np.random.default_rng(5)
    q, u = model.random_configuration(rng), rng.normal(size=model.nu)
    t = np.linspace(0, 1, 641)
    tight = {"rtol": 1e-12, "atol": 1e-13}
    exact = eomc.simulate(model, q, u, t_span=t, **tight)
    errors = []
    for count in (40, 80, 160):
        run = eomc.simulate(model, q, u, t_span=np.linspace(0, 1, count + 1), **tight)
        state = run.at(t)
        turn = model.difference(exact.q, state.q)
        errors.append(np.abs(np.hstack([turn, state.u - exact.u])).max())
        assert np.array_equal(run.at(run.t).u, run.u)
    assert np.log2(np.array(errors[:-1]) / errors[1:]) == pytest.approx([4, 4], abs=0.5)
    if name == "tumbler":
        assert np.linalg.norm(state.q[:, 3:], axis=1) == pytest.approx(np.ones(641), abs=1e-14)


@pytest.mark.parametrize("method", ["DOP853", "RK45", "Radau", "LSODA"])
def test_dense_runs_keep_their_accuracy_on_a_sparse_record(
    tumbler: eomc.CompiledModel, method: str
) -> None:
    u = [0.1, 0, 0, 1.0, 2.0, -0.5]
    t = np.linspace(0, 3, 301)
    exact = eomc.simulate(tumbler, u=u, t_span=t, rtol=1e-12, atol=1e-13)
    options = {"method": method, "rtol": 1e-8, "atol": 1e-9}
    sparse = eomc.simulate(tumbler, u=u, t_span=[0.0, 1.0, 3.0], dense=True, **options)
    state = sparse.at(t)
    assert np.abs(tumbler.difference(exact.q, state.q)).max() < 2e-5
    assert np.linalg.norm(state.q[:, 3:], axis=1) == pytest.approx(np.ones(301), abs=1e-14)
    coarse = eomc.simulate(tumbler, u=u, t_span=[0.0, 1.0, 3.0], **options).at(t)
    assert np.abs(tumbler.difference(exact.q, coarse.q)).max() > 1e-2


def test_held_torques_still_act_at_the_end_of_an_interval() -> None:
    model = eomc.build(charge("0*x"))

    def law(t: float, q: np.ndarray, u: np.ndarray) -> list[float]:
        return [1.0 if t < 0.45 else -2.0]

    for method in ("rk4", "dopri"):
        run = eomc.simulate(model, t_span=1, step=0.1, controller=law, method=method)
        # Under held forces a mass moves on parabolas, which cubics reproduce.
        t = np.linspace(0, 1, 57)
        late = np.maximum(t - 0.5, 0)
        assert run.at(t).q[:, 0] == pytest.approx(t**2 / 2 - 1.5 * late**2, abs=1e-12)
        assert run.at(t).u[:, 0] == pytest.approx(t - 3 * late, abs=1e-12)
        assert run.resampled(t).tau[:, 0] == pytest.approx(np.where(t < 0.5, 1.0, -2.0))


def test_shapes_and_limits_of_time(chain: eomc.CompiledModel) -> None:
    run = eomc.simulate(chain, [0.5, 0.5], t_span=1, step=0.1)
    assert run.at(0.35).q.shape == (2,) and run.at(np.zeros((3, 4))).u.shape == (3, 4, 2)
    for t in (-0.1, 1.1, np.nan):
        with pytest.raises(ValueError, match="the run lasts from 0 s to 1 s"):
            run.at(t)
    with pytest.raises(ValueError, match="keeps no interpolants"):
        eomc.simulate(chain, t_span=1, method="rk4", step=0.1, dense=True)
    with pytest.raises(ValueError, match="times that increase"):
        run.resampled([0.5, 0.2])


def test_a_resampled_run_has_its_prescribed_motion(driven: eomc.CompiledModel) -> None:
    def motion(t: float) -> tuple[float, float, float]:
        return np.sin(t), np.cos(t), -np.sin(t)

    run = eomc.simulate(driven, t_span=2, step=0.01, prescribed={"table": motion}, inputs=[0.3])
    t = np.linspace(0.003, 1.99, 77)
    again = run.resampled(t)
    assert again["table"] == pytest.approx(np.sin(t), abs=1e-9)
    assert again.r == pytest.approx(np.full((77, 1), 0.3))
    exact = eomc.simulate(driven, t_span=[0.0, *t], prescribed={"table": motion}, inputs=[0.3])
    assert again.energy == pytest.approx(exact.energy[1:], abs=1e-6)


def problem(model: eomc.CompiledModel, q: np.ndarray) -> InitialValueProblem:
    return InitialValueProblem(
        model, Excitation(model), initial_state(model, q, None), np.zeros(1), None, print
    )


def euler_body() -> eomc.CompiledModel:
    model = eomc.Model("spun")
    model.body("body", mass=2.0, com=(0.1, 0.2, 0.1), inertia=(0.3, 0.2, 0.25))
    model.joint("base", "floating_euler", parent="world", child="body")
    return eomc.build(model)


@pytest.mark.parametrize("name", ["chain", "tumbler", "euler"])
def test_the_jacobian_is_that_of_the_flow(name: str, request: pytest.FixtureRequest) -> None:
    model = euler_body() if name == "euler" else request.getfixturevalue(name)
    rng = np.random.default_rng(7)
    q, u = model.random_configuration(rng), rng.normal(size=model.nu)
    start, y = problem(model, q), np.concatenate([q, u])

    def flow(y: np.ndarray) -> np.ndarray:
        q = model.normalize(np.ascontiguousarray(y[: model.nq]))
        return np.concatenate(start.rates(0.0, State(q, np.ascontiguousarray(y[model.nq :]))))

    h = 1e-6
    columns = [(flow(y + h * e) - flow(y - h * e)) / (2 * h) for e in np.eye(y.size)]
    jacobian = flow_jacobian(start)
    assert jacobian is not None
    expected = np.column_stack(columns)
    assert jacobian(0.0, y) == pytest.approx(expected, abs=1e-7 * max(1, np.abs(expected).max()))


def test_implicit_methods_need_fewer_evaluations_with_the_jacobian(
    chain: eomc.CompiledModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    options = {"t_span": 1.0, "method": "Radau", "rtol": 1e-7, "atol": 1e-9}
    exact = eomc.simulate(chain, [1.0, 0.5], **options)
    monkeypatch.setattr("eomc.runtime.integrators.adaptive.flow_jacobian", lambda problem: None)
    differences = eomc.simulate(chain, [1.0, 0.5], **options)
    assert exact.statistics["evaluations"] < differences.statistics["evaluations"]
    assert exact.final.q == pytest.approx(differences.final.q, abs=1e-6)


def test_laws_of_the_state_leave_the_jacobian_to_the_solver(chain: eomc.CompiledModel) -> None:
    start = problem(chain, np.zeros(2))
    law = Excitation(chain, controller=lambda t, q, u: -100.0 * q)
    driven = InitialValueProblem(chain, law, start.state, start.times, None, print)
    assert flow_jacobian(driven) is None
