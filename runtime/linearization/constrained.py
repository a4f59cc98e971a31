"""Freedoms that constraints leave: bases, consistency, multipliers, curvature.

Rows G u + b = 0, of which those of positions are J du = 0 as well; M a + c = tau + G^T lambda. In a
displacement xi and changes du, da along the motion

    J xi = 0,   G du + V xi = 0,   G da + Aq xi + Au du = 0

with V = d(G u + b)/dq, Aq = d(G a + g)/dq, Au = d(G a + g)/du, and the constraint forces add the
curvature -d(G^T lambda)/dq to the stiffness, which vanishes only where lambda does.

Reference: Trom (1990), chapter 4, which drops the curvature; Kim and Vanderploeg, *QR decomposition
for state space representation of constrained mechanical dynamic systems*, ASME J. Mech. Transm.
Autom. Des. 108 (1986) 183.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from eomc.binding.arrays import Array
from eomc.runtime.constraints.constraints import ConstraintValues
from eomc.runtime.constraints.named import named_places
from eomc.runtime.constraints.rank import singularity
from eomc.runtime.linearization.reduction import Reduction, solved
from eomc.runtime.model.compiled import CompiledModel
from eomc.runtime.model.errors import LinearizationError
from eomc.runtime.model.small_matrices import identity, lapack

NULL_SPACE = "null space"


def reduction(
    at: ConstraintValues,
    derivatives: tuple[Array, Array, Array, Array],
    multipliers: Array,
    independent: Sequence[str] | str | None,
) -> Reduction:
    """Bases of what is free, by chosen or found independent coordinates, or an orthogonal one.

    `derivatives` are (d(G^T lambda)/dq, V, Aq, Au). `independent` names coordinates, or is
    "null space" for the orthonormal basis of a QR decomposition, or None for coordinates that are
    found by pivoting. Raises LinearizationError, with ranks and names, at singular configurations
    and for coordinates that are not independent.
    """
    curvature, by_q, accelerated_by_q, accelerated_by_u = derivatives
    if (text := singularity(at, where="here")) is not None:
        raise LinearizationError(f"{text}; linearize beside it")
    model = at.constraints.model
    names = model.displacements
    if independent == NULL_SPACE:
        position = _orthogonal(at.J)
        speed = position if at.J is at.G else _orthogonal(at.G)
        z = tuple(f"z{k + 1}" for k in range(position.basis.shape[1]))
        w = tuple(f"z{k + 1}" for k in range(speed.basis.shape[1]))
    else:
        own = places = _places(model, at.J, independent, names)
        speed = position = _partitioned(at.J, places)
        if len(at.G) != len(at.J):
            own = _pivoted(at.G, places)
            speed = _partitioned(at.G, own)
        z = tuple(names[k] for k in places)
        w = tuple(model.speeds[k] for k in own)
    is_at_rest = not any(np.vdot(part, part) for part in derivatives[1:])
    if is_at_rest:
        nothing = np.zeros((len(names), len(z)))
        speed_by_z, by_z, by_w = nothing, nothing, np.zeros((len(names), len(w)))
    else:
        speed_by_z = -speed.inverse @ by_q @ position.basis
        on_z = accelerated_by_q @ position.basis + accelerated_by_u @ speed_by_z
        by_z, by_w = -speed.inverse @ on_z, -speed.inverse @ accelerated_by_u @ speed.basis
    return Reduction(
        basis=position.basis,
        pick=position.pick,
        speed_basis=speed.basis,
        speed_pick=speed.pick,
        speed_by_z=speed_by_z,
        acceleration_by_z=by_z,
        acceleration_by_w=by_w,
        coordinates=z,
        speeds=w,
        curvature=-curvature,
        multipliers=multipliers,
        is_at_rest=is_at_rest,
    )


@dataclass(frozen=True)
class _Basis:
    """N of the null space of G, S with S N = 1, and G^- with G G^- = 1, S G^- = 0."""

    basis: Array
    pick: Array
    inverse: Array


def _orthogonal(g: Array) -> _Basis:
    """(4.1) to (4.6): G^T = Q R, the last columns of Q span the null space."""
    import scipy.linalg

    m, n = g.shape
    q, _, _ = scipy.linalg.qr(g.T, pivoting=True) if m else (np.eye(n), None, None)
    null = q[:, m:].copy()
    for column in null.T:  # the sign is arbitrary: the largest entry leads
        column *= np.sign(column[int(np.argmax(np.abs(column) > 0.999 * np.abs(column).max()))])
    inverse = np.asarray(np.linalg.pinv(g) if m else np.zeros((n, 0)), dtype=np.float64)
    return _Basis(null, null.T, inverse)


def _partitioned(g: Array, free: list[int]) -> _Basis:
    """Coordinates `free` are independent; the others follow."""
    m, n = g.shape
    bound = sorted(set(range(n)).difference(free))
    one, inverse = identity(n), np.zeros((n, m))
    pick, basis = one.take(free, axis=0), one.take(free, axis=1)
    if m:
        inverted = solved(g.take(bound, axis=1), identity(m))
        basis[bound] = -inverted @ g.take(free, axis=1)
        inverse[bound] = inverted
    return _Basis(basis, pick, inverse)


def _pivoted(g: Array, like: Sequence[int] = ()) -> list[int]:
    """Independent places: what pivoting on the dependent ones leaves, among `like` if given."""
    m, n = g.shape
    if not m:
        return list(range(n))
    # Dependent coordinates come first; those of `like` are taken last.
    weighed = g * np.array([1e-3 if k in like else 1.0 for k in range(n)]) if like else g
    return sorted((lapack("dgeqp3")(weighed)[1][m:] - 1).tolist())


def _places(
    model: CompiledModel, g: Array, independent: Sequence[str] | str | None, names: Sequence[str]
) -> list[int]:
    if independent is None:
        return _pivoted(g)
    words = ("independent", "coordinate")
    return named_places(model.name, g, names, independent, *words, LinearizationError)
