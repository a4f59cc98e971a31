"""Checks of the deformable bodies of a model: their places, and their numbers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import sympy

from eomc.derive.model.errors import ModelError
from eomc.derive.model.expression_value import value_of
from eomc.derive.model.near_names import near_names

if TYPE_CHECKING:
    from eomc.derive.model.deformable import Deformable
    from eomc.derive.model.joint import Joint
    from eomc.derive.model.model import Model

__all__ = ["check_deformables"]

_PLACES = ("attachment", "track")


def check_deformables(model: Model, values: Mapping[str, float]) -> None:
    """Raise `ModelError` for a place that is none, or a body that cannot be.

    Every attachment names a station of a deformable parent; the mass matrix of the internal speeds
    is positive definite at the reference shape.
    """
    for body in model.deformables.values():
        try:
            _check_mass(body, dict(values))
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
        body.form.attachment(station, body.symbols)
    except ModelError as error:
        raise error.within(f"joint {joint.name!r}: at", joint.source) from None


def _check_mass(body: Deformable, values: dict[str, float]) -> None:
    """Leading minors of M by elimination; the first that is not positive names its mode."""
    symbols = body.symbols
    invariants = body.invariants
    values.update(
        (symbol.name, value) for symbol, value in zip(symbols, body.form.neutral, strict=True)
    )
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
