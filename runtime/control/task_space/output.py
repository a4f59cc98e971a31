"""Outputs of a model that a task controls: place, rate, Jacobian and drift.

    y = y(q),    y' = J u,    y'' = J u' + J' u

An output is one file beside this one: a frozen record with `size`, `begin`, which binds it to a
model, and `deviation`, which says how far it is from where it should be. Written in the operations
`by` of difference equations they serve numbers and emitted C alike.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple, Protocol

from eomc.binding.arrays import Array
from eomc.runtime.difference import Numeric, Operations
from eomc.runtime.model.compiled import CompiledModel

Ask = Callable[[str], Array]
"""A function of the model by name, at the time and state that are looked at."""

NUMERIC: Operations = Numeric()
"""Operations on numbers, by default."""


class OutputState(NamedTuple):
    """An output in a state.

    y : (m,), of attitudes another number; what `deviation` compares
    rate : (m,) y' = J u, with what prescribed coordinates add
    jacobian : (m, nu) J
    drift : (m,) J' u, what y'' is without u'
    """

    y: Array
    rate: Array
    jacobian: Array
    drift: Array


class See(Protocol):
    """A function that evaluates an output in a state."""

    def __call__(self, ask: Ask, at: Mapping[str, Any], by: Operations = NUMERIC, /) -> OutputState:
        """The output at what is asked for."""
        ...


class OutputReference(NamedTuple):
    """Wanted place of an output, its rate and acceleration."""

    y: Array
    rate: Array
    acceleration: Array


class OutputError(NamedTuple):
    """e, e' and the acceleration that is wanted, (m,) each, in the axes of the output's rate."""

    e: Array
    rate: Array
    acceleration: Array


class TaskOutput(Protocol):
    """One output of a task."""

    def names(self, model: CompiledModel) -> tuple[str, ...]:
        """Names of the rows of the rate; refuses what the model has not (ValueError)."""
        ...

    @property
    def size(self) -> int:
        """Number of entries of y, which differs from the rate's where y is an attitude."""
        ...

    def begin(self, model: CompiledModel) -> See:
        """The output of `model`: a function of what the model answers, of q, u and a = 0, and of
        the operations."""
        ...

    def deviation(
        self, seen: OutputState, wanted: OutputReference, by: Operations = NUMERIC
    ) -> OutputError:
        """Deviation of the output from its wanted place and rate."""
        ...


def plain_deviation(seen: OutputState, wanted: OutputReference) -> OutputError:
    """e = y_d - y,   e' = y_d' - y'"""
    return OutputError(wanted.y - seen.y, wanted.rate - seen.rate, wanted.acceleration)
