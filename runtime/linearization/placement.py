"""Places of actuators, sensors and dampers on a structure, by the modes that they act on.

With normal modes V, V^T M V = 1, V^T K V = diag(omega^2), a place b (a direction of a frame, or a
generalized force) has the modal amplitudes phi = V^T b. Of each mode, lightly damped,

    actuator   W = diag(phi^2/(4 zeta omega^3), phi^2/(4 zeta omega))   controllability gramian
    sensor     the same with measured rates, observability gramian
    damper     zeta = c phi^2/(2 omega), c = 1 N s/m

and the modes j that are left out answer with

    spillover = sum_j phi_j(actuator) phi_j(sensor)/(2 zeta_j omega_j^2).

References: Hac and Liu, *Sensor and actuator location in motion control of flexible structures*,
J. Sound Vib. 167 (1993) 239; Gawronski, *Advanced Structural Dynamics* (2004), ch. 7.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import comb
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike

from eomc.binding.arrays import Array
from eomc.runtime.linearization.linearize import linearize
from eomc.runtime.model.arguments import finite, taken, whole
from eomc.runtime.model.compiled import CompiledModel
from eomc.runtime.model.errors import LinearizationError
from eomc.runtime.names.near_names import near_names, places_of

Role = Literal["actuator", "sensor", "damper"]
Criterion = Literal["least", "log det", "sum"]
AXES = ("x", "y", "z", "rx", "ry", "rz")
"""Rows of the Jacobian of a frame."""
_ALL = 20_000
"""Sets of places that are all compared; of more they are exchanged one by one."""


def controllability_gramian(A: ArrayLike, B: ArrayLike) -> Array:
    """W of A W + W A^T + B B^T = 0 (nx, nx); of observability with A^T and C^T.

    Raises LinearizationError if A is not asymptotically stable.

    >>> controllability_gramian([[-1.0]], [[2.0]]).tolist()
    [[2.0]]
    """
    from scipy.linalg import solve_continuous_lyapunov

    a, b = finite("A", A), finite("B", B)
    slowest = float(np.linalg.eigvals(a).real.max(initial=-np.inf))
    if slowest >= 0:
        raise LinearizationError(
            f"gramians over infinite time need decaying modes; one has the real part {slowest:.3g}"
        )
    return np.asarray(solve_continuous_lyapunov(a, -b @ b.T), dtype=np.float64)


@dataclass(frozen=True, eq=False)
class PlacementStudy:
    """Modal amplitudes of places, and the best set of them.

    Attributes
    ----------
    places : tuple of str
    role : str
    frequencies, damping_ratios : (modes,)
        Of all modes [rad/s]; the first `kept` count in the measure.
    amplitudes : (places, modes)
        phi.
    measures : (places, kept)
        Trace of the gramian of each mode, or its damping ratio; sums over a set of places.
    best : tuple of str
    value : float
        The criterion at the best set.
    kept : int
    """

    places: tuple[str, ...]
    role: Role
    frequencies: Array
    damping_ratios: Array
    amplitudes: Array
    measures: Array
    best: tuple[str, ...]
    value: float
    kept: int

    def spillover(self, actuator: str, sensor: str) -> float:
        """Static answer of the modes that are left out at the sensor to the actuator [m/N]."""
        a, s = (places_of([n], self.places, "no place")[0] for n in (actuator, sensor))
        out = slice(self.kept, None)
        omega, zeta = self.frequencies[out], self.damping_ratios[out]
        both = self.amplitudes[a, out] * self.amplitudes[s, out]
        return float((both / (2 * zeta * omega**2)).sum())


def placement(
    model: CompiledModel,
    places: Sequence[str],
    count: int = 1,
    *,
    role: Role = "actuator",
    criterion: Criterion = "least",
    modes: int | None = None,
    damping: float | None = None,
    state: Any = None,
    **options: Any,
) -> PlacementStudy:
    """Choose places of actuators, sensors or dampers by the modes of small motions.

    Parameters
    ----------
    model : CompiledModel
    places : names
        ``tip.z`` or ``tip.rx``: a direction of a frame, in world axes, or the moment about it;
        ``tau(joint)``: a drive.
    count : int
        Places to choose.
    role : "actuator", "sensor" or "damper"
    criterion : "least", "log det" or "sum"
        Of the measures of the modes: the least is made largest, or their product, or their sum.
    modes : int, optional
        The slowest modes to act on; the others are left out. All by default.
    damping : float, optional
        Ratio of every mode; by default that of the model.
    state, **options : as of `linearize`

    Raises LinearizationError for modes without stiffness or damping, ValueError for unknown names.
    """
    model = taken(model)
    if role not in ("actuator", "sensor", "damper"):
        raise ValueError(f"role: {role!r}; give 'actuator', 'sensor' or 'damper'")
    if criterion not in _CRITERIA:
        raise ValueError(f"criterion: {criterion!r}; give one of {', '.join(_CRITERIA)}")
    names = (places,) if isinstance(places, str) else tuple(places)
    chosen = whole("count", count, 1)
    if chosen > len(names):
        raise ValueError(f"count: {chosen} of {len(names)} places")
    omega, zeta, V = _normal_modes(model, linearize(model, state, **options), damping)
    kept = len(omega) if modes is None else whole("modes", modes, 1)
    if kept > len(omega):
        raise ValueError(f"modes: {kept} of {len(omega)}")
    q = V[1]
    phi = np.array([_direction(model, name, q) for name in names]) @ V[0]
    w, z = omega[:kept], zeta[:kept]
    factor = 1 / (2 * w) if role == "damper" else (1 / w**3 + 1 / w) / (4 * z)
    measures = phi[:, :kept] ** 2 * factor
    best, value = _chosen(measures, chosen, criterion)
    return PlacementStudy(
        names, role, omega, zeta, phi, measures, tuple(names[k] for k in best), value, kept
    )


def _normal_modes(
    model: CompiledModel, linear: Any, damping: float | None
) -> tuple[Array, Array, tuple[Array, Array]]:
    """omega, zeta, and (displacements of the modes (nu, modes), q)."""
    from scipy.linalg import eigh

    if linear.second_order is None:
        raise LinearizationError(f"model {model.name!r}: placement needs a second-order form")
    M, C, K = linear.second_order[:3]
    squares, V = eigh((K + K.T) / 2, (M + M.T) / 2)
    if squares.min() <= 1e-12 * squares.max():
        raise LinearizationError(
            f"model {model.name!r}: {int((squares <= 1e-12 * squares.max()).sum())} modes have no "
            "stiffness, so that their gramians are infinite; fix or lock what moves freely"
        )
    omega = np.sqrt(squares)
    zeta = np.einsum("ij,ik,kj->j", V, C, V) / (2 * omega)
    if damping is not None:
        zeta = np.full(len(omega), float(finite("damping", damping, ())))
    if (zeta <= 0).any():
        raise LinearizationError(
            f"model {model.name!r}: mode {int(np.argmin(zeta)) + 1} is not damped; give damping"
        )
    return omega, zeta, (linear.basis @ V, linear.point.q)


def _direction(model: CompiledModel, name: str, q: Array) -> Array:
    """Generalized force (nu,) of a unit force at a place."""
    if name.startswith("tau(") and name[4:-1] in model.speeds:
        return np.asarray(np.eye(model.nu)[model.speeds.index(name[4:-1])])
    frame, _, axis = name.rpartition(".")
    if frame in model.frames and axis in AXES:
        return np.asarray(model.frame(frame).jacobian(q)[AXES.index(axis)])
    known = [f"{f}.{axis}" for f in model.frames for axis in AXES]
    known += [f"tau({name})" for name in model.speeds]
    raise ValueError(f"places: no {name!r}; {near_names(name, known)}")


_CRITERIA: dict[str, Callable[[Array], Any]] = {
    "least": lambda sums: sums.min(axis=-1),
    "log det": lambda sums: np.log(np.maximum(sums, 1e-300)).sum(axis=-1),
    "sum": lambda sums: sums.sum(axis=-1),
}


def _chosen(measures: Array, count: int, criterion: str) -> tuple[tuple[int, ...], float]:
    """The best set: of all sets, or by exchanges from the best greedy one."""
    of, n = _CRITERIA[criterion], len(measures)
    if comb(n, count) <= _ALL:
        sets = np.array(list(combinations(range(n), count)))
        values = of(measures[sets].sum(axis=1))
        best = int(np.argmax(values))
        return tuple(sets[best].tolist()), float(values[best])
    chosen: list[int] = []
    for _ in range(count):
        chosen.append(_addition(measures, chosen, of))
    while True:
        before = of(measures[chosen].sum(axis=0))
        for k in range(count):
            rest = chosen[:k] + chosen[k + 1 :]
            chosen = [*rest, _addition(measures, rest, of)]
        if of(measures[chosen].sum(axis=0)) <= before:
            return tuple(sorted(chosen)), float(of(measures[chosen].sum(axis=0)))


def _addition(measures: Array, chosen: list[int], of: Any) -> int:
    """The place that adds most to those chosen."""
    values = np.array(of(measures + measures[chosen].sum(axis=0)))
    values[chosen] = -np.inf
    return int(np.argmax(values))
