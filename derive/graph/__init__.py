"""Expression graph: the common ground of derivation and code generation.

The bridge to SymPy is imported at its first use, so that code generation starts without SymPy.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from eomc.derive.graph.differentiate import ForwardSweep, forward_derivative, reverse_gradient
from eomc.derive.graph.evaluate import evaluate, evaluate_mp
from eomc.derive.graph.expression import (
    Expression,
    constant,
    nodes,
    product_difference,
    product_sum,
    symbol,
    symbols,
)
from eomc.derive.graph.function import (
    Argument,
    DeferredEntries,
    Function,
    Guard,
    Program,
    TunableParameter,
    required,
)
from eomc.derive.graph.node import ZERO, Graph, GraphError
from eomc.derive.graph.rolled import (
    Call,
    Climb,
    ForLoop,
    Rolled,
    RolledArgument,
    RolledArray,
    RolledStep,
    RolledTurns,
    Spread,
)
from eomc.derive.graph.traverse import flops, operation_count, reachable

if TYPE_CHECKING:
    from eomc.derive.graph.sympy_reader import (
        SympyReader,
        from_sympy,
        from_sympy_matrix,
        supported_functions,
    )
    from eomc.derive.graph.sympy_writer import to_sympy, to_sympy_cse

__all__ = [
    "ZERO",
    "Argument",
    "Call",
    "Climb",
    "DeferredEntries",
    "Expression",
    "ForLoop",
    "ForwardSweep",
    "Function",
    "Graph",
    "GraphError",
    "Guard",
    "Program",
    "Rolled",
    "RolledArgument",
    "RolledArray",
    "RolledStep",
    "RolledTurns",
    "Spread",
    "SympyReader",
    "TunableParameter",
    "constant",
    "evaluate",
    "evaluate_mp",
    "flops",
    "forward_derivative",
    "from_sympy",
    "from_sympy_matrix",
    "nodes",
    "operation_count",
    "product_difference",
    "product_sum",
    "reachable",
    "required",
    "reverse_gradient",
    "supported_functions",
    "symbol",
    "symbols",
    "to_sympy",
    "to_sympy_cse",
]

_SYMPY = {
    "SympyReader": "sympy_reader",
    "from_sympy": "sympy_reader",
    "from_sympy_matrix": "sympy_reader",
    "supported_functions": "sympy_reader",
    "to_sympy": "sympy_writer",
    "to_sympy_cse": "sympy_writer",
}


def __getattr__(name: str) -> Any:
    if name not in _SYMPY:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_SYMPY[name]}"), name)
