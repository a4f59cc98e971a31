"""Shapes of bodies that touch: the kinds of every file in this folder."""

from eomc.derive.contacts.shapes.shape import SHAPES, Shape, Site

__all__ = ["SHAPES", "Shape", "Site"]
