"""A compiled function inside PyTorch: batches of doubles on the CPU, derivatives of two orders.

Backward gives x_bar = J^T y_bar by the compiled gradient under weights, and its own backward the
products with the compiled second derivatives. Third ones are refused by name.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from eomc.runtime.autodiff.external import External, ExternalArray, Linker, require

Tensors = tuple[Any, ...]


def torch_function(linker: Linker, name: str) -> Callable[..., Any]:
    """The function `name` of the linker's model; see `CompiledModel.torch`."""
    torch = require("torch", "torch", "a function of PyTorch")
    external = linker.arrays(name)
    value = _functions(torch, external)

    def called(*given: Any) -> Any:
        x = [
            _tensor(torch, external, known, a)
            for known, a in zip(external.inputs, external.with_defaults(given), strict=True)
        ]
        batches = [
            a.shape[: a.ndim - len(k.shape)] for a, k in zip(x, external.inputs, strict=True)
        ]
        batch = torch.broadcast_shapes(*batches)
        spread = [a.expand(batch + k.shape) for a, k in zip(x, external.inputs, strict=True)]
        y = value.apply(*spread)
        return y[0] if len(y) == 1 else y

    called.__name__ = called.__qualname__ = external.name
    names = ", ".join(x.name for x in external.inputs)
    called.__doc__ = f"{external.name}({names}), compiled; leading dimensions are a batch."
    return called


def _tensor(torch: Any, external: External, known: ExternalArray, given: Any) -> Any:
    """The argument as a tensor of doubles in memory; errors name it."""
    a = given if isinstance(given, torch.Tensor) else torch.as_tensor(np.asarray(given, float))
    place = f"{known.name} of {external.name}"
    if a.dtype != torch.float64:
        raise TypeError(f"{place}: {a.dtype}, expected torch.float64; call .double()")
    if a.device.type != "cpu":
        raise TypeError(f"{place} is on {a.device}; compiled functions run on the CPU")
    if tuple(a.shape[a.ndim - len(known.shape) :]) != known.shape or a.ndim < len(known.shape):
        shape = ", ".join(map(str, known.shape))
        raise ValueError(f"{place}: shape {tuple(a.shape)}, expected (..., {shape})")
    return a


class _TensorFunctions:
    """The functions of a module on tensors, and products with its blocks."""

    def __init__(self, torch: Any, external: External) -> None:
        self.torch, self.external = torch, external

    def __call__(self, function: str, x: Sequence[Any]) -> Tensors:
        module: Any = self.external.library
        found = getattr(module, function)(*(a.detach().numpy() for a in x))
        found = found if isinstance(found, tuple) else (found,)
        return tuple(self.torch.from_numpy(np.asarray(a)) for a in found)

    def last(self, function: str, reason: str) -> Any:
        """The function as one of autograd that refuses to be differentiated, for the reason."""
        compiled, told = self, f"{self.external.name}: {reason}"

        class Last(self.torch.autograd.Function):  # type: ignore[misc, name-defined]
            @staticmethod
            def forward(*x: Any) -> Tensors:
                return compiled(function, x)

            @staticmethod
            def setup_context(ctx: Any, x: Tensors, y: Tensors) -> None:
                pass

            @staticmethod
            def backward(ctx: Any, *y_bar: Any) -> Any:
                raise NotImplementedError(told)

            @staticmethod
            def jvp(ctx: Any, *dx: Any) -> Any:
                raise NotImplementedError(told)

            @staticmethod
            def vmap(info: Any, dims: Any, *x: Any) -> Any:
                y = Last.apply(*spread(info, dims, x))
                return y, (0,) * len(y)

        return Last


_FORWARD_TWICE = (
    "its Jacobian by forward mode is not differentiated again; take second derivatives of the "
    "gradient, as torch.func.hessian and torch.autograd do"
)
_THIRD = "third derivatives are not compiled; the second ones are the last"


def spread(info: Any, dims: Sequence[int | None], x: Sequence[Any]) -> list[Any]:
    """All arguments with the dimension of a vmap in front."""
    return [
        a.expand((info.batch_size, *a.shape)) if d is None else a.movedim(d, 0)
        for a, d in zip(x, dims, strict=True)
    ]


def _flat(a: Any, known: ExternalArray) -> Any:
    return a.reshape((*a.shape[: a.ndim - len(known.shape)], known.size, 1))


def _product(
    blocks: Sequence[Any], dx: Sequence[Any], inputs: Sequence[ExternalArray], like: Any
) -> Any:
    """Sum of blocks times directions, in the shape of `like`; no direction counts as zero."""
    total = like.new_zeros(like.shape)
    for block, d, known in zip(blocks, dx, inputs, strict=True):
        if d is not None:
            total = total + (block @ _flat(d, known)).reshape(like.shape)
    return total


def _functions(torch: Any, external: External) -> Any:
    """The autograd function of y(x), whose backward is one of the gradient."""
    run = _TensorFunctions(torch, external)
    inputs, known = external.inputs, [*external.inputs, *external.outputs]
    n, width = len(inputs), len(known)
    jacobian, second = run.last("jacobian", _FORWARD_TWICE), run.last("adjoint_jacobian", _THIRD)

    class Gradient(torch.autograd.Function):  # type: ignore[misc]
        """x_bar(x, y_bar)"""

        @staticmethod
        def forward(*x: Any) -> Tensors:
            return run("adjoint", x)

        @staticmethod
        def setup_context(ctx: Any, x: Tensors, x_bar: Tensors) -> None:
            ctx.save_for_backward(*x)
            ctx.save_for_forward(*x)

        @staticmethod
        def backward(ctx: Any, *w: Any) -> Tensors:
            x = ctx.saved_tensors
            blocks = second.apply(*x)
            turned = [[blocks[i * width + j].mT for i in range(n)] for j in range(width)]
            return tuple(
                _product(column, w, inputs, like) for column, like in zip(turned, x, strict=True)
            )

        @staticmethod
        def jvp(ctx: Any, *dx: Any) -> Tensors:
            x = ctx.saved_tensors
            blocks = second.apply(*x)
            rows = [blocks[i * width : (i + 1) * width] for i in range(n)]
            return tuple(_product(row, dx, known, x[i]) for i, row in enumerate(rows))

        @staticmethod
        def vmap(info: Any, dims: Any, *x: Any) -> Any:
            return Gradient.apply(*spread(info, dims, x)), (0,) * n

    class Value(torch.autograd.Function):  # type: ignore[misc]
        """y(x)"""

        @staticmethod
        def forward(*x: Any) -> Tensors:
            return run("value", x)

        @staticmethod
        def setup_context(ctx: Any, x: Tensors, y: Tensors) -> None:
            ctx.save_for_backward(*x, *y)
            ctx.save_for_forward(*x, *y)

        @staticmethod
        def backward(ctx: Any, *y_bar: Any) -> Any:
            return Gradient.apply(*ctx.saved_tensors[:n], *y_bar)

        @staticmethod
        def jvp(ctx: Any, *dx: Any) -> Tensors:
            x, y = ctx.saved_tensors[:n], ctx.saved_tensors[n:]
            blocks = jacobian.apply(*x)
            rows = [blocks[k * n : (k + 1) * n] for k in range(len(y))]
            return tuple(_product(row, dx, inputs, y[k]) for k, row in enumerate(rows))

        @staticmethod
        def vmap(info: Any, dims: Any, *x: Any) -> Any:
            return Value.apply(*spread(info, dims, x)), (0,) * len(external.outputs)

    return Value
