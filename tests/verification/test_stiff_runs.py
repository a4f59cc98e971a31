"""The check of integrators where rounding decides which steps are taken."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import eomc
from eomc.derive.cables import Pulley
from eomc.derive.model import Model, Point
from eomc.verifier import Comparison
from eomc.verifier.checks.compiled.integrators import integrators
from eomc.verifier.subject import Subject, test_states


def hoist() -> Model:
    """Two masses on a cable that rubs on two pulleys and hardly creeps."""
    model = Model("hoist", gravity=(0, 0, -9.81))
    for name, mass, x in (("left", 5, 0.0), ("right", 6, 2.0)):
        model.body(name, mass=mass)
        model.joint(
            name, "prismatic", parent="world", child=name, axis=(0, 0, 1), placement=(x, 0, 0)
        )
    over = [
        Pulley(Point("world", (x, 0, 2)), axis=(0, 1, 0), radius=0.1, sense=1, friction=0.2)
        for x in (0.5, 1.5)
    ]
    model.cable(
        "rope",
        [Point("left", (0, 0, 0)), *over, Point("right", (0, 0, 0))],
        length=5,
        modulus=1e5,
        viscosity=1,
        width=0.01,
        slip_speed=1e-4,
    )
    return model


@pytest.fixture(scope="module")
def subject() -> Subject:
    compiled = eomc.build(hoist(), flags="-O0", at_once=True)
    drawn = [state for state in test_states(compiled, 3, 0) if state.label == "random 2"]
    return Subject(compiled, drawn)


def judged(subject: Subject) -> dict[str, Comparison]:
    return {comparison.what: comparison for comparison in integrators.run(subject)}


def test_steps_left_to_rounding_are_judged_by_their_errors(subject: Subject) -> None:
    """SciPy takes other steps from starts that differ by rounding."""
    found = judged(subject)
    assert {"dopri converges, 1e-05", "dopri converges, 1e-09"} <= found.keys()
    assert "dopri step by step" not in found
    assert all(comparison.ratio <= 1 for comparison in found.values())


def test_a_tolerance_that_is_not_kept_is_found(
    subject: Subject, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = subject.model.integrator

    def careless(name: str) -> Any:
        call, names = whole(name)  # type: ignore[misc]
        return (_coarser(call) if name == "dopri" else call), names

    monkeypatch.setattr(subject.model, "integrator", careless)
    found = judged(subject)
    assert found["dopri converges, 1e-09"].ratio > 1


def _coarser(call: Callable[..., Any]) -> Callable[..., Any]:
    def careless(*values: Any, rtol: float, **options: Any) -> Any:
        return call(*values, rtol=max(rtol, 1e-5), **options)

    return careless
