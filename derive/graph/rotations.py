"""Derivatives through components of rotated vectors as wholes.

A component n = c x - s y, with c and s cosine and sine of one angle, is differentiated by x, y and
the angle. The derivative by the angle is, but for its sign, the other component, which is there:

    n' = c x' - s y' - (s x + c y) angle'

By c and s the same takes twice as many operations.
"""

from __future__ import annotations

from collections.abc import Iterable

from eomc.derive.graph.differentiate import arguments
from eomc.derive.graph.node import Graph


def rotations(g: Graph, node: int) -> Iterable[tuple[int, int | None]]:
    """Links of a node, the angle among them if it is a component of a rotated vector."""
    op = g.op[node]
    if op in ("add", "sub"):
        first, second = g.args[node]
        if g.op[first] == g.op[second] == "mul":
            for f, x in (g.args[first], g.args[first][::-1]):
                for h, y in (g.args[second], g.args[second][::-1]):
                    if {g.op[f], g.op[h]} == {"sin", "cos"} and g.args[f] == g.args[h]:
                        return _rotation(g, (f, x), (h, y), op == "sub")
    return arguments(g, node)


def _rotation(
    g: Graph, first: tuple[int, int], second: tuple[int, int], minus: bool
) -> list[tuple[int, int | None]]:
    (f, x), (h, y) = first, second
    (angle,) = g.args[f]
    # f' = +-h, h' = -+f: the sine's is the cosine.
    by_first = g.mul(h, x) if g.op[f] == "sin" else g.neg(g.mul(h, x))
    by_second = g.neg(g.mul(f, y)) if g.op[f] == "sin" else g.mul(f, y)
    slope = g.sub(by_first, by_second) if minus else g.add(by_first, by_second)
    return [(x, f), (y, g.neg(h) if minus else h), (angle, slope)]
