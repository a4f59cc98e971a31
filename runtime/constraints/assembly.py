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
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from eomc.runtime.constraints.consistency import (
    ACCEPTED,
    position_sizes,
    rate_sizes,
    worst,
)
from eomc.runtime.constraints.constraints import Constraints, ConstraintValues
from eomc.runtime.constraints.errors import AssemblyError
from eomc.runtime.constraints.mass_metric import factor
from eomc.runtime.constraints.rank import RANK, hidden, numerical_rank, singularity
from eomc.runtime.excitation.excitation import Excitation, InputLaw, MotionLaw
from eomc.runtime.model.compiled import CompiledModel
from eomc.runtime.model.errors import numerical_errors
from eomc.runtime.model.state import State, Values, entries, initial_state, vector
from eomc.runtime.model.taken import taken
from eomc.runtime.names.near_names import near_names

Array = NDArray[np.float64]

_STEPS, _HALVINGS = 200, 40

# Residuals below this, in the sizes of their rows, are rounding.
_ROUNDING = 64 * float(np.finfo(float).eps)


@dataclass(frozen=True, eq=False)
class ConsistentState:
    """A state that satisfies the constraints.

    Attributes
    ----------
    q, u : (nq,), (nu,)
    a : (nu,) accelerations [rad/s^2 or m/s^2]
    multipliers : (m,) of the rows `names`; G^T lambda acts on the speeds as tau does
    residual : phi that rounding leaves, of all rows `closure_names`
    velocity : rates, of all rows `rate_names`
    acceleration : G a + g of the rows `names`
    names, closure_names, rate_names : the independent rows; all with a residual in q; all
    steps : of Newton's method
    z : states of elements, as given
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
    z: Array = field(default_factory=lambda: np.zeros(0))
    closure_names: tuple[str, ...] = ()
    rate_names: tuple[str, ...] = ()

    @property
    def state(self) -> State:
        """(q, u), or (q, u, z) where elements have states"""
        return State(self.q.copy(), self.u.copy(), self.z.copy())


@numerical_errors(AssemblyError)
def assemble(
    model: CompiledModel,
    q: Values = None,
    u: Values = None,
    *,
    z: Values = None,
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
    z : array, or mapping of names to values
        States of elements, which are kept; by default their declared initial values.
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
    model = taken(model)
    excitation = Excitation(model, tau=tau, inputs=inputs, motion=motion, parameters=parameters)
    constraints = Constraints(model, excitation)
    guess = initial_state(model, q, u, z)
    time = float(vector("t", t, 1)[0])
    places, rates = _held(model, held)
    state, steps = assembled(constraints, time, guess, _weights(model, weights), places, rates)
    return consistent(constraints, time, state, steps)


def assembled(
    constraints: Constraints,
    t: float,
    guess: State,
    weights: Array | None = None,
    places: Sequence[int] = (),
    rates: Sequence[int] = (),
) -> tuple[State, int]:
    """The consistent state nearest to the guess, and the steps it took; see `assemble`.

    `places` are those of speeds whose coordinates are held, `rates` whose own values are.
    """
    search = _Search(constraints, t, weights)
    closed, steps = search.positions(guess, places)
    return guess.moved(closed, search.speeds(guess.moved(closed, guess.u), rates)), steps


def consistent(constraints: Constraints, t: float, state: State, steps: int = 0) -> ConsistentState:
    """Accelerations, multipliers and residuals at a state that satisfies the constraints."""
    at, excitation = constraints.at(t, state), constraints.excitation
    tau = excitation.torque(t, state)
    values = {**at.arguments, "tau": tau, "stabilization": np.zeros(1)}
    try:
        a, multipliers = excitation.call("constrained_dynamics", values)
    except FloatingPointError as failure:
        raise AssemblyError(singularity(at) or str(failure)) from failure
    if (text := hidden(at)) is not None:
        raise AssemblyError(text)
    a = np.asarray(a)
    return ConsistentState(
        state.q, state.u, a, np.asarray(multipliers), at.closure, at.closure_rate,
        at.acceleration(a), constraints.names, steps, state.z, constraints.closure_names,
        constraints.rate_names,
    )  # fmt: skip


class _Search:
    """Gauss-Newton with line search at one time."""

    def __init__(self, constraints: Constraints, t: float, weights: Array | None) -> None:
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

    def _step(self, state: State, at: ConstraintValues, places: Sequence[int]) -> Array:
        sizes = self.constraints.row_sizes(self.constraints.closure_names)
        return -self._least(state, at.closure_jacobian / sizes[:, None], at.closure / sizes, places)

    def _least(self, state: State, g: Array, wanted: Array, places: Sequence[int]) -> Array:
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
            u = u - self._least(state, jacobian, rate / rows, places)
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


def _weights(model: CompiledModel, weights: Any) -> Array | None:
    if weights is None:
        return None
    found = entries("weights", weights, model.speeds, np.ones(model.nu))
    if not (found > 0).all():
        raise ValueError(f"weights: that of {model.speeds[int(np.argmin(found))]!r} must be > 0")
    return found


def _held(model: CompiledModel, held: Sequence[str] | str) -> tuple[list[int], list[int]]:

    names = model.displacements
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
