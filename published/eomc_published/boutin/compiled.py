"""Compiled cranes that several cases share, built once, and their nominal motion."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

import numpy as np

from eomc.binding.arrays import Array
from eomc.building import build
from eomc.runtime.constraints.loop_motion import LoopMotion, loop_motion
from eomc.runtime.control import PD
from eomc.runtime.excitation.table import TableSignal
from eomc.runtime.model.compiled import CompiledModel
from eomc.runtime.trajectories.profile import ProfileSample
from eomc.systems.truss_crane import (
    articulated_crane,
    maneuver,
    pivoting_boom,
    single_actuator_crane,
    two_actuator_crane,
)

JACKS = ("jack1", "jack2")
GAIN = 5000.0


@cache
def two(modes: int = 0, massless: bool = False, drive: str = "force") -> CompiledModel:
    """Two actuators, one joint."""
    return build(two_actuator_crane(modes, massless=massless, drive=drive))


@cache
def single(modes: int = 0, retardation: float = 0.0, drive: str = "force") -> CompiledModel:
    """One actuator."""
    return build(single_actuator_crane(modes, retardation=retardation, drive=drive))


@cache
def whole() -> CompiledModel:
    """Six actuators, three joints."""
    return build(articulated_crane())


@cache
def pivoting(modes: int = 2) -> CompiledModel:
    """The boom on a hinge."""
    return build(pivoting_boom(modes))


def fixed(position: float, rate: float = 0.0, acceleration: float = 0.0) -> Any:
    """A motion whose values at all times are these."""
    sample = ProfileSample(np.array(position), np.array(rate), np.array(acceleration))
    return lambda t: sample


@cache
def nominal(name: str, times: tuple[float, ...]) -> LoopMotion:
    """The maneuver of the rigid crane "two", "single" or "whole"."""
    if name == "whole":
        still = {f"jack{k}": fixed(0.0) for k in range(3, 7)}
        return loop_motion(whole(), times, {**dict.fromkeys(JACKS, maneuver()), **still})
    model, moving = (two(), JACKS) if name == "two" else (single(), JACKS[1:])
    return loop_motion(model, times, dict.fromkeys(moving, maneuver()))


def instants(step: float, end: float = 20.0) -> tuple[float, ...]:
    """0, step, ... to the end of the maneuver."""
    return tuple(np.linspace(0.0, end, round(end / step) + 1).tolist())


@cache
def tables(name: str, step: float) -> Mapping[str, TableSignal]:
    """Forces of the rigid maneuver by actuator, every `step` seconds."""
    found = nominal(name, instants(step))
    return {joint: TableSignal(found.t, found.force(joint)) for joint in found.names}


def forces(
    model: CompiledModel, table: Mapping[str, TableSignal], gain: float = 0.0
) -> dict[str, Any]:
    """Arguments of `simulate`: forces of the tables, and PD control about the maneuver, both gains
    alike."""
    given: dict[str, Any] = {"inputs": {f"{joint}_force": table[joint] for joint in table}}
    if gain:
        wanted, joints = maneuver(), list(table)
        places = [model.coordinates.index(joint) for joint in joints]
        speeds = [model.speeds.index(joint) for joint in joints]

        def target(t: float) -> tuple[Array, Array, Array]:
            q, u, goal = np.zeros(model.nq), np.zeros(model.nu), wanted(t)
            q[places], u[speeds] = float(goal.position), float(goal.rate)
            return q, u, np.zeros(model.nu)

        given["controller"] = PD(model, target, gain, gain, actuators=joints)
    return given


def at_extension(
    model: CompiledModel,
    values: Mapping[str, float],
    rates: Mapping[str, float] | None = None,
    accelerations: Mapping[str, float] | None = None,
) -> LoopMotion:
    """One state on the constraints by its independent coordinates; from extension zero there."""
    rates, accelerations = rates or {}, accelerations or {}
    path: Sequence[float] = np.linspace(0.0, 1.0, 21).tolist()

    def motion(name: str) -> Any:
        def at(share: float) -> ProfileSample:
            here = share * values[name]
            return ProfileSample(
                np.array(here),
                np.array(rates.get(name, 0.0)),
                np.array(accelerations.get(name, 0.0)),
            )

        return at

    return loop_motion(model, path, {name: motion(name) for name in values})
