"""Equilibria of a design and small motions about them, which move with the design.

    f(x, p) = 0        dx/dtheta = -f_x^+ f_p dp/dtheta

Eigenvalues of the small motions have the derivatives of `sensitivities`, of which the change of the
equilibrium is a part. Peaks |H(i w)| of a frequency response are stationary in w, so that

    d|H| = Re(conj(H) dH)/|H|,   H = c^T Z^{-1} b,   dH = -c^T Z^{-1} dZ Z^{-1} b

with Z = K - w^2 M + i w C at the frequency of the peak.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cached_property
from typing import Any

import numpy as np

from eomc.binding.arrays import Array
from eomc.runtime.derivatives.operating_point import Surroundings
from eomc.runtime.designs.closure import DesignError
from eomc.runtime.designs.dual import DualArray, stacked
from eomc.runtime.designs.states import DesignFunctions, DesignStates
from eomc.runtime.equilibria.equilibrium import Equilibrium, posed
from eomc.runtime.equilibria.problem import Candidate
from eomc.runtime.equilibria.unknowns import UnknownEntry, unknowns
from eomc.runtime.equilibria.wanted import OutputTargets
from eomc.runtime.linearization.placement import AXES
from eomc.runtime.linearization.sensitivity import Sensitivities, sensitivities
from eomc.runtime.model.frame_kinematics import QUESTIONS, function_names
from eomc.runtime.names.near_names import places_of

_UNBALANCED, _RANK = 1e-8, 1e-11
_GRID, _BEYOND = 400, 3.0


def equilibrium_slopes(
    at: Equilibrium, targets: Mapping[str, float] | None, p: DualArray
) -> dict[str, DualArray]:
    """Arrays of the equilibrium (1, size) with derivatives by the variables."""
    model = at.model
    around = Surroundings.of(
        model,
        inputs=dict(at.inputs) or None,
        prescribed=at.prescribed,
        parameters=dict(at.parameters) or None,
        forces=at.forces,
    )
    chosen = (*unknowns(model, at.solved_for),)
    names, moving = list(model.parameters), np.flatnonzero(p.slopes.any(axis=1))
    parameters = (UnknownEntry(names[k], "parameter", int(k)) for k in moving)
    problem = posed(around, at.acceleration, (*chosen, *parameters))
    if targets:
        problem = replace(problem, wanted=OutputTargets.of(around, targets))
    r, values = (np.array(list(x.values()), dtype=float) for x in (at.inputs, at.parameters))
    candidate = Candidate(at.q, at.u, at.tau, r, values, at.multipliers, at.z)
    J = problem.slopes(candidate, problem.scale(candidate))
    own = slice(len(chosen), len(chosen) + len(moving))
    by_p, by_x = J[:, own] @ p.slopes[moving], np.delete(J, own, axis=1)
    change = -np.linalg.lstsq(by_x, by_p, rcond=_RANK)[0]
    left = np.abs(by_x @ change + by_p).max(initial=0.0)
    if left > _UNBALANCED * np.abs(by_p).max(initial=1e-300):
        raise DesignError(f"model {model.name!r}: no equilibrium beside this one")
    moved = dict.fromkeys(("displacement", "speed", "tau", "multiplier", "state", "input"))
    sizes_of = {"displacement": model.nu, "speed": model.nu, "tau": model.nu}
    sizes_of |= {"multiplier": len(at.multipliers), "state": len(at.z), "input": len(at.inputs)}
    found = {kind: np.zeros((sizes_of[kind], p.slopes.shape[1])) for kind in moved}
    others = (*problem.unknowns[: own.start], *problem.unknowns[own.stop :])
    for unknown, rate in zip(others, change, strict=True):
        if unknown.kind in found:
            found[unknown.kind][unknown.place] = rate
    rate = model.function("coordinate_rates")
    by_q = np.array([rate(at.q, column) for column in found["displacement"].T]).T
    by_a = at.acceleration.by_speeds(at.u) @ found["speed"]
    inputs = np.array(list(at.inputs.values()), dtype=float)
    arrays = {
        "q": (at.q, by_q),
        "u": (at.u, found["speed"]),
        "a": (at.a, by_a),
        "tau": (at.tau, found["tau"]),
        "z": (at.z, found["state"]),
        "r": (inputs, found["input"]),
        "multipliers": (at.multipliers, found["multiplier"]),
    }
    return {name: DualArray(x[None], dx[None]) for name, (x, dx) in arrays.items() if len(x)}


class DesignEquilibrium(DesignStates):
    """An equilibrium of a design, with its small motions."""

    def __init__(
        self,
        functions: DesignFunctions,
        arrays: Mapping[str, DualArray],
        count: int,
        single: bool,
        found: Equilibrium,
    ) -> None:
        super().__init__(functions, arrays, count, single)
        self.found = found

    @cached_property
    def sensitivities(self) -> Sensitivities:
        """Of the small motions, by the parameters."""
        model = self.functions.model
        pairs = zip(model.parameters, self._moving.tolist(), strict=True)
        return sensitivities(model, self.found, [name for name, moves in pairs if moves])

    @property
    def _moving(self) -> Any:
        """True of the parameters that move with the variables."""
        return self._p.slopes.any(axis=1)

    @property
    def _p(self) -> DualArray:
        return self.arrays["p"]

    def _chained(self, by_parameters: Any) -> Array:
        """Derivatives (..., n) of those (parameters, ...)."""
        own = self._p.slopes[self._moving]
        return np.asarray(np.tensordot(np.moveaxis(by_parameters, 0, -1), own, 1))

    @property
    def eigenvalues(self) -> DualArray:
        """Complex eigenvalues (n,) [rad/s], in the order of ``linearize(...).modes()``.

        Of repeated ones derivatives do not exist and are not numbers.
        """
        found = self.sensitivities
        slopes = self._chained(found.eigenvalue_rates)
        slopes[~found.simple] = np.nan
        return DualArray(found.eigenvalues, slopes)

    @property
    def frequencies(self) -> DualArray:
        """Undamped angular frequencies [rad/s] of the oscillating modes, slowest first."""
        return self._of_modes(np.abs(self.eigenvalues.value), "natural_frequency_rates")

    @property
    def damping_ratios(self) -> DualArray:
        """Of the oscillating modes, in the order of `frequencies`."""
        values = self.eigenvalues.value
        return self._of_modes(-values.real / np.abs(values), "damping_ratio_rates")

    def _of_modes(self, values: Array, name: str) -> DualArray:
        found = self.sensitivities
        slopes = self._chained(getattr(found, name))
        slopes[~found.simple] = np.nan
        return DualArray(values[self._above], slopes[self._above])

    @property
    def _above(self) -> Any:
        """True of eigenvalues above the real axis."""
        values = self.sensitivities.eigenvalues
        return values.imag > 1e-9 * np.abs(values).max(initial=0.0)

    def amplitudes(self, place: str) -> DualArray:
        """Modal amplitudes v^T b/sqrt(v^T M v) of a direction of a frame, as ``tip.z``, one of each
        entry of `frequencies`: a force there acts on the modes by them."""
        model, found = self.functions.model, self.sensitivities
        frame, _, axis = place.rpartition(".")
        model.frame(frame)
        b = self.function(function_names(frame)[QUESTIONS.index("jacobian")])[AXES.index(axis)]
        n = len(b)
        V = DualArray(found.shapes.real[:n].T, self._chained(found.shape_rates.real[:, :n]))
        M = DualArray(found.linear.mass, self._chained(found.mass))
        V = DualArray(V.value[self._above], np.swapaxes(V.slopes, 0, 1)[self._above])
        return stacked([(v @ b) / np.sqrt(v @ M @ v) for v in V])

    def peaks(self, output: str, force: str, count: int) -> DualArray:
        """The `count` largest local maxima over frequency of |output/force|.

        `output` is a coordinate, `force` the name of the speed on which a generalized force acts.
        Where there are fewer, the largest stands for those that are missing.
        """
        from scipy.optimize import minimize_scalar

        found = self.sensitivities
        linear, model = found.linear, self.functions.model
        if linear.second_order is None or model.is_constrained:
            raise DesignError(f"model {model.name!r}: peaks need a tree without internal states")
        M, C, K = linear.second_order[:3]
        c, b = np.zeros(len(K)), np.zeros(len(K))
        c[places_of([output], linear.coordinates, "no coordinate")[0]] = 1.0
        b[places_of([force], model.speeds, "no speed")[0]] = 1.0

        def size(log_w: float) -> float:
            w = np.exp(log_w)
            return float(abs(c @ np.linalg.solve(K - w**2 * M + 1j * w * C, b)))

        sizes = np.abs(found.eigenvalues)
        sizes = np.log(sizes[sizes > 1e-9 * sizes.max()])
        grid = np.linspace(sizes.min() - np.log(_BEYOND), sizes.max() + np.log(_BEYOND), _GRID)
        grid = np.sort(np.concatenate([grid, sizes]))
        values = np.array([size(w) for w in grid])
        tops = 1 + np.flatnonzero((values[1:-1] > values[:-2]) & (values[1:-1] >= values[2:]))
        several = []
        for k in tops:
            bounds = (grid[k - 1], grid[k + 1])
            best = minimize_scalar(
                lambda w: -size(w), bounds=bounds, method="bounded", options={"xatol": 1e-12}
            )
            w = float(np.exp(best.x))
            inverse = np.linalg.inv(K - w**2 * M + 1j * w * C)
            H, left, right = c @ inverse @ b, c @ inverse, inverse @ b
            changes = found.stiffness - w**2 * found.mass + 1j * w * found.damping
            dH = -np.einsum("i,pij,j->p", left, changes, right)
            slope = (np.conj(H) * dH).real / abs(H)
            several.append(DualArray(abs(H), self._chained(slope)))
        several.sort(key=float, reverse=True)
        if not several:
            raise DesignError(f"model {model.name!r}: the response of {output!r} has no peak")
        return stacked((several + several[:1] * count)[:count])
