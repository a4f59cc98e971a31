"""Is a compiled model right? Checks that need nothing but the module (and its declaration).

`run` makes every check of `eomc.runtime.verify.checks`; `eomc.verify` adds those that look into the
derivation, and writes reports.
"""

from __future__ import annotations

from collections.abc import Iterable

from eomc.runtime.compiled import CompiledModel
from eomc.runtime.verify.check import Check, Comparison, NotApplicable, Outcome, check, checks_in
from eomc.runtime.verify.mechanism import Mechanism
from eomc.runtime.verify.states import TestState, test_states
from eomc.runtime.verify.subject import Subject

__all__ = [
    "Check",
    "Comparison",
    "Mechanism",
    "NotApplicable",
    "Outcome",
    "Subject",
    "TestState",
    "check",
    "checks_in",
    "run",
    "runtime_checks",
    "test_states",
]


def runtime_checks() -> list[Check]:
    """The checks of this room."""
    from eomc.runtime.verify import checks

    return checks_in(checks)


def run(
    model: CompiledModel,
    *,
    states: int = 16,
    seed: int = 0,
    mechanism: Mechanism | None = None,
    checks: Iterable[Check] | None = None,
) -> list[Outcome]:
    """Outcomes of the checks of this room on a compiled model; nothing else is needed for them.

    Parameters
    ----------
    states : int
        Number of random states, besides the edge states.
    seed : int
        Of the random states.
    mechanism : Mechanism, optional
        The model in numbers; without it the checks against Newton's and Euler's equations are
        skipped.
    """
    subject = Subject(model, test_states(model, states, seed), mechanism=mechanism, seed=seed)
    return [check.outcome(subject) for check in (runtime_checks() if checks is None else checks)]
