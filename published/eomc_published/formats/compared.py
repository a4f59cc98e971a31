"""Deviations of compiled models from MuJoCo's own mechanics of a file."""

from __future__ import annotations

import numpy as np

from eomc.building import build
from eomc.derive.model.model import Model
from eomc.runtime import CompiledModel
from eomc_published.formats.mujoco_witness import MujocoState, Witness

__all__ = ["compiled", "worst"]

_DYNAMICS = ("mass_matrix", "bias", "inverse_dynamics", "forward_dynamics")
_STATES = 5


def compiled(model: Model, functions: tuple[str, ...] = _DYNAMICS) -> CompiledModel:
    """Without optimization: what is compared does not depend on it."""
    return build(model, functions=functions, flags=("-O0",))


def worst(model: Model, witness: Witness, seed: int = 34) -> dict[str, float]:
    """Largest deviations over random states, relative to the largest entry."""
    built, found = compiled(model), dict.fromkeys(_DYNAMICS, 0.0)
    for state in witness.states(seed, _STATES):
        expected, got = witness.mechanics(state), _ours(built, state)
        for name in _DYNAMICS:
            scale = np.abs(expected[name]).max() or 1.0
            deviation = np.abs(got[name] - expected[name]).max() / scale
            found[name] = max(found[name], float(deviation))
    return found


def _ours(built: CompiledModel, state: MujocoState) -> dict[str, np.ndarray]:
    q, u = state.q, state.u
    given = {"r": state.control} if len(state.control) else {}
    return {
        "mass_matrix": built.mass_matrix(q),
        "bias": built.bias(q, u, **given),
        "inverse_dynamics": built.inverse_dynamics(q, u, state.a, **given),
        "forward_dynamics": built.forward_dynamics(q, u, np.zeros_like(u), **given),
    }
