"""Physical data of the platform and its units (Caron 1996, sec. 4.2 and 4.5)."""

from __future__ import annotations

from dataclasses import dataclass

MU = 398600.4418e9
"""Gravitational parameter of the Earth [m^3/s^2]."""

EARTH_RADIUS = 6378e3
"""[m]"""

ALTITUDE = 400e3
"""Of the circular orbit [m]."""


@dataclass(frozen=True)
class ManipulatorUnit:
    """A slewing and a deployable link, the joint at their base. SI units.

    stiffness of the joint [N m/rad]; the actuator is a point mass with a rotor.
    """

    joint_mass: float
    rotor_inertia: float
    joint_stiffness: float
    slewing_mass: float
    deployable_mass: float
    slewing_length: float
    deployable_length: float
    slewing_EI: float
    deployable_EI: float

    @property
    def mass(self) -> float:
        """Of both links [kg]."""
        return self.slewing_mass + self.deployable_mass

    @property
    def length(self) -> float:
        """Reference length, between retracted and extended [m]."""
        return (self.slewing_length + self.deployable_length) * 2 / 3


@dataclass(frozen=True)
class BeamPlatform:
    """A free-free beam; the manipulator rides at a height `offset` above its axis."""

    mass: float
    length: float
    EI: float
    offset: float


PLATFORM = BeamPlatform(mass=120e3, length=120.0, EI=5.5e8, offset=1.5)

LARGE = ManipulatorUnit(
    joint_mass=20.0,
    rotor_inertia=10.0,
    joint_stiffness=1.0e4,
    slewing_mass=200.0,
    deployable_mass=200.0,
    slewing_length=7.5,
    deployable_length=7.5,
    slewing_EI=5.5e5,
    deployable_EI=5.5e5,
)
"""Units of manipulators with one or two of them."""

SMALL = ManipulatorUnit(
    joint_mass=5.0,
    rotor_inertia=2.5,
    joint_stiffness=1.0e3,
    slewing_mass=50.0,
    deployable_mass=50.0,
    slewing_length=2.5,
    deployable_length=2.5,
    slewing_EI=1.0e4,
    deployable_EI=1.0e4,
)
"""Units of manipulators with three or more."""
