"""Tables looked up on straight lines, in the operations of difference equations."""

from __future__ import annotations

from typing import Any

import numpy as np

from eomc.binding.arrays import Array
from eomc.runtime.difference.equation import product
from eomc.runtime.difference.operations import Operations


def looked_up(by: Operations, times: Array, table: Array, t: Any) -> Any:
    """The row (n,) at time t (1,) of a table (k, n) of rows at rising times (k,):

        y_0 + sum over i of (y_i+1 - y_i) clip((t - t_i) / (t_i+1 - t_i), 0, 1)

    linear between them, and beyond the ends as there.

    >>> from eomc.runtime.difference import Numeric
    >>> times, table = np.array([0.0, 1.0, 3.0]), np.array([[0.0], [2.0], [0.0]])
    >>> [looked_up(Numeric(), times, table, np.array([t])).item() for t in (-1, 0.5, 2, 9)]
    [0.0, 1.0, 1.0, 0.0]
    """
    if len(times) == 1:
        return table[0]
    shares = by.bounded((t - times[:-1]) / np.diff(times), 0.0, 1.0)
    return table[0] + product(np.diff(table, axis=0).T, shares)
