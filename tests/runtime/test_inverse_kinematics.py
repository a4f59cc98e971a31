"""Joint motions along a path: back through the arm's kinematics, rates against differences."""

import numpy as np
import pytest

from eomc.runtime.trajectories import Component, Jet, Profile, SineRamp, SlewAndExtend, TwoLinks
from eomc.runtime.trajectories.jet import acos, atan2, cos, sin, sqrt

LINE = SineRamp([5.0, 10.16], [8.54, 6.62], duration=3.0, start_time=1.0)
BASE = (0.4, 1.5)


def of_slew_and_extend(q: np.ndarray) -> np.ndarray:
    return q[:, 1:] * np.stack([np.cos(q[:, 0]), np.sin(q[:, 0])], axis=1)


def of_two_links(q: np.ndarray, lengths: tuple[float, float]) -> np.ndarray:
    second = q[:, 0] + q[:, 1]
    angles = np.stack([q[:, 0], second])
    return np.stack([np.array(lengths) @ np.cos(angles), np.array(lengths) @ np.sin(angles)], 1)


def arms() -> list[object]:
    lengths = (7.0, 8.5)
    return [
        pytest.param(SlewAndExtend(LINE, BASE), of_slew_and_extend, id="slew and extend"),
        *(
            pytest.param(
                TwoLinks(LINE, lengths, BASE, elbow=elbow),
                lambda q: of_two_links(q, lengths),
                id=f"elbow {elbow}",
            )
            for elbow in ("below", "above")
        ),
    ]


@pytest.mark.parametrize(("motion", "end"), arms())
def test_the_end_is_on_the_path(motion: Profile, end) -> None:
    t = np.linspace(1, 4, 31)
    assert end(motion(t).position) + BASE == pytest.approx(LINE(t).position, abs=1e-12)


@pytest.mark.parametrize(("motion", "end"), arms())
def test_rates_and_accelerations_are_those_of_the_position(motion: Profile, end) -> None:
    t, h = np.linspace(1.1, 3.9, 23), 1e-4
    # Central differences of order 6.
    weights = np.array([-1, 9, -45, 0, 45, -9, 1]) / 60
    steps = np.arange(-3, 4)
    for exact, lower in ((1, 0), (2, 1)):
        values = np.array([motion(t + k * h)[lower] for k in steps])
        slope = np.tensordot(weights, values, axes=1) / h
        assert motion(t)[exact] == pytest.approx(slope, abs=1e-8)
    for time in (1.0, 4.0):
        assert not motion(time).rate.any()
        assert motion(time).acceleration == pytest.approx(0, abs=1e-14)


def test_elbow_below_and_above_are_mirror_images_about_the_chord() -> None:
    below, above = (
        TwoLinks(LINE, 8.0, BASE, elbow=side)(2.0).position for side in ("below", "above")
    )
    chord = np.arctan2(*(LINE(2.0).position - BASE)[::-1])
    assert below[1] == pytest.approx(-above[1])
    assert below[0] + above[0] == pytest.approx(2 * chord)
    assert below[0] < chord


def test_jets_against_series() -> None:
    t = Jet(np.array([0.3]), np.array([1.0]), np.array([0.0]))
    x = (2 * t * t - 1.5 + t) / (3 - t) - 1 / (1 + t)
    h = 1e-3

    def plain(s: float) -> float:
        return (2 * s * s - 1.5 + s) / (3 - s) - 1 / (1 + s)

    def derivatives(f, s: float) -> tuple[float, float]:
        y = [f(s + k * h) for k in range(-3, 4)]
        first = np.dot([-1, 9, -45, 0, 45, -9, 1], y) / 60 / h
        return first, np.dot([2, -27, 270, -490, 270, -27, 2], y) / 180 / h**2

    for jet, f in (
        (x, plain),
        (sin(x), lambda s: np.sin(plain(s))),
        (cos(x), lambda s: np.cos(plain(s))),
        (sqrt(-x), lambda s: np.sqrt(-plain(s))),
        (acos(0.5 * x), lambda s: np.arccos(plain(s) / 2)),
        (atan2(t, x), lambda s: np.arctan2(s, plain(s))),
    ):
        assert jet.value[0] == pytest.approx(f(0.3))
        expected = derivatives(f, 0.3)
        assert [jet.rate[0], jet.acceleration[0]] == pytest.approx(expected, rel=1e-7)


def test_paths_out_of_reach_are_told() -> None:
    with pytest.raises(ValueError, match=r"at t = 2.\d* s the path leaves the reach"):
        TwoLinks(SineRamp([2.0, 0.0], [9.0, 0.0], duration=4.0), (3.0, 4.0))
    with pytest.raises(ValueError, match="at t = 2 s the path goes through the base"):
        SlewAndExtend(SineRamp([-1.0, 0.0], [1.0, 0.0], duration=4.0))
    with pytest.raises(ValueError, match="path: give a profile of points, not float"):
        SlewAndExtend(1.0)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="points of shape"):
        SlewAndExtend(SineRamp(0.0, 1.0, duration=1.0))
    with pytest.raises(ValueError, match="elbow is 'left'"):
        TwoLinks(LINE, 8.0, elbow="left")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="lengths must be positive"):
        TwoLinks(LINE, (8.0, 0.0))


def test_components_of_a_motion() -> None:
    motion = SlewAndExtend(LINE, BASE)
    t = np.linspace(0, 5, 11)
    for index in range(2):
        for one, both in zip(Component(motion, index)(t), motion(t), strict=True):
            assert one.tolist() == both[:, index].tolist()
    with pytest.raises(ValueError, match="no entry 2"):
        Component(motion, 2)
    with pytest.raises(ValueError, match=r"positions of shape \(\)"):
        Component(SineRamp(0.0, 1.0, duration=1.0), 0)
