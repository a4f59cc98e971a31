"""Code in single precision against the graph in many digits."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from eomc.verifier.arithmetic.many_digits import DIGITS
from eomc.verifier.arithmetic.rounding import SINGLE_UNIT
from eomc.verifier.checks.derived.emitted import compared_with_graph
from eomc.verifier.subject.check import Comparison, check
from eomc.verifier.subject.derived_subject import DerivedSubject
from eomc.verifier.subject.states import TestState


@check(
    "single precision",
    compares="every output of every function of the module built with real='float'",
    reference=f"the same graph in {DIGITS}-digit arithmetic; inputs and parameters are the same "
    "floats",
    tolerance="error in ulp of single precision; allowed is twice the bound of the running error "
    "analysis with rounding by 2^-24",
    thorough=True,
)
def single_precision(subject: DerivedSubject) -> Iterator[Comparison]:
    """In every state, rounded to floats."""
    yield from compared_with_graph(in_single_precision(subject), SINGLE_UNIT)


def in_single_precision(subject: DerivedSubject, **shape: Any) -> DerivedSubject:
    """The same with floats for numbers, states and parameters rounded to such."""
    other = subject.beside(real="float", **shape)
    other.states, other.undefined = [_rounded(state) for state in other.states], []
    floats = [replace(p, default=float(np.float32(p.default))) for p in other.program.parameters]
    other.program = replace(other.program, parameters=tuple(floats))
    return other


def _rounded(state: TestState) -> TestState:
    floats = {name: np.asarray(value, np.float32) for name, value in state.values.items()}
    return state.with_values(**{name: value.astype(float) for name, value in floats.items()})
