"""What the studies of the tests are about."""

from __future__ import annotations

from functools import cache

import numpy as np

import eomc
from eomc.runtime import study

FUNCTIONS = ("forward_dynamics", "coordinate_rates", "normalize", "neutral", "kinetic_energy")


@cache
def pendulum() -> eomc.CompiledModel:
    """With tunable length and mass."""
    return eomc.build(
        "examples/models/pendulum.toml",
        tunable=["l", "m"], lanes=4, functions=FUNCTIONS, flags=("-O1",),
    )  # fmt: skip


def falls(size: int = 1000, seed: int = 5) -> study.Random:
    """Let go at random."""
    return study.Random(
        size, {"q": study.Uniform([-1.0], [1.0]), "u.hinge": study.Normal(0, 0.5)}, seed=seed
    )


STEPS = {"t": 0.2, "step": 0.01}


def alone() -> np.ndarray:
    """(1000, 2): each run of `falls` by itself, by the function of the model, in order."""
    model, rows = pendulum(), []
    varied = falls().values(np.arange(1000), {"q": 1, "u.hinge": 0})
    for q, u in zip(varied["q"], varied["u.hinge"], strict=True):
        history, speeds = model.rk4_rollouts([q], [[u]], [0.0], 0.01, 20, every=20)
        rows.append([history[0, -1, 0], speeds[0, -1, 0]])
    return np.array(rows)
