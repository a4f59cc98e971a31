"""Checks of a compiled module alone: neither derivation nor SymPy is needed."""

from __future__ import annotations

from eomc.runtime.model.compiled import CompiledModel
from eomc.verifier.arithmetic.small_matrices import small_matrices
from eomc.verifier.checks import compiled
from eomc.verifier.subject import Check, CheckOutcome, Subject, checks_in, test_states


def compiled_checks() -> list[Check]:
    """The checks that need nothing but the module."""
    return checks_in(compiled)


def run(model: CompiledModel, *, states: int = 16, seed: int = 0) -> list[CheckOutcome]:
    """Check a compiled model; what compares with its declaration is skipped.

    Parameters
    ----------
    states : int
        Number of random states, besides the edge states.
    seed : int
        Of the random states.
    """
    subject = Subject(model, test_states(model, states, seed), seed=seed)
    with small_matrices():
        return [check.outcome(subject) for check in compiled_checks()]
