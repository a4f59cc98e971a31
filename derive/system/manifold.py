"""The configuration manifold of a tree: rates, steps, differences, the reference configuration."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from eomc.derive.dynamics.kinematics import State
from eomc.derive.graph import Expression
from eomc.derive.tree.link import Link, Tree


def directions(tree: Tree, state: State) -> list[dict[int, int]]:
    """Columns of G(q): the rates of the coordinates (node -> node) at unit speed."""
    columns: list[dict[int, int]] = [{} for _ in range(tree.nu)]
    one, zero = tree.zero + 1, tree.zero
    for link in tree.links:
        if not link.owns_coordinates:
            continue
        q = state.coordinates(link)
        for k, speed in enumerate(link.speeds):
            unit = [one if i == k else zero for i in range(len(link.speeds))]
            rates = link.motion.rates(q, unit)
            for coordinate, rate in zip(link.coordinates, rates, strict=True):
                if not rate.is_zero:
                    columns[speed.index][state.q[coordinate.index].node] = rate.node
    return columns


def coordinate_rates(tree: Tree, state: State) -> list[Expression]:
    """q' = G(q) u"""
    rates = [tree.zero] * tree.nq
    for link in tree.links:
        if not link.owns_coordinates:
            continue
        link_rates = link.motion.rates(state.coordinates(link), state.speeds(link))
        for coordinate, rate in zip(link.coordinates, link_rates, strict=True):
            rates[coordinate.index] = rate
    return rates


def integrated(tree: Tree, q: Sequence[Expression], du: Sequence[Expression]) -> list[Expression]:
    """Coordinates reached from q by the tangent displacement du; quaternions keep their length."""
    return _by_link(
        tree,
        tree.nq,
        lambda k: k.motion.integrate(_pick(q, _q_index(k)), _pick(du, _u_index(k))),
        _q_index,
    )


def displacement(
    tree: Tree, q0: Sequence[Expression], q1: Sequence[Expression]
) -> list[Expression]:
    """Tangent displacement that leads from q0 to q1, rotations of at most half a turn."""
    return _by_link(
        tree,
        tree.nu,
        lambda k: k.motion.difference(_pick(q0, _q_index(k)), _pick(q1, _q_index(k))),
        _u_index,
    )


def normalized(tree: Tree, q: Sequence[Expression]) -> list[Expression]:
    """q with its quaternions brought to unit length."""
    return _by_link(tree, tree.nq, lambda k: k.motion.normalize(_pick(q, _q_index(k))), _q_index)


def neutral_values(tree: Tree) -> list[float]:
    """Coordinates of the reference configuration."""
    values = [0.0] * tree.nq
    for link in _owners(tree):
        for place, value in zip(_q_index(link), link.motion.neutral(), strict=True):
            values[place] = value
    return values


def _owners(tree: Tree) -> Iterator[Link]:
    return (link for link in tree.links if link.owns_coordinates)


def _by_link(
    tree: Tree,
    size: int,
    of_link: Callable[[Link], Sequence[Expression]],
    index: Callable[[Link], Sequence[int]],
) -> list[Expression]:
    result = [tree.zero] * size
    for link in _owners(tree):
        for place, value in zip(index(link), of_link(link), strict=True):
            result[place] = value
    return result


def _q_index(link: Link) -> list[int]:
    return [c.index for c in link.coordinates]


def _u_index(link: Link) -> list[int]:
    return [c.index for c in link.speeds]


def _pick(array: Sequence[Expression], places: Sequence[int]) -> list[Expression]:
    return [array[place] for place in places]
