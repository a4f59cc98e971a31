"""Arguments of the modes of a beam, read and checked.

A beam deforms in the directions "y" and "z" (bending), "axial" and "torsion". Its modes are called
y1, y2, ..., z1, ..., axial1, ..., torsion1, ...
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import sympy

from eomc.derive.language.errors import ModelError
from eomc.derive.language.near_names import near_names
from eomc.derive.language.scalar import Scalar, is_number, is_zero, scalar, symbols_of
from eomc.derive.language.value import value_of
from eomc.derive.shapes.families import BENDING, MOST_MODES, ROD, family_shapes
from eomc.derive.shapes.mode_shape import ModeShape

DIRECTIONS = ("y", "z", "axial", "torsion")

_ROD_FAMILIES = {
    "free-free": "free-free",
    "pinned-pinned": "fixed-fixed",
    "clamped-pinned": "fixed-fixed",
    "clamped-clamped": "fixed-fixed",
    "free-free polynomials": "free-free polynomials",
    "pinned-pinned polynomials": "fixed-fixed polynomials",
    "clamped-pinned polynomials": "fixed-fixed polynomials",
    "clamped-clamped polynomials": "fixed-fixed polynomials",
    "clamped-free polynomials": "fixed-free polynomials",
    "pinned-free polynomials": "fixed-free polynomials",
}
"""Stretch and torsion that go with a family of bending; fixed-free with the others."""

_LARGEST = 1e50


def entries(value: Any, what: str) -> tuple[Any, ...]:
    """The entries of a list, a tuple or an array.

    >>> entries([1, 2], "modes")
    (1, 2)
    """
    if hasattr(value, "tolist"):
        value = value.tolist()
    if not isinstance(value, list | tuple):
        raise ModelError(f"{what}: give a list, not {_shown(value)}")
    return tuple(value)


def pair(value: Any, what: str) -> tuple[Any, Any]:
    """A sequence of two."""
    if isinstance(value, list | tuple) and len(value) == 2:
        return value[0], value[1]
    raise ModelError(f"{what}: {_shown(value)} is no pair")


def _shown(value: Any) -> str:
    """The user's value as text, cut to 60 characters."""
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."


def table_or_one(value: Any, what: str) -> Any:
    """A scalar or a name as it is; a table, or the pairs of one, as pairs of scalars and tuples."""
    if isinstance(value, Mapping):
        value = tuple(value.items())
    if isinstance(value, str) or not isinstance(value, Sequence):
        return value if isinstance(value, str) else scalar(value, what)
    return tuple((str(name), _plain(entry, what)) for name, entry in (pair(e, what) for e in value))


def own_shapes(value: Any) -> Any:
    """Shapes as a name or a table: expressions alone are along y, and one of them is a list.

    >>> own_shapes("sin(pi*s)"), own_shapes(["s**2", "s**3"])
    ({'y': ('sin(pi*s)',)}, {'y': ('s**2', 's**3')})
    >>> own_shapes({"z": "s**2"}), own_shapes("clamped-free")
    ({'z': ('s**2',)}, 'clamped-free')
    """
    if isinstance(value, Mapping):
        return {name: (entry,) if _is_own(entry) else entry for name, entry in value.items()}
    if _is_own(value):
        return {"y": (value,)}
    is_list = isinstance(value, list | tuple) and any(map(_is_own, value))
    return {"y": tuple(value)} if is_list else value


def _is_own(value: Any) -> bool:
    """True for a shape, or an expression that holds s."""
    if isinstance(value, ModeShape | sympy.Basic):
        return True
    if not isinstance(value, str) or value in BENDING or value in ROD:
        return False
    try:
        return "s" in symbols_of(scalar(value))
    except ModelError:
        return False


def counts_of_shapes(shapes: Any) -> dict[str, int]:
    """Numbers of modes by direction where they are left out: of a table as many as it has."""
    table = dict(shapes) if isinstance(shapes, tuple) else {}
    counts = {name: len(row) if isinstance(row, tuple) else 1 for name, row in table.items()}
    return {name: counts.get(name, 0) for name in DIRECTIONS} if counts else {"y": 1}


def _plain(value: Any, what: str) -> Any:
    if isinstance(value, ModeShape):
        return value
    if isinstance(value, Sequence) and not isinstance(value, str):
        return tuple(_plain(entry, what) for entry in value)
    named = isinstance(value, str) and (value in BENDING or value in ROD)
    return value if named else scalar(value, what)


def station(value: Any, names: Sequence[str]) -> str | Scalar:
    """A name among `names`, or x [m], a number or an expression."""
    if isinstance(value, str) and (value in names or value.isidentifier()):
        if value not in names:
            raise ModelError(
                f"no station {value!r}; give {', '.join(map(repr, names))} or x [m] along the "
                "body, a number or an expression"
            )
        return value
    return scalar(value, "station")


def positive(value: Any, what: str) -> Scalar:
    """A scalar that is no number <= 0."""
    result = scalar(value, what)
    if is_number(result) and not _number(result, what) > 0:
        raise ModelError(f"{what} is {value}; give a positive number or an expression")
    return result


def extent(value: Any, what: str) -> Scalar:
    """A positive length [m], by whose powers energies are divided: no number that has none."""
    result = positive(value, what)
    if is_number(result) and _number(result, what) < 1 / _LARGEST:
        raise ModelError(f"{what} is {value}; give a length from {1 / _LARGEST} or an expression")
    return result


def non_negative(value: Any, what: str) -> Scalar:
    """A scalar that is no number < 0."""
    result = scalar(value, what)
    if is_number(result) and not _number(result, what) >= 0:
        raise ModelError(f"{what} is {value}; give a number >= 0 or an expression")
    return result


def _number(value: Scalar, what: str) -> float:
    """The value of a number whose products are doubles, as l^4 mu has to be."""
    try:
        number = value_of(value)
    except ModelError as error:
        raise error.within(what, None) from None
    if abs(number) > _LARGEST:
        raise ModelError(f"{what} is {number}; give a number to {_LARGEST} or an expression")
    return number


def one_or_pair(value: Any, what: str) -> Any:
    """A positive scalar, or a pair of them."""
    if isinstance(value, list | tuple):
        return tuple(positive(entry, what) for entry in pair(value, what))
    return positive(value, what)


def section_inertia(value: Any, twists: int) -> tuple[Scalar, Scalar, Scalar]:
    """Moments of inertia of sections about x, y, z; the first is needed by modes of torsion."""
    if value is None:
        if twists:
            raise ModelError("mode torsion1 needs section_inertia=(about x, about y, about z)")
        return (0, 0, 0)
    given = entries(value, "section_inertia")
    if len(given) != 3:
        raise ModelError(f"section_inertia has {len(given)} entries, needs 3")
    x, y, z = (non_negative(entry, "section_inertia") for entry in given)
    if twists and is_zero(x):
        raise ModelError("mode torsion1 needs section_inertia about x > 0")
    return (x, y, z)


def mode_counts(modes: Any, directions: Sequence[str] = DIRECTIONS) -> dict[str, int]:
    """Modes in each direction from (ny, nz, ...) or {"y": ny, ...}."""
    if isinstance(modes, Mapping):
        for name in modes:
            if name not in directions:
                raise ModelError(f"modes: {near_names(str(name), directions)}")
        given = [modes.get(name, 0) for name in directions]
    else:
        counts = (modes,) if isinstance(modes, int) else entries(modes, "modes")
        if len(counts) > len(directions):
            raise ModelError(f"modes: {len(counts)} counts for {', '.join(directions)}")
        given = [*counts, *(0,) * (len(directions) - len(counts))]
    for name, count in zip(directions, given, strict=True):
        whole = isinstance(count, int) and not isinstance(count, bool)
        if not whole or not 0 <= count <= MOST_MODES:
            raise ModelError(
                f"modes: {_shown(count)} modes of {name}; give a whole number, 0 to {MOST_MODES}"
            )
    return dict(zip(directions, given, strict=True))


def mode_shapes(
    shapes: Any, counts: Mapping[str, int], tip_mass_ratio: Any = 0.0, hub_inertia_ratio: Any = 0.0
) -> dict[str, tuple[ModeShape, ...]]:
    """Shapes of each direction, from a family for all or {"y": family or expressions, ...}."""
    ratios = {
        "tip-mass": _ratio(tip_mass_ratio, "tip_mass_ratio"),
        "hub": _ratio(hub_inertia_ratio, "hub_inertia_ratio"),
    }
    if not isinstance(shapes, str | Mapping | tuple):
        raise ModelError(f"shapes: give a name or a table by direction, not {_shown(shapes)}")
    table = {} if isinstance(shapes, str) else dict(shapes)
    for name in table:
        if name not in counts:
            raise ModelError(f"shapes: {near_names(str(name), counts)}")
    result = {}
    for direction, count in counts.items():
        bending = direction in ("y", "z")
        family = table.get(direction)
        if family is None:
            family = shapes if isinstance(shapes, str) else "clamped-free"
            if not bending:
                family = _ROD_FAMILIES.get(family, "fixed-free")
        try:
            result[direction] = family_shapes(
                family, count, direction, BENDING if bending else ROD, ratios
            )
        except ModelError as error:
            raise error.within(f"shapes of {direction}", None) from None
    return result


def _ratio(value: Any, what: str) -> float:
    ratio = scalar(value, what)
    if not is_number(ratio) or not _number(ratio, what) >= 0:
        raise ModelError(f"{what} is {value}; give a number >= 0")
    return float(ratio)


def shape_of(shapes: Mapping[str, Sequence[ModeShape]], mode: str) -> ModeShape:
    """The shape of the mode of a coordinate name."""
    known = {f"{name}{j + 1}": shape for name, row in shapes.items() for j, shape in enumerate(row)}
    if mode not in known:
        raise ModelError(f"no mode {mode!r}; {near_names(mode, known)}")
    return known[mode]


def damping_ratios(damping: Any, counts: Mapping[str, int]) -> dict[str, tuple[Scalar, ...]]:
    """Modal damping ratios of each direction, from one for all or a table by direction or mode.

    >>> damping_ratios({"y": 0.01, "y2": 0.05}, {"y": 2, "z": 1})
    {'y': (0.01, 0.05), 'z': (0,)}
    """
    modes = {name: [f"{name}{j + 1}" for j in range(count)] for name, count in counts.items()}
    if isinstance(damping, str) or not isinstance(damping, Sequence | Mapping):
        ratio = non_negative(damping, "damping")
        return {name: (ratio,) * count for name, count in counts.items()}
    known = [*counts, *(mode for names in modes.values() for mode in names)]
    table = {}
    for name, value in dict(damping).items():
        if name not in known:
            raise ModelError(f"damping of {name!r}: no such mode; {near_names(str(name), known)}")
        table[name] = non_negative(value, f"damping of {name}")
    return {
        name: tuple(table.get(mode, table.get(name, 0)) for mode in modes[name]) for name in counts
    }
