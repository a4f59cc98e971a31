"""Motion past singular configurations of constraints, by inertia.

Where branches of a mechanism meet, the rows of G become dependent and the multipliers of what they
hold twice grow beyond bounds. With the mass matrix M = L L^T and rows of about unit length,

    A = G L^-T = U S V^T,   du = -L^-T V S^+ U^T r,   a = a0 - L^-T V S^+ U^T (G a0 + g),

r = phi or G u + b and M a0 = tau - c: the nearest state by kinetic energy, and Gauss's principle of
least constraint. S^+ leaves out singular values below a hundred-thousandth of what the smallest of
them was elsewhere on the run. Rounding e of phi turns the tangent by e/s^2, s the relative singular
value, and a force left unbalanced over the time that the motion takes through |s| < s0 turns it by
s0: both are about 1e-6 at s0 = 1e-5, and projection in the mass metric takes out the square of that
of the energy. So nothing that the motion carries is lost, and it goes on along its own branch. Runs
of a parallelogram and a deltoid lose no more with any s0 from 1e-9 to 1e-4 than their tolerances
say, but a hundred-thousandth with 1e-3 (`benchmarks.singular_passages`).
References: Udwadia and Kalaba, *A new perspective on constrained motion*, Proc. R. Soc. A 439
(1992) 407; Bayo and Avello, *Singularity-free augmented Lagrangian algorithms for constrained
multibody dynamics*, Nonlinear Dynamics 5 (1994) 209.
"""

from __future__ import annotations

import numpy as np

from eomc.binding.arrays import Array
from eomc.runtime.constraints.constraints import IndependentConstraints
from eomc.runtime.constraints.energy_balance import EnergyBalance
from eomc.runtime.constraints.mass_metric import factor
from eomc.runtime.model.errors import SingularityError
from eomc.runtime.model.state import State

_HELD = 1e-5
"""The share below which a direction is left to inertia."""

_SOUND = 1e-8
"""Share of a state that rates do not tell: between s0 and a thousandth they hold the rounding of
phi over powers of s, of which no shorter step makes less."""

_STEPS, _LONGEST = 20, 0.2
_ROUNDING = 64 * float(np.finfo(float).eps)


class SingularPassage:
    """The motion close to singular configurations, and how close they are.

    Attributes
    ----------
    usual : the largest of smallest singular values on the run
    lost : see `EnergyBalance`
    """

    def __init__(self, constraints: IndependentConstraints) -> None:
        self.constraints = constraints
        self.usual = 0.0
        self.lost = EnergyBalance(constraints).lost
        self._sizes: dict[int, Array] = {}  # of G, and of all rows that close

    def nearness(self, t: float, state: State) -> float:
        """The smallest singular value of A, as a share of its largest on the run so far."""
        rows = self._rows(t, state)
        if not np.isfinite(rows).all():
            return 1.0
        least = float(np.linalg.svd(rows, compute_uv=False)[-1]) if rows.size else 1.0
        self.usual = max(self.usual, least)
        return least / max(self.usual, 1e-300)

    def project(self, t: float, state: State) -> State:
        """The nearest consistent state.

        Raises FloatingPointError where there is none nearby.
        """
        q = self.constraints.normalized(state.q)
        last = np.inf
        for _ in range(_STEPS):
            at = self.constraints.at(t, state.moved(q, state.u))
            du = -self._least(
                at.closure_jacobian, at.closure, self._factor(t, state.moved(q, state.u))
            )
            size = 1.0 + np.abs(q / self.constraints.q_sizes).max(initial=0.0)
            longest = np.abs(du / self.constraints.u_sizes).max(initial=0.0)
            if not longest <= _LONGEST * size:
                raise FloatingPointError("no configuration nearby closes the constraints")
            # What no step makes shorter is the rounding of phi, over a small singular value.
            if longest <= _ROUNDING * size or (longest < 1e-6 * size and longest > 0.5 * last):
                break
            q, last = self.constraints.moved(q, du), longest
        else:
            raise FloatingPointError("no configuration nearby closes the constraints")
        at = self.constraints.at(t, state.moved(q, state.u))
        return state.moved(
            q, state.u - self._least(at.G, at.velocity, self._factor(t, state.moved(q, state.u)))
        )

    def acceleration(self, t: float, state: State) -> tuple[State, Array]:
        """The nearest consistent state, and u' there."""
        if self.constraints.model.has_reaction_friction:
            raise FloatingPointError(
                "friction of bearings depends on multipliers, which are not known at singular "
                "configurations"
            )
        state = self.project(t, state)
        at, excitation = self.constraints.at(t, state), self.constraints.excitation
        metric = self._factor(t, state)
        force = excitation.torque(t, state) - np.asarray(excitation.call("bias", at.arguments))
        a: Array = np.linalg.solve(metric.T, np.linalg.solve(metric, force)).astype(np.float64)
        return state, a - self._least(at.G, at.acceleration(a), metric)

    def rounding(self, state: State) -> tuple[float, Array]:
        """Rounding of rates close to a singular configuration: a share of any state, and that
        of the largest coordinate or speed, for each in its units."""
        units = self.constraints.q_sizes, self.constraints.u_sizes
        largest = [
            np.abs(values / unit).max(initial=0.0) * unit
            for values, unit in zip((state.q, state.u), units, strict=True)
        ]
        return _SOUND, _SOUND * np.concatenate(largest)

    def is_crossed(self, t: float, state: State, later: float, after: State) -> bool:
        """True if a singular configuration lies between two states.

        With the tangents N of the first, B = [A; N^T] is regular; an eigenvalue of B(after) B^-1
        has turned its sign where a singular value has passed zero.
        """
        rows = self._rows(t, state)
        tangents = np.linalg.svd(rows)[2][len(rows) :]
        first, second = (np.vstack([a, tangents]) for a in (rows, self._rows(later, after)))
        turned = np.linalg.eigvals(np.linalg.solve(first.T, second.T))
        return bool((turned.real < 0).any())

    def singular(self, t: float, state: State) -> SingularityError:
        """The error of a run that ends close to a singular configuration."""
        share, model = self.nearness(t, state), self.constraints.model
        left = np.linalg.svd(self._rows(t, state))[0]
        row = self.constraints.names[int(np.argmax(np.abs(left[:, -1])))]
        place = dict(zip(model.coordinates, state.q.tolist(), strict=True))
        text = ", ".join(f"{name} = {value:.6g}" for name, value in place.items())
        return SingularityError(
            f"the run of {model.name!r} stopped at t = {t:.6g} s: singular configuration: the "
            f"smallest singular value of the constraints is {share * self.usual:.3g}, {share:.3g} "
            f"of its largest on the run; {row!r} depends on the others at {text}",
            t,
            place,
            share * self.usual,
        )

    def _rows(self, t: float, state: State) -> Array:
        """A."""
        return self._whitened(self.constraints.at(t, state).G, self._factor(t, state))[0]

    def _factor(self, t: float, state: State) -> Array:
        arguments = self.constraints.arguments(t, state)
        return factor(np.asarray(self.constraints.excitation.call("mass_matrix", arguments)))

    def _whitened(self, g: Array, metric: Array) -> tuple[Array, Array]:
        """A, and what its rows were divided by: their largest lengths on the run. A row that
        vanishes would otherwise be nothing but rounding."""
        rows: Array = np.asarray(np.linalg.solve(metric, g.T).T, dtype=np.float64)
        known = self._sizes.get(len(g), np.full(len(g), 1e-300))
        sizes = np.asarray(np.fmax(known, np.sqrt((rows * rows).sum(axis=1))), dtype=np.float64)
        self._sizes[len(g)] = sizes
        return rows / sizes[:, None], sizes

    def _least(self, g: Array, wanted: Array, metric: Array) -> Array:
        """x of least kinetic energy with G x = wanted, but where that is singular."""
        if not g.size:
            return np.zeros(g.shape[1])
        rows, sizes = self._whitened(g, metric)
        if not (np.isfinite(rows).all() and np.isfinite(wanted).all()):
            raise FloatingPointError("the constraints have no finite value there")
        left, values, right = np.linalg.svd(rows, full_matrices=False)
        held = values > _HELD * self.usual
        y = right[held].T @ ((left[:, held].T @ (wanted / sizes)) / values[held])
        x: Array = np.linalg.solve(metric.T, y)
        return x
