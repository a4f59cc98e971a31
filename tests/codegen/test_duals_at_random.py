"""Values beside their changes on random expressions, alone and of two like limbs."""

from collections.abc import Callable
from typing import Any

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from small_programs.random_graph import CHOICES, INPUTS, VALUES, grow

from eomc.codegen.plan.changes import direction
from eomc.codegen.plan.duals import Duals
from eomc.derive.graph import ForwardSweep, Graph, evaluate, reachable
from eomc.derive.graph.evaluate import _NUMPY, run
from eomc.derive.graph.rotations import rotations

BITS = st.lists(st.booleans(), min_size=60, max_size=60)


class OnVectors(dict[str, Callable[..., Any]]):
    """Operations of the graph and those on vectors."""

    def __missing__(self, op: str) -> Callable[..., Any]:
        if op == "pair":
            return lambda *numbers: np.array(numbers)
        if op.startswith("shuffle"):
            lanes = [int(lane) for lane in op.removeprefix("shuffle")]
            return lambda a, b: np.concatenate([a, b])[lanes]
        lane = {"low": 0, "high": 1}.get(op)
        return lambda a: a[int(op.removeprefix("lane")) if lane is None else lane]


def agree(graph: Graph, roots: list[int], values: dict[str, float], *, mirrored: bool) -> Duals:
    """Numbers on duals are those of the graph."""
    change = direction(graph, reachable(graph, roots))
    names = {n: str(graph.value[n]) for n in range(len(graph)) if graph.op[n] == "symbol"}
    place = {n: name.partition("[")[0] for n, name in names.items()}
    made = Duals(graph, roots, place, change, mirrored=mirrored)
    wanted = np.array(evaluate(graph, roots, values), float)
    with np.errstate(all="ignore"):
        found = run(
            made.into,
            [made.scalar(root) for root in roots],
            values,
            OnVectors(_NUMPY),
            lambda number: np.asarray(number, float),
        )
    whole = np.isfinite(wanted) & (np.abs(wanted) < 1e12)
    scale = np.abs(wanted[whole]).max(initial=1.0)
    np.testing.assert_allclose(np.array(found, float)[whole], wanted[whole], atol=1e-9 * scale)
    return made


def changed(graph: Graph, ends: list[int], inputs: list[int]) -> list[int]:
    """Ends, changed along amounts of all inputs, and the ends themselves."""
    along = {x: graph.symbol(f"d{graph.value[x]}") for x in inputs}
    return [*ForwardSweep(graph, ends, rotations).beside(along), *ends]


@given(CHOICES, VALUES, VALUES, st.integers(1, 4))
def test_random_expressions(choices, at, along, ends) -> None:
    """Every operation of the graph, components of turned vectors, products and sums of all."""
    graph = Graph()
    nodes = grow(graph, choices)
    angle = nodes[0]
    s, c = graph.unary("sin", angle), graph.unary("cos", angle)
    for x, y in zip(nodes[1:], nodes[::-1], strict=False):
        n, m = (
            graph.sub(graph.mul(c, x), graph.mul(s, y)),
            graph.add(graph.mul(s, x), graph.mul(c, y)),
        )
        nodes += [graph.mul(n, m), graph.add(n, x)]
        if len(nodes) > 200:
            break
    inputs = [graph.symbol(f"x[{k}]") for k in range(INPUTS)]
    assert set(inputs) <= set(range(len(graph)))
    values = {f"x[{k}]": value for k, value in enumerate(at)}
    values |= {f"dx[{k}]": value for k, value in enumerate(along)}
    agree(graph, changed(graph, nodes[-ends:], inputs), values, mirrored=False)


def limbs(graph: Graph, choices: list[tuple[int, ...]], flips: list[bool]) -> list[list[int]]:
    """Left and right values that take the same steps, one adding where the other subtracts, some
    from a trunk and some back to it."""
    x = [graph.symbol(f"x[{k}]") for k in range(INPUTS)]
    trunk = graph.unary("sin", graph.symbol("t"))
    sides = [[x[0], x[1], trunk, graph.constant(0.3)], [x[2], x[3], trunk, graph.constant(-0.7)]]
    for (kind, a, b, _), flip in zip(choices, flips, strict=False):
        made = []
        for side, nodes in enumerate(sides):
            first, second = nodes[a % len(nodes)], nodes[b % len(nodes)]
            turns = graph.unary("cos", first), graph.unary("sin", first)
            add = graph.sub if flip and side else graph.add
            makers: list[Callable[[], int]] = [
                lambda x=first, y=second: graph.mul(x, y),
                lambda x=first, y=second, add=add: add(x, y),
                lambda x=first, y=second, add=add: add(x, graph.mul(y, y)),
                lambda t=turns, y=second, z=nodes[-1], add=add: add(
                    graph.mul(t[0], y), graph.mul(t[1], z)
                ),
                lambda x=first, y=second: graph.div(
                    x, graph.add(graph.mul(y, y), graph.constant(1))
                ),
                lambda x=first, add=add: add(graph.constant(0.4), x),
            ]
            made.append(makers[kind % len(makers)]())
        for nodes, node in zip(sides, made, strict=True):
            nodes.append(node)
        if kind % 7 == 0:
            both = graph.add(*made)
            for nodes in sides:
                nodes.append(both)
    return sides


@given(CHOICES, BITS, VALUES, VALUES)
def test_random_limbs(choices, flips, at, along) -> None:
    """On vectors of four, too."""
    graph = Graph()
    sides = limbs(graph, choices, flips)
    ends = [nodes[-1] for nodes in sides] + [nodes[-2] for nodes in sides]
    inputs = [graph.symbol(f"x[{k}]") for k in range(INPUTS)] + [graph.symbol("t")]
    values = {f"x[{k}]": value for k, value in enumerate(at)} | {"t": 0.4}
    values |= {f"dx[{k}]": value for k, value in enumerate(along)} | {"dt": -0.3}
    roots = changed(graph, ends, inputs)
    agree(graph, roots, values, mirrored=True)
    agree(graph, roots, values, mirrored=False)


def test_limbs_are_side_by_side() -> None:
    """Of those expressions some are vectors of four."""
    graph = Graph()
    choices = [(kind, 3 * kind, kind + 3, 0) for kind in (1, 3, 2, 9, 7, 4, 8, 5, 6, 3, 2, 1, 9, 8)]
    sides = limbs(graph, choices, [k % 3 == 0 for k in range(len(choices))])
    inputs = [graph.symbol(f"x[{k}]") for k in range(INPUTS)]
    roots = changed(graph, [nodes[-1] for nodes in sides], inputs)
    values = {f"{d}x[{k}]": 0.1 * k + 0.3 for k in range(INPUTS) for d in ("", "d")} | {"t": 0.4}
    made = agree(graph, roots, values, mirrored=True)
    assert sum(lanes == 4 for lanes in made.into.vectors.values()) > 20
