"""Results of a fit: estimates with intervals, parameters not identified, tests of residuals."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from eomc.binding.arrays import Array
from eomc.runtime.fit.identifiable import in_words
from eomc.runtime.fit.inertia import NUMBERS
from eomc.runtime.fit.problem import Problem
from eomc.runtime.fit.recording import Recording
from eomc.runtime.fit.unknowns import FreeValue, Unknowns

if TYPE_CHECKING:
    from eomc.runtime.report.document import ReportDocument

_LAGS = 20
_NUMBER = re.compile(rf"\.({'|'.join(NUMBERS)})$")
_LIKELY = 0.01


@dataclass(frozen=True, eq=False)
class Fit:
    """Estimates of a fit.

    Attributes
    ----------
    names : tuple of str
    values : (n,)
    covariance : (n, n)
        s^2 (J^T J)^+ of the exact Jacobian; s = 1 where `sigma` was given. Infinite on the diagonal
        for what the runs do not identify.
    chi2 : float
        Sum of squares of the weighted residuals.
    channels : tuple of str
    sigma : (channels,)
        Deviations, given or estimated from the residuals.
    runs : sequence of Recording
    simulated : list of (samples, channels) arrays
    unidentified : tuple of str
        Sentences on combinations that the runs do not determine.
    combinations : mapping
        Identified combinations of those parameters, by text: (value, deviation).
    rank : int
        Number of combinations that the runs identify.
    evaluations : int
    message : str
        Why the search ended.
    history : (number of evaluations,)
        Weighted squares of each.
    """

    names: tuple[str, ...]
    values: Array
    covariance: Array
    chi2: float
    channels: tuple[str, ...]
    sigma: Array
    runs: Sequence[Recording]
    simulated: Sequence[Array]
    unidentified: tuple[str, ...]
    combinations: Mapping[str, tuple[float, float]]
    rank: int
    evaluations: int
    message: str
    history: Array
    _validate: Callable[[Any], Fit] | None = None

    def validate(self, runs: Any) -> Fit:
        """The estimates on runs that were held out, of which only free initial states are fitted:
        ``rms`` is 1 for a model that is right."""
        if self._validate is None:
            raise ValueError("a validation has no further one; validate the fit itself")
        return self._validate(runs)

    def __getitem__(self, name: str) -> float:
        """The estimate of an unknown."""
        return float(self.values[self.names.index(name)])

    @property
    def estimates(self) -> dict[str, float]:
        """Values by name."""
        return dict(zip(self.names, self.values.tolist(), strict=True))

    @property
    def deviations(self) -> dict[str, float]:
        """Standard deviations by name, infinite where the runs do not identify the value."""
        found = np.sqrt(np.diag(self.covariance)).tolist()
        return dict(zip(self.names, found, strict=True))

    def intervals(self, probability: float = 0.95) -> dict[str, tuple[float, float]]:
        """Confidence intervals by name, of normal distributions."""
        from scipy.special import ndtri

        factor = float(ndtri(0.5 + probability / 2))
        sd = self.deviations
        return {n: (v - factor * sd[n], v + factor * sd[n]) for n, v in self.estimates.items()}

    @property
    def correlation(self) -> Array:
        """(n, n), NaN where nothing is identified."""
        sd = np.sqrt(np.diag(self.covariance))
        with np.errstate(invalid="ignore"):
            found: Array = self.covariance / np.outer(sd, sd)
        return found

    @cached_property
    def residuals(self) -> list[Array]:
        """Weighted residuals (samples, channels) of each run."""
        return [
            (y - run.outputs) / self.sigma for y, run in zip(self.simulated, self.runs, strict=True)
        ]

    @property
    def durbin_watson(self) -> dict[str, float]:
        """By channel, about 2 for white residuals: sum (r_k - r_{k-1})^2 / sum r_k^2."""
        steps = sum((np.diff(r, axis=0) ** 2).sum(axis=0) for r in self.residuals)
        found = steps / sum((r**2).sum(axis=0) for r in self.residuals)
        return dict(zip(self.channels, np.asarray(found).tolist(), strict=True))

    @property
    def ljung_box(self) -> dict[str, tuple[float, float]]:
        """(Q, p-value) of the first 20 autocorrelations by channel, the least likely of all runs.

        Reference: Ljung and Box, Biometrika 65 (1978).
        """
        from scipy.special import gammaincc

        found: dict[str, tuple[float, float]] = {}
        for k, channel in enumerate(self.channels):
            q = max(_ljung_box(r[:, k]) for r in self.residuals)
            # The upper tail of chi^2 with as many degrees of freedom as lags.
            found[channel] = q, float(gammaincc(_LAGS / 2, q / 2))
        return found

    @property
    def is_white(self) -> bool:
        """True if no channel's residuals are correlated, at a level of 1 %. Deviations of
        correlated residuals are too small."""
        return all(p > _LIKELY for _, p in self.ljung_box.values())

    @property
    def rms(self) -> dict[str, float]:
        """Root mean square of the weighted residuals by channel: 1 of a model that is right."""
        found = np.sqrt(np.mean(np.concatenate(self.residuals) ** 2, axis=0))
        return dict(zip(self.channels, found.tolist(), strict=True))

    def as_dict(self) -> dict[str, Any]:
        """For JSON; deviations that are infinite are null."""
        sd = {n: v if np.isfinite(v) else None for n, v in self.deviations.items()}
        return {
            "estimates": self.estimates,
            "deviations": sd,
            "chi2": self.chi2,
            "sigma": dict(zip(self.channels, self.sigma.tolist(), strict=True)),
            "rms": self.rms,
            "durbin_watson": self.durbin_watson,
            "ljung_box": {name: list(pair) for name, pair in self.ljung_box.items()},
            "unidentified": list(self.unidentified),
            "combinations": {name: list(pair) for name, pair in self.combinations.items()},
            "evaluations": self.evaluations,
            "message": self.message,
        }

    def to_json(self) -> str:
        """As text."""
        return json.dumps(self.as_dict(), indent=2)

    def plot(self) -> Any:
        """Measured and simulated channels over time, a row each; a figure of matplotlib."""
        from eomc.runtime.fit.page import curves

        return curves(self)

    def report(
        self,
        path: str | os.PathLike[str] | None = None,
        *,
        title: str = "Fit",
        held_out: Fit | None = None,
    ) -> ReportDocument:
        """Estimates, curves, residuals and convergence as one page, written to `path` if it is
        given; `held_out` is the result of `validate`. Raises OSError."""
        from eomc.runtime.fit.page import page

        made = page(self, title, held_out)
        if path is not None:
            made.write(path)
        return made

    def __str__(self) -> str:
        sd = self.deviations
        lines = [
            f"{name} = {value:.8g} +- {sd[name]:.2g}" for name, value in self.estimates.items()
        ]
        lines += [f"{text} = {v:.8g} +- {s:.2g}" for text, (v, s) in self.combinations.items()]
        white = "" if self.is_white else "; residuals are correlated"
        return "\n".join([*lines, f"chi2 = {self.chi2:.6g}{white}", *self.unidentified])


def estimate(
    problem: Problem,
    channels: Sequence[str],
    theta: Array,
    known: bool,
    found: Any,
    validate: Callable[[Any], Fit] | None = None,
    history: Sequence[float] = (),
) -> Fit:
    """The result at theta; `known` deviations of the channels give covariances without scaling."""
    unknowns = problem.unknowns
    y = [a for a, _ in problem.all(theta, False)]
    r, values, names = problem.stacked(y, theta), unknowns.values(theta), unknowns.names
    # By the values themselves, in units of their sizes.
    plain = Unknowns(replace(u, free=FreeValue(), body="") for u in unknowns.entries)
    J = replace(problem, unknowns=plain).jacobian(values)
    by_priors = unknowns.priors(theta)[1]
    if len(by_priors):
        J = np.concatenate([J, np.linalg.solve(unknowns.slopes(theta).T, by_priors.T).T])
    scale = np.where(values != 0, np.abs(values), 1.0)
    inertial = [_NUMBER.search(u.name) is not None for u in unknowns.entries]
    sentences, identified, null = in_words(names, values, J, scale, inertial)
    variance = 1.0 if known else float(r @ r) / max(r.size - len(values), 1)
    scaled = J * scale
    size = np.linalg.norm(scaled, axis=0)
    size = np.where(size > 0, size, 1.0)
    covariance = np.linalg.pinv(scaled / size, rcond=1e-9)
    covariance = variance * (covariance @ covariance.T) * np.outer(scale / size, scale / size)
    wide = {
        text: (value, float(np.sqrt(gradient @ covariance @ gradient)))
        for text, value, gradient in identified
    }
    if null.shape[1]:
        lost = np.linalg.norm(null, axis=1) > 1e-7
        covariance[lost, :] = covariance[:, lost] = np.nan
        covariance[lost, lost] = np.inf
    return Fit(
        names,
        values,
        covariance,
        float(r @ r),
        tuple(channels),
        problem.sigma,
        problem.runs,
        y,
        tuple(sentences),
        wide,
        len(values) - null.shape[1],
        int(getattr(found, "nfev", 0)),
        str(getattr(found, "message", "")),
        np.array(history),
        validate,
    )


def _ljung_box(r: Array) -> float:
    """Q = N (N + 2) sum_k rho_k^2 / (N - k)."""
    n, total = len(r), float(r @ r)
    lags = range(1, min(_LAGS, n - 1) + 1)
    rho = np.array([float(r[k:] @ r[:-k]) for k in lags]) / (total or 1.0)
    return float(n * (n + 2) * np.sum(rho**2 / (n - np.array(lags))))
