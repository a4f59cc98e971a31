"""Motions that tell base parameters best: Fourier series of least condition number.

The joints' harmonics start from rest and are scaled until each joint touches the tightest of its
limits; shapes are sought that make the regressor of the base parameters, along one period, as well
conditioned as can be:

    minimize  sigma_1(W)/sigma_n(W),   d sigma = u^T dW v.

Reference: Armstrong, *On finding exciting trajectories for identification experiments involving
systems with nonlinear dynamics*, Int. J. Robotics Research 8(6), 1989; Swevers et al. 1997 (see
`eomc.runtime.trajectories.FourierSeries`).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from eomc.binding.arrays import Array
from eomc.runtime.identification.base_parameters import (
    BaseParameters,
    base_parameters,
    regressor_at,
)
from eomc.runtime.model.arguments import whole
from eomc.runtime.model.compiled import CompiledModel
from eomc.runtime.trajectories.fourier_series import FourierSeries

_STEP = 1e-5
"""Of coefficients of unit size, for differences of the regressor."""

_OFTEN = 24
"""Times in a period of the highest harmonic at which limits are looked at."""

_USED = 0.99
"""Of the limits, as samples may miss the largest."""


@dataclass(frozen=True, eq=False)
class ExcitingMotion:
    """A motion, and what it tells.

    Attributes
    ----------
    motion : FourierSeries
        Position, rate and acceleration at any time: a reference for a controller.
    condition : float
        Of the regressor of base parameters along it, sampled evenly, SI units.
    first_condition : float
        That of the best of the random motions that the search began with.
    base : that of `identification.base_parameters`
    """

    motion: FourierSeries
    condition: float
    first_condition: float
    base: BaseParameters


def exciting_motion(
    model: CompiledModel,
    *,
    period: float,
    harmonics: int = 5,
    samples: int | None = None,
    lower: ArrayLike | None = None,
    upper: ArrayLike | None = None,
    velocity: ArrayLike | None = None,
    acceleration: ArrayLike | None = None,
    starts: int = 8,
    iterations: int = 60,
    seed: int = 0,
) -> ExcitingMotion:
    """The motion of one period within limits along which base parameters are told best.

    Parameters
    ----------
    model : CompiledModel
        An open tree of rigid bodies whose speeds are the rates of its coordinates.
    period : float [s]
    harmonics : int
        Of each joint, at least 3: two numbers of each, less two that make it start from rest.
    samples : int
        Along the period; four for each of the highest harmonic by default.
    lower, upper : numbers or (nq,) arrays [rad or m]
        Limits of the coordinates; those of the model by default.
    velocity, acceleration : numbers or (nu,) arrays
        Largest magnitudes; those of the model, and no limit, by default.
    starts : int
        Random motions, of which the best is improved.
    iterations : int
        Of the improvement (SciPy's L-BFGS-B).
    seed : int
        Of the random motions.

    Raises ValueError for other shapes, limits out of order, a joint without any limit, a model with
    quaternions, loops or prescribed coordinates.
    """
    base = base_parameters(model)
    if model.nq != model.nu or model.displacements != model.coordinates:
        raise ValueError(
            f"model {model.name!r} has coordinates whose rates are not its speeds; exciting "
            "motions are for joints that turn or slide"
        )
    for name, value, least in (
        ("harmonics", harmonics, 3),
        ("starts", starts, 1),
        ("iterations", iterations, 0),
        ("seed", seed, 0),
        ("samples", 1 if samples is None else samples, 1),
    ):
        whole(name, value, least)
    span = _numbers("period", period, ())
    if not span > 0:
        raise ValueError(f"period is {period!r}; give a positive number of seconds")
    count = samples or 4 * harmonics
    if count * model.nu < len(base):
        least = -(-len(base) // model.nu)
        raise ValueError(f"samples: {count} cannot tell {len(base)} numbers; give {least} or more")
    limits = _limits(model, lower, upper, velocity, acceleration)
    search = _ConditionSearch(model, base, float(span), harmonics, count, *limits)
    shapes = np.random.default_rng(seed).normal(size=(starts, search.size))
    best = min(shapes, key=search.cost)
    first = search.cost(best)
    if iterations:
        from scipy.optimize import minimize

        options = {"maxiter": iterations}
        found = minimize(search.cost_and_slope, best, jac=True, method="L-BFGS-B", options=options)
        best = found.x if search.cost(found.x) < first else best
    motion = search.motion(best)
    return ExcitingMotion(motion, float(np.exp(search.cost(best))), float(np.exp(first)), base)


class _ConditionSearch:
    """Condition of the regressor as a function of the shapes of all joints."""

    def __init__(
        self,
        model: CompiledModel,
        base: BaseParameters,
        period: float,
        harmonics: int,
        samples: int,
        center: Array,
        limits: Array,
    ) -> None:
        self.model, self.base, self.center, self.period = model, base, center, period
        self.limits = limits
        order: Array = 2 * np.pi / period * np.arange(1, harmonics + 1, dtype=np.float64)
        # Harmonics that start from rest: sum k sine_k = 0, sum k^2 cosine_k = 0.
        self.rest = (_orthogonal(order), _orthogonal(order**2))
        # Position, rate and acceleration at the samples, of a unit of each coefficient.
        self.unit, self.often = (
            _units(period * (np.arange(count) + 0.5) / count, order, *self.rest)
            for count in (samples, _OFTEN * harmonics)
        )
        self.shape = (2 * (harmonics - 1), model.nu)
        self.size = int(np.prod(self.shape))

    def scaled(self, shapes: Array) -> Array:
        """(..., 2 (harmonics - 1), nu): coefficients that touch the limits."""
        x = shapes.reshape(*shapes.shape[:-1], *self.shape)
        reached = np.abs(self.often @ x[..., None, :, :]).max(axis=-2)
        with np.errstate(invalid="ignore"):
            share = (reached / self.limits).max(axis=-2)
        told: Array = x * (_USED / np.maximum(share, 1e-12))[..., None, :]
        return told

    def regressor(self, shapes: Array) -> Array:
        """W (..., samples nu, base parameters)."""
        moved = self.unit @ self.scaled(shapes)[..., None, :, :]
        q, u, a = (moved[..., k, :, :] for k in range(3))
        Y, _ = regressor_at(self.model, self.center + q, u, a)
        leading = self.base.regressor(Y)
        return leading.reshape(*leading.shape[:-3], -1, len(self.base))

    def cost(self, shape: Array) -> float:
        """ln(sigma_1/sigma_n)"""
        return self._condition(self.regressor(shape))[0]

    @staticmethod
    def _condition(W: Array) -> tuple[float, Array, Array]:
        """ln(sigma_1/sigma_n), both, and their directions v (columns), by W^T W, which is small.

        Beyond 1e8 all are as bad.
        """
        squares, V = np.linalg.eigh(W.T @ W)
        s = np.sqrt(np.maximum(squares[[0, -1]], 1e-16 * squares[-1]))
        return float(np.log(s[1] / s[0])), s, V[:, [0, -1]]

    def cost_and_slope(self, shape: Array) -> tuple[float, Array]:
        """The same with its gradient: differences of W, exact derivatives of its singular
        values."""
        W = self.regressor(shape)
        cost, s, V = self._condition(W)
        step = _STEP * np.eye(self.size)
        ahead, behind = self.regressor(shape + step), self.regressor(shape - step)
        change = (ahead - behind) / (2 * _STEP)
        # d ln sigma = u^T dW v / sigma with u = W v / sigma
        low, high = np.einsum("ie,kie->ek", W @ V / s**2, change @ V)
        return cost, high - low

    def motion(self, shape: Array) -> FourierSeries:
        """The motion of a shape."""
        x = self.scaled(shape)
        half = len(x) // 2
        sine, cosine = self.rest
        return FourierSeries(self.center, sine @ x[:half], cosine @ x[half:], self.period)


def _units(t: Array, order: Array, sine: Array, cosine: Array) -> Array:
    """(3, times, 2 (harmonics - 1)): position, rate and acceleration of unit coefficients."""
    s, c = np.sin(np.outer(t, order)), np.cos(np.outer(t, order))
    pairs = ((s, c), (order * c, -order * s), (-(order**2) * s, -(order**2) * c))
    return np.array([np.hstack([a @ sine, b @ cosine]) for a, b in pairs])


def _orthogonal(direction: Array) -> Array:
    """(n, n - 1): an orthonormal basis of what is orthogonal to a direction."""
    found: Array = np.linalg.svd(direction[None, :])[2][1:].T
    return found


def _limits(
    model: CompiledModel,
    lower: ArrayLike | None,
    upper: ArrayLike | None,
    velocity: ArrayLike | None,
    acceleration: ArrayLike | None,
) -> tuple[Array, Array]:
    """(center (n,), largest (displacement, rate, acceleration) (3, n)) of each joint."""
    n = model.nq
    low = model.lower if lower is None else _numbers("lower", lower, (n,))
    high = model.upper if upper is None else _numbers("upper", upper, (n,))
    rate = model.velocity_limits if velocity is None else _numbers("velocity", velocity, (n,))
    free = np.full(n, np.inf)
    bend = free if acceleration is None else _numbers("acceleration", acceleration, (n,))
    for k, name in enumerate(model.coordinates):
        if not low[k] < high[k]:
            raise ValueError(f"limits of {name!r}: upper {high[k]:g} is not above {low[k]:g}")
        if not (rate[k] > 0 and bend[k] > 0):
            raise ValueError(f"velocity and acceleration of {name!r}: give positive numbers")
        bounded = np.isfinite(low[k]) and np.isfinite(high[k])
        if not (bounded or np.isfinite(rate[k]) or np.isfinite(bend[k])):
            raise ValueError(
                f"joint {name!r} has no limit; give lower and upper, velocity or acceleration"
            )
    both = np.isfinite(low) & np.isfinite(high)
    one = np.where(np.isfinite(low), low + 1, np.where(np.isfinite(high), high - 1, 0.0))
    with np.errstate(invalid="ignore"):
        center = np.where(both, (low + high) / 2, one)
    reach = np.minimum(high - center, center - low)
    return center, np.array([reach, rate, bend])


def _numbers(name: str, value: ArrayLike, shape: tuple[int, ...]) -> Array:
    try:
        array = np.broadcast_to(np.asarray(value, dtype=np.float64), shape)
    except (TypeError, ValueError):
        raise ValueError(f"{name}: give numbers of shape {shape}, not {value!r}") from None
    if np.isnan(array).any():
        raise ValueError(f"{name} is not a number")
    return array
