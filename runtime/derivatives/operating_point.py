"""The state that a model is linearized about: configuration, speeds, accelerations, forces."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from eomc.binding.arrays import Array
from eomc.runtime.constraints.consistency import acceleration_violation, violation
from eomc.runtime.constraints.constraints import ConstraintValues, IndependentConstraints
from eomc.runtime.constraints.rank import shortest
from eomc.runtime.constraints.reacting import settled
from eomc.runtime.derivatives.user_force import UserForce
from eomc.runtime.excitation.excitation import Excitation, InputLaw, MotionLaw
from eomc.runtime.model.arguments import is_finite, speed_sizes
from eomc.runtime.model.compiled import CompiledModel
from eomc.runtime.model.errors import LinearizationError
from eomc.runtime.model.state import State, Values, entries, initial_state

# Inertial forces this far from those of the declared balance are told as inconsistent.
_BALANCE = 1e-6


@dataclass(frozen=True)
class OperatingPoint:
    """A state of motion with what acts in it.

    Attributes
    ----------
    q, u, a : (nq,), (nu,), (nu,)
        Coordinates, speeds, accelerations.
    tau : (nu,)
        Generalized forces that this motion takes beyond inputs and user forces.
    t : float [s]
    values : mapping
        Every argument of the model's functions by name: q, u, a, r, t, s, ...
    multipliers : (number of constraints,)
        Forces of the constraints, G^T multipliers on the speeds.
    z : (number of states of elements,)
    held : ConstraintValues
        The constraints there, of a model that has any.
    applied : arrays (nu,)
        What the user forces are there, one after the other; none if they were not asked.
    """

    q: Array
    u: Array
    a: Array
    tau: Array
    t: float
    values: Mapping[str, Any]
    multipliers: Array
    z: Array = field(default_factory=lambda: np.zeros(0))
    held: ConstraintValues | None = None
    applied: tuple[Array, ...] = ()


@dataclass(frozen=True)
class Surroundings:
    """A model with all that acts on it but the state: inputs, prescribed motion, user forces."""

    model: CompiledModel
    excitation: Excitation
    forces: tuple[UserForce, ...] = ()

    @classmethod
    def of(
        cls,
        model: CompiledModel,
        *,
        inputs: InputLaw = None,
        prescribed: MotionLaw = None,
        parameters: Mapping[str, float] | None = None,
        forces: UserForce | Sequence[UserForce] = (),
    ) -> Surroundings:
        """Arguments as of `linearize`."""
        several = (forces,) if isinstance(forces, UserForce) else tuple(forces)
        for force in several:
            if not isinstance(force, UserForce):
                raise ValueError(f"forces: give UserForce objects, not {type(force).__name__}")
        excitation = Excitation(model, inputs=inputs, prescribed=prescribed, parameters=parameters)
        return cls(model, excitation, several)

    def values(
        self, t: float, q: Array, u: Array, a: Array, z: Array | None = None
    ) -> dict[str, Any]:
        """Arguments of the model's functions by name."""
        return {"q": q, "u": u, "a": a, **self.excitation.others(t, State(q, u, z))}

    def call(self, function: str, values: Mapping[str, Any]) -> Any:
        """A function of the model. Raises LinearizationError where a law has no derivative."""
        try:
            return self.excitation.call(function, values)
        except FloatingPointError as error:
            if "no_derivative" in str(error):
                raise LinearizationError(f"model {self.model.name!r}: {error}") from error
            raise

    @cached_property
    def constraints(self) -> IndependentConstraints:
        """Those of a model that is constrained; ValueError otherwise."""
        return IndependentConstraints(self.model, self.excitation)

    def constraints_at(self, values: Mapping[str, Any]) -> ConstraintValues:
        """The constraints at these arguments."""
        return ConstraintValues(self.constraints, values)

    def by_multipliers(self, values: Mapping[str, Any]) -> Array:
        """G^T, and what forces change with the multipliers where they depend on them (nu, m)."""
        gradients = self.constraints_at(values).G.T
        if not self.model.has_reaction_friction:
            return gradients
        slopes = np.asarray(self.call("forces_by_multipliers", values), dtype=float)
        found: Array = gradients + slopes.reshape(gradients.shape)
        return found

    def applied(self, t: float, q: Array, u: Array) -> tuple[Array, ...]:
        """The user forces, each (nu,)."""
        return tuple(force.value(t, q, u, self.model.nu) for force in self.forces)

    def residual(
        self, t: float, values: Mapping[str, Any], applied: tuple[Array, ...] | None = None
    ) -> Array:
        """M a + c - user forces, (nu,): the generalized forces that the motion takes.

        `applied` are the user forces if they are known.
        """
        tau = np.array(self.call("inverse_dynamics", values), dtype=float)
        for force in self.applied(t, values["q"], values["u"]) if applied is None else applied:
            tau -= force
        return tau


def operating_point(
    around: Surroundings,
    state: Any = None,
    *,
    q: Values = None,
    u: Values = None,
    a: Values = None,
    z: Values = None,
    t: float | None = None,
    tau: Mapping[str, float] | ArrayLike | None = None,
) -> OperatingPoint:
    """The point that is meant by `state` or q, u, a, z, t, tau; see `linearize`.

    Raises ValueError for wrong shapes and names, LinearizationError if accelerations and forces
    are both given and contradict each other.
    """
    model = around.model
    if state is not None:
        q, u, a = _of_state(state, q, u, a)
        own = getattr(state, "z", None)
        z = own if z is None and own is not None and len(own) else z
    t = float(getattr(state, "t", 0.0)) if t is None else t
    start = initial_state(model, q, u, z)
    forces = None if tau is None else entries("tau", tau, model.speeds)
    applied = around.applied(t, start.q, start.u)
    held = None
    if model.is_constrained:
        held = around.constraints.at(t, start)
    if a is None:
        acting = sum(applied, np.zeros(model.nu) if forces is None else forces)
        accelerations = _free_acceleration(around, start, acting, t, held)
    else:
        accelerations = entries("a", a, model.speeds)
    values = around.values(t, start.q, start.u, accelerations, start.z)
    if held is not None and model.has_reaction_friction:
        values = values | {"multipliers": _settled(around, held, values, t, forces, applied)}
    needed = around.residual(t, values, applied)
    multipliers = np.zeros(0)
    if held is not None:
        # Those of forward dynamics were asked for in a state that was found consistent.
        _refuse((violation if a is not None else acceleration_violation)(held, accelerations))
        # The multipliers of least norm whose forces come nearest to what is needed.
        wanted = needed if forces is None else needed - forces
        multipliers = shortest(held.G.T, wanted)
        needed = needed - held.G.T @ multipliers
        values = values | {"multipliers": multipliers}
    if not is_finite(needed):
        name = model.speeds[int(np.argmin(np.isfinite(needed)))]
        raise LinearizationError(
            f"model {model.name!r}: the force on {name!r} is not finite in this state"
        )
    if a is not None and forces is not None:
        _require_balance(around, float(t), values, needed, forces)
    return OperatingPoint(
        start.q,
        start.u,
        accelerations,
        needed,
        float(t),
        values,
        multipliers,
        start.z,
        held,
        applied,
    )


def _settled(
    around: Surroundings,
    held: ConstraintValues,
    values: Mapping[str, Any],
    t: float,
    forces: Array | None,
    applied: tuple[Array, ...],
) -> Array:
    """The multipliers of least norm where forces depend on them, under `forces` if given and the
    user forces `applied`."""
    given = np.zeros(around.model.nu) if forces is None else forces

    def step(multipliers: Array) -> Array:
        at = {**values, "multipliers": multipliers}
        lacking = around.residual(t, at, applied) - given - held.G.T @ multipliers
        change = shortest(around.by_multipliers(at), lacking)
        return np.asarray(multipliers + change, dtype=np.float64)

    try:
        return settled(step, len(held.G))
    except FloatingPointError as error:
        raise LinearizationError(f"model {around.model.name!r}: {error}") from error


def _of_state(state: Any, q: Values, u: Values, a: Values) -> tuple[Values, Values, Values]:
    if isinstance(state, Mapping) or _are_coordinates(state):
        if q is not None:
            raise ValueError("give the coordinates once")
        return state, u, a
    if q is not None or u is not None or a is not None:
        raise ValueError("give either a state, or q, u and a")
    if hasattr(state, "q") and hasattr(state, "u"):
        return state.q, state.u, getattr(state, "a", None)
    if isinstance(state, tuple | list) and len(state) in (2, 3):
        return state[0], state[1], state[2] if len(state) == 3 else None
    raise ValueError("state: give q, (q, u), (q, u, a), a State or an Equilibrium")


def _are_coordinates(state: Any) -> bool:
    """True if `state` is a row of numbers, those of q alone."""
    if hasattr(state, "q") or isinstance(state, str):
        return False
    try:
        return bool(np.ndim(state) == 1 and np.asarray(state).dtype.kind in "fiu")
    except ValueError:  # q and u of different lengths
        return False


def _free_acceleration(
    around: Surroundings, state: State, acting: Array, t: float, held: ConstraintValues | None
) -> Array:
    """Forward dynamics under tau and the user forces, which are the forces `acting`."""
    model = around.model
    values = around.values(t, state.q, state.u, np.zeros(model.nu), state.z) | {"tau": acting}
    if held is not None:
        # A state off the constraints is told as such rather than drawn back.
        values |= {"stabilization": np.zeros(1)}
        _refuse(violation(held))
    try:
        if held is not None:
            a = np.array(around.call("constrained_dynamics", values)[0], dtype=float)
        else:
            a = np.array(around.call("forward_dynamics", values), dtype=float)
    except ArithmeticError as error:
        raise LinearizationError(
            f"model {model.name!r} has no accelerations in this state: {error}; "
            "give a, or another state"
        ) from error
    if not is_finite(a):
        name = model.speeds[int(np.argmin(np.isfinite(a)))]
        raise LinearizationError(
            f"model {model.name!r}: the acceleration of {name!r} is not finite in this state"
        )
    return a


def _refuse(text: str | None) -> None:
    """Raise LinearizationError if there is a text about a constraint that is violated."""
    if text is not None:
        raise LinearizationError(f"{text}; take one of eomc.assemble or of eomc.equilibrium")


def _require_balance(
    around: Surroundings, t: float, values: Mapping[str, Any], needed: Array, given: Array
) -> None:
    """Refuse forces that are off by more than printed digits of forces and coordinates explain."""
    model, error = around.model, np.abs(needed - given)
    scale = float(np.maximum(np.abs(needed), np.abs(given)).max(initial=0.0))
    if error.size and error.max() > _BALANCE * scale:
        step = _BALANCE * speed_sizes(model)
        moved = np.asarray(around.call("integrate", {"q": values["q"], "du": step}))
        change = around.residual(t, {**values, "q": moved}) - around.residual(t, values)
        if error.max() <= _BALANCE * scale + float(np.abs(change).max()):
            return
        worst = int(np.argmax(error))
        raise LinearizationError(
            f"model {model.name!r}: a and tau contradict each other: this motion takes "
            f"{needed[worst]:.6g} on {model.speeds[worst]!r}, given {given[worst]:.6g}; leave one "
            "of them out"
        )
