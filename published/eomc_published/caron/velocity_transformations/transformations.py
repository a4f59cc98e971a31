"""The two velocity transformations qbar' = R^v q' and their derivatives along a direction.

First, relative to the body before:   qbar' = [I - R^C]^-1 R q'                               (2.57)
Second, absolute:                     qbar' = R^v q', lower block triangular          (2.61), (2.62)

with the blocks of Appendix III. R and I - R^C have one and two blocks a row: products with them
and their inverses cost O(N).
"""

from __future__ import annotations

import numpy as np

from eomc_published.caron.velocity_transformations.attachment import (
    UnitAttachment,
    attachment,
    attachment_rate,
)
from eomc_published.caron.velocity_transformations.decoupled_mass import (
    orbital_jacobian,
    orbital_jacobian_rate,
)
from eomc_published.caron.velocity_transformations.layout import (
    BlockLayout,
    Matrix,
    P,
    Vector,
    turn,
)
from eomc_published.caron.velocity_transformations.material import ElementBody

Blocks = dict[int, Matrix]


def own_blocks(layout: BlockLayout, bodies: dict[int, ElementBody], q: Vector) -> Blocks:
    """R_i, diagonal blocks of R (III.10)."""
    blocks: Blocks = {1: np.eye(layout.size(1), dtype=q.dtype)}
    for i in range(2, layout.bodies + 1):
        at = attachment(layout, bodies[i - 1], i, q)
        block = np.eye(layout.size(i), dtype=q.dtype)
        block[:2, :2] = turn(q[layout.psi(i - 1)]) @ at.s
        block[2, 0] = at.xi_d
        blocks[i] = block
    return blocks


def relative_blocks(layout: BlockLayout, bodies: dict[int, ElementBody], q: Vector) -> Blocks:
    """R^I_{i-1} of each body i = 2..N: its qbar' per qbar' of the body before (III.11, 12)."""
    blocks: Blocks = {}
    for i in range(2, layout.bodies + 1):
        blocks[i] = _carried(layout, attachment(layout, bodies[i - 1], i, q), i, q)
        blocks[i][:2, :2] = orbital_jacobian(q) if i == 2 else np.eye(2)
    return blocks


def absolute_blocks(own: Blocks, relative: Blocks) -> Blocks:
    """R^A_{i-1} of each body i = 2..N: its qbar' per q' of the body before (III.19).

    They are the relative ones but for the place of the joint before, which q' gives by R_{i-1}.
    """
    blocks = {i: block.copy() for i, block in relative.items()}
    for i in range(3, len(own) + 1):
        blocks[i][:2, :2] = own[i - 1][:2, :2]
    return blocks


def _carried(layout: BlockLayout, at: UnitAttachment, i: int, q: Vector) -> Matrix:
    """Columns psi, delta, l of body i - 1 in the rows D, eta of body i."""
    k = i - 1
    block = np.zeros((layout.size(i), layout.size(k)), dtype=q.dtype)
    t, psi, delta, length = _columns(layout, k)
    rotation = turn(q[t])
    block[:2, psi] = P @ rotation @ at.arm
    block[2, psi] = 1.0
    block[:2, delta] = np.outer(rotation[:, 1], at.phi)
    block[2, delta] = at.slope
    if length is not None:
        block[:2, length] = rotation @ np.array([1.0, at.e_l])
        block[2, length] = at.xi_l
    return block


def _columns(layout: BlockLayout, k: int) -> tuple[int, int, slice, int | None]:
    """Place of psi_k in q; columns of psi, delta, l within the block of body k."""
    start = layout.start(k)
    psi, delta = layout.psi(k) - start, layout.delta(k)
    columns = slice(delta.start - start, delta.stop - start)
    return layout.psi(k), psi, columns, None if k == 1 else layout.size(k) - 1


def first(layout: BlockLayout, bodies: dict[int, ElementBody], q: Vector) -> Matrix:
    """[I - R^C]^-1 R as a full matrix, by forward substitution along the chain."""
    full = np.zeros((layout.total, layout.total), dtype=q.dtype)
    relative = relative_blocks(layout, bodies, q)
    for i, block in own_blocks(layout, bodies, q).items():
        rows = layout.block(i)
        full[rows, rows] = block
        if i > 1:
            full[rows] += relative[i] @ full[layout.block(i - 1)]
    return full


def second(layout: BlockLayout, bodies: dict[int, ElementBody], q: Vector) -> Matrix:
    """R^v"""
    own = own_blocks(layout, bodies, q)
    return _assembled(layout, own, absolute_blocks(own, relative_blocks(layout, bodies, q)))


def _assembled(layout: BlockLayout, own: Blocks, absolute: Blocks) -> Matrix:
    """Diagonal R_i; below it R^A, and further below R^B: R^A with the eta row zero (III.20)."""
    full = np.zeros((layout.total, layout.total), dtype=own[layout.bodies].dtype)
    for i, block in own.items():
        full[layout.block(i), layout.block(i)] = block
    for i, block in absolute.items():
        full[layout.block(i), layout.block(i - 1)] = block
        for below in range(i + 1, layout.bodies + 1):
            full[layout.offset(below), layout.block(i - 1)] = block[:2]
    return full


def second_rate(
    layout: BlockLayout, bodies: dict[int, ElementBody], q: Vector, dq: Vector
) -> Matrix:
    """Derivative of R^v along dq."""
    own: Blocks = {1: np.zeros((layout.size(1), layout.size(1)), dtype=q.dtype)}
    absolute: Blocks = {}
    for i in range(2, layout.bodies + 1):
        at = attachment(layout, bodies[i - 1], i, q)
        rate = attachment_rate(layout, bodies[i - 1], i, q, dq)
        block = np.zeros((layout.size(i), layout.size(i)), dtype=q.dtype)
        block[:2, :2] = _turned_rate(layout, at, rate, i - 1, q, dq)
        block[2, 0] = rate.xi_d
        own[i] = block
        absolute[i] = _carried_rate(layout, at, rate, i, q, dq)
        if i == 2:
            absolute[i][:2, :2] = orbital_jacobian_rate(q, dq)
        else:
            absolute[i][:2, :2] = own[i - 1][:2, :2]
    return _assembled(layout, own, absolute)


def _turned_rate(
    layout: BlockLayout, at: UnitAttachment, rate: UnitAttachment, k: int, q: Vector, dq: Vector
) -> Matrix:
    """Derivative of T_k S along dq."""
    t, dpsi = turn(q[layout.psi(k)]), dq[layout.psi(k)]
    ds = np.array([[0.0 * rate.e_d, 0.0], [rate.e_d, 0.0]])
    return np.asarray(P @ t @ at.s * dpsi + t @ ds)


def _carried_rate(
    layout: BlockLayout, at: UnitAttachment, rate: UnitAttachment, i: int, q: Vector, dq: Vector
) -> Matrix:
    """Derivative of `_carried` along dq."""
    k = i - 1
    block = np.zeros((layout.size(i), layout.size(k)), dtype=q.dtype)
    place, psi, delta, length = _columns(layout, k)
    t = turn(q[place])
    dt = P @ t * dq[place]
    block[:2, psi] = P @ (dt @ at.arm + t @ rate.arm)
    block[:2, delta] = np.outer(dt[:, 1], at.phi) + np.outer(t[:, 1], rate.phi)
    block[2, delta] = rate.slope
    if length is not None:
        block[:2, length] = dt @ np.array([1.0, at.e_l]) + t[:, 1] * rate.e_l
        block[2, length] = rate.xi_l
    return block
