"""A planar finger that tendons bend."""

from __future__ import annotations

from eomc.derive.model import Model

__all__ = ["tendon_finger"]


def tendon_finger(flexor: float = 0.1, extensor: float | None = None) -> Model:
    """A clamped rod of length and stiffness one with a tendon parallel to its axis on one side, or
    one on each, at these offsets [m]; inputs of their names are the tensions [N].

    >>> list(tendon_finger(0.1, -0.1).inputs)
    ['flexor', 'extensor']
    """
    model = Model("finger", gravity=(0, 0, 0))
    model.deformable(
        "rod",
        "rod",
        length=1,
        mass_per_length=1,
        EI=1,
        strains={"bend_z": 3},
        points=6,
        order=6,
        reach=4.0,
    )
    model.joint("clamp", "fixed", parent="world", child="rod")
    model.attachment("tip", body="rod", at="tip")
    for name, offset in (("flexor", flexor), ("extensor", extensor)):
        if offset is not None:
            model.input(name, units="N")
            model.tendon(f"tendon_{name}", body="rod", offset=(offset, 0), law=name)
    return model
