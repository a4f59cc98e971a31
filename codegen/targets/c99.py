"""C99 with a manifest and a build file: what `eomc.build` compiles."""

from collections.abc import Mapping

from eomc.codegen.c.closed_loop import closed_loop_declarations, closed_loop_definitions
from eomc.codegen.c.constrained_linearization import (
    linearization_declarations,
    linearization_definitions,
)
from eomc.codegen.c.constraints import solver_declarations, solver_definitions
from eomc.codegen.c.contact_step import contact_declarations, contact_definitions
from eomc.codegen.c.difference_step import step_declarations, step_definitions
from eomc.codegen.c.function import c_function
from eomc.codegen.c.header import header
from eomc.codegen.c.implicit import implicit_declarations, implicit_definitions
from eomc.codegen.c.integrator import integrator_declarations, integrator_definitions
from eomc.codegen.c.lanes import LANES, lanes_declarations, lanes_files
from eomc.codegen.c.language import C99
from eomc.codegen.c.manifest import eomc_version, manifest, model_hash
from eomc.codegen.c.near_rigid import near_rigid_declarations, near_rigid_definitions
from eomc.codegen.c.predictive import predictive_declarations, predictive_definitions
from eomc.codegen.c.self_test import with_self_test
from eomc.codegen.c.shared import Shared
from eomc.codegen.c.source import c_files
from eomc.codegen.c.table import table_files
from eomc.codegen.language.comment import comment_block
from eomc.codegen.language.target import Request, Target, register
from eomc.codegen.plan.interface import Interface
from eomc.codegen.templates.template import fill


def files(face: Interface, request: Request) -> dict[str, str]:
    """Header, C files, manifest and CMakeLists.txt."""
    language, shared = C99(face), Shared(face)
    limits, lanes = request.limits, request.lanes
    bodies = {
        entry.name: c_function(language, entry, limits, shared, request.optimize)
        for entry in face.entries
    }
    banner = comment_block([f"Equations of motion of {face.program.name}, made by eomc."]).rstrip()
    extra = solver_declarations(face) + linearization_declarations(face)
    extra += integrator_declarations(face, bodies) + implicit_declarations(face, bodies)
    extra += closed_loop_declarations(face)
    extra += near_rigid_declarations(face) + step_declarations(face)
    extra += predictive_declarations(face, bodies) + contact_declarations(face, bodies)
    if lanes > 1:
        extra += lanes_declarations(face, lanes)
    files = {f"{face.prefix}.h": header(language, bodies, banner, extra)}
    definitions = solver_definitions(face) + linearization_definitions(face)
    definitions += integrator_definitions(face) + implicit_definitions(face)
    definitions += closed_loop_definitions(face)
    definitions += near_rigid_definitions(face) + step_definitions(face)
    definitions += predictive_definitions(face) + contact_definitions(face, lanes)
    files |= c_files(face, bodies, limits.file, banner, definitions, shared.guarded())
    if lanes > 1:
        files |= lanes_files(face, limits, banner, lanes)
    digest = model_hash(files)
    told = [f"Equations of motion of {face.program.name}, made by eomc {eomc_version()}."]
    stamp = comment_block([*told, f"Model {digest}"]).rstrip()
    files = {name: text.replace(banner, stamp, 1) for name, text in files.items()}
    text = manifest(face, bodies, digest, lanes, request.optimize)
    c_names = "\n".join(f"  {name}" for name in files if name.endswith(".c"))
    files[f"{face.prefix}.json"] = text
    files["CMakeLists.txt"] = fill("CMakeLists.txt", m=face.prefix, M=face.macro, files=c_names)
    return with_self_test(face, files) if request.self_test else files


def table(face: Interface, files: Mapping[str, str], request: Request) -> dict[str, str]:
    """Files with which the others make a library that eomc can call."""
    c_files = [name for name in files if name.endswith(".c") and "/" not in name]
    return table_files(face, c_files, files[f"{face.prefix}.json"], request.lanes)


TARGET = register(
    Target(
        "c",
        files,
        table=table,
        reals=("double", "float"),
        lanes=LANES,
        for_loops=True,
        forms=True,
        self_test=True,
    )
)
