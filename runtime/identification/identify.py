"""Identification of bodies by least squares, with numbers that real bodies have."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from eomc.binding.arrays import Array
from eomc.runtime.identification import joint_losses
from eomc.runtime.identification.base_parameters import (
    BaseParameters,
    independent,
    parameters_of,
    regressor_at,
    require_open,
)
from eomc.runtime.identification.conic import IdentificationError, real_least_squares
from eomc.runtime.identification.pseudo_inertia import TEN, is_real
from eomc.runtime.model.arguments import finite
from eomc.runtime.model.compiled import CompiledModel
from eomc.runtime.names.near_names import require_known

__all__ = ["Identification", "IdentificationError", "identify"]

_ROUNDING = 1e-9

_MAGNIFIED = 1e4
"""Size of what is minimized, so that what the prior decides is above the solver's tolerance."""

_MARGIN = 1e-6
"""Least eigenvalue of the pseudo-inertia of a body of unit mass and size."""


@dataclass(frozen=True, eq=False)
class Identification:
    """Numbers of the bodies and joints of a model, identified from motions and forces.

    Attributes
    ----------
    parameters : tuple of str
        Names of all inertial numbers, as of the function `inertial_parameters`.
    pi : (number of parameters,) array
    base : that of `identification.base_parameters`
        What these motions can tell of them.
    beta, deviation : (len(base),) arrays
        Base parameters, and their standard deviations as the residual has it.
    joints : mapping of str to float
        Of the terms asked for, by ``"elbow.viscous"``; beside what the model has of them.
    untold : tuple of str
        Terms asked for that these motions cannot tell from bodies or other terms, as the armature
        of a turn that nothing carries about; they are left out.
    residual : (nu,) array [N m or N]
        Root mean square of what is left of the forces.
    condition : float
        Of the regressor of what is told, in columns of unit length: how errors grow.
    """

    parameters: tuple[str, ...]
    pi: Array
    base: BaseParameters
    beta: Array
    deviation: Array
    joints: Mapping[str, float]
    untold: tuple[str, ...]
    residual: Array
    condition: float

    @property
    def bodies(self) -> dict[str, Array]:
        """The ten numbers (m, hx, hy, hz, Jxx, Jyy, Jzz, Jxy, Jxz, Jyz) of each body, about the
        origin of its frame."""
        names = [name.removesuffix(".m") for name in self.parameters[::TEN]]
        return dict(zip(names, self.pi.reshape(-1, TEN), strict=True))

    @property
    def is_real(self) -> bool:
        """True if the numbers of every body are those of a body of matter."""
        return is_real(self.pi.reshape(-1, TEN))

    def applied_to(self, model: Any) -> Any:
        """A copy of the declared model (`eomc.Model`) with the bodies found.

        Raises ValueError for a model that lacks one of them, or with numbers of no real body.
        """
        if not self.is_real:
            raise ValueError("these are numbers of no real bodies; identify with consistent=True")
        changed = model.copy()
        require_known(self.bodies, changed.bodies, f"model {model.name!r} has no body")
        for name, (m, *rest) in self.bodies.items():
            com = tuple(float(h / m) for h in rest[:3])
            inertia = tuple(float(entry) for entry in rest[3:])
            changed.bodies[name] = replace(
                changed.bodies[name],
                mass=float(m),
                com=com,
                inertia=inertia,
                inertia_about="origin",
            )
        return changed


def identify(
    model: CompiledModel,
    q: ArrayLike,
    u: ArrayLike,
    a: ArrayLike,
    tau: ArrayLike,
    *,
    joints: Sequence[str] | str = (),
    consistent: bool = True,
    prior: ArrayLike | None = None,
    trust: float = 1e-9,
    others: Mapping[str, ArrayLike] | None = None,
) -> Identification:
    """Bodies whose inverse dynamics gives the measured forces, by weighted least squares.

    ::

        minimize  sum_j |Y_j pi + F_j x + b_j - tau_j|^2 / s_j^2 + trust s |pi - prior|^2
        subject to  P(pi_i) > 0 for every body i

    Weights s_j are the deviations that forces without weights leave at each joint; s is the
    largest eigenvalue of what stands in front, so that the prior decides what motions cannot tell.
    Reference: Gautier, *Dynamic identification of robots with power model*, ICRA 1997; Wensing, Kim
    and Slotine 2018 (see `eomc.runtime.identification.pseudo_inertia`).

    Parameters
    ----------
    model : CompiledModel
        An open tree of rigid bodies. What it has of springs, losses and rotors counts as known.
    q : (motions, nq) array [rad or m]
    u, a, tau : (motions, nu) arrays
        Speeds, accelerations and generalized forces at the same times.
    joints : names of terms found at each joint beside the bodies
        "viscous" (x u), "coulomb" (x sign u), "armature" (x a), "offset" (x).
    consistent : bool
        Whether only numbers of real bodies are taken, which needs Clarabel
        (``pip install 'eomc[identification]'``). Else base parameters are found alone, and `pi` is
        nearest to the prior.
    prior : (number of parameters,) array
        Those of the model by default.
    trust : float
        In the prior, relative to the measurement; above 0.
    others : mapping of names to arrays
        Inputs r, time t and states z of elements at the same times, where they matter.

    Raises
    ------
    ValueError
        Other shapes, numbers that are not finite, fewer forces than unknowns, unknown words; a
        model with loops, constraints or prescribed coordinates.
    AttributeError
        A model that has no regressor, with the reason.
    IdentificationError
        No bodies were found, or Clarabel is not installed.
    """
    require_open(model)
    words = (joints,) if isinstance(joints, str) else tuple(joints)
    require_known(words, joint_losses.TERMS, "joints: no term")
    names = parameters_of(model)
    q, u, a, tau = _measured(model, q, u, a, tau)
    told = _others(model, len(q), others or {})
    start = _vector("prior", prior, model.inertial_parameters())
    if isinstance(trust, bool) or not isinstance(trust, int | float) or not 0 < trust < np.inf:
        raise ValueError(f"trust is {trust!r}; give a number above 0")
    Y, b = regressor_at(model, q, u, a, told)
    y, F = tau - b, joint_losses.columns(words, u, a)
    base = independent(names, Y.reshape(-1, len(names)))
    terms = [f"{speed}.{word}" for word in words for speed in model.speeds]
    kept = _telling(base.regressor(Y), F)
    untold = tuple(term for k, term in enumerate(terms) if k not in kept)
    terms, F = [terms[k] for k in kept], F[:, :, kept]
    A = np.concatenate([Y, F], axis=2)
    if tau.size <= len(base) + len(terms):
        raise ValueError(
            f"{tau.size} measured forces for {len(base) + len(terms)} numbers leave nothing to "
            "judge by; give more motions"
        )
    B = np.concatenate([base.regressor(Y), F], axis=2)
    free, weight = _weighted(B, y)
    if consistent:
        x = _real(A / weight[:, None], y / weight, start, trust, terms)
    else:
        beta = free[: len(base)]
        back = np.linalg.pinv(base.matrix)
        x = np.concatenate([start + back @ (beta - base.of(start)), free[len(base) :]])
    found = dict(zip(terms, x[len(names) :].tolist(), strict=True))
    deviation, condition, residual = _errors((A, B, y), weight, x)
    pi = x[: len(names)]
    return Identification(
        names, pi, base, base.of(pi), deviation[: len(base)], found, untold, residual, condition
    )


def _telling(bodies: Array, F: Array) -> list[int]:
    """Terms whose forces are no combination of those of bodies and of the terms before them."""
    n = bodies.shape[2]
    columns = np.concatenate([bodies, F], axis=2).reshape(-1, n + F.shape[2])
    size = np.linalg.norm(columns, axis=0)
    R: Array = np.linalg.qr(columns / np.where(size > 0, size, 1.0))[1]
    kept, Q = [], np.zeros((len(R), 0))
    for k in range(R.shape[1]):
        rest = R[:, k] - Q @ (Q.T @ R[:, k])
        rest = rest - Q @ (Q.T @ rest)
        if (length := np.linalg.norm(rest)) > _ROUNDING:
            Q = np.column_stack([Q, rest / length])
            kept.append(k - n)
    return [k for k in kept if k >= 0]


def _weighted(B: Array, y: Array) -> tuple[Array, Array]:
    """(solution, weights of each speed) of the regression without constraints."""
    n = B.shape[2]
    x = _least_squares(B.reshape(-1, n), y.ravel())
    left = np.sqrt(np.mean((y - B @ x) ** 2, axis=0))
    # A joint without error would count for all: none counts more than a thousandfold, and what is
    # but rounding of the forces tells nothing of any.
    size = np.sqrt(np.mean(y**2))
    told = left.max(initial=0.0) > _ROUNDING * size
    weight = np.maximum(left, 1e-3 * left.max(initial=0.0)) if told else np.ones_like(left)
    return _least_squares((B / weight[:, None]).reshape(-1, n), (y / weight).ravel()), weight


def _least_squares(B: Array, y: Array) -> Array:
    size = np.linalg.norm(B, axis=0)
    size = np.where(size > 0, size, 1.0)
    found: Array = np.linalg.lstsq(B / size, y, rcond=None)[0] / size
    return found


def _real(A: Array, y: Array, start: Array, trust: float, terms: list[str]) -> Array:
    """(pi, x) over real bodies, in units in which each has mass and size 1."""
    n = A.shape[2]
    scale = np.concatenate([_sizes(start), np.ones(n - len(start))])
    A = A.reshape(-1, n) * scale
    size = np.linalg.norm(A[:, len(start) :], axis=0)
    size = np.where(size > 0, size, 1.0)
    A[:, len(start) :] /= size
    # The square root of what is minimized: as many rows as unknowns, whatever was measured.
    Q, R = np.linalg.qr(A)
    near = np.sqrt(trust) * np.linalg.norm(R, 2) * np.eye(n)[: len(start)]
    rows = np.vstack([R, near])
    right = np.concatenate([Q.T @ y.ravel(), near[:, : len(start)] @ (start / scale[: len(start)])])
    unit = np.linalg.norm(rows, 2) / _MAGNIFIED
    positive = [
        len(start) + k
        for k, term in enumerate(terms)
        if joint_losses.TERMS[term.rsplit(".", 1)[1]].is_positive
    ]
    bodies = len(start) // TEN
    x: Array = real_least_squares(
        rows / unit, right / unit, bodies, margin=_MARGIN, positive=positive
    )
    x *= scale
    x[len(start) :] /= size
    return x


def _sizes(pi: Array) -> Array:
    """Units of the ten numbers of each body: its mass, and a length that fits its moments."""
    ten = pi.reshape(-1, TEN)
    mass = np.abs(ten[:, 0])
    typical = mass.mean() if mass.any() else 1.0
    mass = np.where(mass > 1e-6 * typical, mass, typical)
    moments = np.abs(ten[:, 4:7]).sum(axis=1)
    length = np.sqrt(moments / mass)
    usual = np.sqrt(moments.sum() / mass.sum()) or 1.0
    length = np.where(length > 1e-3 * usual, length, usual)
    power = np.array([0] + [1] * 3 + [2] * 6)
    found: Array = (mass[:, None] * length[:, None] ** power).ravel()
    return found


def _errors(
    regression: tuple[Array, Array, Array], weight: Array, x: Array
) -> tuple[Array, float, Array]:
    """(deviations of what is told, condition, residual of each speed)."""
    A, B, y = regression
    left = y - A @ x
    W = (B / weight[:, None]).reshape(-1, B.shape[2])
    size = np.linalg.norm(W, axis=0)
    size = np.where(size > 0, size, 1.0)
    _, s, V = np.linalg.svd(W / size, full_matrices=False)
    freedoms = max(y.size - len(s), 1)
    variance = np.sum((left / weight) ** 2) / freedoms
    kept = s > 1e-12 * s.max(initial=0.0)
    deviation = np.sqrt(variance * np.sum((V[kept] / s[kept, None]) ** 2, axis=0)) / size
    condition = float(s[0] / s[-1]) if len(s) and s[-1] > 0 else np.inf
    return deviation, condition, np.sqrt(np.mean(left**2, axis=0))


def _measured(model: CompiledModel, *given: ArrayLike) -> list[Array]:
    """q, u, a, tau as rows of as many motions."""
    found: list[Array] = []
    widths = (model.nq, model.nu, model.nu, model.nu)
    for name, value, width in zip(("q", "u", "a", "tau"), given, widths, strict=True):
        array = finite(name, value)
        if array.ndim != 2 or array.shape[1] != width:
            raise ValueError(f"{name} has shape {array.shape}, expected (motions, {width})")
        if found and len(array) != len(found[0]):
            raise ValueError(f"{name} has {len(array)} rows, q has {len(found[0])}")
        found.append(array)
    if not found[0].size:
        raise ValueError("q has no rows; give at least one motion")
    return found


def _others(model: CompiledModel, size: int, given: Mapping[str, ArrayLike]) -> dict[str, Array]:
    """Further arguments of the regressor by name."""
    model.function("regressor")
    known = [name for name in model.inputs_of("regressor") if name not in ("q", "u", "a")]
    require_known(given, known, f"others: the regressor of {model.name!r} takes no")
    found = {name: finite(f"others: {name}", value) for name, value in given.items()}
    for name, array in found.items():
        if array.ndim and len(array) != size:
            raise ValueError(f"others: {name} has {len(array)} rows, q has {size}")
    return found


def _vector(name: str, value: ArrayLike | None, default: Array) -> Array:
    if value is None:
        return np.array(default, dtype=np.float64)
    array = finite(name, value)
    if array.shape != default.shape:
        raise ValueError(f"{name} has shape {array.shape}, expected {default.shape}")
    return array
