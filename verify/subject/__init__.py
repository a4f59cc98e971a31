"""The model under check in its states, and what a check says of it."""

from eomc.verify.subject.check import (
    Absent,
    Check,
    CheckOutcome,
    Comparison,
    NotApplicable,
    check,
    checks_in,
)
from eomc.verify.subject.derived_subject import DerivedSubject
from eomc.verify.subject.states import TestState, test_states
from eomc.verify.subject.subject import Subject

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
