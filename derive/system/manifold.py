"""The configuration manifold of a tree: rates, steps, differences, the reference configuration."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from eomc.derive.dynamics.kinematics import KinematicState
from eomc.derive.graph import Expression
from eomc.derive.tree.link import LinkCoordinate, LinkTree, TreeLink


def directions(tree: LinkTree, state: KinematicState) -> list[dict[int, int]]:
    """Columns of G(q): the rates of the coordinates (node -> node) at unit speed."""
    columns: list[dict[int, int]] = [{} for _ in range(tree.nu)]
    one, zero = tree.zero + 1, tree.zero
    for link in tree.links:
        q = state.coordinates(link)
        for k, speed in enumerate(_places(link.speeds)):
            if speed is None:
                continue
            unit = [one if i == k else zero for i in range(len(link.speeds))]
            for place, rate in zip(_q_index(link), link.motion.rates(q, unit), strict=True):
                if place is not None and not rate.is_zero:
                    columns[speed][state.q[place].node] = rate.node
    return columns


def coordinate_rates(tree: LinkTree, state: KinematicState) -> list[Expression]:
    """q' = G(q) u"""
    return _by_link(
        [tree.zero] * tree.nq,
        tree,
        lambda k: k.motion.rates(state.coordinates(k), state.speeds(k)),
        _q_index,
    )


def integrated(
    tree: LinkTree, q: Sequence[Expression], du: Sequence[Expression]
) -> list[Expression]:
    """Coordinates reached from q by the tangent displacement du, quaternions at unit length."""
    return _by_link(
        q,
        tree,
        lambda k: k.motion.integrate(_pick(tree, q, _q_index(k)), _pick(tree, du, _u_index(k))),
        _q_index,
    )


def displacement(
    tree: LinkTree, q0: Sequence[Expression], q1: Sequence[Expression]
) -> list[Expression]:
    """Tangent displacement that leads from q0 to q1, rotations of at most half a turn."""
    return _by_link(
        [tree.zero] * tree.nu,
        tree,
        lambda k: k.motion.difference(*(_pick(tree, q, _q_index(k)) for q in (q0, q1))),
        _u_index,
    )


def normalized(tree: LinkTree, q: Sequence[Expression]) -> list[Expression]:
    """q with its quaternions brought to unit length."""
    return _by_link(q, tree, lambda k: k.motion.normalize(_pick(tree, q, _q_index(k))), _q_index)


def neutral_values(tree: LinkTree) -> list[float]:
    """Coordinates of the reference configuration."""
    values = [0.0] * tree.nq
    for link in tree.links:
        for place, value in zip(_q_index(link), link.motion.neutral(), strict=True):
            if place is not None:
                values[place] = value
    return values


def _by_link(
    start: Sequence[Expression],
    tree: LinkTree,
    of_link: Callable[[TreeLink], Sequence[Expression]],
    index: Callable[[TreeLink], list[int | None]],
) -> list[Expression]:
    """`start` with what each link says of the entries that it owns."""
    result = list(start)
    for link in tree.links:
        places = index(link)
        if places.count(None) < len(places):
            for place, value in zip(places, of_link(link), strict=True):
                if place is not None:
                    result[place] = value
    return result


def _places(references: Sequence[LinkCoordinate]) -> list[int | None]:
    """Places in the array; None of what the link does not own: mimicked, prescribed, followed."""
    return [
        None if c.prescribed or c.follows or c.factor is not None else c.index for c in references
    ]


def _q_index(link: TreeLink) -> list[int | None]:
    return _places(link.coordinates)


def _u_index(link: TreeLink) -> list[int | None]:
    return _places(link.speeds)


def _pick(
    tree: LinkTree, array: Sequence[Expression], places: Sequence[int | None]
) -> list[Expression]:
    """Entries of a link; 0 for those that it does not own."""
    return [tree.zero if place is None else array[place] for place in places]
