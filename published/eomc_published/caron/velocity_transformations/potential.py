"""Gravitational potential, exact and to second order, and strain energy, with gradients by q.

Second order about a centre C, an element at C + a (2.68):

    V = -mu sum dm / |C| { 1 - (a a + 2 C a - 3 (C a)^2/C^2) / (2 C^2) }

C is D_i of each body in the thesis; "platform" takes D_1 for all of them.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from eomc.systems.flexible_manipulator.data import MU
from eomc_published.caron.velocity_transformations.attachment import (
    attachment,
    decoupled,
    joint_deformation,
)
from eomc_published.caron.velocity_transformations.decoupled_mass import place
from eomc_published.caron.velocity_transformations.layout import BlockLayout, P, Vector, turn
from eomc_published.caron.velocity_transformations.material import ElementBody, LengthElements


def gravity_gradient(
    layout: BlockLayout, bodies: dict[int, ElementBody], q: Vector, field: str
) -> Vector:
    """dV/dqbar, forces with the sign changed; `field` "body", "platform" or "exact".

    Rows D of body 1 are those of (r_0, theta).
    """
    qbar = decoupled(layout, bodies, q)
    gradient = np.zeros(layout.total, dtype=q.dtype)
    direction = np.array([np.cos(q[1]), np.sin(q[1])])
    platform = q[0] * direction
    on_platform = np.zeros(2, dtype=q.dtype)
    for i, body in bodies.items():
        own = platform if i == 1 else qbar[layout.offset(i)]
        at = body.elements(layout.manipulator.platform.length if i == 1 else q[layout.length(i)])
        t, rho = turn(q[layout.psi(i)]), place(at, q[layout.delta(i)])
        reach, dm = (t @ rho.T).T, at.dm
        if i > 1:  # the actuator
            reach = np.concatenate([reach, np.zeros((1, 2))])
            dm = np.append(dm, layout.manipulator.unit.joint_mass)
        centre = platform if field == "platform" else own
        by_centre, by_reach = _attraction(field, centre, own - centre + reach, dm)
        total = by_reach.sum(axis=0)
        if field == "platform":
            on_platform = on_platform + by_centre - total
            on_own = total
        else:
            on_own = by_centre
        if i == 1:
            on_platform = on_platform + on_own
        else:
            gradient[layout.offset(i)] += on_own
        gradient[layout.block(i)] += _inner(layout, at, i, t, rho, by_reach[: len(at.dm)], q)
    gradient[0] += on_platform @ direction
    gradient[1] += on_platform @ (P @ platform)
    return gradient


def _inner(
    layout: BlockLayout, at: LengthElements, i: int, t: Any, rho: Any, force: Any, q: Vector
) -> Vector:
    """Rows psi, delta, l of one body from the gradients (k, 2) by the elements' places."""
    start, delta = layout.start(i), layout.delta(i)
    row = np.zeros(layout.size(i), dtype=q.dtype)
    row[layout.psi(i) - start] = np.sum(force * (P @ t @ rho.T).T)
    across = force @ t[:, 1]
    row[delta.start - start : delta.stop - start] = across @ at.phi
    if i > 1:
        along = force @ t[:, 0]
        row[-1] = along @ at.r_l[:, 0] + across @ (at.phi_l @ q[delta])
    return row


def _attraction(field: str, centre: Vector, a: Any, dm: Vector) -> tuple[Vector, Any]:
    """(dV/dC (2,), dV/da (k, 2)) of elements at C + a."""
    if field == "exact":
        where = centre + a
        force = MU * dm[:, None] * where / ((where**2).sum(axis=1) ** 1.5)[:, None]
        return force.sum(axis=0), force
    c2 = centre @ centre
    c, ca, aa = np.sqrt(c2), a @ centre, (a**2).sum(axis=1)
    factor = (MU * dm / c**3)[:, None]
    by_a = factor * (a + centre - 3 * (ca / c2)[:, None] * centre)
    # V = -mu dm/c + mu dm/2 (aa c^-3 + 2 ca c^-3 - 3 ca^2 c^-5)
    by_c = factor * (centre + a - 3 * (ca / c2)[:, None] * a)
    radial = -1.5 * (aa + 2 * ca) / c2 + 7.5 * ca**2 / c2**2
    by_c = by_c + factor * radial[:, None] * centre
    return by_c.sum(axis=0), by_a


def gravity_potential(
    layout: BlockLayout, bodies: dict[int, ElementBody], q: Vector, field: str
) -> Any:
    """V_g [J] itself; see `gravity_gradient`."""
    qbar = decoupled(layout, bodies, q)
    platform = q[0] * np.array([np.cos(q[1]), np.sin(q[1])])
    total: Any = 0.0
    for i, body in bodies.items():
        own = platform if i == 1 else qbar[layout.offset(i)]
        at = body.elements(layout.manipulator.platform.length if i == 1 else q[layout.length(i)])
        reach = (turn(q[layout.psi(i)]) @ place(at, q[layout.delta(i)]).T).T
        dm = at.dm
        if i > 1:
            reach = np.concatenate([reach, np.zeros((1, 2))])
            dm = np.append(dm, layout.manipulator.unit.joint_mass)
        centre = platform if field == "platform" else own
        a = own - centre + reach
        if field == "exact":
            total -= (MU * dm / np.sqrt(((centre + a) ** 2).sum(axis=1))).sum()
            continue
        c2 = centre @ centre
        ca, aa = a @ centre, (a**2).sum(axis=1)
        total -= (MU * dm / np.sqrt(c2) * (1 - (aa + 2 * ca - 3 * ca**2 / c2) / (2 * c2))).sum()
    return total


def strain_energy(layout: BlockLayout, bodies: dict[int, ElementBody], q: Vector) -> Any:
    """V_e: joints and bending (2.70) [J]."""
    total: Any = 0.0
    for i, body in bodies.items():
        at = body.elements(layout.manipulator.platform.length if i == 1 else q[layout.length(i)])
        total += 0.5 * at.dk @ (at.bend @ q[layout.delta(i)]) ** 2
        if i > 1:
            beta = joint_deformation(layout, bodies, i, q)
            total += 0.5 * layout.manipulator.unit.joint_stiffness * beta**2
    return total


def strain_gradient(layout: BlockLayout, bodies: dict[int, ElementBody], q: Vector) -> Vector:
    """dV_e/dq"""
    gradient = np.zeros(layout.total, dtype=q.dtype)
    for i, body in bodies.items():
        delta = layout.delta(i)
        at = body.elements(layout.manipulator.platform.length if i == 1 else q[layout.length(i)])
        moment = at.dk * (at.bend @ q[delta])
        gradient[delta] += moment @ at.bend
        if i == 1:
            continue
        gradient[layout.length(i)] += moment @ (at.bend_l @ q[delta])
        beta = joint_deformation(layout, bodies, i, q)
        torque = layout.manipulator.unit.joint_stiffness * beta
        before = attachment(layout, bodies[i - 1], i, q)
        gradient[layout.psi(i)] += torque
        gradient[layout.rotor(i)] -= torque
        gradient[layout.psi(i - 1)] -= torque
        gradient[layout.delta(i - 1)] -= torque * before.slope
        gradient[layout.offset(i).start] -= torque * before.xi_d
        if i > 2:
            gradient[layout.length(i - 1)] -= torque * before.xi_l
    return gradient
