"""Acceptance cases of studies; each test id carries the case's number."""

import pytest
from reference.acceptance import acceptance

from eomc_published import Case, reference


@pytest.mark.parametrize("case", acceptance(reference("studies")))
def test_acceptance(case: Case) -> None:
    outcome = case.run()
    assert outcome.passed, outcome.failures
