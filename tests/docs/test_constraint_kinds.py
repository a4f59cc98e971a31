"""The page on constraints lists what can be declared."""

from __future__ import annotations

from pathlib import Path

import pytest

from eomc.derive.constraints import CONSTRAINTS

PAGE = (Path(__file__).parents[2] / "docs" / "constraints.md").read_text()


@pytest.mark.parametrize("kind", list(CONSTRAINTS))
def test_every_kind_of_constraint_has_its_row(kind: str) -> None:
    rows = [line.split("|")[1] for line in PAGE.splitlines() if line.startswith("|")]
    assert sum(f"`{kind}`" in row for row in rows) == 1
