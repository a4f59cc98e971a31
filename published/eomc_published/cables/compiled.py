"""Case 42: cables in C against the expression graph in Python, and what one more cable costs."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

import eomc
from eomc.building import build
from eomc.derive.equations import Equations
from eomc.derive.graph import flops
from eomc.derive.model import Model, Point
from eomc.systems.cables import mast, planar_robot, tackle, tower_crane
from eomc_published.cables.machines import hanging
from eomc_published.case import Case, CaseCheck, at_most

_FUNCTIONS = ("inverse_dynamics", "forward_dynamics", "element_outputs", "constraint_residual")


def hung(cables: int, friction: float = 0.0) -> Model:
    """A load that hangs on cables from one drum, each over a pulley of its own."""
    model = Model(f"hung_{cables}")
    model.body("load", mass=5, com=(0.1, 0, 0), inertia=(0.3, 0.4, 0.5))
    model.joint("load", "floating", parent="world", child="load")
    model.body("drum", mass=1, inertia=(0.1, 0.1, 0.1))
    model.joint("drum", "revolute", parent="world", child="drum", axis=(0, 0, 1))
    for k in range(cables):
        turn = f"{1 + 0.1 * k}*drum"
        drum = {
            "kind": "winch",
            "at": Point("world", (4 + math.cos(k), 3 + 0.1 * k, 0)),
            "axis": (0, 0, 1),
            "radius": 0.1 + 0.01 * k,
            "sense": 1,
            "turn": turn,
            "zero": (-1, 0, 0),
        }
        pulley = {
            "kind": "pulley",
            "at": Point("world", (2, 1.5 + 0.3 * k, 0)),
            "axis": (0, 0, 1),
            "radius": 0.1 + 0.01 * k,
            "sense": -1,
            "friction": friction,
        }
        model.cable(
            f"cable{k}",
            [drum, pulley, Point("load", (0.1 * k, 0.2, 0.03 * k))],
            length=4 - 0.1 * k,
            modulus=500 + k,
            viscosity=0.3,
        )
    return model


def _models() -> Iterator[Model]:
    yield from (hung(3), hung(2, friction=0.2), planar_robot(modulus=1e6), tower_crane())
    yield from (tackle(3), mast(2), hanging("hook", ((30, 9), (120, 1.5))))


def _same(model: Model) -> Iterator[CaseCheck]:
    """Emitted C at states near that in which all coordinates are zero."""
    equations = eomc.equations(model)
    names = [name for name in _FUNCTIONS if name in equations.kinds]
    built = build(model, functions=[*names, "neutral"])
    rng, worst, compared = np.random.default_rng(5), 0.0, 0
    for _ in range(4):
        for name in names:
            given = {
                entry: np.zeros(size) + 0.02 * rng.normal(size=size)
                for entry, size in (
                    ("q", built.nq),
                    ("u", built.nu),
                    ("a", built.nu),
                    ("tau", built.nu),
                    ("r", len(built.inputs)),
                )
            }
            given["q"] = given["q"] + np.asarray(built.neutral())
            values = {entry: given[entry] for entry in built.inputs_of(name)}
            got = np.ravel(built.function(name)(*values.values()))
            expected = np.ravel(np.asarray(getattr(equations, name).evaluate(**values)))
            size = max(1.0, float(np.abs(expected).max()))
            worst = max(worst, float(np.abs(got - expected).max()) / size)
            compared += int(np.isfinite(got).all())
    yield at_most(f"{model.name}: C - Python", worst, 1e-12)
    yield at_most(f"{model.name}: results without a number", 4 * len(names) - compared, 0)


def _operations(equations: Equations, function: str) -> int:
    program = equations.program(functions=[function])
    return flops(program.graph, program.functions[0].nodes)


def _linear() -> Iterator[CaseCheck]:
    """A cable costs after eight what it does after four; a stage of a mast likewise."""
    for what, make, sizes in (("cable over a pulley", hung, (4, 8)), ("stage", mast, (2, 5))):
        for function in ("inverse_dynamics", "forward_dynamics"):
            early, late = (
                _operations(eomc.equations(make(n + 1)), function)
                - _operations(eomc.equations(make(n)), function)
                for n in sizes
            )
            yield at_most(
                f"{function}: a further {what} takes {late} operations, {early} before",
                abs(late / early - 1),
                0.02,
            )


def _case() -> Iterator[CaseCheck]:
    for model in _models():
        yield from _same(model)
    yield from _linear()


CASES = (
    Case(
        42,
        "Cables in C",
        "7",
        "compiled functions against the graph in Python; counts",
        _case,
        provenance="reconstructed",
        slow=True,
    ),
)
