"""Acceptance cases of robust regulators; each test id carries the case's number."""

import pytest
from reference.acceptance import acceptance

from eomc_published import Case, reference

REFERENCE = reference("robust")


@pytest.mark.parametrize("case", acceptance(REFERENCE))
def test_acceptance(case: Case) -> None:
    outcome = case.run()
    assert outcome.passed, outcome.failures
