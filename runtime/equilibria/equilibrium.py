"""States of rest and steady motion."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from eomc.binding.arrays import Array
from eomc.runtime.derivatives.operating_point import Surroundings
from eomc.runtime.derivatives.user_force import UserForce
from eomc.runtime.equilibria.acceleration import ConstantAcceleration, SteadyAcceleration
from eomc.runtime.equilibria.newton import Solved, solve
from eomc.runtime.equilibria.problem import HIDDEN, Candidate, EquilibriumProblem
from eomc.runtime.equilibria.unknowns import (
    UnknownEntry,
    known_unknowns,
    multiplier_unknowns,
    state_unknowns,
    unknowns,
)
from eomc.runtime.equilibria.wanted import OutputTargets, slack, told
from eomc.runtime.excitation.excitation import MotionLaw
from eomc.runtime.impacts.contacts import refuse_rigid_contacts
from eomc.runtime.model.arguments import taken
from eomc.runtime.model.compiled import CompiledModel
from eomc.runtime.model.errors import EquilibriumError, numerical_errors
from eomc.runtime.model.state import State, Values, entries, initial_state
from eomc.runtime.model.validity import (
    folding,
    steepest,
    warn_of_folds,
    warn_of_slopes,
    warn_of_turning,
)
from eomc.runtime.names.renamed import current_arguments


@dataclass(frozen=True)
class Equilibrium:
    """A state of rest or of steady motion; `linearize` takes it as it is.

    Attributes
    ----------
    q, u, a : (nq,), (nu,), (nu,)
        Coordinates, speeds, accelerations.
    tau : (nu,)
        Generalized forces.
    inputs, parameters : mappings of names to mapping
    multipliers : (number of constraints,)
        Forces of the constraints, G^T multipliers on the speeds.
    residual : float
        Largest unbalanced force.
    iterations, rank : int
        Steps taken, and rank of the equations in the unknowns.
    undetermined : int
        Dimension of the family of equilibria that this one was chosen from as the nearest.
    solved_for : tuple of str
        The unknowns.
    acceleration : SteadyAcceleration
        How accelerations hang on the speeds.
    t : float
        Time [s].
    z : (number of states of elements,)
        At rest, z' = 0.
    """

    model: CompiledModel
    q: Array
    u: Array
    a: Array
    tau: Array
    inputs: Mapping[str, float]
    parameters: Mapping[str, float]
    residual: float
    iterations: int
    rank: int
    undetermined: int
    solved_for: tuple[str, ...]
    acceleration: SteadyAcceleration
    prescribed: MotionLaw = None
    forces: tuple[UserForce, ...] = ()
    multipliers: Array = field(default_factory=lambda: np.zeros(0))
    t: float = 0.0
    z: Array = field(default_factory=lambda: np.zeros(0))

    @cached_property
    def outputs(self) -> dict[str, float]:
        """Outputs of the elements by name, as ``rope.tension`` [N]."""
        around = Surroundings.of(
            self.model,
            inputs=dict(self.inputs) or None,
            prescribed=self.prescribed,
            parameters=dict(self.parameters) or None,
        )
        return told(around, around.values(self.t, self.q, self.u, self.a, self.z))

    @property
    def slopes(self) -> dict[str, float]:
        """The largest slope [rad] of each body whose theory takes slopes as small, by name."""
        return steepest(self.model.manifest.get("metadata", {}), self.model.coordinates, self.q)

    @property
    def folding(self) -> dict[str, float]:
        """Degree of folding of the sections of each rod, by name: 0 as at rest, 1 folded."""
        return folding(self.model.manifest.get("metadata", {}), self.model.coordinates, self.q)

    @property
    def slack(self) -> tuple[str, ...]:
        """Names of the cables that do not pull: their strain is not above zero; and of the ropes
        that push, which real ones cannot."""
        rows = Surroundings.of(self.model).constraints.names if self.model.is_constrained else ()
        return slack(self.model, self.outputs, dict(zip(rows, self.multipliers, strict=True)))

    def __getitem__(self, name: str) -> float:
        """A coordinate, ``speed(...)``, ``tau(...)``, input or parameter by name."""
        if name in self.model.coordinates:
            return float(self.q[self.model.coordinates.index(name)])
        if name in self.model.element_states:
            return float(self.z[list(self.model.element_states).index(name)])
        entry = known_unknowns(self.model).get(name)
        if entry is None or entry.kind == "displacement":
            raise KeyError(f"no {name!r} in this equilibrium")
        if entry.kind in ("input", "parameter"):
            return float((self.inputs if entry.kind == "input" else self.parameters)[name])
        return float((self.u if entry.kind == "speed" else self.tau)[entry.place])

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        own = self.model.element_states
        return {
            "name": self.model.name,
            "q": dict(zip(self.model.coordinates, self.q.tolist(), strict=True)),
            "u": dict(zip(self.model.speeds, self.u.tolist(), strict=True)),
            "a": dict(zip(self.model.speeds, self.a.tolist(), strict=True)),
            "tau": dict(zip(self.model.speeds, self.tau.tolist(), strict=True)),
            **({"z": dict(zip(own, self.z.tolist(), strict=True))} if own else {}),
            "inputs": dict(self.inputs),
            "multipliers": self.multipliers.tolist(),
            "residual": self.residual,
            "iterations": self.iterations,
            "rank": self.rank,
            "undetermined": self.undetermined,
            **({"outputs": self.outputs} if self.outputs else {}),
            **({"slack": list(self.slack)} if self.outputs or self.slack else {}),
        }

    def _repr_html_(self) -> str:
        """For notebooks."""
        from eomc.runtime.report.of_results import equilibrium

        return equilibrium(self)

    def __repr__(self) -> str:
        return f"<Equilibrium of {self.model.name!r}: residual {self.residual:.2g}>"


@numerical_errors(EquilibriumError)
@current_arguments
def equilibrium(
    model: CompiledModel,
    q: Values = None,
    u: Values = None,
    *,
    z: Values = None,
    solve_for: Sequence[str] | None = None,
    fixed: Sequence[str] = (),
    targets: Mapping[str, float] | None = None,
    adjust: Sequence[str] = (),
    acceleration: SteadyAcceleration | Values = None,
    tau: Mapping[str, float] | ArrayLike | None = None,
    inputs: Mapping[str, float] | ArrayLike | None = None,
    prescribed: MotionLaw = None,
    parameters: Mapping[str, float] | None = None,
    forces: UserForce | Sequence[UserForce] = (),
    t: float = 0.0,
) -> Equilibrium:
    """A state in which forces balance: f(q, u, a) = tau.

    Parameters
    ----------
    model : CompiledModel
        As `eomc.equilibrium` also a Model or the path of a model file.
    q, u : arrays or mappings of names to mapping
        The guess of what is solved for, and the given values of everything else. Or q is a whole
        state: a State, another equilibrium.
    z : array or mapping, by state of elements
        The guess of these, which are solved for in any case: z' = 0.
    solve_for : names, optional
        What may change: displacements (coordinates; ``displacement(speed)`` of quaternion joints),
        ``speed(name)``, ``tau(name)``, inputs, tunable parameters. By default all displacements.
    fixed : names
        Coordinates that keep their values although they are among the default: the force that
        holds each, ``tau(name)``, is solved for instead.
    targets : mapping of names to values
        What the equilibrium is to show: outputs of elements as ``rope.tension``, places of frames
        as ``tip.z``.
    adjust : names
        What may change for it beside the rest: parameters such as free lengths, inputs such as
        torques or angles of winches, ``tau(name)``.
    acceleration : SteadyAcceleration or mapping, optional
        Accelerations of the steady motion, zero by default; for a turn in inertial coordinates see
        `steady_turn`. With body rates a steady turn has none.
    tau, inputs, prescribed, parameters, forces, t : as of `linearize`
        Guess or given value of forces and inputs; inputs are constant.

    Where equations leave directions open, as the place of a vehicle, the nearest equilibrium is
    taken (`Equilibrium.undetermined` says how many).

    Raises
    ------
    EquilibriumError
        Nothing near the guess balances; the message names the worst coordinate, or what is wanted
        and missed, and the rank.
    ValueError
        Wrong shapes, unknown names.

    Examples
    --------
    >>> import eomc
    >>> swing = eomc.Model("swing", gravity=(0, 0, -9.81))
    >>> swing.body("bob", mass=2, com=(0, 0, -0.5))
    >>> swing.joint("hinge", "revolute", parent="world", child="bob", axis=(0, 1, 0))
    >>> rest = equilibrium(eomc.build(swing), {"hinge": 0.3}, tau={"hinge": 4.905})
    >>> round(float(np.degrees(rest["hinge"])), 9)
    30.0

    The free length at which a cable holds it with 6 N:

    >>> _ = swing.parameter("L0", 0.5)
    >>> swing.cable(
    ...     "rope", [eomc.Point("world", (0.4, 0, 0)), eomc.Point("bob", (0, 0, -0.5))],
    ...     length="L0", modulus=1e3,
    ... )
    >>> held = equilibrium(
    ...     eomc.build(swing, tunable="all"), targets={"rope.tension": 6}, adjust=["L0"]
    ... )
    >>> round(held.outputs["rope.tension"], 9), held.slack
    (6.0, ())
    """
    model = taken(model)
    refuse_rigid_contacts(model, "equilibrium")
    laws = inputs.values() if isinstance(inputs, Mapping) else (inputs,)
    if any(map(callable, laws)):
        raise ValueError("inputs: an equilibrium takes constant inputs")
    around = Surroundings.of(
        model, inputs=inputs, prescribed=prescribed, parameters=parameters, forces=forces
    )
    start = initial_state(model, q, u, z)
    values = around.values(t, start.q, start.u, np.zeros(model.nu), start.z)
    p = np.array(list({**model.parameters, **(parameters or {})}.values()), dtype=float)
    first = Candidate(
        start.q,
        start.u,
        entries("tau", tau, model.speeds),
        np.array(values.get("r", np.zeros(0)), dtype=float),
        p,
    )
    adjust = [adjust] if isinstance(adjust, str) else adjust
    chosen = unknowns(model, [*_names(model, solve_for, fixed), *adjust])
    problem = posed(around, acceleration, chosen, float(t))
    if targets:
        problem = replace(problem, wanted=OutputTargets.of(around, targets))
    count = sum(unknown.kind == "multiplier" for unknown in problem.unknowns)
    first = replace(first, multipliers=np.zeros(count), z=start.z)
    return solved_equilibrium(problem, solve(problem, first), prescribed)


def posed(
    around: Surroundings, acceleration: Any, chosen: Sequence[UnknownEntry], t: float = 0.0
) -> EquilibriumProblem:
    """The problem of an equilibrium, multipliers of constraints among its unknowns."""
    model, count = around.model, 0
    if model.is_constrained:
        count = len(around.constraints.names)
    everything = (*chosen, *multiplier_unknowns(count), *state_unknowns(model))
    return EquilibriumProblem(around, _steady(model, acceleration), everything, t)


def solved_equilibrium(
    problem: EquilibriumProblem, solution: Solved, prescribed: MotionLaw
) -> Equilibrium:
    """The equilibrium of a solved problem."""
    model, at = problem.around.model, solution.at
    if (name := problem.open_constraint(at)) is not None:
        raise EquilibriumError(
            f"model {model.name!r}: no equilibrium near the guess: the forces balance where "
            f"constraint {name!r} is open; start from an assembled state"
        )
    told = model.manifest.get("metadata", {})
    warn_of_slopes(told, model.coordinates, np.asarray(at.q))
    warn_of_folds(told, model.coordinates, np.asarray(at.q))
    others = problem.around.excitation.others(problem.t, State(at.q, at.u, at.z))
    given = zip(model.prescribed, others.get("s_rate", ()), strict=True)
    speeds = [*zip(model.speeds, at.u, strict=True), *given]
    warn_of_turning(told, {name: np.array([rate]) for name, rate in speeds})
    return Equilibrium(
        model=model,
        q=at.q,
        u=at.u,
        a=np.array(problem.acceleration.value(at.u)),
        tau=at.tau,
        inputs=dict(zip(model.inputs, at.r.tolist(), strict=True)),
        parameters=dict(zip(model.parameters, at.p.tolist(), strict=True)),
        residual=solution.residual,
        iterations=solution.iterations,
        rank=solution.rank,
        undetermined=len(problem.unknowns) - solution.rank,
        solved_for=tuple(
            unknown.name for unknown in problem.unknowns if unknown.kind not in HIDDEN
        ),
        acceleration=problem.acceleration,
        prescribed=prescribed,
        forces=problem.around.forces,
        multipliers=at.multipliers,
        t=problem.t,
        z=at.z,
    )


def _names(
    model: CompiledModel, solve_for: Sequence[str] | None, fixed: Sequence[str]
) -> list[str]:
    if isinstance(solve_for, str):
        solve_for = [solve_for]
    if isinstance(fixed, str):
        fixed = [fixed]
    by_name = dict(zip(model.displacements, model.speeds, strict=True))
    for name in fixed:
        if name not in by_name:
            raise ValueError(f"fixed: no coordinate {name!r}; valid: {', '.join(by_name)}")
    if solve_for is not None:
        if fixed:
            raise ValueError("give either solve_for or fixed")
        if not solve_for:
            raise EquilibriumError("nothing to solve for: solve_for is empty")
        return list(solve_for)
    free = [name for name in by_name if name not in fixed]
    return [*free, *(f"tau({by_name[name]})" for name in fixed)]


def _steady(model: CompiledModel, given: Any) -> SteadyAcceleration:
    if hasattr(given, "by_speeds"):
        steady: SteadyAcceleration = given
        return steady
    return ConstantAcceleration(entries("acceleration", given, model.speeds))
