"""Cases of the two time scales and of the gains in fast time: 27 to 29 and 34."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import numpy as np
from numpy.typing import NDArray

from eomc.binding.arrays import Array
from eomc.building import build
from eomc.runtime.control.flexible import (
    CompositeControl,
    FastRegulator,
    GainSchedule,
    RigidMotion,
    SlowFast,
    fast_regulator,
)
from eomc.runtime.model.compiled import CompiledModel
from eomc.runtime.model.state import State
from eomc.systems.truss_crane import maneuver, single_actuator_crane, two_actuator_crane
from eomc.systems.truss_crane.crane import EXTENSION
from eomc_published.case import Case, CaseCheck, agrees, at_most

TABLE_8_2 = (9.5991e-2, 3.6867e-1, 7.3881, 1.3638e-1)
"""Actuator 2 of the crane with two: F_p1, F_p2, F_d1, F_d2."""
TABLE_8_3 = (9.6015e-2, 3.6861e-1, 7.3882, 1.3637e-1)
"""The crane with one actuator."""
TOLERANCES = (0.002, 0.003, 0.001, 0.03)
NAMES = ("F_p1", "F_p2", "F_d1", "F_d2")


@cache
def crane(actuators: int, modes: int = 2, massless: bool = False) -> CompiledModel:
    """Variant B with two, C with one."""
    make = two_actuator_crane if actuators == 2 else single_actuator_crane
    return build(make(modes, massless=massless))


@cache
def system(actuators: int, massless: bool = False) -> SlowFast:
    """Extensions and two modes of the boom."""
    jacks = ("jack1", "jack2")[2 - actuators :]
    forces = [f"{jack}_force" for jack in jacks]
    return SlowFast(crane(actuators, 2, massless), jacks, actuators=forces)


@cache
def regulator_at_end(actuators: int, massless: bool = False) -> FastRegulator:
    """Q = 1, R = 1 in fast time, where the maneuver ends."""
    return fast_regulator(system(actuators, massless).at([EXTENSION] * actuators))


def _printed(row: Array, printed: tuple[float, ...]) -> Iterator[CaseCheck]:
    for name, wanted, got, tolerance in zip(NAMES, printed, row, TOLERANCES, strict=True):
        yield agrees(name, wanted, got, tolerance, relative=True)


def _one_actuator() -> Iterator[CaseCheck]:
    design = regulator_at_end(1)
    yield from _printed(design.design.gain[0], TABLE_8_3)
    yield agrees("epsilon", 0.29963, design.subsystems.epsilon, 1e-5)
    yield agrees("N by unit of b", [1.0695, 220.5], design.amplitude_gain[0], 0.3)
    yield agrees("N s by unit rate of b", [24.66, 24.44], design.rate_gain[0], 0.03 * 24.44)


def _two_actuators() -> Iterator[CaseCheck]:
    gain = regulator_at_end(2, massless=True).design.gain
    yield from _printed(gain[1], TABLE_8_2)
    yield at_most("actuator 1 by actuator 2, massless", np.abs(gain[0] / gain[1]).max(), 1e-6)
    heavy = regulator_at_end(2).design.gain
    yield agrees("row 1, actuators with mass", [-0.01279, 0.03518, 0.7871, 0.02510], heavy[0], 1e-4)
    yield agrees("row 2, actuators with mass", [0.10881, 0.33329, 7.3443, 0.13747], heavy[1], 1e-4)


def _riccati() -> Iterator[CaseCheck]:
    for actuators in (1, 2):
        found = regulator_at_end(actuators)
        a, b, p = found.subsystems.A, found.subsystems.B, found.design.riccati
        left = a.T @ p + p @ a - p @ b @ b.T @ p + np.eye(len(a))
        yield at_most(f"Riccati residual, {actuators} actuators", np.abs(left).max(), 1e-8)
    one = regulator_at_end(1)
    wanted = np.array([-0.303 + 16.71j, -4.84 + 70.06j])
    for what, poles in (("fast subsystem", one.poles), ("whole crane", _poles_of_crane(one))):
        got = poles[poles.imag > 1]
        error = np.abs(got[np.argsort(np.abs(got))] - wanted) / np.abs(wanted)
        yield at_most(f"poles of the {what}, relative", error.max(), 0.01)


def _poles_of_crane(design: FastRegulator) -> NDArray[np.complex128]:
    """Of the linearized crane under the gains of Table 8.3, in physical coordinates."""
    own = design.subsystems
    k, rate = np.diag(own.stiffness), own.epsilon
    force = np.array(TABLE_8_3)
    linear = system(1).linear(own.q)
    places = [linear.states.index(name) for name in own.fast]
    n = len(linear.coordinates)
    gain = np.zeros(len(linear.states))
    gain[places] = force[:2] * k
    gain[[n + place for place in places]] = force[2:] * rate * k
    column = linear.B[:, linear.inputs.index("tau(jack2)")]
    return np.asarray(np.linalg.eigvals(linear.A - np.outer(column, gain)), dtype=np.complex128)


def _quasi_static() -> Iterator[CaseCheck]:
    worst = 0.0
    for t in (2.0, 5.0, 11.0, 17.0):
        place, rate, acceleration = ([float(part)] * 2 for part in maneuver()(t))
        rigid = system(2).rigid(t, place, rate, acceleration)
        frozen = system(2).at(place, rate)
        n = len(frozen.slow)
        held = -(frozen.mass[n:, :n] @ acceleration + frozen.bias[n:])
        scale = np.abs(held).max()
        for other in (rigid.bending, frozen.quasi_static_force(rigid.forces)):
            worst = max(worst, float(np.abs(other - held).max() / scale))
        if t == 5.0:
            yield agrees("f at 5 s", [47.24, -8.206], rigid.bending, 5e-3)
    yield at_most("(6.16), inverse dynamics, -(M_btheta theta'' + c_b)", worst, 1e-8)
    yield from _rest_of_the_bending()


def _rest_of_the_bending() -> Iterator[CaseCheck]:
    """b- = K^-1 f- as a law looks it up, K by the printed eigenvalues; bent so and still, the
    vibration control does nothing."""
    motion = dict.fromkeys(system(2).slow, maneuver())
    rigid = RigidMotion(system(2), motion, (4.9, 5.0, 5.1))
    _, bent = rigid.looked_up(5.0)
    yield agrees("b at 5 s", np.array([47.24, -8.206]) / [11.139, 598.182], bent, 1e-3)
    gains = GainSchedule.constant(regulator_at_end(2))
    law = CompositeControl(rigid, 0.0, 0.0, gains)
    q = system(2).configuration(5.0, [float(maneuver()(5.0).position)] * 2, [4.241, -0.01372])
    _, fast = law.forces(5.0, State(q, np.zeros(crane(2).nu)))
    straight = system(2).configuration(5.0, [float(maneuver()(5.0).position)] * 2)
    _, pulled = law.forces(5.0, State(straight, np.zeros(crane(2).nu)))
    share = float(np.abs(fast).max() / np.abs(pulled).max())
    yield at_most("vibration control where bent so, by that where straight", share, 1e-3)


CASES = (
    Case(
        27,
        "Gains of the crane with one actuator",
        "Table 8.3",
        "regulator in fast time with Q = 1, R = 1, where the maneuver ends",
        _one_actuator,
        "reconstructed",
    ),
    Case(
        28,
        "Gains of the crane with two actuators",
        "Table 8.2",
        "the same with massless actuators; with their masses the gains recomputed from the data",
        _two_actuators,
        "reconstructed",
        note="the printed gains of actuator 1 are -2.4e-8 times those of actuator 2: a residue; "
        "with the masses of the actuators it has a tenth of their authority",
    ),
    Case(
        29,
        "Riccati equation and poles",
        "(6.33)-(6.36), Table 8.3",
        "residual of the equation; poles of the fast subsystem, and of the whole crane linearized "
        "under the printed gains",
        _riccati,
        provenance="reconstructed",
    ),
    Case(
        34,
        "Quasi-static elastic force",
        "(6.16)",
        "three ways: by blocks of the inverse mass matrix, by inverse dynamics, by the mass "
        "matrix and the bias; b = K^-1 f in the control law, K as printed",
        _quasi_static,
        provenance="reconstructed",
    ),
)
