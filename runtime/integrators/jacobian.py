"""The exact Jacobian of the flow, for implicit methods."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from eomc.binding.arrays import Array
from eomc.runtime.integrators.problem import InitialValueProblem
from eomc.runtime.model.state import State

_DERIVATIVES = "forward_dynamics_derivatives"


def flow_jacobian(problem: InitialValueProblem) -> Callable[[float, Array], Array] | None:
    """d(q', u')/d(q, u) of q' = G(q) u, u' = a(q, u, ...) as a function of (t, [q; u]).

    With the columns of da/dq along tangent directions, which `forward_dynamics_derivatives` gives,

        J = [ d(G u)/dq        G     ]
            [ (da/dq) G^+    da/du   ]

    where d(G u)/dq, which vanishes if speeds are rates of coordinates, is taken by differences: G
    costs little. Rates are those at the normalized q.

    None if the model has no derivatives, if elements have states of their own, or if torques or
    inputs depend on the state in a way that only their functions know.
    """
    model, excitation = problem.model, problem.excitation
    is_known = excitation.is_constant and not model.element_states
    if not is_known or not model.has_function(_DERIVATIVES):
        return None
    nq, nu = model.nq, model.nu
    speeds_are_rates = _speeds_are_rates(problem)

    def rates(q: Array, u: Array) -> Array:
        normal = excitation.call("normalize", {"q": q})
        return np.asarray(excitation.call("coordinate_rates", {"q": normal, "u": u}))

    def jacobian(t: float, y: Array) -> Array:
        q, u = excitation.call("normalize", {"q": y[:nq]}), y[nq:]
        values = {"q": q, "u": u, "tau": excitation.torque(t, State(q, u))}
        by_q, by_u, _ = excitation.call(_DERIVATIVES, values | excitation.others(t, State(q, u)))
        matrix = np.zeros((nq + nu, nq + nu))
        matrix[nq:, nq:] = by_u
        if speeds_are_rates:
            matrix[:nq, nq:] = np.eye(nu)
            matrix[nq:, :nq] = by_q
            return matrix
        g = rates(np.broadcast_to(q, (nu, nq)), np.eye(nu)).T
        step = np.cbrt(np.finfo(float).eps) * np.eye(nq)
        there, back = rates(q + step, np.broadcast_to(u, (nq, nu))), rates(q - step, u)
        matrix[:nq, :nq] = (there - back).T / (2 * step[0, 0])
        matrix[:nq, nq:] = g
        matrix[nq:, :nq] = by_q @ np.linalg.pinv(g)
        return matrix

    return jacobian


def _speeds_are_rates(problem: InitialValueProblem) -> bool:
    """True if the speeds are the rates of the coordinates, q' = u."""
    model = problem.model
    if model.nq != model.nu or model.operations_of("coordinate_rates") > 0:
        return False
    u = 1.0 + np.arange(model.nu)
    rates = problem.excitation.call("coordinate_rates", {"q": problem.state.q, "u": u})
    return bool(np.array_equal(rates, u))
