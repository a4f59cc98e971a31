"""Profiles: what they pass through, how smooth they are, what they refuse."""

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from eomc.runtime.trajectories import (
    Cubic,
    CubicSpline,
    HermiteSpline,
    ParabolicBlend,
    Profile,
    Quintic,
    SineRamp,
    UniformHermiteSpline,
    workspace_entry,
)

TIMES = [1.0, 1.5, 2.5, 4.0]
POINTS = np.array([[0.0, 1.0], [0.4, 0.2], [-0.3, 0.0], [1.0, 2.0]])
PROFILES: dict[str, Profile] = {
    "cubic": Cubic([0.2, -1], [1.0, 2.0], 3.0, start_rate=[0.5, 0], end_rate=-1, start_time=1),
    "quintic": Quintic(
        *([0.2, -1], [1.0, 2.0], 3.0),
        start_rate=0.5,
        end_rate=[-1, 2],
        start_acceleration=[1, 0],
        end_acceleration=-3,
        start_time=1,
    ),
    "blend": ParabolicBlend(
        *([0.2, -1.0], [1.0, 2.0], 3.0, 4.0, [1.7, 3.0]),
        start_rate=0.1,
        end_rate=-0.2,
        start_time=1.0,
    ),
    "sine": SineRamp([0.2, -1.0], [1.0, 2.0], 3.0, start_time=1),
    "spline": HermiteSpline(TIMES, POINTS),
    "smooth": CubicSpline(TIMES, POINTS, end_rate=1.0),
    "uniform": UniformHermiteSpline(POINTS, 3.0, start_time=1),
}
numbers = st.floats(-10, 10)


@pytest.mark.parametrize("name", PROFILES)
def test_rates_are_derivatives(name: str) -> None:
    profile, h = PROFILES[name], 1e-6
    t = np.linspace(0.5, 4.5, 97) + 1e-3  # no knot among them
    before, here, after = profile(t - h), profile(t), profile(t + h)
    rate = (after.position - before.position) / (2 * h)
    acceleration = (after.rate - before.rate) / (2 * h)
    assert here.rate == pytest.approx(rate, abs=1e-6)
    assert here.acceleration == pytest.approx(acceleration, abs=1e-5)


@pytest.mark.parametrize("name", PROFILES)
def test_shapes_follow_the_times(name: str) -> None:
    profile = PROFILES[name]
    grid = np.linspace(0, 5, 12).reshape(3, 4)
    assert [row.shape for row in profile(grid)] == [(3, 4, 2)] * 3
    assert [row.shape for row in profile(2.0)] == [(2,)] * 3
    assert profile(grid).rate[1, 2] == pytest.approx(profile(grid[1, 2]).rate)


@given(st.lists(numbers, min_size=6, max_size=6), st.floats(0.1, 5), st.floats(-5, 5))
def test_polynomials_meet_their_ends(values: list[float], duration: float, begin: float) -> None:
    p0, p1, v0, v1, a0, a1 = values
    ends = {"start_rate": v0, "end_rate": v1, "start_time": begin}
    cubic = Cubic(p0, p1, duration, **ends)
    quintic = Quintic(p0, p1, duration, **ends, start_acceleration=a0, end_acceleration=a1)
    end = quintic.end_time
    for profile in (cubic, quintic):
        assert [profile(begin).position, profile(end).position] == pytest.approx([p0, p1], abs=1e-8)
        assert [profile(begin).rate, profile(end).rate] == pytest.approx([v0, v1], abs=1e-7)
    pair = [quintic(begin).acceleration, quintic(end).acceleration]
    assert pair == pytest.approx([a0, a1], rel=1e-6, abs=1e-5)


def test_from_rest_to_rest() -> None:
    profiles: dict[Callable[..., Profile], float] = {Cubic: 1.5, Quintic: 1.875, SineRamp: 2.0}
    for kind, peak in profiles.items():
        profile = kind(1.0, 5.0, 2.0)
        middle = profile(1.0)
        # By symmetry the middle is half way, without acceleration, at the peak of the rate.
        assert (middle.position, middle.acceleration) == pytest.approx((3.0, 0.0), abs=1e-12)
        assert middle.rate == pytest.approx(peak * 4.0 / 2.0)
        t = np.linspace(0, 2, 201)
        assert profile(t).rate.max() == pytest.approx(middle.rate)
        assert profile(t).rate.min() == pytest.approx(0, abs=1e-12)
        assert profile(-3.0) == pytest.approx((1.0, 0.0, 0.0), abs=1e-12)
        assert profile(9.0) == pytest.approx((5.0, 0.0, 0.0), abs=1e-12)


def test_beyond_its_ends_a_motion_goes_on() -> None:
    profile = Cubic(0.0, 1.0, 1.0, start_rate=2.0, end_rate=-1.0)
    assert profile(-0.5) == pytest.approx((-1.0, 2.0, 0.0))
    assert profile(3.0) == pytest.approx((-1.0, -1.0, 0.0))


def test_splines_pass_through_points_with_their_rates() -> None:
    rates = np.array([[0.0, 1.0], [2.0, 0.0], [0.0, 0.0], [-1.0, 0.5]])
    spline = HermiteSpline(TIMES, POINTS, rates)
    assert spline(TIMES).position == pytest.approx(POINTS)
    assert spline(TIMES).rate == pytest.approx(rates)
    resting = HermiteSpline(TIMES, POINTS, start_rate=0.0, end_rate=[0.0, 3.0])
    assert resting([1.0, 4.0]).rate == pytest.approx(np.array([[0.0, 0.0], [0.0, 3.0]]))
    # The formula of Catmull and Rom inside.
    even = UniformHermiteSpline(POINTS, 3.0)
    assert even(1.0).rate == pytest.approx((POINTS[2] - POINTS[0]) / 2)
    two = UniformHermiteSpline([0.0, 3.0], 2.0)
    assert two(0.5) == pytest.approx((0.75, 1.5, 0.0), abs=1e-12)


@given(st.lists(numbers, min_size=3, max_size=3), st.lists(st.floats(0.1, 2), min_size=4))
def test_splines_reproduce_parabolas(terms: list[float], intervals: list[float]) -> None:
    knots = np.cumsum([-1.0, *intervals])
    spline = HermiteSpline(knots, np.polyval(terms, knots))
    t = np.linspace(knots[0], knots[-1], 50)
    scale = 1 + np.abs(np.polyval(np.abs(terms), np.abs(knots))).max()
    assert spline(t).position == pytest.approx(np.polyval(terms, t), abs=1e-9 * scale)


def test_splines_converge_with_their_order() -> None:
    errors = []
    for count in (20, 40, 80):
        knots = np.linspace(0, 1, count) ** 1.5 * 4
        t = np.linspace(0, 4, 1001)
        errors.append(np.abs(HermiteSpline(knots, np.sin(knots))(t).position - np.sin(t)).max())
    assert errors[0] / errors[1] > 2**2.7 and errors[1] / errors[2] > 2**2.7


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Cubic(0, 1, 0), "no duration"),
        (lambda: Quintic(0, 1, -1), "before it starts"),
        (lambda: SineRamp(0, 1, np.inf), "duration is not finite"),
        (lambda: Cubic([0, np.nan], 1, 1), "start is not finite"),
        (lambda: Cubic([0, 0], [1, 2, 3], 1), "end has shape"),
        (lambda: Quintic(0, 1, 1, end_rate=[1, 2]), "end_rate has shape"),
        (lambda: Cubic("a", 1, 1), "start: give numbers"),
        (lambda: Cubic(0, 1, [1, 2]), "duration has shape"),
        (lambda: HermiteSpline([0, 1, 1], [0, 1, 2]), "times must be"),
        (lambda: HermiteSpline([0], [0]), "times must be"),
        (lambda: HermiteSpline([0, 1], [0, 1, 2]), "points has shape"),
        (lambda: HermiteSpline([0, 1], [0, 1], [1]), "rates has shape"),
        (lambda: HermiteSpline([0, 1], [0, 1], [1, 1], end_rate=0), "rates are given"),
        (lambda: CubicSpline([0, 1], [0, 1, 2]), "points has shape"),
        (lambda: CubicSpline([0, 1], [0, 1], end_rate=[1, 2]), "end_rate has shape"),
        (lambda: UniformHermiteSpline([1.0], 2.0), "at least two"),
        (lambda: UniformHermiteSpline([1.0, 2.0], 0.0), "positive"),
        (lambda: Cubic(0, 1, 1)(np.nan), "t is not finite"),
    ],
)
def test_wrong_arguments_are_named(make: Callable[[], object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        make()


@pytest.mark.parametrize("kind", [Cubic, Quintic])
def test_polynomials_that_overflow_are_refused(kind: type[Cubic | Quintic]) -> None:
    with pytest.raises(ValueError, match="duration, start or end are too large"):
        kind(-1e308, 1e308, 1.0)
    with pytest.raises(ValueError, match="duration, start or end are too large"):
        kind(0.0, 1.0, 1e200, start_rate=1e200)


def test_blends_take_the_shorter_of_two_pushes() -> None:
    blend = ParabolicBlend(0.0, 2.0, duration=3.0, acceleration=1.0)
    # t1 = (3 - sqrt(9 - 8))/2; the other root would push for 2 s and brake from 1 s on.
    assert (float(blend.on), float(blend.off)) == pytest.approx((1.0, 2.0))
    back = ParabolicBlend([0.0, 0.0], [2.0, -2.0], duration=3.0, acceleration=1.0)
    assert back(1.5).position == pytest.approx([1.0, -1.0])
    resting = ParabolicBlend(1.0, 1.0, duration=3.0, acceleration=1.0)
    assert resting(1.5).position == pytest.approx(1.0)


def test_blends_out_of_reach_are_refused() -> None:
    with pytest.raises(ValueError, match=r"entry 1: 9 beyond coasting.* is out of reach in 3 s"):
        ParabolicBlend([0.0, 0.0], [1.0, 9.0], duration=3.0, acceleration=1.0)
    with pytest.raises(ValueError, match="deceleration is 0"):
        ParabolicBlend(0.0, 1.0, duration=3.0, acceleration=1.0, deceleration=0.0)


def test_workspace_entry() -> None:
    moving = workspace_entry(lambda t: [0.0, 0.0], lambda t: [5 - t, 3.0], 5.0, 0.0, 4.0)
    assert moving == pytest.approx(1.0, abs=1e-12)
    assert workspace_entry(lambda t: [0.0], [0.5], 1.0, 2.0, 3.0) == 2.0
    with pytest.raises(ValueError, match="stays out of reach from 0 to 4 s: by 1 m at the nearest"):
        workspace_entry(lambda t: [t, 0.0], [4.0, 2.0], 1.0, 0.0, 4.0)
