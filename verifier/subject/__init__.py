"""The model under check in its states, and what a check says of it."""

from eomc.verifier.subject.check import (
    Absent,
    Check,
    CheckOutcome,
    Comparison,
    NotApplicable,
    check,
    checks_in,
)
from eomc.verifier.subject.derived_subject import DerivedSubject
from eomc.verifier.subject.states import TestState, test_states
from eomc.verifier.subject.subject import Subject

__all__ = [
    "Absent",
    "Check",
    "CheckOutcome",
    "Comparison",
    "DerivedSubject",
    "NotApplicable",
    "Subject",
    "TestState",
    "check",
    "checks_in",
    "test_states",
]
