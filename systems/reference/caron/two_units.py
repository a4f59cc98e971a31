"""Cases of two units (33 to 37)."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from eomc.systems.flexible_manipulator.scenario import Response, peak
from eomc.systems.reference.caron.checks import between, within
from eomc.systems.reference.caron.scenarios import response
from eomc.systems.reference.case import Case, Check, agrees, holds

_RECOMPUTED = "an independent simulation of the thesis's data; the thesis states "


def _folded() -> Iterator[Check]:
    run = response("4-15")
    yield within("first joint [deg]", 21, peak(run.beta(2)), 0.10)
    yield within("second joint [deg]", 46, peak(run.beta(3)), 0.10)
    first, second = peak(run.e(3)), peak(run.e(4))
    yield within("tip of the second unit [m]", 0.43, second, 0.10)
    yield holds(
        "tips of the units [m]", "the first smaller", f"{first:.3g}, {second:.3g}", first < second
    )


def _other_shapes() -> Iterator[Check]:
    with_mass, bare = response("4-15"), response("4-16")
    for what, first, second in (
        ("tip of the second unit", with_mass.e(4), bare.e(4)),
        ("first joint", with_mass.beta(2), bare.beta(2)),
        ("second joint", with_mass.beta(3), bare.beta(3)),
        ("pitch", with_mass.pitch, bare.pitch),
    ):
        a, b = peak(first), peak(second)
        yield between(
            f"{what}: bare shapes by shapes with tip mass, less 1", -0.02, b / a - 1, 0.02
        )
    change = peak(bare.e(3)) / peak(with_mass.e(3)) - 1
    yield between("tip of the first unit: the same", -0.35, change, 0.35)


def swing(run: Response, axis: int) -> float:
    """Half the range of a component of the end-effector after the maneuver [m]."""
    values = run.end[run.after(0.01), axis]
    return float(np.ptp(values)) / 2


def _unfolding() -> Iterator[Check]:
    run = response("4-17")
    residual = peak(run.end[run.after(0.01), 0])
    yield within("residual of the end-effector along the platform [m]", 0.66, residual, 0.10)
    yield within("platform [mm]", 3.06, 1e3 * peak(run.e(2)), 0.05)
    yield agrees(
        "highest end-effector after the maneuver [m]", 21.5, run.end[run.after(0.01), 1].max(), 0.02
    )


def _unfolding_and_deploying() -> Iterator[Check]:
    run, without = response("4-18"), response("4-17")
    yield agrees(
        "highest end-effector after the maneuver [m]", 31.5, run.end[run.after(0.01), 1].max(), 0.1
    )
    for i in (2, 3):
        yield within(f"joint {i - 1} [deg]", 3.1, peak(run.beta(i)), 0.10)
    for i in (3, 4):
        yield within(f"tip of unit {i - 2} [cm]", 7, 100 * peak(run.e(i)), 0.10)
    for what, a, b in (
        ("first tip", peak(run.e(3)), peak(without.e(3))),
        ("second tip", peak(run.e(4)), peak(without.e(4))),
        ("pitch", peak(run.pitch), peak(without.pitch)),
    ):
        yield holds(f"{what} against figure 4-17", "larger", f"{a:.3g}, {b:.3g}", a > b)


def _along_the_platform() -> Iterator[Check]:
    run = response("4-19")
    yield within("pitch [deg]", 0.325, peak(run.pitch), 0.05)
    yield within("platform [mm]", 4.98, 1e3 * peak(run.e(2)), 0.05)
    yield within("first joint [deg]", 20, peak(run.beta(2)), 0.05)
    yield within("second joint [deg]", 10.6, peak(run.beta(3)), 0.05)
    yield agrees("start of the end-effector [m]", [0, 1.5], run.end[0], 0.05)
    yield agrees("end of the rigid end-effector [m]", [50, 1.5], rigid_end(), 0.05)


def rigid_end() -> np.ndarray:
    """Where the undeformed arm of figure 4-19 ends: (x, y) in the frame of the platform [m]."""
    angles = np.cumsum(np.radians([48.0, -96.0]))
    reach = 7.5 * np.array([np.cos(angles).sum(), np.sin(angles).sum()])
    return np.array([40.0, 1.5]) + reach


CASES = (
    Case(
        33, "Platform excited, two units", "fig. 4-15",
        _RECOMPUTED + "joints that approach 20 and 40 degrees, the second tip much larger",
        _folded, "reconstructed", note="The second joint reaches 46 degrees.",
    ),
    Case(34, "Shapes without tip mass", "fig. 4-16", "runs with both sets of shapes compared",
         _other_shapes),
    Case(
        35, "Unfolding", "fig. 4-17",
        _RECOMPUTED + "0.60 m, 3 mm, 21.5 m", _unfolding, "reconstructed",
    ),
    Case(
        36, "Unfolding and deploying", "fig. 4-18",
        _RECOMPUTED + "a similar shape, larger amplitude, lower frequency",
        _unfolding_and_deploying, "reconstructed",
    ),
    Case(
        37, "Along the platform", "fig. 4-19",
        _RECOMPUTED + "a pitch of 0.3 degrees and nearly 5 mm", _along_the_platform,
        "reconstructed",
    ),
)  # fmt: skip
