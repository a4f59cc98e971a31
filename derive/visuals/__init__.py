"""Visual shapes of bodies: the kinds of every file in this folder."""

from eomc.derive.visuals.visual_shape import VISUAL_SHAPES, VisualShape

__all__ = ["VISUAL_SHAPES", "VisualShape"]
