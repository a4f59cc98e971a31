"""Relative errors between our values and a peer's."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import ArrayLike

TOLERANCE = 1e-10
# For exact zeros only: where one side is structurally zero, the other may sum to a few units of
# rounding of the terms that cancel. Part of the function's largest output, or of 1.
FLOOR = 1e-4


def relative_error(ours: ArrayLike, theirs: ArrayLike, scale: float = 1.0) -> float:
    """|ours - theirs| / |theirs| in the Frobenius norm; infinite if anything is not finite.

    `scale` is the size of the terms that may cancel to zero.
    """
    ours, theirs = np.asarray(ours, dtype=float), np.asarray(theirs, dtype=float)
    assert ours.shape == theirs.shape, (ours.shape, theirs.shape)
    norm = max(float(np.linalg.norm(theirs)), FLOOR * scale)
    error = float(np.linalg.norm(ours - theirs)) / norm
    return error if np.isfinite(error) else np.inf


def worst_errors(ours: Mapping[str, object], theirs: Mapping[str, object]) -> dict[str, float]:
    """The relative error of each function that `theirs` has, the worst of several outputs."""
    errors = {}
    for name, expected in theirs.items():
        outputs = expected if isinstance(expected, tuple) else (expected,)
        got = ours[name]
        got = got if isinstance(got, tuple) else (got,)
        scale = max(1.0, *(float(np.linalg.norm(np.asarray(output))) for output in outputs))
        errors[name] = max(relative_error(a, b, scale) for a, b in zip(got, outputs, strict=True))
    return errors


def breaches(errors: Mapping[str, float], tolerance: float = TOLERANCE) -> dict[str, float]:
    """What is off by more than `tolerance`."""
    return {name: error for name, error in errors.items() if not error <= tolerance}
