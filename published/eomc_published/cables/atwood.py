"""Case 40: weights on ropes over pulleys that hang in ropes, as deep as one likes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, TypeAlias

import numpy as np

from eomc.building import build
from eomc.derive.model import Model
from eomc.runtime.constraints import assemble
from eomc_published.case import Case, CaseCheck, agrees

G = 9.81
#: A mass, or a pulley with what hangs on both sides of it.
Tree: TypeAlias = "float | tuple[Tree, Tree]"


class Machine:
    """A pulley on the ground and all below it: weights and massless pulleys that slide up and down,
    told downwards, and ropes of one length each."""

    def __init__(self, tree: Any) -> None:
        self.model = Model("atwood", gravity=(0, 0, -G))
        self.weights: list[str] = []
        self.lowest: list[str] = []
        self._hang("world", tree, np.array([0.0, 0, 0]), 0.4)

    def _hang(self, pulley: str, tree: tuple[Tree, Tree], at: Any, radius: float) -> None:
        ends = [
            self._end(child, at + np.array([side * radius, 0, -1]), radius / 2)
            for side, child in zip((-1, 1), tree, strict=True)
        ]
        over = {"kind": "pulley", "at": pulley, "axis": (0, 1, 0), "radius": radius, "sense": 1}
        rope = f"over_{pulley}"
        self.model.constraint(
            rope, "rope", route=[ends[0], over, ends[1]], length=2 + np.pi * radius
        )
        if not any(isinstance(child, tuple) for child in tree):
            self.lowest.append(rope)

    def _end(self, child: Tree, at: Any, radius: float) -> str:
        name = f"n{len(self.model.bodies)}"
        self.model.body(name, mass=0 if isinstance(child, tuple) else child)
        self.model.joint(
            name, "prismatic", parent="world", child=name, axis=(0, 0, -1), placement=at.tolist()
        )
        if isinstance(child, tuple):
            self._hang(name, child, at, radius)
        else:
            self.weights.append(name)
        return name


def _solved(tree: Any) -> tuple[list[float], dict[str, float], list[str]]:
    """Accelerations of the weights downwards, tensions by rope, and the lowest ropes."""
    machine = Machine(tree)
    model = build(machine.model)
    state = assemble(model)
    forward = np.asarray(model.forward_dynamics(state.q, state.u, np.zeros(model.nu)))
    rows = model.output_names("constraint_residual")
    tensions = {row.split(".")[0]: -x for row, x in zip(rows, state.multipliers, strict=True)}
    falling = dict(zip(model.speeds, forward.tolist(), strict=True))
    return [falling[name] for name in machine.weights], tensions, machine.lowest


def _case() -> Iterator[CaseCheck]:
    falling, tensions, _ = _solved((5, (3, (2, 1))))
    expected = np.array([-10791, 20601, 59841, -57879]) / 18100
    yield agrees("chain: accelerations", expected, falling, 1e-12)
    ropes = np.array([4, 2, 1]) * 235440 / 18100
    yield agrees(
        "chain: tensions from the top [N]", ropes, sorted(tensions.values(), reverse=True), 1e-12
    )
    yield agrees("chain: support [N]", 104.06187845303867, 2 * tensions["over_world"], 1e-12)
    falling, tensions, lowest = _solved((((1, 2), (3, 4)), ((5, 6), (7, 8))))
    expected = np.array([-1450899, -352179, 14061, 197181, 307053, 380301, 432621, 471861]) / 76100
    yield agrees("binary: accelerations", expected, falling, 1e-12)
    yield agrees("binary: support [N]", 231.00551905387647, 2 * tensions["over_world"], 1e-12)
    yield agrees(
        "binary: lowest ropes [N]",
        [28.8756898817346] * 4,
        [tensions[rope] for rope in lowest],
        1e-12,
    )


CASES = (
    Case(
        40,
        "Atwood machines of any depth",
        "5.8",
        "ropes as constraints, pulleys without mass: multipliers and forward dynamics",
        _case,
        provenance="reconstructed",
        slow=True,
    ),
)
