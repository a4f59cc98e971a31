"""Acceptance cases of the articulated truss crane; each test id carries the case's number."""

from pathlib import Path

import pytest
from reference.acceptance import acceptance

from eomc_published import Case, reference

REFERENCE = reference("boutin")


@pytest.mark.parametrize("case", acceptance(REFERENCE))
def test_acceptance(case: Case) -> None:
    outcome = case.run()
    assert outcome.passed, outcome.failures


def test_every_figure_of_results() -> None:
    numbers = {figure.name.removeprefix("figure-8-") for figure in REFERENCE.figures}
    whole = {str(k) for k in range(1, 23)} - {"13", "20", "21"}
    assert numbers == whole | {"13a", "13b", "20a", "20b", "21a", "21b"}
    assert all(figure.cases for figure in REFERENCE.figures)


@pytest.mark.parametrize("number", ["2", "8"])
def test_figures_that_take_no_run(number: str, tmp_path: Path) -> None:
    (figure,) = (f for f in REFERENCE.figures if f.name == f"figure-8-{number}")
    figure.draw(tmp_path / "figure.png")
    assert (tmp_path / "figure.png").stat().st_size > 10000


def test_reconstructed_values_are_marked() -> None:
    marked = {case.number for case in REFERENCE.cases if case.provenance == "reconstructed"}
    assert {12, 16, 17, 21, *range(23, 26), 27, 28, *range(30, 34)} <= marked
