"""The flexible manipulator of eighty units in a live page, in orbit."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest
from page.browser import browser, needs_browser

import eomc
from eomc.building.live import live_model
from eomc.building.sources import SourceOptions
from eomc.codegen.wasm import command
from eomc.derive.graph.tuning import FILE_LIMIT, PIECE_SIZE
from eomc.runtime.page.page import page
from eomc.systems.flexible_manipulator.model import FlexibleManipulator
from eomc.systems.flexible_manipulator.scenario import RADIUS, RATE

pytestmark = [needs_browser, pytest.mark.slow]
UNITS = 80


def test_case_10_steps_that_it_bears(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is not told stands at its reference; the step follows from the fastest motion, 42 rad/s,
    and five milliseconds in less than three hundred thousand operations a stage are what makes it
    faster than time (its factor is measured by `python -m benchmarks --section pages`)."""
    # Optimizing two megabytes takes half a minute, and changes no bit.
    flags = tuple("-O1" if flag == "-Os" else flag for flag in command._FLAGS)
    monkeypatch.setattr(command, "_FLAGS", flags)
    equations = eomc.equations(FlexibleManipulator(units=UNITS, payload=0.0).model())
    choice = SourceOptions(None, None, "double", None, False, 1, PIECE_SIZE, FILE_LIMIT, "wasm")
    live = live_model(equations, choice)
    metadata = live.manifest["metadata"]
    names, given = metadata["coordinates"], metadata["prescribed"]
    q = dict.fromkeys(names, 0.0) | {"orbit_r": RADIUS, "alpha2_twist": 0.02}
    u = dict.fromkeys(metadata["speeds"], 0.0) | {"orbit_theta": RATE}
    s = {
        name: 10.0 if name.endswith("_length") else 0.2 * (-1) ** k for k, name in enumerate(given)
    }
    start = {"q": [*q.values()], "u": [*u.values()], "s": [*s.values()]}
    page(live, metadata["picture"], start).write(tmp_path / "units.html")
    counted = live.manifest["functions"]["forward_dynamics"]["operations"]
    assert sum(counted.values()) < 300_000
    with browser() as window:
        window.open(tmp_path / "units.html")
        assert window.live("step") == 5e-3
        told = window.script("return document.getElementById('pace').textContent")
        assert re.fullmatch(r"[\d.e]+\xd7 real time, steps of 5 ms", told)
        before = np.array(window.live("poses"))
        window.live("steps", 100)
        state, energy = window.live("state"), window.live("energy")
        assert window.live("message") == "" and state["t"] == pytest.approx(0.5)
        assert np.isfinite(state["q"]).all() and np.abs(state["q"][3:]).max() < 0.1
        # Of an orbit's energy to what doubles hold of it, and the arm swings meanwhile.
        assert abs(energy["now"] - energy["start"]) < 1e-12 * abs(energy["start"])
        moved = (np.array(window.live("poses")) - before).reshape(-1, 3, 4)[:, :, 3]
        assert np.ptp(moved, axis=0).max() > 0.01
        corners, free = np.array(window.live("bounds")), window.live("free")
        assert corners[:, 0].min() >= 0 and corners[:, 0].max() <= free["width"]
        assert window.console() == []
