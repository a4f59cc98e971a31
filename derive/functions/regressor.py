"""Inverse dynamics by the inertial numbers of its bodies, for identification.

    tau = Y(q, u, a) pi + b

holds for any pi, for b has none of them in it: springs, losses, inputs, rotors.
"""

from __future__ import annotations

from collections.abc import Iterator

from eomc.derive.dynamics.frames import FixedFrame
from eomc.derive.dynamics.regressor import INERTIAL
from eomc.derive.dynamics.regressor import regressor as columns_of
from eomc.derive.functions.registry import column, function, matrix
from eomc.derive.graph import Argument
from eomc.derive.system import System
from eomc.derive.tree.draft import declared_inertia
from eomc.derive.tree.link import WORLD

_NEEDS = ("bodies", "moving mass", "rigid bodies", "uniform weight", "forces free of multipliers")


def moving_bodies(system: System) -> Iterator[tuple[str, FixedFrame]]:
    """Bodies that bear inertia and are not at rest, with their frames in their links."""
    for body in system.model.bodies.values():
        frame = system.tree.pose_of.get(body.name)
        if frame is not None and frame[0] != WORLD and not body.is_massless:
            yield body.name, FixedFrame(*frame)


@function(
    "regressor",
    ("q", "u", "a"),
    "Inverse dynamics by the inertial numbers of the bodies: tau = Y(q, u, a) pi + b.",
    sees_forces=True,
    needs=_NEEDS,
)
def regressor(system: System) -> list[Argument]:
    """(Y, b); ten columns of Y a body, in the order of `inertial_parameters`."""
    bodies = [frame for _, frame in moving_bodies(system)]
    motion = system.against_gravity(system.state)
    columns = columns_of(system.tree, system.pose, motion, bodies)
    names = system.speed_names
    rows = [[entries[i] for entries in columns] for i in range(system.nu)]
    rest = [-load for load in system.acting_loads]
    for speed, armature in system.tree.armature.items():
        rest[speed] = rest[speed] + armature * system.a[speed]
    units = "tau by kg, kg m, kg m^2"
    return [
        matrix("Y", rows, len(columns), "regressor", units, names),
        column("b", rest, "forces without inertia of bodies", "N m or N", names),
    ]


@function(
    "inertial_parameters",
    (),
    "Ten inertial numbers of each moving body about its origin: m, h = m c, J.",
    needs=_NEEDS,
)
def inertial_parameters(system: System) -> list[Argument]:
    """As declared; bodies without mass and inertia, and those at rest, have none."""
    values, rows = [], []
    for name, _ in moving_bodies(system):
        inertia = declared_inertia(system.model.bodies[name], system.scalars)
        values += [inertia.mass, *inertia.first, *inertia.rotational().entries]
        rows += [f"{name}.{number}" for number in INERTIAL]
    return [column("pi", values, "inertial parameters", "kg, kg m, kg m^2", rows)]
