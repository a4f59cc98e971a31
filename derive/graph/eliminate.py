"""Linear systems whose matrix is a Hessian, solved while the Hessian is found.

    H x = f,    H = d2 T / du2:      T(u) = sum of squares of z(u), z by stages of sums and products

Edge pushing (`hessian`) holds at every stage the second derivatives W by the few nodes z that
stand between the output and what is left of the inputs. An input that no node is left to depend on
is eliminated there,

    x_k = (f_k - W_kj z_j) / W_kk,    W_jl -= W_jk W_kl / W_kk,    f_j -= W_jk f_k / W_kk,

and H itself is never formed. Of the kinetic energy of a tree of bodies W is the articulated inertia
of a link: the recursion of articulated bodies, found in the expression. The pivots W_kk are those
of H, factored in the order of elimination.

Reference: Griewank and Walther, *Evaluating Derivatives*, 2nd ed., section 10.3 (vertex
elimination); Featherstone, *Rigid Body Dynamics Algorithms*, section 7.3.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from eomc.derive.graph.hessian import EdgePushing, outermost_first
from eomc.derive.graph.node import ZERO, Graph
from eomc.derive.graph.rotations import rotations
from eomc.derive.graph.traverse import dependents, reachable


@dataclass(frozen=True)
class _Pivot:
    """x_k = force / pivot - shares z"""

    input: int
    pivot: int
    part: int
    shares: dict[int, int]


def solve_hessian(
    graph: Graph, output: int, inputs: Sequence[int], right: Sequence[int]
) -> tuple[list[int], list[int]] | None:
    """x with (d2 output / du2) x = right, and the pivots in the order of the inputs u.

    The output is quadratic in u. None where edge pushing does not apply, where second derivatives
    depend on the inputs, or where a pivot is structurally zero.

    >>> from eomc.derive.graph import evaluate
    >>> g = Graph()
    >>> x, y, f = g.symbol("x"), g.symbol("y"), g.symbol("f")
    >>> z = g.add(x, y)
    >>> found, pivots = solve_hessian(g, g.add(g.mul(z, z), g.mul(x, x)), [x, y], [f, f])
    >>> [float(value) for value in evaluate(g, found, {"f": 3.0})]
    [0.0, 1.5]
    """
    sweep = EdgePushing(graph, output)
    order = reachable(graph, [output])
    active = dependents(graph, order, inputs)
    force = dict(zip(inputs, right, strict=True))
    found: list[_Pivot] = []
    for node in outermost_first(graph, order, active):
        if not graph.args[node]:
            pivot = _eliminate(graph, sweep.second, force, node)
            if pivot is None:
                return None
            found.append(pivot)
            continue
        slopes = sweep.pass_on(node, active)
        if slopes is None:
            return None
        pushed = force.pop(node, ZERO)
        for arg, slope in slopes.items():
            force[arg] = graph.add(force.get(arg, ZERO), graph.mul(slope, pushed))
    held = [node for pivot in found for node in (pivot.pivot, *pivot.shares.values())]
    if len(found) < len(inputs) or not active.isdisjoint(reachable(graph, held)):
        return None
    x = _substituted_back(graph, active, found)
    pivots = {pivot.input: pivot.pivot for pivot in found}
    return [x[node] for node in inputs], [pivots[node] for node in inputs]


def _eliminate(
    graph: Graph, second: dict[int, dict[int, int]], force: dict[int, int], node: int
) -> _Pivot | None:
    row = second.pop(node, {})
    pivot = row.pop(node, ZERO)
    if pivot == ZERO:
        return None
    for other in row:
        del second[other][node]
    reciprocal = graph.div(graph.constant(1), pivot)
    # Of a sum z = y + u_k, W_ku = W_kk: y drops out together with u_k.
    shares = {
        j: graph.constant(1) if entry == pivot else graph.mul(entry, reciprocal)
        for j, entry in row.items()
    }
    own = force.pop(node)
    part = graph.mul(own, reciprocal)
    others = list(row)
    for place, j in enumerate(others):
        change = own if row[j] == pivot else graph.mul(row[j], part)
        force[j] = graph.sub(force.get(j, ZERO), change)
        for k in others[: place + 1]:
            change = row[j] if row[k] == pivot else graph.mul(shares[j], row[k])
            value = graph.sub(second[j].get(k, ZERO), change)
            second[j][k] = second[k][j] = value
            if value == ZERO:
                del second[j][k]
                second[k].pop(j, None)
    return _Pivot(node, pivot, part, shares)


def _substituted_back(graph: Graph, active: set[int], found: Sequence[_Pivot]) -> dict[int, int]:
    """The inputs' x, the last eliminated first; z is the derivative of its node along x."""
    tangent: dict[int, int] = {}
    for pivot in reversed(found):
        total = pivot.part
        for node, share in pivot.shares.items():
            for inner in reachable(graph, [node]):
                if inner in active and inner not in tangent:
                    tangent[inner] = _tangent(graph, inner, tangent)
            total = graph.sub(total, graph.mul(share, tangent[node]))
        tangent[pivot.input] = total
    return tangent


def _tangent(graph: Graph, node: int, tangent: dict[int, int]) -> int:
    total = ZERO
    for arg, partial in rotations(graph, node):
        if partial is not None and arg in tangent:
            total = graph.add(total, graph.mul(partial, tangent[arg]))
    return total
