"""Checks of the deformable bodies of a model: their places, and their numbers."""

from __future__ import annotations

import math
import warnings
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, cast

import sympy

from eomc.derive.language.errors import ModelError
from eomc.derive.language.near_names import near_names
from eomc.derive.language.scalar import symbols_of
from eomc.derive.language.value import value_of

if TYPE_CHECKING:
    from eomc.derive.bodies.declared_deformable import AtRest, Deformable
    from eomc.derive.joints.joint import Joint
    from eomc.derive.joints.place import DeformedPlace
    from eomc.derive.model.model import Model

__all__ = ["check_deformables"]

_ILL_CONDITIONED = 1e-11


def check_deformables(model: Model, values: Mapping[str, float]) -> None:
    """Raise `ModelError` for a place that is none, or a body that cannot be.

    What a form declares has the right size and means something here; the mass matrix of the
    internal speeds is positive definite at the reference shape.
    """
    for body in model.deformables.values():
        try:
            _check_positive(body, values)
            if body.is_expanded:
                _check_invariants(body, values)
            _check_energies(body, values)
            rest = body.at_rest(values)
            _check_mass(body, rest)
            _check_inertia(rest)
        except ModelError as error:
            raise error.within(f"deformable {body.name!r}", body.source) from None


def check_place(model: Model, joint: Joint) -> None:
    """Raise `ModelError` unless a place of a deformable body is one."""
    if not joint.declaration.rides:
        return
    if joint.parent not in model.deformables:
        known = near_names(joint.parent, model.deformables)
        raise ModelError(
            f"joint {joint.name!r}: kind {joint.kind!r} needs a deformable parent; {known}",
            joint.source,
        )
    if joint.mimic is not None:
        raise ModelError(
            f"joint {joint.name!r}: a body that rides along another follows no joint; leave mimic "
            "out, or let the other joint follow this one",
            joint.source,
        )
    kind, body = cast("DeformedPlace", joint.declaration), model.deformables[joint.parent]
    try:
        station = body.form.read_station(kind.station(joint))
        if body.is_expanded:
            found = body.form.attachment(station, body.symbols)
            _check_station(type(body.given).__name__, found)
    except ModelError as error:
        raise error.within(f"joint {joint.name!r}: at", joint.source) from None


def _check_station(form: str, found: Any) -> None:
    from eomc.derive.bodies.form import Attachment

    if not isinstance(found, Attachment):
        raise ModelError(
            f"attachment of a {form} returns a value of type {type(found).__name__}; return an "
            "Attachment"
        )
    if len(found.displacement) != 3:
        raise ModelError(f"the displacement of a station of a {form} needs 3 entries")
    for axis, _ in found.turns:
        if axis not in ("x", "y", "z"):
            raise ModelError(f"a station of a {form} turns about {axis!r}; valid: 'x', 'y', 'z'")


def _check_positive(body: Deformable, values: Mapping[str, float]) -> None:
    for name, value in body.given.positive:
        if set(symbols_of(value)) <= values.keys():
            number = value_of(value, values)
            if not number > 0:
                raise ModelError(f"{name} is {value} = {number:g}; it must be positive")


def _check_invariants(body: Deformable, values: Mapping[str, float]) -> None:
    names, given = body.form.coordinates, body.invariants
    known = {**values, **_reference(body)}
    _check_scalar(given.mass, "mass of the invariants", known)
    _check_row(given.first, "first of the invariants", 3, known)
    _check_row(given.inertia, "inertia of the invariants", 6, known)
    for word, rows, size in (
        ("linear", given.linear, 3),
        ("angular", given.angular, 3),
        ("internal", given.internal, len(names)),
    ):
        if len(rows) != len(names):
            raise ModelError(
                f"{word} of the invariants has {len(rows)} rows; it needs one for each of the "
                f"{len(names)} coordinates"
            )
        for name, row in zip(names, rows, strict=True):
            _check_row(row, f"{word} of the invariants, row of {name!r}", size, known)


def _check_energies(body: Deformable, values: Mapping[str, float]) -> None:
    """Both are functions of parameters, of the body's own coordinates and, the second, of their
    rates."""
    known = {**values, **_reference(body)}
    _check_scalar(body.strain_energy, "strain_energy", known)
    rates = dict.fromkeys((symbol.name for symbol in body.rates), 0.0)
    _check_scalar(body.dissipation, "dissipation", {**known, **rates})


def _check_row(row: Any, what: str, size: int, known: Mapping[str, float]) -> None:
    if len(row) != size:
        raise ModelError(f"{what}: has {len(row)} entries, needs {size}")
    for entry in row:
        _check_scalar(entry, what, known)


def _check_scalar(value: Any, what: str, known: Mapping[str, float]) -> None:
    if isinstance(value, bool) or not isinstance(value, int | float | sympy.Expr):
        raise ModelError(f"{what}: {type(value).__name__} is neither a number nor an expression")
    for name in symbols_of(value):
        if name not in known:
            raise ModelError(f"{what}: unknown name {name!r}; {near_names(name, known)}")


def _reference(body: Deformable) -> dict[str, float]:
    return dict(zip(body.coordinates, body.form.neutral, strict=True))


def _check_mass(body: Deformable, rest: AtRest) -> None:
    """Leading minors of M by elimination; the first that is not positive names its mode."""
    if rest.mass < 0:
        raise ModelError("its mass is negative")
    rows = [[*row] for row in rest.internal]
    for j, row in enumerate(rows):
        for k in range(j):
            # judged by the diagonal: entries of orthogonal shapes are rounding
            if abs(row[k] - rows[k][j]) > 1e-9 * math.sqrt(abs(row[j] * rows[k][k])):
                raise ModelError(f"M of the internal speeds is not symmetric at ({j}, {k})")
    _check_positive_definite(body, rows)


def _check_positive_definite(body: Deformable, rows: list[list[float]]) -> None:
    """Pivots of the elimination, each by the inertia of its own coordinate."""
    names, size = body.form.coordinates, len(rows)
    own = [rows[j][j] for j in range(size)]
    for j in range(size):
        if own[j] < 0:
            raise ModelError(f"the speed of coordinate {names[j]!r} has a negative inertia")
        if rows[j][j] < -1e-9 * own[j]:
            raise ModelError(
                f"the mass matrix of the modes is not positive at coordinate {names[j]!r}"
            )
        if own[j] == 0:
            continue  # a massless mode may still carry what is attached
        if rows[j][j] < _ILL_CONDITIONED * own[j]:
            warnings.warn(
                f"deformable {body.name!r}: its mass matrix is ill-conditioned, coordinate "
                f"{names[j]!r} moves as those before it to {max(rows[j][j], 0) / own[j]:.0e} of "
                "its inertia, and as many digits are lost; give fewer shapes or orthogonal ones, "
                "such as shapes='clamped-free polynomials'",
                UserWarning,
                stacklevel=5,
            )
            continue
        for i in range(j + 1, size):
            factor = rows[i][j] / rows[j][j]
            for k in range(j, size):
                rows[i][k] -= factor * rows[j][k]


def _check_inertia(rest: AtRest) -> None:
    for axis, moment in zip("xyz", rest.moments, strict=True):
        if moment < 0:
            raise ModelError(f"its moment of inertia about {axis} is negative")
