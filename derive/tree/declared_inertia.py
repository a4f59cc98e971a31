"""Inertia of a declared rigid body."""

from __future__ import annotations

from eomc.derive.bodies.mass_properties import MassProperties
from eomc.derive.geometry import Inertia, Symmetric, Vector
from eomc.derive.tree.scalars import Scalars


def declared_inertia(body: MassProperties, scalars: Scalars) -> Inertia:
    """Mass, first and second moment in body axes about the origin of the body's frame."""
    mass = scalars(body.mass)
    entries = Symmetric(*(scalars(entry) for entry in body.inertia))
    center = scalars.vector(body.com)
    if body.inertia_about == "com":
        return Inertia.of_body(mass, center, entries)
    about_origin = Inertia.of_body(mass, Vector(*(mass * 0,) * 3), entries)
    return Inertia(mass, center * mass, about_origin.second)
