"""Emitted C breaks none of the rules of MISRA C:2012 but those with documented reasons."""

import shutil
from pathlib import Path

import pytest
from benchmarks.misra import DEVIATIONS, SUBJECTS, Subject, broken, broken_in

DOCUMENTED = {deviation.rule for deviation in DEVIATIONS}
CHEAP = ("arm", "four_bar", "closed_loop", "quadcopter_small")

needs_cppcheck = pytest.mark.skipif(shutil.which("cppcheck") is None, reason="cppcheck is not here")


@needs_cppcheck
@pytest.mark.parametrize("name", CHEAP)
def test_case_31_documented_deviations_alone(name: str, tmp_path: Path) -> None:
    (subject,) = (s for s in SUBJECTS if s.name == name)
    found = broken(subject, tmp_path / "c")
    assert "12.1" in found  # or the addon has not run
    assert set(found) <= DOCUMENTED, found


@needs_cppcheck
def test_a_planted_fault_is_found(tmp_path: Path) -> None:
    subject = Subject("pendulum", "pendulum", "", (("functions", ("inverse_dynamics",)),))
    assert set(broken(subject, tmp_path / "c")) <= DOCUMENTED
    path = tmp_path / "c" / "pendulum.c"
    right = "    tau[0] = "
    assert right in path.read_text()
    wrong = "    if ((a[0] > 0.0) ? 1 : 0) { tau[0] = 0.0; }\n"
    path.write_text(path.read_text().replace(right, wrong + right))
    assert "14.4" in broken_in(path.parent, "PENDULUM")
