"""Expression graph: the common ground of derivation and code generation."""

from eomc.derive.graph.differentiate import ForwardSweep, forward_derivative, reverse_gradient
from eomc.derive.graph.evaluate import evaluate, evaluate_mp
from eomc.derive.graph.expression import Expression, constant, nodes, symbol, symbols
from eomc.derive.graph.function import Argument, Function, Guard, Parameter, Program
from eomc.derive.graph.node import Graph, GraphError
from eomc.derive.graph.traverse import flops, operation_count, reachable

__all__ = [
    "Argument",
    "Expression",
    "ForwardSweep",
    "Function",
    "Graph",
    "GraphError",
    "Guard",
    "Parameter",
    "Program",
    "constant",
    "evaluate",
    "evaluate_mp",
    "flops",
    "forward_derivative",
    "nodes",
    "operation_count",
    "reachable",
    "reverse_gradient",
    "symbol",
    "symbols",
]
