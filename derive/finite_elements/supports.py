"""Supports of a structure: which motions of which nodes are held.

Each support is a set of rows s with s.d = 0. Rows of rigid links join them, and dependent freedoms
are eliminated: d = T d_free.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from scipy.linalg import qr

from eomc.binding.arrays import Array
from eomc.derive.language.errors import ModelError
from eomc.derive.language.near_names import near_names

Freedoms = Sequence[tuple[str, str]]
_TRANSLATIONS = ("ux", "uy", "uz")
_ROTATIONS = ("rx", "ry", "rz")
_WORDS = {"fixed": _TRANSLATIONS + _ROTATIONS, "pinned": _TRANSLATIONS}
_VALID = (
    "'fixed', 'pinned', names of freedoms such as ['uy'], {'normal': vector} that holds the node "
    "against it, or {'along': vector} that lets it roll along this alone"
)
_DEPENDENT = 1e-9


def support_rows(freedoms: Freedoms, nodes: Any, supports: Mapping[str, Any]) -> Array:
    """Rows (count, freedoms) of all supports, by node.

    >>> support_rows([("a", "ux"), ("a", "uy")], ["a"], {"a": {"along": (3, 4)}}).round(12)
    array([[ 0.8, -0.6]])

    Raises `ModelError` naming the node.
    """
    if not isinstance(supports, Mapping):
        raise ModelError("supports: give a mapping of nodes to what is held there")
    rows = [np.zeros((0, len(freedoms)))]
    for node, given in supports.items():
        if node not in nodes:
            raise ModelError(f"support: no node {node!r}; {near_names(str(node), nodes)}")
        has = {kind: i for i, (name, kind) in enumerate(freedoms) if name == node}
        try:
            rows.append(_rows(has, given, len(freedoms)))
        except ModelError as error:
            raise error.within(f"support at node {node!r}", None) from None
    return np.concatenate(rows)


def _rows(has: Mapping[str, int], given: Any, size: int) -> Array:
    if isinstance(given, Mapping):
        return _directed(has, given, size)
    words = _WORDS.get(given) if isinstance(given, str) else given
    if not isinstance(words, list | tuple) or not words:
        raise ModelError(f"{given!r}; give {_VALID}")
    for word in words:
        if word not in _WORDS["fixed"]:
            raise ModelError(f"no freedom {word!r}; {near_names(str(word), _WORDS['fixed'])}")
        if words is given and word not in has:
            raise ModelError(f"it has no freedom {word}; it has {', '.join(has) or 'none'}")
    held = [has[word] for word in words if word in has]
    rows = np.zeros((len(held), size))
    rows[range(len(held)), held] = 1
    return rows


def _directed(has: Mapping[str, int], given: Mapping[str, Any], size: int) -> Array:
    """Rows of a roller: one normal to its plane, or all but one along its line."""
    if len(given) != 1 or next(iter(given)) not in ("normal", "along"):
        raise ModelError(f"{dict(given)!r}; give {_VALID}")
    ((word, vector),) = given.items()
    moving = [name for name in _TRANSLATIONS if name in has]
    try:
        full = np.zeros(3)
        entries = np.asarray(vector, dtype=float)
        full[: len(entries)] = entries
    except (TypeError, ValueError):
        raise ModelError(f"{word} is {vector!r}; give two or three numbers") from None
    direction = full[[_TRANSLATIONS.index(name) for name in moving]]
    length = float(np.linalg.norm(full))
    if not 0 < length < float("inf") or np.linalg.norm(direction) < (1 - 1e-9) * length:
        raise ModelError(f"{word} is {vector!r}; give a vector in which the node can move")
    unit = direction / length
    across = unit[None] if word == "normal" else _across(unit)
    rows = np.zeros((len(across), size))
    rows[:, [has[name] for name in moving]] = across
    return rows


def _across(unit: Array) -> Array:
    """Unit rows normal to a direction, of the plane or of space."""
    if unit.size == 2:
        return np.array([[unit[1], -unit[0]]])
    basis, _ = np.linalg.qr(np.column_stack([unit, np.eye(unit.size)]))
    result: Array = basis[:, 1 : unit.size].T
    return result


def holds(rows: Array, kept: Sequence[int]) -> bool:
    """True if rows d = 0 leave not all of the `kept` freedoms free."""
    others = [i for i in range(rows.shape[1]) if i not in set(kept)]
    return _rank(rows[:, others]) < _rank(rows)


def elimination(rows: Array, kept: Sequence[int]) -> tuple[Array, list[int]]:
    """(T, free): d = T d[free] satisfies rows d = 0; `kept` freedoms stay free.

    >>> elimination(np.array([[1.0, -1.0, 0.0]]), kept=[1])
    (array([[1., 0.],
           [1., 0.],
           [0., 1.]]), [1, 2])

    Raises `ModelError` if the rows hold a freedom that is kept.
    """
    size = rows.shape[1]
    others = [i for i in range(size) if i not in set(kept)]
    rank = _rank(rows)
    if holds(rows, kept):
        raise ModelError("the supports hold an interface node")
    order = qr(rows[:, others], mode="r", pivoting=True)[1]
    dependent = sorted(others[i] for i in order[:rank])
    free = [i for i in range(size) if i not in set(dependent)]
    result = np.zeros((size, len(free)))
    result[free, range(len(free))] = 1
    if rank:
        answer = np.linalg.lstsq(rows[:, dependent], rows[:, free], rcond=None)[0]
        result[dependent] = np.where(np.abs(answer) < 1e-14, 0.0, -answer)
    return result, free


def _rank(rows: Array) -> int:
    return int(np.linalg.matrix_rank(rows, tol=_DEPENDENT)) if rows.size else 0
