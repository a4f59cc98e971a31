"""Test of a model for mass that moves."""

from __future__ import annotations

from eomc.derive.language.naming import WORLD
from eomc.derive.language.value import value_of
from eomc.derive.model.model import Model


def has_moving_mass(model: Model) -> bool:
    """True if a body that is not welded to the world has mass at the parameters' defaults.

    Without any there is no centre of mass: a flywheel may have inertia alone.
    """
    ground = {WORLD}
    for joint in model.tree():
        is_fixed = model.resolved(joint.name).is_fixed and joint.child not in model.deformables
        if joint.parent in ground and is_fixed:
            ground.add(joint.child)
    values = model.defaults()
    bodies = (body for name, body in model.bodies.items() if name not in ground)
    return bool(model.deformables) or any(value_of(body.mass, values) != 0 for body in bodies)
