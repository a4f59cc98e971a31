"""A compiled function inside JAX: called by XLA itself, with exact derivatives.

y(x) and its Jacobian J(x) are foreign calls; the derivative of y along dx is J dx, that of row k of
J is H_k dx, with H_k the second derivatives of y_k. JAX transposes these products for reverse mode.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from eomc.runtime.autodiff.external import (
    ADJOINT_JACOBIAN,
    JACOBIAN,
    VALUE,
    External,
    ExternalArray,
    Linker,
    require,
)

Arrays = tuple[Any, ...]


def jax_function(linker: Linker, name: str) -> Callable[..., Any]:
    """The function `name` of the linker's model; see `CompiledModel.jax`."""
    jax = require("jax", "jax", "a function of JAX")
    if not jax.config.jax_enable_x64:
        raise RuntimeError(
            "compiled functions compute in double precision, and JAX is set to single: call "
            "jax.config.update('jax_enable_x64', True) first"
        )
    external = linker.xla(name, jax.ffi.include_dir())
    calls = _ForeignCalls(jax, external)
    value = _differentiable(jax, external, calls)
    expected = [x.shape for x in external.inputs]

    def called(*given: Any) -> Any:
        x = [jax.numpy.asarray(a, dtype=float) for a in external.with_defaults(given)]
        batches = []
        for a, known, shape in zip(x, external.inputs, expected, strict=True):
            if a.shape[a.ndim - len(shape) :] != shape or a.ndim < len(shape):
                raise ValueError(
                    f"{known.name} of {external.name}: shape {a.shape}, expected (..., "
                    f"{', '.join(map(str, shape))})"
                )
            batches.append(a.shape[: a.ndim - len(shape)])
        batch = np.broadcast_shapes(*batches)
        spread = [
            jax.numpy.broadcast_to(a, batch + shape) for a, shape in zip(x, expected, strict=True)
        ]
        y = value(*spread)
        return y[0] if len(y) == 1 else y

    called.__name__ = called.__qualname__ = external.name
    names = ", ".join(x.name for x in external.inputs)
    called.__doc__ = f"{external.name}({names}), compiled; leading dimensions are a batch."
    return called


class _ForeignCalls:
    """Foreign calls of the functions of a library."""

    def __init__(self, jax: Any, external: External) -> None:
        self._jax, self._external = jax, external
        self._library = ctypes.CDLL(str(external.library))
        digest = str(external.library).rpartition("-")[2].partition("/")[0]
        self._targets = {}
        for function in (VALUE, JACOBIAN, ADJOINT_JACOBIAN):
            target = f"{external.name}_{function}_{digest}"
            symbol = getattr(self._library, f"{external.name}_xla_{function}")
            jax.ffi.register_ffi_target(target, jax.ffi.pycapsule(symbol), platform="cpu")
            self._targets[function] = target

    def __call__(self, function: str, outputs: Sequence[ExternalArray], x: Sequence[Any]) -> Arrays:
        first = self._external.inputs[0]
        batch = x[0].shape[: x[0].ndim - len(first.shape)]
        types = [self._jax.ShapeDtypeStruct(batch + y.shape, np.float64) for y in outputs]
        call = self._jax.ffi.ffi_call(self._targets[function], types, vmap_method="broadcast_all")
        return tuple(call(*x))


def _blocks(rows: Sequence[ExternalArray], columns: Sequence[ExternalArray]) -> list[ExternalArray]:
    return [ExternalArray(f"d{y.name}_d{x.name}", (y.size, x.size)) for y in rows for x in columns]


def _differentiable(jax: Any, external: External, calls: _ForeignCalls) -> Callable[..., Arrays]:
    """y(*x) with derivatives of first and second order; x and y bear one batch."""
    inputs, outputs = external.inputs, external.outputs
    bars = [ExternalArray(f"{x.name}_bar", x.shape) for x in inputs]
    weights = [ExternalArray(f"{y.name}_bar", y.shape) for y in outputs]

    def flat(a: Any, known: ExternalArray) -> Any:
        return a.reshape((*a.shape[: a.ndim - len(known.shape)], known.size))

    def pushed(rows: Sequence[Any], dx: Sequence[Any]) -> Any:
        """Sum of blocks times directions."""
        terms = [
            jax.numpy.einsum("...ij,...j->...i", block, flat(d, x))
            for block, d, x in zip(rows, dx, inputs, strict=True)
        ]
        return sum(terms[1:], terms[0])

    @jax.custom_jvp  # type: ignore[untyped-decorator]
    def second(*x: Any) -> Arrays:
        return calls(ADJOINT_JACOBIAN, _blocks(bars, [*inputs, *weights]), x)

    @second.defjvp  # type: ignore[untyped-decorator]
    def _(x: Arrays, dx: Arrays) -> Any:
        raise NotImplementedError(
            f"third derivatives of {external.name} are not compiled; the second ones are the last"
        )

    @jax.custom_jvp  # type: ignore[untyped-decorator]
    def jacobian(*x: Any) -> Arrays:
        return calls(JACOBIAN, _blocks(outputs, inputs), x)

    @jacobian.defjvp  # type: ignore[untyped-decorator]
    def _(x: Arrays, dx: Arrays) -> Any:
        change: list[Any] = []
        for of in outputs:
            rows = [_curved(k, of, x, dx) for k in range(of.size)]
            change += [jax.numpy.stack(parts, axis=-2) for parts in zip(*rows, strict=True)]
        return jacobian(*x), tuple(change)

    def _curved(k: int, of: ExternalArray, x: Arrays, dx: Arrays) -> list[Any]:
        """Row k of every block of an output, changed along dx."""
        first = inputs[0]
        batch = x[0].shape[: x[0].ndim - len(first.shape)]
        unit = [np.zeros(y.size) for y in outputs]
        unit[outputs.index(of)][k] = 1.0
        w = [
            jax.numpy.broadcast_to(e.reshape(y.shape), batch + y.shape)
            for e, y in zip(unit, outputs, strict=True)
        ]
        blocks = second(*x, *w)
        width = len(inputs) + len(outputs)
        return [pushed(blocks[i * width : i * width + len(inputs)], dx) for i in range(len(inputs))]

    @jax.custom_jvp  # type: ignore[untyped-decorator]
    def value(*x: Any) -> Arrays:
        return calls(VALUE, outputs, x)

    @value.defjvp  # type: ignore[untyped-decorator]
    def _(x: Arrays, dx: Arrays) -> Any:
        y, blocks = value(*x), jacobian(*x)
        width = len(inputs)
        dy = [
            pushed(blocks[k * width : (k + 1) * width], dx).reshape(found.shape)
            for k, found in enumerate(y)
        ]
        return y, tuple(dy)

    return value  # type: ignore[no-any-return]
