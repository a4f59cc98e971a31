"""Place of the joint of body i on body i - 1: displacement e_i, slope xi_i, their derivatives.

At x = d_ix + l_{i-1} (x = d_2x on the platform), with s = x/l (1/2 + x/l),

    e_i = phi(s) delta,   xi_i = phi'(s) delta / l                                   (2.35), (2.38)

The derivatives by d_ix and l_{i-1} are total: s_d = 1/l, s_l = -d/l^2.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from eomc_published.caron.velocity_transformations.layout import BlockLayout, Matrix, Vector, turn
from eomc_published.caron.velocity_transformations.material import ElementBody


@dataclass(frozen=True)
class UnitAttachment:
    """Of body i on body i - 1, in the frame of body i - 1.

    phi, slope : (s,)
        phi(s) and phi'(s)/l: displacement and slope for unit amplitudes.
    e, e_d, e_l, xi, xi_d, xi_l : numbers
        Transverse displacement and slope, by d_ix and l.
    arm : (2,)
        [l, 0] + d + e: the joint's place.
    """

    phi: Vector
    slope: Vector
    e: Any
    e_d: Any
    e_l: Any
    xi: Any
    xi_d: Any
    xi_l: Any
    arm: Vector

    @property
    def s(self) -> Matrix:
        """S = I + e_d [1 0]"""
        return np.array([[1.0 + 0 * self.e_d, 0.0], [self.e_d, 1.0]])


def attachment(layout: BlockLayout, body: ElementBody, i: int, q: Vector) -> UnitAttachment:
    """Of body i in the configuration q; `body` is body i - 1."""
    d, delta, l = q[layout.offset(i)], q[layout.delta(i - 1)], _length(layout, i - 1, q)  # noqa: E741
    s, s_d, s_l = _station(i, d[0], l)
    phi, first, second = (body.shapes(s, order) for order in (0, 1, 2))
    bent, bent_twice = first @ delta, second @ delta
    return UnitAttachment(
        phi=phi,
        slope=first / l,
        e=phi @ delta,
        e_d=bent * s_d,
        e_l=bent * s_l,
        xi=bent / l,
        xi_d=bent_twice * s_d / l,
        xi_l=bent_twice * s_l / l - bent / l**2 if i > 2 else 0.0,
        arm=np.array([d[0] + (l if i > 2 else 0.0), d[1] + phi @ delta]),
    )


def attachment_rate(
    layout: BlockLayout, body: ElementBody, i: int, q: Vector, dq: Vector
) -> UnitAttachment:
    """Derivative of all its entries along dq."""
    d, delta, l = q[layout.offset(i)], q[layout.delta(i - 1)], _length(layout, i - 1, q)  # noqa: E741
    dd, d_delta = dq[layout.offset(i)], dq[layout.delta(i - 1)]
    dl = dq[layout.length(i - 1)] if i > 2 else 0.0
    s, s_d, s_l = _station(i, d[0], l)
    ds = s_d * dd[0] + s_l * dl
    ds_d = -dl / l**2
    ds_l = -dd[0] / l**2 + 2 * d[0] * dl / l**3 if i > 2 else 0.0
    phi, first, second, third = (body.shapes(s, order) for order in (0, 1, 2, 3))
    bent, bent_twice = first @ delta, second @ delta
    d_bent = bent_twice * ds + first @ d_delta
    d_bent_twice = third @ delta * ds + second @ d_delta
    de = first @ delta * ds + phi @ d_delta
    xi_l_rate = (
        d_bent_twice * s_l / l
        + bent_twice * (ds_l / l - s_l * dl / l**2)
        - d_bent / l**2
        + 2 * bent * dl / l**3
    )
    return UnitAttachment(
        phi=first * ds,
        slope=second * ds / l - first * dl / l**2,
        e=de,
        e_d=d_bent * s_d + bent * ds_d,
        e_l=d_bent * s_l + bent * ds_l,
        xi=d_bent / l - bent * dl / l**2,
        xi_d=d_bent_twice * s_d / l + bent_twice * (ds_d / l - s_d * dl / l**2),
        xi_l=xi_l_rate if i > 2 else 0.0,
        arm=np.array([dd[0] + dl, dd[1] + de]),
    )


def _length(layout: BlockLayout, i: int, q: Vector) -> Any:
    return layout.manipulator.platform.length if i == 1 else q[layout.length(i)]


def _station(i: int, d: Any, l: Any) -> tuple[Any, Any, Any]:  # noqa: E741
    """s and its derivatives by d and l."""
    if i == 2:
        return 0.5 + d / l, 1 / l, 0.0
    return 1 + d / l, 1 / l, -d / l**2


def decoupled(layout: BlockLayout, bodies: dict[int, ElementBody], q: Vector) -> Vector:
    """qbar of q: the recursion (2.32)-(2.41)."""
    qbar = np.array(q)
    where = q[0] * np.array([np.cos(q[1]), np.sin(q[1])])
    for i in range(2, layout.bodies + 1):
        at = attachment(layout, bodies[i - 1], i, q)
        psi = q[layout.psi(i - 1)]
        where = where + turn(psi) @ at.arm
        qbar[layout.offset(i)] = where
        qbar[layout.rotor(i)] = psi + at.xi + q[layout.rotor(i)]
    return qbar


def joint_deformation(
    layout: BlockLayout, bodies: dict[int, ElementBody], i: int, q: Vector
) -> Any:
    """beta_i = psi_i - alpha_i - xi_i - psi_{i-1}"""
    xi = attachment(layout, bodies[i - 1], i, q).xi
    return q[layout.psi(i)] - q[layout.rotor(i)] - xi - q[layout.psi(i - 1)]
