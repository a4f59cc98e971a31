"""Acceptance cases of model files of other programs; each test id carries the case's number."""

import pytest
from reference.acceptance import acceptance

from eomc_published import Case, reference

for package in ("mujoco", "gymnasium", "xacro", "yourdfpy"):
    pytest.importorskip(package, reason=f"the package {package} is not installed")

REFERENCE = reference("formats")


@pytest.mark.parametrize("case", acceptance(REFERENCE))
def test_acceptance(case: Case) -> None:
    outcome = case.run()
    assert outcome.passed, outcome.failures
