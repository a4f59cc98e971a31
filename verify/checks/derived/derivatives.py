"""Derivative functions against a complex step of what they are derivatives of."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from eomc.verify.arithmetic.complex_step import complex_step
from eomc.verify.arithmetic.rounding import error_bounds
from eomc.verify.subject.check import Comparison, NotApplicable, check
from eomc.verify.subject.derived_subject import DerivedSubject
from eomc.verify.subject.states import TestState
from eomc.verify.witness.mechanism import Array

ALLOWED, UNCERTAIN = 1e-11, 1e-8
_LAST = {"forward_dynamics": "tau", "inverse_dynamics": "a"}


@check(
    "complex step",
    compares="derivatives of forward and inverse dynamics by q (tangent), u, tau, a and parameters",
    reference="complex-step differentiation of the graphs of the functions themselves, exact to "
    "rounding (Squire and Trapp 1998)",
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
    answer = subject.call(f"{name}_{suffix}", state)
    matrices = answer if isinstance(answer, tuple) else (answer,)
    finite = all(np.isfinite(matrix).all() for matrix in matrices)
    if not finite and subject.lacks_value(f"{name}_{suffix}", state):
        return
    value = float(np.abs(rows[:, 0] * subject.call(name, state)).max(initial=0.0))
    if name == "forward_dynamics" and subject.model.is_constrained:
        # What forces would cause without constraints rounds, though the constraints leave nothing.
        forces = np.abs(state["tau"]) + np.abs(subject.call("bias", state))
        value = max(value, float((forces / weights).max(initial=0.0)))
    function = subject.derived(name)
    values = subject.symbol_values(state)
    (output,) = function.outputs
    directions = _directions(subject, state, name)
    if suffix == "parameter_derivatives":
        symbols = [parameter.symbol for parameter in subject.program.parameters]
        chosen = {"p": {symbol: np.eye(len(symbols))[k] for k, symbol in enumerate(symbols)}}
    else:
        chosen = directions  # type: ignore[assignment]
    graph = subject.program.graph
    ends = np.cumsum([matrix.size for matrix in matrices])[:-1]
    answers = zip(matrices, np.split(bounds, ends), chosen.items(), strict=True)
    for matrix, rounded, (argument, direction) in answers:
        exact = complex_step(graph, output.entries, values, direction)  # type: ignore[arg-type]
        size = float(np.abs(rows * exact).max(initial=0.0)) + value
        if size == 0:
            continue
        error = float(np.abs(rows * (matrix - exact)).max(initial=0.0)) / (size * condition)
        rounding = rounded.reshape(matrix.shape)
        doubt = float(np.abs(rows * rounding).max(initial=0.0)) / (size * condition)
        allowed = ALLOWED + min(4 * doubt, UNCERTAIN)
        yield Comparison(f"{name} by {argument}", state.label, error, allowed)


def _directions(
    subject: DerivedSubject, state: TestState, name: str
) -> dict[str, dict[int, Array]]:
    """Rates of the input symbols along each tangent direction of q, and each u, tau or a."""
    arguments = {argument.name: argument for argument in subject.derived(name).inputs}
    unit = np.eye(subject.nu)
    rates = np.array([subject.call("coordinate_rates", state, u=u) for u in unit])
    found = {"q": dict(zip(arguments["q"].entries, rates.T, strict=True))}
    for argument in ("u", _LAST[name]):
        found[argument] = dict(zip(arguments[argument].entries, unit, strict=True))
    return found
