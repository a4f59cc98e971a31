"""Jacobians, velocities and accelerations of frames against differences of their poses."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import numpy as np

from eomc.binding.arrays import Array
from eomc.runtime.derivatives.differences import STEP, derivative
from eomc.verifier.subject.check import Absent, Comparison, check, largest
from eomc.verifier.subject.states import TestState
from eomc.verifier.subject.subject import Subject

ALLOWED, EXACT = 1e-9, 1e-11


@check(
    "frames",
    compares="frame Jacobians with differences of poses, their rates with differences of "
    "Jacobians; velocity = J u, acceleration = J a + J' u; the rotations are orthonormal",
    reference="[w]x = R' R^T; extrapolated central differences along the manifold",
    tolerance=f"{ALLOWED:.0e} of 1 m (rad) and of the largest entry for differences, which are "
    f"good to some 1e-12; {EXACT:.0e} for the products",
    needs=("integrate",),
)
def frames(subject: Subject) -> Iterator[Comparison]:
    """Every compiled frame, in every state, prescribed coordinates held; the rate of the Jacobian
    while they move, too."""
    if not subject.frames:
        raise Absent("frames")
    for state in subject.held:
        for frame in subject.frames:
            yield from _frame(subject, state, frame)
    for state in subject.states if subject.model.prescribed else ():
        for frame in subject.frames:
            yield _driven(subject, state, frame)


def _driven(subject: Subject, state: TestState, frame: str) -> Comparison:
    """The rate of the Jacobian along the motion of all coordinates."""
    fastest = max(float(np.abs(state[name]).max(initial=0.0)) for name in ("u", "s_rate"))

    def at(h: float) -> Array:
        q = subject.call("integrate", state, du=h * state["u"])
        moved = {"q": q, "s": state["s"] + h * state["s_rate"]}
        return np.asarray(subject.call(f"frame_{frame}_jacobian", state, **moved), dtype=float)

    slope, _ = derivative(at, STEP / max(1.0, fastest))
    rate, still = subject.call(f"frame_{frame}_jacobian_rate", state), at(0.0)
    size = (1 + float(np.abs(still).max(initial=0.0))) * (1 + fastest)
    what = f"{frame}: Jacobian rate, driven"
    return Comparison(what, state.label, largest(rate, slope, size), ALLOWED)


def _frame(subject: Subject, state: TestState, frame: str) -> Iterator[Comparison]:
    def ask(question: str, du: Array | None = None) -> Array:
        changes = {} if du is None else {"q": subject.call("integrate", state, du=du)}
        answer: Array = subject.call(f"frame_{frame}_{question}", state, **changes)
        return answer

    def along(question: str, direction: Array, h: float) -> Array:
        return ask(question, h * direction)

    u = state["u"]
    pose, jacobian, rate = ask("pose"), ask("jacobian"), ask("jacobian_rate")
    rotation = pose[:3, :3]
    right_handed = float(np.linalg.det(rotation)) > 0
    error = largest(rotation @ rotation.T, np.eye(3)) if right_handed else 2.0
    yield Comparison(f"{frame}: rotation", state.label, error, EXACT)
    columns = []
    for direction in np.eye(subject.nu):
        slope, _ = derivative(partial(along, "pose", direction))
        spin = slope[:3, :3] @ rotation.T
        axial = [spin[2, 1] - spin[1, 2], spin[0, 2] - spin[2, 0], spin[1, 0] - spin[0, 1]]
        columns.append(np.concatenate([slope[:3, 3], np.array(axial) / 2]))
    size = 1 + float(np.abs(jacobian).max(initial=0.0)) + float(np.abs(pose).max())
    error = largest(jacobian, np.array(columns).T, size)
    yield Comparison(f"{frame}: Jacobian", state.label, error, ALLOWED)
    step = STEP / max(1.0, float(np.abs(u).max(initial=0.0)))
    slope, _ = derivative(partial(along, "jacobian", u), step)
    size *= 1 + float(np.abs(u).max(initial=0.0))
    yield Comparison(f"{frame}: Jacobian rate", state.label, largest(rate, slope, size), ALLOWED)
    speed = 1 + float(np.abs(u).max(initial=0.0)) * subject.nu
    size *= speed
    yield Comparison(
        f"{frame}: velocity", state.label, largest(ask("velocity"), jacobian @ u, size), EXACT
    )
    expected = jacobian @ state["a"] + rate @ u
    size *= speed + float(np.abs(state["a"]).max(initial=0.0))
    error = largest(ask("acceleration"), expected, size)
    yield Comparison(f"{frame}: acceleration", state.label, error, EXACT)
