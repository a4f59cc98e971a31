"""Search of a consistent state: Gauss-Newton with line search, from a guess or along a path.

Where the way from the guess ends at a place where the held coordinates allow no further step, they
are led to their values from a configuration that closes, in steps, and the others follow.
Reference: Allgower and Georg, *Introduction to Numerical Continuation Methods*, sect. 2.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property

import numpy as np

from eomc.binding.arrays import Array
from eomc.runtime.constraints.consistency import (
    ACCEPTED,
    AssemblyError,
    position_sizes,
    rate_sizes,
    worst,
)
from eomc.runtime.constraints.constraints import ConstraintValues, IndependentConstraints
from eomc.runtime.constraints.mass_metric import factor
from eomc.runtime.constraints.rank import RANK, numerical_rank
from eomc.runtime.model.compiled import CompiledModel
from eomc.runtime.model.state import State, initial_state

_STEPS, _HALVINGS = 200, 40

# Residuals below this, in the sizes of their rows, are rounding.
_ROUNDING = 64 * float(np.finfo(float).eps)

_SHARE, _LEAST_SHARE = 1 / 16, 1 / 256
"""Of the way of held coordinates: a step, and the shortest."""

_NEAR = 1.0
"""Distance from a guess, in sizes of coordinates, within which the branch is the one meant."""


class ConstraintSearch:
    """Gauss-Newton with line search at one time."""

    def __init__(
        self, constraints: IndependentConstraints, t: float, weights: Array | None
    ) -> None:
        self.constraints, self.t, self.weights = constraints, t, weights

    def positions(self, guess: State, places: Sequence[int]) -> tuple[Array, int]:
        """A configuration that closes and differs from the guess in no held place; steps."""
        state = guess
        for count in range(_STEPS):
            at = self.constraints.at(self.t, state)
            shares = np.abs(at.closure) / position_sizes(at)
            if (shares <= _ROUNDING).all():
                return state.q, count
            further = self._line_search(state, at.closure, self._step(state, at, places))
            if further is None:
                if (shares <= ACCEPTED).all():
                    return state.q, count
                break
            state = state.moved(further, state.u)
        raise self._stuck(state, places)

    def reached(self, guess: State, places: Sequence[int], *closed: State) -> Array:
        """The same; where the guess leads nowhere or far away, the nearest of what is found by
        leading held coordinates there from the closed reference, or else from a `closed` state.
        """
        found, failure = [], None
        try:
            found.append(self.positions(guess, places)[0])
            if self._distance(guess.q, found[0]) < _NEAR:
                return found[0]
        except AssemblyError as error:
            failure = error
        for start in (*self._reference, *closed):
            if (q := self._led(start, guess, places)) is not None:
                found.append(q)
                break
        if not found:
            assert failure is not None
            raise failure
        return min(found, key=lambda q: self._distance(guess.q, q))

    def _distance(self, guess: Array, q: Array) -> float:
        """In sizes of the coordinates."""
        return float(np.linalg.norm((q - guess) / self.constraints.q_sizes))

    @cached_property
    def _reference(self) -> list[State]:
        """The consistent state nearest to where a model starts by default, if there is one."""
        state = initial_state(self.constraints.model, None, None)
        try:
            return [state.moved(self.positions(state, ())[0], state.u)]
        except AssemblyError:
            return []

    def _led(self, start: State, guess: State, places: Sequence[int]) -> Array | None:
        """q that closes with the guess's values in held places, led there from a closed state."""
        if not places or (columns := coordinates_of(self.constraints.model, places)) is None:
            return None
        state, share, step = start, 0.0, _SHARE
        while share < 1:
            ahead = min(share + step, 1.0)
            q = state.q.copy()
            q[columns] = (1 - ahead) * start.q[columns] + ahead * guess.q[columns]
            try:
                q = self.positions(state.moved(self.constraints.normalized(q), state.u), places)[0]
            except AssemblyError:
                step /= 2
                if step < _LEAST_SHARE:
                    return None
                continue
            state, share = state.moved(q, state.u), ahead
        return state.q

    def leaves_free(self, state: State, places: Sequence[int]) -> bool:
        """True if the constraints can be kept by what moves besides these places."""
        at = self.constraints.at(self.t, state)
        g = self.constraints.scaled(at.closure_jacobian, self.constraints.closure_names)
        free = [k for k in range(self.constraints.model.nu) if k not in places]
        return numerical_rank(g[:, free]) == numerical_rank(g)

    def _step(self, state: State, at: ConstraintValues, places: Sequence[int]) -> Array:
        sizes = self.constraints.row_sizes(self.constraints.closure_names)
        return -self.least(state, at.closure_jacobian / sizes[:, None], at.closure / sizes, places)

    def least(self, state: State, g: Array, wanted: Array, places: Sequence[int]) -> Array:
        """x of least norm in the metric whose G x comes nearest to `wanted`, 0 where held."""
        free = [k for k in range(self.constraints.model.nu) if k not in places]
        metric = factor(self._metric(state)[np.ix_(free, free)])
        whitened = np.linalg.solve(metric, g[:, free].T).T
        y = np.linalg.lstsq(whitened, wanted, rcond=RANK)[0]
        x = np.zeros(self.constraints.model.nu)
        x[free] = np.linalg.solve(metric.T, y)
        return x

    def _metric(self, state: State) -> Array:
        if self.weights is not None:
            return np.diag(self.weights)
        arguments = self.constraints.arguments(self.t, state)
        return np.asarray(self.constraints.excitation.call("mass_matrix", arguments))

    def _line_search(self, state: State, residual: Array, du: Array) -> Array | None:
        """q after the longest of du, du/2, du/4, ... that lowers the residual."""
        sizes = self.constraints.row_sizes(self.constraints.closure_names)
        size = float(np.linalg.norm(residual / sizes))
        longest = float(np.abs(du / self.constraints.u_sizes).max(initial=0.0))
        if longest == 0:
            return None
        step = min(1.0, 1.0 / longest)  # no turn by more than a radian at once
        for _ in range(_HALVINGS):
            q = self.constraints.moved(state.q, step * du)
            found = self.constraints.at(self.t, state.moved(q, state.u)).closure
            # At rounding any step may fail to lower it; Armijo's condition asks for a share.
            if float(np.linalg.norm(found / sizes)) < (1 - 1e-4 * step) * size:
                return q
            step /= 2
        return None

    def _stuck(self, state: State, places: Sequence[int]) -> AssemblyError:
        constraints, model = self.constraints, self.constraints.model
        at = constraints.at(self.t, state)
        name, value = worst(at.closure, constraints.closure_names, position_sizes(at))
        jacobian = constraints.scaled(at.closure_jacobian, constraints.closure_names)
        free = [k for k in range(model.nu) if k not in places]
        rank, m = numerical_rank(jacobian[:, free]), len(constraints.positions)
        text = f"model {model.name!r}: cannot be assembled near the guess: "
        text += f"{name!r} keeps the residual {value:.3g}"
        if places:
            names = model.displacements
            text += f" with {', '.join(repr(names[k]) for k in places)} held"
        if rank < m:
            text += f"; the constraints have rank {rank} of {m} there in what may move"
        return AssemblyError(text + "; give another guess, or hold less")

    def speeds(self, state: State, places: Sequence[int]) -> Array:
        """The speeds nearest to those given that satisfy the constraints, held ones kept."""
        constraints, u = self.constraints, state.u
        rows = constraints.row_sizes(constraints.names)
        jacobian = constraints.at(self.t, state).G / rows[:, None]
        for _ in range(2):  # the second time takes what rounding has left
            rate = constraints.at(self.t, state.moved(state.q, u)).velocity
            u = u - self.least(state, jacobian, rate / rows, places)
        at = constraints.at(self.t, state.moved(state.q, u))
        rate, sizes = at.closure_rate, rate_sizes(at)
        if not (np.abs(rate) <= ACCEPTED * sizes).all():
            name, value = worst(rate, constraints.rate_names, sizes)
            free = [k for k in range(constraints.model.nu) if k not in places]
            rank, m = numerical_rank((jacobian * constraints.u_sizes)[:, free]), len(jacobian)
            kept = ", ".join(repr(constraints.model.speeds[k]) for k in places)
            raise AssemblyError(
                f"model {constraints.model.name!r}: no speeds satisfy the constraints"
                + (f" with those of {kept} held" if kept else "")
                + f": {name!r} keeps the rate {value:.3g}; the constraints have rank {rank} of {m} "
                "in what may change"
            )
        return u


def coordinates_of(model: CompiledModel, places: Sequence[int]) -> list[int] | None:
    """Indices of the coordinates that displacements in these places change; None if others also
    change them."""
    found: list[int] = []
    held = {model.speeds[k] for k in places}
    for k in places:
        name = model.displacements[k]
        if name in model.coordinates:
            found.append(model.coordinates.index(name))
            continue
        group = next((g for g in groups(model) if model.speeds[k] in g[1]), None)
        if group is None or not set(group[1]) <= held:
            return None
        found += [model.coordinates.index(name) for name in group[0]]
    return sorted(set(found))


def groups(model: CompiledModel) -> Iterator[tuple[tuple[str, ...], tuple[str, ...]]]:
    """Coordinates that have no rates among the speeds, with the speeds that change them: places
    and attitudes of joints with quaternions."""
    for joint in model.manifest.get("metadata", {}).get("joints", ()):
        names, speeds = tuple(joint["coordinates"]), tuple(joint["speeds"])
        lengths = sum(unit == "m" for unit in joint["units"])
        if len(names) == lengths + 4 and len(speeds) == lengths + 3:
            yield names[:lengths], speeds[:lengths]
            yield names[lengths:], speeds[lengths:]
