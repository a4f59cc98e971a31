"""Rigid bodies: mass, centre of mass, inertia."""

from __future__ import annotations

from dataclasses import field
from typing import Any, TypeAlias

import sympy

from eomc.derive.fields.field import (
    SCALAR,
    FieldKind,
    Fields,
    choice,
    number,
    of_kind,
    position,
    record,
    rows_of,
)
from eomc.derive.language.errors import ModelError, Source
from eomc.derive.language.scalar import Scalar, Vector3, is_number, is_zero, vector

INERTIA_POLICIES = ("error", "warn", "ignore")
"""Answers of the checks to an inertia that no body can have."""

#: (ixx, iyy, izz, ixy, ixz, iyz): entries of the symmetric matrix, products with their sign in it.
Inertia: TypeAlias = tuple[Scalar, Scalar, Scalar, Scalar, Scalar, Scalar]

#: Entries of a symmetric matrix that differ by less than this part of the largest are rounding.
_ROUNDING = 1e-9


class _InertiaEntries(FieldKind):
    def schema(self) -> dict[str, Any]:
        """3, 6 or 3 x 3 scalars."""
        matrix = rows_of(rows_of(SCALAR, 3), 3)
        return {"anyOf": [rows_of(SCALAR, 3), rows_of(SCALAR, 6), matrix]}

    def read(self, value: Any, word: str) -> Inertia:
        """Six entries."""
        return inertia_entries(value)


@record
class MassProperties(Fields):
    """A rigid body in its own frame.

    mass [kg]; com: centre of mass (3,) [m] in body axes; inertia [kg m^2] in body axes about the
    point that `inertia_about` says ("com" or "origin"), (ixx, iyy, izz, ixy, ixz, iyz) with ixy the
    matrix entry, that is minus the integral of x y dm. A body with mass 0 and no inertia is
    massless.
    """

    name: str
    mass: Scalar = number("kg", default=0)
    com: Vector3 = position("m", "centre of mass, in body axes", default=(0, 0, 0))
    inertia: Inertia = of_kind(
        _InertiaEntries(
            "(ixx, iyy, izz[, ixy, ixz, iyz]) or a symmetric matrix, body axes", "kg m^2"
        ),
        default=(0, 0, 0, 0, 0, 0),
    )
    inertia_about: str = choice("com", "origin", default="com")
    source: Source | None = field(default=None, compare=False, repr=False)

    def __post_init__(self) -> None:
        self.read_fields()

    @property
    def is_massless(self) -> bool:
        """True if mass and inertia are structurally zero."""
        return is_zero(self.mass) and all(is_zero(entry) for entry in self.inertia)

    @property
    def first_moment(self) -> Vector3:
        """mass * com, (3,) [kg m] in body axes."""
        return tuple(  # type: ignore[return-value]
            0 if is_zero(self.mass) or is_zero(c) else self.mass * c for c in self.com
        )

    @property
    def inertia_com(self) -> Inertia:
        """Inertia about the centre of mass, body axes."""
        return self.inertia if self.inertia_about == "com" else steiner(self, -1)

    @property
    def inertia_origin(self) -> Inertia:
        """Inertia about the origin of the body frame, body axes: I_C + m (c.c 1 - c c^T)."""
        return self.inertia if self.inertia_about == "origin" else steiner(self, 1)


def steiner(body: MassProperties, sign: int) -> Inertia:
    """body.inertia +- m (c.c 1 - c c^T); structural zeros stay whole zeros."""
    x, y, z = body.com
    m = body.mass

    def moment(*terms: tuple[Scalar, Scalar]) -> Scalar:
        kept = [a * b for a, b in terms if not (is_zero(a) or is_zero(b))]
        return m * sum(kept[1:], kept[0]) if kept and not is_zero(m) else 0

    shift = (
        moment((y, y), (z, z)),
        moment((x, x), (z, z)),
        moment((x, x), (y, y)),
        moment((-x, y)),
        moment((-x, z)),
        moment((-y, z)),
    )
    return tuple(  # type: ignore[return-value]
        entry if is_zero(extra) else (sign * extra if is_zero(entry) else entry + sign * extra)
        for entry, extra in zip(body.inertia, shift, strict=True)
    )


def inertia_entries(value: Any) -> Inertia:
    """Six entries from a scalar 0, 3 moments, 6 entries or a symmetric 3x3 matrix."""
    if isinstance(value, sympy.MatrixBase):
        value = value.tolist()
    if isinstance(value, str) or not hasattr(value, "__len__"):
        raise ModelError(
            "inertia: give (ixx, iyy, izz), (ixx, iyy, izz, ixy, ixz, iyz) or a 3x3 matrix"
        )
    rows = list(value)
    if len(rows) == 3 and all(hasattr(row, "__len__") and not isinstance(row, str) for row in rows):
        matrix = [vector(row, 3, "inertia") for row in rows]
        sizes = [abs(entry) for row in matrix for entry in row if is_number(entry)]
        largest = max(map(float, sizes), default=0.0)
        entries = [matrix[k][k] for k in range(3)]
        for i, j in ((0, 1), (0, 2), (1, 2)):
            entries.append(_mean(matrix[i][j], matrix[j][i], largest))
            if entries[-1] is None:
                raise ModelError(
                    f"inertia: the matrix is not symmetric at row {i + 1}, column {j + 1}: "
                    f"{matrix[i][j]} and {matrix[j][i]}"
                )
    elif len(rows) == 3:
        entries = [*vector(rows, 3, "inertia"), 0, 0, 0]
    elif len(rows) == 6:
        entries = list(vector(rows, 6, "inertia"))
    else:
        raise ModelError(f"inertia: has {len(rows)} entries, needs 3, 6 or a 3x3 matrix")
    xx, yy, zz, xy, xz, yz = entries
    return (xx, yy, zz, xy, xz, yz)


def _mean(above: Scalar, below: Scalar, largest: float) -> Scalar | None:
    """Entry of a symmetric matrix, two of which rounding may have left apart; None if it is not."""
    if above == below:
        return above
    if is_number(above) and is_number(below):
        near = abs(float(above) - float(below)) <= _ROUNDING * largest
        return (float(above) + float(below)) / 2 if near else None
    terms = sympy.expand(above).as_coefficients_dict()
    apart = sympy.expand(above - below).as_coefficients_dict()
    size = max(abs(number) for number in terms.values())
    return above if all(abs(number) <= _ROUNDING * size for number in apart.values()) else None
