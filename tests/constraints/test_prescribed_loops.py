"""Prescribed coordinates on closed loops, and constraints that move with time."""

from __future__ import annotations

import numpy as np
import pytest
from constraints.four_bars import planar
from constraints.values import Values, near

from eomc.binding.arrays import Array
from eomc.derive.model import Model, ModelError


def _driven() -> Model:
    model = planar()
    model.prescribed("a")
    return model


def _motion(t: float) -> tuple[list[float], list[float], list[float]]:
    """The crank turns with a ripple."""
    return [0.7 + 1.3 * t + 0.2 * np.sin(t)], [1.3 + 0.2 * np.cos(t)], [-0.2 * np.sin(t)]


def _free_state(values: Values, t: float) -> dict[str, Array]:
    """The undriven four-bar in the same motion."""
    s, rate, acceleration = (np.array(x) for x in _motion(t))
    names = values.equations.coordinates
    place = names.index("a")
    q = np.array([1.0, -0.4, 1.2])
    q[place] = s[0]
    others = [k for k in range(3) if k != place]
    for _ in range(50):
        gap, g = values("constraint_residual", q=q), values("constraint_jacobian", q=q)
        q[others] -= np.linalg.solve(g[:, others], gap)
    u, a = np.zeros(3), np.zeros(3)
    u[place], a[place] = rate[0], acceleration[0]
    u[others] = -np.linalg.solve(g[:, others], g[:, place] * u[place])
    bias = values("constraint_bias", q=q, u=u)
    a[others] = -np.linalg.solve(g[:, others], g[:, place] * a[place] + bias)
    return {"q": q, "u": u, "a": a}


def test_a_driver_is_the_prescribed_motion() -> None:
    """first = f(t) as a constraint: the same motion, its multiplier the force on the crank."""
    model = planar()
    model.constraint("motor", "driver", first="a", expression="7/10 + 13/10*t + sin(t)/5")
    values, driven = Values(model), Values(_driven())
    free = Values(planar())
    assert values.equations.system(()).constraints.names[-1] == "motor.driver"
    for t in (0.0, 0.8):
        state = _free_state(free, t)
        arrays = {"q": state["q"], "u": state["u"], "tau": np.zeros(3), "t": t}
        assert near(values("constraint_residual", q=state["q"], t=t), np.zeros(3), 1e-13)
        assert near(
            values("constraint_velocity", q=state["q"], u=state["u"], t=t), np.zeros(3), 1e-13
        )
        a, multipliers = values("constrained_dynamics", stabilization=[0.0], **arrays)
        assert near(a, state["a"], 1e-9)
        names, kept = free.equations.coordinates, driven.equations.coordinates
        pick = [names.index(name) for name in kept]
        s, rate, acceleration = _motion(t)
        force = driven(
            "prescribed_forces",
            q=state["q"][pick],
            u=state["u"][pick],
            tau=np.zeros(2),
            s=s,
            s_rate=rate,
            s_acceleration=acceleration,
        )
        assert multipliers[-1] == pytest.approx(force[0], rel=1e-9)


def test_more_prescribed_than_free() -> None:
    """Two cranks of a linkage of one freedom cannot both be given."""
    model = _driven()
    model.prescribed("d")
    with pytest.raises(ModelError, match=r"prescribed .*'?a'?.*c\.force_[yz]"):
        _ = Values(model)("constraint_jacobian", q=[0.0], s=[0.7, 1.0])


def test_two_drivers_of_one_freedom() -> None:
    """Together at the start, but each its own way from there."""
    model = planar()
    model.constraint("first", "driver", first="a", expression="7/10 + sin(t)")
    model.constraint("second", "driver", first="a", expression="7/10 + t")
    with pytest.raises(ModelError, match=r"second\.driver and the constraints before it move"):
        Values(model)("constraint_jacobian", q=[0.7, -0.4, 1.2], t=0.0)
