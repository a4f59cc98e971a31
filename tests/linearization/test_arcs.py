"""Arc lengths, and what a step along a branch is taken for, on tangents given by hand."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from eomc.runtime.equilibria.arc import Arc

PLAIN = [SimpleNamespace(kind="displacement")] * 3 + [SimpleNamespace(kind="parameter")]
ARC = Arc(np.array([2.0, 1.0, 4.0]), start=None)  # type: ignore[arg-type]


def along(angle: float) -> Any:
    """A tangent of `ARC` at an angle to the first unknown, towards the parameter."""
    return np.array([np.cos(angle), 0.0, np.sin(angle)]) / ARC.weights


def stays(angle: float, bend: float = 10.0, length: float = 0.1) -> bool:
    before, after = along(0.0), along(angle)
    return ARC.stays(length / 2 * (before + after), length, before, after, bend)


def test_scales_are_of_those_that_move() -> None:
    """Two of three move; the third is measured by a tenth of the first."""
    arc = Arc(np.array([1.0, 1.0, 1.0, 0.5]), start=None)  # type: ignore[arg-type]
    scaled = arc.scaled_by(PLAIN, np.array([2.0, 1.5, 1e-3, 1.0]))
    scale = np.array([4.0, 3.0, 0.4]) * np.sqrt(2)
    assert scaled.weights == pytest.approx([*1 / scale, 0.5], rel=1e-14)


def test_tangents_may_turn_by_twenty_degrees() -> None:
    assert stays(0.34) and not stays(0.36)
    assert stays(0.4, length=1e-6)  # that short, a corner of the branch is passed


@pytest.mark.parametrize(("share", "is_small"), [(0.6, False), (0.7, True)])
def test_the_corrector_moves_little(share: float, is_small: bool) -> None:
    """By less than 0.35 of the step: it comes short of the tangent's end."""
    before, after = along(0.0), along(0.3)
    assert ARC.stays(0.1 * share * before, 0.1, before, after, 10.0) is is_small


@pytest.mark.parametrize("angle", [0.05, 0.2, 0.4])
def test_the_next_step_turns_by_half_of_what_it_may(angle: float) -> None:
    found = ARC.growth(along(0.0), along(angle))
    assert found == pytest.approx(np.clip(0.175 / angle, 0.5, 1.5), rel=1e-9)


def test_the_bend_is_of_the_parameters_part() -> None:
    assert ARC.bend(along(0.1), along(0.3)) == pytest.approx(np.sin(0.3) - np.sin(0.1), rel=1e-12)


def test_folds_too_near_to_each_other_are_not_looked_for() -> None:
    """Between ends at which the parameter hardly grows it may turn back and forth: at the rate
    `bend` of its slope by bend*length^2, of the span."""
    before = after = along(1e-11)
    for bend, is_seen in ((1e-9, False), (1e-6, True)):
        step = 0.1 * before
        assert ARC.stays(step, 0.1, before, after, bend) is not is_seen


def test_the_tangent_at_a_fold_itself() -> None:
    """At right angles to the direction that is asked for; columns of other sizes."""
    arc = Arc(np.ones(3), start=None)  # type: ignore[arg-type]
    slopes = np.array([[2.0, 4.0, 0.0], [0.0, 0.0, 1e-3]])
    found = arc.tangent(slopes, like=np.array([1.0, 2.0, 0.0]))
    assert found * np.sign(found[0]) == pytest.approx(np.array([2, -1, 0]) / np.sqrt(5), abs=1e-12)
