"""Satellites in a central field: a dumbbell, a rigid body, a chain of hinged rods.

The orbit is that of one point of the satellite, in polar coordinates ``orbit_theta``, ``orbit_r``
in the plane z = 0 or in spherical ones; attitudes are measured from the orbital frame, x radial
outward, y horizontal along the motion, z normal to the orbit.
"""

from __future__ import annotations

from collections.abc import Sequence

from eomc.derive.model import Model, ModelError

__all__ = ["EARTH_MU", "EARTH_RADIUS", "dumbbell", "hinged_rods", "rigid_satellite"]

EARTH_MU = 398600.4418e9
"""G M of the Earth [m^3/s^2]."""
EARTH_RADIUS = 6378e3
"""Equatorial radius [m]."""


def dumbbell(
    mass: float = 50.0, half: float = 10.0, *, spatial: bool = False, mu: float = EARTH_MU
) -> Model:
    """Two equal point masses [kg] at +-`half` [m] along x of a massless rod, attracted exactly.

    In the plane its coordinates are orbit_theta, orbit_r and the pitch orbit_psi of the rod from
    the local vertical; in space orbit_longitude, orbit_latitude, orbit_r, then the turns tilt_1
    about z (in plane) and tilt_2 about -y (out of plane).

    >>> dumbbell(spatial=True).coordinates
    ('orbit_longitude', 'orbit_latitude', 'orbit_r', 'tilt_1', 'tilt_2')
    """
    model = Model("dumbbell_in_space" if spatial else "dumbbell", gravity=(0, 0, 0))
    model.body("rod")
    if spatial:
        model.body("frame")
        model.joint("orbit", "orbit_spherical", parent="world", child="frame")
        model.joint(
            "tilt", "universal", parent="frame", child="rod", axis=(0, 0, 1), axis_2=(0, -1, 0)
        )
    else:
        model.joint("orbit", "orbit_planar", parent="world", child="rod")
    for name, x in (("outer", half), ("inner", -half)):
        model.body(name, mass=mass)
        model.joint(name, "fixed", parent="rod", child=name, placement=(x, 0, 0))
    model.central_gravity("earth", mu=mu, expansion="exact")
    return model


def rigid_satellite(
    inertia: Sequence[float] = (40.0, 70.0, 90.0),
    mass: float = 200.0,
    *,
    specified_orbit: bool = False,
    mu: float = EARTH_MU,
) -> Model:
    """A rigid body about its centre of mass: joint ``orbit`` (spherical), then ``attitude``.

    `inertia` [kg m^2] about yaw (radial at rest), roll (horizontal) and pitch (normal) axes.
    Attitude angles turn about z, y, x in this order: pitch, roll, yaw. With `specified_orbit` the
    orbit is polar and prescribed, its motion given to the run.

    >>> rigid_satellite(specified_orbit=True).coordinates
    ('attitude_a1', 'attitude_a2', 'attitude_a3')
    """
    model = Model("rigid_satellite", gravity=(0, 0, 0))
    model.body("frame")
    model.body("satellite", mass=mass, inertia=tuple(inertia))
    kind = "orbit_polar" if specified_orbit else "orbit_spherical"
    model.joint("orbit", kind, parent="world", child="frame")
    model.joint("attitude", "spherical_euler", parent="frame", child="satellite", sequence="zyx")
    model.central_gravity("earth", mu=mu)
    if specified_orbit:
        model.prescribed("orbit")
    return model


def hinged_rods(
    count: int = 4,
    *,
    platform_mass: float = 120e3,
    platform_length: float = 120.0,
    mass: float = 400.0,
    length: float = 10.0,
    about: str = "platform",
    mu: float = EARTH_MU,
) -> Model:
    """A rigid slender platform in orbit with `count` rigid rods in a row on its tip, free hinges.

    All move in the plane of the orbit: orbit_theta, orbit_r, orbit_psi of the platform's centre,
    hinge angles beta1 ... [rad]. Masses [kg], lengths [m]; `about` as of `Model.central_gravity`.
    Reference: Caron, *Dynamics and control of an orbiting flexible space manipulator*, M.A.Sc.
    thesis, Univ. of British Columbia (1996), figure 3-2.

    >>> hinged_rods().coordinates
    ('orbit_theta', 'orbit_r', 'orbit_psi', 'beta1', 'beta2', 'beta3', 'beta4')
    """
    if isinstance(count, bool) or not isinstance(count, int) or count < 0:
        raise ModelError(f"count is {count!r}; give a whole number of rods, at least 0")
    model = Model("hinged_rods", gravity=(0, 0, 0))
    across = platform_mass * platform_length**2 / 12
    model.body("platform", mass=platform_mass, inertia=(0, across, across))
    model.joint("orbit", "orbit_planar", parent="world", child="platform")
    parent, reach = "platform", platform_length / 2
    across = mass * length**2 / 12
    for k in range(1, count + 1):
        model.body(f"rod{k}", mass=mass, com=(length / 2, 0, 0), inertia=(0, across, across))
        model.joint(
            f"beta{k}",
            "revolute",
            parent=parent,
            child=f"rod{k}",
            axis=(0, 0, 1),
            placement=(reach, 0, 0),
        )
        parent, reach = f"rod{k}", length
    model.central_gravity("earth", mu=mu, about=about)
    return model
