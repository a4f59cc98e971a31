"""Links of nodes to one node with six freedoms, by which a mesh is held, joined and loaded.

    rigid     u_k = x + theta x d_k            the linked nodes follow the node (RBE2, *RIGID BODY)
    average   (x, theta) = (R^T R)^-1 R^T u    the node follows them best (RBE3, *DISTRIBUTING)

with d_k from the node to the linked node k, and R (3n, 6) the matrix of the first law. The
structure has the new unknowns p, u = T p: of an average T = [R Z] with R^T Z = 0.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.sparse
from scipy.linalg import qr

from eomc.binding.arrays import Array
from eomc.derive.finite_elements.structure import FREEDOMS
from eomc.derive.language.errors import ModelError
from eomc.derive.language.near_names import near_names

Freedoms = Sequence[tuple[str, str]]


@dataclass(frozen=True)
class NodeLink:
    """Nodes that are linked to one.

    Attributes
    ----------
    nodes : sequence of names
    kind : "average" or "rigid"
    at : (3,), optional
        Place of the node [m]; by default the middle of the linked ones.
    """

    nodes: Sequence[str]
    kind: str = "average"
    at: Sequence[float] | None = None


@dataclass(frozen=True)
class LinkedFreedoms:
    """A structure with links: the matrix T of its freedoms (rows) by its new unknowns, their names,
    and the places of nodes and links."""

    transform: scipy.sparse.csr_matrix
    freedoms: tuple[tuple[str, str], ...]
    places: dict[str, Array]


def linked_freedoms(
    places: Mapping[str, Array], freedoms: Freedoms, links: Mapping[str, NodeLink]
) -> LinkedFreedoms:
    """Freedoms that are left of a structure. Raises `ModelError` that names the link.

    >>> corners = {"a": np.zeros(3), "b": np.eye(3)[0], "c": np.eye(3)[1]}
    >>> free = [(n, f) for n in corners for f in ("ux", "uy", "uz")]
    >>> linked_freedoms(corners, free, {"hub": NodeLink("abc", "rigid")}).transform.shape
    (9, 6)
    """
    index = {freedom: row for row, freedom in enumerate(freedoms)}
    owner: dict[int, str] = {}
    everywhere, blocks = dict(places), list[tuple[list[int], Array]]()
    names: list[tuple[str, str]] = []
    for name, link in links.items():
        rows, matrix, at = _block(name, link, places, index)
        for row in rows:
            if row in owner:
                node, _ = freedoms[row]
                raise ModelError(
                    f"link {name!r}: node {node!r} is linked to {owner[row]!r} already"
                )
            owner[row] = name
        everywhere[name] = at
        blocks.append((rows, matrix))
        names += [(name, freedom) for freedom in FREEDOMS]
        names += [(f"{name}:{k}", FREEDOMS[0]) for k in range(matrix.shape[1] - 6)]
    left = [row for row in range(len(freedoms)) if row not in owner]
    names += [freedoms[row] for row in left]
    blocks.append((left, np.zeros((0, 0))))
    return LinkedFreedoms(_assembled(blocks, len(freedoms)), tuple(names), everywhere)


def _block(
    name: str, link: NodeLink, places: Mapping[str, Array], index: Mapping[tuple[str, str], int]
) -> tuple[list[int], Array, Array]:
    """Rows of the linked freedoms, their part of T, and the place of the node."""
    if link.kind not in ("average", "rigid"):
        raise ModelError(f"link {name!r}: kind is {link.kind!r}; valid: 'average', 'rigid'")
    if name in places:
        raise ModelError(f"link {name!r}: a node has this name; choose another")
    for node in link.nodes:
        if node not in places:
            raise ModelError(f"link {name!r}: no node {node!r}; {near_names(node, places)}")
    points = np.array([places[node] for node in link.nodes]).reshape(-1, 3)
    at = points.mean(axis=0) if link.at is None else np.asarray(link.at, dtype=float)
    taken = FREEDOMS if link.kind == "rigid" else FREEDOMS[:3]
    rows, motions = list[int](), list[Array]()
    for node, arm in zip(link.nodes, points - at, strict=True):
        for k, freedom in enumerate(taken):
            row = index.get((node, freedom))
            if row is None and k < 3:
                raise ModelError(f"link {name!r}: node {node!r} has no freedom {freedom!r}")
            if row is not None:
                rows.append(row)
                motions.append(_rigid_motions(arm)[k])
    rigid = np.array(motions).reshape(-1, 6)
    extent = np.linalg.norm(points - points.mean(axis=0), axis=1).max(initial=0.0)
    scaled = rigid / np.array([1.0] * 3 + [extent or 1.0] * 3)
    if len(rows) < 6 or np.linalg.svd(scaled, compute_uv=False)[-1] < 1e-9:
        raise ModelError(f"link {name!r}: its nodes are on a line; give three that are not")
    if link.kind == "rigid":
        return rows, rigid, at
    beside = qr(rigid)[0][:, 6:]
    return rows, np.hstack([rigid, beside]), at


def _rigid_motions(arm: Array) -> Array:
    """Displacement and turn (6, 6) of a point of a rigid body by those of another one, `arm` away:
    u = x + theta x arm."""
    matrix = np.eye(6)
    matrix[:3, 3:] = np.cross(np.eye(3), arm).T
    return matrix


def _assembled(blocks: list[tuple[list[int], Array]], size: int) -> scipy.sparse.csr_matrix:
    """T of its parts; the last are the freedoms that stay."""
    rows, columns, entries, first = list[Any](), list[Any](), list[Array](), 0
    for places, matrix in blocks[:-1]:
        at, k = np.nonzero(matrix)
        rows.append(np.array(places)[at])
        columns.append(first + k)
        entries.append(matrix[at, k])
        first += matrix.shape[1]
    stay = np.array(blocks[-1][0], dtype=int)
    rows.append(stay)
    columns.append(first + np.arange(len(stay)))
    entries.append(np.ones(len(stay)))
    together = (np.concatenate(entries), (np.concatenate(rows), np.concatenate(columns)))
    return scipy.sparse.csr_matrix(together, shape=(size, first + len(stay)))
