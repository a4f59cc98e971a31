"""A problem of optimal control as plain numbers, for the solver in C."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from eomc.binding.arrays import Array

Soft = Mapping[str, float | tuple[float, float]]


def require_recursion(problem: Any, what: str) -> None:
    """Raise ValueError for a problem that is no chain of states and controls alone."""
    names = problem.names
    known = (*names.states, *names.controls)
    if not (problem.phase.staged and problem.coordinates.exact):
        raise ValueError(
            f"{what}: a Riccati recursion takes open chains of joints with one coordinate for each "
            "speed, by shooting, without free time, free parameters, soft bounds, rates and "
            "periodic states"
        )
    if problem.method != "rk4":
        raise ValueError(f"{what}: steps are those of method 'rk4', not of {problem.method!r}")
    if not np.allclose(np.diff(problem.mesh), 1 / problem.nodes, rtol=1e-12):
        raise ValueError(f"{what}: intervals differ; give the number of nodes")
    if problem.final_set is not None or problem.final_matrix is not None:
        raise ValueError(f"{what}: final_set and a matrix as final_cost are for other solvers")
    for name in names.states:
        low, high = problem.start_limits.get(name, (-np.inf, np.inf))
        if low != high:
            raise ValueError(f"{what}: the start of {name!r} is free; give it a value")
    for spec in ("cost", "final_cost", "bounds", "target_limits"):
        for name in getattr(problem, spec):
            if name not in known:
                raise ValueError(
                    f"{what}: {spec.removesuffix('_limits')} names the output {name!r}; a Riccati "
                    f"recursion takes states and controls: {', '.join(known)}"
                )
    for name, (low, high) in problem.target_limits.items():
        if low != high:
            raise ValueError(f"{what}: the target of {name!r} has bounds; give a value")
    for name in names.controls:
        if not problem.cost.get(name, (0.0, 0.0))[0] > 0:
            raise ValueError(f"{what}: give the control {name!r} a weight above zero in cost")
    if "t" in problem.model.inputs_of("rk4_step"):
        raise ValueError(
            f"{what}: forces of model {problem.model.name!r} depend on time, which the recursion "
            "does not take"
        )


def structure(
    problem: Any, exact: bool, soft: Soft | None = None, fixed: bool = True
) -> dict[str, Any]:
    """Sizes, places of bounds and of what is fixed: what the C depends on beside the numbers."""
    names, soft = problem.names, soft or {}
    order = [*names.states, *names.controls]
    rows = []
    for name, pair in problem.bounds.items():
        for sign, bound in zip((-1.0, 1.0), pair, strict=True):
            if np.isfinite(bound):
                rho = soft.get(name, (0.0, 0.0))
                linear, quadratic = rho if isinstance(rho, tuple) else (rho, 0.0)
                place = order.index(name)
                rows.append(
                    {"place": place, "sign": sign, "bound": bound, "soft": name in soft,
                     "linear": float(linear), "quadratic": float(quadratic)}
                )  # fmt: skip
    places = [names.states.index(name) for name in problem.target] if fixed else []
    nx = len(names.states)
    kept = [*range(nx), *(nx + place for place in names.control_places)]
    return {
        "states": names.states, "controls": names.controls, "places": names.control_places,
        "kept": kept, "nodes": problem.nodes, "h": 0.0, "bounds": rows, "fixed": sorted(places),
        "exact": exact, "linear": None, "solves": True, "hosted": {},
        "coordinates": problem.model.coordinates, "speeds": problem.model.speeds,
        "output": "v", "rows": names.controls,
    }  # fmt: skip


def weights(problem: Any) -> tuple[Array, Array, Array, Array]:
    """Second derivatives of the cost of a step (nx + m,) and where it is least, and those of the
    end (nx, nx) and (nx,)."""
    names = problem.names
    h = problem.t_span / problem.nodes

    def pairs(terms: Mapping[str, Any], order: Sequence[str]) -> Array:
        return np.array([terms.get(name, (0.0, 0.0)) for name in order], dtype=np.float64)

    of_steps = pairs(problem.cost, (*names.states, *names.controls))
    of_end = pairs(problem.final_cost, names.states)
    return 2 * h * of_steps[:, 0], of_steps[:, 1], np.diag(2 * of_end[:, 0]), of_end[:, 1]
