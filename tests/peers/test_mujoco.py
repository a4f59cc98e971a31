"""MuJoCo's differences, as they are timed, are what the derivatives are."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from eomc.systems.pendulum import spatial_pendulum

pytest.importorskip("mujoco", reason="MuJoCo (package mujoco) is not installed")
peer = pytest.importorskip(
    "benchmarks.mujoco_peer", reason="the tests do not run from the project's root"
)
measure = pytest.importorskip("benchmarks.measure")


def test_derivatives_of_forward_dynamics(tmp_path: Path) -> None:
    model, function = spatial_pendulum(4), "forward_dynamics_derivatives"
    numbers = measure.mechanism(model)
    states = measure.random_states(4, function)[:8]
    size = measure.output_size(function, 4)
    exact = measure.ours(model, function, tmp_path / "ours").values(states, size)
    (contender,) = peer.mujoco(numbers, function, tmp_path / "mujoco")
    differences = contender.values(states, size)
    blocks = zip(np.split(differences, 3, axis=1), np.split(exact, 3, axis=1), strict=True)
    for k, (found, expected) in enumerate(blocks):
        tolerance = 1e-4 if k < 2 else 1e-12
        assert np.abs(found - expected).max() < tolerance * np.abs(expected).max()
