"""Maneuver profiles, and the straight line tracked by one and two units (8, 11, 32, 38)."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from eomc.runtime.trajectories import SineRamp
from eomc.systems.flexible_manipulator.scenario import peak
from eomc_published.caron.checks import peaks, within
from eomc_published.caron.scenarios import line, one_on_line, response, two_on_line
from eomc_published.case import Case, CaseCheck, agrees, at_most


def _sine_ramp() -> Iterator[CaseCheck]:
    ramp = SineRamp(0.0, 1.0, duration=1.0)
    ends = ramp(np.array([0.0, 1.0]))
    yield agrees("rate at both ends", [0, 0], ends.rate, 1e-12)
    yield agrees("acceleration at both ends", [0, 0], ends.acceleration, 1e-12)
    # Where the thesis places the peaks: at the middle, and at a quarter and three quarters.
    yield agrees("peak rate", 2.0, ramp(0.5).rate, 1e-12)
    quarters = ramp(np.array([0.25, 0.75])).acceleration
    yield agrees("peak accelerations", [2 * np.pi, -2 * np.pi], quarters, 1e-12)
    all_times = ramp(np.linspace(0, 1, 100_001))
    beyond = max(peak(all_times.rate) - 2, peak(all_times.acceleration) - 2 * np.pi)
    yield at_most("beyond these peaks anywhere", beyond, 1e-12)


def _tracking() -> Iterator[CaseCheck]:
    path, one, two = line(1.0), one_on_line(1.0), two_on_line(1.0)
    start, middle, end = path.start_time, path.start_time + path.duration / 2, path.end_time
    yield agrees("one unit at the start [deg, m]", [60.0, 10.0], _shown(one(start).position), 0.01)
    times = np.linspace(start, end, 20_001)
    yield agrees("closest [m]", 9.66, one(times).position[:, 1].min(), 0.01)
    yield agrees("one unit at the end [deg, m]", [30.98, 9.956], _shown(one(end).position), 0.01)
    for when, t, expected in (
        ("start", start, (11.81, 96.38)),
        ("middle", middle, (-4.39, 99.82)),
        ("end", end, (-17.44, 96.83)),
    ):
        got = np.degrees(two(t).position)
        yield agrees(f"two units at the {when} [deg]", expected, got, 0.01)


def _shown(position: np.ndarray) -> list[float]:
    return [float(np.degrees(position[0])), float(position[1])]


def _one_unit() -> Iterator[CaseCheck]:
    run = response("4-14")
    yield from peaks(run, 0.15, beta2=0.39, e3=2.7e-3)
    after = run.end[run.after(0.01)]
    yield agrees("where it ends, on the mean [m]", [8.536, 6.625], after.mean(axis=0), 0.005)
    swing = np.ptp(after, axis=0) / 2
    yield within("oscillation along the platform [m]", 0.007, float(swing[0]), 0.15)
    yield within("oscillation across [m]", 0.012, float(swing[1]), 0.15)


def _two_units() -> Iterator[CaseCheck]:
    yield from peaks(response("4-20"), 0.10, beta2=4.9, beta3=2.4, e3=1.7e-2, e4=0.68e-2)


CASES = (
    Case(
        8,
        "Sine ramp",
        "eq. (2.84), fig. 2-4",
        "rates and accelerations of the unit maneuver",
        _sine_ramp,
    ),
    Case(
        11,
        "Straight lines by inverse kinematics",
        "eq. (4.3) to (4.6)",
        "angles and lengths along the line",
        _tracking,
        "reconstructed",
    ),
    Case(
        32,
        "A straight line by one unit",
        "fig. 4-14",
        "a run of 0.02 orbit",
        _one_unit,
        "reconstructed",
        slow=True,
    ),
    Case(
        38,
        "A straight line by two units",
        "fig. 4-20",
        "a run of 0.01 orbit",
        _two_units,
        "reconstructed",
        slow=True,
    ),
)
