"""Inverse dynamics against Lagrange's equations derived by SymPy as in a textbook."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import sympy

from eomc.runtime.verify.check import Comparison, NotApplicable, check, largest
from eomc.runtime.verify.states import TestState
from eomc.verification.subject import DerivedSubject
from eomc.verification.textbook import RATES, Textbook, TooLong

ALLOWED = 1e-11
DIGITS = 30
_MOST_SPEEDS, _MOST_WORK, _QUICK_WORK = 4, 30, 9


@check(
    "textbook",
    compares="inverse dynamics (and with a = 0 the bias) of small systems",
    reference="Lagrange's equations written by SymPy from positions alone: velocities by "
    "differentiation, d/dt dL/du - dL/dq = Q by virtual work, evaluated to 30 digits; no code "
    "shared (Goldstein, Classical Mechanics, ch. 1)",
    tolerance=f"{ALLOWED:.0e} of |M| |a| + |c| and of what changes of the state by eps make, rows "
    "weighted by sqrt(M_kk): as for Newton-Euler",
    needs=("inverse_dynamics", "mass_matrix", "bias"),
)
def textbook(subject: DerivedSubject) -> Iterator[Comparison]:
    """Bounded in size: expressions of the plain method explode (48 s at 6 degrees of freedom)."""
    model, mechanism = subject.declared, subject.mechanism
    if model is None or mechanism is None:
        raise NotApplicable("made from equations, not from bodies and joints")
    if mechanism.deformables:
        raise NotApplicable("bodies deform: see Lagrange")
    if mechanism.closing:
        raise NotApplicable("losses of joints that close loops: see Newton-Euler")
    strange = [joint for joint in mechanism.joints if joint.kind not in RATES]
    if strange:
        raise NotApplicable(
            f"the speeds of joint {strange[0].name!r} ({strange[0].kind}) are no rates"
        )
    directions = mechanism.nu + mechanism.ns
    work = directions**2 * len(mechanism.bodies)
    most = _QUICK_WORK if subject.quick else _MOST_WORK
    if directions > _MOST_SPEEDS or work > most:
        raise NotApplicable(
            f"{directions} directions of motion and {len(mechanism.bodies)} bodies: larger than "
            "the plain method is asked for"
        )
    derivation = Textbook(model, mechanism)
    try:
        forces = derivation.forces()
    except TooLong as reason:
        raise NotApplicable(str(reason)) from None
    function = sympy.lambdify(derivation.symbols, forces, modules="mpmath", cse=True)
    for state in subject.states:
        yield from _in_state(subject, state, function)


def _in_state(subject: DerivedSubject, state: TestState, function: object) -> Iterator[Comparison]:
    import mpmath

    arrays = ("q", "u", "a", "s", "s_rate", "s_acceleration", "r", "t")
    weights = subject.mass_weights(state)
    mass = np.abs(subject.call("mass_matrix", state))
    terms = mass @ np.abs(state["a"]) + np.abs(subject.call("bias", state))
    eps = 1e-8
    moved = state.with_values(q=state["q"] + eps, u=state["u"] * (1 + eps))
    tau = subject.call("inverse_dynamics", state)
    change = np.abs(subject.call("inverse_dynamics", moved) - tau) / eps
    size = float(((terms + change) / weights).max())
    for name, at in (
        ("inverse_dynamics", state),
        ("bias", state.with_values(a=np.zeros(subject.nu))),
    ):
        numbers = [x for array in arrays for x in np.ravel(at[array]).tolist()]
        with mpmath.workdps(DIGITS):
            try:
                expected = [float(value) for value in function(*numbers)]  # type: ignore[operator]
            except (ZeroDivisionError, TypeError):
                continue  # no number in exact arithmetic
        error = largest(subject.call(name, at) / weights, np.array(expected) / weights, size)
        yield Comparison(name, state.label, error, ALLOWED)
