"""Gains of feedback laws."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from eomc.binding.arrays import Array


def gain_matrix(
    name: str, gain: ArrayLike, size: int, fault: str = "drive the error away"
) -> Array:
    """A gain as a matrix (size, size): of a number or a row, its diagonal.

    Raises ValueError if it has another shape, is not finite, or its symmetric part is not positive
    semidefinite: such a gain would do what `fault` says.

    >>> gain_matrix("kp", [1.0, 2.0], 2).tolist()
    [[1.0, 0.0], [0.0, 2.0]]
    """
    try:
        array = np.array(gain, dtype=np.float64)
    except (TypeError, ValueError):
        raise ValueError(f"{name}: give a number, {size} numbers or a matrix") from None
    if array.ndim == 0:
        array = np.full(size, array)
    if array.shape == (size,):
        array = np.diag(array)
    if array.shape != (size, size):
        raise ValueError(f"{name} has shape {array.shape}, expected (), ({size},) or two of {size}")
    if not np.isfinite(array).all():
        raise ValueError(f"{name} is not finite")
    symmetric = (array + array.T) / 2
    if size and np.linalg.eigvalsh(symmetric)[0] < -1e-12 * np.abs(symmetric).max():
        raise ValueError(f"{name} is not positive semidefinite: it would {fault}")
    return array


def critical_damping(kp: Array) -> Array:
    """2 sqrt(kp) of a diagonal kp: no overshoot of e'' + kd e' + kp e = 0.

    >>> critical_damping(gain_matrix("kp", [4.0, 9.0], 2)).tolist()
    [[4.0, 0.0], [0.0, 6.0]]
    """
    diagonal = kp.diagonal()
    if (kp != gain_matrix("kp", diagonal, len(diagonal))).any():
        raise ValueError("kd: give it beside a kp that is not diagonal")
    return gain_matrix("kd", 2 * diagonal**0.5, len(diagonal))
