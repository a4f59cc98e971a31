"""Friction laws of contacts: one file a kind, found by itself."""

from eomc.derive.contacts.friction.friction import FRICTION_LAWS, Friction, Sliding

__all__ = ["FRICTION_LAWS", "Friction", "Sliding"]
