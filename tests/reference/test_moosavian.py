"""Acceptance cases of the multi-arm space free-flyers; each test id carries the case's number."""

import re

import pytest

from eomc.systems.reference import Case, reference

REFERENCE = reference("moosavian")


def _case(case: Case) -> object:
    words = re.sub(r"[^a-z0-9]+", "_", case.title.lower()).strip("_")
    marks = (pytest.mark.slow,) if case.slow else ()
    return pytest.param(case, id=f"case_{case.number:02d}_{words}", marks=marks)


@pytest.mark.parametrize("case", [_case(case) for case in REFERENCE.cases])
def test_acceptance(case: Case) -> None:
    outcome = case.run()
    assert outcome.passed, outcome.failures


def test_cases_1_to_18_are_there() -> None:
    assert [case.number for case in REFERENCE.cases][:18] == list(range(1, 19))


def test_reconstructed_values_are_marked() -> None:
    marked = {case.number for case in REFERENCE.cases if case.provenance == "reconstructed"}
    assert {6, 7, 17} <= marked
