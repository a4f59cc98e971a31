"""Derivatives that are not finite where differences are: breaches, which name what is lost."""

from __future__ import annotations

from pathlib import Path

import pytest

import eomc
from eomc.derive.functions import registry
from eomc.derive.graph import ends
from eomc.derive.graph.node import ZERO

CHECKS = ["complex step", "linearization", "small code", "emitted C"]
LOST = ("complex step", "linearization")


def slider(law: str) -> eomc.Model:
    model = eomc.Model("slider", gravity=(0, 0, 0))
    model.body("body", mass=1)
    model.joint("x", "prismatic", parent="world", child="body", axis=(1, 0, 0))
    model.generalized_force("stop", speed="x", expression=law)
    return model


def judged(law: str, folder: Path) -> dict[str, list[str]]:
    report = eomc.verify(slider(law), quick=True, checks=CHECKS, cache_dir=folder)
    return {o.check.name: [b.what for b in o.breaches] for o in report.outcomes if o.breaches}


@pytest.mark.slow
@pytest.mark.parametrize("law", ["max(x,0)**1.5", "sqrt(1 + x**2) - abs(x)*speed(x)"])
def test_laws_that_end_or_have_kinks_are_no_breach(law: str, tmp_path: Path) -> None:
    assert judged(law, tmp_path) == {}


def test_refusals_are_right_where_there_is_no_derivative(tmp_path: Path) -> None:
    """sqrt(|x|) has none at the edge states x = 0."""
    assert judged("sqrt(abs(x))", tmp_path) == {}


@pytest.fixture
def without_rests(monkeypatch: pytest.MonkeyPatch) -> None:
    """The derivation overlooks where laws rest: NaN wherever they are off."""
    monkeypatch.setattr(ends, "_resting", lambda g, node: (ZERO, ZERO))


@pytest.mark.slow
@pytest.mark.usefixtures("without_rests")
def test_a_derivative_that_is_refused_for_no_reason(tmp_path: Path) -> None:
    found = judged("sqrt(max(x - 50, 0))", tmp_path)
    assert tuple(sorted(found)) == LOST
    for breaches in found.values():
        assert any("refused" in what and "the law of 'stop'" in what for what in breaches)


@pytest.mark.usefixtures("without_rests")
def test_a_derivative_that_is_no_number(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "end_guards", lambda g, outputs, inputs: ())
    found = judged("sqrt(max(x - 50, 0))", tmp_path)
    assert tuple(sorted(found)) == LOST  # equal NaN in small code is no breach of its own
    for breaches in found.values():
        assert any("by q: 'x' by 'x' is not finite" in what for what in breaches)
