"""Linearization on constraints in C, for programs that know the derivatives of both.

Reduced mass, damping and stiffness matrices, and the state space, in independent displacements and
speeds; all on the stack, in loops whose length is known. Constraints on speeds alone leave more
displacements than speeds: such programs have the state space and no second-order form. The
templates lie in ``templates/constrained_linearization.c`` and the files beside it.
"""

from dataclasses import dataclass

from eomc.codegen.c.constraints import Solvers, call, solver_marks, solvers
from eomc.codegen.language.literal import literal
from eomc.codegen.plan.interface import LINEARIZATION_NEEDS, EmittedFunction, Interface, asked_once
from eomc.codegen.templates.template import fill

_INPUTS = "input_matrix"


@dataclass(frozen=True)
class FreeMotionFunctions:
    """Motion that constraints leave free: the program's solvers, functions, numbers of freedoms.

    displacements, speeds : how many of them are independent
    forces : on all speeds, then inputs
    """

    solvers: Solvers
    entries: dict[str, EmittedFunction]
    displacements: int
    speeds: int
    forces: int

    @property
    def has_second_order(self) -> bool:
        """True if there are as many speeds as displacements."""
        return self.displacements == self.speeds

    @property
    def states(self) -> int:
        """Number of displacements and speeds."""
        return self.displacements + self.speeds


@asked_once
def free_motion(face: Interface) -> FreeMotionFunctions | None:
    """None without constraints, without their derivatives, where nothing is free, where elements
    have states of their own, which belong to the state space, and where forces depend on
    multipliers."""
    found = solvers(face)
    if found is None or len(found.rows) >= found.nu or found.reacts:
        return None
    if any(port.argument.name == "z" for port in found.held):
        return None
    inputs = next((port.size for port in found.held if port.argument.name == "r"), 0)
    needs = (*LINEARIZATION_NEEDS, *([_INPUTS] if inputs else []))
    entries = {name: entry for name in needs if (entry := face.entry(name)) is not None}
    if len(entries) < len(needs):
        return None
    displacements, speeds = found.nu - len(found.positions), found.nu - len(found.rows)
    return FreeMotionFunctions(found, entries, displacements, speeds, found.nu + inputs)


def linearization_declarations(face: Interface) -> str:
    """For the header."""
    found = free_motion(face)
    if found is None:
        return ""
    marks = _marks(face)
    text = fill("reduced_linearization.h", **marks) if found.has_second_order else ""
    return text + fill("constrained_state_space.h", **marks)


def linearization_definitions(face: Interface) -> str:
    """For the source file, after the solvers of constraints."""
    found = free_motion(face)
    if found is None:
        return ""
    marks = _marks(face)
    text = fill("constrained_linearization.c", **marks)
    if found.has_second_order:
        text += fill("reduced_linearization.c", **marks)
    return text + fill("constrained_state_space.c", **marks) + "\n"


@asked_once
def _marks(face: Interface) -> dict[str, object]:
    found = free_motion(face)
    assert found is not None
    nu, rows = found.solvers.nu, len(found.solvers.rows)
    nz, nw, nv, nx = found.displacements, found.speeds, found.forces, found.states
    inputs = nv - nu
    sizes = {
        "pair": 2 * rows,
        "displacements": nz,
        "states": nx,
        "forces": nv,
        "signals": 3 * nu,
        "columns": nx + nv,
        "basis_size": nu * nz,
        "speed_basis_size": nu * nw,
        "right_size": rows * nz,
        "force_size": nu * nz,
        "by_z_size": nw * nz,
        "by_w_size": nw * nw,
        "forcing_size": nw * nv,
        "a_size": nx * nx,
        "b_size": nx * nv,
        "c_size": 3 * nu * nx,
        "d_size": 3 * nu * nv,
        "w_rate_size": nw * (nx + nv),
    }
    calls = {name: call(face, found.solvers, entry) for name, entry in found.entries.items()}
    marks = solver_marks(face) | sizes | calls
    marks |= {
        "one": literal(1, face.real),
        "all_rows": ", ".join(map(str, range(rows))),
        "inputs_too": ", then the inputs" if inputs else "",
        "stack_of_linearization": face.real.bytes * _stack(found),
        "input_definitions": "",
        "input_forces": "",
    }
    if inputs:
        marks |= {"inputs": inputs, "input_size": nu * inputs, "pushed_size": nw * inputs}
        marks["input_definitions"] = fill("input_forces.c", **marks)
        marks["input_forces"] = fill("input_call.c", **marks)
    return marks


def _stack(found: FreeMotionFunctions) -> int:
    """Numbers on the stack of a linearization: bases and products, seven square matrices."""
    nu, rows = found.solvers.nu, len(found.solvers.rows)
    nz, nw = found.displacements, found.speeds
    bases = nu * (5 * nz + 2 * nw) + nw * (found.states + found.forces)
    rates = nw * (found.states + found.forces)
    return bases + rates + 7 * nu**2 + rows * (6 * nu + 2 * rows + nz)
