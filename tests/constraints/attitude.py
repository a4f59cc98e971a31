"""Quaternions of rotations."""

from __future__ import annotations

import numpy as np

from eomc.binding.arrays import Array


def quaternion(rotation: Array) -> Array:
    """(w, x, y, z) of a rotation matrix, from the eigenvector of its symmetric form."""
    r = rotation
    form = np.array(
        [
            [np.trace(r), r[2, 1] - r[1, 2], r[0, 2] - r[2, 0], r[1, 0] - r[0, 1]],
            [0, r[0, 0] - r[1, 1] - r[2, 2], r[0, 1] + r[1, 0], r[0, 2] + r[2, 0]],
            [0, 0, r[1, 1] - r[0, 0] - r[2, 2], r[1, 2] + r[2, 1]],
            [0, 0, 0, r[2, 2] - r[0, 0] - r[1, 1]],
        ]
    )
    return np.linalg.eigh(form, UPLO="U")[1][:, -1]
