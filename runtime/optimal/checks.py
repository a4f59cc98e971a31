"""Checks of what a problem of optimal control is stated with."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, get_args

import numpy as np

from eomc.runtime.constraints.assembly import assemble
from eomc.runtime.model.state import initial_state
from eomc.runtime.names.near_names import near_names
from eomc.runtime.optimal.arrays import Array
from eomc.runtime.optimal.dynamics import StepMethod
from eomc.runtime.optimal.quantities import numbers
from eomc.runtime.optimal.transcription import COLLOCATIONS

Limits = dict[str, tuple[float, float]]
"""Lower and upper bounds by name."""

_OPEN = (-np.inf, np.inf)


def horizon(t_span: Any) -> tuple[float, float]:
    """Bounds of T, equal where it is fixed."""
    try:
        low, high = t_span if isinstance(t_span, tuple | list) else (t_span, t_span)
        low, high = float(low), float(high)
    except (TypeError, ValueError):
        raise ValueError(
            f"t_span is {t_span!r}; give a positive time [s], or (lower, upper)"
        ) from None
    if low == high == 0:
        raise ValueError("t_span is 0: nothing to optimize")
    if not 0 < low <= high < np.inf:
        raise ValueError(f"t_span is {t_span!r}; give a positive time [s], or (lower, upper)")
    return low, high


def mesh(nodes: Any) -> Array:
    """Ends of the intervals by T, from 0 to 1."""
    if isinstance(nodes, int | np.integer) and not isinstance(nodes, bool):
        if nodes < 1:
            raise ValueError(f"nodes is {nodes}; give at least one step")
        return np.linspace(0.0, 1.0, int(nodes) + 1)
    if not isinstance(nodes, Sequence | np.ndarray) or isinstance(nodes, str):
        raise ValueError(f"nodes is {nodes!r}; give a whole number of steps")
    found = np.asarray(nodes, dtype=np.float64)
    ends = found.ndim == 1 and len(found) > 1 and found[0] == 0 and found[-1] == 1
    if not ends or not (np.diff(found) > 0).all():
        raise ValueError("nodes: give a whole number of steps, or increasing numbers from 0 to 1")
    return found


def transcription(name: str) -> str:
    """A known transcription."""
    known = ("shooting", *COLLOCATIONS)
    if name not in known:
        raise ValueError(f"transcription {name!r}; {near_names(str(name), known)}")
    return name


def method(name: Any, transcription: str) -> StepMethod:
    """A known step, which shooting alone takes."""
    known: tuple[StepMethod, ...] = get_args(StepMethod)
    if name not in known:
        raise ValueError(f"method {name!r}; {near_names(str(name), known)}")
    if name != known[0] and transcription != "shooting":
        raise ValueError(
            f"method {name!r} is a step of shooting; transcription {transcription!r} takes none"
        )
    return known[known.index(name)]


def named(what: str, given: Any) -> Mapping[str, Any]:
    """A mapping, empty where nothing is given."""
    if given is not None and not isinstance(given, Mapping):
        raise ValueError(f"{what}: give a mapping of names, not {given!r}")
    return given or {}


def functions(given: Any) -> dict[str, Any]:
    """Functions of channels by name."""
    for name, function in named("outputs", given).items():
        if not callable(function):
            raise ValueError(
                f"outputs: {name!r} is not a function of the channels, but {function!r}"
            )
    return dict(given or {})


def terms(what: str, given: Any) -> dict[str, tuple[float, float]]:
    """(w, c) by name."""
    found = {}
    for name, entry in named(what, given).items():
        pair = entry if isinstance(entry, tuple | list) else (entry, 0.0)
        if len(pair) != 2:
            raise ValueError(f"{what}: {name!r} is {entry!r}; give a weight, or (weight, value)")
        weight, value = (numbers(what, {name: x})[name] for x in pair)
        if weight < 0:
            raise ValueError(
                f"{what}: the weight of {name!r} is {weight:g}; it must not be negative"
            )
        found[name] = weight, value
    return found


def form(what: str, given: Any, size: int) -> Array | None:
    """A symmetric positive semidefinite matrix."""
    if given is None:
        return None
    matrix = np.asarray(given, dtype=np.float64)
    if matrix.shape != (size, size):
        raise ValueError(f"{what}: the matrix has shape {matrix.shape}, expected {(size, size)}")
    if (
        not np.isfinite(matrix).all()
        or np.abs(matrix - matrix.T).max() > 1e-9 * np.abs(matrix).max()
    ):
        raise ValueError(f"{what}: the matrix must be finite and symmetric")
    if np.linalg.eigvalsh(matrix)[0] < -1e-9 * np.abs(matrix).max():
        raise ValueError(f"{what}: the matrix must have no negative eigenvalue")
    return (matrix + matrix.T) / 2


def level_set(given: Any, size: int) -> tuple[Array, float] | None:
    """(P, c) of a set of final states."""
    if given is None:
        return None
    try:
        matrix, level = given
    except (TypeError, ValueError):
        raise ValueError(f"final_set is {given!r}; give (P, c)") from None
    found, c = form("final_set", matrix, size), numbers("final_set", {"c": level})["c"]
    if found is None or c <= 0:
        raise ValueError("final_set: give a matrix and a positive level")
    return found, c


def limits(what: str, given: Any) -> Limits:
    """(lower, upper) by name."""
    found = {}
    for name, entry in named(what, given).items():
        try:
            lower, upper = (float(x) for x in entry)
        except (TypeError, ValueError):
            raise ValueError(f"{what}: {name!r} is {entry!r}; give (lower, upper)") from None
        if np.isnan(lower) or np.isnan(upper) or lower > upper:
            why = "give numbers" if np.isnan([lower, upper]).any() else "they cross"
            raise ValueError(f"{what}: {name!r} from {lower:g} to {upper:g}: {why}")
        found[name] = lower, upper
    return found


def soft(given: Any, bounds: Limits) -> dict[str, tuple[float, float]]:
    """(rho, w) by name of a bound."""
    found = terms("soft", given)
    for name in found:
        if name not in bounds:
            raise ValueError(f"soft: {name!r} has no bounds; {near_names(name, list(bounds))}")
    return found


def shifts(given: Any) -> dict[str, float]:
    """Differences between end and start of periodic states."""
    if isinstance(given, str):
        given = (given,)
    return numbers("periodic", given if isinstance(given, Mapping) else dict.fromkeys(given, 0.0))


def pairs(what: str, given: Mapping[str, Any]) -> Limits:
    """Values, pairs, or None for what is free, as limits."""
    found: Limits = {}
    for name, value in given.items():
        if value is None:
            found[name] = _OPEN
        elif isinstance(value, tuple | list):
            found |= limits(what, {name: value})
        else:
            number = numbers(what, {name: value})[name]
            found[name] = number, number
    return found


def middle(pair: tuple[float, float]) -> float:
    """A value between the limits, the nearest to zero where one is infinite."""
    low, high = pair
    return (low + high) / 2 if np.isfinite(high - low) else float(np.clip(0.0, low, high))


def configuration(what: str, given: Any, nq: int) -> Array:
    """q (nq,), finite."""
    try:
        q = np.array(given, dtype=np.float64)
    except (TypeError, ValueError):
        raise ValueError(f"{what}: give numbers, or a mapping of names to numbers") from None
    if q.shape != (nq,):
        raise ValueError(f"{what} has shape {q.shape}, expected ({nq},): a configuration at rest")
    if not np.isfinite(q).all():
        raise ValueError(f"{what} is not finite")
    return q


def assembled(model: Any, given: Any, parameters: Mapping[str, float]) -> Array:
    """The configuration at the start that closes the loops, of trees the neutral one."""
    if not model.is_constrained:
        return initial_state(model, None, None).q
    if given is not None and not isinstance(given, Mapping):
        q = configuration("start", given, model.nq)
        if model.inputs_of("constraint_residual") != ("q",):
            return q
        options = {"parameters": dict(parameters)} if parameters else {}
        worst = float(np.abs(model.constraint_residual(q, **options)).max(initial=0.0))
        if worst > 1e-6:
            raise ValueError(
                f"start: the loops of model {model.name!r} are open, the residual is {worst:.3g}; "
                "give independent coordinates by name, or an assembled configuration"
            )
        return q
    known = pairs("start", given or {})
    values = {n: middle(pair) for n, pair in known.items() if n in model.coordinates}
    found = assemble(model, values, fixed=tuple(values), parameters=dict(parameters) or None)
    return np.asarray(found.q)


def not_more_than_free(given: Limits, model: Any, free: int) -> None:
    """Raise ValueError where more coordinates or speeds of loops are fixed than are free."""
    speeds = [f"speed({name})" for name in model.speeds]
    for what, known in (("coordinates", model.coordinates), ("speeds", speeds)):
        fixed = [name for name in known if name in given and given[name][0] == given[name][1]]
        if model.is_constrained and len(fixed) > free:
            raise ValueError(
                f"target: {', '.join(fixed)} are fixed, but only {free} of the {what} of model "
                f"{model.name!r} {'is' if free == 1 else 'are'} independent; fix no more"
            )


def inside(what: str, given: Limits, bounds: Limits, exempt: Mapping[str, Any]) -> None:
    """Raise ValueError for values outside the bounds."""
    for name, (low, high) in given.items():
        lower, upper = bounds.get(name, _OPEN)
        if name not in exempt and (high < lower or low > upper):
            shown = f"{low:g}" if low == high else f"{low:g} to {high:g}"
            raise ValueError(
                f"{what}: {name!r} is {shown}, outside its bounds {lower:g} to {upper:g}"
            )


def over_nodes(name: str, values: Any, times: Array, ends: Array) -> Array:
    """Values at the nodes: one, one each, or one at each end of an interval."""
    if callable(values):
        return np.asarray(values(times))
    try:
        array = np.asarray(values, dtype=np.float64)
        if array.ndim == 0 or array.shape == times.shape:
            return np.broadcast_to(array, times.shape)
        if array.shape == ends.shape:
            return np.interp(times, ends, array)
    except (TypeError, ValueError):
        pass
    raise ValueError(f"guess: {name!r} has shape {np.shape(values)}, expected ({len(times)},)")


def require_smooth(model: Any, free_time: bool, transcription: str) -> None:
    """Raise ValueError for models whose steps have no derivatives."""
    turning = model.coordinates != model.speeds
    lacks = {
        f"its motion is prescribed in {', '.join(model.prescribed)}": model.prescribed,
        f"its elements have states, {', '.join(model.element_states)}": model.element_states,
        "it was loaded without derivatives of forward dynamics":
            not model.has_function("forward_dynamics_derivatives"),
        "its speeds are not rates of its coordinates, as with quaternions, which collocation does "
        "not take; use transcription='shooting'": turning and transcription != "shooting",
        "its forces depend on time, whose end is free":
            free_time and "t" in model.inputs_of("forward_dynamics"),
    }  # fmt: skip
    for why, found in lacks.items():
        if found:
            raise ValueError(f"ocp: no derivatives of a step of model {model.name!r}: {why}")
    if model.has_function("element_switches"):
        kinks = ", ".join(dict.fromkeys(model.output_names("element_switches")))
        raise ValueError(
            f"ocp: forces of model {model.name!r} are not smooth, by their switches {kinks}; give "
            "these elements smooth laws, such as friction with a width"
        )
