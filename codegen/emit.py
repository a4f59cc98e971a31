"""A program on the expression graph becomes the files of a target language."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial

from eomc.codegen.c.sampled_loop import loop_files, loop_name
from eomc.codegen.integrators.known import FIRST
from eomc.codegen.language.target import Request
from eomc.codegen.plan.cost import OPTIMIZE, Optimize
from eomc.codegen.plan.errors import EmissionError
from eomc.codegen.plan.interface import interface, own_prefix
from eomc.codegen.plan.partition import PieceLimits
from eomc.codegen.plan.real import REALS, RealName
from eomc.codegen.python_module import module_files
from eomc.codegen.sources import Sources
from eomc.codegen.targets import target_of
from eomc.derive.graph import Program
from eomc.derive.graph.tuning import FILE_LIMIT, PIECE_SIZE, WHOLE_LIMIT


def emit(
    program: Program,
    real: RealName = "double",
    *,
    prefix: str | None = None,
    whole_limit: int = WHOLE_LIMIT,
    piece_size: int = PIECE_SIZE,
    file_limit: int = FILE_LIMIT,
    lanes: int = 1,
    target: str = "c",
    self_test: bool = False,
    optimize: Optimize = "speed",
    python: bool = False,
) -> Sources:
    """All files of ``program`` as text; the same program gives the same bytes everywhere.

    real : scalar type of the code, ``"double"`` or ``"float"``
    prefix : of all names and files, by default the program's name as an identifier
    whole_limit, piece_size, file_limit : statements of a function that is not cut, of a piece, and
        of a file; they bound the compiler's memory, see `eomc.codegen.plan.partition`
    lanes : states that functions for batches evaluate at once on vectors, 1 for no such functions
    target : language of the files, see `eomc.codegen.language.target`
    self_test : also a program that tests the functions where they run
    optimize : what the form of each function is chosen for, ``"speed"`` or ``"size"``, see
        `eomc.codegen.plan.cost`
    python : also a Cython module of the functions that runs without eomc

    Raises EmissionError if the program contradicts itself: a function that depends on a symbol it
    does not take, a constant beyond the range of ``real``, a name that cannot stand in C; and for
    what the target does not know.
    """
    language = target_of(target)
    if real not in language.reals:
        raise EmissionError(f"unknown scalar type {real!r}; valid are {', '.join(language.reals)}")
    if min(whole_limit, piece_size, file_limit) < 1:
        raise EmissionError("the statement budgets must be at least 1")
    if lanes not in (valid := (1, *language.lanes)):
        raise EmissionError(f"lanes is {lanes!r}; valid are {', '.join(map(str, valid))}")
    if not language.for_loops and any(function.rolled for function in program.functions):
        raise EmissionError(f"target {target!r} writes no loops over bodies; leave out small")
    if optimize not in OPTIMIZE:
        raise EmissionError(f"optimize is {optimize!r}; valid are {', '.join(OPTIMIZE)}")
    if optimize != "speed" and not language.forms:
        raise EmissionError(
            f"target {target!r} writes functions in one form; leave out optimize={optimize!r}"
        )
    if self_test and not language.self_test:
        raise EmissionError(f"the files of target {target!r} carry no test; leave out self_test")
    if prefix is None:
        prefix = own_prefix(program.name)
    if prefix in language.reserved:
        raise EmissionError(
            f"{prefix!r} means something else in target {target!r}; take another name"
        )
    face = interface(language.prepared(program), prefix, REALS[real], language.reserved)
    request = Request(PieceLimits(whole_limit, piece_size, file_limit), lanes, self_test, optimize)
    with _without_collection():
        files = language.files(face, request)
        if language.table is None:
            if python:
                raise EmissionError(f"target {target!r} has no Python module; leave out python")
            return Sources(face.prefix, files)
        table = partial(language.table, face, files, request)
        return Sources(face.prefix, files | module_files(face, table()) if python else files, table)


@contextmanager
def _without_collection() -> Iterator[None]:
    """Nothing here refers to itself; looking for that takes a sixth of an emission."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


def emit_loop(
    plant: Program, controller: Program, real: RealName = "double", *, method: str = FIRST
) -> Sources:
    """A mechanism and its sampled controller in C, and the loop around them; `method` of its steps
    of equal length.

    Raises EmissionError as `emit`, and where the controller does not fit the mechanism.
    """
    language = target_of("c")
    faces = [
        interface(program, own_prefix(program.name), REALS[real], language.reserved)
        for program in (plant, controller)
    ]
    if faces[0].prefix == faces[1].prefix:
        raise EmissionError(
            f"mechanism and controller are both called {faces[0].prefix!r}; give the controller "
            "another name"
        )
    files: dict[str, str] = {}
    for program in (plant, controller):
        made = emit(program, real)
        files |= {name: made[name] for name in made if name.endswith((".c", ".h", ".json"))}
    return Sources(loop_name(*faces), files | loop_files(faces[0], faces[1], method))
