"""What a case says about itself, and that a wrong value fails."""

import json
import math

import pytest

from eomc_published import Case, PublishedWork, agrees, at_most, holds, names, reference
from eomc_published.work import UnknownReferenceError


def test_agrees_within_its_tolerance_only() -> None:
    assert agrees("x", 1.0, 1.0 + 9e-7, 1e-6).passed
    assert not agrees("x", 1.0, 1.0 + 2e-6, 1e-6).passed
    assert agrees("x", [1e6, 1.0], [1e6, 1.5], 1e-6, relative=True).passed
    assert not agrees("x", [1.0, 2.0], [1.0, math.nan], 1.0).passed
    with pytest.raises(ValueError, match="shape"):
        agrees("x", [1.0, 2.0], [1.0], 1.0)


def test_bounds_and_statements() -> None:
    assert at_most("drift", 1e-9, 1e-8).passed
    assert not at_most("drift", 2e-8, 1e-8).passed
    assert not at_most("drift", math.nan, 1e-8).passed
    assert not holds("sign", "positive", "-1", False).passed


def _reference(*passed: bool) -> PublishedWork:
    def case(number: int, good: bool) -> Case:
        return Case(
            number, "title", "page 1", "how", lambda: [at_most("x", 0.0 if good else 2.0, 1.0)]
        )

    cases = tuple(case(i, good) for i, good in enumerate(passed, 1))
    return PublishedWork("sample", "Sample", "A. Author", cases)


def test_one_failing_check_fails_the_case() -> None:
    good, bad = (case.run() for case in _reference(True, False).cases)
    assert good.verdict == "pass"
    assert bad.verdict == "fail"
    assert "expected <= 1" in bad.failures


def test_a_case_without_checks_fails() -> None:
    assert not Case(1, "title", "page 1", "how", list).run().passed


def test_outcomes_are_json() -> None:
    outcome = _reference(True).cases[0].run()
    entry = json.loads(json.dumps(outcome.as_dict(), allow_nan=False))
    assert entry["case"] == 1
    assert entry["verdict"] == "pass"


def test_selection_names_what_there_is() -> None:
    sample = _reference(True, True)
    assert [case.number for case in sample.select([2])] == [2]
    with pytest.raises(UnknownReferenceError, match="has no case 7; there are 1-2"):
        sample.select([7])
    with pytest.raises(
        UnknownReferenceError, match=r"no reference 'nobody'; there are: .*moosavian"
    ):
        reference("nobody")
    assert "moosavian" in names()


def test_cases_are_not_evaluated_before_they_run() -> None:
    def never() -> list[object]:
        raise AssertionError("evaluated")

    case = Case(1, "title", "page 1", "how", never)  # type: ignore[arg-type]
    sample = PublishedWork("sample", "Sample", "A. Author", (case,))
    assert sample.select() == (case,)


def test_a_case_without_data_is_skipped_not_passed() -> None:
    case = Case(1, "title", "page 1", "how", list, unavailable="the figure is lost")
    outcome = case.run()
    assert outcome.verdict == "skipped"
    assert not outcome.passed and not outcome.failed
    assert outcome.as_dict()["reason"] == "the figure is lost"
