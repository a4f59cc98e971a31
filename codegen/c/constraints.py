"""Solvers of constraints in C, for programs that know their residuals and Jacobian.

Independent speeds by pivoting, dependent coordinates by Newton's method, projection of a state on
the constraints, reduced dynamics, consistent states and inverse dynamics of loops; all on the
stack, in loops whose length is known. The templates lie in ``templates/constraints.*``.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, cast

from eomc.codegen.c.arguments import call_arguments, declared, passed_on, with_parameters
from eomc.codegen.c.language import port_declaration
from eomc.codegen.language.literal import literal
from eomc.codegen.plan.identifiers import RESERVED, Names
from eomc.codegen.plan.interface import (
    SOLVER_CODES,
    SOLVER_NEEDS,
    EmittedFunction,
    Interface,
    Port,
    asked_once,
)
from eomc.codegen.templates.template import fill, words

# Of over-constrained loops only: its inputs are among those of the independent residuals.
_CLOSURE = "closure_residual"
# Of models whose forces depend on multipliers only.
_REACTING = "constrained_dynamics"
_GRADIENTS, _VELOCITY = SOLVER_NEEDS[:4], SOLVER_NEEDS[:6]

PROJECTION_STEPS = 20
"""Steps of Newton's method, at most, that bring a step of an integrator back onto constraints."""

_SETTLING_STEPS, _SETTLED = 100, 64
"""Steps, at most, to forces that depend on the multipliers that come with them, and how many
roundings they may change by in the end."""

_STATE = ("q", "u", "a", "tau", "du", "multipliers", "stabilization")
# An input gives way to the words of these.
_TEMPLATES = (
    *("constrain*.?", "closed.c", "order_displacements.c", "reduced_linearization.?"),
    *("reduced_dynamics.c", "reacting_*.c"),
    *("input_*.c", "solve_positive.c"),
)


@dataclass(frozen=True)
class Solvers:
    """The solvers of one program.

    held : inputs beyond q, u, a and tau of all functions that they call, each once
    rows, positions : names of all rows, and places of those that have a residual
    """

    entries: dict[str, EmittedFunction]
    held: tuple[Port, ...]
    rows: tuple[str, ...]
    positions: tuple[int, ...]
    nq: int
    nu: int
    reacts: bool

    def inputs(self, functions: Iterable[str]) -> tuple[Port, ...]:
        """Those of `held` that the functions take."""
        taken = {port.argument.name for name in functions for port in self.entries[name].inputs}
        return tuple(port for port in self.held if port.argument.name in taken)

    @property
    def projecting(self) -> tuple[Port, ...]:
        """Inputs of the projection beyond q and u."""
        return self.inputs(_VELOCITY)

    @property
    def dynamic(self) -> tuple[Port, ...]:
        """Inputs of the dynamics beyond q, u and tau."""
        return self.inputs([name for name in self.entries if name != _CLOSURE])

    @property
    def closing(self) -> tuple[Port, ...]:
        """Inputs of what knows positions only, beyond q."""
        return self.inputs(_GRADIENTS)


def takes_multipliers(entry: EmittedFunction) -> bool:
    """True if the function takes the multipliers of constraints."""
    return any(port.argument.name == "multipliers" for port in entry.inputs)


def _reacts(face: Interface) -> bool:
    """True if forces depend on reactions: on accelerations, so that M a + c is not all that they
    take, and under loads of constraints on multipliers."""
    entry = face.entry("inverse_dynamics")
    known = cast(Sequence[str], face.program.metadata.get("functions", ()))
    return "forces_by_multipliers" in known or (entry is not None and takes_multipliers(entry))


def _needs(face: Interface) -> tuple[str, ...]:
    """Functions that the solvers call: where forces depend on reactions also what solves them."""
    return (*SOLVER_NEEDS, *([_REACTING] if _reacts(face) else []))


@asked_once
def solvers(face: Interface) -> Solvers | None:
    """The solvers that ``face`` allows: None without constraints or without what they call."""
    needs = _needs(face)
    found = {name: face.entry(name) for name in (*needs, _CLOSURE)}
    entries = {name: entry for name, entry in found.items() if entry is not None}
    if not entries.keys() >= set(needs) or not entries["constraint_jacobian"].outputs[0].size:
        return None
    names = Names((*RESERVED, "p", *words(*_TEMPLATES)))
    held: dict[str, Port] = {}
    for name in needs:
        for port in entries[name].inputs:
            if port.argument.name not in _STATE and port.argument.name not in held:
                held[port.argument.name] = replace(port, name=names.take(port.argument.name))
    rows = entries["constraint_jacobian"].outputs[0].argument.rows
    holonomic = entries["constraint_residual"].outputs[0].argument.rows
    (nu,) = (port.size for port in entries["bias"].inputs if port.argument.name == "u")
    (nq,) = (port.size for port in entries["bias"].inputs if port.argument.name == "q")
    positions = tuple(rows.index(name) for name in holonomic)
    return Solvers(entries, tuple(held.values()), rows, positions, nq, nu, _reacts(face))


def lacking(face: Interface) -> tuple[str, ...]:
    """Functions without which steps of this constrained program do not end on its constraints."""
    known = cast(Sequence[str], face.program.metadata.get("functions", ()))
    if "constraint_jacobian" not in known or solvers(face) is not None:
        return ()
    return tuple(name for name in _needs(face) if name in known and face.entry(name) is None)


def solver_declarations(face: Interface) -> str:
    """For the header."""
    found = solvers(face)
    return "" if found is None else "\n" + fill("constraints.h", **solver_marks(face))


def solver_definitions(face: Interface) -> str:
    """For the source file."""
    found = solvers(face)
    if found is None:
        return ""
    marks = solver_marks(face)
    solve_positive = fill("solve_positive.c", **marks)
    return f"{solve_positive}\n{fill('constraints.c', **marks)}\n"


def projection(
    face: Interface, names: dict[str, str], q: str, u: str, before: str, most: str, first: int = 0
) -> str:
    """Statements that project q and u; `names` of inputs. Empty without constraints.

    The speeds begin at `first` of the array `u`. They fail where more than the share `most` of the
    speeds would be taken out, and more than a twentieth of what changed since they were those of
    the array `before`, at the same places.
    """
    found = solvers(face)
    if found is None:
        return ""
    held = (names[port.argument.name] for port in found.projecting)
    speeds = f"&{u}[{first}]" if first else u
    arguments = [
        *with_parameters(face, (q, speeds, *held)),
        literal(0, face.real),
        str(PROJECTION_STEPS),
    ]
    marks = solver_marks(face) | {
        "u": u,
        "before": before,
        "first": f"{first} + " if first else "",
        "most": most,
        "arguments": ", ".join(arguments),
        "share": literal(Fraction(1, 20), face.real),
    }
    return fill("project.c", **marks)


@asked_once
def solver_marks(face: Interface) -> dict[str, object]:
    """Marks of the templates with their values, of a program that has solvers."""
    found = solvers(face)
    assert found is not None
    codes = {status.code: status.enumerator for status in face.statuses}
    holonomic, rows = len(found.positions), len(found.rows)
    epsilon = 1 / face.real.exact_integers
    calls = {name: call(face, found, entry) for name, entry in found.entries.items()}
    groups = {"gradients": found.closing, "velocity": found.projecting, "dynamics": found.dynamic}
    marks: dict[str, object] = {
        "m": face.prefix,
        "M": face.macro,
        "f": face.real.suffix,
        "nq": found.nq,
        "nu": found.nu,
        "rows": rows,
        "width": found.nu + 1,
        "jacobian_size": rows * found.nu,
        "mass_size": found.nu**2,
        "freedoms": found.nu - rows,
        "stack_of_rows": _stack(face, found, 2, 0),
        "stack_of_matrices": _stack(face, found, 3, 4),
        "holonomic": max(holonomic, 1),
        "holonomic_count": holonomic,
        "held_rows": ", ".join(map(str, found.positions)) or "0",
        "zero": literal(0, face.real),
        "one": literal(1, face.real),
        "half": literal(Fraction(1, 2), face.real),
        "six_digits": literal(1e-6, face.real),
        "epsilon": literal(epsilon, face.real),
        "rank_tolerance": literal(math.sqrt(epsilon), face.real),
        "smallest_pivot": literal(16 * epsilon, face.real),
        "jacobian": calls["constraint_jacobian"],
        "residual": calls["constraint_residual"],
        "velocity": calls["constraint_velocity"],
        "constraint_bias": calls["constraint_bias"],
        "position_correction": calls["position_correction"],
        "velocity_correction": calls["velocity_correction"],
        **{name: calls[name] for name in ("integrate", "mass_matrix", "bias", "inverse_dynamics")},
        "constrained_dynamics": calls.get(_REACTING, ""),
        "settling_steps": _SETTLING_STEPS,
        "settled_change": literal(_SETTLED * epsilon, face.real),
        **{code: codes[code] for code in SOLVER_CODES},
        **{f"{word}_declarations": _declared(face, ports) for word, ports in groups.items()},
        **{f"{word}_arguments": _listed(face, ports) for word, ports in groups.items()},
    }
    marks |= _displacement_marks(face, found, marks) | _closure_marks(face, found, marks)
    return marks | _force_marks(face, found, marks)


def _force_marks(face: Interface, found: Solvers, marks: dict[str, object]) -> dict[str, object]:
    """Of the solvers that know forces, which may depend on the multipliers."""
    if not found.reacts:
        return {
            "reduced_dynamics": fill("reduced_dynamics.c", **marks),
            "actuated": f"int {face.prefix}_actuated_inverse_dynamics",
            "settled": "",
        }
    return {
        "reduced_dynamics": fill("reacting_dynamics.c", **marks),
        "actuated": f"static int {face.prefix}_actuated_once",
        "settled": fill("reacting_actuated.c", **marks),
    }


def _displacement_marks(
    face: Interface, found: Solvers, marks: dict[str, object]
) -> dict[str, object]:
    """Of the order of displacements, which is one of its own where some rows hold speeds alone."""
    if not 0 < len(found.positions) < len(found.rows):
        return {"order_displacements": "", "displacements_too": "", "ordered": f"{face.macro}_OK"}
    free = found.nu - len(found.positions)
    return {
        "order_displacements": fill("order_displacements.c", **marks),
        "displacements_too": f" * The first {free} are independent displacements.\n",
        "ordered": f"{face.prefix}_order_displacements(q, {_listed(face, found.closing)}order)",
    }


def _closure_marks(face: Interface, found: Solvers, marks: dict[str, object]) -> dict[str, object]:
    """Of the look at redundant rows, which only over-constrained loops have."""
    if _CLOSURE not in found.entries:
        return {"closed": "", "accepted": "status"}
    entry = found.entries[_CLOSURE]
    known = cast(Mapping[str, Any], face.program.metadata.get("sizes", {})).get("rows", {})
    sizes = [known.get(name, 1.0) for name in entry.outputs[0].argument.rows]
    beyond_q = _declared(face, found.closing).rstrip(",\n")
    own: dict[str, object] = {
        "closures": entry.outputs[0].size,
        "row_sizes": ", ".join(literal(size, face.real) for size in sizes),
        "closure": call(face, found, entry),
        "closing_declarations": f",\n{beyond_q}" if beyond_q else "",
    }
    is_closed = f"{face.prefix}_closed(q, {_listed(face, found.closing)}".rstrip(", ")
    return own | {
        "closed": fill("closed.c", **marks, **own),
        "accepted": f"status == {face.macro}_OK ? {is_closed}) : status",
    }


def _stack(face: Interface, found: Solvers, systems: int, squares: int) -> int:
    """Bytes of so many sets of equations and so many square matrices, and a few vectors."""
    nu, rows = found.nu, len(found.rows)
    reals = systems * rows * (nu + 1) + squares * nu**2 + 3 * found.nq + 4 * (nu + rows)
    return face.real.bytes * reals


def call(face: Interface, found: Solvers, entry: EmittedFunction) -> str:
    """A call without its outputs and closing parenthesis."""
    names = {name: name for name in _STATE}
    names |= {port.argument.name: port.name for port in found.held}
    return f"{entry.symbol}({call_arguments(face, entry, names)}"


def _declared(face: Interface, ports: Sequence[Port]) -> str:
    return declared(face, (port_declaration(face, port) for port in ports))


def _listed(face: Interface, ports: Sequence[Port]) -> str:
    return passed_on(face, (port.name for port in ports))
