"""A tractor with semitrailer in the plane, linear tyres: the least model of a steady turn."""

from __future__ import annotations

from typing import Literal

import sympy as sp

from eomc.derive.model import Model, Placement, Point

__all__ = ["FORWARD", "YAW_RATE", "planar_truck"]

FORWARD = 22.352
"""Forward speed of the turn [m/s]: 50 miles per hour."""
YAW_RATE = 0.1097217251
"""Its yaw rate [rad/s]."""
_HITCH, _FRONT, _DRIVE = -2.0, 1.5, -2.5
_TRAILER_CENTER, _TRAILER_AXLE = -6.0, -10.0

Frame = Literal["inertial", "body"]


def planar_truck(frame: Frame = "inertial") -> Model:
    """Tractor in the plane, trailer hinged to it by ``gamma``; nothing moves vertically.

    Tractor 6000 kg, 20 000 kg m^2: front axle 1.5 m ahead of its mass centre, drive axle 2.5 m and
    hitch 2.0 m behind. Trailer 25 000 kg, 250 000 kg m^2: mass centre 6.0 m, axle 10.0 m behind the
    hitch. Lateral tyre force -C alpha with slip alpha = atan(v_y / v_x) of the wheel, C = 250, 800
    and 800 kN/rad (front, drive, trailer). Inputs: ``steer`` [rad], the angle of the front wheels;
    ``drive`` [N], a force along the tractor at its mass centre.

    frame : "inertial" or "body"
        Speeds of the tractor: rates of its inertial place, ``base_x``, ``base_y``, ``base_theta``;
        or velocities along its own axes, ``base_vx``, ``base_vy``, ``base_wz``, in which a steady
        turn has constant coefficients.
    """
    model = Model(f"planar_truck_{frame}", gravity=(0, 0, 0))
    model.body("tractor", mass=6000.0, inertia=(1.0, 20000.0, 20000.0))
    model.body("trailer", mass=25000.0, com=(_TRAILER_CENTER, 0, 0), inertia=(1.0, 250e3, 250e3))
    kind = "planar" if frame == "inertial" else "planar_body"
    model.joint("base", kind, parent="world", child="tractor", axis=(0, 0, 1))
    model.joint(
        "gamma",
        "revolute",
        parent="tractor",
        child="trailer",
        axis=(0, 0, 1),
        placement=Placement(xyz=(_HITCH, 0, 0)),
    )
    steer, drive = model.input("steer", units="rad"), model.input("drive", units="N")
    vx, vy, yaw = _tractor_velocity(frame)
    hinge, gamma = sp.Symbol("speed(gamma)"), sp.Symbol("gamma")
    _tyre(model, "front", "tractor", _FRONT, 250e3, (vx, vy + _FRONT * yaw), steer)
    _tyre(model, "rear", "tractor", _DRIVE, 800e3, (vx, vy + _DRIVE * yaw), 0)
    # Velocity of the hitch in trailer axes, then of the trailer's axle.
    hx, hy = vx, vy + _HITCH * yaw
    c, s = sp.cos(gamma), sp.sin(gamma)
    along, across = c * hx + s * hy, -s * hx + c * hy + _TRAILER_AXLE * (yaw + hinge)
    _tyre(model, "trailer", "trailer", _TRAILER_AXLE, 800e3, (along, across), 0)
    model.force(
        "drive", at=Point("tractor", (0, 0, 0)), direction=(1, 0, 0), frame="body", magnitude=drive
    )
    return model


def _tractor_velocity(frame: Frame) -> tuple[sp.Expr, sp.Expr, sp.Expr]:
    """(v_x, v_y, yaw rate) of the tractor's mass centre along its own axes."""
    if frame == "body":
        vx, vy, yaw = (sp.Symbol(f"speed(base_{name})") for name in ("vx", "vy", "wz"))
        return vx, vy, yaw
    x, y, yaw = (sp.Symbol(f"speed(base_{name})") for name in ("x", "y", "theta"))
    heading = sp.Symbol("base_theta")
    c, s = sp.cos(heading), sp.sin(heading)
    return c * x + s * y, -s * x + c * y, yaw


def _tyre(
    model: Model,
    name: str,
    body: str,
    place: float,
    stiffness: float,
    velocity: tuple[sp.Expr, sp.Expr],
    steer: sp.Expr | float,
) -> None:
    """Lateral force of an axle at `place`, across its wheels; `velocity` in body axes."""
    c, s = sp.cos(steer), sp.sin(steer)
    vx, vy = velocity
    slip = sp.atan((-s * vx + c * vy) / (c * vx + s * vy))
    model.force(
        name,
        at=Point(body, (place, 0, 0)),
        direction=(-s, c, 0),
        frame="body",
        magnitude=-stiffness * slip,
    )
