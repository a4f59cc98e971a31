"""Parameters from measured frequencies, damping ratios and mode shapes.

    minimize  sum ((f_i(p) - f_i) / sigma_i)^2 + sum |(phi_i(p) - phi_i) / sigma|^2

with exact derivatives of eigenvalues and eigenvectors about the equilibrium, which moves with the
parameters; see `eomc.runtime.linearization`. Shapes are scaled to 1 at a reference coordinate.

Reference: Friswell and Mottershead, *Finite Element Model Updating in Structural Dynamics* (1995),
ch. 8.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from eomc.binding.arrays import Array
from eomc.runtime.equilibria.equilibrium import equilibrium
from eomc.runtime.fit.errors import FitError
from eomc.runtime.fit.identifiable import in_words
from eomc.runtime.fit.recording import Places
from eomc.runtime.fit.unknowns import Given, Unknowns, frees, listed
from eomc.runtime.linearization.sensitivity import Sensitivities, sensitivities
from eomc.runtime.model.arguments import taken
from eomc.runtime.model.compiled import CompiledModel

_TOLERANCE, _SAME, _ALIKE = 1e-14, 1e-4, 0.5


@dataclass(frozen=True)
class MeasuredMode:
    """A measured mode.

    Attributes
    ----------
    frequency : float
        Natural frequency [Hz].
    deviation : float
        Its standard deviation [Hz].
    damping : (ratio, standard deviation), optional
    shape : mapping of coordinates to values, optional
        Entries of the eigenvector, in any scale.
    reference : str
        The coordinate of the shape at which it is scaled to 1.
    shape_deviation : float
        Of the other entries, so scaled.
    number : int, optional
        Of the mode in the model, from 1 on, by frequency. By default that of the most similar
        shape, else the place in the list.
    """

    frequency: float
    deviation: float
    damping: tuple[float, float] | None = None
    shape: Mapping[str, float] = field(default_factory=dict)
    reference: str = ""
    shape_deviation: float = 0.01
    number: int | None = None


@dataclass(frozen=True, eq=False)
class ModalFit:
    """Estimates from modes; `others` are further minima, of starts elsewhere, the best first.

    `frequencies` are those of the model [Hz]; `unidentified` and `combinations` as of `Fit`.
    """

    names: tuple[str, ...]
    values: Array
    covariance: Array
    chi2: float
    frequencies: Array
    unidentified: tuple[str, ...]
    combinations: Mapping[str, tuple[float, float]]
    others: Sequence[tuple[Array, float]]
    message: str

    def __getitem__(self, name: str) -> float:
        """The estimate of an unknown."""
        return float(self.values[self.names.index(name)])

    @property
    def estimates(self) -> dict[str, float]:
        """Values by name."""
        return dict(zip(self.names, self.values.tolist(), strict=True))

    @property
    def deviations(self) -> dict[str, float]:
        """Standard deviations by name."""
        return dict(zip(self.names, np.sqrt(np.diag(self.covariance)).tolist(), strict=True))


def fit_modes(
    model: CompiledModel,
    free: Given,
    modes: Sequence[MeasuredMode],
    *,
    parameters: Mapping[str, float] | None = None,
    state: Callable[[dict[str, float]], Any] | None = None,
    starts: int = 1,
    most: int = 200,
) -> ModalFit:
    """Estimate tunable parameters of a model from measured modes.

    Parameters
    ----------
    model : CompiledModel
        Made by `eomc.build`, the unknowns tunable.
    free : names, or mapping of names to a start, (low, high) or `FreeValue`
    modes : sequence of MeasuredMode
    parameters : mapping, optional
        Values of others.
    state : function of the parameters, optional
        The state to linearize about, by default `equilibrium`.
    starts : int
        Searches from points of a Halton sequence between the bounds, beside the first start.
        Frequencies alone often have several answers, which ``others`` lists.
    most : int
        Evaluations of each search.

    Raises FitError for unknown names, and for a mode that no mode of the model resembles.
    """
    problem = _Modal(taken(model), free, modes, dict(parameters or {}), state)
    found = []
    for theta in _starts(problem.unknowns, starts):
        try:
            found.append(problem.minimized(theta, most))
        except FitError:
            if not found and starts == 1:
                raise
    if not found:
        raise FitError(f"none of {starts} starts leads to an answer; give other bounds")
    found.sort(key=lambda one: float(one.cost))
    kept: list[Any] = []
    for one in found:
        if not any(np.allclose(one.x, other.x, rtol=_SAME, atol=0) for other in kept):
            kept.append(one)
    return problem.estimate(kept)


def _starts(unknowns: Unknowns, count: int) -> list[Array]:
    found = [unknowns.start()]
    if count > 1:
        from scipy.stats.qmc import Halton

        low, high = unknowns.bounds()
        if not np.isfinite([low, high]).all():
            raise FitError("free: several starts need bounds, (low, high), of all unknowns")
        found += list(low + Halton(len(low), seed=0).random(count - 1) * (high - low))
    return found


class _Modal:
    """Residuals of measured modes with their derivatives."""

    def __init__(
        self,
        model: CompiledModel,
        free: Given,
        modes: Sequence[MeasuredMode],
        parameters: dict[str, float],
        state: Callable[[dict[str, float]], Any] | None,
    ) -> None:
        self.model, self.modes = model, modes
        self.p = {**model.parameters, **parameters}
        self.unknowns = listed(frees(free), self.p, {}, (), ())
        self.state = state or self._equilibrium
        self.start: Any = None
        for mode in modes:
            if not (mode.frequency > 0 and mode.deviation > 0 and mode.shape_deviation > 0):
                raise FitError(f"{mode}: frequency and deviations must be positive")
            unknown = [n for n in mode.shape if n not in model.coordinates]
            if unknown or (mode.shape and mode.reference not in mode.shape):
                what = unknown[0] if unknown else mode.reference
                raise FitError(f"mode of {mode.frequency:g} Hz: no coordinate {what!r} in shape")

    def _equilibrium(self, parameters: dict[str, float]) -> Any:
        before = {} if self.start is None else {"q": self.start.q}
        self.start = equilibrium(self.model, parameters=parameters, **before)
        return self.start

    def at(self, theta: Array) -> Sensitivities:
        """Modes about the state that belongs to theta."""
        p = {**self.p, **dict(zip(self.unknowns.names, self.unknowns.values(theta), strict=True))}
        return sensitivities(self.model, self.state(p), self.unknowns.names)

    def all(self, theta: Array) -> tuple[Array, Array]:
        """(r, dr/dtheta)"""
        found = self.at(theta)
        places = np.flatnonzero(found.eigenvalues.imag > 0)
        places = places[np.argsort(np.abs(found.eigenvalues[places]), kind="stable")]
        r, J = list[float](), list[Array]()
        for k, mode in enumerate(self.modes):
            place = self._place(found, places, mode, k)
            omega = abs(found.eigenvalues[place]) / (2 * np.pi)
            r.append((omega - mode.frequency) / mode.deviation)
            J.append(found.natural_frequency_rates[:, place] / (2 * np.pi) / mode.deviation)
            if mode.damping is not None:
                ratio = -found.eigenvalues[place].real / abs(found.eigenvalues[place])
                r.append((ratio - mode.damping[0]) / mode.damping[1])
                J.append(found.damping_ratio_rates[:, place] / mode.damping[1])
            for name in mode.shape:
                if name != mode.reference:
                    phi, by = self._entry(found, place, name, mode.reference)
                    known = mode.shape[name] / mode.shape[mode.reference]
                    r.append((phi - known) / mode.shape_deviation)
                    J.append(by / mode.shape_deviation)
        prior, by_prior = self.unknowns.priors(theta)
        by_values = np.reshape(J, (len(r), len(self.unknowns)))
        rows = [by_values @ self.unknowns.slopes(theta), by_prior]
        return np.concatenate([r, prior]), np.concatenate(rows)

    def _entry(
        self, found: Sensitivities, place: int, name: str, reference: str
    ) -> tuple[float, Array]:
        """phi over that of the reference, and its derivatives."""
        i, j = (found.linear.coordinates.index(n) for n in (name, reference))
        x, by = found.shapes[:, place], found.shape_rates[:, :, place]
        return float((x[i] / x[j]).real), (by[:, i] / x[j] - x[i] * by[:, j] / x[j] ** 2).real

    def _place(self, found: Sensitivities, places: Places, mode: MeasuredMode, order: int) -> int:
        """The column of the mode that was measured."""
        number = order + 1 if mode.number is None else mode.number
        if mode.shape and mode.number is None:
            rows = [found.linear.coordinates.index(n) for n in mode.shape]
            measured = np.array(list(mode.shape.values()))
            shapes = found.shapes[rows][:, places]
            sizes = np.linalg.norm(shapes, axis=0) * np.linalg.norm(measured)
            alike = np.abs(measured @ shapes) / np.where(sizes > 0, sizes, 1.0)
            number = int(np.argmax(alike**2)) + 1
            if not alike[number - 1] ** 2 > _ALIKE:
                raise FitError(f"no mode of the model is like the one of {mode.frequency:g} Hz")
        if not 1 <= number <= len(places):
            raise FitError(f"the model has {len(places)} oscillating modes, not {number}")
        return int(places[number - 1])

    def minimized(self, theta: Array, most: int) -> Any:
        """Least squares from a start."""
        from scipy.optimize import least_squares

        return least_squares(
            lambda x: self.all(x)[0],
            np.clip(theta, *self.unknowns.bounds()),
            lambda x: self.all(x)[1],
            self.unknowns.bounds(),
            x_scale="jac",
            ftol=_TOLERANCE,
            xtol=_TOLERANCE,
            gtol=_TOLERANCE,
            max_nfev=most,
        )

    def estimate(self, found: Sequence[Any]) -> ModalFit:
        """The best of different minima, with its covariance for given deviations."""
        theta = found[0].x
        values, names = self.unknowns.values(theta), self.unknowns.names
        r, J = self.all(theta)
        J = np.asarray(np.linalg.solve(self.unknowns.slopes(theta).T, J.T).T, dtype=np.float64)
        scale = np.where(values != 0, np.abs(values), 1.0)
        sentences, identified, null = in_words(names, values, J, scale, [False] * len(names))
        half = np.linalg.pinv(J * scale, rcond=1e-9) * scale[:, None]
        covariance = half @ half.T
        wide = {t: (v, float(np.linalg.norm(g @ half))) for t, v, g in identified}
        lost = np.linalg.norm(null, axis=1) > 1e-7
        covariance[lost, lost] = np.inf
        eigenvalues = self.at(theta).eigenvalues
        return ModalFit(
            names,
            values,
            covariance,
            float(r @ r),
            np.sort(np.abs(eigenvalues[eigenvalues.imag > 0])) / (2 * np.pi),
            tuple(sentences),
            wide,
            [(self.unknowns.values(one.x), 2 * float(one.cost)) for one in found[1:]],
            str(found[0].message),
        )
