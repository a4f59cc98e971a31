"""Visual shapes of bodies: the kinds of every file in this folder."""

from importlib import import_module
from pkgutil import iter_modules

from eomc.derive.visuals.visual import Visual
from eomc.derive.visuals.visual_shape import VISUAL_SHAPES, VisualShape, visual_shape

__all__ = ["VISUAL_SHAPES", "Visual", "VisualShape", "visual_shape"]

for _file in iter_modules(__path__):
    import_module(f"{__name__}.{_file.name}")
