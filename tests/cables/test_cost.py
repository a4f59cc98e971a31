"""What one more cable costs, in operations: as the page says, however many there are."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

import eomc
from eomc.derive.graph import flops
from eomc.systems.cables import mast

benchmarks = pytest.importorskip("benchmarks.cables", reason="the folder benchmarks is not here")

PAGE = Path(__file__).parents[2] / "docs" / "benchmarks.md"
FUNCTIONS = ("inverse_dynamics", "forward_dynamics", "element_outputs")


def stated(route: str) -> tuple[int, ...]:
    """The row of the page."""
    (row,) = re.findall(rf"^\| {route} \| (.*) \|$", PAGE.read_text(encoding="utf-8"), re.M)
    return tuple(int(entry) for entry in row.split(" | "))


@pytest.mark.slow
@pytest.mark.parametrize("route", benchmarks.ROUTES)
def test_a_cable_costs_what_the_page_says(route: str) -> None:
    for function, expected in zip(FUNCTIONS, stated(route), strict=True):
        counts = [benchmarks.count(route, n, function) for n in (3, 4, 10, 11)]
        early, late = counts[1] - counts[0], counts[3] - counts[2]
        assert late == expected
        assert late <= 1.05 * early


def test_a_mast_costs_the_same_a_stage() -> None:
    """And what the page says of masts of six and of eighteen struts."""
    counts = []
    for stages in (2, 3, 5, 6):
        program = eomc.equations(mast(stages)).program(functions=["forward_dynamics"])
        counts.append(flops(program.graph, program.functions[0].nodes))
    said = re.findall(r"^\| (6|18) \| \d+ \| (\d+) \|", PAGE.read_text(encoding="utf-8"), re.M)
    assert [int(count) for _, count in said] == [counts[0], counts[3]]
    assert counts[3] - counts[2] <= 1.05 * (counts[1] - counts[0])


def test_mujoco_moves_the_mast_alike(tmp_path: Path) -> None:
    """Tendons with springs that only pull: an implementation that shares nothing with ours."""
    pytest.importorskip("mujoco")
    model = mast(2)
    try:
        peer = benchmarks.peer(model, tmp_path)
    except benchmarks.Unavailable as reason:
        pytest.skip(str(reason))
    states = benchmarks.packed(model)[:5]
    theirs = peer.values(states, 18)
    built = eomc.build(model, functions=["forward_dynamics"])
    for row, expected in zip(states, theirs, strict=True):
        a = built.forward_dynamics(row[:24].copy(), row[24:42].copy(), row[42:].copy())
        assert a == pytest.approx(expected, rel=1e-9, abs=1e-9 * np.abs(expected).max())
