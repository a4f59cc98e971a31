"""The model under check in its states, and the numeric reference beside it."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any

import numpy as np

from eomc.binding.arrays import Array
from eomc.runtime.model.compiled import CompiledModel
from eomc.verifier.subject.check import largest
from eomc.verifier.subject.closed_states import closed
from eomc.verifier.subject.states import TestState
from eomc.verifier.witness.mechanism import WitnessMechanism
from eomc.verifier.witness.newton_euler import NewtonEuler

LARGEST_CONDITION = 1e8
"""States where M, scaled to a unit diagonal, is worse conditioned are not asked for a = M^-1 b."""

LONGEST_STEP, SHORTEST_STEP, CONVERGED = 1e-3, 1e-8, 1e-2
"""Steps of runs that are compared [s], and by how much one may differ from two halves."""


class Subject:
    """A compiled model, the states to check it in, and its mechanism in numbers if it is known.

    `undefined` are states in which inverse dynamics is no number (a spring of length zero, a
    logarithm of a negative number): nothing is compared there.
    """

    def __init__(
        self,
        model: CompiledModel,
        states: Sequence[TestState],
        *,
        mechanism: WitnessMechanism | None = None,
        seed: int = 0,
        quick: bool = False,
    ) -> None:
        model.prepare_default()
        self.model = model
        self.mechanism = mechanism
        self.seed, self.quick = seed, quick
        self.figures: dict[str, Any] = {}
        self.without_value: dict[str, None] = {}
        defined = [self._is_defined(state) for state in states]
        self.undefined = [state for state, is_so in zip(states, defined, strict=True) if not is_so]
        self.states = [state for state, is_so in zip(states, defined, strict=True) if is_so]

    @cached_property
    def functions(self) -> frozenset[str]:
        """Names of the functions that can be called."""
        return frozenset(self.model.functions)

    @property
    def is_natural(self) -> bool:
        """True if kinetic energy is that of the speeds alone, T = u^T M u / 2."""
        return not self.model.manifest.get("metadata", {}).get("rheonomic", False)

    @property
    def nu(self) -> int:
        """Number of generalized speeds."""
        return self.model.nu

    @property
    def freedoms(self) -> int:
        """Speeds less the constraints on them."""
        if not self.model.is_constrained:
            return self.nu
        return self.nu - len(self.model.output_names("constraint_jacobian"))

    @cached_property
    def frames(self) -> tuple[str, ...]:
        """Frames whose kinematics are compiled, as words of function names."""
        ends = [name for name in self.model.functions if name.startswith("frame_")]
        words = [name[len("frame_") : -len("_pose")] for name in ends if name.endswith("_pose")]
        return tuple(word for word in words if f"frame_{word}_jacobian" in self.functions)

    def call(self, function: str, state: TestState, **changes: Any) -> Any:
        """Evaluate a compiled function, its arguments taken by name."""
        values = {**state.values, **changes}
        names = self.model.inputs_of(function)
        return self.model.function(function)(*(values[name] for name in names))

    def _is_defined(self, state: TestState) -> bool:
        for name in ("inverse_dynamics", "bias"):
            if name in self.model.functions:
                try:
                    with np.errstate(all="ignore"):
                        return bool(np.isfinite(self.call(name, state)).all())
                except FloatingPointError:
                    return False
        return True

    # -- scales ----------------------------------------------------------------------------------

    def mass_weights(self, state: TestState) -> Array:
        """sqrt(M_kk): a force over it, an acceleration times it have one unit for all speeds."""
        diagonal = np.diag(self.call("mass_matrix", state))
        return np.sqrt(np.where(diagonal > 0, diagonal, 1.0))

    def condition(self, state: TestState) -> float:
        """Condition number of M scaled to a unit diagonal; of M + W G^T G where constraints
        determine what moves no mass."""
        mass = self.call("mass_matrix", state)
        diagonal = np.diag(mass)
        if not diagonal.all() and "constraint_jacobian" in self.functions:
            rows = self.gradients(state)
            mass = mass + diagonal.max() * rows.T @ rows
        weights = np.sqrt(np.where(np.diag(mass) > 0, np.diag(mass), 1.0))
        scaled = mass / np.outer(weights, weights)
        if not np.isfinite(scaled).all():  # which comparisons of M tell
            return math.inf
        values = np.linalg.eigvalsh(scaled)
        least, most = float(values[0]), float(values[-1])
        return most / least if least > 0 else math.inf

    @cached_property
    def typical_forces(self) -> Array:
        """(nu,) the largest bias forces of the random states: what a force is small against."""
        drawn = [state for state in self.states if state.is_random]
        forces = [np.abs(self.call("bias", state)) for state in drawn]
        return np.max(forces, axis=0) if forces else np.zeros(self.nu)

    @cached_property
    def regular(self) -> list[TestState]:
        """States where accelerations are well determined by forces."""
        return [state for state in self.states if self.condition(state) < LARGEST_CONDITION]

    @cached_property
    def held(self) -> list[TestState]:
        """The states with the prescribed motion at rest, where it does no work."""
        zero = np.zeros(len(self.model.prescribed))
        still = [state.with_values(s_rate=zero, s_acceleration=zero) for state in self.states]
        if not zero.size:
            return still
        found = [closed(self.model, state) for state in still]
        return [state for state in found if state is not None]

    def beside_manifold(self, state: TestState, share: float = 1e-3) -> TestState | None:
        """The state with quaternions too long by so much; None if no coordinate is normalized."""
        if "normalize" not in self.functions or not self.model.nq:
            return None
        longer = (1.0 + share) * state["q"]
        moved = np.abs(self.call("normalize", state, q=longer) - longer) > share / 10 * np.abs(
            longer
        )
        return state.with_values(q=np.where(moved, longer, state["q"])) if moved.any() else None

    def displaced(self, state: TestState, share: float) -> TestState:
        """Moved by a share of du, its speeds changed by as much."""
        q = self.call("integrate", state, du=share * state["du"])
        return state.with_values(q=q, u=state["u"] + share * state["du"])

    def off_manifold(self, state: TestState, q: Array) -> float:
        """By how much normalizing changes coordinates."""
        return largest(self.call("normalize", state, q=q), q)

    def run_step(self, states: Sequence[TestState]) -> float | None:
        """The longest step h = 1e-3, 1e-4, ... s at which the compiled Runge-Kutta method converges
        from all `states`: a step differs from two of h/2 by little of q and u. None if none does.

        In random states stiff elements are far from balance: longer steps leave the constraints
        and say nothing about the code that takes them.
        """
        found, h = self.model.integrator("rk4"), LONGEST_STEP
        if found is None:
            return None
        while h >= SHORTEST_STEP:
            if all(_converges(*found, state, h) for state in states):
                return h
            h /= 10
        return None

    # -- the reference ---------------------------------------------------------------------------

    def reference(self, state: TestState, **changes: Any) -> NewtonEuler:
        """Newton's and Euler's equations in a state; the mechanism must be known."""
        assert self.mechanism is not None
        values = {**state.values, **changes}
        if self.mechanism.bearings and self.model.is_constrained and "held" not in values:
            values["held"] = self.carried(state, values["multipliers"] * self.known_rows)
        return NewtonEuler(self.mechanism, values)

    @cached_property
    def known_rows(self) -> Array:
        """1 for each row of the constraints that the mechanism knows, 0 for others."""
        holds = {hold.name for hold in self.mechanism.holds} if self.mechanism else set()
        rows = self.model.output_names("constraint_jacobian")
        return np.array([float(bool({row, row.rpartition(".")[0]} & holds)) for row in rows])

    def gradients(self, state: TestState, **changes: Any) -> Array:
        """G (rows, nu)"""
        found = np.asarray(self.call("constraint_jacobian", state, **changes), dtype=float)
        return found.reshape(-1, self.nu)

    def carried(self, state: TestState, multipliers: Array) -> Array:
        """G^T lambda"""
        found: Array = self.gradients(state).T @ multipliers
        return found

    def solved(self, solver: str, state: TestState, **options: Any) -> tuple[Any, ...]:
        """Results of a compiled solver."""
        call, inputs = self.model.solver(solver)
        found = call(*(state[word] for word in inputs), **options)
        return found if isinstance(found, tuple) else (found,)


def _converges(call: Callable[..., Any], names: Sequence[str], state: TestState, h: float) -> bool:
    """True if one step of h is close to two of half of it, in every part."""
    start = [state[name] for name in names]
    try:
        once, twice = call(*start, h, 1), call(*start, h / 2, 2)
    except FloatingPointError:
        return False
    for whole, halves in zip(once, twice, strict=True):
        size = 1.0 + float(np.abs(halves[-1]).max(initial=0.0))
        if not float(np.abs(whole[-1] - halves[-1]).max(initial=0.0)) <= CONVERGED * size:
            return False
    return True
