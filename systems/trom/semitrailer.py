"""A tractor semitrailer with five axles: nineteen coordinates (thesis, fig. 5.3).

The thesis prints topology, coordinates and eigenvalues, but no data. Masses, dimensions, springs
and tyres here are round figures of such vehicles as published; where the truck rides and how its
axles hop is of the thesis's kind, single eigenvalues are not comparable.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from typing import Any

import sympy as sp

from eomc.derive.model import Model, Placement, Point

__all__ = ["FORWARD", "semitrailer"]

FORWARD = 22.352
"""Forward speed of the steady turn [m/s]: 50 miles per hour."""

_HEIGHT, _TRAILER_HEIGHT, _FIFTH_WHEEL_HEIGHT = 1.0, 1.9, 1.2
_HITCH = -3.2
_TRAILER_CENTER = -6.0
_RADIUS = 0.5


@dataclass(frozen=True)
class Rubber:
    """Tyres of one side: their number, vertical stiffness and damping [N/m, N s/m], height without
    load [m]."""

    wheels: int
    stiffness: float
    damping: float
    free_height: float


@dataclass(frozen=True)
class Axle:
    """An axle on springs: place along the unit that carries it, halves of spring track and tyre
    track [m], mass, stiffness and damping a side, roll stiffness, and its tyres' data."""

    name: str
    unit: str
    place: float
    mass: float
    inertia: float
    stiffness: float
    damping: float
    roll_stiffness: float
    tyre: Rubber
    track: float = 0.95
    spring_track: float = 0.45


def _tyre(wheels: int, load: float) -> Rubber:
    """Tyres of one side under their static load [N]: the contact point at rest is at z = 0."""
    stiffness = 0.9e6 * wheels
    return Rubber(wheels, stiffness, 1.0e3 * wheels, load / stiffness)


AXLES = (
    Axle("front", "tractor", 1.1, 540.0, 440.0, 0.20e6, 6.0e3, 50e3, _tyre(1, 26e3)),
    Axle("drive1", "tractor", -2.55, 1040.0, 560.0, 0.55e6, 14.0e3, 300e3, _tyre(2, 40e3)),
    Axle("drive2", "tractor", -3.85, 1040.0, 560.0, 0.55e6, 14.0e3, 300e3, _tyre(2, 40e3)),
    Axle("trailer1", "trailer", -11.2, 800.0, 600.0, 0.60e6, 14.0e3, 300e3, _tyre(2, 42e3)),
    Axle("trailer2", "trailer", -12.5, 800.0, 600.0, 0.60e6, 14.0e3, 300e3, _tyre(2, 42e3)),
)
"""Front, two drive, two trailer axles; a trailer's place is measured from the fifth wheel."""


_LINEAR: Mapping[str, Any] = {"kind": "linear", "cornering": 5.7}


def semitrailer(
    slip: Mapping[str, Any] = _LINEAR,
    *,
    relaxation_length: float = 0.0,
    rough: bool = False,
    single: Collection[str] = (),
) -> Model:
    """The vehicle on the road, with an angle ``steer`` [rad] of the front wheels and a force
    ``drive`` [N] along the tractor as inputs.

    slip : slip law of each tyre; a nominal load in it is doubled for twin tyres
    relaxation_length : of the tyres [m]
    rough : inputs ``<axle>_road`` [m] and ``<axle>_road_rate`` [m/s] under both sides of an axle
    single : axles with single tyres instead of twin ones

    Coordinates: tractor ``tractor_x``, ``_y``, ``_z`` and its angles ``_a1`` (yaw), ``_a2``
    (pitch), ``_a3`` (roll), each about the axes turned before; relative angles ``hitch_a1``,
    ``_a2``, ``_a3`` of the trailer, in the same order; then heave ``<axle>_z`` and roll
    ``<axle>_roll`` of each axle relative to the unit that carries it, zero at static ride height.
    """
    model = Model("semitrailer", gravity=(0, 0, -9.81))
    steer, drive = model.input("steer", units="rad"), model.input("drive", units="N")
    model.body("tractor", mass=6500.0, com=(0, 0, 0), inertia=(3500.0, 24e3, 24e3))
    model.body(
        "trailer",
        mass=27000.0,
        com=(_TRAILER_CENTER, 0, _TRAILER_HEIGHT - _FIFTH_WHEEL_HEIGHT),
        inertia=(35e3, 320e3, 320e3),
    )
    model.joint("tractor", "floating_euler", parent="world", child="tractor", sequence="zyx")
    model.joint(
        "hitch",
        "spherical_euler",
        parent="tractor",
        child="trailer",
        sequence="zyx",
        placement=Placement(xyz=(_HITCH, 0, _FIFTH_WHEEL_HEIGHT - _HEIGHT)),
    )
    # The fifth wheel is stiff in roll; friction on its plate damps yaw a little.
    model.joint_spring("fifth_wheel", joint="hitch_a3", stiffness=1.0e6, damping=1.0e4)
    for axle in AXLES:
        if axle.name in single:
            load = axle.tyre.stiffness * axle.tyre.free_height
            axle = replace(axle, tyre=_tyre(1, load))
        _add_axle(model, axle)
        heading = steer if axle.name == "front" else sp.Integer(0)
        _add_tyres(model, axle, heading, slip, relaxation_length, rough)
    model.force(
        "drive", at=Point("tractor", (0, 0, 0)), direction=(1, 0, 0), frame="body", magnitude=drive
    )
    return model


def _add_axle(model: Model, axle: Axle) -> None:
    """Heave and roll on springs and dampers; zero force at zero heave is the weight's share."""
    heave, roll = f"{axle.name}_z", f"{axle.name}_roll"
    height = _HEIGHT if axle.unit == "tractor" else _FIFTH_WHEEL_HEIGHT
    model.body(f"{axle.name}_carrier", mass=0)
    model.body(f"{axle.name}_axle", mass=axle.mass, inertia=(axle.inertia, 50.0, axle.inertia))
    model.joint(
        heave,
        "prismatic",
        parent=axle.unit,
        child=f"{axle.name}_carrier",
        axis=(0, 0, 1),
        placement=Placement(xyz=(axle.place, 0, _RADIUS - height)),
    )
    model.joint(
        roll, "revolute", parent=f"{axle.name}_carrier", child=f"{axle.name}_axle", axis=(1, 0, 0)
    )
    # The static load of both sides, less the axle's own weight, rests in the springs.
    load = 2 * axle.tyre.stiffness * axle.tyre.free_height - 9.81 * axle.mass
    sides = axle.spring_track**2
    model.joint_spring(
        f"{axle.name}_ride",
        joint=heave,
        stiffness=2 * axle.stiffness,
        damping=2 * axle.damping,
        free_angle=-load / (2 * axle.stiffness),
    )
    model.joint_spring(
        f"{axle.name}_bar",
        joint=roll,
        stiffness=2 * axle.stiffness * sides + axle.roll_stiffness,
        damping=2 * axle.damping * sides,
    )


def _add_tyres(
    model: Model,
    axle: Axle,
    steer: sp.Expr,
    slip: Mapping[str, Any],
    relaxation_length: float,
    rough: bool,
) -> None:
    rubber, road = axle.tyre, {}
    normal = {"kind": "kelvin_voigt", "stiffness": rubber.stiffness, "damping": rubber.damping}
    if "nominal_load" in slip:
        slip = {**slip, "nominal_load": rubber.wheels * slip["nominal_load"]}
    if rough:
        road["road"] = model.input(f"{axle.name}_road", units="m")
        road["road_rate"] = model.input(f"{axle.name}_road_rate", units="m/s")
    for side, offset in (("left", axle.track), ("right", -axle.track)):
        model.tyre(
            f"{axle.name}_{side}",
            at=Point(f"{axle.name}_axle", (0, offset, -_RADIUS)),
            normal=normal,
            slip=slip,
            free_height=rubber.free_height,
            direction=(sp.cos(steer), sp.sin(steer), 0),
            relaxation_length=relaxation_length,
            **road,
        )
