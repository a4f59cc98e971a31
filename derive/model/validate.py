"""Checks of a whole model: its structure, its names, its numbers at the default parameters."""

from __future__ import annotations

import math
import warnings
from typing import TYPE_CHECKING, Any

import numpy as np

from eomc.derive.bodies.mass_properties import INERTIA_POLICIES, MassProperties
from eomc.derive.elements.element import Element
from eomc.derive.joints.joint import Joint
from eomc.derive.language.errors import ModelError
from eomc.derive.language.value import value_of
from eomc.derive.model.asked_joints import check_cuts
from eomc.derive.model.attached_check import check_attached
from eomc.derive.model.declared_scalars import Scalars, argument_of, scope_of
from eomc.derive.model.deformable_check import check_deformables, check_place
from eomc.derive.model.names_check import check_names
from eomc.derive.model.plausible import warn_of_model
from eomc.derive.model.singularity import check_inertia_of_coordinates, singular
from eomc.derive.placement.placement import Placement, check_rotation

if TYPE_CHECKING:
    from eomc.derive.model.model import Model

__all__ = ["INERTIA_TOLERANCE", "check_inertia", "validated"]

#: Principal moments may miss the conditions on inertias by this part of the largest one: files give
#: three or four digits, and the moments of thin bodies lie on the border.
INERTIA_TOLERANCE = 1e-3

#: Radius of gyration [m] below which a body is a point.
_POINT = 1e-6


def validated(model: Model, *, inertia: str = "error") -> None:
    """Check `model`; `inertia` says what an impossible inertia is: "error", "warn" or "ignore".

    Raises `ModelError` for the first breach found.
    """
    if inertia not in INERTIA_POLICIES:
        raise ModelError(f"inertia is {inertia!r}; valid: 'error', 'warn', 'ignore'")
    for joint in model.tree():
        if joint.mimic is not None:
            model.mimic_target(joint.name)
        check_place(model, joint)
    check_names(model)
    check_cuts(model)
    values, found = model.defaults(), model.snapshot().scalars
    for word, table in model.tables().items():
        for name, element in table.items():
            try:
                _check_numbers(element, found[word, name], values)
                check_attached(model, element)
                if isinstance(element, MassProperties):
                    _check_body(element, values, inertia)
                elif isinstance(element, Joint):
                    _check_joint(element, values)
                elif isinstance(element, Element):
                    element.check_in(model, values)
            except ModelError as error:
                raise error.within(f"{word} {element.name!r}", element.source) from None
    for entry in model.gravity:
        try:
            value_of(entry, values)
        except ModelError as error:
            raise error.within(f"model {model.name!r}: gravity", model.source) from None
    if model.deformables:
        check_deformables(model, values)
    elif model.inertia == "error":
        check_inertia_of_coordinates(model.snapshot().reduced, values)
    elif model.inertia == "warn" and inertia != "ignore":
        _warn_of_singular(model, values)
    if inertia != "ignore":
        warn_of_model(model)


def _warn_of_singular(model: Model, values: dict[str, float]) -> None:
    error = singular(model.snapshot().reduced, values)
    if error is not None:
        text = f"{error}; until then forward dynamics is refused, the rest is built"
        warnings.warn(text, UserWarning, stacklevel=4)


def _check_numbers(element: Any, found: Scalars, values: dict[str, float]) -> None:
    """Every scalar in parameters alone has a finite value at their defaults."""
    for field, value, names in found:
        if isinstance(value, int | float) or (scope := scope_of(element, field)).moves:
            continue
        if {"t", *scope.own} & set(names):
            continue  # a length that changes with time, or an expression in names of its own
        try:
            value_of(value, values)
        except ModelError as error:
            raise error.within(argument_of(element, field, value), None) from None
    for field in ("placement", "child_placement"):
        place = getattr(element, field, None)
        if isinstance(place, Placement):
            try:
                _check_placement(place, values)
            except ModelError as error:
                raise error.within(field, None) from None


def _check_placement(place: Placement, values: dict[str, float]) -> None:
    if place.quaternion is not None:
        entries = [value_of(entry, values) for entry in place.quaternion]
        if not 1e-100 < math.hypot(*entries) < 1e100:
            raise ModelError("quaternion has zero length; give (w, x, y, z) of a rotation")
    if place.rotation is not None:
        first, second, third = (
            (value_of(a, values), value_of(b, values), value_of(c, values))
            for a, b, c in place.rotation
        )
        check_rotation((first, second, third))


def _check_body(body: MassProperties, values: dict[str, float], inertia: str) -> None:
    mass = value_of(body.mass, values)
    if mass < 0:
        raise ModelError(f"mass is {mass:g}; give a mass of at least 0")
    if inertia == "ignore":
        return
    try:
        check_inertia(tuple(value_of(entry, values) for entry in body.inertia_com), mass)
    except ModelError as error:
        if inertia == "error":
            raise ModelError(f"{error.message}; inertia='warn' or 'ignore' accepts it") from None
        place = f"{body.source}: " if body.source else ""
        warnings.warn(f"{place}body {body.name!r}: {error.message}", UserWarning, stacklevel=4)


def check_inertia(inertia: tuple[float, ...], mass: float = 0.0) -> None:
    """Raise `ModelError` unless the inertia about a centre of mass is that of some body.

    Its principal moments must be at least 0 and none larger than the sum of the other two, within
    `INERTIA_TOLERANCE` of the largest. A body whose radii of gyration are below a micrometre is a
    point; the rest of its inertia is rounding.
    """
    xx, yy, zz, xy, xz, yz = inertia
    largest = max(abs(entry) for entry in inertia)
    if largest <= _POINT**2 * mass:
        return
    matrix = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]) / largest
    a, b, c = (float(moment) for moment in np.linalg.eigvalsh(matrix))
    shown = ", ".join(f"{moment * largest:.4g}" for moment in (a, b, c))
    size = max(abs(a), abs(c))
    if a < -INERTIA_TOLERANCE * size:
        raise ModelError(f"inertia is not positive semidefinite: principal moments {shown} kg m^2")
    if a + b < c - INERTIA_TOLERANCE * size:
        raise ModelError(
            f"inertia violates the triangle inequality: principal moments {shown} kg m^2; "
            "none may exceed the sum of the other two"
        )


def _check_joint(joint: Joint, values: dict[str, float]) -> None:
    for word in ("axis", "axis_2"):
        axis = getattr(joint, word)
        if axis is not None and not any(value_of(entry, values) for entry in axis):
            raise ModelError(f"{word} has zero length; give a nonzero 3-vector")
    for entry in joint.friction:
        if value_of(entry, values) < 0:
            raise ModelError("friction is negative; give a force or torque of at least 0")
    if value_of(joint.friction_speed, values) <= 0:
        raise ModelError("friction_speed is not positive; give a small speed such as 1e-3")
    if value_of(joint.rotor_inertia, values) < 0:
        raise ModelError("rotor_inertia is negative; give kg m^2 of at least 0")
    for word in ("velocity_limit", "effort_limit"):
        for entry in getattr(joint, word) or ():
            if value_of_limit(entry, values) < 0:
                raise ModelError(f"{word} is negative; give a limit of at least 0")
    for low, high in zip(joint.lower or (), joint.upper or (), strict=False):
        if value_of_limit(low, values) > value_of_limit(high, values):
            raise ModelError(f"lower limit {low} is above upper limit {high}; swap them")
    if joint.locked is not None and (parts := joint.declaration.quaternion(joint.locked)):
        quaternion = [value_of(entry, values) for entry in parts]
        if not 1e-100 < math.hypot(*quaternion) < 1e100:
            raise ModelError("locked: quaternion has zero length; give (w, x, y, z) of a rotation")


def value_of_limit(entry: Any, values: dict[str, float]) -> float:
    """Value of a limit, which may be infinite."""
    return entry if isinstance(entry, float) else value_of(entry, values)
