"""Frames that elements name in place of a body."""

from __future__ import annotations

from typing import TYPE_CHECKING

from eomc.derive.elements.frame import Frame

if TYPE_CHECKING:
    from eomc.derive.model.model import Model


def frames_named(model: Model) -> list[Frame]:
    """Declared frames in which points or directions of elements are given."""
    named = {
        body
        for element in model.elements()
        if not isinstance(element, Frame)
        for body in element.bodies()
    }
    return [frame for name, frame in model.frames.items() if name in named]


def frames_as_bodies(model: Model) -> Model:
    """An equal mechanism in which frames that elements name are bodies without mass, each welded at
    the frame's placement; the model itself, where no element names a frame.

    A body is a frame, too: names keep their meaning.
    """
    frames = frames_named(model)
    if not frames:
        return model
    other = model.copy()
    for frame in frames:
        del other.frames[frame.name]
        other.body(frame.name, mass=0)
        other.joint(f"weld of {frame.name}", "fixed", parent=frame.body, child=frame.name,
                    placement=frame.placement)  # fmt: skip
    return other
