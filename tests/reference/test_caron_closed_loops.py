"""Figures of the closed loops."""

from __future__ import annotations

from pathlib import Path

import pytest

from eomc_published import reference
from eomc_published.caron.closed_loops import ramped
from eomc_published.caron.control_figures import draw_loop


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
