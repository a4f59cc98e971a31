"""Cases of three to five units (39 to 42)."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from eomc.binding.arrays import Array
from eomc.systems.flexible_manipulator.scenario import Response, peak
from eomc_published.caron.checks import peaks, recomputed, within
from eomc_published.caron.scenarios import response
from eomc_published.case import CaseCheck, at_most, holds


def _decreasing(run: Response, joints: int) -> CaseCheck:
    found = [peak(run.beta(i)) for i in range(2, 2 + joints)]
    told = ", ".join(f"{value:.3g}" for value in found)
    return holds("joints [deg]", "decreasing outward", told, found == sorted(found, reverse=True))


def zeros(t: Array, values: Array) -> Array:
    """Times at which the values change sign, between samples by a straight line."""
    k = np.flatnonzero(np.sign(values[1:]) != np.sign(values[:-1]))
    return np.asarray(t[k] - values[k] * (t[k + 1] - t[k]) / (values[k + 1] - values[k]))


def _in_phase(run: Response, joints: int) -> Iterator[CaseCheck]:
    """After the maneuver all joints and tips pass zero as often, and at the same times."""
    after = run.after(0.01)
    names = [name for i in range(2, 2 + joints) for name in (f"beta{i}", f"e{i + 1}")]
    found = [zeros(run.t[after], run.named(name)[after]) for name in names]
    counts = [len(times) for times in found]
    same = min(counts) == max(counts) >= 2
    yield holds("zeros after the maneuver", "as many of each", str(counts), same)
    if same:
        half_period = float(np.diff(found[0]).mean())
        apart = float(np.ptp(np.stack(found), axis=0).max())
        yield at_most("how far apart, by half a period", apart / half_period, 0.05)


def _three_units() -> Iterator[CaseCheck]:
    run = response("4-21")
    yield from peaks(run, 0.10, beta2=4.0, beta3=2.4, beta4=1.2, e3=0.074, e4=0.041, e5=0.015)
    yield _decreasing(run, 3)
    yield from _in_phase(run, 3)


def _last_of_four() -> Iterator[CaseCheck]:
    run = response("4-22")
    yield from peaks(run, 0.10, beta2=10.6, beta3=7.2, beta4=4.0, beta5=1.5)
    yield _decreasing(run, 4)


def _vertical_line() -> Iterator[CaseCheck]:
    run = response("4-23")
    off = peak(run.undeformed_end()[:, 0] - 60.0)
    yield at_most("undeformed tip off the line x = 60 m [m]", off, 1e-9)
    residual = peak(run.end[run.after(0.01), 0] - 60.0)
    yield within("residual of the flexible tip [m]", 0.2, residual, 0.10)


def _five_units() -> Iterator[CaseCheck]:
    run = response("4-24")
    yield from peaks(run, 0.10, beta2=14.6, beta3=11.1, beta4=7.7, beta5=4.4, beta6=1.8)
    yield from _in_phase(run, 5)


CASES = (
    recomputed(
        39,
        "Three units unfold and deploy",
        "fig. 4-21",
        "amplitudes larger near the platform, all deformations zero together",
        _three_units,
        slow=True,
    ),
    recomputed(
        40,
        "The last of four units turns",
        "fig. 4-22",
        "larger amplitudes towards the platform",
        _last_of_four,
        slow=True,
    ),
    recomputed(
        41,
        "A straight line by four units",
        "fig. 4-23",
        "a residual of 20 cm",
        _vertical_line,
        "The first angle is 30 degrees: with the 45 of the text the tip leaves the line.",
        slow=True,
    ),
    recomputed(
        42,
        "Base of five units moves",
        "fig. 4-24",
        "all deformations in phase, larger near the platform",
        _five_units,
        slow=True,
    ),
)
