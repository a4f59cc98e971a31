"""Surroundings of the bodies: compensated gravity; fluids, which are left out."""

from __future__ import annotations

import numpy as np

from eomc.derive.formats.mjcf.compiled import CompiledDocument
from eomc.derive.language.errors import Source

__all__ = ["declare_surroundings"]


def declare_surroundings(compiled: CompiledDocument) -> None:
    """Gravity compensation as forces."""
    m, model = compiled.m, compiled.model
    gravity = np.array([float(entry) for entry in model.gravity])
    for index in range(1, m.nbody):
        share = float(m.body_gravcomp[index]) * float(m.body_mass[index])
        if share and gravity.any():
            name = compiled.name("body", index)
            model.force(
                compiled.unused(model.forces, f"{name}_gravcomp"),
                at=compiled.point(index, m.body_ipos[index]),
                direction=tuple(map(float, -share * gravity)),
                source=compiled.source("body", index),
            )
    place = Source(compiled.document.file)
    if m.opt.density or m.opt.viscosity:
        compiled.leave_out("the fluid of <option>", place, "no element has it")
