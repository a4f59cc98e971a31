"""Closed loops of figures 5-4 to 5-6, which no case holds: against an independent simulation."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from eomc.systems.flexible_manipulator.controlled import ClosedLoop
from eomc.systems.flexible_manipulator.scenario import peak
from eomc.systems.reference import reference
from eomc.systems.reference.caron.control_figures import (
    draw_loop,
    on_line,
    ramped,
    stepped,
)

Range = tuple[float, float]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("make", "slew", "platform", "joint"),
    [
        pytest.param(ramped, (-28, 24), 147, 0.16, id="ramps"),
        pytest.param(stepped, (-179, 171), None, 1.0, id="steps"),
        pytest.param(on_line, (-14, 14), 16, 0.08, id="line"),
    ],
)
def test_forces_and_joint(
    make: Callable[[], ClosedLoop], slew: Range, platform: float | None, joint: float
) -> None:
    """Moment of the slew motor and on the platform [N m], deformation of the joint [deg]."""
    run = make()
    moment = run.force("alpha2")
    assert (moment.min(), moment.max()) == pytest.approx(slew, rel=0.02)
    if platform is not None:
        assert peak(run.force("orbit_psi")) == pytest.approx(platform, rel=0.04)
    assert peak(run.degrees("alpha2_twist")) == pytest.approx(joint, rel=0.04)
    assert peak(run.degrees("orbit_psi") + 90) < 1e-4


def test_every_figure_that_shows_results_is_listed() -> None:
    figures = {figure.name for figure in reference("caron").figures}
    shown = [
        "3-2",
        "3-3",
        "3-4",
        "3-5",
        *(f"4-{n}" for n in range(2, 25)),
        *(f"5-{n}" for n in range(3, 7)),
    ]
    assert figures >= {f"figure-{number}" for number in (*shown, "5-8", "5-9", "5-10")}


@pytest.mark.slow
def test_a_closed_loop_is_drawn(tmp_path: Path) -> None:
    path = tmp_path / "figure.png"
    draw_loop(ramped, path)
    assert path.stat().st_size > 10000
