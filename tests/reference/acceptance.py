"""The cases of one reference as parameters of a test."""

from __future__ import annotations

import re

import pytest

from eomc_published import Case, PublishedWork


def acceptance(reference: PublishedWork) -> list[object]:
    """Every case, its number and title in the test's id.

    Slow ones are marked so; one that is unavailable is skipped, with its reason.
    """
    return [_parameter(case) for case in reference.cases]


def _parameter(case: Case) -> object:
    words = re.sub(r"[^a-z0-9]+", "_", case.title.lower()).strip("_")
    marks = [pytest.mark.published]
    if case.slow:
        marks.append(pytest.mark.slow)
    if case.unavailable:
        marks.append(pytest.mark.skip(reason=case.unavailable))
    return pytest.param(case, id=f"case_{case.number:02d}_{words}", marks=marks)
