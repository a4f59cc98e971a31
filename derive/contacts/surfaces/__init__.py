"""Surfaces that shapes touch: one file a kind, found by itself."""

from eomc.derive.contacts.surfaces.surface import SURFACES, Surface, Touch

__all__ = ["SURFACES", "Surface", "Touch"]
