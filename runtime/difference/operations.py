"""Operations that are spelled otherwise for numbers than for expressions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

import numpy as np


class Operations(Protocol):
    """What a step needs beside +, -, * and /, entry by entry of arrays that broadcast."""

    def less(self, a: Any, b: Any, then: Any, otherwise: Any) -> Any:
        """`then` where a < b, else `otherwise`."""
        ...

    def bounded(self, x: Any, low: Any, high: Any) -> Any:
        """x, but not below `low` nor above `high`; bounds may be infinite."""
        ...

    def nearest(self, x: Any) -> Any:
        """The nearest whole number, of two the even one."""
        ...

    def call(self, function: str, **values: Any) -> Any:
        """A function of the controller's model, inputs by name."""
        ...


class Numeric:
    """On arrays of numbers, by NumPy.

    Parameters
    ----------
    call : function (name, values by name), optional
        Functions of a model.

    >>> Numeric().nearest(np.array([0.5, 1.5, -0.7])).tolist()
    [0.0, 2.0, -1.0]
    """

    def __init__(self, call: Callable[..., Any] | None = None) -> None:
        self._call = call

    def less(self, a: Any, b: Any, then: Any, otherwise: Any) -> Any:
        """As of `Operations`."""
        return np.where(np.less(a, b), then, otherwise)

    def bounded(self, x: Any, low: Any, high: Any) -> Any:
        """As of `Operations`."""
        return np.minimum(np.maximum(x, low), high)

    def nearest(self, x: Any) -> Any:
        """As of `Operations`."""
        return np.rint(x)

    def call(self, function: str, **values: Any) -> Any:
        """As of `Operations`; ValueError where there is no model."""
        if self._call is None:
            raise ValueError(f"function {function!r}: this difference equation has no model")
        return self._call(function, **values)
