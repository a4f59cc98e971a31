"""A state, and what else functions of a model are called with there."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from eomc.runtime.model.state import Values, entries, initial_state, named_values, reference_motion

if TYPE_CHECKING:
    from eomc.runtime.model.compiled import CompiledModel


_rules: list[Callable[..., dict[str, Any]]] = []


def starts_by(rule: Callable[..., dict[str, Any]]) -> None:
    """From now on the states that pages show are put on the constraints, or refused, by `rule`."""
    _rules[:] = [rule]


def shown_values(
    model: CompiledModel,
    *,
    assemble: bool,
    fixed: Sequence[str] | str,
    q: Values = None,
    u: Values = None,
    **given: Any,
) -> dict[str, Any]:
    """The same as `start_values` of a state that pages show, by the rule of `simulate`."""
    values = start_values(model, q, u, **given)
    for rule in _rules if model.is_constrained else ():
        values |= rule(model, values, q, u, assemble, fixed)
    return values


def start_values(
    model: CompiledModel,
    q: Values = None,
    u: Values = None,
    z: Values = None,
    tau: Mapping[str, float] | ArrayLike | None = None,
    inputs: Mapping[str, float] | ArrayLike | None = None,
    prescribed: Mapping[str, float] | ArrayLike | None = None,
    parameters: Mapping[str, float] | None = None,
) -> dict[str, Any]:
    """Arguments of the model's functions by name, all of them, at the time 0.

    State, forces on speeds, inputs, prescribed coordinates and parameters are given whole or by
    some of their entries; what is not is neutral, at rest, zero or at its default: prescribed
    lengths of bodies at their reference.

    Raises ValueError for other shapes, unknown names, numbers that are not finite.
    """
    start = initial_state(model, q, u, z)
    own = model.parameters
    still = np.zeros(len(model.prescribed))
    return {
        "q": start.q,
        "u": start.u,
        "z": start.z,
        "tau": entries("tau", tau, model.speeds),
        "r": entries("inputs", inputs, model.inputs),
        "s": entries("prescribed", prescribed, model.prescribed, reference_motion(model)),
        "s_rate": still,
        "s_acceleration": still,
        "t": np.zeros(()),
        "p": named_values("parameters", tuple(own), parameters or {}, list(own.values())),
    }
