"""0 <= x  perpendicular to  W x + b >= 0, for W = B^T B of contacts without friction.

It is what the least ½|B x + y|² over x >= 0 asks, with B^T y = b: Lawson's and Hanson's method of
SciPy finds the active set exactly, also where contacts depend on each other and W is singular, as
of a box on its corners, where pivoting may cycle and 2^n sets are too many.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


def pressing(rows: Array, factor: Array, b: Array) -> Array:
    """x (n,) of contacts with the rows (n, nu), where M = L L^T and `factor` is L.

    >>> import numpy as np
    >>> pressing(np.eye(2), np.eye(2), np.array([-1.0, 2.0])).tolist()
    [1.0, 0.0]

    Raises RuntimeError if there is no solution.
    """
    import scipy.linalg
    import scipy.optimize

    inside = scipy.linalg.solve_triangular(factor, rows.T, lower=True)
    y = np.linalg.lstsq(inside.T, b, rcond=None)[0]
    x, _ = scipy.optimize.nnls(inside, -y)
    # The active set is right; its equations are solved once more, to rounding.
    active = np.flatnonzero(x)
    if active.size:
        own = inside[:, active]
        x[active] = np.linalg.lstsq(own.T @ own, -b[active], rcond=None)[0]
    return np.asarray(x)
