"""Arguments of a rod, read and checked."""

from __future__ import annotations

from typing import Any

import sympy

from eomc.derive.bodies.beam_arguments import non_negative
from eomc.derive.fields.field import FieldKind
from eomc.derive.language.errors import ModelError
from eomc.derive.language.near_names import near_names
from eomc.derive.language.scalar import Scalar, scalar, vector3
from eomc.derive.rods.properties import PLACE
from eomc.derive.rods.strain_basis import strain_basis, written

COMPONENTS = ("twist", "bend_y", "bend_z", "stretch", "shear_y", "shear_z")


class Strains(FieldKind):
    """Functions of the components of the strain."""

    def schema(self) -> dict[str, Any]:
        """By component a number of functions, or a basis."""
        count = {"type": "integer", "minimum": 0}
        basis = {"if": {"type": "object"}, "then": {"$ref": "#/$defs/basis"}, "else": count}
        components: dict[str, Any] = dict.fromkeys(COMPONENTS, basis)
        found = {"properties": components, "additionalProperties": False}
        return {"type": ["object", "array"], **found}

    def read(self, value: Any, word: str) -> tuple[tuple[str, Any], ...]:
        """Pairs of a component and its basis."""
        return strain_bases(value)

    def upgraded(self, value: Any, renamed: dict[str, str]) -> Any:
        """With `kind` for `basis`."""
        if not isinstance(value, dict):
            return value
        found = dict(value)
        for component, entry in value.items():
            if isinstance(entry, dict) and "basis" in entry:
                renamed["basis"] = "kind"
                found[component] = {{"basis": "kind"}.get(w, w): x for w, x in entry.items()}
        return found


def strain_bases(given: Any) -> tuple[tuple[str, Any], ...]:
    """Bases by component, in the order of `COMPONENTS`, as plain values."""
    try:
        table = dict(given)
    except (TypeError, ValueError):
        raise ModelError(
            "strains: give a table, component = number of functions or { kind = ... }; components "
            f"are {', '.join(COMPONENTS)}"
        ) from None
    found = {}
    for name, entry in table.items():
        if name not in COMPONENTS:
            raise ModelError(f"strains: no component {name!r}; {near_names(str(name), COMPONENTS)}")
        if entry == 0 and not isinstance(entry, bool):
            continue
        try:
            found[name] = written(strain_basis(entry))
        except ModelError as error:
            raise error.within(f"strains: {name}", None) from None
    if not found:
        raise ModelError("strains: a rod without any function is a rigid body; declare one")
    return tuple((name, found[name]) for name in COMPONENTS if name in found)


def section_moments(given: Any) -> tuple[Scalar, Scalar, Scalar]:
    """Inertia of a section about x, y and z; none is negative, and None is zero."""
    if given is None:
        return (0, 0, 0)
    x, y, z = (
        non_negative(entry, "section_inertia") if not varies(entry) else entry
        for entry in vector3(given, "section_inertia")
    )
    return (x, y, z)


def varies(value: Scalar) -> bool:
    """True if the value depends on the place along the rod."""
    return isinstance(value, sympy.Basic) and PLACE in value.free_symbols


def radii(given: Any) -> tuple[Scalar, Scalar]:
    """Along y and z; none is negative."""
    y, z = given if isinstance(given, list | tuple) and len(given) == 2 else (given, given)
    return non_negative(y, "radius"), non_negative(z, "radius")


def couplings(given: Any) -> tuple[tuple[str, str, Scalar], ...]:
    """Triples of two components and the stiffness that couples them."""
    found = []
    for entry in given:
        if not isinstance(entry, list | tuple) or len(entry) != 3:
            raise ModelError(f"coupling: {entry!r} is no (component, component, stiffness)")
        for name in entry[:2]:
            if name not in COMPONENTS:
                raise ModelError(
                    f"coupling: no component {name!r}; {near_names(str(name), COMPONENTS)}"
                )
        found.append((entry[0], entry[1], scalar(entry[2], "coupling")))
    return tuple(found)
