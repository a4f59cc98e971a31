"""Derivative functions against a complex step of what they are derivatives of."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from eomc.binding.arrays import Array
from eomc.verifier.arithmetic.complex_step import complex_step, one_sided
from eomc.verifier.arithmetic.rounding import error_bounds
from eomc.verifier.subject.check import Comparison, NotApplicable, check
from eomc.verifier.subject.derived_subject import DerivedSubject
from eomc.verifier.subject.soiled_memory import known, lost, without_refusal
from eomc.verifier.subject.states import TestState

ALLOWED, UNCERTAIN = 1e-11, 1e-8
_LAST = {"forward_dynamics": "tau", "inverse_dynamics": "a"}


@check(
    "complex step",
    compares="derivatives of forward and inverse dynamics by q (tangent), u, tau, a and parameters",
    reference="complex-step differentiation of the graphs of the functions themselves, exact to "
    "rounding (Squire and Trapp 1998); where a law ends or has a kink one-sided differences in "
    "hundreds of digits: a derivative must lie between the slopes on both sides, and be finite "
    "where they are",
    tolerance=f"{ALLOWED:.0e} of the largest entry, rows weighted to one unit; for forward "
    "dynamics times the condition number of M: some ten thousand roundings; near singular states "
    "also four times the bound of a running error analysis of the derivatives, of which at most "
    f"{UNCERTAIN:.0e} is accepted",
    needs=("coordinate_rates",),
)
def derivatives(subject: DerivedSubject) -> Iterator[Comparison]:
    """Every derivative function that is compiled."""
    found = False
    for name in _LAST:
        if name not in subject.functions:
            continue
        states = subject.regular if name == "forward_dynamics" else subject.states
        for suffix in ("derivatives", "parameter_derivatives"):
            if f"{name}_{suffix}" in subject.functions:
                found = True
                bounds = _bounds(subject, states, f"{name}_{suffix}")
                for place, state in enumerate(states):
                    yield from _in_state(subject, state, name, suffix, bounds[:, place])
    if not found:
        raise NotApplicable("no derivative functions")


def _bounds(subject: DerivedSubject, states: Sequence[TestState], function: str) -> Array:
    """(entries of the function, states): bounds of their rounding, in all states at once, for the
    graph of derivatives is the largest of all."""
    nodes = [node for output in subject.derived(function).outputs for node in output.entries]
    if not states:
        return np.zeros((len(nodes), 0))
    inputs = [subject.symbol_values(state) for state in states]
    batch = {key: np.array([values[key] for values in inputs]) for key in inputs[0]}
    found = error_bounds(subject.program.graph, nodes, batch)
    return np.array([np.broadcast_to(found[node], (len(states),)) for node in nodes])


def _in_state(
    subject: DerivedSubject, state: TestState, name: str, suffix: str, bounds: Array
) -> Iterator[Comparison]:
    """`bounds` of all entries of the function, one output after another."""
    weights = subject.mass_weights(state)
    rows = (weights if name == "forward_dynamics" else 1 / weights)[:, None]
    condition = subject.condition(state) if name == "forward_dynamics" else 1.0
    value = float(np.abs(rows[:, 0] * subject.call(name, state)).max(initial=0.0))
    if name == "forward_dynamics" and subject.model.is_constrained:
        # What forces would cause without constraints rounds, though the constraints leave nothing.
        forces = np.abs(state["tau"]) + np.abs(subject.call("bias", state))
        value = max(value, float((forces / weights).max(initial=0.0)))
    chosen = _chosen(subject, state, name, suffix)
    outputs = subject.derived(f"{name}_{suffix}").outputs
    matrices, refusal = without_refusal(
        lambda: subject.call(f"{name}_{suffix}", state), [output.shape for output in outputs]
    )
    places = np.cumsum([matrix.size for matrix in matrices])[:-1]
    answers = zip(matrices, np.split(bounds, places), chosen.items(), strict=True)
    is_whole = True
    for matrix, rounded, (argument, direction) in answers:
        exact = _expected(subject, state, name, direction, matrix, rows, value)
        is_whole = is_whole and bool(np.isfinite(exact).all())
        if refusal:
            continue
        what = f"{name} by {argument}"
        yield from lost(subject, state, what, matrix, exact)
        got, exact = known(matrix, exact)
        size = float(np.abs(rows * exact).max(initial=0.0)) + value
        if size == 0:
            continue
        error = float(np.abs(rows * (got - exact)).max(initial=0.0)) / (size * condition)
        rounding = rounded.reshape(matrix.shape)
        doubt = float(np.abs(rows * rounding).max(initial=0.0)) / (size * condition)
        allowed = ALLOWED + min(4 * doubt, UNCERTAIN)
        yield Comparison(what, state.label, error, allowed)
    if not is_whole:
        subject.without_value[f"{state.label}: {name}_{suffix}"] = None
    elif refusal:
        yield Comparison(f"refused: {refusal}", state.label, np.inf, ALLOWED)


def _chosen(
    subject: DerivedSubject, state: TestState, name: str, suffix: str
) -> dict[str, dict[int | str, Array]]:
    """Directions by the argument that changes along them."""
    if suffix != "parameter_derivatives":
        return _directions(subject, state, name)
    symbols = [parameter.symbol for parameter in subject.program.parameters]
    return {"p": {symbol: np.eye(len(symbols))[k] for k, symbol in enumerate(symbols)}}


def _expected(
    subject: DerivedSubject,
    state: TestState,
    name: str,
    direction: Mapping[int | str, Array],
    matrix: Array,
    rows: Array,
    size: float,
) -> Array:
    """Derivatives by a complex step; where they are not those of the matrix, the nearest to it
    between the slopes on both sides, NaN where there is none."""
    values, graph = subject.symbol_values(state), subject.program.graph
    (output,) = subject.derived(name).outputs
    exact = complex_step(graph, output.entries, values, direction)
    with np.errstate(invalid="ignore"):
        error = np.abs(rows * (matrix - exact))
        off = ~(error <= ALLOWED * (np.abs(rows * exact).max(initial=0.0) + size))
    columns = np.flatnonzero(off.any(axis=0))
    if columns.size:
        some = {key: rates[columns] for key, rates in direction.items()}
        slopes = one_sided(graph, output.entries, values, some)
        with np.errstate(invalid="ignore"):
            low, high = np.fmin(*slopes), np.fmax(*slopes)
            given = matrix[:, columns]
            exact[:, columns] = np.where(np.isfinite(given), np.clip(given, low, high), low)
    return exact


def _directions(
    subject: DerivedSubject, state: TestState, name: str
) -> dict[str, dict[int | str, Array]]:
    """Rates of the input symbols along each tangent direction of q, and each u, tau or a."""
    arguments = {argument.name: argument for argument in subject.derived(name).inputs}
    unit = np.eye(subject.nu)
    rates = np.array([subject.call("coordinate_rates", state, u=u) for u in unit])
    found: dict[str, dict[int | str, Array]]
    found = {"q": dict(zip(arguments["q"].entries, rates.T, strict=True))}
    for argument in ("u", _LAST[name]):
        found[argument] = dict(zip(arguments[argument].entries, unit, strict=True))
    return found
