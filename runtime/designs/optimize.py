"""Designs: parameters of a model that make an objective least, with exact gradients."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from eomc.binding.arrays import Array
from eomc.runtime.designs.closure import DesignError
from eomc.runtime.designs.design import Design
from eomc.runtime.designs.problem import ArrayGoal, DesignProblem, DesignTrial, Limits, Quantity
from eomc.runtime.designs.solvers import SOLVERS
from eomc.runtime.designs.starts import DesignSearch, optima_from_starts
from eomc.runtime.designs.states import DesignFunctions
from eomc.runtime.fit.unknowns import Given, Unknown, Unknowns, frees
from eomc.runtime.model.arguments import taken, whole
from eomc.runtime.model.compiled import CompiledModel
from eomc.runtime.names.near_names import near_names

_ACTIVE, _SAME, _BESIDE = 1e-5, 1e-5, 1e-3


@dataclass(frozen=True, eq=False)
class OptimalDesign:
    """The best design of all starts.

    Attributes
    ----------
    values : mapping of str to float
        Free parameters and variables.
    cost : float
    success : bool
    reason : str
        Why the search stopped.
    active : tuple of str
        Conditions at a bound, and free values at theirs.
    evaluations : int
    optima : list of (cost, values)
        Distinct local optima, the best first.
    problem : DesignProblem
    theta : (n,)
    """

    values: dict[str, float]
    cost: float
    success: bool
    reason: str
    active: tuple[str, ...]
    evaluations: int
    optima: list[tuple[float, dict[str, float]]]
    problem: DesignProblem
    theta: Array

    def __getitem__(self, name: str) -> float:
        return self.values[name]

    def __str__(self) -> str:
        values = (f"{name} = {value:.8g}" for name, value in self.values.items())
        state = "optimal" if self.success else f"not optimal ({self.reason})"
        lines = [f"{state}, cost {self.cost:.8g}", *values]
        lines += [f"at a bound: {', '.join(self.active)}"] if self.active else []
        lines += [f"{len(self.optima)} local optima"] if len(self.optima) > 1 else []
        return "\n".join(lines)

    @cached_property
    def design(self) -> Design:
        """The design, to evaluate what else the model says of it."""
        trial = self.problem.trial(self.theta)
        assert trial is not None
        return trial.design


def optimize(
    model: CompiledModel,
    objective: Quantity,
    free: Given,
    *,
    variables: Mapping[str, Any] | None = None,
    subject_to: Mapping[str, Limits] | None = None,
    of_array: ArrayGoal = "sum of squares",
    parameters: Mapping[str, float] | None = None,
    method: str | None = None,
    starts: int = 1,
    seed: int = 0,
    folder: str | os.PathLike[str] | None = None,
    threads: int | None = None,
    iterations: int = 500,
    progress: bool | None = False,
) -> OptimalDesign:
    """Find parameters of a model for which an objective is least.

    Parameters
    ----------
    model : CompiledModel
        Built with the free parameters tunable.
    objective : function of a `Design`
        A number, or an array of which `of_array` is minimized.
    free : names, or mapping of names to a start, (low, high) or `FreeValue`
        Tunable parameters of the model.
    variables : the same, of further numbers that objective and conditions read
    subject_to : mapping of names to (function of a `Design`, low, high)
        Bounds of numbers or arrays; infinite where there is none.
    of_array : "sum of squares" or "largest"
    parameters : mapping
        Values of others.
    method : "least squares", "SLSQP" or "trust-constr"
        By default least squares for arrays without conditions, else SLSQP.
    starts : int
        The given start and random ones within the bounds: a global search.
    seed : int
    folder : path, optional
        Keeps the results of the starts; a search that was killed goes on from there.
    threads : int
        Starts at once.
    iterations : int
        Of one start.

    Raises
    ------
    DesignError
        The first design cannot be evaluated, or a free value acts on nothing.
    ValueError
        Unknown names, bounds that exclude each other.

    Examples
    --------
    The stiffness of a spring for a frequency of 3 rad/s:

    >>> import eomc
    >>> model = eomc.Model("mass")
    >>> _ = model.parameter("k", 1.0)
    >>> model.body("block", mass=2)
    >>> model.joint("slide", "prismatic", parent="world", child="block", axis=(1, 0, 0))
    >>> model.generalized_force("spring", speed="slide", expression="-k*slide")
    >>> mass = eomc.build(model, tunable="all")
    >>> found = optimize(mass, lambda d: d.equilibrium().frequencies - 3, {"k": (0.1, 100)})
    >>> round(found["k"], 9)
    18.0
    """
    model = taken(model)
    if of_array not in ("sum of squares", "largest"):
        raise ValueError(f"of_array: {of_array!r}; give 'sum of squares' or 'largest'")
    problem = _problem(model, objective, free, variables, subject_to, parameters)
    theta = problem.unknowns.start()
    first = problem.trial(theta)
    if first is None:
        raise DesignError(f"the first design cannot be evaluated: {problem.why}")
    _require_effects(problem, first)
    if method is None:
        plain = first.objective.ndim > 0 and of_array == "sum of squares"
        method = "least squares" if plain and not problem.conditions else "SLSQP"
    if method not in SOLVERS:
        raise ValueError(f"method: {method!r}; give one of {', '.join(map(repr, SOLVERS))}")
    if method == "least squares" and (problem.conditions or not first.objective.ndim):
        raise ValueError("method: least squares takes an array and no conditions but bounds")
    search = DesignSearch(problem, method, of_array, iterations, whole("seed", seed, 0))
    count = whole("starts", starts, 1)
    rows = optima_from_starts(search, count, folder, threads, progress)
    return _optimal(problem, rows)


def _optimal(problem: DesignProblem, rows: Mapping[str, Array]) -> OptimalDesign:
    """The best of the local minima (starts, ...)."""
    cost = np.where(np.isfinite(rows["cost"]), rows["cost"], np.inf)
    order = np.argsort(np.where(rows["success"], cost, np.inf), kind="stable")
    optima: list[tuple[float, dict[str, float]]] = []
    for k in order:
        values = problem.unknowns.values(rows["theta"][k])
        known = (np.array(list(v.values())) for c, v in optima)
        if rows["success"][k] and not any(
            np.allclose(values, other, rtol=_SAME, atol=_SAME * np.abs(values).max())
            for other in known
        ):
            names = problem.unknowns.names
            optima.append((float(cost[k]), dict(zip(names, values.tolist(), strict=True))))
    best = int(order[0]) if optima else int(np.argmin(cost))
    theta = np.array(rows["theta"][best])
    trial = problem.trial(theta)
    if trial is None:
        raise DesignError(f"no start came to a design that can be evaluated: {problem.why}")
    active = [n for n, m in zip(trial.names, trial.margins.value, strict=True) if abs(m) <= _ACTIVE]
    low, high = problem.unknowns.bounds()
    near = np.minimum(np.abs(theta - low), np.abs(theta - high)) <= _ACTIVE * (1 + np.abs(theta))
    active += [n for n, at in zip(problem.unknowns.names, near, strict=True) if at]
    best_values = dict(
        zip(problem.unknowns.names, problem.unknowns.values(theta).tolist(), strict=True)
    )
    return OptimalDesign(
        best_values,
        float(cost[best]),
        bool(rows["success"][best]),
        str(rows["reason"][best]),
        tuple(dict.fromkeys(active)),
        int(rows["evaluations"].sum()),
        optima,
        problem,
        theta,
    )


def _problem(
    model: CompiledModel,
    objective: Quantity,
    free: Given,
    variables: Mapping[str, Any] | None,
    subject_to: Mapping[str, Limits] | None,
    parameters: Mapping[str, float] | None,
) -> DesignProblem:
    known = tuple(model.parameters)
    given = dict(parameters or {})
    entries = []
    for name, value in frees(free).items():
        if name not in known:
            raise ValueError(
                f"free: model {model.name!r} has no tunable parameter {name!r}; "
                f"{near_names(name, known)}; build it with tunable=['{name}']"
            )
        start = given.get(name, model.parameters[name]) if value.start is None else value.start
        assert isinstance(start, float | int)
        entries.append(Unknown(name, "p", known.index(name), None, value, start))
    for name in given:
        if name not in known:
            raise ValueError(f"parameters: no tunable {name!r}; {near_names(name, known)}")
    for name, value in frees(variables or {}).items():
        if name in known:
            raise ValueError(f"variables: {name!r} is a parameter of the model; name it in free")
        middle = (value.low + value.high) / 2
        start = (middle if np.isfinite(middle) else 0.0) if value.start is None else value.start
        assert isinstance(start, float | int)
        entries.append(Unknown(name, "variable", 0, None, value, start))
    if not entries:
        raise ValueError("free: give at least one parameter or variable")
    for name, condition in (subject_to or {}).items():
        _checked(name, condition)
    others = {name: value for name, value in given.items() if name not in free}
    return DesignProblem(
        DesignFunctions(model), Unknowns(entries), others, objective, dict(subject_to or {})
    )


def _checked(name: str, condition: Any) -> None:
    try:
        f, low, high = condition
        good = callable(f) and low <= high
    except (TypeError, ValueError):
        good = False
    if not good:
        raise ValueError(
            f"subject_to {name!r}: give (function, low, high) with low <= high, not {condition!r}"
        )


def _require_effects(problem: DesignProblem, first: DesignTrial) -> None:
    """Refuse free values that act on nothing, here and beside: a slope alone may vanish."""
    theta, (low, high) = first.theta, problem.unknowns.bounds()
    # Towards the bound that is farther away.
    sign = np.where(high - theta > theta - low, 1.0, -1.0)
    beside = problem.trial(np.clip(theta + sign * (_BESIDE * np.abs(theta) + _BESIDE), low, high))
    sizes = np.zeros(len(theta))
    for trial in (first, beside):
        for part in () if trial is None else (trial.objective, trial.margins, trial.equalities):
            sizes += np.abs(part.slopes).reshape(-1, len(theta)).sum(axis=0)
    if (sizes == 0).any():
        name = problem.unknowns.names[int(np.argmin(sizes))]
        raise DesignError(
            f"free {name!r} acts on nothing in the objective and the conditions "
            "(float(x) and functions of math lose derivatives)"
        )
