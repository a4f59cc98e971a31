"""Consistent initial states from partial guesses.

Positions: of all configurations with phi(q, t) = 0 one near the guess, by Newton's method with
steps of least norm in the chosen metric W,

    du = -W^-1 G^T (G W^-1 G^T)^+ phi,

halved until the residual decreases; W is the mass matrix, or given weights. Speeds: the change of
least norm in the same metric with G u + b = 0. Then accelerations and multipliers from
M a + c = tau + G^T lambda, G a + g = 0. What is held keeps its value: its columns of G do not take
part. Gaps of rigid contacts are not below zero afterwards, see `clearance`. Reference: Haug,
*Computer Aided Kinematics and Dynamics of Mechanical Systems*, sect. 4.3.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from eomc.binding.arrays import Array
from eomc.runtime.constraints.consistency import AssemblyError
from eomc.runtime.constraints.constraints import IndependentConstraints
from eomc.runtime.constraints.rank import hidden, singularity
from eomc.runtime.constraints.start import GivenByName, assembled, fixed_places
from eomc.runtime.excitation.excitation import Excitation, InputLaw, MotionLaw
from eomc.runtime.model.arguments import taken
from eomc.runtime.model.compiled import CompiledModel
from eomc.runtime.model.errors import numerical_errors
from eomc.runtime.model.state import State, Values, entries, initial_state, vector
from eomc.runtime.names.renamed import current_arguments


@dataclass(frozen=True, eq=False)
class ConsistentState:
    """A state that satisfies the constraints.

    Attributes
    ----------
    q, u : (nq,), (nu,)
    a : (nu,) accelerations [rad/s^2 or m/s^2]
    multipliers : (m,) of the rows `names`; G^T lambda acts on the speeds as tau does
    residual : phi that rounding leaves, of all rows `closure_names`
    velocity : rates, of all rows `rate_names`
    acceleration : G a + g of the rows `names`
    names, closure_names, rate_names : the independent rows; all with a residual in q; all
    steps : of Newton's method
    z : states of elements, as given
    """

    q: Array
    u: Array
    a: Array
    multipliers: Array
    residual: Array
    velocity: Array
    acceleration: Array
    names: tuple[str, ...]
    steps: int
    z: Array = field(default_factory=lambda: np.zeros(0))
    closure_names: tuple[str, ...] = ()
    rate_names: tuple[str, ...] = ()

    @property
    def state(self) -> State:
        """(q, u), or (q, u, z) where elements have states"""
        return State(self.q.copy(), self.u.copy(), self.z.copy())


@numerical_errors(AssemblyError)
@current_arguments
def assemble(
    model: CompiledModel,
    q: Values = None,
    u: Values = None,
    *,
    z: Values = None,
    fixed: Sequence[str] | str = (),
    weights: Mapping[str, float] | ArrayLike | None = None,
    t: float = 0.0,
    tau: Mapping[str, float] | ArrayLike | None = None,
    inputs: InputLaw = None,
    prescribed: MotionLaw = None,
    parameters: Mapping[str, float] | None = None,
) -> ConsistentState:
    """The consistent state nearest to a guess, with its accelerations and multipliers.

    Parameters
    ----------
    model : CompiledModel
    q, u : arrays, or mappings of names to values
        The guess; what is not given is neutral and at rest. Values that are given by name are kept
        where the constraints allow it, the first named first; a whole array is a guess.
    z : array, or mapping of names to values
        States of elements, which are kept; by default their declared initial values.
    fixed : sequence of str
        These keep the values of the guess: "hinge" that of the coordinate, "speed(hinge)" that of
        the speed. Speeds that are no rates of coordinates go by their names; of a quaternion,
        "displacement(ball_wx)" holds the direction of the speed "ball_wx".
    weights : (nu,) array or mapping, optional
        Positive weights of changes of coordinates and speeds, by names of speeds; by default the
        mass matrix. With weights, values that are given by name are a guess too.
    t : float
        Time [s], for constraints and inputs that depend on it.
    tau, inputs, motion, parameters
        As of `simulate`; tau, inputs and accelerations of `prescribed` matter to the accelerations.

    Raises
    ------
    ValueError
        An argument has another shape, an unknown name, or is not finite.
    AssemblyError
        No state near the guess satisfies the constraints, or the held values contradict them; the
        message names the constraint that stays open, its residual, and the rank.
    """
    model = taken(model)
    excitation = Excitation(
        model, tau=tau, inputs=inputs, prescribed=prescribed, parameters=parameters
    )
    constraints = IndependentConstraints(model, excitation)
    guess = initial_state(model, q, u, z)
    time = float(vector("t", t, 1)[0])
    places, rates = fixed_places(model, fixed)
    metric = _weights(model, weights)
    named = GivenByName.of(model, q, u) if metric is None else None
    state, steps = assembled(constraints, time, guess, metric, places, rates, named)
    return consistent(constraints, time, state, steps)


def consistent(
    constraints: IndependentConstraints, t: float, state: State, steps: int = 0
) -> ConsistentState:
    """Accelerations, multipliers and residuals at a state that satisfies the constraints."""
    at, excitation = constraints.at(t, state), constraints.excitation
    tau = excitation.torque(t, state)
    values = {**at.arguments, "tau": tau, "stabilization": np.zeros(1)}
    try:
        a, multipliers = excitation.call("constrained_dynamics", values)
    except FloatingPointError as failure:
        raise AssemblyError(singularity(at) or str(failure)) from failure
    if (text := hidden(at)) is not None:
        raise AssemblyError(text)
    a = np.asarray(a)
    return ConsistentState(
        state.q,
        state.u,
        a,
        np.asarray(multipliers),
        at.closure,
        at.closure_rate,
        at.acceleration(a),
        constraints.names,
        steps,
        state.z,
        constraints.closure_names,
        constraints.rate_names,
    )


def _weights(model: CompiledModel, weights: Any) -> Array | None:
    if weights is None:
        return None
    found = entries("weights", weights, model.speeds, np.ones(model.nu))
    if not (found > 0).all():
        raise ValueError(f"weights: that of {model.speeds[int(np.argmin(found))]!r} must be > 0")
    return found
