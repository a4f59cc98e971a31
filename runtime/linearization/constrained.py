"""What constraints leave free: bases, consistency, multipliers, curvature.

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

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.linalg
from numpy.typing import NDArray

from eomc.runtime.compiled import CompiledModel
from eomc.runtime.constraints.named import named_places
from eomc.runtime.constraints.rows import RANK, numerical_rank
from eomc.runtime.errors import LinearizationError
from eomc.runtime.linearization.displacement_names import displacement_names
from eomc.runtime.linearization.reduction import Reduction

Array = NDArray[np.float64]

NULL_SPACE = "null space"

# Residuals of constraints, relative to the mechanism's size and speed, that are still consistent.
CLOSED = 1e-6


def constraint_names(model: CompiledModel) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """(all rows, those of positions), by name."""
    found = []
    for function in ("constraint_jacobian", "constraint_residual"):
        entry = model.manifest["functions"].get(function)
        if entry is None:
            raise LinearizationError(
                f"model {model.name!r}: build it with the function {function!r} to linearize it"
            )
        found.append(tuple(entry["outputs"][0]["rows"]))
    return found[0], found[1]


@dataclass(frozen=True)
class Rows:
    """The constraints of a model in a state.

    `G` (m, nu) of the independent rows; `positions` places of those that hold positions; `closure`
    residuals of these and of the redundant ones, by name.
    """

    names: tuple[str, ...]
    positions: tuple[int, ...]
    G: Array
    residual: Array
    velocity: Array
    closure: Mapping[str, float]

    @property
    def J(self) -> Array:
        """Rows that hold displacements."""
        return self.G[list(self.positions)]


def rows_at(call: Any, model: CompiledModel, values: Mapping[str, Any]) -> Rows:
    """Constraints at the arguments `values`; `call(function, values)` evaluates a function."""
    names, held = constraint_names(model)
    places = tuple(names.index(name) for name in held)
    g = np.asarray(call("constraint_jacobian", values), dtype=float).reshape(-1, model.nu)
    residual = np.asarray(call("constraint_residual", values), dtype=float).reshape(-1)
    velocity = np.asarray(call("constraint_velocity", values), dtype=float).reshape(-1)
    closure = dict(zip(held, residual.tolist(), strict=True))
    if model.redundant:
        gaps = np.asarray(call("closure_residual", values), dtype=float).reshape(-1)
        closure = dict(zip(model.output_rows("closure_residual"), gaps.tolist(), strict=True))
    return Rows(names, places, g, residual, velocity, closure)


def multipliers_for(rows: Rows, needed: Array) -> Array:
    """lambda of least norm whose forces G^T lambda come nearest to `needed` (nu,)."""
    found = np.linalg.lstsq(rows.G.T, needed, rcond=RANK)[0]
    return np.asarray(found, dtype=np.float64)


def require_consistent_speeds(model: CompiledModel, rows: Rows, size: float = 1.0) -> None:
    """Raise LinearizationError, naming the constraint, if q or u violates one."""
    gaps = np.array(list(rows.closure.values()))
    _require_small(model, "position", gaps, list(rows.closure), 1.0)
    _require_small(model, "velocity", rows.velocity, rows.names, size)


def require_consistent(
    model: CompiledModel, rows: Rows, call: Any, values: Mapping[str, Any]
) -> None:
    """The same of q, u and a."""
    bias = np.asarray(call("constraint_bias", values), dtype=float).reshape(-1)
    size = 1.0 + float(np.abs(values["u"]).max(initial=0.0))
    require_consistent_speeds(model, rows, size)
    scale = size**2 + float(np.abs(values["a"]).max(initial=0.0))
    _require_small(model, "acceleration", rows.G @ values["a"] + bias, rows.names, scale)


def require_redundant(
    model: CompiledModel, rows: Rows, call: Any, values: Mapping[str, Any]
) -> None:
    """Raise LinearizationError if rows left out as redundant hold something with the parameters
    of the call."""
    if not model.redundant:
        return
    every = np.asarray(call("closure_jacobian", values), dtype=float).reshape(-1, model.nu)
    found, kept = numerical_rank(every), len(rows.J)
    if found > kept:
        raise LinearizationError(
            f"model {model.name!r}: with these parameters its constraints have rank {found}, not "
            f"{kept} as with the default ones: redundant rows ({', '.join(model.redundant)}) hold "
            "more; bake these parameters in"
        )


def _require_small(
    model: CompiledModel, what: str, found: Array, names: Sequence[str], size: float
) -> None:
    errors = np.abs(found)
    if errors.size and not errors.max() <= CLOSED * size:
        worst = int(np.argmax(np.where(np.isfinite(errors), errors, np.inf)))
        raise LinearizationError(
            f"model {model.name!r}: the state violates constraint {names[worst]!r}: its {what} "
            f"residual is {found[worst]:.3g}; take one of eomc.assemble or of eomc.equilibrium"
        )


def reduction(
    model: CompiledModel,
    rows: Rows,
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
    _require_rank(model, rows)
    names = displacement_names(model.coordinates, model.speeds)
    if independent == NULL_SPACE:
        position, speed = _orthogonal(rows.J), _orthogonal(rows.G)
        z = tuple(f"z{k + 1}" for k in range(position.basis.shape[1]))
        w = tuple(f"z{k + 1}" for k in range(speed.basis.shape[1]))
    else:
        places = _places(model, rows.J, independent, names)
        position = _partitioned(rows.J, places)
        own = places if len(rows.G) == len(rows.J) else _pivoted(rows.G, places)
        speed = _partitioned(rows.G, own)
        z = tuple(names[k] for k in places)
        w = tuple(model.speeds[k] for k in own)
    speed_by_z = -speed.inverse @ by_q @ position.basis
    on_z = accelerated_by_q @ position.basis + accelerated_by_u @ speed_by_z
    return Reduction(
        basis=position.basis,
        pick=position.pick,
        speed_basis=speed.basis,
        speed_pick=speed.pick,
        speed_by_z=speed_by_z,
        acceleration_by_z=-speed.inverse @ on_z,
        acceleration_by_w=-speed.inverse @ accelerated_by_u @ speed.basis,
        coordinates=z,
        speeds=w,
        curvature=-curvature,
        multipliers=multipliers,
    )


@dataclass(frozen=True)
class _Basis:
    """N of the null space of G, S with S N = 1, and G^- with G G^- = 1, S G^- = 0."""

    basis: Array
    pick: Array
    inverse: Array


def _orthogonal(g: Array) -> _Basis:
    """(4.1) to (4.6): G^T = Q R, the last columns of Q span the null space."""
    m, n = g.shape
    q, _, _ = scipy.linalg.qr(g.T, pivoting=True) if m else (np.eye(n), None, None)
    null = q[:, m:].copy()
    for column in null.T:  # the sign is arbitrary: the largest entry leads
        column *= np.sign(column[int(np.argmax(np.abs(column) > 0.999 * np.abs(column).max()))])
    inverse = np.asarray(np.linalg.pinv(g) if m else np.zeros((n, 0)), dtype=np.float64)
    return _Basis(null, null.T, inverse)


def _partitioned(g: Array, free: Sequence[int]) -> _Basis:
    """Coordinates `free` are independent; the others follow."""
    m, n = g.shape
    bound = [k for k in range(n) if k not in free]
    basis, pick = np.zeros((n, len(free))), np.zeros((len(free), n))
    inverse = np.zeros((n, m))
    for row, k in enumerate(free):
        basis[k, row] = pick[row, k] = 1.0
    if m:
        solved = np.linalg.inv(g[:, bound])
        basis[bound] = -solved @ g[:, free]
        inverse[bound] = solved
    return _Basis(basis, pick, inverse)


def _require_rank(model: CompiledModel, rows: Rows) -> None:
    m = len(rows.G)
    rank = numerical_rank(rows.G)
    if rank < m:
        u, _, _ = np.linalg.svd(rows.G)
        worst = rows.names[int(np.argmax(np.abs(u[:, -1])))]
        still = model.speeds[int(np.argmin(np.linalg.norm(rows.G, axis=0)))]
        raise LinearizationError(
            f"model {model.name!r}: singular configuration: the {m} constraints have rank {rank} "
            f"here, {worst!r} depends on the others (coordinate {still!r} moves them least); "
            "linearize beside it"
        )


def _pivoted(g: Array, like: Sequence[int] = ()) -> list[int]:
    """Independent places: what pivoting on the dependent ones leaves, among `like` if given."""
    m, n = g.shape
    # Dependent coordinates come first; those of `like` are taken last.
    weight = np.array([1e-3 if k in like else 1.0 for k in range(n)]) if like else np.ones(n)
    _, _, order = scipy.linalg.qr(g * weight, pivoting=True) if m else (0, 0, np.arange(n))
    if like:
        inside = [k for k in like if k in set(order[m:].tolist())]
        others = [k for k in order[m:].tolist() if k not in inside]
        return sorted([*inside, *others])
    return sorted(int(k) for k in order[m:])


def _places(
    model: CompiledModel, g: Array, independent: Sequence[str] | str | None, names: Sequence[str]
) -> list[int]:
    if independent is None:
        return _pivoted(g)
    words = ("independent", "coordinate")
    return named_places(model.name, g, names, independent, *words, LinearizationError)
