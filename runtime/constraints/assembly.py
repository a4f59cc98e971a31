"""Consistent initial states from partial guesses.

Positions: of all configurations with phi(q, t) = 0 one near the guess, by Newton's method with
steps of least norm in the chosen metric W,

    du = -W^-1 G^T (G W^-1 G^T)^+ phi,

halved until the residual decreases; W is the mass matrix, or given weights. Speeds: the change of
least norm in the same metric with G u + b = 0. Then accelerations and multipliers from
M a + c = tau + G^T lambda, G a + g = 0. What is held keeps its value: its columns of G do not take
part. Reference: Haug, *Computer Aided Kinematics and Dynamics of Mechanical Systems*, sect. 4.3.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from eomc.runtime.compiled import CompiledModel
from eomc.runtime.constraints.errors import AssemblyError
from eomc.runtime.constraints.rows import RANK, Rows, numerical_rank, worst
from eomc.runtime.constraints.singular import singular
from eomc.runtime.excitation import Excitation, InputLaw, MotionLaw
from eomc.runtime.linearization.displacement_names import displacement_names
from eomc.runtime.near_names import near_names
from eomc.runtime.state import State, Values, initial_state, named_values, vector

Array = NDArray[np.float64]

_STEPS, _HALVINGS = 200, 40

# Residuals below this, relative to the size of the coordinates, are rounding; those that no step
# makes smaller are accepted up to the second.
_ROUNDING, _ACCEPTED = 64 * float(np.finfo(float).eps), 1e-9


@dataclass(frozen=True, eq=False)
class ConsistentState:
    """A state that satisfies the constraints.

    Attributes
    ----------
    q, u : (nq,), (nu,)
    a : (nu,) accelerations [rad/s^2 or m/s^2]
    multipliers : (m,) of the rows `names`; G^T lambda acts on the speeds as tau does
    residual, velocity, acceleration : phi, G u + b and G a + g that rounding leaves
    names : names of the rows
    steps : of Newton's method
    """

    q: Array
    u: Array
    a: Array
    multipliers: Array
    residual: Array
    velocity: Array
    acceleration: Array
    names: tuple[str, ...]
    steps: int

    @property
    def state(self) -> State:
        """(q, u)"""
        return State(self.q.copy(), self.u.copy())


def assemble(
    model: CompiledModel,
    q: Values = None,
    u: Values = None,
    *,
    held: Sequence[str] | str = (),
    weights: Mapping[str, float] | ArrayLike | None = None,
    t: float = 0.0,
    tau: Mapping[str, float] | ArrayLike | None = None,
    inputs: InputLaw = None,
    motion: MotionLaw = None,
    parameters: Mapping[str, float] | None = None,
) -> ConsistentState:
    """The consistent state nearest to a guess, with its accelerations and multipliers.

    Parameters
    ----------
    model : CompiledModel
    q, u : arrays, or mappings of names to values
        The guess; what is not given is neutral and at rest.
    held : sequence of str
        These keep the values of the guess: "hinge" that of the coordinate, "speed(hinge)" that of
        the speed. Speeds that are no rates of coordinates go by their names; of a quaternion,
        "displacement(ball_wx)" holds the direction of the speed "ball_wx".
    weights : (nu,) array or mapping, optional
        Positive weights of changes of coordinates and speeds, by names of speeds; by default the
        mass matrix.
    t : float
        Time [s], for constraints and inputs that depend on it.
    tau, inputs, motion, parameters
        As of `simulate`; tau, inputs and accelerations of `motion` matter to the accelerations.

    Raises
    ------
    ValueError
        An argument has another shape, an unknown name, or is not finite.
    AssemblyError
        No state near the guess satisfies the constraints, or the held values contradict them; the
        message names the constraint that stays open, its residual, and the rank.
    """
    excitation = Excitation(model, tau=tau, inputs=inputs, motion=motion, parameters=parameters)
    rows = Rows(model, excitation)
    guess = initial_state(model, q, u)
    time = float(vector("t", t, 1)[0])
    places, rates = _held(model, held)
    state, steps = assembled(rows, time, guess, _weights(model, weights), places, rates)
    return consistent(rows, time, state, steps)


def assembled(
    rows: Rows,
    t: float,
    guess: State,
    weights: Array | None = None,
    places: Sequence[int] = (),
    rates: Sequence[int] = (),
) -> tuple[State, int]:
    """The consistent state nearest to the guess, and the steps it took; see `assemble`.

    `places` are those of speeds whose coordinates are held, `rates` whose own values are.
    """
    search = _Search(rows, t, weights)
    closed, steps = search.positions(guess, places)
    return State(closed, search.speeds(State(closed, guess.u), rates)), steps


def consistent(rows: Rows, t: float, state: State, steps: int = 0) -> ConsistentState:
    """Accelerations, multipliers and residuals at a state that satisfies the constraints."""
    tau = rows.excitation.torque(t, state)
    values = {**rows.values(t, state), "tau": tau, "stabilization": np.zeros(1)}
    try:
        a, multipliers = rows.excitation.call("constrained_dynamics", values)
    except FloatingPointError as failure:
        error = singular(rows, t, state)
        raise AssemblyError(str(error or failure)) from failure
    a = np.asarray(a)
    acceleration = rows.jacobian(t, state) @ a + rows.bias(t, state)
    return ConsistentState(
        state.q, state.u, a, np.asarray(multipliers), rows.residual(t, state),
        rows.velocity(t, state), acceleration, rows.names, steps,
    )  # fmt: skip


class _Search:
    """Gauss-Newton with line search at one time."""

    def __init__(self, rows: Rows, t: float, weights: Array | None) -> None:
        self.rows, self.t, self.weights = rows, t, weights

    def positions(self, guess: State, places: Sequence[int]) -> tuple[Array, int]:
        """A configuration that closes and differs from the guess in no held place; steps."""
        rows, t = self.rows, self.t
        q = guess.q
        residual = rows.closure(t, guess)
        for count in range(_STEPS):
            gap = float(np.abs(residual).max(initial=0.0))
            size = 1.0 + float(np.abs(q).max(initial=0.0))
            if gap <= _ROUNDING * size:
                return q, count
            du = self._step(State(q, guess.u), residual, places)
            further = self._line_search(State(q, guess.u), residual, du)
            if further is None:
                if gap <= _ACCEPTED * size:
                    return q, count
                break
            q, residual = further
        raise self._stuck(State(q, guess.u), residual, places)

    def _step(self, state: State, residual: Array, places: Sequence[int]) -> Array:
        jacobian = self.rows.closure_jacobian(self.t, state)
        return -self._least(state, jacobian, residual, places)

    def _least(self, state: State, g: Array, wanted: Array, places: Sequence[int]) -> Array:
        """x of least norm in the metric whose G x comes nearest to `wanted`, 0 where held."""
        free = [k for k in range(self.rows.model.nu) if k not in places]
        factor = _factor(self._metric(state)[np.ix_(free, free)])
        whitened = np.linalg.solve(factor, g[:, free].T).T
        y = np.linalg.lstsq(whitened, wanted, rcond=RANK)[0]
        x = np.zeros(self.rows.model.nu)
        x[free] = np.linalg.solve(factor.T, y)
        return x

    def _metric(self, state: State) -> Array:
        if self.weights is not None:
            return np.diag(self.weights)
        return self.rows.call("mass_matrix", self.t, state)

    def _line_search(self, state: State, residual: Array, du: Array) -> tuple[Array, Array] | None:
        """(q, residual) after the longest of du, du/2, du/4, ... that lowers the residual."""
        size, step = float(np.linalg.norm(residual)), 1.0
        longest = float(np.abs(du).max(initial=0.0))
        if longest == 0:
            return None
        step = min(1.0, 1.0 / longest)  # no turn by more than a radian at once
        for _ in range(_HALVINGS):
            q = self.rows.moved(state.q, step * du)
            found = self.rows.closure(self.t, State(q, state.u))
            # At rounding any step may fail to lower it; Armijo's condition asks for a share.
            if float(np.linalg.norm(found)) < (1 - 1e-4 * step) * size:
                return q, found
            step /= 2
        return None

    def _stuck(self, state: State, residual: Array, places: Sequence[int]) -> AssemblyError:
        rows, model = self.rows, self.rows.model
        name, value = worst(residual, rows.closure_names)
        jacobian = rows.closure_jacobian(self.t, state)
        free = [k for k in range(model.nu) if k not in places]
        rank, m = numerical_rank(jacobian[:, free]), len(rows.positions)
        text = f"model {model.name!r}: cannot be assembled near the guess: "
        text += f"{name!r} keeps the residual {value:.3g}"
        if places:
            names = displacement_names(model.coordinates, model.speeds)
            text += f" with {', '.join(repr(names[k]) for k in places)} held"
        if rank < m:
            text += f"; the constraints have rank {rank} of {m} there in what may move"
        return AssemblyError(text + "; give another guess, or hold less")

    def speeds(self, state: State, places: Sequence[int]) -> Array:
        """The speeds nearest to those given that satisfy the constraints, held ones kept."""
        rows, u = self.rows, state.u
        jacobian = rows.jacobian(self.t, state)
        for _ in range(2):  # the second time takes what rounding has left
            rate = rows.velocity(self.t, State(state.q, u))
            u = u - self._least(state, jacobian, rate, places)
        rate = rows.velocity(self.t, State(state.q, u))
        size = 1.0 + float(np.abs(u).max(initial=0.0))
        if rate.size and not float(np.abs(rate).max()) <= _ACCEPTED * size:
            name, value = worst(rate, rows.names)
            free = [k for k in range(rows.model.nu) if k not in places]
            rank, m = numerical_rank(jacobian[:, free]), len(jacobian)
            kept = ", ".join(repr(rows.model.speeds[k]) for k in places)
            raise AssemblyError(
                f"model {rows.model.name!r}: no speeds satisfy the constraints"
                + (f" with those of {kept} held" if kept else "")
                + f": {name!r} keeps the rate {value:.3g}; the constraints have rank {rank} of {m} "
                "in what may change"
            )
        return u


def _factor(metric: Array) -> Array:
    """Of Cholesky; directions without inertia get a small share of that of the others."""
    try:
        return np.asarray(np.linalg.cholesky(metric), dtype=np.float64)
    except np.linalg.LinAlgError:
        share = 1e-9 * float(np.trace(metric)) / max(len(metric), 1)
        shifted = metric + max(share, 1e-300) * np.eye(len(metric))
        return np.asarray(np.linalg.cholesky(shifted), dtype=np.float64)


def _weights(model: CompiledModel, weights: Any) -> Array | None:
    if weights is None:
        return None
    if isinstance(weights, Mapping):
        found = named_values("weights", model.speeds, weights, np.ones(model.nu))
    else:
        found = vector("weights", weights, model.nu)
    if not (found > 0).all():
        raise ValueError(f"weights: that of {model.speeds[int(np.argmin(found))]!r} must be > 0")
    return found


def _held(model: CompiledModel, held: Sequence[str] | str) -> tuple[list[int], list[int]]:

    names = displacement_names(model.coordinates, model.speeds)
    by_speed = {f"speed({name})": k for k, name in enumerate(model.speeds)}
    by_speed |= {name: k for k, name in enumerate(model.speeds) if name not in names}
    places: list[int] = []
    rates: list[int] = []
    for name in [held] if isinstance(held, str) else held:
        if name in names:
            places.append(names.index(name))
        elif name in by_speed:
            rates.append(by_speed[name])
        elif name in model.coordinates:  # of a joint whose speeds are no rates
            known = near_names(f"displacement({name})", names)
            raise ValueError(f"held: coordinate {name!r} has no rate among the speeds; {known}")
        else:
            known = near_names(str(name), [*names, *by_speed])
            raise ValueError(f"held: no coordinate or speed {name!r}; {known}")
    return places, rates
