"""The compiled C code against the graph in 50-digit arithmetic."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import mpmath
import numpy as np

from eomc.binding.arrays import Array
from eomc.derive.graph import Function, operation_count, reachable
from eomc.verifier.arithmetic.many_digits import DIGITS
from eomc.verifier.arithmetic.rounding import UNIT, error_bounds
from eomc.verifier.subject.check import Comparison, check
from eomc.verifier.subject.derived_subject import DerivedSubject
from eomc.verifier.subject.states import TestState, far_turned

_SAFETY = 2.0  # for C libraries whose functions err by more than two units
_MOST = 12_000_000
"""Operations in many digits, some five microseconds each: of large programs not in every state."""


@check(
    "emitted C",
    compares="every output of every compiled function, which states it refuses; also in a batch "
    "if batches run on vectors",
    reference=f"the same graph in {DIGITS}-digit arithmetic; inputs are the same doubles",
    tolerance="error in ulp = |C - exact| / (eps max |exact| of the output); allowed is twice "
    "the bound of a running error analysis of the graph in that state, which no correct evaluation "
    "in double precision exceeds (Higham 2002, sec. 3.3); of functions in loops, whose entries "
    "cancel in another order, the largest such bound of the output, times the operations that "
    "loops take for one of the graph, where numbers of links are folded",
)
def emitted(subject: DerivedSubject) -> Iterator[Comparison]:
    """The entry of each function that is nearest to its bound, in every state."""
    return compared_with_graph(subject, UNIT)


def compared_with_graph(subject: DerivedSubject, unit: float) -> Iterator[Comparison]:
    """The comparison for arithmetic that rounds by `unit`."""
    graph = subject.program.graph
    functions = subject.program.functions
    nodes = sorted({node for function in functions for node in function.nodes})
    states = [*subject.states, *subject.undefined]
    if states:
        states += far_turned(subject.model, states[0], subject.seed)
    states = _affordable(subject, states, nodes)
    inputs = [subject.symbol_values(state) for state in states]
    batch = {key: np.array([values[key] for values in inputs]) for key in inputs[0]}
    bounds = error_bounds(graph, nodes, batch, unit)
    ulps: dict[str, list[float]] = {function.name: [] for function in functions}
    subject.figures["ulps"] = ulps
    for place, state in enumerate(states):
        exact = subject.exact(nodes, inputs[place])
        for function in functions:
            if function.nodes and all(exact[node] is None for node in function.nodes):
                continue  # no number in exact arithmetic either
            limits = {
                node: float(np.broadcast_to(bounds[node], (len(states),))[place])
                for node in function.nodes
            }
            if function.rolled:
                limits |= _in_loops(subject, function, limits)
            comparison = _compared(subject, function, state, exact, limits, unit)
            if comparison.allowed > 0:
                ulps[function.name].append(comparison.error)
            yield replace(comparison, of=f"function {function.name}")


def _affordable(
    subject: DerivedSubject, states: list[TestState], nodes: list[int]
) -> list[TestState]:
    """All states, or so many of them, taken evenly, that their exact values are found in a minute;
    the report tells it."""
    size = len(reachable(subject.program.graph, nodes))
    stride = -(-size * len(states) // _MOST)
    if stride <= 1:
        return states
    chosen = states[::stride]
    subject.tell(
        f"{DIGITS}-digit arithmetic in {len(chosen)} of {len(states)} states, for there are {size} "
        "operations"
    )
    return chosen


def _in_loops(
    subject: DerivedSubject, function: Function, limits: dict[int, float]
) -> dict[int, float]:
    """For every entry the largest limit of its output, as often as loops take more operations.

    They compute what the graph has folded, numbers of links; entries may stand in several outputs.
    """
    unrolled = sum(operation_count(subject.program.graph, function.nodes).values())
    more = max(1.0, subject.model.operations_of(function.name) / max(unrolled, 1))
    found: dict[int, float] = {}
    for output in function.outputs:
        largest = max((limits[node] for node in output.entries), default=0.0)
        for node in output.entries:
            found[node] = max(found.get(node, 0.0), more * largest)
    return found


def _compared(
    subject: DerivedSubject,
    function: Function,
    state: TestState,
    exact: dict[int, Any],
    limits: dict[int, float],
    unit: float,
) -> Comparison:
    guards = [guard.node for guard in function.guards]
    # Below zero by more than rounding: the function must refuse; above: it must not.
    numbers = [node for node in guards if exact[node] is not None]
    must_refuse = any(exact[node] < -limits[node] for node in numbers)
    may_refuse = len(numbers) < len(guards) or any(exact[n] <= limits[n] for n in numbers)
    try:
        results = [subject.call(function.name, state)]
        if subject.model.manifest.get("lanes", 1) > 1:
            results.append(_from_batch(subject, function, state))
    except FloatingPointError:
        return Comparison(
            f"{function.name} refuses", state.label, 0.0 if may_refuse else np.inf, 0.0
        )
    if must_refuse:
        return Comparison(f"{function.name} should refuse", state.label, np.inf, 0.0)
    if may_refuse and len(numbers) == len(guards):
        # Singular within rounding: what is left of a pivot is noise, and so is the result.
        return Comparison(f"{function.name} may refuse", state.label, 0.0, 0.0)
    worst = Comparison(function.name, state.label, 0.0, 1.0)
    for got in results:
        arrays = got if isinstance(got, tuple) else (got,)
        for argument, array in zip(function.outputs, arrays, strict=True):
            values = np.ravel(array)
            candidate = _output(
                function.name, state, values, tuple(argument.entries), exact, limits, unit
            )
            if candidate.ratio >= worst.ratio:
                worst = candidate
    return worst


def _from_batch(subject: DerivedSubject, function: Function, state: TestState) -> Any:
    """The second result of a batch of the same state twice."""
    inputs = [np.asarray(state.values[argument.name]) for argument in function.inputs]
    if not inputs:
        return subject.call(function.name, state)
    batch = [np.stack([value, value]) for value in inputs]
    got = subject.model.function(function.name)(*batch)
    return tuple(array[1] for array in got) if isinstance(got, tuple) else got[1]


def _output(
    name: str,
    state: TestState,
    got: Array,
    entries: tuple[int, ...],
    exact: dict[int, Any],
    limits: dict[int, float],
    unit: float,
) -> Comparison:
    """The entry nearest to its bound, in ulp of the largest entry of the output; what has no number
    in exact arithmetic either is passed over."""
    scale = max((float(abs(exact[n])) for n in entries if exact[n] is not None), default=None)
    if scale is None:
        return Comparison(name, state.label, 0.0, 1.0)
    ulp = 2 * unit * scale if scale > 0 else unit
    least = 4 * (5e-324 if unit == UNIT else 1.4e-45)
    worst = Comparison(name, state.label, 0.0, 1.0)
    for value, node in zip(got, entries, strict=True):
        if exact[node] is None:
            continue
        finite = bool(np.isfinite(value))
        error = float(abs(mpmath.mpf(float(value)) - exact[node])) if finite else np.inf
        # A result so small that it has no full precision rounds to the smallest number.
        allowed = _SAFETY * limits[node] + least
        if not finite and np.isinf(allowed):
            continue
        candidate = Comparison(name, state.label, error / ulp, allowed / ulp)
        if candidate.ratio >= worst.ratio:
            worst = candidate
    return worst
