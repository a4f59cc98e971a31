"""The Cython face of the solvers of constraints: the frame stands in ``templates/constraints.pyx``.

Each solver is a row of `_ROUTINES`; thunks in C bring all of them to one signature.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from eomc.codegen.c.arguments import with_parameters
from eomc.codegen.c.constrained_linearization import FreeMotion, free_motion
from eomc.codegen.c.constraints import Solvers, solvers
from eomc.codegen.cython.port import indented, port_table, struct_of_parameters
from eomc.codegen.plan.interface import Interface, Port
from eomc.codegen.templates.template import fill


@dataclass(frozen=True)
class _Routine:
    """A solver as Python sees it.

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


_FORCED = (("nu",), ("rows",))
_ROUTINES = (
    _Routine(
        "independent_speeds",
        ("q",),
        "closing",
        "Speeds in an order whose first ones may be chosen freely, and the constraints' rank.",
        order="rank",
    ),
    _Routine(
        "dependent_coordinates",
        ("q",),
        "closing",
        "Coordinates with the dependent ones changed, by Newton's method, to close the loops.",
        order="order",
        iterates=True,
        changed=("q",),
    ),
    _Routine(
        "dependent_speeds",
        ("q", "u"),
        "projecting",
        "Speeds with the dependent ones changed to satisfy the constraints.",
        order="order",
        changed=("u",),
    ),
    _Routine(
        "project",
        ("q", "u"),
        "projecting",
        "The nearest state that satisfies the constraints: q and u.",
        iterates=True,
        changed=("q", "u"),
    ),
    _Routine(
        "reduced_dynamics",
        ("q", "u", "tau"),
        "dynamic",
        "Accelerations and multipliers by the natural orthogonal complement.",
        order="order",
        outputs=_FORCED,
    ),
    _Routine(
        "consistent_state",
        ("q", "u", "tau"),
        "dynamic",
        "The nearest consistent state: q, u, accelerations and multipliers.",
        iterates=True,
        changed=("q", "u"),
        outputs=_FORCED,
    ),
    _Routine(
        "actuated_inverse_dynamics",
        ("q", "u", "a"),
        "dynamic",
        "Forces of least norm on the actuated speeds that a motion takes, and multipliers.",
        order="actuated",
        outputs=_FORCED,
    ),
)
_LINEARIZED = ("q", "u", "a", "multipliers")
_SECOND_ORDER = _Routine(
    "reduced_linearization",
    _LINEARIZED,
    "dynamic",
    "M, C, K and B of M z'' + C z' + K z = B v in independent displacements z.",
    order="order",
    outputs=(("speeds", "speeds"),) * 3 + (("speeds", "forces"),),
)
_STATE_SPACE = _Routine(
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


def _routines(face: Interface) -> tuple[_Routine, ...]:
    """Those that the program has."""
    free = free_motion(face)
    if free is None:
        return _ROUTINES
    return (*_ROUTINES, *([_SECOND_ORDER] if free.has_second_order else []), _STATE_SPACE)


def _widths(found: Solvers, free: FreeMotion | None) -> dict[str, int]:
    """Numbers that shapes of outputs name."""
    widths = {"nu": found.nu, "rows": len(found.rows)}
    if free is not None:
        widths |= {"speeds": free.speeds, "states": free.states, "forces": free.forces}
        widths["signals"] = 3 * found.nu
    return widths


def solver_inputs(face: Interface) -> dict[str, tuple[str, ...]]:
    """Names of the arguments of each solver in Python, without p and keywords."""
    found = solvers(face)
    if found is None:
        return {}
    return {
        routine.name: (
            *routine.arrays,
            *(port.argument.name for port in _held(found, routine)),
            *([routine.order] if routine.order in ("order", "actuated") else []),
        )
        for routine in _routines(face)
    }


def solver_functions(face: Interface) -> str:
    """A Python function for each solver; nothing without constraints."""
    found = solvers(face)
    if found is None:
        return ""
    routines = _routines(face)
    ports = found.entries["bias"].inputs[:1] + found.held
    support = port_table(face, "solver", ports) + "\n"
    support += "\n".join(_thunk(face, found, routine) for routine in routines)
    types = "const _real *const *, _real *const *, int *, int *, _real, int"
    externs = "".join(
        f'    int _solve_{routine.name} "eomc_solve_{routine.name}"({types}) noexcept nogil\n'
        for routine in routines
    )
    return fill(
        "constraints.pyx",
        support=indented(support),
        externs=externs,
        nu=found.nu,
        last=found.nu - 1,
        functions="\n".join(_definition(face, found, routine) for routine in routines),
    )


def _held(found: Solvers, routine: _Routine) -> tuple[Port, ...]:
    held: tuple[Port, ...] = getattr(found, routine.group)
    return held


def _thunk(face: Interface, found: Solvers, routine: _Routine) -> str:
    held = _held(found, routine)
    arguments = [f"y[{i}]" for i in range(len(routine.arrays))]
    arguments += [f"x[{i}][0]" if port.by_value else f"x[{i}]" for i, port in enumerate(held)]
    arguments = with_parameters(face, arguments, struct_of_parameters(face, len(held)))
    arguments += ["order"] if routine.order else []
    arguments += ["rank"] if routine.order == "rank" else []
    arguments += ["tolerance", "max_steps"] if routine.iterates else []
    first = len(routine.arrays)
    arguments += [f"y[{first + i}]" for i in range(len(routine.outputs))]
    marks = {"solver": routine.name, "arguments": ", ".join(arguments)}
    return fill("run_solver.h", m=face.prefix, **marks)


def _definition(face: Interface, found: Solvers, routine: _Routine) -> str:
    held = _held(found, routine)
    sizes = {"q": found.nq, "multipliers": len(found.rows)}
    taken = [*routine.arrays, *(port.name for port in held)]
    keywords = ["tolerance=1e-12", "max_steps=50"] if routine.iterates else []
    keywords += ["p=None"] if face.members else []
    order, orders = "None", []
    if routine.order in ("order", "actuated"):
        order, orders = f'_permutation("{routine.name}", order)', [routine.order]
    if routine.order == "actuated":
        order = "[bool(entry) for entry in actuated]"
    widths = _widths(found, free_motion(face))
    shapes = [tuple(widths[word] for word in shape) for shape in routine.outputs]
    ranked = routine.order == "rank"
    return fill(
        "solver.pyx",
        solver=routine.name,
        signature=", ".join([*taken, *orders, *(["*", *keywords] if keywords else [])]),
        description=routine.description,
        documented="\n".join(_documented(found, routine)),
        found="found, order, rank" if ranked else "found",
        arrays=", ".join(f'("{n}", {n}, {sizes.get(n, found.nu)})' for n in routine.arrays),
        inputs=", ".join(f"({1 + found.held.index(port)}, {port.name})" for port in held),
        outputs=", ".join(map(str, shapes)),
        order=order,
        solving="tolerance, max_steps" if routine.iterates else "0.0, 0",
        p="p" if face.members else "None",
        first="" if ranked else "[0]",
        returned=_returned(routine),
    )


def _returned(routine: _Routine) -> str:
    if routine.order == "rank":
        return "order, rank"
    places = [routine.arrays.index(name) for name in routine.changed]
    places += range(len(routine.arrays), len(routine.arrays) + len(routine.outputs))
    texts = [f"found[{place}]" for place in places]
    return texts[0] if len(texts) == 1 else ", ".join(texts)


def _documented(found: Solvers, routine: _Routine) -> Sequence[str]:
    """Docstring lines on arguments that other functions do not take, and on the error."""
    free = found.nu - len(found.rows)
    lines = []
    if routine.order == "order":
        lines.append(f"    order : places of all speeds, the {free} independent ones first")
    if routine.order == "actuated":
        lines.append(f"    actuated : {found.nu} truth values, one for each speed")
    if "multipliers" in routine.arrays:
        lines.append("    a, multipliers : of a consistent state, as consistent_state gives them")
    if routine is _STATE_SPACE:
        lines.append("    y : displacements, changes of speeds and of accelerations of all")
    if routine.iterates:
        lines.append("    tolerance : largest residual that may remain if rounding allows less")
    lines.append("    raises FloatingPointError, whose attribute code says what failed")
    return lines
