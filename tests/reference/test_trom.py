"""Acceptance cases of automated linearization; each test id carries the case's number."""

import re

import pytest

from eomc.systems.reference import Case, reference

REFERENCE = reference("trom")


def _case(case: Case) -> object:
    words = re.sub(r"[^a-z0-9]+", "_", case.title.lower()).strip("_")
    marks = (pytest.mark.slow,) if case.slow else ()
    return pytest.param(case, id=f"case_{case.number:02d}_{words}", marks=marks)


@pytest.mark.parametrize("case", [_case(case) for case in REFERENCE.cases])
def test_acceptance(case: Case) -> None:
    outcome = case.run()
    if outcome.skipped:
        pytest.skip(case.unavailable)
    assert outcome.passed, outcome.failures


def test_only_the_lost_chain_is_skipped() -> None:
    assert [case.number for case in REFERENCE.cases if case.unavailable] == [23]


def test_reconstructed_values_are_marked() -> None:
    marked = {case.number for case in REFERENCE.cases if case.provenance == "reconstructed"}
    assert {17, 19, 21, 22, 31, 32, 35} <= marked
