"""Sizes of displacements, as the compiled model tells them: 1 rad, or the model's length."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from eomc.runtime.model.compiled import CompiledModel

__all__ = ["model_length", "speed_sizes"]


def speed_sizes(model: CompiledModel) -> NDArray[np.float64]:
    """Of the displacement of each speed (nu,)."""
    known = model.manifest.get("metadata", {}).get("sizes", {}).get("u", {})
    return np.array([known.get(name, 1.0) for name in model.speeds])


def model_length(model: CompiledModel) -> float:
    """A typical length [m]; 1 of models that tell none."""
    return float(model.manifest.get("metadata", {}).get("sizes", {}).get("length", 1.0))
