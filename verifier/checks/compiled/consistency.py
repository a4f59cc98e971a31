"""The functions of a model agree among themselves."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from eomc.verifier.subject.check import Comparison, check, largest
from eomc.verifier.subject.states import TestState
from eomc.verifier.subject.subject import Subject

ALLOWED = 1e-12
_REACTED = "forces_by_reactions"


@check(
    "consistency",
    compares="tau = M a + c, less what forces by reactions gain with a; forward dynamics inverts "
    "inverse dynamics; T = u^T M u / 2",
    reference="the definitions of the functions; each is derived by another algorithm",
    tolerance=f"{ALLOWED:.0e} of the terms' sum, weighted by sqrt(M_kk) so that rows of different "
    "units compare, and times the condition number of M for accelerations: some thousand roundings",
    needs=("inverse_dynamics", "mass_matrix", "bias"),
)
def consistency(subject: Subject) -> Iterator[Comparison]:
    """Errors relative to |M| |a| + |c|, of which the difference is made."""
    natural = subject.is_natural and not subject.model.prescribed
    for state in subject.states:
        mass, bias = subject.call("mass_matrix", state), subject.call("bias", state)
        a, u, weights = state["a"], state["u"], subject.mass_weights(state)
        tau = subject.call("inverse_dynamics", state)
        terms = (np.abs(mass) @ np.abs(a) + np.abs(bias)) / weights
        size = float(terms.max(initial=0.0))
        expected = mass @ a + bias
        if _REACTED in subject.functions:
            still = subject.call(_REACTED, state, a=np.zeros(subject.nu))
            expected = expected + still - subject.call(_REACTED, state)
        error = largest(tau / weights, expected / weights, size)
        yield Comparison("tau = M a + c", state.label, error, ALLOWED)
        if "kinetic_energy" in subject.functions and natural:
            energy = 0.5 * float(np.abs(u) @ np.abs(mass) @ np.abs(u))
            got = subject.call("kinetic_energy", state)
            error = largest(got, 0.5 * u @ mass @ u, energy)
            yield Comparison("T = u M u / 2", state.label, error, ALLOWED)
    if "forward_dynamics" in subject.functions:
        for state in subject.regular:
            yield _inverted(subject, state)


def _inverted(subject: Subject, state: TestState) -> Comparison:
    """forward(inverse(a)) = a, at the natural size M^-1 of the forces' rounding."""
    weights = subject.mass_weights(state)
    tau, bias = subject.call("inverse_dynamics", state), subject.call("bias", state)
    if subject.model.has_reaction_friction:
        tau = tau - subject.carried(state, state["multipliers"])
    terms = (np.abs(tau) + np.abs(bias)) / weights
    size = float(max(terms.max(initial=0.0), np.abs(state["a"] * weights).max(initial=0.0)))
    try:
        a = subject.call("forward_dynamics", state, tau=tau)
    except FloatingPointError:
        a = np.full(subject.nu, np.nan)
    error = largest(a * weights, state["a"] * weights, size * subject.condition(state))
    return Comparison("forward inverts inverse", state.label, error, ALLOWED)
