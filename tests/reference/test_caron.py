"""Acceptance cases of the flexible manipulators; each test id carries the case's number."""

import re

import pytest

from eomc.systems.reference import Case, reference

REFERENCE = reference("caron")


def _case(case: Case) -> object:
    words = re.sub(r"[^a-z0-9]+", "_", case.title.lower()).strip("_")
    marks = (pytest.mark.slow,) if case.slow else ()
    return pytest.param(case, id=f"case_{case.number:02d}_{words}", marks=marks)


@pytest.mark.parametrize("case", [_case(case) for case in REFERENCE.cases])
def test_acceptance(case: Case) -> None:
    outcome = case.run()
    assert outcome.passed, outcome.failures
