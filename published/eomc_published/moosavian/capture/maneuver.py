"""The plan of a capture: where base, arms and appendages should be at any time.

The base is planned in its own axes at t = 0, as sensors and jets are mounted on it, with constant
acceleration, coasting and constant deceleration along each axis:

    ^0v_f = ^0v_obj(0) + ^0v_0(0)                                  at rest beside the object  (4.1)
    ^0x_f = ^0x_obj(0) + ^0v_f t_f - ^0r                                                     (4.2)
    x_0(t) = x_0(0) + T_0(0) ^0x_0(t)                                                        (4.5)

^0r points along the line from the base at t = 0 to the object at t_f. (4.2) is printed with + ^0r,
which (4.4c) contradicts. The base turns in a shorter time, until an axis of symmetry lies along the
velocity of the object, so that both arms meet it together.

Moosavian 1996, section 4.2.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from eomc.binding.arrays import Array
from eomc.runtime.control.task_space.attitude import quaternion
from eomc.runtime.trajectories import ParabolicBlend, workspace_entry
from eomc.systems.free_flyer.topology import FreeFlyer, Manipulator

Triple = tuple[float, float, float]
Motion = tuple[Array, Array, Array]


@dataclass(frozen=True)
class Capture:
    """A maneuver as data; lengths [m], times [s], angles [deg].

    Attributes
    ----------
    position, attitude : of the base at t = 0; angles (alpha, beta, gamma) of the sequence z-y-x
    velocity, attitude_rate : of the base, in base axes [m/s], and rates of the angles [rad/s]
    home : joint angles, held during the chase
    object_position, object_velocity : relative to the base at t = 0, in base axes
    standoff : length of ^0r
    duration, turning_time : of the base's way, and of its turn
    acceleration, deceleration : a1 and a2 of the base's way [m/s^2]
    turn_acceleration, turn_deceleration : of its turn [rad/s^2]
    reach : length from the shoulder within which an arm reaches
    misalignment : of the last attitude, about the last axis of its sequence
    """

    flyer: FreeFlyer
    position: Triple
    attitude: Triple
    velocity: Triple
    attitude_rate: Triple
    home: tuple[float, ...]
    object_position: Triple
    object_velocity: Triple
    standoff: float
    duration: float
    turning_time: float
    acceleration: float
    deceleration: float
    turn_acceleration: float
    turn_deceleration: float
    reach: float
    misalignment: float = 0.0

    @cached_property
    def start_axes(self) -> Array:
        """T_0(0)"""
        return rotation(np.radians(self.attitude))

    @cached_property
    def meeting_velocity(self) -> Array:
        """^0v_f, the object's velocity in inertial space, in base axes of t = 0."""
        return np.add(self.object_velocity, self.velocity)

    @cached_property
    def approach(self) -> ParabolicBlend:
        """^0x_0(t), of the axes along which the base moves."""
        v_f = self.meeting_velocity
        meeting = np.array(self.object_position) + v_f * self.duration
        x_f = meeting - self.standoff * meeting / np.linalg.norm(meeting)
        n = 2 if self.flyer.planar else 3
        return ParabolicBlend(
            np.zeros(n),
            x_f[:n],
            self.duration,
            self.acceleration,
            self.deceleration,
            start_rate=self.velocity[:n],
            end_rate=v_f[:n],
        )

    @cached_property
    def final_attitude(self) -> Array:
        """(alpha, beta, gamma) at the end [rad]: in the plane the y axis lies along the object's
        velocity, in space the z axis, with gamma as at the start."""
        d = self.start_axes @ self.meeting_velocity
        d = d / np.linalg.norm(d)
        off = np.radians(self.misalignment)
        if self.flyer.planar:
            gamma = np.arctan2(d[1], d[0]) - np.pi / 2
            return np.array([0.0, 0.0, gamma + off])
        gamma = np.radians(self.attitude[2])
        # d = Rot_z(gamma) (sin(beta) cos(alpha), -sin(alpha), cos(beta) cos(alpha))
        x, y, z = rotation(np.array([0.0, 0.0, gamma])).T @ d
        return np.array([-np.arcsin(y), np.arctan2(x, z), gamma + off])

    @cached_property
    def turn(self) -> ParabolicBlend:
        """(alpha, beta, gamma)(t) of the base [rad]."""
        return ParabolicBlend(
            np.radians(self.attitude),
            self.final_attitude,
            self.turning_time,
            self.turn_acceleration,
            self.turn_deceleration,
            start_rate=self.attitude_rate,
        )

    # -- in inertial axes ------------------------------------------------------------------------

    def base_position(self, t: float) -> Motion:
        """x_0(t) with rate and acceleration, (2,) or (3,)."""
        found = self.approach(t)
        n = len(found.position)
        T = self.start_axes[:n, :n]
        return np.add(self.position[:n], T @ found.position), T @ found.rate, T @ found.acceleration

    def base_angles(self, t: float) -> Motion:
        """(alpha, beta, gamma), in the plane (gamma,), with rates and accelerations."""
        rows = slice(2, 3) if self.flyer.planar else slice(None)
        found = self.turn(t)
        return found.position[rows], found.rate[rows], found.acceleration[rows]

    def base_attitude(self, t: float) -> Motion:
        """Quaternion, omega and omega' in the wanted base's axes: omega = S delta'."""
        delta, rate, acceleration = self.turn(t)
        (ca, cb, _), (sa, sb, _) = np.cos(delta), np.sin(delta)
        a, b, _ = rate
        S = np.array([[1, 0, -sb], [0, ca, sa * cb], [0, -sa, ca * cb]])
        S_rate = np.array(
            [
                [0, 0, -cb * b],
                [0, -sa * a, ca * cb * a - sa * sb * b],
                [0, -ca * a, -sa * cb * a - ca * sb * b],
            ]
        )
        return quaternion(rotation(delta)), S @ rate, S @ acceleration + S_rate @ rate

    @cached_property
    def object_start(self) -> Array:
        """Position of the object at t = 0 in inertial axes."""
        return np.asarray(self.position + self.start_axes @ self.object_position)

    @cached_property
    def object_rate(self) -> Array:
        """Velocity of the object in inertial axes."""
        return np.asarray(self.start_axes @ self.meeting_velocity)

    def object_at(self, t: float) -> Array:
        """Position of the object, (3,)."""
        return np.asarray(self.object_start + self.object_rate * t)

    def shoulder(self, arm: int) -> Callable[[float], Array]:
        """Planned place from which a manipulator reaches, t -> (3,): see `shoulder_place`."""
        r0 = shoulder_place(self.flyer.manipulators[arm])

        def place(t: float) -> Array:
            x_0 = self.base_position(t)[0]
            origin = np.concatenate([x_0, np.array(self.position[len(x_0) :])])
            return np.asarray(origin + rotation(self.turn(t).position) @ r0)

        return place

    @cached_property
    def entries(self) -> tuple[float, ...]:
        """Times at which the last place of the object comes within reach of each arm [s]."""
        goal = self.object_at(self.duration)
        return tuple(
            workspace_entry(self.shoulder(m), goal, self.reach, 0.0, self.duration)
            for m, arm in enumerate(self.flyer.manipulators)
            if arm.controlled == "position"
        )

    @property
    def switch(self) -> float:
        """t_r, when the object is within reach of all arms."""
        return max(self.entries)


def shoulder_place(arm: Manipulator) -> Array:
    """The place in base axes from which an arm reaches: joint 1, or joint 2 if it lies on the axis
    of joint 1, so that the first link only turns."""
    link = arm.links[0]
    lever = np.subtract(link.r, link.l)
    if lever[0] or lever[1]:
        return np.array(arm.r0)
    return np.asarray(arm.r0 + rotation(np.radians([link.twist, 0.0, 0.0])) @ lever)


def rotation(delta: Array) -> Array:
    """Rot_z(gamma) Rot_y(beta) Rot_x(alpha)"""
    (ca, cb, cg), (sa, sb, sg) = np.cos(delta), np.sin(delta)
    return np.array(
        [
            [cg * cb, cg * sb * sa - sg * ca, cg * sb * ca + sg * sa],
            [sg * cb, sg * sb * sa + cg * ca, sg * sb * ca - cg * sa],
            [-sb, cb * sa, cb * ca],
        ]
    )
