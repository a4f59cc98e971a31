"""From the nodes of one function to an ordered list of C statements.

A *statement* computes one node into a local variable (or straight into an output). Three kinds of
nodes get none:

- constants and symbols, written where they are used;
- ``neg``, a free sign on its operand;
- nodes with a single use that are small enough to stand inside the expression of their user. The
  parentheses of C keep the order of evaluation exactly that of the graph.

Order: first the library calls that wait for no other call, the sines and cosines of the joint
angles; then the outputs and every value that is used more than once, in the order in which the
recursion made them, and before each of these what it alone needs, depth first. A call spills every
value that lives in a register, so calls stand where nothing is alive yet; a value of one use is
computed right before it; shared ones follow the recursion from body to body, which depth-first
order from the outputs tears apart. The sine and cosine of one angle stand next to each other, where
compilers fuse them into one call. (Against depth-first order from the outputs, forward dynamics of
29 and 30 joints runs 16 % faster, of 7 joints on vectors 6 %, inverse dynamics of 30 joints 20 %;
the mass matrix of 7 joints runs 12 % slower, that of 30 joints 7 % faster.) In a long function what
one user far behind waits for then moves down to it (`sinking.py`).

Columns of a matrix are chains of operations, each of which waits for the one before, while those of
other columns wait for none of them. One column after the other, a core that looks a few hundred
instructions ahead sees one or two of the chains at a time. By depth, slab by slab, it has all of
them before it: mass matrices run a tenth (7 joints) to a quarter (30 joints) faster so.
"""

import itertools
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from eomc.codegen.plan.cost import depths
from eomc.codegen.plan.sinking import sunk
from eomc.derive.graph import Graph
from eomc.derive.graph.tuning import FEWEST_SUNK

LEAVES = frozenset({"const", "symbol"})
CONDITIONS = frozenset({"lt", "le", "eq", "and", "or", "not"})

# Worth reading inside a larger expression. Transcendental functions keep a line of their own.
MERGED = frozenset({"add", "sub", "mul", "div", "sqrt", "abs"}) | CONDITIONS
# Calls into the math library; the others are instructions, or a few of them.
_CALLS = frozenset(
    """
    exp log sin cos tan asin acos atan sinh cosh tanh asinh acosh atanh atan2 pow
    """.split()  # noqa: SIM905
)
# These write an operand twice, take it apart, or must not hide work behind a branch: their operands
# get names.
_NAMES_OPERANDS = frozenset(
    {"select", "min", "max", "sign", "low", "high", "pack", *(f"lane{k}" for k in range(16))}
)
# Operands in one written expression. Five fits a line: a*b + c*d + e.
_LARGEST_EXPRESSION = 5


@dataclass(frozen=True)
class Schedule:
    """Statements of one function in the order in which they run.

    order : nodes that get a statement of their own
    reads : for each statement, the statement nodes its expression refers to, first use first
    uses : for every node of the graph how often the function refers to it (signs looked through)
    symbols : the symbols that the function depends on
    merged : nodes written inside the expression of their only user
    """

    order: list[int]
    reads: list[tuple[int, ...]]
    uses: list[int]
    symbols: frozenset[int]
    merged: frozenset[int]


def without_sign(graph: Graph, node: int) -> int:
    """``node``, or what it negates."""
    return graph.args[node][0] if graph.op[node] == "neg" else node


def unsigned_arguments(graph: Graph, nodes: Iterable[int]) -> dict[int, tuple[int, ...]]:
    """Arguments of each node, without their signs."""
    op, args = graph.op, graph.args
    return {
        node: tuple([args[arg][0] if op[arg] == "neg" else arg for arg in args[node]])
        for node in nodes
    }


def schedule(
    graph: Graph, roots: Iterable[int], mergeable: frozenset[str] = MERGED, *, slab: int = 0
) -> Schedule:
    """Statements that compute all ``roots`` (output and guard nodes, in this order).

    Operations of the kinds ``mergeable`` may stand inside larger expressions. Values whose depths
    are in one ``slab`` of so many additions stand together, if it is not 0.
    """
    roots = list(roots)
    results = {without_sign(graph, root) for root in roots}
    postorder = _depth_first(graph, roots, {})
    calls = _first_calls(graph, postorder)
    stops = sorted({*_shared(graph, postorder), *roots})
    if slab:
        depth = depths(graph, postorder)
        stops.sort(key=lambda node: depth[node] // slab)
    postorder = _depth_first(graph, calls + stops, _angle_twins(graph, postorder))
    uses = _count_uses(graph, postorder, roots)
    merged = _merge(graph, postorder, uses, results, mergeable)
    op = graph.op
    order = [
        node
        for node in postorder
        if node not in merged and op[node] not in LEAVES and op[node] != "neg"
    ]
    reads = _statements_read(graph, order, merged)
    if not slab and len(order) >= FEWEST_SUNK:
        calls = [node for node in order if op[node] in _CALLS]
        read_by = dict(zip(order, reads, strict=True))
        order = sunk(order, reads, results.union(calls))
        reads = [read_by[node] for node in order]
    symbols = frozenset([node for node in postorder if op[node] == "symbol"])
    return Schedule(order, reads, uses, symbols, merged)


def _depth_first(graph: Graph, roots: list[int], twins: dict[int, int]) -> list[int]:
    """All nodes below ``roots``, arguments before users, each of ``twins`` after the other."""
    args = graph.args
    done = bytearray(len(graph))
    order: list[int] = []
    stack: list[int] = []
    for root in roots:
        stack.append(root)
        while stack:
            node = stack[-1]
            if done[node]:
                stack.pop()
                continue
            stack += itertools.filterfalse(done.__getitem__, reversed(args[node]))
            if stack[-1] != node:
                continue
            stack.pop()
            done[node] = True
            order.append(node)
            if node in twins and not done[twins[node]]:
                done[twins[node]] = True
                order.append(twins[node])
    return order


def _shared(graph: Graph, nodes: list[int]) -> list[int]:
    """Those of ``nodes`` that others among them refer to more than once."""
    uses = Counter(itertools.chain.from_iterable(map(graph.args.__getitem__, nodes)))
    return [node for node in nodes if uses[node] > 1]


def _first_calls(graph: Graph, postorder: list[int]) -> list[int]:
    """Calls whose arguments contain no other call, in the order given."""
    op, args = graph.op, graph.args
    after_call: set[int] = set()
    first: list[int] = []
    for node in postorder:
        if not after_call.isdisjoint(args[node]):
            after_call.add(node)
        elif op[node] in _CALLS:
            after_call.add(node)
            first.append(node)
    return first


def _angle_twins(graph: Graph, nodes: list[int]) -> dict[int, int]:
    """For each sine and cosine among ``nodes`` the other one of the same angle, if there too."""
    first: dict[int, int] = {}
    twins: dict[int, int] = {}
    for node in nodes:
        if graph.op[node] in ("sin", "cos"):
            other = first.setdefault(graph.args[node][0], node)
            if other != node:
                twins[node], twins[other] = other, node
    return twins


def _count_uses(graph: Graph, postorder: list[int], roots: list[int]) -> list[int]:
    """References to each node; those to a ``neg`` count for its operand as well."""
    op, args = graph.op, graph.args
    uses = [0] * len(graph)
    for root in roots:
        uses[root] += 1
    for node in reversed(postorder):
        if op[node] == "neg":
            uses[args[node][0]] += uses[node]
        else:
            for arg in args[node]:
                uses[arg] += 1
    return uses


def _merge(
    graph: Graph, postorder: list[int], uses: list[int], named: set[int], mergeable: frozenset[str]
) -> frozenset[int]:
    """Nodes to write inside their single user: unlabelled, small, and not an output."""
    op, args, labels = graph.op, graph.args, graph.labels
    candidates: set[int] = set()
    size = [1] * len(graph)  # operands in the expression written for a node
    for node in postorder:
        kind = op[node]
        if kind in LEAVES:
            continue
        if kind == "neg":
            inner = args[node][0]
            size[node] = size[inner]
            continue
        total = 0
        for arg in args[node]:
            total += size[arg]
        if kind in _NAMES_OPERANDS:
            for arg in args[node]:
                inner = without_sign(graph, arg)
                if op[inner] not in CONDITIONS:
                    candidates.discard(inner)
            total = len(args[node])
        elif total > _LARGEST_EXPRESSION:
            # The largest operand becomes a statement, and the other one too if it is full.
            for arg in sorted(args[node], key=size.__getitem__, reverse=True):
                if total > _LARGEST_EXPRESSION:
                    candidates.discard(without_sign(graph, arg))
                    total += 1 - size[arg]
        if kind in mergeable and uses[node] == 1 and node not in labels and node not in named:
            candidates.add(node)
            size[node] = total
    return frozenset(candidates)


def _statements_read(
    graph: Graph, order: list[int], merged: frozenset[int]
) -> list[tuple[int, ...]]:
    """For every node of ``order`` the statement nodes that its written expression mentions."""
    op, args = graph.op, graph.args
    reads: list[tuple[int, ...]] = []
    for node in order:
        found: dict[int, None] = {}
        stack = list(args[node][::-1])
        while stack:
            arg = stack.pop()
            kind = op[arg]
            if kind == "neg" or arg in merged:
                stack += args[arg][::-1]
            elif kind not in LEAVES:
                found[arg] = None
        reads.append(tuple(found))
    return reads
