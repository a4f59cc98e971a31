"""Derivatives of constrained motion, and its balance of energy."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from constraints.mechanisms import four_bar
from constraints.test_linkages import bending_loop, bennett, rssr
from constraints.test_nonholonomic import _wheel
from constraints.values import Values, near
from scipy.integrate import solve_ivp

from eomc.binding.arrays import Array
from eomc.derive.model import Model
from eomc.runtime.derivatives.differences import derivative

pytestmark = pytest.mark.variants


def driven_four_bar() -> Model:
    """A crank whose angle follows time, and losses in the joints, the cut one too."""
    model = four_bar(**{name: {"damping": 0.3} for name in "abcd"})
    model.constraint("motor", "driver", first="a", expression="1 + 0.4*sin(3*t)")
    return model


MODELS: dict[str, tuple[Any, dict[str, float]]] = {
    "four-bar": (four_bar, {}),
    "driven": (driven_four_bar, {"t": 0.3}),
    "rssr": (rssr, {}),
    "bennett": (lambda: bennett().cut_at(2), {}),
    "bending": (lambda: bending_loop("c"), {}),
    "ball": (lambda: _wheel("ball"), {}),
    "disc": (lambda: _wheel("disc"), {}),
}


def _start(values: Values, more: dict[str, float]) -> tuple[Array, Array]:
    rng = np.random.default_rng(5)
    nu = len(values.equations.speeds)
    neutral = values("neutral")
    for _ in range(20):
        q = values("integrate", q=neutral, du=rng.uniform(-0.8, 0.8, size=nu))
        q = values.closed(q, **more)
        if np.abs(values("constraint_residual", q=q, **more)).max() < 1e-12:
            return q, values.consistent(q, rng.normal(size=nu), **more)
    raise AssertionError("not closed")


@pytest.mark.slow
@pytest.mark.parametrize("name", MODELS)
def test_derivatives_of_forward_dynamics(name: str) -> None:
    """By q along the tangent, u and tau, against extrapolated differences."""
    make, more = MODELS[name]
    values = Values(make())
    q, u = _start(values, more)
    nu = len(u)
    tau = np.random.default_rng(1).normal(size=nu)
    at = {"q": q, "u": u, "tau": tau, **more}
    by_q, by_u, by_tau = values("forward_dynamics_derivatives", **at)
    assert near(by_q, values.columns("forward_dynamics", **at), 1e-8)
    for matrix, argument in ((by_u, "u"), (by_tau, "tau")):
        columns = [
            derivative(
                lambda h, e=e, argument=argument: values(
                    "forward_dynamics", **{**at, argument: at[argument] + h * e}
                )
            )[0]
            for e in np.eye(nu)
        ]
        assert near(matrix, np.array(columns).T, 1e-8)


@pytest.mark.parametrize("name", MODELS)
def test_what_the_constraints_work(name: str) -> None:
    """d/dt (T + V) = power + lambda . (G u): only a drive, which depends on time, does work."""
    make, more = MODELS[name]
    values = Values(make())
    q, u = _start(values, more)
    tau = np.random.default_rng(2).normal(size=len(u))
    a, multipliers = values("constrained_dynamics", q=q, u=u, tau=tau, stabilization=[0.0], **more)
    done = float(multipliers @ values("constraint_jacobian", q=q, **more) @ u)
    if not more:
        assert abs(done) < 1e-11 * (1 + np.abs(multipliers).max())
    else:
        assert abs(done) > 0.1  # the drive does work

    def energy(h: float) -> Any:
        moved = {"q": values("integrate", q=q, du=h * u), "u": u + h * a}
        return values("kinetic_energy", **moved) + values("potential_energy", q=moved["q"])

    expected = float(values("power", q=q, u=u, tau=tau, **more)) + done
    assert near(derivative(energy)[0], expected, 1e-9)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["four-bar", "driven", "disc"])
def test_energy_along_a_run(name: str) -> None:
    """T + V changes by the work of losses and drives, the mechanism staying closed."""
    make, more = MODELS[name]
    values = Values(make())
    q, u = _start(values, more)
    nq, nu = len(q), len(u)
    rest = np.zeros(nu)

    def rates(t: float, y: Array) -> Array:
        at = {"q": y[:nq], "u": y[nq : nq + nu], **({"t": t} if more else {})}
        a, multipliers = values("constrained_dynamics", **at, tau=rest, stabilization=[0.0])
        jacobian = values("constraint_jacobian", **at)
        work = float(values("power", **at, tau=rest)) + float(multipliers @ jacobian @ at["u"])
        return np.concatenate([values("coordinate_rates", **at), a, [work]])

    start = more.get("t", 0.0)
    run = solve_ivp(
        rates, (start, start + 0.5), np.concatenate([q, u, [0.0]]), "DOP853", rtol=1e-10, atol=1e-12
    )
    energies = []
    for y in run.y.T:
        kinetic = values("kinetic_energy", q=y[:nq], u=y[nq : nq + nu])
        energies.append(float(kinetic + values("potential_energy", q=y[:nq])) - y[-1])
    assert np.ptp(energies) < 1e-8 * np.abs(energies).max()
    end = {"t": run.t[-1]} if more else {}
    assert np.abs(values("constraint_residual", q=run.y[:nq, -1], **end)).max() < 1e-8
