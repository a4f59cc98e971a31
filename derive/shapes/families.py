"""Families of mode shapes by name: how the ends of a beam are held while it deforms."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np
import sympy

from eomc.derive.language.errors import ModelError
from eomc.derive.language.near_names import near_names
from eomc.derive.language.scalar import scalar
from eomc.derive.shapes.beam_shapes import (
    clamped_clamped,
    clamped_free,
    clamped_pinned,
    free_free,
    pinned_free,
    pinned_pinned,
)
from eomc.derive.shapes.mode_shape import ModeShape, user_shape
from eomc.derive.shapes.polynomial_shapes import polynomial_shape
from eomc.derive.shapes.rod_shapes import fixed_fixed_rod, fixed_free_rod, free_free_rod


def _polynomials(ends: str, root: int, tip: int, rigid: int = 0) -> Callable[[int], ModeShape]:
    return partial(polynomial_shape, ends, root, tip, rigid)


BENDING: dict[str, Callable[[int], ModeShape]] = {
    "clamped-free": clamped_free,
    "tip-mass": clamped_free,
    "free-free": free_free,
    "pinned-pinned": pinned_pinned,
    "clamped-pinned": clamped_pinned,
    "clamped-clamped": clamped_clamped,
    "pinned-free": pinned_free,
    "hub": pinned_free,
    "clamped-free polynomials": _polynomials("clamped-free polynomial", 2, 0),
    "pinned-free polynomials": _polynomials("pinned-free polynomial", 1, 0, rigid=1),
    "free-free polynomials": _polynomials("free-free polynomial", 0, 0, rigid=2),
    "pinned-pinned polynomials": _polynomials("pinned-pinned polynomial", 1, 1),
    "clamped-pinned polynomials": _polynomials("clamped-pinned polynomial", 2, 1),
    "clamped-clamped polynomials": _polynomials("clamped-clamped polynomial", 2, 2),
}
"""Shapes of bending; "tip-mass" and "hub" take a ratio, of the tip's mass to the beam's and of the
hub's moment of inertia to mass_per_length length^3."""

ROD: dict[str, Callable[[int], ModeShape]] = {
    "fixed-free": fixed_free_rod,
    "free-free": free_free_rod,
    "fixed-fixed": fixed_fixed_rod,
    "fixed-free polynomials": _polynomials("fixed-free polynomial", 1, 0),
    "free-free polynomials": _polynomials("free-free polynomial", 0, 0, rigid=1),
    "fixed-fixed polynomials": _polynomials("fixed-fixed polynomial", 1, 1),
}
"""Shapes of stretch and torsion."""

MOST_MODES = 100
"""Of one direction: beyond, the numbers of higher shapes and the symbols of a model are no use."""


def family_shapes(
    family: str | Sequence[Any],
    count: int,
    prefix: str,
    known: dict[str, Callable[[int], ModeShape]],
    ratios: Mapping[str, float] | None = None,
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
    ratios : float by family
        What the shapes of a loaded beam depend on: for "tip-mass", the mass at the tip by that of
        the beam; for "hub", the hub's moment of inertia by mass_per_length length^3.

    Raises
    ------
    ModelError
        Naming the mode.

    Examples
    --------
    >>> [shape.name for shape in family_shapes("tip-mass", 2, "y", BENDING, {"tip-mass": 1})]
    ['tip-mass 1', 'tip-mass 2']
    """
    if count > MOST_MODES:
        raise ModelError(f"{count} modes are more than the {MOST_MODES} that are supported")
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
    shape: Callable[..., ModeShape] = known[family]
    if ratios and family in ratios:
        shape = partial(shape, ratio=float(ratios[family]))
    return tuple(shape(j) for j in range(1, count + 1))


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
    if isinstance(shape, str) and (shape in BENDING or shape in ROD):
        raise ModelError(f"mode {name}: {shape!r} is a family, which stands alone: not in a list")
    try:
        return user_shape(sympy.sympify(scalar(shape)), name)
    except ModelError as error:
        raise error.within(f"mode {name}", None) from None
