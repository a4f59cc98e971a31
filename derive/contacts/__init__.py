"""Contacts: shapes that meet surfaces, normal laws, friction."""

from eomc.derive.contacts.friction import Friction, Sliding, friction_law
from eomc.derive.contacts.normal_laws import NormalForce, NormalLaw, normal_law
from eomc.derive.contacts.normal_laws.penetration import Depth
from eomc.derive.contacts.shapes import Shape, Site, shape
from eomc.derive.contacts.surfaces import Surface, Touch, surface

__all__ = [
    "Depth",
    "Friction",
    "NormalForce",
    "NormalLaw",
    "Shape",
    "Site",
    "Sliding",
    "Surface",
    "Touch",
    "friction_law",
    "normal_law",
    "shape",
    "surface",
]
