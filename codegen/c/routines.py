"""Routines around the functions of a model as callers see them: solvers, integrators, rollouts.

What they take and give stands in the manifest, by which Python calls them.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import cast

from eomc.codegen.c.constrained_linearization import FreeMotionFunctions, free_motion
from eomc.codegen.c.constraints import Solvers, lacking, solvers
from eomc.codegen.c.contact_step import TOLD, contact_step
from eomc.codegen.c.implicit_integrator import (
    FunctionSteps,
    ImplicitIntegrator,
    implicit_integrators,
)
from eomc.codegen.c.integrator import Integrator, integrators
from eomc.codegen.c.rollouts import Rollouts, all_rollouts
from eomc.codegen.integrators import Tableau
from eomc.codegen.language.body import FunctionText
from eomc.codegen.plan.interface import CONTACT_METHODS, Interface, Port


@dataclass(frozen=True)
class _Described:
    """A solver, but for what depends on the model.

    arrays : of q and speeds it takes; those of `changed` are returned
    group : which further inputs it takes, an attribute of `Solvers`
    order : "" if it takes none, "order" of the speeds, "actuated" ones, or "rank" if it gives them
    iterates : whether it takes a tolerance and a number of steps
    outputs : shapes of further arrays it gives, in words of `_widths`
    """

    name: str
    arrays: tuple[str, ...]
    group: str
    description: str
    order: str = ""
    iterates: bool = False
    changed: tuple[str, ...] = ()
    outputs: tuple[tuple[str, ...], ...] = ()


@dataclass(frozen=True)
class Solver:
    """A solver of one model: `arrays` with their sizes, the further inputs `held`, and shapes of
    `outputs`; the rest as of `_Described`."""

    name: str
    description: str
    arrays: tuple[tuple[str, int], ...]
    changed: tuple[str, ...]
    held: tuple[Port, ...]
    order: str
    iterates: bool
    outputs: tuple[tuple[int, ...], ...]
    speeds: int
    independent: int

    @property
    def inputs(self) -> list[str]:
        """Names of the arguments in Python, without p and keywords."""
        names = [name for name, _ in self.arrays] + [port.argument.name for port in self.held]
        return names + ([self.order] if self.order in ("order", "actuated") else [])


_FORCED = (("nu",), ("rows",))
_ROUTINES = (
    _Described(
        "independent_speeds",
        ("q",),
        "closing",
        "Speeds in an order whose first ones may be chosen freely, and the constraints' rank.",
        order="rank",
    ),
    _Described(
        "dependent_coordinates",
        ("q",),
        "closing",
        "Coordinates with the dependent ones changed, by Newton's method, to close the loops.",
        order="order",
        iterates=True,
        changed=("q",),
    ),
    _Described(
        "dependent_speeds",
        ("q", "u"),
        "projecting",
        "Speeds with the dependent ones changed to satisfy the constraints.",
        order="order",
        changed=("u",),
    ),
    _Described(
        "project",
        ("q", "u"),
        "projecting",
        "The nearest state that satisfies the constraints: q and u.",
        iterates=True,
        changed=("q", "u"),
    ),
    _Described(
        "reduced_dynamics",
        ("q", "u", "tau"),
        "dynamic",
        "Accelerations and multipliers by the natural orthogonal complement.",
        order="order",
        outputs=_FORCED,
    ),
    _Described(
        "consistent_state",
        ("q", "u", "tau"),
        "dynamic",
        "The nearest consistent state: q, u, accelerations and multipliers.",
        iterates=True,
        changed=("q", "u"),
        outputs=_FORCED,
    ),
    _Described(
        "actuated_inverse_dynamics",
        ("q", "u", "a"),
        "dynamic",
        "Forces of least norm on the actuated speeds that a motion takes, and multipliers.",
        order="actuated",
        outputs=_FORCED,
    ),
)
_LINEARIZED = ("q", "u", "a", "multipliers")
_SECOND_ORDER = _Described(
    "reduced_linearization",
    _LINEARIZED,
    "dynamic",
    "M, C, K and B of M z'' + C z' + K z = B v in independent displacements z.",
    order="order",
    outputs=(("speeds", "speeds"),) * 3 + (("speeds", "forces"),),
)
_STATE_SPACE = _Described(
    "state_space",
    _LINEARIZED,
    "dynamic",
    "A, B, C and D of x' = A x + B v, y = C x + D v in independent displacements and speeds.",
    order="order",
    outputs=(
        *(("states", "states"), ("states", "forces")),
        *(("signals", "states"), ("signals", "forces")),
    ),
)


def _described(face: Interface) -> tuple[_Described, ...]:
    """Those that the program has."""
    free = free_motion(face)
    if free is None:
        return _ROUTINES
    return (*_ROUTINES, *([_SECOND_ORDER] if free.has_second_order else []), _STATE_SPACE)


def _widths(found: Solvers, free: FreeMotionFunctions | None) -> dict[str, int]:
    """Numbers that shapes of outputs name."""
    widths = {"nu": found.nu, "rows": len(found.rows)}
    if free is not None:
        widths |= {"speeds": free.speeds, "states": free.states, "forces": free.forces}
        widths["signals"] = 3 * found.nu
    return widths


def solver_rows(face: Interface) -> tuple[Solver, ...]:
    """The solvers of the constraints; none without constraints."""
    found = solvers(face)
    if found is None:
        return ()
    widths = _widths(found, free_motion(face))
    sizes = {"q": found.nq, "multipliers": len(found.rows)}
    return tuple(
        Solver(
            routine.name,
            routine.description,
            tuple((name, sizes.get(name, found.nu)) for name in routine.arrays),
            routine.changed,
            getattr(found, routine.group),
            routine.order,
            routine.iterates,
            tuple(tuple(widths[word] for word in shape) for shape in routine.outputs),
            found.nu,
            found.nu - len(found.rows),
        )
        for routine in _described(face)
    )


# -- in the manifest -------------------------------------------------------------------------------


def described_routines(
    face: Interface, bodies: Mapping[str, FunctionText], lanes: int
) -> dict[str, object]:
    """Solvers, integrators and rollouts, those that there are."""
    steps = [_integrator(face, method) for method in integrators(face)]
    steps += [_implicit(face, method) for method in implicit_integrators(face)]
    found: dict[str, object] = {"integrators": [*steps, *_contact_steps(face)]}
    if rows := solver_rows(face):
        found["solvers"] = [_solver(face, row) for row in rows]
    if lanes > 1:
        runs = [_rollouts(face, run, bodies) for run in all_rollouts(face)]
        runs += _contact_rollouts(face, bodies)
        found |= {"rollouts": runs} if runs else {}
    return found


def _held(ports: tuple[Port, ...]) -> list[dict[str, object]]:
    return [{"name": port.name, "shape": list(port.argument.shape)} for port in ports]


def _solver(face: Interface, row: Solver) -> dict[str, object]:
    return {
        "name": row.name,
        "symbol": f"{face.prefix}_{row.name}",
        "description": row.description,
        "inputs": row.inputs,
        "arrays": [list(pair) for pair in row.arrays],
        "changed": list(row.changed),
        "zero_order_hold": _held(row.held),
        "order": row.order,
        "iterates": row.iterates,
        "outputs": [list(shape) for shape in row.outputs],
        "speeds": row.speeds,
        "independent": row.independent,
    }


def _state(method: Integrator) -> dict[str, object]:
    """Names and sizes of the state, and the inputs that are held over a step."""
    return {
        "state": list(method.state),
        "nq": method.nq,
        "nu": method.nu,
        "nz": method.nz,
        "zero_order_hold": _held(method.held),
        "time_dependent": method.timed,
    }


def _integrator(face: Interface, method: Integrator) -> dict[str, object]:
    tableau = method.tableau
    return {
        "name": tableau.name,
        "symbol": f"{face.prefix}_{tableau.name}",
        "title": tableau.title,
        "order": tableau.order,
        "adaptive": tableau.is_adaptive,
        "stages": tableau.stages,
        "stability_limit": tableau.stability_limit,
        **({} if tableau.is_adaptive else _coefficients(tableau)),
        **_called(face, method, tableau.is_adaptive),
    }


def _implicit(face: Interface, found: ImplicitIntegrator | FunctionSteps) -> dict[str, object]:
    method, memory = found.method, list(found.memory)
    return {
        "name": found.name,
        "symbol": f"{face.prefix}_{found.name}",
        "title": method.title,
        "order": method.order,
        "adaptive": found.adaptive,
        "implicit": True,
        "stages": method.stages,
        **_called(face, found.explicit, found.adaptive, memory),
        **({"memory": memory} if memory else {}),
    }


def _called(
    face: Interface, method: Integrator, adaptive: bool, memory: Sequence[str] = ()
) -> dict[str, object]:
    """Arguments of an integrator, whose memory lies behind the states of elements."""
    missing, state = list(lacking(face)), _state(method)
    if memory:
        state |= {"state": ["q", "u", "z"], "nz": method.nz + len(memory)}
    return {
        "inputs": [*cast(list[str], state["state"])]
        + [port.argument.name for port in method.held]
        + (["t"] if method.timed and not adaptive else []),
        **state,
        **({"off_constraints": missing} if missing else {}),
    }


def _contact_steps(face: Interface) -> list[dict[str, object]]:
    """Steps with rigid contacts: as integrators whose element states are impulses and what the
    solve tells."""
    step = contact_step(face)
    if step is None:
        return []
    return [
        {
            "name": name,
            "symbol": f"{face.prefix}_{name}",
            "title": CONTACT_METHODS[name],
            "order": 1,
            "adaptive": False,
            "inputs": ["q", "u", "z", *step.names] + (["t"] if step.timed else []),
            "state": ["q", "u", "z"],
            "nq": step.nq,
            "nu": step.nu,
            "nz": step.width - step.nu,
            "zero_order_hold": _held(step.held),
            "time_dependent": step.timed,
            "contacts": [*step.contacts, *(f"speed({name})" for name in step.dry)],
            "contact_rows": [*step.sizes, *[1] * len(step.dry)],
            "rows": list(step.rows),
            "told": list(TOLD),
        }
        for name in step.methods
    ]


def _coefficients(tableau: Tableau) -> dict[str, object]:
    """For steps that Python takes stage by stage."""
    rows = [[float(value) for value in row] for row in (*tableau.a, tableau.b)]
    return {"a": rows[:-1], "b": rows[-1]}


def _contact_rollouts(
    face: Interface, bodies: Mapping[str, FunctionText]
) -> list[dict[str, object]]:
    """As those of an integrator, without feedback."""
    step = contact_step(face)
    if step is None or not step.nq:
        return []
    work = sum(sum(bodies[entry.name].operations.values()) for entry in step.called)
    return [
        {**entry, "name": f"{entry['name']}_rollouts", "symbol": f"{entry['symbol']}_rollouts"}
        | {"feedback": False, "computed_torque": False, "operations": work}
        for entry in _contact_steps(face)
    ]


def _rollouts(
    face: Interface, found: Rollouts, bodies: Mapping[str, FunctionText]
) -> dict[str, object]:
    return {
        "name": f"{found.name}_rollouts",
        "symbol": f"{face.prefix}_{found.name}_rollouts",
        "title": found.title,
        **_state(found.method),
        "feedback": found.tau is not None,
        "computed_torque": found.tau is not None and found.inverse is not None,
        "operations": sum(sum(bodies[entry.name].operations.values()) for entry in found.called),
    }
