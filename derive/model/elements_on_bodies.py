"""Elements that are given in declared frames, taken over to the bodies of these."""

from __future__ import annotations

from eomc.derive.elements.carrier import Carrier
from eomc.derive.language.naming import WORLD
from eomc.derive.model.merge import carry_elements
from eomc.derive.model.model import Model
from eomc.derive.placement.placement import Placement


def elements_on_bodies(model: Model) -> Model:
    """An equal model whose elements name bodies alone, points and directions in the axes of these;
    the model itself, where no element names a frame."""
    named = {body for element in model.elements() for body in element.bodies()}
    if named.isdisjoint(model.frames):
        return model
    places = {name: (name, Placement()) for name in (WORLD, *model.bodies)}
    places |= {frame.name: (frame.body, frame.placement) for frame in model.frames.values()}
    other = model.copy()
    carry_elements(other, Carrier(places, {}))
    return other
