"""The swing-up ends upright in a run of the model too, between the nodes of its optimization."""

from __future__ import annotations

import runpy
from pathlib import Path

import numpy as np
import pytest


def test_swing_up() -> None:
    pytest.importorskip("casadi", reason="the package casadi is not installed")
    names = runpy.run_path(str(Path(__file__).parents[2] / "examples" / "swing_up.py"))
    end = names["run"].q[-1]
    np.testing.assert_allclose(end, [0.0, np.pi], atol=0.05)
    assert np.abs(names["run"].q[:, 0]).max() <= 1.0 + 1e-2
    assert np.abs(names["force"]).max() <= 20.0
