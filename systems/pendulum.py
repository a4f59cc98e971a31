"""Pendulums of n links in a row, in a plane or in space.

The planar one is the standard example of multibody dynamics, with its closed form for n = 1, 2;
the spatial one, links hung on revolute joints about alternating horizontal axes, is the standard
chain of benchmarks. All links are alike. Coordinates are joint angles, each link's against the one
before, zero with all links hanging straight down (-z).
"""

from __future__ import annotations

from eomc.derive.model import Model, ModelError, Placement

__all__ = ["planar_pendulum", "spatial_pendulum"]


def planar_pendulum(
    n: int,
    *,
    mass: float = 1.0,
    length: float = 1.0,
    gravity: float = 9.81,
    damping: float = 0.0,
    rods: bool = False,
    tunable: bool = False,
) -> Model:
    """n links in the x-z plane, turning about y.

    Parameters
    ----------
    n : number of links, at least 1
    mass : of each link [kg], parameter ``m``
    length : of each link [m], parameter ``l``
    gravity : [m/s^2], along -z, parameter ``g``
    damping : viscous, in each joint [N m s]
    rods : uniform slender rods instead of massless ones with a point mass at the tip
    tunable : keep m, l and g adjustable in the compiled model

    Coordinates ``q1`` ... ``qn`` [rad], links ``link1`` ... ``linkn``, frame ``tip`` at the end.

    Examples
    --------
    >>> import eomc
    >>> eomc.equations(planar_pendulum(1)).mass_matrix.to_sympy()
    Matrix([[l**2*m]])
    """
    _check(n)
    model = Model(f"planar_pendulum_{n}", gravity=(0, 0, "-g"))
    for name, value, units in (("m", mass, "kg"), ("l", length, "m"), ("g", gravity, "m/s^2")):
        model.parameter(name, value, units=units, tunable=tunable)
    for k in range(1, n + 1):
        if rods:
            # The link's own axis carries nothing that this motion could see.
            model.body(
                f"link{k}", mass="m", com=(0, 0, "-l/2"), inertia=("m*l**2/12", "m*l**2/12", 0)
            )
        else:
            model.body(f"link{k}", mass="m", com=(0, 0, "-l"))
        _hang(model, k, (0, 1, 0), damping)
    model.frame("tip", body=f"link{n}", placement=Placement(xyz=(0, 0, "-l")))
    return model


def spatial_pendulum(
    n: int,
    *,
    mass: float = 1.0,
    length: float = 1.0,
    radius: float = 0.1,
    gravity: float = 9.81,
    damping: float = 0.0,
    tunable: bool = False,
) -> Model:
    """n solid cylinders in space, turning about x and y in turn (the first about x).

    Parameters are those of `planar_pendulum`; `radius` is the cylinders' [m], parameter ``r``.

    Examples
    --------
    >>> spatial_pendulum(3).coordinates
    ('q1', 'q2', 'q3')
    """
    _check(n)
    model = Model(f"spatial_pendulum_{n}", gravity=(0, 0, "-g"))
    for name, value, units in (
        ("m", mass, "kg"),
        ("l", length, "m"),
        ("r", radius, "m"),
        ("g", gravity, "m/s^2"),
    ):
        model.parameter(name, value, units=units, tunable=tunable)
    across, along = "m*(3*r**2 + l**2)/12", "m*r**2/2"
    for k in range(1, n + 1):
        model.body(f"link{k}", mass="m", com=(0, 0, "-l/2"), inertia=(across, across, along))
        _hang(model, k, (1, 0, 0) if k % 2 else (0, 1, 0), damping)
    model.frame("tip", body=f"link{n}", placement=Placement(xyz=(0, 0, "-l")))
    return model


def _check(n: int) -> None:
    if isinstance(n, bool) or not isinstance(n, int) or n < 1:
        raise ModelError(f"n is {n!r}; a pendulum has a whole number of links, at least 1")


def _hang(model: Model, k: int, axis: tuple[int, int, int], damping: float) -> None:
    """Hang link k on the tip of the link before it, or on the world."""
    model.joint(
        f"q{k}",
        "revolute",
        parent=f"link{k - 1}" if k > 1 else "world",
        child=f"link{k}",
        axis=axis,
        placement=Placement(xyz=(0, 0, "-l")) if k > 1 else None,
        damping=damping,
    )
