"""Forces of least norm, within bounds, for accelerations that are wanted."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from eomc.binding.arrays import Array
from eomc.runtime.constraints.consistency import ConstraintError, violation
from eomc.runtime.constraints.rank import RANK
from eomc.runtime.control.actuated import Actuated
from eomc.runtime.control.least_effort import least_effort
from eomc.runtime.control.other_programs import Objective
from eomc.runtime.excitation.excitation import Excitation, InputLaw, MotionLaw
from eomc.runtime.model.compiled import CompiledModel
from eomc.runtime.model.state import Values, entries, initial_state, vector
from eomc.runtime.names.near_names import require_known
from eomc.runtime.names.renamed import current_arguments

Bounds = Mapping[str, tuple[float, float]] | tuple[float, float] | None
"""(lower, upper) by name, or of all."""

_LENGTH = ".length"


@dataclass(frozen=True, eq=False)
class Allocation:
    """Forces of actuators for a motion.

    Attributes
    ----------
    actuators : tuple of str
    forces : (number of actuators,)
    tau : (nu,)
        Generalized forces that they make.
    tensions : mapping
        Of the ropes among the constraints [N]: minus their multipliers.
    """

    actuators: tuple[str, ...]
    forces: Array
    tau: Array
    tensions: Mapping[str, float]


@current_arguments
def allocate(
    model: CompiledModel,
    q: Values = None,
    u: Values = None,
    a: Mapping[str, float] | ArrayLike | None = None,
    *,
    actuators: Sequence[str] | str | None = None,
    limits: Bounds = None,
    tensions: Bounds = None,
    method: Literal["null space", "direct"] = "null space",
    objective: Objective = "squares",
    t: float = 0.0,
    inputs: InputLaw = None,
    prescribed: MotionLaw = None,
    parameters: Mapping[str, float] | None = None,
) -> Allocation:
    """The least forces f that make the accelerations: minimize f^T f subject to

        K^T B f = K^T (M a + c),   lower <= f <= upper,   lower <= tensions <= upper

    with the directions K that constraints leave free and the generalized forces B of the actuators;
    tensions of ropes that are constraints are linear in f. See `least_effort` for the two forms.

    Parameters
    ----------
    model : CompiledModel
    q, u, a : arrays, or mappings of names to values
        The motion; what is not given is neutral and zero.
    actuators : sequence of str, optional
        Names of inputs, or of speeds that a force acts on; as of `actuation`.
    limits : (lower, upper), or mapping of names of actuators to such pairs
    tensions : (lower, upper), or mapping of names of ropes that are constraints to such pairs [N]
    method : "null space" or "direct"
    objective : "squares", "sum" or "largest" of the forces' sizes, or a function of the forces
    t, inputs, prescribed, parameters : as of `assemble`; inputs that are actuators are found

    Raises ValueError for unknown names and other shapes, ConstraintError for a motion that violates
    constraints, AllocationError, which names the bounds that fail, if no forces do. Where bounds
    matter it needs DAQP (``pip install 'eomc[allocation]'``).
    """
    excitation = Excitation(model, inputs=inputs, prescribed=prescribed, parameters=parameters)
    mechanism = Actuated(excitation, actuators)
    state, time = initial_state(model, q, u), float(vector("t", t, 1)[0])
    values = mechanism.arguments(time, state, entries("a", a, model.speeds))
    ropes = _ropes(mechanism)
    if mechanism.constraints is not None:
        text = violation(mechanism.constraints.at(time, state), values["a"])
        if text is not None:
            raise ConstraintError(f"{text}; give those of a motion on the constraints")
    taken, acting = mechanism.call("inverse_dynamics", values), mechanism.forces(values)
    free = mechanism.freedoms(values)
    # r = B f + G^T lambda; tensions are -lambda.
    pulls = -np.linalg.pinv(mechanism.gradients(values).T, rcond=RANK)[list(ropes.values())]
    limit, pull = pulls @ taken, -pulls @ acting
    bounds = (
        bounds_of("limits", mechanism.names, limits),
        bounds_of("tensions", (*ropes,), tensions),
    )
    low, high = np.hstack(bounds)
    forces = least_effort(
        free.T @ acting,
        free.T @ taken,
        low,
        high,
        bounded=np.vstack([np.eye(len(mechanism.names)), pull]),
        offset=np.append(np.zeros(len(mechanism.names)), limit),
        names=(*mechanism.names, *(f"tension of {name}" for name in ropes)),
        method=method,
        objective=objective,
    )
    found = dict(zip(ropes, (limit + pull @ forces).tolist(), strict=True))
    return Allocation(mechanism.names, forces, acting @ forces, found)


def _ropes(mechanism: Actuated) -> dict[str, int]:
    """Rows of the constraints that hold a length, by the names of these."""
    rows = () if mechanism.constraints is None else mechanism.constraints.names
    return {row.removesuffix(_LENGTH): k for k, row in enumerate(rows) if row.endswith(_LENGTH)}


def bounds_of(what: str, names: tuple[str, ...], given: Bounds) -> Array:
    """(lower, upper) of all names, infinite where there are none."""
    pairs = given if isinstance(given, Mapping) else dict.fromkeys(names if given else (), given)
    require_known(pairs, names, f"{what}: no")
    found = np.tile([[-np.inf], [np.inf]], len(names))
    for name, pair in pairs.items():
        try:
            lower, upper = pair  # type: ignore[misc]
            found[:, names.index(name)] = lower, upper
        except (TypeError, ValueError):
            raise ValueError(f"{what} of {name!r}: give (lower, upper), not {pair!r}") from None
    return found
