"""Derivatives of forward and inverse dynamics against differences of the nonlinear functions."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from eomc.runtime.derivatives.differences import derivative, has_kink
from eomc.verify.subject.check import Comparison, NotApplicable, check
from eomc.verify.subject.states import TestState
from eomc.verify.subject.subject import Subject
from eomc.verify.witness.mechanism import Array

ALLOWED, UNCERTAIN = 1e-8, 1e-5
_FUNCTIONS = {"forward_dynamics": ("q", "u", "tau"), "inverse_dynamics": ("q", "u", "a")}
_STATES, _QUICK_STATES = 12, 4


@check(
    "linearization",
    compares="exact derivatives of forward and inverse dynamics by q (tangent), u, tau and a",
    reference="extrapolated central differences of the compiled nonlinear functions",
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
    exact = subject.call(f"{name}_derivatives", state)
    finite = all(np.isfinite(matrix).all() for matrix in exact)
    if not finite and subject.lacks_value(f"{name}_derivatives", state):
        return
    value = float(np.abs(rows * subject.call(name, state)).max(initial=0.0))
    for matrix, argument in zip(exact, _FUNCTIONS[name], strict=True):
        errors, doubts = [0.0], [0.0]
        size = float(np.abs(rows[:, None] * matrix).max(initial=0.0)) + value
        for direction, column in zip(np.eye(subject.nu), matrix.T, strict=True):
            scale = _scale(state, argument)

            def moved(h: float, d=direction, a=argument, s=scale) -> Array:  # type: ignore[no-untyped-def]
                return rows * _moved(subject, state, name, a, h * s * d)

            slope, doubt = derivative(moved)
            error = float(np.abs(slope / scale - rows * column).max())
            if error > ALLOWED * size and has_kink(moved):
                continue  # a switch of a law lies right here: there is no derivative
            if error > ALLOWED * size:
                # The second derivative may jump right here, as that of creep which is cut down.
                bent, surer = derivative(moved, bent=True)
                if surer.max() < doubt.max():
                    error, doubt = float(np.abs(bent / scale - rows * column).max()), surer
            errors.append(error)
            doubts.append(float(doubt.max()) / scale)
        if size == 0:
            continue
        allowed = ALLOWED + min(4 * float(np.max(doubts)) / size, UNCERTAIN)
        what = f"{name} by {argument}"
        yield Comparison(what, state.label, float(np.max(errors)) / size, allowed)


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
