"""Checks of the deformable bodies of a model: their places, and their numbers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import sympy

from eomc.derive.bodies.form import Attachment
from eomc.derive.model.errors import ModelError
from eomc.derive.model.expression_value import value_of
from eomc.derive.model.near_names import near_names
from eomc.derive.model.scalar import symbols_of

if TYPE_CHECKING:
    from eomc.derive.model.deformable import Deformable
    from eomc.derive.model.joint import Joint
    from eomc.derive.model.model import Model

__all__ = ["check_deformables"]

_PLACES = ("attachment", "track")


def check_deformables(model: Model, values: Mapping[str, float]) -> None:
    """Raise `ModelError` for a place that is none, or a body that cannot be.

    What a form declares has the right size and means something here; the mass matrix of the
    internal speeds is positive definite at the reference shape.
    """
    for body in model.deformables.values():
        try:
            _check_positive(body, values)
            _check_invariants(body, values)
            _check_energies(body, values)
            _check_mass(body, dict(values))
            _check_inertia(body, dict(values))
        except ModelError as error:
            raise error.within(f"deformable {body.name!r}", body.source) from None


def check_place(model: Model, joint: Joint) -> None:
    """Raise `ModelError` unless a place of a deformable body is one."""
    if joint.kind not in _PLACES:
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
    body = model.deformables[joint.parent]
    station = sympy.Symbol(joint.coordinates[0]) if joint.kind == "track" else joint.at
    try:
        _check_station(type(body.given).__name__, body.form.attachment(station, body.symbols))
    except ModelError as error:
        raise error.within(f"joint {joint.name!r}: at", joint.source) from None


def _check_station(form: str, found: Any) -> None:
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


def _check_mass(body: Deformable, values: dict[str, float]) -> None:
    """Leading minors of M by elimination; the first that is not positive names its mode."""
    invariants = body.invariants
    values.update(_reference(body))
    if value_of(invariants.mass, values) < 0:
        raise ModelError("its mass is negative")
    rows = [[value_of(entry, values) for entry in row] for row in invariants.internal]
    for j, row in enumerate(rows):
        for k in range(j):
            if abs(row[k] - rows[k][j]) > 1e-9 * (abs(row[k]) + abs(rows[k][j])):
                raise ModelError(f"M of the internal speeds is not symmetric at ({j}, {k})")
    size = len(rows)
    for j in range(size):
        if rows[j][j] < 0:
            raise ModelError(
                f"the speed of coordinate {body.form.coordinates[j]!r} has a negative inertia"
            )
        if rows[j][j] == 0:
            continue  # a massless mode may still carry what is attached
        for i in range(j + 1, size):
            factor = rows[i][j] / rows[j][j]
            for k in range(j, size):
                rows[i][k] -= factor * rows[j][k]
            if rows[i][i] < -1e-9 * abs(rows[j][j]):
                raise ModelError(
                    f"the mass matrix of the modes is not positive at coordinate "
                    f"{body.form.coordinates[i]!r}"
                )


def _check_inertia(body: Deformable, values: dict[str, float]) -> None:
    values.update(_reference(body))
    for axis, moment in zip("xyz", body.invariants.inertia[:3], strict=True):
        if value_of(moment, values) < 0:
            raise ModelError(f"its moment of inertia about {axis} is negative")
