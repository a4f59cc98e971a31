"""Examples with loops open in a state that closes."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import eomc

MODELS = sorted((Path(__file__).parents[2] / "examples" / "models").glob("*.toml"))
CONSTRAINED = [path for path in MODELS if eomc.equations(eomc.load(path)).redundancy().rows]


def test_there_are_loops_among_them() -> None:
    assert "four_bar" in [path.stem for path in CONSTRAINED]


@pytest.mark.parametrize("path", CONSTRAINED, ids=lambda path: path.stem)
def test_the_start_of_an_example_closes(path: Path) -> None:
    model = eomc.build(eomc.load(path))
    start = eomc.assemble(model)
    assert start.steps == 0
    assert np.abs(start.residual).max() < 1e-14
    assert eomc.simulate(model, t_span=0.1, step=0.05).count == 3  # from there, without assembly
