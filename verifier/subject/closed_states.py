"""States of constrained models: on the constraints, with accelerations that keep them there."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from eomc.binding.arrays import Array
from eomc.runtime.model.compiled import CompiledModel

if TYPE_CHECKING:
    from eomc.verifier.subject.states import TestState

LARGEST_CONDITION = 1e4
"""Of G, rows scaled alike, beyond which a configuration counts as singular."""

CLOSED = 1e-9
"""Gap of redundant rows that counts as none; other places where the independent ones vanish are far
away."""

_STEPS = 100
_NEARBY = 1e-6


def closed(model: CompiledModel, state: TestState) -> TestState | None:
    """The state brought onto the constraints; None if it is far from any, or singular there.

    Positions by Newton's method and speeds by one step, nearest in kinetic energy; accelerations
    are those that the forces of the state's own would cause.
    """
    if not model.is_constrained:
        return state

    def call(function: str, values: dict[str, Any]) -> Any:
        names = model.inputs_of(function)
        return model.function(function)(*(values[name] for name in names))

    values: dict[str, Any] = dict(state.values)
    try:
        for _ in range(_STEPS):
            du = call("position_correction", values)
            largest = float(np.abs(du).max(initial=0.0))
            if not np.isfinite(largest):
                return None
            values["q"] = call("integrate", {**values, "du": du / max(1.0, 2 * largest)})
            if largest < 1e-15 * (1 + float(np.abs(values["q"]).max(initial=0.0))):
                break
        for _ in range(2):
            values["u"] = values["u"] + call("velocity_correction", values)
        if not _is_regular(np.asarray(call("constraint_jacobian", values), dtype=float)):
            return None
        residual = np.asarray(call("constraint_residual", values), dtype=float)
        size = 1 + float(np.abs(values["q"]).max(initial=0.0))
        if not float(np.abs(residual).max(initial=0.0)) <= 1e-12 * size:
            return None
        if model.has_function("closure_residual"):  # of all rows, the redundant ones too
            gap = np.asarray(call("closure_residual", values), dtype=float)
            if not float(np.abs(gap).max(initial=0.0)) <= CLOSED * size:
                return None
        forces = call("inverse_dynamics", values)
        values["a"] = np.asarray(call("forward_dynamics", {**values, "tau": forces}))
    except FloatingPointError:
        return None
    return replace(state, values=values)


def _is_regular(jacobian: Array) -> bool:
    if not jacobian.size:
        return True
    rows = jacobian / np.maximum(np.linalg.norm(jacobian, axis=1, keepdims=True), 1e-300)
    sizes = np.linalg.svd(rows, compute_uv=False)
    return bool(sizes[-1] * LARGEST_CONDITION > sizes[0])


def sensitivity(model: CompiledModel, values: Mapping[str, Any], rng: np.random.Generator) -> float:
    """By how much of itself G changes for a displacement of 1, infinite where it has no value.

    Near configurations such as a disc that lies flat on its plane, where the point of contact is
    any, it grows without bound, though G keeps its rank.
    """

    def gradients(q: Array) -> Array:
        names = model.inputs_of("constraint_jacobian")
        at = {**values, "q": q}
        found = model.function("constraint_jacobian")(*(at[name] for name in names))
        return np.asarray(found, dtype=float)

    du = _NEARBY * rng.uniform(-1, 1, size=model.nu)
    names = model.inputs_of("integrate")
    moved = model.function("integrate")(*({**values, "du": du}[name] for name in names))
    here = gradients(values["q"])
    change = float(np.abs(gradients(moved) - here).max(initial=0.0))
    size = float(np.abs(here).max(initial=0.0))
    return change / (_NEARBY * size) if size > 0 and np.isfinite(change) else np.inf
