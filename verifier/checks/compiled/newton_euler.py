"""Compiled functions against Newton's and Euler's equations in numbers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from eomc.binding.arrays import Array
from eomc.runtime.model.frame_kinematics import word_of
from eomc.verifier.subject.check import Comparison, NotApplicable, check, largest
from eomc.verifier.subject.states import TestState
from eomc.verifier.subject.subject import Subject
from eomc.verifier.witness.newton_euler import NewtonEuler

ALLOWED = 1e-11
_PERTURBATION = 1e-8
_STEPS = 200


@check(
    "Newton-Euler",
    compares="forces, mass matrix, energies, power, momentum, centre of mass, frames",
    reference="every body free in maximal form, homogeneous matrices and their time derivatives, "
    "reactions removed by d'Alembert's principle, deformable bodies by Lagrange's equations of "
    "their own energy; no code shared (Kane and Levinson 1985)",
    tolerance=f"{ALLOWED:.0e} of the size of the terms that sum up to a result plus what relative "
    "changes of the state by 1 change in it (its conditioning): ten times what chains of 40 "
    "joints show of rounding, far below any wrong term",
)
def newton_euler(subject: Subject) -> Iterator[Comparison]:
    """The reference in every state, quantity by quantity."""
    if subject.mechanism is None:
        raise NotApplicable("the bodies and joints are not known here")
    if subject.model.has_reaction_friction and not subject.known_rows.all():
        raise NotApplicable("reactions depend on a constraint of a kind that is not known here")
    for what in subject.mechanism.not_judged:
        yield Comparison(f"not judged: {what}", "all states", np.inf, ALLOWED)
    for state in subject.states:
        reference = subject.reference(state)
        moved = subject.reference(_perturbed(subject, state))
        yield from _dynamics(subject, state, reference, moved)
        yield from _energies(subject, state, reference, moved)
        yield from _frames(subject, state, reference)


def _perturbed(subject: Subject, state: TestState) -> TestState:
    """Another state nearby: angles and lengths by 1e-8, rates by 1e-8 of themselves."""
    rng = np.random.default_rng(subject.seed)
    changed = {
        name: state[name] * (1 + _PERTURBATION * rng.choice([-1, 1], size=state[name].shape))
        for name in ("u", "a", "s_rate", "s_acceleration", "r")
    }
    changed["q"] = state["q"] + _PERTURBATION * rng.choice([-1, 1], size=state["q"].shape)
    return state.with_values(**changed)


def _change(value: Any, moved: Any) -> Array:
    change: Array = np.abs(np.asarray(moved) - np.asarray(value)) / _PERTURBATION
    return change


def _compared(what: str, state: TestState, got: Any, expected: Any, size: Any) -> Comparison:
    """Errors relative to `size`, entry by entry."""
    got, expected = np.asarray(got, dtype=float), np.asarray(expected, dtype=float)
    if got.shape != expected.shape:
        return Comparison(what, state.label, np.inf, ALLOWED)
    scale = np.broadcast_to(np.asarray(size, dtype=float), expected.shape)
    safe = np.where(scale > 0, scale, 1.0)
    return Comparison(what, state.label, largest(got / safe, expected / safe), ALLOWED)


def _dynamics(
    subject: Subject, state: TestState, reference: NewtonEuler, moved: NewtonEuler
) -> Iterator[Comparison]:
    nu = subject.nu
    tau, terms = reference.inverse_dynamics()
    size = (terms + _change(tau, moved.inverse_dynamics()[0]))[:nu]
    for name, changes in (("inverse_dynamics", {}), ("bias", {"a": np.zeros(nu)})):
        if name in subject.functions:
            expected = subject.reference(state, **changes).inverse_dynamics()[0][:nu]
            yield _compared(name, state, subject.call(name, state), expected, size)
    mass = reference.mass_matrix()
    weights: Array = np.sqrt(np.diag(mass))
    if "mass_matrix" in subject.functions:
        scale = np.outer(weights, weights)
        yield _compared("mass_matrix", state, subject.call("mass_matrix", state), mass, scale)
    if "gravity" in subject.functions:
        rest = {"u": np.zeros(nu), "a": np.zeros(nu)}
        still = np.zeros_like(state["s_rate"])
        rest |= {"s_rate": still, "s_acceleration": still}
        weight, terms = subject.reference(state, **rest).inertial()
        yield _compared("gravity", state, subject.call("gravity", state), weight[:nu], terms[:nu])
    if "forward_dynamics" in subject.functions and state in subject.regular:
        accelerations, multipliers = _accelerations(subject, reference, state)
        change = _change(accelerations, _accelerations(subject, moved, state)[0])
        forces = np.abs(state["tau"]) + size
        scale = subject.condition(state) * float((forces / weights).max()) / weights
        got = subject.call("forward_dynamics", state)
        yield _compared("forward_dynamics", state, got, accelerations, scale + change)
        if "prescribed_forces" in subject.functions:
            driven = subject.reference(state, a=accelerations).inverse_dynamics()
            held = _drive_gradients(subject, state).T * multipliers
            got = subject.call("prescribed_forces", state)
            size = driven[1][nu:] + float((forces / weights).max()) * subject.condition(state)
            expected = driven[0][nu:] - held.sum(axis=1)
            yield _compared("prescribed_forces", state, got, expected, size + abs(held).sum(axis=1))


def _drive_gradients(subject: Subject, state: TestState) -> Array:
    """G_s (m, prescribed): G u + b is linear in the rates s', so that differences are exact."""
    if not subject.model.is_constrained:
        return np.zeros((0, len(state["s_rate"])))
    still = subject.call("constraint_velocity", state, s_rate=np.zeros(len(state["s_rate"])))
    units = np.eye(len(state["s_rate"]))
    columns = [subject.call("constraint_velocity", state, s_rate=unit) - still for unit in units]
    return np.array(columns).reshape(len(units), -1).T


def _accelerations(
    subject: Subject, reference: NewtonEuler, state: TestState
) -> tuple[Array, Array]:
    """M^-1 (tau - c) of the reference, c = tau(a) - M a; on the constraints G a + g = 0, with
    their multipliers."""
    nu = subject.nu
    mass = reference.mass_matrix()
    bias = reference.inverse_dynamics()[0][:nu] - mass @ reference.values["a"]
    forces = state["tau"] - bias
    if reference.mechanism.bearings:
        return _settled(subject, reference, state)
    if not subject.model.is_constrained:
        return np.asarray(np.linalg.solve(mass, forces), dtype=np.float64), np.zeros(0)
    gradients = subject.gradients(state)
    asked = -np.asarray(subject.call("constraint_bias", state))
    none = np.zeros((len(asked), len(asked)))
    whole = np.block([[mass, gradients.T], [gradients, none]])
    found: Array = np.linalg.solve(whole, np.concatenate([forces, asked]))
    return found[:nu], -found[nu:]


def _settled(subject: Subject, reference: NewtonEuler, state: TestState) -> tuple[Array, Array]:
    """Accelerations and multipliers on which friction depends, iterated until they settle."""
    mechanism, values, nu = reference.mechanism, dict(reference.values), subject.nu
    gradients, asked = np.zeros((0, nu)), np.zeros(0)
    if subject.model.is_constrained:
        gradients = subject.gradients(state)
        asked = np.asarray(subject.call("constraint_bias", state))
    rows = len(gradients)
    none = np.zeros((rows, rows))
    whole = np.block([[reference.mass_matrix(), -gradients.T], [gradients, none]])
    multipliers = np.zeros(rows)
    for _ in range(_STEPS):
        before, values["held"] = values["a"], gradients.T @ multipliers
        taken = NewtonEuler(mechanism, values).inverse_dynamics()[0][:nu] - values["held"]
        right = np.concatenate([state["tau"] - taken, -asked - gradients @ before])
        step = np.linalg.solve(whole, right)
        values["a"], multipliers = before + step[:nu], multipliers + step[nu:]
        if np.abs(step[:nu]).max() <= 1e-15 * np.abs(before).max():
            break
    return values["a"], multipliers


def _under_tau(subject: Subject, state: TestState, reference: NewtonEuler) -> NewtonEuler:
    """With the accelerations of forward dynamics, where friction depends on them."""
    if not reference.mechanism.bearings:
        return reference
    a, multipliers = _accelerations(subject, reference, state)
    values = {**reference.values, "a": a}
    if subject.model.is_constrained:
        values["held"] = subject.carried(state, multipliers)
    return NewtonEuler(reference.mechanism, values)


def _energies(
    subject: Subject, state: TestState, reference: NewtonEuler, moved: NewtonEuler
) -> Iterator[Comparison]:
    kinetic = reference.kinetic_energy()
    potential, terms = reference.potential_energy()
    _, other, _ = _under_tau(subject, state, reference).loads()
    momentum = reference.momentum()
    expected: dict[str, tuple[Any, Any]] = {
        "kinetic_energy": (kinetic, kinetic + _change(kinetic, moved.kinetic_energy())),
        "potential_energy": (potential, terms + _change(potential, moved.potential_energy()[0])),
        "momentum": (momentum, np.abs(momentum).max() + _change(momentum, moved.momentum()).max()),
    }
    if subject.mechanism is not None and subject.mechanism.potential_is_static:
        rates = np.concatenate([state["u"], state.values.get("s_rate", np.zeros(0))])
        tau = np.concatenate([state["tau"], np.zeros(len(rates) - subject.nu)])
        size = (np.abs(tau) + np.abs(other)) @ np.abs(rates)
        lost = _under_tau(subject, state, moved).loads()[1]
        change = _change(other, lost) @ np.abs(rates)
        expected["power"] = (float((tau + other) @ rates), size + change)
    place, jacobian = reference.center_of_mass()
    if np.isfinite(place).all():
        expected["center_of_mass"] = (place, 1 + np.abs(place).max())
        expected["center_of_mass_jacobian"] = (jacobian, 1 + np.abs(jacobian).max())
    for name, (value, size) in expected.items():
        if name in subject.functions:
            yield _compared(name, state, subject.call(name, state), value, size)


def _frames(subject: Subject, state: TestState, reference: NewtonEuler) -> Iterator[Comparison]:
    assert subject.mechanism is not None
    origin = np.zeros(3)
    for frame in subject.mechanism.frames:
        word = word_of(frame.name)
        if word not in subject.frames:
            yield Comparison(f"frame {frame.name} has no functions", state.label, np.inf, ALLOWED)
            continue
        motion = reference.frame(frame.body, frame.placement)
        units = [motion.partial_velocities(origin), motion.partial_angular_velocities]
        answers = {
            "pose": motion.x,
            "velocity": [*motion.velocity(origin), *motion.angular_velocity],
            "acceleration": [*motion.acceleration(origin), *motion.angular_acceleration],
            "jacobian": np.hstack(units).T[:, : subject.nu],
        }
        for question, expected in answers.items():
            name = f"frame_{word}_{question}"
            if name in subject.functions:
                size = 1 + np.abs(np.asarray(expected)).max(initial=0.0)
                if question in ("velocity", "acceleration"):
                    # Large parts that cancel along the chain.
                    size += np.abs(state["u"]).sum() ** (2 if question == "acceleration" else 1)
                found = _compared(name, state, subject.call(name, state), expected, size)
                yield replace(found, of=f"frame {frame.name}")
