"""A pendulum free to turn about the vertical (thesis, fig. 5.2)."""

from __future__ import annotations

from collections.abc import Sequence

from eomc.derive.model import Model

__all__ = ["rotating_pendulum"]


def rotating_pendulum(inertia: Sequence[float] | None = None) -> Model:
    """Azimuth ``phi`` about the vertical, ``theta`` from the downward vertical [rad].

    A point mass of 10 kg at 0.5 m on a massless rod, g = 9.81 m/s^2. Steady motion at theta needs
    phi'^2 = g / (l cos(theta)).

    Parameters
    ----------
    inertia : (Jx, Jy, Jz), optional
        Central moments of inertia [kg m^2]: x the swing axis, z along the rod. Then
        phi'^2 = m g l / ((m l^2 + Jy - Jz) cos(theta)).
    """
    model = Model("rotating_pendulum", gravity=(0, 0, "-g"))
    for name, value, units in (("m", 10.0, "kg"), ("l", 0.5, "m"), ("g", 9.81, "m/s^2")):
        model.parameter(name, value, units=units, tunable=True)
    model.body("post", mass=0)
    model.joint("phi", "revolute", parent="world", child="post", axis=(0, 0, 1))
    if inertia is None:
        model.body("bob", mass="m", com=(0, 0, "-l"))
    else:
        model.body("bob", mass="m", com=(0, 0, "-l"), inertia=tuple(inertia))
    model.joint("theta", "revolute", parent="post", child="bob", axis=(1, 0, 0))
    return model
