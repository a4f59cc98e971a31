"""Compiled runs that last can be interrupted."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from interruption import is_interrupted

import eomc


@pytest.mark.parametrize("events", [None, lambda t, q, u: q[0]], ids=["", "events"])
@pytest.mark.parametrize(
    ("method", "options"),
    [
        (None, {"rtol": 1e-13, "max_steps": 10**7}),
        ("dopri", {"rtol": 1e-13, "max_steps": 10**7}),
        ("rk4", {"step": 1e-2}),
    ],
)
def test_a_signal_ends_a_long_run(
    swing: eomc.CompiledModel, method: str | None, options: dict[str, float], events: Any
) -> None:
    """Within an interval of the record: one has too many steps in it, the other takes hours."""

    def run() -> None:
        eomc.simulate(swing, 1.0, t_span=[0.0, 1e5, 1e9], method=method, events=events, **options)

    assert is_interrupted(run, after=0.3)


def test_a_run_in_pieces_is_the_run(
    swing: eomc.CompiledModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The record, the steps and what ends a run do not hang on where calls into C end."""
    times = [0.0, 0.1, 40.0, 40.5]
    whole = eomc.simulate(swing, 1.0, t_span=times, method="dopri")
    monkeypatch.setattr("eomc.runtime.integrators.compiled_adaptive._CHUNK", 40)
    pieces = eomc.simulate(swing, 1.0, t_span=times, method="dopri")
    assert np.abs(pieces.q - whole.q).max() < 1e-6
    assert whole.statistics["steps"] <= pieces.statistics["steps"] < 1.5 * whole.statistics["steps"]
    with pytest.raises(eomc.runtime.errors.SimulationError, match="too many steps"):
        eomc.simulate(swing, 1.0, t_span=times, method="dopri", max_steps=100)
