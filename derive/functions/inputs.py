"""Input arrays of named functions: their meaning, units, rows."""

from __future__ import annotations

import math
from collections.abc import Sequence

from eomc.derive.functions.formulation import Arrays
from eomc.derive.functions.shared import shared
from eomc.derive.graph import Argument, nodes, symbol, symbols

TIME = "t"
STEP = "implicit_step"
_SCALARS = (TIME, STEP, "rate")

_MEANING = {
    "q": ("coordinates", "rad or m"),
    "u": ("generalized speeds", "rad/s or m/s"),
    "z": ("states of elements", ""),
    "a": ("time derivatives of the generalized speeds", "rad/s^2 or m/s^2"),
    "tau": ("generalized forces on the speeds", "N m or N"),
    "du": ("displacement in the tangent space of q", "rad or m"),
    "q0": ("coordinates, from", "rad or m"),
    "q1": ("coordinates, to", "rad or m"),
    "driven_acceleration": ("accelerations of the driven speeds", "rad/s^2 or m/s^2"),
    "stabilization": ("rate alpha at which constraints are restored", "1/s"),
    "q_d": ("desired coordinates", "rad or m"),
    "u_d": ("desired speeds", "rad/s or m/s"),
    "a_d": ("desired accelerations", "rad/s^2 or m/s^2"),
    "kp": ("gains on displacements", ""),
    "kd": ("gains on speeds", ""),
    "tau_d": ("generalized forces of the desired state", "N m or N"),
    "K": ("gains on displacements, then on speeds", ""),
    "force_gain": ("gains on elastic forces beyond those of the rigid motion, by joint", ""),
    "vibration_gain": ("gains on rates of elastic amplitudes, by joint", ""),
    "active": ("1 for driven speeds that are controlled, 0 for those that are not", ""),
    "r": ("inputs", ""),
    "wrench": ("forces and moments on the bodies at their origins, world axes", "N, N m"),
    "t": ("time", "s"),
    STEP: ("step that takes joint-local springs and dampers implicitly, 0 for none", "s"),
    "rate": ("1/(h gamma) of a step of length h", "1/s"),
    "s": ("prescribed coordinates", "rad or m"),
    "s_rate": ("rates of the prescribed coordinates", "rad/s or m/s"),
    "s_acceleration": ("second rates of the prescribed coordinates", "rad/s^2 or m/s^2"),
}

FURTHER = ("r", TIME, "s", "s_rate", "s_acceleration")
"""Inputs that only some systems have, in their order after all others."""

_COORDINATES = ("q", "q0", "q1", "q_d")
_SPEEDS = ("u", "a", "tau", "du", "u_d", "a_d", "tau_d", "K", "kp", "kd")
_PRESCRIBED = ("s", "s_rate", "s_acceleration")
_DRIVEN = ("active", "driven_acceleration")
_VIBRATION = ("force_gain", "vibration_gain")


def further_inputs(
    given: Arrays, names: Sequence[str], *, sees_forces: bool, sees_bodies: bool, sees_time: bool
) -> list[str]:
    """Inputs that only some systems have: r, time, the prescribed motion."""
    more = []
    if sees_forces and given.input_names:
        more.append("r")
    if (sees_forces or sees_time) and given.uses_time:
        more.append(TIME)
    if given.prescribed_names and sees_bodies and "q" in names:
        more.append("s")
        if sees_forces or "u" in names:
            more.append("s_rate")
        if sees_forces or "a" in names:
            more.append("s_acceleration")
    return more


def input_argument(given: Arrays, name: str) -> Argument:
    """The input array `name`, made once."""
    made = _made(given)
    if name not in made:
        made[name] = _input_argument(given, name)
    return made[name]


@shared
def _made(given: Arrays) -> dict[str, Argument]:
    """Input arrays by name, as far as they were asked for."""
    return {}


def _input_argument(given: Arrays, name: str) -> Argument:
    description, units = _MEANING[name]
    if name in _SCALARS:
        return Argument(name, (), (symbol(given.graph, name).node,), description, units)
    joints = tuple(name for name in given.speed_names if name not in given.elastic_names)
    rows = {
        **dict.fromkeys(_COORDINATES, given.coordinate_names),
        **dict.fromkeys(_SPEEDS, given.speed_names),
        **dict.fromkeys(_PRESCRIBED, given.prescribed_names),
        **dict.fromkeys(_DRIVEN, given.driven_names),
        **dict.fromkeys(_VIBRATION, joints),
        "r": given.input_names,
        "z": given.element_state_names,
        "stabilization": ("alpha",),
        "wrench": getattr(given, "body_names", ()),
    }[name]
    shape = _shape(given, name, len(rows))
    entries = nodes(symbols(given.graph, name, math.prod(shape)))
    return Argument(name, shape, entries, description, units, rows)


def _shape(given: Arrays, name: str, rows: int) -> tuple[int, ...]:
    if name == "K":
        return rows, 2 * rows
    if name == "wrench":
        return rows, 6
    return (rows, len(given.elastic_names)) if name in _VIBRATION else (rows,)
