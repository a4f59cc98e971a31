"""Inverse dynamics and mass matrix against Lagrange's equations by brute force."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from eomc.verifier.subject.check import Comparison, NotApplicable, check, largest
from eomc.verifier.subject.derived_subject import DerivedSubject
from eomc.verifier.subject.states import TestState
from eomc.verifier.witness.lagrange import DIGITS, Lagrange

ALLOWED = 1e-11
_MOST_DIRECTIONS, _MOST_BODIES = 12, 12
_STATES, _QUICK_STATES = 4, 2


@check(
    "Lagrange",
    compares="inverse dynamics, mass matrix and kinetic energy of small systems, with deformable "
    "bodies and quaternions",
    reference=f"T and V from the positions of the bodies alone, differentiated by differences in "
    f"{DIGITS}-digit arithmetic; springs, laws and losses as for Newton-Euler (Lanczos, The "
    "Variational Principles of Mechanics, ch. 5)",
    tolerance=f"{ALLOWED:.0e} of |M| |a| + |c| and of what changes of the state by eps make, rows "
    "weighted by sqrt(M_kk): as for Newton-Euler",
    needs=("inverse_dynamics", "mass_matrix", "bias", "kinetic_energy"),
)
def lagrange(subject: DerivedSubject) -> Iterator[Comparison]:
    """In the first random states, and in one at high speeds."""
    model, mechanism = subject.declared, subject.mechanism
    if model is None or mechanism is None:
        raise NotApplicable("made from equations, not from bodies and joints")
    if subject.model.has_reaction_friction and not subject.known_rows.all():
        raise NotApplicable("reactions depend on a constraint of a kind that is not known here")
    directions, bodies = mechanism.nu + mechanism.ns, len(mechanism.bodies)
    if directions > _MOST_DIRECTIONS or bodies > _MOST_BODIES:
        raise NotApplicable(
            f"{directions} directions of motion and {bodies} bodies: larger than brute force is "
            "asked for"
        )
    derivation = Lagrange(model, mechanism)
    drawn = [state for state in subject.states if state.is_random]
    count = _QUICK_STATES if subject.quick else _STATES
    fast = [state for state in drawn if "high" in state.label]
    for state in [*drawn[: count - 1], *fast][:count]:
        yield from _in_state(subject, state, derivation)


def _in_state(
    subject: DerivedSubject, state: TestState, derivation: Lagrange
) -> Iterator[Comparison]:
    nu, weights = subject.nu, subject.mass_weights(state)
    here = derivation.near(state.values)
    mass = here.mass_matrix()
    got = subject.call("mass_matrix", state)
    scale = np.outer(weights, weights)
    yield Comparison("mass_matrix", state.label, largest(got / scale, mass / scale), ALLOWED)
    eps = 1e-8
    moved = state.with_values(q=state["q"] + eps, u=state["u"] * (1 + eps))
    tau = subject.call("inverse_dynamics", state)
    change = np.abs(subject.call("inverse_dynamics", moved) - tau) / eps
    reference = subject.reference(state)
    kept, other, _ = reference.loads()
    strain = sum((body.loads()[0] for body in reference.deformed), np.zeros(kept.shape))
    loads = (kept - strain + other)[:nu]
    expected = here.inverse_dynamics()[:nu] - loads
    terms = np.abs(mass) @ np.abs(state["a"]) + np.abs(subject.call("bias", state))
    size = float(((terms + change + np.abs(loads)) / weights).max())
    error = largest(tau / weights, expected / weights, size)
    yield Comparison("inverse_dynamics", state.label, error, ALLOWED)
    energy = here.kinetic_energy()
    error = largest(subject.call("kinetic_energy", state), energy, energy)
    yield Comparison("kinetic_energy", state.label, error, ALLOWED)
