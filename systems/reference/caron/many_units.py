"""Cases of three to five units (39 to 42)."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from eomc.systems.flexible_manipulator.scenario import Response, peak
from eomc.systems.reference.caron.checks import within
from eomc.systems.reference.caron.scenarios import response
from eomc.systems.reference.case import Case, Check, at_most, holds

_RECOMPUTED = "an independent simulation of the thesis's data; the thesis states "


def _joints(run: Response, expected: tuple[float, ...]) -> Iterator[Check]:
    for i, value in enumerate(expected, 2):
        yield within(f"joint {i - 1} [deg]", value, peak(run.beta(i)), 0.10)


def _decreasing(run: Response, joints: int) -> Check:
    peaks = [peak(run.beta(i)) for i in range(2, 2 + joints)]
    told = ", ".join(f"{value:.3g}" for value in peaks)
    return holds("joints [deg]", "decreasing outward", told, peaks == sorted(peaks, reverse=True))


def _in_phase(run: Response, joints: int) -> Check:
    """Correlation of every joint with the first after the maneuver."""
    after = run.after(0.01)
    first = run.beta(2)[after]
    found = [float(np.corrcoef(first, run.beta(i)[after])[0, 1]) for i in range(3, 2 + joints)]
    told = ", ".join(f"{value:.3f}" for value in found)
    return holds(
        "correlation of the joints with the first after the maneuver", "at least 0.9", told,
        min(found) >= 0.9,
    )  # fmt: skip


def _three_units() -> Iterator[Check]:
    run = response("4-21")
    yield from _joints(run, (4.0, 2.4, 1.2))
    for i, value in enumerate((7.4, 4.1, 1.5), 3):
        yield within(f"tip of unit {i - 2} [cm]", value, 100 * peak(run.e(i)), 0.10)
    yield _decreasing(run, 3)
    yield _in_phase(run, 3)


def _last_of_four() -> Iterator[Check]:
    run = response("4-22")
    yield from _joints(run, (10.6, 7.2, 4.0, 1.5))
    yield _decreasing(run, 4)


def _vertical_line() -> Iterator[Check]:
    run = response("4-23")
    angles = np.cumsum(np.radians([30.0, 120.0, -120.0, 120.0]))
    lengths = np.linspace(2.5, 5.0, 11)
    off = np.abs(lengths * np.cos(angles).sum())
    yield at_most("rigid tip off the line x = 60 m [m]", float(off.max()), 1e-9)
    residual = peak(run.end[run.after(0.01), 0] - 60.0)
    yield within("residual of the flexible tip [m]", 0.2, residual, 0.10)


def _five_units() -> Iterator[Check]:
    run = response("4-24")
    yield from _joints(run, (14.6, 11.1, 7.7, 4.4, 1.8))
    yield _in_phase(run, 5)


CASES = (
    Case(
        39, "Three units unfold and deploy", "fig. 4-21",
        _RECOMPUTED + "amplitudes larger near the platform, all deformations zero together",
        _three_units, "reconstructed", slow=True,
    ),
    Case(
        40, "The last of four units turns", "fig. 4-22",
        _RECOMPUTED + "larger amplitudes towards the platform", _last_of_four, "reconstructed",
        slow=True,
    ),
    Case(
        41, "A straight line by four units", "fig. 4-23",
        _RECOMPUTED + "a residual of 20 cm", _vertical_line, "reconstructed", slow=True,
        note="The first angle is 30 degrees: with the 45 of the text the tip leaves the line.",
    ),
    Case(
        42, "Base of five units moves", "fig. 4-24",
        _RECOMPUTED + "all deformations in phase, larger near the platform", _five_units,
        "reconstructed", slow=True,
    ),
)  # fmt: skip
