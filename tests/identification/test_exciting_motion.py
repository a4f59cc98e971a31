"""Exciting motions keep to the limits, start from rest and tell more than those they came from."""

from __future__ import annotations

import numpy as np
import pytest
from identification.arms import compiled

import eomc
from eomc.runtime.identification import exciting_motion
from eomc.runtime.identification.exciting_motion import _ConditionSearch
from eomc.runtime.trajectories import FourierSeries


def test_it_keeps_to_the_limits_and_tells_more() -> None:
    model = compiled()
    found = exciting_motion(model, period=6.0, acceleration=15.0, iterations=15)
    q, u, a = found.motion(np.linspace(0, 6, 3000))
    assert (q > model.lower).all() and (q < model.upper).all()
    assert (np.abs(u) < model.velocity_limits).all() and np.abs(a).max() < 15
    assert np.abs([u[0], u[-1], a[0], a[-1]]).max() < 1e-10
    assert found.condition < 0.8 * found.first_condition
    # The condition is that of the regressor at the samples, by singular values.
    t = 6.0 * (np.arange(20) + 0.5) / 20
    W = found.base.regressor(model.regressor(*found.motion(t))[0])
    assert np.isclose(np.linalg.cond(W.reshape(-1, len(found.base))), found.condition, rtol=1e-6)


def test_slopes_are_differences() -> None:
    search = _ConditionSearch(
        compiled(),
        exciting_motion(compiled(), period=2.0, iterations=0).base,
        2.0,
        4,
        20,
        np.zeros(4),
        np.ones((3, 4)),
    )
    shape = np.random.default_rng(3).normal(size=search.size)
    _, slope = search.cost_and_slope(shape)
    step = 1e-5 * np.eye(search.size)
    told = [(search.cost(shape + e) - search.cost(shape - e)) / 2e-5 for e in step]
    np.testing.assert_allclose(slope, told, rtol=1e-4, atol=1e-6)


def test_a_series_is_its_derivatives() -> None:
    rng = np.random.default_rng(2)
    series = FourierSeries(rng.normal(size=2), *rng.normal(size=(2, 3, 2)), 2.0, periods=3)
    t, h = np.linspace(0.5, 5.5, 9), 1e-5
    ahead, at, behind = series(t + h), series(t), series(t - h)
    rate = (ahead.position - behind.position) / (2 * h)
    bend = (ahead.rate - behind.rate) / (2 * h)
    np.testing.assert_allclose(at.rate, rate, rtol=1e-7, atol=1e-6)
    np.testing.assert_allclose(at.acceleration, bend, rtol=1e-7, atol=1e-5)
    np.testing.assert_allclose(series(t[0] + 2.0).position, at.position[0], atol=1e-12)
    assert series.duration == 6.0


@pytest.mark.parametrize(
    ("change", "text"),
    [
        ({"harmonics": 2}, "harmonics is 2; give a whole number, at least 3"),
        ({"starts": 0}, "starts is 0"),
        ({"period": -1.0}, "period is -1.0; give a positive number"),
        ({"samples": 2}, "samples: 2 cannot tell"),
        ({"lower": 3}, "limits of 'yaw': upper 2 is not above 3"),
        ({"velocity": [1, 1]}, "velocity: give numbers of shape"),
        ({"velocity": 0}, "of 'yaw': give positive numbers"),
    ],
)
def test_bad_input(change: dict[str, object], text: str) -> None:
    with pytest.raises(ValueError, match=text):
        exciting_motion(compiled(), **{"period": 5.0, **change})  # type: ignore[arg-type]


def test_joints_without_limits_and_quaternions() -> None:
    model = eomc.Model("free")
    model.body("box", mass=1, inertia=(1, 1, 1))
    model.joint("spin", "revolute", parent="world", child="box", axis=(0, 1, 0))
    with pytest.raises(ValueError, match="joint 'spin' has no limit; give lower and upper"):
        exciting_motion(eomc.build(model, flags=("-O0",)), period=1.0)
    ball = eomc.Model("ball")
    ball.body("box", mass=1, com=(0, 0, 1), inertia=(1, 1, 1))
    ball.joint("hang", "spherical", parent="world", child="box")
    with pytest.raises(ValueError, match="rates are not its speeds"):
        exciting_motion(eomc.build(ball, flags=("-O0",)), period=1.0)


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        (([0.0], [[1.0, 2.0]], [[1.0]], 1.0), "sine has shape"),
        ((0.0, [1.0], [1.0], 0.0), "no duration"),
        ((0.0, [1.0], [np.inf], 1.0), "cosine is not finite"),
    ],
)
def test_bad_series(arguments: tuple[object, ...], text: str) -> None:
    with pytest.raises(ValueError, match=text):
        FourierSeries(*arguments)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="periods is 0"):
        FourierSeries(0.0, [1.0], [1.0], 1.0, periods=0)
