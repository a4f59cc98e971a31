"""Momentum of systems with a floating base: only what acts from outside changes it."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from eomc.binding.arrays import Array
from eomc.runtime.derivatives.differences import STEP, derivative
from eomc.verifier.subject.check import Absent, Comparison, NotApplicable, check, largest
from eomc.verifier.subject.states import TestState
from eomc.verifier.subject.subject import Subject
from eomc.verifier.witness.mechanism import WORLD, WitnessJoint
from eomc.verifier.witness.newton_euler import NewtonEuler

ALLOWED, UNCERTAIN = 1e-9, 1e-6


@check(
    "momentum",
    compares="rate of momentum along the motion of forward dynamics with the force and the moment "
    "from outside: weight, loads on the base, tau of the base",
    reference="Newton's and Euler's laws for the whole system: nothing inside changes its linear "
    "or angular momentum, no force of one's own either that says it acts between bodies; "
    "extrapolated differences along (u, a)",
    tolerance=f"{ALLOWED:.0e} of the sum of the terms, and four times the differences' own "
    f"estimate of their error, of which at most {UNCERTAIN:.0e} is accepted",
    needs=("momentum", "forward_dynamics", "integrate", "mass_matrix", "bias"),
)
def momentum(subject: Subject) -> Iterator[Comparison]:
    """In every state, prescribed coordinates held."""
    if subject.mechanism is None:
        raise NotApplicable("the bodies and joints are not known here")
    roots = [joint for joint in subject.mechanism.joints if joint.parent == WORLD]
    if len(roots) != 1 or len(roots[0].speeds) != 6 or not _is_free(roots[0]):
        raise Absent("a floating base")
    if _is_tied(subject, roots[0]):
        raise Absent("a floating base that constraints leave free")
    regular = {state.label for state in subject.regular}
    for state in subject.held:
        if state.label in regular:
            yield from _in_state(subject, state, roots[0])


def _is_free(joint: WitnessJoint) -> bool:
    return all(speed.array == "u" for speed in joint.speeds)


def _is_tied(subject: Subject, base: WitnessJoint) -> bool:
    """True if constraints beside those between bodies hold the speeds of the base."""
    if not subject.model.is_constrained or "constraint_jacobian" not in subject.functions:
        return False
    assert subject.mechanism is not None
    holds = subject.mechanism.holds
    inside = {hold.name for hold in holds if WORLD not in (hold.parent, hold.child)}
    places = [speed.index for speed in base.speeds]
    names = subject.model.output_names("constraint_jacobian")
    outside = [k for k, name in enumerate(names) if name.rpartition(".")[0] not in inside]
    return any(subject.gradients(state)[np.ix_(outside, places)].any() for state in subject.held)


def _in_state(subject: Subject, state: TestState, base: WitnessJoint) -> Iterator[Comparison]:
    tau = state["tau"] * subject.mass_weights(state)
    a = subject.call("forward_dynamics", state, tau=tau)
    u = state["u"]
    fastest = max(float(np.abs(u).max()), float(np.abs(a).max()) ** 0.5, 1.0)

    def along(h: float) -> Array:
        q = subject.call("integrate", state, du=h * u)
        answer: Array = subject.call("momentum", state, q=q, u=u + h * a)
        return answer

    rate, doubt = derivative(along, STEP / fastest)
    expected, terms = _from_outside(subject, state, base, tau)
    linear, angular = slice(0, 3), slice(3, 6)
    for part, rows in (("linear", linear), ("angular", angular)):
        moving = float(np.abs(along(0.0)[rows]).max()) * fastest
        size = float(terms[rows].max()) + moving + float(np.abs(rate[rows]).max())
        if size == 0.0:
            continue
        error = largest(rate[rows], expected[rows], size)
        allowed = ALLOWED + min(4 * float(doubt[rows].max()) / size, UNCERTAIN)
        yield Comparison(f"{part} momentum", state.label, error, allowed)


def _from_outside(
    subject: Subject, state: TestState, base: WitnessJoint, tau: Array
) -> tuple[Array, Array]:
    """(force and moment about the world origin, sizes of their terms)."""
    reference: NewtonEuler = subject.reference(state)
    kept, other, _ = reference.loads()
    places = [reference.direction(speed) for speed in base.speeds]
    pulled = tau[places] + (kept + other - reference.between_bodies())[places]
    # The wrench at the base's origin that does the work of these forces on all six motions.
    motion = reference.motions[base.child]
    origin = motion.x[:3, 3]
    units = np.hstack([motion.units[places, :3, 3], motion.partial_angular_velocities[places]])
    force, moment = np.asarray(np.linalg.solve(units, pulled), dtype=np.float64).reshape(2, 3)
    gravity = reference.mechanism.gravity
    mass = sum(body.mass for body, _ in reference.moving)
    mass += sum(body.mass for body in reference.deformed)
    center = reference.center_of_mass()[0] if mass > 0 else np.zeros(3)
    total = np.concatenate(
        [
            force + mass * gravity,
            moment + np.cross(origin, force) + np.cross(center, mass * gravity),
        ]
    )
    sizes = np.abs(tau[places]) + np.abs(kept[places]) + np.abs(other[places])
    sizes = np.abs(np.linalg.inv(units)) @ sizes
    push, weight = float(sizes[:3].max()), mass * float(np.abs(gravity).max())
    reach = float(np.abs(origin).max()) * push + float(np.abs(center).max()) * weight
    terms = np.concatenate([np.full(3, push + weight), np.full(3, float(sizes[3:].max()) + reach)])
    return total, terms
