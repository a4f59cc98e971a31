"""A hash of arrays that goes with them into their file, to check what is read back."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray


def digest(results: Mapping[str, NDArray[np.generic]]) -> str:
    """SHA-256 of names, shapes and values, whatever file they are in."""
    found = hashlib.sha256()
    for name in sorted(results):
        array = np.asarray(results[name])
        is_number = array.dtype.kind in "biufc"
        kind = f"{array.dtype.kind}{array.dtype.itemsize}" if is_number else "text"
        found.update(f"{name}\0{kind}\0{array.shape}\0".encode())
        if is_number:
            little = np.ascontiguousarray(array, array.dtype.newbyteorder("<"))
            found.update(little.tobytes())
        else:
            found.update("\0".join(map(str, array.ravel().tolist())).encode())
    return found.hexdigest()
