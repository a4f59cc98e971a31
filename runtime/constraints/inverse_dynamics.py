"""Inverse dynamics of loops: the forces on actuated speeds that a motion takes.

With the natural orthogonal complement K of the constraints and r = M a + c, forces tau on the
actuated speeds satisfy K^T tau = K^T r. Where there are more of them than degrees of freedom, those
of least norm are taken. The constraints carry the rest: G^T lambda = r - tau. Where friction
depends on the reactions in joints r depends on lambda, and is that of the forces found. Reference:
Nahon and Angeles, *Force optimization in redundantly-actuated closed kinematic chains*, IEEE ICRA
(1989).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from eomc.binding.arrays import Array
from eomc.runtime.constraints.consistency import ConstraintError, violation
from eomc.runtime.constraints.constraints import IndependentConstraints
from eomc.runtime.constraints.independent import partition, pivoted
from eomc.runtime.constraints.rank import RANK, numerical_rank
from eomc.runtime.constraints.reacting import forces_taken, settled
from eomc.runtime.excitation.excitation import Excitation, InputLaw, MotionLaw
from eomc.runtime.model.compiled import CompiledModel
from eomc.runtime.model.errors import numerical_errors
from eomc.runtime.model.state import Values, entries, initial_state, vector
from eomc.runtime.names.near_names import near_names
from eomc.runtime.names.renamed import current_arguments

_MADE = 1e-9
"""Part of the forces of a motion that may be lacking as rounding."""


@dataclass(frozen=True, eq=False)
class LoopForces:
    """Forces of a motion.

    Attributes
    ----------
    tau : (nu,)
        Generalized forces, zero on speeds that are not actuated.
    multipliers : (m,)
        Of the rows `names`; G^T lambda acts on the speeds as tau does.
    names : of the constraints
    redundancy : actuated speeds beyond the degrees of freedom that they move
    """

    tau: Array
    multipliers: Array
    names: tuple[str, ...]
    redundancy: int


@numerical_errors(ConstraintError)
@current_arguments
def loop_inverse_dynamics(
    model: CompiledModel,
    q: Values = None,
    u: Values = None,
    a: Mapping[str, float] | ArrayLike | None = None,
    *,
    z: Values = None,
    actuators: Sequence[str] | str | None = None,
    t: float = 0.0,
    inputs: InputLaw = None,
    prescribed: MotionLaw = None,
    parameters: Mapping[str, float] | None = None,
) -> LoopForces:
    """Forces of least norm on the actuated speeds that a consistent motion takes.

    Parameters
    ----------
    model : CompiledModel
    q, u, a : arrays, or mappings of names to values
        The motion; what is not given is neutral and zero.
    z : array, or mapping of names to values
        States of elements, those that are not given with their declared initial value.
    actuators : sequence of str, optional
        Names of the speeds that forces act on; all by default.
    t, inputs, motion, parameters
        As of `assemble`.

    Raises
    ------
    ValueError
        An argument has another shape, an unknown name, or is not finite.
    ConstraintError
        The motion violates a constraint, the configuration is singular, or the actuated speeds
        cannot make this motion; the message names the constraint or the speed.
    """
    excitation = Excitation(model, inputs=inputs, prescribed=prescribed, parameters=parameters)
    constraints = IndependentConstraints(model, excitation)
    state, time = initial_state(model, q, u, z), float(vector("t", t, 1)[0])
    accelerations = entries("a", a, model.speeds)
    at = constraints.at(time, state)
    if (text := violation(at, accelerations)) is not None:
        raise ConstraintError(f"{text}; give those of a motion on the constraints")
    motion_values = {**at.arguments, "a": accelerations}
    complement = partition(constraints, time, state, pivoted(constraints, time, state)).K
    places = _places(model, actuators)
    acting = complement[places].T
    if model.has_reaction_friction:
        taken = _reacting(constraints, at.G, motion_values, acting, places)
    else:
        taken = np.asarray(excitation.call("inverse_dynamics", motion_values), dtype=np.float64)
    needed, rank = complement.T @ taken, numerical_rank(acting)
    tau = np.zeros(model.nu)
    tau[places] = np.linalg.pinv(acting, rcond=RANK) @ needed
    lacking = needed - complement.T @ tau
    if np.abs(lacking).max(initial=0.0) > _MADE * (1.0 + float(np.abs(taken).max(initial=0.0))):
        free = model.speeds[int(np.argmax(np.abs(complement @ lacking)))]
        names = ", ".join(model.speeds[k] for k in places) or "no speed"
        raise ConstraintError(
            f"model {model.name!r}: forces on {names} cannot make this motion: they have rank "
            f"{rank} of {len(needed)} degrees of freedom, and {free!r} lacks a force"
        )
    multipliers = np.linalg.lstsq(at.G.T, taken - tau, rcond=RANK)[0]
    found = np.asarray(multipliers, dtype=np.float64)
    return LoopForces(tau, found, constraints.names, len(places) - rank)


def _reacting(
    constraints: IndependentConstraints,
    gradients: Array,
    values: Mapping[str, Any],
    acting: Array,
    places: Sequence[int],
) -> Array:
    """r at the multipliers that come with forces tau = (acting)^T y: Newton's method on

    r(lambda) = tau + G^T lambda.
    """
    own = np.zeros((gradients.shape[1], len(acting)))
    own[places] = acting.T

    def step(multipliers: Array) -> Array:
        taken, by = forces_taken(constraints, values, multipliers)
        whole = np.hstack([own, gradients.T + by])
        solved = np.linalg.lstsq(whole, taken + by @ multipliers, rcond=RANK)[0]
        return np.asarray(solved[len(acting) :], dtype=np.float64)

    try:
        return forces_taken(constraints, values, settled(step, len(gradients)))[0]
    except FloatingPointError as error:
        raise ConstraintError(f"model {constraints.model.name!r}: {error}") from error


def _places(model: CompiledModel, names: Sequence[str] | str | None) -> list[int]:
    chosen = [names] if isinstance(names, str) else list(model.speeds if names is None else names)
    for name in chosen:
        if name not in model.speeds:
            raise ValueError(f"actuators: no speed {name!r}; {near_names(str(name), model.speeds)}")
    return [model.speeds.index(name) for name in dict.fromkeys(chosen)]
