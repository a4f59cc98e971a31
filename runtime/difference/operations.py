"""Operations that are spelled otherwise for numbers than for expressions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

import numpy as np


class Operations(Protocol):
    """Operations of a step beside +, -, * and /, entry by entry of arrays that broadcast."""

    def less(self, a: Any, b: Any, then: Any, otherwise: Any) -> Any:
        """`then` where a < b, else `otherwise`."""
        ...

    def bounded(self, x: Any, low: Any, high: Any) -> Any:
        """x, but not below `low` nor above `high`; bounds may be infinite."""
        ...

    def nearest(self, x: Any) -> Any:
        """The nearest whole number, of two the even one."""
        ...

    def elementary(self, function: str, x: Any) -> Any:
        """A function of one argument: sqrt, exp, sin, cos, abs, floor, ..."""
        ...

    def angle(self, y: Any, x: Any) -> Any:
        """atan2(y, x)"""
        ...

    def require(self, x: Any, code: str, told: Callable[[], Exception]) -> None:
        """The step fails unless the number x > 0: with `code` in C, with what `told` makes here."""
        ...

    def solve(self, a: Any, b: Any, code: str, told: Callable[[Any], Exception]) -> Any:
        """x of a x = b, b (n,) or (n, k); fails as `require` does where a (n, n) is singular."""
        ...

    def solve_positive(self, a: Any, b: Any) -> Any:
        """The same of a symmetric positive definite matrix."""
        ...

    def call(self, function: str, **values: Any) -> Any:
        """A function of the controller's model, inputs by name."""
        ...


WORST = 1e12
"""Condition number from which on a matrix counts as singular."""


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

    def elementary(self, function: str, x: Any) -> Any:
        """As of `Operations`."""
        return getattr(np, function)(x)

    def angle(self, y: Any, x: Any) -> Any:
        """As of `Operations`."""
        return np.arctan2(y, x)

    def require(self, x: Any, code: str, told: Callable[[], Exception]) -> None:
        """As of `Operations`."""
        if not x > 0:
            raise told()

    def solve(self, a: Any, b: Any, code: str, told: Callable[[Any], Exception]) -> Any:
        """As of `Operations`; singular is what has a condition number of 1e12 or more."""
        try:
            inverse = np.linalg.inv(a)
        except np.linalg.LinAlgError:
            raise told(a) from None
        if not np.linalg.norm(a) * np.linalg.norm(inverse) < WORST:
            raise told(a)
        return inverse @ b

    def solve_positive(self, a: Any, b: Any) -> Any:
        """As of `Operations`."""
        return np.linalg.solve(a, b)

    def call(self, function: str, **values: Any) -> Any:
        """As of `Operations`; ValueError where there is no model."""
        if self._call is None:
            raise ValueError(f"function {function!r}: this difference equation has no model")
        return self._call(function, **values)
