"""Forces of constraints along a run: multipliers, and reactions in joints.

The sign: M a + c = tau + G^T lambda, so that G^T lambda acts on the speeds as tau does. A reaction
is what the parent side of a joint exerts on its child side, in the joint frame on the child.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from eomc.binding.arrays import Array
from eomc.runtime.constraints.consistency import ConstraintError
from eomc.runtime.model.compiled import CompiledModel
from eomc.runtime.model.errors import numerical_errors
from eomc.runtime.names.near_names import near_names
from eomc.runtime.record.trajectory import Trajectory


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


@numerical_errors(ConstraintError)
def multipliers(run: Trajectory) -> Multipliers:
    """Multipliers of the constraints along a run.

    Raises ValueError for a run without its model or a model without constraints.
    """
    model = _model(run)
    if not model.is_constrained:
        raise ValueError(f"model {model.name!r} has no constraints")
    values = np.asarray(run.evaluate("constrained_dynamics")[1], dtype=float)
    return Multipliers(run.t, model.output_names("constraint_jacobian"), values)


@numerical_errors(ConstraintError)
def joint_reactions(run: Trajectory) -> Reactions:
    """Reactions in all joints that move along a run, those of the tree and those of loops.

    Raises ValueError for a run without its model.
    """
    model = _model(run)
    found = np.asarray(run.evaluate("joint_reactions"), dtype=float)
    return Reactions(run.t, model.output_names("joint_reactions"), found)


def _model(run: Trajectory) -> CompiledModel:
    if run.model is None:
        raise ValueError("the run bears no model: it was read from a file; simulate it again")
    return run.model
