"""Dual numbers on arrays: values with their derivatives by the variables of a design.

    f(x) has the derivatives f'(x) dx/dtheta

NumPy's functions of real numbers, sums, products and norms of these arrays have exact derivatives,
so that an objective is plain NumPy. Reference: Griewank and Walther, *Evaluating Derivatives*,
2nd ed. (2008), ch. 3.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.lib.mixins import NDArrayOperatorsMixin

_SLOPES: dict[Any, Callable[..., tuple[Any, ...]]] = {
    np.add: lambda a, b: (1.0, 1.0),
    np.subtract: lambda a, b: (1.0, -1.0),
    np.multiply: lambda a, b: (b, a),
    np.divide: lambda a, b: (1 / b, -a / b**2),
    np.negative: lambda a: (-1.0,),
    np.positive: lambda a: (1.0,),
    np.absolute: lambda a: (np.sign(a),),
    np.square: lambda a: (2 * a,),
    np.sqrt: lambda a: (0.5 / np.sqrt(a),),
    np.exp: lambda a: (np.exp(a),),
    np.log: lambda a: (1 / a,),
    np.sin: lambda a: (np.cos(a),),
    np.cos: lambda a: (-np.sin(a),),
    np.tan: lambda a: (1 + np.tan(a) ** 2,),
    np.arcsin: lambda a: (1 / np.sqrt(1 - a**2),),
    np.arccos: lambda a: (-1 / np.sqrt(1 - a**2),),
    np.arctan: lambda a: (1 / (1 + a**2),),
    np.tanh: lambda a: (1 - np.tanh(a) ** 2,),
    np.arctan2: lambda a, b: (b / (a**2 + b**2), -a / (a**2 + b**2)),
    np.hypot: lambda a, b: (a / np.hypot(a, b), b / np.hypot(a, b)),
    np.maximum: lambda a, b: (np.where(a >= b, 1.0, 0.0), np.where(a >= b, 0.0, 1.0)),
    np.minimum: lambda a, b: (np.where(a <= b, 1.0, 0.0), np.where(a <= b, 0.0, 1.0)),
}
_PLAIN = (np.greater, np.greater_equal, np.less, np.less_equal, np.equal, np.not_equal, np.isfinite)


class DualArray(NDArrayOperatorsMixin):
    """An array `value` of any shape, and its derivatives `slopes` (*shape, n)."""

    __array_priority__ = 100

    def __init__(self, value: Any, slopes: Any) -> None:
        self.value, self.slopes = np.asarray(value), np.asarray(slopes)

    @property
    def shape(self) -> tuple[int, ...]:
        """Of the values."""
        return self.value.shape

    @property
    def ndim(self) -> int:
        """Of the values."""
        return self.value.ndim

    @property
    def T(self) -> DualArray:
        """Transposed."""
        order = (*reversed(range(self.ndim)), self.ndim)
        return DualArray(self.value.T, self.slopes.transpose(order))

    def __len__(self) -> int:
        return len(self.value)

    def __getitem__(self, key: Any) -> DualArray:
        own = (*(key if isinstance(key, tuple) else (key,)), slice(None))
        return DualArray(self.value[key], self.slopes[own])

    def __iter__(self) -> Any:
        return (self[k] for k in range(len(self)))

    def __float__(self) -> float:
        return float(self.value)

    def __repr__(self) -> str:
        return f"DualArray({self.value!r})"

    def reshape(self, *shape: int) -> DualArray:
        """As of an array."""
        value = self.value.reshape(*shape)
        return DualArray(value, self.slopes.reshape(*value.shape, self.slopes.shape[-1]))

    def ravel(self) -> DualArray:
        """As of an array."""
        return self.reshape(-1)

    def sum(self, axis: int | None = None) -> DualArray:
        """As of an array."""
        if axis is None:
            return self.ravel().sum(0) if self.ndim else self
        axis = axis % self.ndim
        return DualArray(self.value.sum(axis), self.slopes.sum(axis))

    def mean(self, axis: int | None = None) -> Any:
        """As of an array."""
        return self.sum(axis) / (self.value.size if axis is None else self.shape[axis])

    def max(self) -> DualArray:
        """The largest entry."""
        return self.ravel()[int(np.argmax(self.value))]

    def min(self) -> DualArray:
        """The smallest entry."""
        return self.ravel()[int(np.argmin(self.value))]

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **options: Any) -> Any:
        values = [x.value if isinstance(x, DualArray) else x for x in inputs]
        if ufunc in _PLAIN and method == "__call__":
            return ufunc(*values)
        if method != "__call__" or options:
            return NotImplemented
        if ufunc is np.matmul:
            return _product(*inputs)
        if ufunc is np.power:
            return _power(*inputs)
        if ufunc not in _SLOPES:
            raise TypeError(f"np.{ufunc.__name__} has no derivative here")
        value = ufunc(*values)
        slopes: Any = 0.0
        for x, factor in zip(inputs, _SLOPES[ufunc](*values), strict=True):
            if isinstance(x, DualArray):
                # Leading dimensions of the derivatives broadcast as those of the values.
                own = x.slopes.reshape(*(1,) * (value.ndim - x.ndim), *x.slopes.shape)
                slopes = slopes + np.asarray(factor)[..., None] * own
        return DualArray(value, slopes)

    def __array_function__(self, function: Any, types: Any, args: Any, kwargs: Any) -> Any:
        if function not in _FUNCTIONS:
            raise TypeError(f"np.{function.__name__} has no derivative here")
        return _FUNCTIONS[function](*args, **kwargs)


def dual(x: Any, n: int) -> DualArray:
    """x with its derivatives, zero of a constant; lists and arrays of such are joined.

    >>> x = DualArray(2.0, [1.0])
    >>> round(float((x**2 + 3 * x).slopes[0]), 9)
    7.0
    """
    if isinstance(x, DualArray):
        return x
    if isinstance(x, list | tuple) or (
        isinstance(x, np.ndarray) and x.ndim and x.dtype.kind == "O"
    ):
        rows = [dual(entry, n) for entry in x]
        if rows and len({row.shape for row in rows}) == 1:
            return stacked(rows)
    value = np.asarray(x, dtype=np.float64)
    return DualArray(value, np.zeros((*value.shape, n)))


def _power(a: Any, b: Any) -> Any:
    if isinstance(b, DualArray):
        return np.exp(b * np.log(a))
    return DualArray(
        a.value**b, np.asarray(b * a.value ** (np.asarray(b) - 1))[..., None] * a.slopes
    )


def _product(a: Any, b: Any) -> DualArray:
    """a @ b of vectors and matrices."""
    x, y = (c.value if isinstance(c, DualArray) else np.asarray(c) for c in (a, b))
    slopes: Any = 0.0
    if isinstance(a, DualArray):
        moved = np.moveaxis(a.slopes, -1, 0) @ y
        slopes = slopes + np.moveaxis(moved, 0, -1)
    if isinstance(b, DualArray):
        slopes = slopes + np.tensordot(x, b.slopes, 1)
    return DualArray(x @ y, slopes)


def _joined(function: Callable[..., Any], arrays: Sequence[Any], axis: int) -> DualArray:
    n = next(x.slopes.shape[-1] for x in arrays if isinstance(x, DualArray))
    several = [dual(x, n) for x in arrays]
    value = function([x.value for x in several], axis=axis)
    return DualArray(value, function([x.slopes for x in several], axis=axis % value.ndim))


def stacked(arrays: Sequence[Any], axis: int = 0) -> DualArray:
    """As `numpy.stack`, of which at least one is dual."""
    return _joined(np.stack, arrays, axis)


def concatenated(arrays: Sequence[Any], axis: int = 0) -> DualArray:
    """As `numpy.concatenate`, of which at least one is dual."""
    return _joined(np.concatenate, arrays, axis)


def _chosen(condition: Any, x: Any, y: Any) -> DualArray:
    """As `numpy.where` of a condition on values."""
    n = next(a.slopes.shape[-1] for a in (x, y) if isinstance(a, DualArray))
    a, b = dual(x, n), dual(y, n)
    value = np.where(condition, a.value, b.value)
    wide = (np.broadcast_to(c.slopes, (*value.shape, n)) for c in (a, b))
    return DualArray(value, np.where(np.asarray(condition)[..., None], *wide))


_FUNCTIONS: dict[Any, Callable[..., Any]] = {
    np.sum: DualArray.sum,
    np.mean: DualArray.mean,
    np.max: DualArray.max,
    np.min: DualArray.min,
    np.ravel: DualArray.ravel,
    np.concatenate: concatenated,
    np.stack: stacked,
    np.where: lambda condition, x, y: _chosen(condition, x, y),
    np.clip: lambda x, low, high: np.minimum(np.maximum(x, low), high),
    np.ptp: lambda x: x.max() - x.min(),
    np.diff: lambda x: x[1:] - x[:-1],
    getattr(np, "trapezoid", None): lambda y, x: ((x[1:] - x[:-1]) * (y[1:] + y[:-1])).sum() / 2,
    np.linalg.norm: lambda x, axis=None: np.sqrt((x * x).sum(axis)),
}
