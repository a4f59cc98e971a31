"""The rotation of a node that has none of its own, such as a joint of a truss.

    secant       r_o x u / r_o^2: displacement across the line from the origin of the body's
                 frame to the node, by its length; without torsion about that line
    neighbours   the turn theta that fits theta x d_k to the displacements of the neighbours
                 against the node best, sum over k of (u_k - u - theta x d_k)^2, d_k from the node

Each gives rows W (3, freedoms) with theta = W d.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from eomc.binding.arrays import Array
from eomc.derive.finite_elements.structure import FREEDOMS, Structure
from eomc.derive.language.errors import ModelError
from eomc.derive.language.near_names import near_names


def motion_rows(structure: Structure, node: str, origin: Array, turning: Any) -> Array:
    """Rows (6, freedoms) of displacement and rotation of a node."""
    rows = np.zeros((6, len(structure.freedoms)))
    has = structure.indices(node)
    for freedom, index in has.items():
        rows[FREEDOMS.index(freedom), index] = 1
    kind = turning.get(node) if isinstance(turning, Mapping) else turning
    if kind is not None and not {"rx", "ry", "rz"} & set(has):
        if kind not in _KINDS:
            raise ModelError(f"turning is {kind!r}; {near_names(str(kind), _KINDS)}")
        try:
            rows[3:] = _KINDS[kind](structure, node, origin)
        except ModelError as error:
            raise error.within(f"rotation of node {node!r}", None) from None
    return rows


def _displacement(structure: Structure, node: str) -> Array:
    rows = np.zeros((3, len(structure.freedoms)))
    for freedom, index in structure.indices(node).items():
        if freedom[0] == "u":
            rows[FREEDOMS.index(freedom), index] = 1
    return rows


def _secant(structure: Structure, node: str, origin: Array) -> Array:
    arm = structure.nodes[node] - origin
    square = float(arm @ arm)
    if square == 0:
        return np.zeros((3, len(structure.freedoms)))  # at the origin it does not turn
    result: Array = _cross(arm) @ _displacement(structure, node) / square
    return result


def _neighbours(structure: Structure, node: str, origin: Array) -> Array:
    own = _displacement(structure, node)
    weight, moment = np.zeros((3, 3)), np.zeros_like(own)
    for other in structure.neighbours(node):
        cross = _cross(structure.nodes[other] - structure.nodes[node])
        weight += cross.T @ cross
        moment += cross @ (_displacement(structure, other) - own)
    if not np.any(weight):
        raise ModelError("it has no neighbour")
    held = [2] if structure.planar else [0, 1, 2]
    result = np.zeros_like(own)
    result[held] = np.linalg.pinv(weight[np.ix_(held, held)], rcond=1e-9) @ moment[held]
    return result


def _cross(a: Array) -> Array:
    return np.array([[0, -a[2], a[1]], [a[2], 0, -a[0]], [-a[1], a[0], 0]])


_KINDS: dict[str, Callable[[Structure, str, Array], Array]] = {
    "secant": _secant,
    "neighbours": _neighbours,
}
