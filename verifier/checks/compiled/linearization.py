"""Derivatives of forward and inverse dynamics against differences of the nonlinear functions."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from eomc.binding.arrays import Array
from eomc.runtime.derivatives.differences import derivative, has_kink, power_derivative
from eomc.verifier.subject.check import Comparison, NotApplicable, check
from eomc.verifier.subject.soiled_memory import known, lost, without_refusal
from eomc.verifier.subject.states import TestState
from eomc.verifier.subject.subject import Subject

ALLOWED, UNCERTAIN, SURE = 1e-8, 1e-5, 1e-2
_FUNCTIONS = {"forward_dynamics": ("q", "u", "tau"), "inverse_dynamics": ("q", "u", "a")}
_STATES, _QUICK_STATES = 12, 4


@check(
    "linearization",
    compares="exact derivatives of forward and inverse dynamics by q (tangent), u, tau and a",
    reference="extrapolated central differences of the compiled nonlinear functions, one-sided "
    "ones at kinks; what is not finite where they are is a breach",
    tolerance=f"{ALLOWED:.0e} of the largest entry of the matrix, rows weighted to one unit, and "
    f"four times the differences' estimate of their error, at most {UNCERTAIN:.0e} of it",
)
def linearization(subject: Subject) -> Iterator[Comparison]:
    """In a selection of states: every second edge state and the first random ones."""
    functions = [
        name
        for name in _FUNCTIONS
        if {name, f"{name}_derivatives"} <= subject.functions and (name in subject.functions)
    ]
    if not functions:
        raise NotApplicable("no function derivatives")
    for name in functions:
        states = subject.regular if name == "forward_dynamics" else subject.states
        for state in _selected(states, _QUICK_STATES if subject.quick else _STATES):
            yield from _in_state(subject, state, name)


def _selected(states: list[TestState], count: int) -> list[TestState]:
    """Edge states and random states, about half and half."""
    edges = [state for state in states if not state.label[-1].isdigit()]
    drawn = [state for state in states if state.label[-1].isdigit()]
    chosen = edges[: count // 2]
    return [*chosen, *drawn[: count - len(chosen)]]


def _in_state(subject: Subject, state: TestState, name: str) -> Iterator[Comparison]:
    weights = subject.mass_weights(state)
    rows = weights if name == "forward_dynamics" else 1 / weights
    shapes = [(subject.nu, subject.nu)] * len(_FUNCTIONS[name])
    exact, refusal = without_refusal(lambda: subject.call(f"{name}_derivatives", state), shapes)
    value = float(np.abs(rows * subject.call(name, state)).max(initial=0.0))
    if name == "forward_dynamics" and subject.model.is_constrained:
        # What forces would cause without constraints rounds, though the constraints leave nothing.
        forces = np.abs(state["tau"]) + np.abs(subject.call("bias", state))
        value = max(value, float((forces / weights).max(initial=0.0)))
    is_whole = True
    for matrix, argument in zip(exact, _FUNCTIONS[name], strict=True):
        errors, doubts, scale = [0.0], [0.0], _scale(state, argument)
        weighted = rows[:, None] * matrix
        size = float(np.abs(weighted[np.isfinite(weighted)]).max(initial=0.0)) + value
        expected = np.full(matrix.shape, np.inf)
        for k, (direction, column) in enumerate(zip(np.eye(subject.nu), weighted.T, strict=True)):

            def moved(h: float, d=direction, a=argument, s=scale) -> Array:  # type: ignore[no-untyped-def]
                return rows * _moved(subject, state, name, a, h * s * d)

            try:
                wanted, doubt = _slope(moved, scale * column, scale * ALLOWED * size)
            except FloatingPointError:  # a step leads where there is no value
                wanted, doubt = np.full(subject.nu, np.inf), 0.0
            expected[:, k] = wanted
            got, slope = known(scale * column, wanted)
            errors.append(float(np.abs(got - slope).max(initial=0.0)) / scale)
            doubts.append(doubt / scale)
        is_whole = is_whole and bool(np.isfinite(expected).all())
        what = f"{name} by {argument}"
        if not refusal:
            yield from lost(subject, state, what, matrix, expected)
        if size > 0 and not refusal:
            allowed = ALLOWED + min(4 * float(np.max(doubts)) / size, UNCERTAIN)
            yield Comparison(what, state.label, float(np.max(errors)) / size, allowed)
    if refusal and is_whole:
        yield Comparison(f"refused: {refusal}", state.label, np.inf, ALLOWED)


def _slope(moved: Callable[[float], Array], column: Array, near: float) -> tuple[Array, float]:
    """Slopes by differences, and their doubt; at a kink the numbers of the column that lie between
    those on both sides; infinite where differences do not tell."""
    slope, doubt = derivative(moved)
    with np.errstate(invalid="ignore"):
        if bool((np.abs(slope - column) <= near).all()):
            return slope, float(doubt.max())
        sure = np.isfinite(column)
        if has_kink(moved):  # a switch of a law lies right here
            (low, one), (high, other) = (derivative(moved, side=side) for side in (-1, 1))
            doubt = np.maximum(one, other)
            room = 4 * doubt  # as of slopes that have no kink
            inside = np.clip(column, np.minimum(low, high) - room, np.maximum(low, high) + room)
            slope, sure = np.where(sure, inside, (low + high) / 2), np.zeros_like(sure)
        else:
            # The second derivative may jump right here, as that of creep which is cut down.
            others = [derivative(moved, bent=True), power_derivative(moved)]
            slope, doubt = min([(slope, doubt), *others], key=lambda found: found[1].max())
        told = sure | (doubt <= SURE * (1 + np.abs(slope)))
    return np.where(told, slope, np.inf), float(doubt[told].max(initial=0.0))


def _scale(state: TestState, argument: str) -> float:
    """Length of a step: larger for forces, in which the functions are linear."""
    if argument == "q":
        return 1.0
    return max(1.0, float(np.abs(state[argument]).max(initial=0.0)))


def _moved(subject: Subject, state: TestState, name: str, argument: str, step: Array) -> Array:
    if argument == "q":
        moved = {"q": subject.call("integrate", state, du=step)}
    else:
        moved = {argument: state[argument] + step}
    answer: Array = subject.call(name, state, **moved)
    return answer
