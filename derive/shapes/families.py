"""Families of mode shapes by name: how the ends of a beam are held while it deforms."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import sympy

from eomc.derive.model.errors import ModelError
from eomc.derive.model.near_names import near_names
from eomc.derive.model.scalar import scalar
from eomc.derive.shapes.beam_shapes import (
    clamped_clamped,
    clamped_free,
    clamped_pinned,
    free_free,
    pinned_pinned,
)
from eomc.derive.shapes.mode_shape import ModeShape, user_shape
from eomc.derive.shapes.rod_shapes import fixed_fixed_rod, fixed_free_rod, free_free_rod

__all__ = ["BENDING", "ROD", "family_shapes"]

BENDING: dict[str, Callable[[int], ModeShape]] = {
    "clamped-free": clamped_free,
    "tip-mass": clamped_free,
    "free-free": free_free,
    "pinned-pinned": pinned_pinned,
    "clamped-pinned": clamped_pinned,
    "clamped-clamped": clamped_clamped,
}
"""Shapes of bending; "tip-mass" takes the ratio of the tip's mass to the beam's."""

ROD: dict[str, Callable[[int], ModeShape]] = {
    "fixed-free": fixed_free_rod,
    "free-free": free_free_rod,
    "fixed-fixed": fixed_fixed_rod,
}
"""Shapes of stretch and torsion."""

_MOST = 100


def family_shapes(
    family: str | Sequence[Any],
    count: int,
    prefix: str,
    known: dict[str, Callable[[int], ModeShape]],
    ratio: float = 0.0,
) -> tuple[ModeShape, ...]:
    """The first `count` shapes of a family, or the user's own.

    Parameters
    ----------
    family : str or sequence of expressions in s
        A name in `known`, or one expression a mode.
    count : int
        How many modes.
    prefix : str
        Mode j = 1, 2, ... is called prefix + j in messages.
    ratio : float
        Mass at the tip by the mass of the beam, for "tip-mass".

    Raises
    ------
    ModelError
        Naming the mode.

    Examples
    --------
    >>> [shape.name for shape in family_shapes("tip-mass", 2, "y", BENDING, ratio=1.0)]
    ['tip-mass 1', 'tip-mass 2']
    """
    if count > _MOST:
        raise ModelError(f"{count} modes are more than the {_MOST} that are supported")
    if not isinstance(family, str | list | tuple):
        raise ModelError(f"{family!r} is neither a name nor a list of expressions in s")
    if not isinstance(family, str):
        given = tuple(family)
        if len(given) < count:
            raise ModelError(
                f"mode {prefix}{len(given) + 1} has no shape: {len(given)} are given for {count} "
                "modes"
            )
        own = tuple(_own(given[j], f"{prefix}{j + 1}") for j in range(count))
        _check_independent(own, prefix)
        return own
    if family not in known:
        raise ModelError(f"no shapes are called {family!r}; {near_names(family, known)}")
    if family == "tip-mass":
        return tuple(clamped_free(j, ratio) for j in range(1, count + 1))
    return tuple(known[family](j) for j in range(1, count + 1))


def _check_independent(shapes: Sequence[ModeShape], prefix: str) -> None:
    """Refuse a shape that the ones before it make up: its mode would move nothing of its own."""
    s = np.linspace(0.0, 1.0, 16 + 8 * len(shapes))
    done = np.zeros((len(s), 0))
    for j, shape in enumerate(shapes):
        column = shape.derivative(s, 0)
        rest = column - done @ (done.T @ column)
        rest -= done @ (done.T @ rest)
        if np.linalg.norm(rest) < 1e-9 * np.linalg.norm(column):
            raise ModelError(
                f"mode {prefix}{j + 1}: its shape is a combination of the shapes before it"
            )
        done = np.column_stack([done, rest / np.linalg.norm(rest)])


def _own(shape: Any, name: str) -> ModeShape:
    if isinstance(shape, ModeShape):
        return shape
    try:
        return user_shape(sympy.sympify(scalar(shape)), name)
    except ModelError as error:
        raise error.within(f"mode {name}", None) from None
