"""Tolerances of an equilibrium: each equation against the terms that cancel in it.

With f(x) = 0 the equations and s the sizes of the unknowns x, row i is balanced within a share e if

    forces:  |f_i| <= e sum |F_k| + r (sum_j |df_i/dx_j| s_j + F)
    others:  |f_i| <= e sum_j |df_i/dx_j| s_j + r V

F_k are the forces in the row that are known one by one: weight, loads, tau, and those of each
constraint. Forces that cancel inside a load, as of a hinge at rest, are seen by what rounding r of
the unknowns makes of them, and those of rows in which nothing acts by what it makes of the largest
sum F of any row. A state of an element has no less than the size that makes rounding of F. V are
the rates and accelerations that cancel in a row of a constraint whose motion is given, as that of a
function of time. Nothing is compared with a fixed number of newtons or metres.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from eomc.binding.arrays import Array
from eomc.runtime.equilibria.unknowns import UnknownEntry

if TYPE_CHECKING:
    from eomc.runtime.equilibria.problem import Candidate, EquilibriumProblem


ROUNDING = 32 * float(np.finfo(float).eps)
"""Rounding of some tens of operations, by the size of the numbers."""


def unknown_sizes(
    problem: EquilibriumProblem, at: Candidate, start: Candidate | None = None
) -> Array:
    """Sizes of the unknowns: of a displacement 1 rad or the model's length, or its value if that is
    more; of others their values, of states of elements those at the start too."""
    model = problem.around.model
    sizes = problem.speed_sizes
    places = {name: k for k, name in enumerate(model.coordinates)}

    def size(unknown: UnknownEntry) -> float:
        if unknown.kind == "displacement":
            place = places.get(model.speeds[unknown.place])
            gone = 0.0 if place is None else abs(float(at.q[place]))
            return max(float(sizes[unknown.place]), gone)
        known = [at] if start is None or unknown.kind != "state" else [at, start]
        return max(abs(float(one.array(unknown.kind)[unknown.place])) for one in known)

    return np.array([size(unknown) for unknown in problem.unknowns])


def acting(problem: EquilibriumProblem, at: Candidate) -> Array:
    """Sum of the sizes of the forces in each row, (nu,)."""
    values = problem.values(at)
    around = problem.around
    taken = np.asarray(around.call("inverse_dynamics", values), dtype=float)
    found: Array = np.abs(at.tau)
    if around.model.has_function("gravity"):
        weight = np.asarray(around.call("gravity", values), dtype=float)
        found = found + np.abs(weight) + np.abs(taken - weight)
    else:
        found = found + np.abs(taken)
    for force in around.applied(problem.t, at.q, at.u):
        found = found + np.abs(force)
    if problem.is_constrained:
        found = found + np.abs(around.constraints_at(values).G.T) @ np.abs(at.multipliers)
    return found


def tolerances(
    problem: EquilibriumProblem,
    at: Candidate,
    jacobian: Array,
    share: float,
    scale: float,
    rounding: float = ROUNDING,
    start: Candidate | None = None,
) -> Array:
    """Of each equation whose derivatives are the rows of `jacobian`, forces over `scale`."""
    n = problem.around.model.nu
    forces = acting(problem, at) / scale
    sizes = unknown_sizes(problem, at, start)
    for k, unknown in enumerate(problem.unknowns):
        if unknown.kind == "state" and (pushes := np.abs(jacobian[:n, k]).max(initial=0.0)) > 0:
            sizes[k] = max(sizes[k], rounding * forces.max(initial=0.0) / pushes)
    reach = np.abs(jacobian) @ sizes
    found: Array = share * reach
    found[:n] = share * forces + rounding * (reach[:n] + forces.max(initial=0.0))
    if problem.is_constrained:
        rows = problem.constraint_motion(at)
        found[n : n + len(rows)] += rounding * rows
    return found
