"""The manipulator as a model: a beam in orbit, and telescopic beams on flexible joints.

Names, with i = 2, 3, ... the number of a body (the platform is body 1):

    orbit_theta, orbit_r, orbit_psi   true anomaly, radius, pitch from the local vertical
    platform_y1, ...                  modes of the platform
    d2                                station of the mobile base on the platform
    alpha<i>, alpha<i>_twist          rotor angle and joint deformation beta of unit i
    unit<i>_y1, ..., unit<i>_length   modes and length of unit i

The rotor turns against the body before it, which its own slope has turned already. Reference:
Caron 1996, ch. 2.
"""

from __future__ import annotations

from dataclasses import dataclass

from eomc.derive.bodies.beam import Beam
from eomc.derive.bodies.telescopic_beam import TelescopicBeam
from eomc.derive.model import Model
from eomc.systems.flexible_manipulator.data import (
    ALTITUDE,
    EARTH_RADIUS,
    LARGE,
    MU,
    PLATFORM,
    BeamPlatform,
    ManipulatorUnit,
)


@dataclass(frozen=True)
class FlexibleManipulator:
    """Composition of a manipulator: bodies, modes, free coordinates, gravity.

    Attributes
    ----------
    units : int
        Number of units; N - 1 of the thesis.
    payload : float
        Point mass at the tip of the last unit [kg].
    modes : int
        Bending modes of each flexible body.
    flexible_platform, flexible_units : bool
        Rigid bodies have no modal coordinates.
    tip_mass_shapes : bool
        Shapes of a beam with all that it carries as a tip mass; else those of a bare one.
    free : names
        Of the specified coordinates d2, alpha<i>, unit<i>_length those that are free.
    gravity : bool
        Attraction by the Earth; without it the platform floats freely.
    about : str
        Body about whose origin the field is expanded to second order; "body" for each its own.
    damping : float
        Modal damping ratio of the units.
    extra_inertia : float
        Of each unit about its joint [kg m^2], beyond that of its links as lines.
    """

    units: int
    payload: float
    unit: ManipulatorUnit = LARGE
    platform: BeamPlatform = PLATFORM
    modes: int = 1
    flexible_platform: bool = True
    flexible_units: bool = True
    tip_mass_shapes: bool = True
    free: tuple[str, ...] = ()
    gravity: bool = True
    about: str = "platform"
    damping: float = 0.0
    extra_inertia: float = 0.0

    @property
    def numbers(self) -> range:
        """2, 3, ...: the numbers of the units."""
        return range(2, 2 + self.units)

    @property
    def specified(self) -> tuple[str, ...]:
        """Coordinates whose motion is given, unless free."""
        names = ["d2"]
        for i in self.numbers:
            names += [f"alpha{i}", f"unit{i}_length"]
        return tuple(name for name in names if name not in self.free)

    def model(self) -> Model:
        """The declaration."""
        model = Model("flexible_manipulator", gravity=(0, 0, 0))
        self._add_platform(model)
        model.body("base")
        offset = (0, self.platform.offset, 0)
        model.joint("d2", "track", parent="platform", child="base", placement=offset)
        parent = "base"
        for i in self.numbers:
            parent = self._add_unit(model, i, parent)
        if self.gravity:
            model.central_gravity("earth", mu=MU, expansion="second_order", about=self.about)
            model.initial_guess("orbit_r", EARTH_RADIUS + ALTITUDE)
        for name in self.specified:
            model.prescribed(name)
        return model

    def _add_platform(self, model: Model) -> None:
        data = self.platform
        beam = Beam(
            length=data.length,
            mass_per_length=data.mass / data.length,
            EI=data.EI,
            modes=(self.modes if self.flexible_platform else 0, 0),
            shapes="free-free",
            origin="middle",
        )
        model.deformable("platform", beam)
        model.joint("orbit", "orbit_planar", parent="world", child="platform")

    def _add_unit(self, model: Model, i: int, parent: str) -> str:
        """Joint and links of unit i; returns the body at its tip."""
        data = self.unit
        outboard = self.payload + data.mass * (self.numbers[-1] - i)
        is_last = i == self.numbers[-1]
        beam = TelescopicBeam(
            data.slewing_length,
            data.slewing_mass,
            data.deployable_length,
            data.deployable_mass,
            EI=(data.slewing_EI, data.deployable_EI),
            length=data.length,
            modes=(self.modes if self.flexible_units else 0, 0),
            shapes="tip-mass" if self.tip_mass_shapes else "clamped-free",
            tip_mass_ratio=outboard / data.mass if self.tip_mass_shapes else 0.0,
            payload=self.payload if is_last else 0.0,
            damping=self.damping,
        )
        extra = self.extra_inertia
        model.body(f"unit{i}", inertia=(extra / 2, extra / 2, extra))
        model.deformable(f"unit{i}", beam)
        model.flexible_joint(
            f"alpha{i}",
            parent=parent,
            child=f"unit{i}",
            axis=(0, 0, 1),
            stiffness=data.joint_stiffness,
            rotor_mass=data.joint_mass,
            rotor_inertia=data.rotor_inertia,
        )
        model.attachment(f"tip{i}", body=f"unit{i}", at="tip")
        return f"tip{i}"
