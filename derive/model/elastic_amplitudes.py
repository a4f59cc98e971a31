"""Internal coordinates of deformable bodies that vanish where these are not deformed."""

from __future__ import annotations

from eomc.derive.model.model import Model


def elastic_amplitudes(model: Model) -> tuple[str, ...]:
    """Names of those that move freely: amplitudes of modes, not a deployed length.

    >>> from eomc.derive.bodies import Beam
    >>> model = Model("arm")
    >>> model.deformable("boom", Beam(length=1, mass_per_length=1, EI=1))
    >>> model.joint("hinge", "revolute", parent="world", child="boom", axis=(0, 0, 1))
    >>> elastic_amplitudes(model)
    ('boom_y1',)
    """
    return tuple(
        name
        for body in model.deformables.values()
        for name, neutral in zip(body.coordinates, body.form.neutral, strict=True)
        if not neutral and name in model.speeds
    )
