"""Accelerations and multipliers put into the equations that they solve, in 50 digits."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import mpmath
import numpy as np

from eomc.derive.graph import Argument
from eomc.verifier.arithmetic.many_digits import DIGITS, many_digits
from eomc.verifier.subject.check import Absent, Comparison, NotApplicable, check
from eomc.verifier.subject.derived_subject import DerivedSubject
from eomc.verifier.subject.states import TestState

ALLOWED = 1e-13
_STATES, _QUICK_STATES = 8, 3
_NEEDS = ("constrained_dynamics", "mass_matrix", "bias", "constraint_jacobian", "constraint_bias")
_DRIFT = ("constraint_velocity", "constraint_residual")
_AWAY, _ALPHA = 0.01, 2.5
"""Of the usual displacement and speeds, how far off the constraints; and the rate of return."""


@check(
    "multipliers",
    compares="M a + c - tau - G^T lambda and G a + g, of the derived accelerations and "
    "multipliers, with 0; off the constraints G a + g + 2 alpha (G u + b) + alpha^2 phi; where "
    "friction depends on both, inverse dynamics in the place of M a + c",
    reference=f"the equations themselves in {DIGITS}-digit arithmetic, where the state adds no "
    "rounding; what is left are the numbers of the model, multiplied and divided in double "
    "precision at derivation",
    tolerance=f"{ALLOWED:.0e} of the sum of a row's terms times the condition number of M; of "
    "G a + g with what forces would cause alone, though nothing moves that is held altogether",
)
def multipliers(subject: DerivedSubject) -> Iterator[Comparison]:
    """In some of the states where forces determine accelerations well."""
    if not subject.model.is_constrained:
        raise Absent("loops and other constraints")
    missing = [name for name in _NEEDS if name not in subject.functions]
    if missing:
        raise NotApplicable(f"no function {', '.join(missing)}")
    for state in subject.regular[: _QUICK_STATES if subject.quick else _STATES]:
        yield from _in_state(subject, state.with_values(stabilization=np.zeros(1)))
    for state in subject.regular[:1] if {*_DRIFT, "integrate"} <= subject.functions else ():
        away = subject.call("integrate", state, du=_AWAY * state["du"])
        speeds = state["u"] + _AWAY * state["du"]
        off = state.with_values(q=away, u=speeds, stabilization=np.array([_ALPHA]))
        yield from _in_state(subject, replace(off, label=f"{state.label}, off the constraints"))


def _in_state(subject: DerivedSubject, state: TestState) -> Iterator[Comparison]:
    nu = subject.nu
    tau = state["tau"]
    values = subject.symbol_values(state)
    outputs = [output for name in _NEEDS for output in subject.derived(name).outputs]
    a, forces, mass, bias, gradients, g = _exact(subject, outputs, values)
    returns = _returns(subject, state, values, len(g))
    taken: list[Any] = []
    if subject.model.has_reaction_friction:
        inverse = subject.derived("inverse_dynamics")
        given = {"a": a, "multipliers": forces}
        for port in inverse.inputs:
            values |= dict(zip(port.entries, given.get(port.name, ()), strict=False))
        (taken,) = _exact(subject, inverse.outputs, values)
    allowed = ALLOWED * subject.condition(state)
    with mpmath.workdps(DIGITS):
        for k in range(nu):
            terms = [m * x for m, x in zip(mass[nu * k : nu * (k + 1)], a, strict=True)]
            terms = [taken[k]] if taken else [*terms, bias[k]]
            terms += [-mpmath.mpf(float(tau[k]))]
            terms += [-row * x for row, x in zip(gradients[k::nu], forces, strict=True)]
            yield _vanishing("M a + c = tau + G^T lambda", state, terms, allowed)
        forces_alone = [abs(x) + abs(float(y)) for x, y in zip(bias, tau, strict=True)]
        alone = [x / (mass[k * nu + k] or 1) for k, x in enumerate(forces_alone)]
        for k, drift in enumerate(g):
            row = gradients[nu * k : nu * (k + 1)]
            terms = [entry * x for entry, x in zip(row, a, strict=True)]
            held = mpmath.fsum(abs(entry) * x for entry, x in zip(row, alone, strict=True))
            more = [drift, *returns[k]]
            yield _vanishing("G a + g = 0", state, [*terms, *more], allowed, held)


def _returns(
    subject: DerivedSubject, state: TestState, values: Mapping[int, Any], rows: int
) -> list[list[Any]]:
    """2 alpha (G u + b) and, of what holds positions, alpha^2 phi."""
    alpha = mpmath.mpf(float(state["stabilization"][0]))
    if not alpha:
        return [[] for _ in range(rows)]
    ports = [output for name in _DRIFT for output in subject.derived(name).outputs]
    with mpmath.workdps(DIGITS):
        rates, residuals = _exact(subject, ports, values)
        of = dict(zip(ports[1].rows, residuals, strict=True))
        return [
            [2 * alpha * rate, alpha * alpha * of.get(name, 0)]
            for name, rate in zip(ports[0].rows, rates, strict=True)
        ]


def _exact(
    subject: DerivedSubject, outputs: Sequence[Argument], values: Mapping[int, Any]
) -> Iterator[list[Any]]:
    """Entries of each output in many digits."""
    nodes = [node for output in outputs for node in output.entries]
    exact = iter(many_digits(subject.program.graph, nodes, values))
    return ([next(exact) for _ in output.entries] for output in outputs)


def _vanishing(
    what: str, state: TestState, terms: list[Any], allowed: float, more: Any = 0
) -> Comparison:
    """The sum of terms, of that of their sizes and of `more`."""
    size = more + mpmath.fsum(abs(term) for term in terms)
    error = float(abs(mpmath.fsum(terms)) / size) if size else 0.0
    return Comparison(what, state.label, error, allowed)
