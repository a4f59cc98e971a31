"""Acceptance cases of the multi-arm space free-flyers; each test id carries the case's number."""

import pytest
from reference.acceptance import acceptance

from eomc.systems.reference import Case, reference

REFERENCE = reference("moosavian")


@pytest.mark.parametrize("case", acceptance(REFERENCE))
def test_acceptance(case: Case) -> None:
    outcome = case.run()
    assert outcome.passed, outcome.failures


def test_no_case_is_left_out() -> None:
    numbers = [case.number for case in REFERENCE.cases]
    assert numbers == list(range(1, numbers[-1] + 1)) and numbers[-1] >= 31


def test_reconstructed_values_are_marked() -> None:
    marked = {case.number for case in REFERENCE.cases if case.provenance == "reconstructed"}
    assert {6, 7, 17, 20, 23, 29, 31} <= marked
