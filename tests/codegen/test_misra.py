"""The check of MISRA C:2012, by which an acceptance case asks, finds what is wrong."""

from pathlib import Path

import pytest

from eomc_published.boards.misra import DEVIATIONS, MISSING, broken, broken_in, example

DOCUMENTED = {deviation.rule for deviation in DEVIATIONS}


@pytest.mark.skipif(bool(MISSING), reason=MISSING)
def test_a_planted_fault_is_found(tmp_path: Path) -> None:
    subject = example("pendulum", "pendulum", "", functions=("inverse_dynamics",))
    assert set(broken(subject, tmp_path / "c")) <= DOCUMENTED
    path = tmp_path / "c" / "pendulum.c"
    right = "    tau[0] = "
    assert right in path.read_text()
    wrong = "    if ((a[0] > 0.0) ? 1 : 0) { tau[0] = 0.0; }\n"
    path.write_text(path.read_text().replace(right, wrong + right))
    assert "14.4" in broken_in(path.parent, ("pendulum",))
