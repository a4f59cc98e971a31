"""A program on the expression graph becomes C, a Cython module, a manifest and a build file."""

from eomc.codegen.c.body import Body, function_body
from eomc.codegen.c.closed_loop import closed_loop_declarations, closed_loop_definitions
from eomc.codegen.c.comment import comment_block
from eomc.codegen.c.constrained_linearization import (
    linearization_declarations,
    linearization_definitions,
)
from eomc.codegen.c.constraints import solver_declarations, solver_definitions
from eomc.codegen.c.header import header
from eomc.codegen.c.integrator import integrator_declarations, integrator_definitions
from eomc.codegen.c.lanes import LANES, lanes_declarations, lanes_files
from eomc.codegen.c.loops import Shared, looped_body
from eomc.codegen.c.source import c_files
from eomc.codegen.cython.module import module
from eomc.codegen.errors import EmissionError
from eomc.codegen.identifiers import identifier
from eomc.codegen.interface import Interface, interface
from eomc.codegen.manifest import manifest
from eomc.codegen.partition import FILE_LIMIT, PIECE_SIZE, WHOLE_LIMIT, Limits
from eomc.codegen.real import REALS, RealName
from eomc.codegen.sources import Sources
from eomc.codegen.template import fill
from eomc.derive.graph import Program


def emit(
    program: Program,
    real: RealName = "double",
    *,
    prefix: str | None = None,
    whole_limit: int = WHOLE_LIMIT,
    piece_size: int = PIECE_SIZE,
    file_limit: int = FILE_LIMIT,
    lanes: int = 1,
) -> Sources:
    """All files of ``program`` as text; the same program gives the same bytes everywhere.

    real : scalar type of the C code, ``"double"`` or ``"float"``
    prefix : of all C names and files, by default the program's name as an identifier
    whole_limit, piece_size, file_limit : statements of a function that is not cut, of a piece, and
        of a file; they bound the compiler's memory, see `eomc.codegen.partition`
    lanes : states that functions for batches evaluate at once on vectors, 1 for no such functions

    Raises EmissionError if the program contradicts itself: a function that depends on a symbol it
    does not take, a constant beyond the range of ``real``, a name that cannot stand in C.
    """
    if real not in REALS:
        raise EmissionError(f"unknown scalar type {real!r}; valid are {', '.join(REALS)}")
    if min(whole_limit, piece_size, file_limit) < 1:
        raise EmissionError("the statement budgets must be at least 1")
    if lanes not in (1, *LANES):
        raise EmissionError(f"lanes is {lanes!r}; valid are {', '.join(map(str, (1, *LANES)))}")
    if prefix is None:
        prefix = identifier(program.name).rstrip("_")
    face = interface(program, prefix, REALS[real])
    limits = Limits(whole_limit, piece_size, file_limit)
    shared = Shared(face)
    bodies = {
        entry.name: looped_body(face, entry, limits, shared)
        if entry.function.loops
        else function_body(face, entry, limits)
        for entry in face.entries
    }
    return Sources(face.prefix, _files(face, bodies, limits, lanes, shared))


def _files(
    face: Interface, bodies: dict[str, Body], limits: Limits, lanes: int, shared: Shared
) -> dict[str, str]:
    banner = comment_block([f"Equations of motion of {face.program.name}, made by eomc."]).rstrip()
    extra = solver_declarations(face) + linearization_declarations(face)
    extra += integrator_declarations(face) + closed_loop_declarations(face)
    if lanes > 1:
        extra += lanes_declarations(face, lanes)
    files = {f"{face.prefix}.h": header(face, bodies, banner, extra)}
    definitions = solver_definitions(face) + linearization_definitions(face)
    definitions += integrator_definitions(face) + closed_loop_definitions(face)
    files |= c_files(face, bodies, limits.file, banner, definitions, shared.definitions)
    if lanes > 1:
        files |= lanes_files(face, limits, banner, lanes)
    text = manifest(face, bodies, files, lanes)
    c_names = "\n".join(f"  {name}" for name in files if name.endswith(".c"))
    files[f"{face.prefix}_module.pyx"] = module(face, bodies, text, lanes)
    files[f"{face.prefix}.json"] = text
    files["CMakeLists.txt"] = fill("CMakeLists.txt", m=face.prefix, files=c_names)
    return files
