"""A function whose nodes are those of another graph."""

from collections.abc import Callable
from dataclasses import replace

from eomc.codegen.plan.interface import EmittedFunction, Port
from eomc.derive.graph import Graph, Guard


def rewritten(
    entry: EmittedFunction, graph: Graph, into: Graph, scalar: Callable[[int], int]
) -> EmittedFunction:
    """`entry` on the graph `into`; `scalar` gives what a node of `graph` has become there."""

    def named(port: Port) -> Port:
        names = [str(graph.value[node]) for node in port.argument.entries]
        return _holding(port, tuple(map(into.symbol, names)))

    def result(port: Port) -> Port:
        return _holding(port, tuple(map(scalar, port.argument.entries)))

    inputs, outputs = tuple(map(named, entry.inputs)), tuple(map(result, entry.outputs))
    function = replace(
        entry.function,
        inputs=tuple(port.argument for port in inputs),
        outputs=tuple(port.argument for port in outputs),
        guards=tuple(Guard(scalar(guard.node), guard.code) for guard in entry.function.guards),
    )
    return replace(entry, function=function, inputs=inputs, outputs=outputs)


def _holding(port: Port, entries: tuple[int, ...]) -> Port:
    return replace(port, argument=replace(port.argument, entries=entries))
