"""Models of many bodies: work that grows as their number, and a sentence beyond."""

from __future__ import annotations

import cProfile
import pstats

import numpy as np
import pytest

import eomc
from eomc.derive.graph import evaluate
from eomc.derive.model import ModelError
from eomc.derive.model.model import MOST_BODIES


def tree(count: int) -> eomc.Model:
    """A binary tree of pendulums."""
    model = eomc.Model("tree")
    for k in range(count):
        model.body(f"b{k}", mass=1.0, com=(0, 0, -0.5), inertia=(0.1, 0.1, 0.01))
        model.joint(
            f"j{k}",
            "revolute",
            parent="world" if k == 0 else f"b{(k - 1) // 2}",
            child=f"b{k}",
            axis=(0, 1, 0),
            placement=(0, 0, -1),
        )
    return model


def chain_of_four_bars(count: int) -> eomc.Model:
    """Cranks on a beam of ground, each coupled with the next."""
    model = eomc.Model("four_bars", gravity=(0, -9.81, 0))
    for k in range(count + 1):
        model.body(f"c{k}", mass=1.0, com=(0, 0.5, 0), inertia=(0.1, 0.1, 0.1))
        model.joint(
            f"c{k}",
            "revolute",
            parent="world",
            child=f"c{k}",
            axis=(0, 0, 1),
            placement=(2.0 * k, 0, 0),
        )
    for k in range(count):
        model.body(f"b{k}", mass=1.0, com=(1, 0, 0), inertia=(0.1, 0.1, 0.1))
        model.joint(
            f"b{k}", "revolute", parent=f"c{k}", child=f"b{k}", axis=(0, 0, 1), placement=(0, 1, 0)
        )
        model.joint(
            f"d{k}",
            "revolute",
            parent=f"b{k}",
            child=f"c{k + 1}",
            axis=(0, 0, 1),
            placement=(2, 0, 0),
            child_placement=(0, 1, 0),
        )
    return model


def calls(model: eomc.Model, derive: bool) -> int:
    """Function calls that the checks take, and the equations of motion."""
    profile = cProfile.Profile()
    profile.enable()
    model.validate()
    if derive:
        eomc.equations(model).program(["forward_dynamics"])
    profile.disable()
    total: int = pstats.Stats(profile).total_calls  # type: ignore[attr-defined]
    return total


@pytest.mark.slow
@pytest.mark.parametrize(
    ("make", "derive"), [(tree, True), (chain_of_four_bars, False)], ids=["tree", "loops"]
)
def test_work_grows_as_the_number_of_bodies(make, derive: bool) -> None:  # type: ignore[no-untyped-def]
    calls(make(10), derive)  # what is read or imported once
    few, many = calls(make(50), derive), calls(make(200), derive)
    assert many < 4.4 * few  # four times would be in proportion, sixteen times quadratic


def test_too_many_are_refused() -> None:
    model = eomc.Model("many")
    for k in range(MOST_BODIES):
        model.body(f"b{k}", mass=1.0)
    with pytest.raises(ModelError, match=f"'one more'.*{MOST_BODIES} already, the most that"):
        model.body("one more")


@pytest.mark.slow
def test_ten_thousand_bodies() -> None:
    """Hanging stretched from the root, which is turned: its torque by the depth of every body."""
    count, angle = 10_000, 0.3
    program = eomc.equations(tree(count)).program(["gravity"])
    (gravity,) = program.functions
    turned = [angle] + [0.0] * (count - 1)
    values = dict(zip(gravity.inputs[0].entries, turned, strict=True))
    torque = float(evaluate(program.graph, [gravity.outputs[0].entries[0]], values)[0])
    depths = [int(np.log2(k + 1)) for k in range(count)]
    expected = 9.81 * np.sin(angle) * sum(depth + 0.5 for depth in depths)
    assert abs(torque) == pytest.approx(expected, rel=1e-12)
