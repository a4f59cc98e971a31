"""Modes of contacts, closed and of these sticking: accelerations and forces that follow.

A closed contact keeps its gap by a force that presses; where it sticks, both slips by a force along
the surface, else that force is friction by its law:

    J_n a + g_n = 0,   J_t a + g_t = 0 (stick),   M (a - a_0) = J_n^T N + J_t^T f

with a_0 the accelerations without any.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from eomc.runtime.impact.contacts import Closings
from eomc.runtime.impact.errors import PainleveError
from eomc.runtime.model.errors import stopped

Array = NDArray[np.float64]

_NOISE = 1e-10
"""Share of the largest force, or of what it accelerates, that is rounding."""


@dataclass(frozen=True, eq=False)
class Modes:
    """closed : contacts; sticking : those of them; directions : (n, 3), in which others slip."""

    closed: tuple[int, ...]
    sticking: frozenset[int]
    directions: Array

    def slip_direction(self, at: Closings, k: int) -> Array:
        """Of the slip now; it goes on smoothly through zero along its direction at the start, so
        that a step that looks over the end of slip sees no jump."""
        v, d = at.slip[k], self.directions[k]
        size = float(np.linalg.norm(v))
        if size == 0:
            return np.asarray(d)
        return np.asarray(v * (np.copysign(1.0, v @ d) / size))

    def along(self, at: Closings, k: int) -> Array:
        """Force along the surface per newton of pressing force, of a contact that slips."""
        return np.asarray(at.traction[k] - at.kinetic[k] * self.slip_direction(at, k))


@dataclass(frozen=True, eq=False)
class Motion:
    """Accelerations (nu,), pressing forces (n,) and forces along the surfaces (n, 3)."""

    acceleration: Array
    pressing: Array
    friction: Array


def motion(at: Closings, free: Array, modes: Modes) -> Motion:
    """Accelerations and contact forces under the modes, from the accelerations without any.

    Raises `PainleveError` where pressing a slipping contact does not part it.
    """
    n = len(at.names)
    pressing, friction = np.zeros(n), np.zeros((n, 3))
    if not modes.closed:
        return Motion(free, pressing, friction)
    rows, bias, columns, places = [], [], [], []
    for k in modes.closed:
        rows.append(at.rows[k, 0])
        bias.append(at.bias[k, 0])
        if k in modes.sticking:
            tangents = at.across(k, at.rows)
            rows += list(tangents)
            bias += list(at.tangents[k] @ at.bias[k, 1:])
            columns += [at.rows[k, 0], *tangents]
            places += [(k, None), (k, at.tangents[k, 0]), (k, at.tangents[k, 1])]
        else:
            along = modes.along(at, k)
            columns.append(at.rows[k, 0] + along @ at.rows[k, 1:])
            places.append((k, None))
            friction[k] = along
    asked, taken = np.array(rows), at.responses(np.array(columns).T)
    if any(friction[k].any() for k in modes.closed):
        _check_parting(at, modes, taken, places)
    x = _solved(asked @ taken, -(asked @ free + np.array(bias)))
    friction = friction * 0
    for force, (k, direction) in zip(x, places, strict=True):
        if direction is not None:
            friction[k] += force * direction
            continue
        pressing[k] = force
        if k not in modes.sticking:
            friction[k] = force * modes.along(at, k)
    return Motion(free + taken @ x, pressing, friction)


def _solved(matrix: Array, right: Array) -> Array:
    """The least forces, where contacts depend on each other."""
    return np.asarray(np.linalg.lstsq(matrix, right, rcond=1e-12)[0])


def _check_parting(
    at: Closings, modes: Modes, taken: Array, places: list[tuple[int, Array | None]]
) -> None:
    normal = [i for i, (_, direction) in enumerate(places) if direction is None]
    for i in normal:
        k = places[i][0]
        if k in modes.sticking:
            continue
        parting = float(at.rows[k, 0] @ taken[:, i])
        if parting <= 0:
            raise _painleve(at, k, parting)


def _painleve(at: Closings, k: int, parting: float) -> PainleveError:
    places = zip(at.model.coordinates, at.state.q, strict=True)
    told = ", ".join(f"{name} = {value:.9g}" for name, value in places)
    return PainleveError(
        f"the run of {at.model.name!r} stopped at t = {at.t:.9g} s: contact {at.names[k]!r} slips "
        f"at {float(np.linalg.norm(at.slip[k])):.6g} m/s, and a force that presses it accelerates "
        f"its gap by {parting:.3g} m/s^2 per newton: no motion, or more than one, goes on from "
        f"here (Painleve). State: {told}. Friction is too great for it",
        at.t,
    )


def settled(
    at: Closings, free: Array, candidates: Collection[int], breaking: Collection[int] = ()
) -> Modes:
    """The modes that contacts go on with which touch and do not part.

    None of them pulls, none that opens would close again, and none sticks by more than friction
    gives. `breaking` tells those that just broke away.
    """
    n = len(at.names)
    directions, sticking = np.zeros((n, 3)), set()
    for k in candidates:
        size = float(np.linalg.norm(at.slip[k]))
        if size > at.rest_speed[k]:
            directions[k] = at.slip[k] / size
        elif at.static[k] > 0:
            sticking.add(k)
    closed, broken = set(candidates), set[int]()
    for _ in range(8 * (n + 1)):
        modes = Modes(tuple(sorted(closed)), frozenset(sticking & closed), directions)
        found = motion(at, free, modes)
        scale = max(float(np.abs(found.pressing).max(initial=0)), 1e-300)
        pulls = [k for k in closed if found.pressing[k] < -_NOISE * scale]
        if pulls:
            closed.discard(min(pulls, key=lambda k: found.pressing[k]))
            continue
        gives = at.static * found.pressing
        rubbing = np.linalg.norm(found.friction, axis=1)
        over = [
            k for k in modes.sticking - broken
            if k in breaking or rubbing[k] > gives[k] * (1 + 1e-12) + _NOISE * 1e-3 * scale
        ]  # fmt: skip
        if over:
            k = max(over, key=lambda k: rubbing[k] - gives[k])
            broken.add(k)
            sticking.discard(k)
            if rubbing[k] > 0:
                directions[k] = -found.friction[k] / rubbing[k]
            continue
        opening = at.rows[:, 0] @ found.acceleration + at.bias[:, 0]
        least = float(np.abs(at.rows[:, 0] @ free + at.bias[:, 0]).max(initial=0))
        closing = [k for k in candidates if k not in closed and opening[k] < -_NOISE * least]
        if not closing:
            return modes
        closed.add(min(closing, key=lambda k: opening[k]))
    names = ", ".join(at.names[k] for k in candidates)
    raise stopped(at.model.name, at.t, f"no modes found for the contacts {names}")
