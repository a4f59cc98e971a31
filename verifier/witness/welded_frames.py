"""Frames that elements name in place of a body, read as bodies."""

from __future__ import annotations

from eomc.derive.model import Model


def with_welded_frames(model: Model) -> Model:
    """An equal mechanism in which each such frame is a body without mass, welded at the frame's
    placement; the model itself, where no element names a frame.

    The derivation takes elements over to the bodies instead. A body is a frame, too: names keep
    their meaning.
    """
    named = {body for element in model.elements() for body in element.bodies()}
    frames = [frame for name, frame in model.frames.items() if name in named]
    if not frames:
        return model
    other = model.copy()
    for frame in frames:
        del other.frames[frame.name]
        other.body(frame.name, mass=0)
        other.joint(
            f"weld of {frame.name}",
            "fixed",
            parent=frame.body,
            child=frame.name,
            placement=frame.placement,
        )
    return other
