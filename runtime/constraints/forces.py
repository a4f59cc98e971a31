"""Forces of constraints along a run: multipliers, and reactions in joints.

The sign: M a + c = tau + G^T lambda, so that G^T lambda acts on the speeds as tau does. A reaction
is what the parent side of a joint exerts on its child side, in the joint frame on the child.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from eomc.runtime.model.compiled import CompiledModel
from eomc.runtime.names.near_names import near_names
from eomc.runtime.record.trajectory import Trajectory

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Multipliers:
    """Multipliers (n, m) of the constraints `names` at the times `t` (n,)."""

    t: Array
    names: tuple[str, ...]
    values: Array

    def __getitem__(self, name: str) -> Array:
        """(n,) the multiplier of one row."""
        if name not in self.names:
            raise KeyError(f"no constraint {name!r}; {near_names(str(name), self.names)}")
        column: Array = self.values[:, self.names.index(name)]
        return column


@dataclass(frozen=True, eq=False)
class Reactions:
    """Forces and moments (n, joints, 6) in `joints` at the times `t` (n,)."""

    t: Array
    joints: tuple[str, ...]
    values: Array

    def force(self, joint: str) -> Array:
        """(n, 3) [N] of the parent on the child, in the axes of the joint frame on the child."""
        found: Array = self.values[:, self._place(joint), :3]
        return found

    def moment(self, joint: str) -> Array:
        """(n, 3) [N m] about the origin of that frame."""
        found: Array = self.values[:, self._place(joint), 3:]
        return found

    def _place(self, joint: str) -> int:
        if joint not in self.joints:
            raise KeyError(f"no joint {joint!r} that moves; {near_names(str(joint), self.joints)}")
        return self.joints.index(joint)


def multipliers(run: Trajectory) -> Multipliers:
    """Multipliers of the constraints along a run.

    Raises ValueError for a run without its model or a model without constraints.
    """
    model = _model(run)
    if not model.is_constrained:
        raise ValueError(f"model {model.name!r} has no constraints")
    _, values = _dynamics(model, run)
    return Multipliers(run.t, model.output_rows("constraint_jacobian"), values)


def joint_reactions(run: Trajectory) -> Reactions:
    """Reactions in all joints that move along a run, those of the tree and those of loops.

    Raises ValueError for a run without its model.
    """
    model = _model(run)
    values = _arguments(run)
    if model.is_constrained:
        values["a"], values["multipliers"] = _dynamics(model, run)
    else:
        values["a"] = _call(model, run, "forward_dynamics", values)
    found = np.asarray(_call(model, run, "joint_reactions", values), dtype=float)
    return Reactions(run.t, model.output_rows("joint_reactions"), found)


def _model(run: Trajectory) -> CompiledModel:
    if run.model is None:
        raise ValueError("the run bears no model: it was read from a file; simulate it again")
    return run.model


def _arguments(run: Trajectory) -> dict[str, Any]:
    names = ("t", "q", "u", "z", "tau", "r", "s", "s_rate", "s_acceleration")
    return {name: getattr(run, name) for name in names}


def _dynamics(model: CompiledModel, run: Trajectory) -> tuple[Array, Array]:
    """Accelerations and multipliers."""
    values = _arguments(run) | {"stabilization": np.zeros(1)}
    a, forces = _call(model, run, "constrained_dynamics", values)
    return np.asarray(a, dtype=float), np.asarray(forces, dtype=float)


def _call(model: CompiledModel, run: Trajectory, function: str, values: dict[str, Any]) -> Any:
    compiled = model.function(function)
    keywords: dict[str, Any] = {"p": dict(run.parameters)} if run.parameters else {}
    return compiled(*(values[name] for name in model.inputs_of(function)), **keywords)
