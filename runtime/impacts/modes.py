"""Modes of contacts, closed and of these sticking: accelerations and forces that follow.

A closed contact keeps its gap by a force that presses; where it sticks, both slips by a force along
the surface, else that force is friction by its law:

    J_n a + g_n = 0,   J_t a + g_t = 0 (stick),   M (a - a_0) = J_n^T N + J_t^T f

with a_0 the accelerations without any.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass

import numpy as np

from eomc.binding.arrays import Array
from eomc.runtime.impacts.contacts import HOLDS, Closings
from eomc.runtime.impacts.errors import PainleveError
from eomc.runtime.model.errors import stopped

_NOISE = 1e-10
"""Share of the largest force, or of what it accelerates, that is rounding."""

_UNHELD = 1e-6
"""Share of its terms above which an acceleration is not rounding of zero."""

Bending = Callable[[Array], Array]
"""Bias of the rows (n, 4) at other speeds (nu,)."""


@dataclass(frozen=True, eq=False)
class ContactModes:
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
class ContactAccelerations:
    """Accelerations (nu,), those without contacts, pressing forces (n,) and forces along the
    surfaces (n, 3)."""

    acceleration: Array
    free: Array
    pressing: Array
    friction: Array


def motion(at: Closings, free: Array, modes: ContactModes) -> ContactAccelerations:
    """Accelerations and contact forces under the modes, from the accelerations without any.

    Raises `PainleveError` where pressing a slipping contact does not part it.
    """
    n = len(at.names)
    pressing, friction = np.zeros(n), np.zeros((n, 3))
    if not modes.closed:
        return ContactAccelerations(free, free, pressing, friction)
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
    return ContactAccelerations(free + taken @ x, free, pressing, friction)


def _solved(matrix: Array, right: Array) -> Array:
    """The least forces, where contacts depend on each other."""
    return np.asarray(np.linalg.lstsq(matrix, right, rcond=1e-12)[0])


def _unheld(at: Closings, found: ContactAccelerations, k: int) -> Array:
    """Acceleration along the surface (3,) that no force of a sticking contact takes away, its rows
    being rounding: zero below a share of what it is made of."""
    bias = at.bias[k, 1:]
    left = at.tangents[k] @ (at.rows[k, 1:] @ found.acceleration + bias)
    terms = np.abs(found.acceleration) + np.abs(found.free)
    size = np.abs(at.rows[k, 1:]) @ terms + np.abs(bias)
    if np.linalg.norm(left) <= _UNHELD * np.linalg.norm(size):
        return np.zeros(3)
    return np.asarray(left @ at.tangents[k])


def _check_parting(
    at: Closings, modes: ContactModes, taken: Array, places: list[tuple[int, Array | None]]
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
    at: Closings,
    free: Array,
    candidates: Collection[int],
    breaking: Collection[int] = (),
    bending: Bending | None = None,
) -> ContactModes:
    """The modes that contacts go on with which touch and do not part.

    None of them pulls, none that opens would close again, and none sticks that moves along its
    surface, by more than friction gives or where no force holds it. `breaking` tells those that
    just broke away; `bending` how a mechanism leaves a dead centre that it rests in.
    """
    n = len(at.names)
    directions, sticking = np.zeros((n, 3)), set()
    for k in candidates:
        if at.static[k] > 0 and at.rests(k, at.surface_axes(k), tuple(candidates)):
            sticking.add(k)
        elif size := float(np.linalg.norm(at.slip[k])):
            directions[k] = at.slip[k] / size
    closed, broken, parted = set(candidates), set[int](), set[int]()
    for _ in range(8 * (n + 1)):
        modes = ContactModes(tuple(sorted(closed)), frozenset(sticking & closed), directions)
        found = motion(at, free, modes)
        scale = max(float(np.abs(found.pressing).max(initial=0)), 1e-300)
        pulls = [k for k in closed if found.pressing[k] < -_NOISE * scale]
        if pulls:
            k = min(pulls, key=lambda k: found.pressing[k])
            closed.discard(k)
            if k in modes.sticking and k in parted and (f := found.friction[k]).any():
                # Sticking it pulls and free it closes: it slips.
                broken.add(k)
                sticking.discard(k)
                directions[k] = -f / np.linalg.norm(f)
            parted.add(k)
            continue
        leaving = _leaving(at, found, modes, modes.sticking - broken, breaking, bending)
        if leaving is not None:
            k, away = leaving
            broken.add(k)
            sticking.discard(k)
            directions[k] = away
            continue
        opening = at.rows[:, 0] @ found.acceleration + at.bias[:, 0]
        least = float(np.abs(at.rows[:, 0] @ free + at.bias[:, 0]).max(initial=0))
        closing = [k for k in candidates if k not in closed and opening[k] < -_NOISE * least]
        if not closing:
            return modes
        closed.add(min(closing, key=lambda k: opening[k]))
    names = ", ".join(at.names[k] for k in candidates)
    raise stopped(at.model.name, at.t, f"no modes found for the contacts {names}")


def _leaving(
    at: Closings,
    found: ContactAccelerations,
    modes: ContactModes,
    sticking: Collection[int],
    breaking: Collection[int],
    bending: Bending | None,
) -> tuple[int, Array] | None:
    """The contact out of those that would stick which least does, and where it slips to."""
    for k in sticking:
        away = _unheld(at, found, k)
        if not away.any() and bending is not None:
            away = _bent(at, found, k, modes, bending)
        if away.any():
            return k, away / np.linalg.norm(away)
    scale = max(float(np.abs(found.pressing).max(initial=0)), 1e-300)
    gives, rubbing = at.static * found.pressing, np.linalg.norm(found.friction, axis=1)
    over = [
        k
        for k in sticking
        if k in breaking or rubbing[k] > gives[k] * (1 + 1e-12) + _NOISE * 1e-3 * scale
    ]
    if not over:
        return None
    k = max(over, key=lambda k: rubbing[k] - gives[k])
    return k, -found.friction[k] / (rubbing[k] or 1.0)


def _bent(
    at: Closings, found: ContactAccelerations, k: int, modes: ContactModes, bending: Bending
) -> Array:
    """Way of a contact at a dead centre (3,) as the mechanism starts from rest there with the
    accelerations a: its slip begins with the curvature of its way, v ~ t^3 dJ[a] a/2."""
    a = found.acceleration
    away = at.tangents[k] @ bending(a)[k, 1:]
    size = float(np.linalg.norm(away))
    along = np.append(0.0, away @ at.tangents[k] / (size or 1.0))[None]
    if np.linalg.norm(at.freedom(k, along, modes.closed)) > HOLDS * at.easiest(k):
        return np.zeros(3)
    reach = float(np.linalg.norm(at.rows[k])) * float(np.linalg.norm(a)) ** 2
    return np.asarray(away @ at.tangents[k] if size > _UNHELD * reach else np.zeros(3))
