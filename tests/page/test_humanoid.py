"""A robot as it is downloaded, in a live page."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest
from page.browser import browser, needs_browser
from peers.robot_files import robot_file

import eomc
from eomc.building.live import page_functions

pytestmark = needs_browser


@pytest.mark.slow
def test_case_30_in_its_meshes(tmp_path: Path) -> None:
    """G1 as it is downloaded, 25 MB of STL: light enough to be mailed, and falling as it should."""
    pytest.importorskip("yourdfpy")
    path = robot_file("g1_description/urdf/g1_29dof_rev_1_0.urdf")
    equations = eomc.equations(eomc.load(path, base="floating"))
    names = page_functions(equations.program(functions=["neutral"]).metadata["functions"])
    model = eomc.build(equations, functions=names, frames=[], lanes=1)
    told = model.picture()
    meshes = [shape for shape in told["shapes"] if shape["kind"] == "mesh"]
    assert len(meshes) > 30 and not told["missing_meshes"]
    page = tmp_path / "g1.html"
    model.view(page)
    assert page.stat().st_size <= 6_000_000
    with browser() as window:
        window.open(page)
        first, start = window.picture(), window.live("state")["q"]
        assert window.live("step") == 1e-3  # nothing in it is faster
        pace = window.script("return document.getElementById('pace').textContent")
        assert re.fullmatch(r"[\d.e]+\xd7 real time", pace)
        faces = window.script("return window.live.faces()")
        assert 20_000 < faces <= 60_000
        window.live("steps", 300)
        end, energy = window.live("state")["q"], window.live("energy")
        fallen = start[2] - end[2]
        assert abs(fallen - 9.81 * 0.3**2 / 2) < 1e-9  # nothing touches it
        assert abs(energy["now"] - energy["start"]) < 1e-9 * 33 * 9.81
        assert np.mean(np.any(window.picture() != first, axis=2)) > 0.01
        assert window.console() == []
