"""Compiled systems that several cases share, built once."""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.typing import NDArray

from eomc.building import build
from eomc.runtime.constraints.assembly import assemble
from eomc.runtime.equilibria import Equilibrium, equilibrium, steady_turn
from eomc.runtime.model.compiled import CompiledModel
from eomc.systems.trom import (
    chain,
    circle_particle,
    four_bar,
    mcpherson_strut,
    passenger_car,
    planar_truck,
    rotating_pendulum,
    semitrailer,
    slider_pendulum,
    twist_axle,
)
from eomc.systems.trom.planar_truck import FORWARD, YAW_RATE, Frame
from eomc.systems.trom.semitrailer import FORWARD as TRUCK_FORWARD

Complex = NDArray[np.complex128]

LATERAL = 0.25 * 9.81
"""Centripetal acceleration of the thesis's turn [m/s^2]."""


@cache
def slider(damping: float = 0.0) -> CompiledModel:
    """The slider-pendulum."""
    return build(slider_pendulum(damping))


@cache
def seven() -> CompiledModel:
    """The chain of seven coordinates."""
    return build(chain())


@cache
def seven_at_rest() -> Equilibrium:
    """It hanging still."""
    return equilibrium(seven())


@cache
def conical(rigid: bool = False) -> CompiledModel:
    """The rotating pendulum, with or without moments of inertia."""
    return build(rotating_pendulum((0.2, 0.2, 0.05) if rigid else None))


@cache
def conical_at(rigid: bool = False, angle: float = np.pi / 6) -> Equilibrium:
    """Its steady motion at an angle theta, the rate solved for."""
    return equilibrium(conical(rigid), {"theta": angle}, {"phi": 4.0}, solve_for=["speed(phi)"])


@cache
def truck(frame: Frame) -> CompiledModel:
    """The planar truck."""
    return build(planar_truck(frame))


@cache
def truck_turning(frame: Frame) -> Equilibrium:
    """Its steady turn at given speed and yaw rate; sideslip, steer, hinge and drive solved for."""
    model = truck(frame)
    forward, side, yaw = model.speeds[:3]
    return equilibrium(
        model,
        None,
        {forward: FORWARD, yaw: YAW_RATE},
        acceleration=steady_turn(model, forward, side, yaw) if frame == "inertial" else None,
        solve_for=[f"speed({side})", "steer", "gamma", "drive"],
    )


@cache
def five_axles() -> CompiledModel:
    """The tractor semitrailer."""
    return build(semitrailer())


@cache
def five_axles_turning() -> Equilibrium:
    """Its steady turn: 0.25 g at 50 miles per hour."""
    model = five_axles()
    given = ("tractor_x", "tractor_y", "tractor_a1")
    resting = [name for name in model.coordinates if name not in given]
    straight = equilibrium(model, None, {"tractor_x": TRUCK_FORWARD}, solve_for=[*resting, "drive"])
    return equilibrium(
        model,
        straight.q,
        {"tractor_x": TRUCK_FORWARD, "tractor_a1": LATERAL / TRUCK_FORWARD},
        inputs=straight.inputs,
        acceleration=steady_turn(model, *given),
        solve_for=["speed(tractor_y)", "steer", "drive", *resting],
    )


@cache
def bars(damping: float = 0.0, unequal: bool = False) -> CompiledModel:
    """The four-bar."""
    return build(four_bar(damping=damping, unequal=unequal))


@cache
def circle() -> CompiledModel:
    """The particle on a circle of 2 m."""
    return build(circle_particle(2.0))


@cache
def strut(tyre: bool = True) -> CompiledModel:
    """The McPherson strut without damping."""
    return build(mcpherson_strut(tyre=tyre))


@cache
def axle(tyre: bool = True) -> CompiledModel:
    """The twist axle without damping."""
    return build(twist_axle(tyre=tyre))


@cache
def car() -> CompiledModel:
    """The passenger car."""
    return build(passenger_car())


@cache
def car_at_rest() -> Equilibrium:
    """It standing on its wheels."""
    return equilibrium(car(), assemble(car()).q)
