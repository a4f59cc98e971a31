"""Cases of two units (33 to 37)."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from eomc.binding.arrays import Array
from eomc.systems.flexible_manipulator.scenario import Response, peak, tips
from eomc_published.caron.chan import slewing, two_links
from eomc_published.caron.checks import between, peaks, recomputed, within
from eomc_published.caron.scenarios import response
from eomc_published.case import CaseCheck, agrees, holds


def _folded() -> Iterator[CaseCheck]:
    run = response("4-15")
    yield from peaks(run, 0.10, beta2=21, beta3=46, e4=0.43)
    first, second = peak(run.e(3)), peak(run.e(4))
    yield holds(
        "tips of the units [m]", "the first smaller", f"{first:.3g}, {second:.3g}", first < second
    )


def _other_shapes() -> Iterator[CaseCheck]:
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


def _unfolding() -> Iterator[CaseCheck]:
    run = response("4-17")
    residual = peak(run.end[run.after(0.01), 0])
    yield within("residual of the end-effector along the platform [m]", 0.66, residual, 0.10)
    yield from peaks(run, 0.05, e2=3.06e-3)
    yield from _final_height(run, 21.5, 0.02)


def _final_height(run: Response, expected: float, tolerance: float) -> Iterator[CaseCheck]:
    """Transverse place of the end-effector: as it swings, its mean; and where it is at last."""
    height = run.end[run.after(0.01), 1]
    yield agrees("final height, mean [m]", expected, height.mean(), tolerance)
    yield agrees("final height, last [m]", expected, height[-1], tolerance)
    yield agrees("final height, undeformed [m]", expected, run.undeformed_end()[-1, 1], 1e-9)


def _unfolding_and_deploying() -> Iterator[CaseCheck]:
    run, without = response("4-18"), response("4-17")
    yield from _final_height(run, 31.5, 0.1)
    yield from peaks(run, 0.10, beta2=3.1, beta3=3.1, e3=0.07, e4=0.07)
    for what, a, b in (
        ("first tip", peak(run.e(3)), peak(without.e(3))),
        ("second tip", peak(run.e(4)), peak(without.e(4))),
        ("pitch", peak(run.pitch), peak(without.pitch)),
    ):
        yield holds(f"{what} against figure 4-17", "larger", f"{a:.3g}, {b:.3g}", a > b)


def _along_the_platform() -> Iterator[CaseCheck]:
    run = response("4-19")
    yield from peaks(run, 0.05, pitch=0.325, e2=4.98e-3, beta2=20, beta3=10.6)
    undeformed = run.undeformed_end()
    yield agrees("start of the end-effector [m]", [0, 1.5], run.end[0], 0.05)
    yield agrees("end of the undeformed end-effector [m]", [50, 1.5], undeformed[-1], 0.05)


def chan() -> dict[str, Array]:
    """Histories of Chan's two links by their names in figure 3-5 [deg, m]."""
    run = slewing()
    found = {f"beta{i}": np.degrees(run[f"alpha{i}_twist"]) for i in (2, 3)}
    for name, body in two_links().deformables.items():
        found[f"e{int(name[4:]) + 1}"] = tips(body.form)[0] * run[f"{name}_y1"]
    return found


def _chan() -> Iterator[CaseCheck]:
    expected = {
        "beta2": (-0.22, 0.34),
        "beta3": (-0.11, 0.11),
        "e3": (-3.5e-3, 4.6e-3),
        "e4": (-1.7e-3, 1.8e-3),
    }
    for name, history in chan().items():
        (low, high), got = expected[name], (float(history.min()), float(history.max()))
        size = max(-low, high)
        ratio = max(-got[0], got[1]) / size
        yield between(f"{name}: largest, {size:g}, by that of the simulation", 0.5, ratio, 1.1)


CASES = (
    recomputed(
        33,
        "Platform excited, two units",
        "fig. 4-15",
        "joints that approach 20 and 40 degrees, the second tip much larger",
        _folded,
        "The second joint reaches 46 degrees.",
    ),
    recomputed(
        34,
        "Shapes without tip mass",
        "fig. 4-16",
        "only small local differences of the tips",
        _other_shapes,
    ),
    recomputed(35, "Unfolding", "fig. 4-17", "0.60 m, 3 mm, 21.5 m", _unfolding, slow=True),
    recomputed(
        36,
        "Unfolding and deploying",
        "fig. 4-18",
        "a similar shape, larger amplitude, lower frequency",
        _unfolding_and_deploying,
        slow=True,
    ),
    recomputed(
        37,
        "Along the platform",
        "fig. 4-19",
        "a pitch of 0.3 degrees and nearly 5 mm",
        _along_the_platform,
        slow=True,
    ),
    recomputed(
        52,
        "Chan's arm of two links",
        "fig. 3-4, 3-5",
        "close agreement with Chan (1990)",
        _chan,
        "Angle at the start and payload are not said: orders of magnitude only.",
        slow=True,
    ),
)
