"""Acceptance cases of automated linearization; each test id carries the case's number."""

import pytest
from reference.acceptance import acceptance

from eomc_published import Case, reference

REFERENCE = reference("trom")


@pytest.mark.parametrize("case", acceptance(REFERENCE))
def test_acceptance(case: Case) -> None:
    outcome = case.run()
    assert outcome.passed, outcome.failures


def test_only_the_lost_chain_is_skipped() -> None:
    assert [case.number for case in REFERENCE.cases if case.unavailable] == [23]


def test_reconstructed_values_are_marked() -> None:
    marked = {case.number for case in REFERENCE.cases if case.provenance == "reconstructed"}
    assert {17, 19, 21, 22, 31, 32, 35} <= marked
