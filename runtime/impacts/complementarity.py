"""0 <= x  perpendicular to  W x + b >= 0, for W = S^T S of contacts without friction.

With v = S x it is what the least ½|v|² asks for which S^T v + b >= 0, and x are its multipliers: a
problem of least distance, which Lawson and Hanson solve by one of least squares with x >= 0
(*Solving Least Squares Problems*, ch. 23). That finds the active set exactly, also where contacts
depend on each other and W is singular, as of a box on its corners, where pivoting may cycle and 2^n
sets are too many.
"""

from __future__ import annotations

import numpy as np

from eomc.binding.arrays import Array

_INCOMPATIBLE = 1e-12
"""Share of the rates below which nothing that is left over says that they cannot all be met."""


def pressing(root: Array, b: Array) -> Array:
    """x (n,) of contacts whose Delassus matrix W has the root S (any, n).

    >>> import numpy as np
    >>> pressing(np.eye(2), np.array([-1.0, 2.0])).tolist()
    [1.0, 0.0]

    Two contacts on one freedom, of which the second closes:

    >>> pressing(np.array([[1.0, 1.0]]), np.array([0.0, -0.5])).tolist()
    [0.0, 0.5]

    Raises RuntimeError if no motion meets all of them.
    """
    import scipy.optimize

    closing = float(-b.min(initial=0.0))
    if closing == 0:
        return np.zeros(b.size)
    size = float(np.linalg.norm(root, axis=0).max()) or 1.0
    h = -b / closing
    target = np.append(np.zeros(len(root)), 1.0)
    x, _ = scipy.optimize.nnls(np.vstack([root / size, h]), target)
    left = 1 - float(h @ x)
    if left <= _INCOMPATIBLE:
        raise RuntimeError("the rates at which contacts close exclude each other")
    x *= closing / (left * size**2)
    # The active set is right; its equations are solved once more, to rounding.
    active = np.flatnonzero(x)
    if active.size:
        own = root[:, active]
        x[active] = np.linalg.lstsq(own.T @ own, -b[active], rcond=None)[0]
    return np.asarray(x)
