"""Tensegrity manipulators: struts held by cables that are wound on pulleys in swivelling blocks."""

from eomc.systems.tensegrity.single_strut import single_strut

__all__ = ["single_strut"]
