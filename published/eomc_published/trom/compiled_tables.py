"""Values of compiled models for the tables of the thesis: B, cut joints, springs."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache
from typing import Any

import numpy as np
import scipy.linalg

from eomc.binding.arrays import Array
from eomc.building import build
from eomc.derive.model import Model, Placement
from eomc.runtime.model.compiled import CompiledModel
from eomc_published.trom.cartesian.constraints import CutSide
from eomc_published.trom.random_chain import RandomChain, as_model, random_chain

SEED = 3
_BODIES = range(6)


@dataclass(frozen=True)
class CompiledChain:
    """A random chain compiled, its columns in the order of the bodies."""

    model: CompiledModel
    chain: RandomChain
    order: list[int]

    def _placed(self, values: Array) -> Array:
        moved = np.empty_like(values)
        moved[self.order] = values
        return moved

    def B(self) -> Array:
        """Velocities of the mass centres by rates, body by body."""
        return self._stacked("jacobian", self._placed(self.chain.q))

    def B_rate(self, rates: Array) -> Array:
        """B' along the rates; along a unit vector the derivative by that coordinate."""
        return self._stacked(
            "jacobian_rate", self._placed(self.chain.q), self._placed(np.asarray(rates, float))
        )

    def _stacked(self, what: str, *state: Array) -> Array:
        each = [self.model.function(f"frame_body{i}_{what}")(*state) for i in _BODIES]
        return np.concatenate(each)[:, self.order]

    def derivatives(self) -> tuple[Array, Array, Array]:
        """(M, C, K) of the inverse dynamics."""
        chain, at = self.chain, np.ix_(self.order, self.order)
        state = map(self._placed, (chain.q, chain.rates, chain.accelerations))
        stiffness, damping, mass = self.model.inverse_dynamics_derivatives(*state)
        return mass[at], damping[at], stiffness[at]


@cache
def compiled_chain(springs: bool = True) -> CompiledChain:
    """The chain of `SEED`, with its springs or without."""
    chain = random_chain(SEED)
    chain = chain if springs else replace(chain, springs=())
    parts = ("jacobian", "jacobian_rate") if springs else ()
    frames = (f"frame_body{i}_{what}" for i in _BODIES for what in parts)
    declared = as_model(chain, SEED)
    model = build(declared, functions=("inverse_dynamics_derivatives", *frames))
    names = [f"j{i}" for i in _BODIES]
    order = [
        k
        for name in names
        for k, speed in enumerate(model.speeds)
        if speed == name or speed.startswith(f"{name}_")
    ]
    return CompiledChain(model, chain, order)


CUT: dict[str, tuple[str, dict[str, Any]]] = {
    "spherical": ("spherical", {}),
    "universal": ("universal", {"axis": (1, 0, 0), "axis_2": (0, 1, 0)}),
    "revolute": ("revolute", {"axis": (1, 0, 0)}),
    "cylindrical": ("cylindrical", {"axis": (1, 0, 0)}),
    "translational": ("prismatic", {"axis": (1, 0, 0)}),
}
"""Kinds and axes of the model's joints by the names of the tables."""


def cut_rows(kind: str) -> tuple[Array, CutSide, CutSide]:
    """Rows of the compiled constraint by (v_i, omega_i, v_j, omega_j), and its two sides."""
    own, axes = CUT[kind]
    at = Placement(xyz=(0.3, -0.2, 0.5), rpy=(0.4, -0.7, 1.1))
    model = Model(f"cut_{kind}", gravity=(0, 0, 0))
    for name in ("i", "j"):
        model.body(name, mass=1.0, inertia=(1.0, 1.0, 1.0))
        model.joint(f"free_{name}", "floating_euler", parent="world", child=name, sequence="xyz")
    model.joint(
        "cut", own, parent="i", child="j", cut=True, placement=at, child_placement=at, **axes
    )
    names = [f"frame_{name}_{what}" for name in ("i", "j") for what in ("pose", "jacobian")]
    compiled = build(model, functions=("constraint_jacobian", *names))
    # Both bodies in the same place: the cut is closed.
    q = np.tile([0.7, -0.4, 0.2, 0.5, 0.3, -0.6], 2)
    jacobians = [compiled.function(f"frame_{name}_jacobian")(q) for name in ("i", "j")]
    rows = compiled.constraint_jacobian(q) @ np.linalg.inv(np.concatenate(jacobians))
    pose = compiled.function("frame_i_pose")(q)
    turned = pose[:3, :3] @ np.array(at.matrix).astype(float)
    side = CutSide(pose[:3, 3], pose[:3, :3] @ np.array(at.xyz).astype(float), turned)
    # The table wants the universal joint's second axis as x.
    other = replace(side, triad=np.roll(turned, -1, axis=1)) if kind == "universal" else side
    return rows, side, other


def beyond(rows: Array, table: Array) -> float:
    """Distance of the rows from the row space of the table; 1 if they have another rank."""
    if np.linalg.matrix_rank(rows) != len(table):
        return 1.0
    return float(np.abs(rows @ scipy.linalg.null_space(table)).max())


@cache
def turning(axis: tuple[float, float, float]) -> CompiledModel:
    """A body that turns about an axis."""
    model = Model("turning", gravity=(0, 0, 0))
    model.body("wheel", mass=1.0, inertia=(1.0, 1.0, 1.0))
    model.joint("turn", "revolute", parent="world", child="wheel", axis=axis)
    return build(model, functions=("frame_wheel_pose", "frame_wheel_jacobian"))
