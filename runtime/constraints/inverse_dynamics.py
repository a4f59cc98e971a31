"""Inverse dynamics of loops: the forces on actuated speeds that a motion takes.

With the natural orthogonal complement K of the constraints and r = M a + c, forces tau on the
actuated speeds satisfy K^T tau = K^T r. Where there are more of them than degrees of freedom, those
of least norm are taken. The constraints carry the rest: G^T lambda = r - tau. Reference: Nahon and
Angeles, *Force optimization in redundantly-actuated closed kinematic chains*, IEEE ICRA (1989).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from eomc.runtime.compiled import CompiledModel
from eomc.runtime.constraints.errors import ConstraintError
from eomc.runtime.constraints.independent import partition, pivoted
from eomc.runtime.constraints.projection import require_consistent
from eomc.runtime.constraints.rows import RANK, Rows, numerical_rank, worst
from eomc.runtime.excitation import Excitation, InputLaw, MotionLaw
from eomc.runtime.near_names import near_names
from eomc.runtime.state import State, Values, initial_state, named_values, vector

Array = NDArray[np.float64]

_CONSISTENT = 1e-6
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


def loop_inverse_dynamics(
    model: CompiledModel,
    q: Values = None,
    u: Values = None,
    a: Mapping[str, float] | ArrayLike | None = None,
    *,
    actuated: Sequence[str] | str | None = None,
    t: float = 0.0,
    inputs: InputLaw = None,
    motion: MotionLaw = None,
    parameters: Mapping[str, float] | None = None,
) -> LoopForces:
    """Forces of least norm on the actuated speeds that a consistent motion takes.

    Parameters
    ----------
    model : CompiledModel
    q, u, a : arrays, or mappings of names to values
        The motion; what is not given is neutral and zero.
    actuated : sequence of str, optional
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
    rows = Rows(model, Excitation(model, inputs=inputs, motion=motion, parameters=parameters))
    state, time = initial_state(model, q, u), float(vector("t", t, 1)[0])
    accelerations = _accelerations(model, a)
    require_consistent(rows, time, state, _CONSISTENT)
    jacobian = rows.jacobian(time, state)
    _require_followed(rows, time, state, jacobian, accelerations)
    taken = rows.call("inverse_dynamics", time, state, a=accelerations)
    complement = partition(rows, time, state, pivoted(rows, time, state)).K
    places = _places(model, actuated)
    acting = complement[places].T
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
    multipliers = np.linalg.lstsq(jacobian.T, taken - tau, rcond=RANK)[0]
    found = np.asarray(multipliers, dtype=np.float64)
    return LoopForces(tau, found, rows.names, len(places) - rank)


def _accelerations(model: CompiledModel, a: Mapping[str, float] | ArrayLike | None) -> Array:
    zero = np.zeros(model.nu)
    if a is None:
        return zero
    if isinstance(a, Mapping):
        return named_values("a", model.speeds, a, zero)
    return vector("a", a, model.nu)


def _places(model: CompiledModel, names: Sequence[str] | str | None) -> list[int]:
    chosen = [names] if isinstance(names, str) else list(model.speeds if names is None else names)
    for name in chosen:
        if name not in model.speeds:
            raise ValueError(f"actuated: no speed {name!r}; {near_names(str(name), model.speeds)}")
    return [model.speeds.index(name) for name in dict.fromkeys(chosen)]


def _require_followed(rows: Rows, t: float, state: State, jacobian: Array, a: Array) -> None:
    """Raise `ConstraintError` if the accelerations lead off a constraint."""
    error = jacobian @ a + rows.bias(t, state)
    size = (1.0 + float(np.abs(state.u).max(initial=0.0))) ** 2 + float(np.abs(a).max(initial=0.0))
    if error.size and not float(np.abs(error).max()) <= _CONSISTENT * size:
        name, value = worst(error, rows.names)
        raise ConstraintError(
            f"model {rows.model.name!r}: the accelerations violate constraint {name!r} by "
            f"{value:.3g}; give those of a motion on the constraints"
        )
