"""Subject of the studies: pendulums let go at random."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from eomc.binding.arrays import Array
from eomc.building import build
from eomc.runtime import study
from eomc_published.work import model_file

FUNCTIONS = ("forward_dynamics", "coordinate_rates", "normalize", "neutral", "kinetic_energy")
STEPS: dict[str, Any] = {"t_span": 0.2, "step": 0.01}


@cache
def pendulum() -> Any:
    """With tunable length and mass."""
    return build(
        model_file("pendulum"), tunable=["l", "m"], lanes=4, functions=FUNCTIONS, flags=("-O1",)
    )


def falls(size: int = 1000, seed: int = 5) -> study.Random:
    """Let go at random."""
    varied = {"q": study.Uniform([-1.0], [1.0]), "u.hinge": study.Normal(0, 0.5)}
    return study.Random(size, varied, seed=seed)


def alone(size: int = 1000) -> Array:
    """(size, 2): each run of `falls` by itself, by the function of the model, in order."""
    rows = []
    varied = falls(size).values(np.arange(size), {"q": 1, "u.hinge": 0})
    for q, u in zip(varied["q"], varied["u.hinge"], strict=True):
        history, speeds = pendulum().rk4_rollouts([q], [[u]], [0.0], 0.01, 20, every=20)
        rows.append([history[0, -1, 0], speeds[0, -1, 0]])
    return np.array(rows)
