"""Contacts: shapes that meet surfaces, normal laws, friction."""

from eomc.derive.contacts.friction import Friction, Sliding
from eomc.derive.contacts.normal_laws import NormalForce, NormalLaw
from eomc.derive.contacts.normal_laws.penetration import Depth
from eomc.derive.contacts.shapes import Shape, Site
from eomc.derive.contacts.surfaces import Surface, Touch
from eomc.derive.language.registry import kind

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
    "kind",
]
