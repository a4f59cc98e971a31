"""The page on systems of SymPy tells what works for which kind; every cell of its table is tried.

What works must give what it gives for the same physics declared as a tree of bodies.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from lagrange.procedures import PROCEDURES, Rough, Subject
from lagrange.same_physics import SYSTEMS

import eomc
from eomc.derive.functions.registry import KINDS

pytestmark = pytest.mark.variants

PAGE = Path(__file__).parents[2] / "docs" / "lagrangian.md"
LINES = [line for line in PAGE.read_text(encoding="utf-8").splitlines() if line.startswith("| `")]
CELLS = [
    (name, column, cell.strip())
    for first, *cells in (line.strip("|").split("|") for line in LINES)
    for name in re.findall("`([^`]*)`", first)
    for column, cell in zip(SYSTEMS, cells, strict=True)
]
SLOW = ("verify", "eomc verify")
SUBJECTS = {column: Subject(make) for column, make in SYSTEMS.items()}


def test_everything_has_its_row() -> None:
    names = [name for name, column, _ in CELLS if column == "Model"]
    assert sorted(names) == sorted([*KINDS, *PROCEDURES])
    assert all(cell == "yes" or re.match("no: .+", cell) for _, _, cell in CELLS)


def flat(value: Any) -> tuple[np.ndarray, np.ndarray]:
    """All numbers of a result, in order, and their absolute tolerances."""
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list | tuple):
        parts = [flat(part) for part in value] or [(np.zeros(0), np.zeros(0))]
        numbers, tolerances = zip(*parts, strict=True)
        return np.concatenate(numbers), np.concatenate(tolerances)
    told = value if isinstance(value, Rough) else Rough(value, 1e-6)
    numbers = np.ravel(np.asarray(told.values, dtype=complex))
    return numbers, np.full(numbers.shape, told.tolerance)


@cache
def done(name: str, column: str) -> tuple[np.ndarray, np.ndarray]:
    """What a procedure gives in a column, computed once, and its tolerances."""
    return flat(PROCEDURES[name](SUBJECTS[column]))


@pytest.mark.parametrize(
    ("name", "column", "cell"),
    [
        pytest.param(*cell, marks=[pytest.mark.slow] if cell[0] in SLOW else [])
        for cell in CELLS
        if cell[0] in PROCEDURES
    ],
)
def test_procedure(name: str, column: str, cell: str) -> None:
    subject = SUBJECTS[column]
    if cell == "yes":
        (expected, tolerance), (found, _) = done(name, "Model"), done(name, column)
        np.testing.assert_array_less(abs(found - expected), tolerance + 1e-6 * abs(expected))
    else:
        with pytest.raises(Exception) as refusal:  # of many classes; the reason is what counts
            PROCEDURES[name](subject)
        assert cell.removeprefix("no: ") in str(refusal.value)


@pytest.mark.parametrize(
    ("name", "column", "cell"), [cell for cell in CELLS if cell[0] not in PROCEDURES]
)
def test_function(name: str, column: str, cell: str) -> None:
    models = SUBJECTS[column].models
    having = [key for key, model in models.items() if name in model.available_functions]
    if cell != "yes":
        assert not having
        told = []
        for make in SYSTEMS[column].values():
            with pytest.raises(AttributeError) as refusal:
                getattr(eomc.equations(make()), name)
            told.append(str(refusal.value))
        assert any(cell.removeprefix("no: ") in reason for reason in told)
        return
    key = having[0]
    value = flat(_called(models[key], name))
    assert np.isfinite(value).all()
    bodies = SUBJECTS["Model"].models[key]
    if name in bodies.available_functions:
        np.testing.assert_allclose(value, flat(_called(bodies, name)), rtol=1e-9, atol=1e-9)


def _called(model: Any, name: str) -> Any:
    """The function at a state that fulfils the constraints of all systems."""
    rng = np.random.default_rng(3)
    known = {"q": [0.3, -0.4, 0.2], "u": [1.0, 0.75, 0.1], "t": 0.2}
    if "gravity" in name:  # of a Lagrangian the force of the spring is in it too
        known["q"] = [0.0, -0.5, 0.2]
    model.function(name)
    manifests = [module.manifest["functions"] for module in model._modules]
    (inputs,) = (functions[name]["inputs"] for functions in manifests if name in functions)
    given = []
    for argument in inputs:
        drawn = rng.normal(size=argument["shape"])
        value = known.get(argument["name"], drawn)
        given.append(np.ravel(value)[: drawn.size].reshape(drawn.shape))
    return model.function(name)(*given)
