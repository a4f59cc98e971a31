"""XLA's interface of foreign functions, written around emitted C: what `jax.ffi` calls.

One handler each for ``value``, ``jacobian``, ``adjoint`` and ``adjoint_jacobian``, in plain C on
the header ``xla/ffi/api/c_api.h`` that comes with jaxlib. Leading dimensions of all arrays are one
batch.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from eomc.codegen.external.frame import fill
from eomc.derive.graph import Argument, Function


def handler(prefix: str, function: str) -> str:
    """Name of the handler of a function."""
    return f"{prefix}_xla_{function}"


def xla_source(name: str, prefix: str, functions: Mapping[str, Function]) -> str:
    """The C file around the emitted functions of `prefix`."""
    parts = [fill("xla_head.c", name=name, prefix=prefix)]
    parts += [_handler(name, prefix, function) for function in functions.values()]
    return "".join(parts)


def _sizes(arrays: Sequence[Argument]) -> str:
    return ", ".join(str(math.prod(a.shape)) for a in arrays)


def _handler(name: str, prefix: str, function: Function) -> str:
    inputs, outputs = function.inputs, function.outputs
    arguments = [
        f"x[{k}] + state * in_sizes[{k}]" if x.shape else f"x[{k}][state]"
        for k, x in enumerate(inputs)
    ]
    arguments += [f"y[{k}] + state * out_sizes[{k}]" for k in range(len(outputs))]
    codes = list(dict.fromkeys(guard.code for guard in function.guards))
    reasons = ", or ".join(code.replace("_", " ") for code in codes)
    return fill(
        "xla_function.c",
        name=handler(prefix, function.name),
        call=f"{prefix}_{function.name}",
        inputs=len(inputs),
        outputs=len(outputs),
        input_sizes=_sizes(inputs),
        output_sizes=_sizes(outputs),
        arguments=",\n            ".join(arguments),
        reason=f'"{name} failed at a state of the batch: {reasons or "no value"}"',
    )
