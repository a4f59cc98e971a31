"""Named functions of a model: what each takes, and how it is made.

A function is one entry here: its inputs, one sentence, and a maker that builds its outputs on the
graph of a `System`. Inputs that only some models have (r, t and the prescribed motion s) are added
where the function can depend on them.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from eomc.derive.forces.uses_time import uses_time
from eomc.derive.geometry import Vector
from eomc.derive.graph import Argument, Expression, Function, Guard, nodes, symbols
from eomc.derive.model.drive import driven_speeds
from eomc.derive.system import System

Maker = Callable[[System], Sequence[Argument]]
Guards = Callable[[System], Sequence[Guard]]


@dataclass(frozen=True)
class Kind:
    """A named function before it is made for a model.

    `inputs` are the arrays it takes in order; `sees_forces` says that inputs r, time and the rates
    of the prescribed motion matter to it, `sees_bodies=False` that it knows of the free
    coordinates only and no prescribed motion matters, `sees_time` that time alone may matter,
    `feeds` that it is a feedback law of the function named.
    """

    name: str
    inputs: tuple[str, ...]
    description: str
    make: Maker
    sees_forces: bool = False
    guards: Guards | None = None
    sees_bodies: bool = True
    sees_time: bool = False
    feeds: str = ""

    def function(self, system: System) -> Function:
        """The function of one model."""
        outputs = tuple(self.make(system))
        guards = tuple(self.guards(system)) if self.guards else ()
        inputs = arguments(
            system,
            self.inputs,
            sees_forces=self.sees_forces,
            sees_bodies=self.sees_bodies,
            sees_time=self.sees_time,
        )
        return Function(self.name, inputs, outputs, self.description, guards, self.feeds)


KINDS: dict[str, Kind] = {}


def function(
    name: str,
    inputs: Iterable[str],
    description: str,
    *,
    sees_forces: bool = False,
    guards: Guards | None = None,
    sees_bodies: bool = True,
    sees_time: bool = False,
    feeds: str = "",
) -> Callable[[Maker], Maker]:
    """Decorator: `make` builds the outputs of the function `name`."""

    def remember(make: Maker) -> Maker:
        KINDS[name] = Kind(
            name,
            tuple(inputs),
            description,
            make,
            sees_forces,
            guards,
            sees_bodies,
            sees_time,
            feeds,
        )
        return make

    return remember


_MEANING = {
    "q": ("coordinates", "rad or m"),
    "u": ("generalized speeds", "rad/s or m/s"),
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
    "active": ("1 for driven speeds that are controlled, 0 for those that are not", ""),
    "r": ("inputs", ""),
    "t": ("time", "s"),
    "s": ("prescribed coordinates", "rad or m"),
    "s_rate": ("rates of the prescribed coordinates", "rad/s or m/s"),
    "s_acceleration": ("second rates of the prescribed coordinates", "rad/s^2 or m/s^2"),
}


def arguments(
    system: System,
    names: Sequence[str],
    *,
    sees_forces: bool,
    sees_bodies: bool = True,
    sees_time: bool = False,
) -> tuple[Argument, ...]:
    """Input arrays of a function, those that only some models have included."""
    names = list(names)
    if sees_forces and system.model.inputs:
        names.append("r")
    if (sees_forces or sees_time) and uses_time(system.model):
        names.append("t")
    if system.tree.prescribed_names and sees_bodies and "q" in names:
        names.append("s")
        if sees_forces or "u" in names:
            names.append("s_rate")
        if sees_forces or "a" in names:
            names.append("s_acceleration")
    return tuple(_argument(system, name) for name in names)


def _argument(system: System, name: str) -> Argument:
    description, units = _MEANING[name]
    if name == "t":
        return Argument("t", (), (system.time.node,), description, units)
    tree = system.tree
    rows = {
        **dict.fromkeys(("q", "q0", "q1", "q_d"), tree.coordinate_names),
        **dict.fromkeys(("u", "a", "tau", "du", "u_d", "a_d", "tau_d", "K"), tree.speed_names),
        **dict.fromkeys(("kp", "kd"), tree.speed_names),
        "active": driven_speeds(system.model),
        **dict.fromkeys(("s", "s_rate", "s_acceleration"), tree.prescribed_names),
        "r": tuple(system.model.inputs),
        "driven_acceleration": driven_speeds(system.model),
        "stabilization": ("alpha",),
    }[name]
    shape = (len(rows), 2 * tree.nu) if name == "K" else (len(rows),)
    entries = nodes(symbols(system.graph, name, math.prod(shape)))
    return Argument(name, shape, entries, description, units, rows)


def scalar(name: str, value: Expression, description: str, units: str = "") -> Argument:
    """A scalar output."""
    return Argument(name, (), (value.node,), description, units)


def column(
    name: str,
    values: Sequence[Expression],
    description: str,
    units: str = "",
    rows: Sequence[str] = (),
) -> Argument:
    """A vector output."""
    return Argument(name, (len(values),), nodes(values), description, units, tuple(rows))


def matrix(
    name: str,
    rows: Sequence[Sequence[Expression]],
    width: int,
    description: str,
    units: str = "",
    row_names: Sequence[str] = (),
) -> Argument:
    """A matrix output given by rows of length `width`."""
    entries = tuple(entry.node for row in rows for entry in row)
    return Argument(name, (len(rows), width), entries, description, units, tuple(row_names))


SIX = ("vx", "vy", "vz", "wx", "wy", "wz")
"""Row names of a stacked (linear, angular) six-vector."""


def six(name: str, linear: Vector, angular: Vector, description: str, units: str = "") -> Argument:
    """A (linear, angular) six-vector output."""
    return column(name, [*linear, *angular], description, units, SIX)
