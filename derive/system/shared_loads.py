"""Reactions that rigid bodies do not determine: loads that redundant rows of constraints share.

Where rows depend on others, multipliers m with G^T m = 0 load joints without moving anything. Such
a prestress is taken to be none, as the rows left out carry nothing. Forces by reactions ask for
more than that: they must be the same with the prestress of least reactions in all joints,

    m = -(dR/dm)^+ R,      dQ/dR dR/dm m = 0,

as in a planar loop, whose loads lie in its plane. Others are refused. Reference: Wojtyra, *Joint
reaction forces in multibody systems with redundant constraints*, Multibody System Dynamics 14
(2005) 23.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from eomc.binding.arrays import Array
from eomc.derive.graph import Expression, symbols
from eomc.derive.graph.columns import swept
from eomc.derive.graph.evaluate import evaluate
from eomc.derive.language.errors import ModelError
from eomc.derive.system.configurations import DEPENDENT, Configuration

if TYPE_CHECKING:
    from eomc.derive.system.reacting import Reacting
    from eomc.derive.system.system import System


_STATES = 3
_NONE = 1e-7
"""Share of a reaction that counts as none."""


def check_determined(
    system: System,
    reacting: Sequence[Reacting],
    reactions: Sequence[Sequence[Expression]],
    all_reactions: Sequence[Sequence[Expression]],
) -> None:
    """Raise `ModelError` for a force that depends on how redundant rows share a load.

    `reactions` are those of the elements, and `all_reactions` those in all joints, in the symbols
    ``carried``, one a row.
    """
    constraints = system.constraints
    place, rows = constraints.independent.place, constraints.all_rows
    if place is None:
        return
    prestress = _without_motion(place, [not row.residual.is_constant for row in rows])
    kept = set(constraints.names)
    carried = symbols(system.graph, "carried", len(rows))
    flat = [entry for reaction in (*reactions, *all_reactions) for entry in reaction]
    one = (system.zero + 1).node
    by_row = swept(system.graph, flat, [{x.node: one} for x in carried])
    rubbing = {entry.cut.own.node: 0.0 for entry in reacting if entry.cut is not None}
    rng = np.random.default_rng(0)
    for _ in range(_STATES):
        values = _values(system, place, rng) | rubbing
        loads = [float(rng.normal()) * (row.name in kept) for row in rows]
        values |= {x.node: load for x, load in zip(carried, loads, strict=True)}
        columns = [entry for column in by_row for entry in column]
        changes = _at(system, columns, values).reshape(len(rows), -1).T @ prestress
        loaded, own = _at(system, flat, values), 6 * len(reacting)
        least = np.linalg.lstsq(changes[own:], -loaded[own:], rcond=DEPENDENT)[0]
        moved = (changes[:own] @ least).reshape(-1, 6)
        size = _NONE * float(np.abs(loaded).max())
        for entry, change in zip(reacting, moved, strict=True):
            if np.abs(_slopes(system, entry, values, rng) @ change).max() > size:
                raise _undetermined(entry, [row.name for row in rows if row.name not in kept])


def _slopes(
    system: System, entry: Reacting, values: dict[int, float], rng: np.random.Generator
) -> Array:
    """dQ/dR at some reactions, each of the length 1: rows for what the law looks at."""
    own = symbols(system.graph, "reaction", 6)
    one = (system.zero + 1).node
    by_load = swept(system.graph, [entry.force(system, own)], [{x.node: one} for x in own])
    found = []
    for _ in own:
        at = values | {x.node: float(rng.normal()) for x in own}
        slope = _at(system, [column[0] for column in by_load], at)
        found.append(slope / max(float(np.linalg.norm(slope)), 1e-300))
    return np.array(found)


def _without_motion(place: Configuration, live: Sequence[bool]) -> Array:
    """Columns m of the multipliers of all rows with G^T m = 0; what is not live has no gradient."""
    gradients = np.zeros((len(live), place.gradients.shape[1]))
    sizes, moving = np.ones(len(live)), np.flatnonzero(live)
    gradients[moving], sizes[moving] = place.gradients, place.row_sizes
    left, values, _ = np.linalg.svd(gradients)
    rank = int((values > DEPENDENT).sum())
    found: Array = left[:, rank:] / sizes[:, None]
    return found


def _values(system: System, place: Configuration, rng: np.random.Generator) -> dict[int, float]:
    """A motion at the configuration, inputs and states, by chance."""
    chance = [*system.u, *system.a, *system.s_rate, *system.s_acceleration, *system.r, *system.z]
    values = {entry.node: float(rng.normal()) for entry in [*chance, *system.tau, system.time]}
    for own, numbers in ((system.q, place.q), (system.s, place.s)):
        values |= {entry.node: float(x) for entry, x in zip(own, numbers, strict=True)}
    parameters = system.model.parameters
    for name in system.symbolic:
        values[system.graph.symbol(name)] = float(parameters[name].value)
    return values


def _at(system: System, expressions: Sequence[Expression], values: dict[int, float]) -> Array:
    found = evaluate(system.graph, [e.node for e in expressions], values)
    return np.array([float(x) for x in found])


def _undetermined(entry: Reacting, redundant: Sequence[str]) -> ModelError:
    rows = ", ".join(redundant)
    return ModelError(
        f"{entry.element.title}: rigid bodies do not determine what presses in its joint: {rows} "
        "hold what other rows hold already, and share a load with them; let joints of the loop "
        "give way there (spherical, universal, cylindrical), or keep loads out of these directions",
        entry.element.source,
    )
