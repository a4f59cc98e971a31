"""Independent coordinates of a constrained model, and motion in them.

Elimination of G with complete pivoting names dependent speeds; the others z = u_z are independent.
With G = [G_z G_d] the natural orthogonal complement K and the drift k0 give all speeds,

    u = K z + k0,   K_z = 1,   K_d = -G_d^-1 G_z,   k0_d = -G_d^-1 b,

and M a + c = tau + G^T lambda becomes K^T M K z' = K^T (tau - c - M k1), a = K z' + k1 with
k1_d = -G_d^-1 g. Dependent coordinates follow from phi(q, t) = 0 by Newton's method with the
independent ones where they are. Reference: Angeles and Lee, *The formulation of dynamical equations
of holonomic mechanical systems using a natural orthogonal complement*, ASME J. Appl. Mech. 55
(1988) 243; Wehage and Haug, *Generalized coordinate partitioning*, ASME J. Mech. Des. 104 (1982)
247.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from eomc.binding.arrays import Array
from eomc.runtime.constraints.consistency import ConstraintError, position_violation
from eomc.runtime.constraints.constraints import IndependentConstraints
from eomc.runtime.constraints.named import named_places
from eomc.runtime.constraints.projection import MOST_STEPS, failed
from eomc.runtime.constraints.rank import singularity
from eomc.runtime.excitation.excitation import Excitation, MotionLaw
from eomc.runtime.model.compiled import CompiledModel
from eomc.runtime.model.errors import numerical_errors
from eomc.runtime.model.state import State, Values, initial_state
from eomc.runtime.names.renamed import current_arguments

_DEGRADED = 0.1
"""A choice whose dependent columns are this much nearer to singular than others is given up."""


@dataclass(frozen=True, eq=False)
class IndependentSpeeds:
    """A choice of independent speeds at a configuration.

    Attributes
    ----------
    independent, dependent : tuples of str
        Names of speeds.
    rank : of the constraints
    order : (nu,) places of all speeds, the independent ones first
    K : (nu, number independent)
        Natural orthogonal complement: G K = 0.
    k0 : (nu,)
        u = K z + k0; zero unless constraints move with time.
    condition : smallest singular value of the dependent columns, that of all of G being 1
    """

    independent: tuple[str, ...]
    dependent: tuple[str, ...]
    rank: int
    order: tuple[int, ...]
    K: Array
    k0: Array
    condition: float


@numerical_errors(ConstraintError)
@current_arguments
def independent_coordinates(
    model: CompiledModel,
    q: Values = None,
    *,
    chosen: Sequence[str] | str | None = None,
    t: float = 0.0,
    prescribed: MotionLaw = None,
    parameters: Mapping[str, float] | None = None,
) -> IndependentSpeeds:
    """Independent speeds at a configuration that satisfies the constraints.

    Parameters
    ----------
    q : (nq,) array or mapping of names to values
    chosen : sequence of str, optional
        Names of the speeds to be independent; found by complete pivoting if not given.
    t, motion, parameters
        As of `simulate`.

    Raises
    ------
    ConstraintError
        The configuration violates a constraint, it is singular, or the chosen speeds are not
        independent; the message names the rank and the constraint or speed.
    """
    constraints = IndependentConstraints(
        model, Excitation(model, prescribed=prescribed, parameters=parameters)
    )
    state = initial_state(model, q, None)
    at = constraints.at(t, state)
    text = position_violation(at) or singularity(at)
    if text is not None:
        raise ConstraintError(text)
    return partition(constraints, t, state, _order(constraints, t, state, chosen))


def _order(
    constraints: IndependentConstraints, t: float, state: State, chosen: Sequence[str] | str | None
) -> tuple[int, ...]:
    """Places of all speeds, independent ones first."""
    if chosen is None:
        return pivoted(constraints, t, state)
    model, jacobian = constraints.model, constraints.at(t, state).G
    free = named_places(
        model.name, jacobian, model.speeds, chosen, "chosen", "speed", ConstraintError
    )
    return (*free, *(k for k in range(model.nu) if k not in free))


def pivoted(constraints: IndependentConstraints, t: float, state: State) -> tuple[int, ...]:
    """The choice of complete pivoting.

    Raises `ConstraintError` at a singular configuration.
    """
    try:
        order, _ = constraints.solve("independent_speeds", t, state)
    except FloatingPointError as failure:
        raise failed(constraints, t, state) from failure
    return tuple(order)


def partition(
    constraints: IndependentConstraints, t: float, state: State, order: Sequence[int]
) -> IndependentSpeeds:
    """K and k0 of a choice."""
    jacobian = constraints.at(t, state).G
    m, n = jacobian.shape
    free, bound = list(order[: n - m]), list(order[n - m :])
    k = np.zeros((n, n - m))
    k[free, range(n - m)] = 1.0
    k[bound] = -np.linalg.solve(jacobian[:, bound], jacobian[:, free])
    k0 = np.zeros(n)
    drift = constraints.at(t, state.moved(state.q, 0 * k0)).velocity
    k0[bound] = -np.linalg.solve(jacobian[:, bound], drift)
    names = constraints.model.speeds
    return IndependentSpeeds(
        tuple(names[place] for place in free),
        tuple(names[place] for place in bound),
        m,
        tuple(order),
        k,
        k0,
        _condition(jacobian, order),
    )


def _condition(jacobian: Array, order: Sequence[int]) -> float:
    """Smallest singular value of the dependent columns by that of all, rows scaled alike."""
    m, n = jacobian.shape
    if m == 0:
        return 1.0
    scaled = jacobian / np.maximum(np.linalg.norm(jacobian, axis=1, keepdims=True), 1e-300)
    whole = np.linalg.svd(scaled, compute_uv=False)[-1]
    part = np.linalg.svd(scaled[:, list(order[n - m :])], compute_uv=False)[-1]
    return float(part / max(whole, 1e-300))


class IndependentFormulation:
    """Motion in independent coordinates; dependent ones serve as guesses and follow.

    The choice is made at the start, and made anew after a step where it has degraded: there the
    dependent columns are ten times nearer to singular than with the best choice.
    """

    def __init__(self, constraints: IndependentConstraints, t: float, state: State) -> None:
        self.constraints = constraints
        self.order = pivoted(constraints, t, state)
        self.choices = 1

    def projected(self, t: float, state: State) -> State:
        """The state with the same independent coordinates and speeds that is consistent."""
        state = state.moved(self.constraints.normalized(state.q), state.u)
        try:
            q = self.constraints.solve(
                "dependent_coordinates", t, state, MOST_STEPS, order=self.order
            )
            at = state.moved(q, state.u)
            u = self.constraints.solve("dependent_speeds", t, at, order=self.order)
            return state.moved(q, u)
        except FloatingPointError as failure:
            raise failed(self.constraints, t, state) from failure

    def accepted(self, t: float, state: State) -> State:
        """The same, after which the choice is looked at."""
        consistent = self.projected(t, state)
        best = pivoted(self.constraints, t, consistent)
        if best != self.order:
            jacobian = self.constraints.at(t, consistent).G
            if _condition(jacobian, self.order) < _DEGRADED * _condition(jacobian, best):
                self.order = best
                self.choices += 1
        return consistent

    def acceleration(self, t: float, state: State) -> tuple[State, Array]:
        """The consistent state and u' there.

        Raises FloatingPointError where there is none nearby: a step was too long.
        """
        try:
            at = self.projected(t, state)
        except ConstraintError as error:
            raise FloatingPointError(str(error)) from error
        tau = self.constraints.excitation.torque(t, at)
        a, _ = self.constraints.solve("reduced_dynamics", t, at, tau=tau, order=self.order)
        return at, a

    def statistics(self) -> dict[str, int]:
        """Number of choices."""
        return {"choices": self.choices}
